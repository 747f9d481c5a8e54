"""Which facts of a domain ever change."""

from __future__ import annotations

import msgspec

from backburner.worlds.robotouille.game.domain import Domain
from backburner.worlds.robotouille.game.rule_set import STANDARD
from backburner.worlds.robotouille.game.scenarios import shipped_domain
from backburner.worlds.robotouille.game.schema import DomainFile
from support.robotouille.greenhouse import DOMAIN


def names(domain: Domain, indices: frozenset[int]) -> set[str]:
    """The names of these predicates."""
    return {domain.predicates[index].name for index in indices}


def test_a_predicate_changes_if_an_effect_deletes_a_thing_that_it_is_about() -> None:
    domain = Domain(msgspec.convert(DOMAIN, DomainFile), STANDARD)

    changing = names(domain, domain.changing)

    assert changing == {p.name for p in domain.predicates} - {"isbench", "isbed", "istap", "daytime"}
    # A snail is picked off, a seed is sown, a seedling is harvested: no effect names these predicates.
    assert changing - names(domain, domain.assigned) == {"creeps_in", "isseed"}


def test_without_deletions_only_what_effects_name_changes() -> None:
    domain = Domain(shipped_domain(), STANDARD)

    assert domain.changing == domain.assigned
    assert {"iscut", "loc", "in"} <= names(domain, domain.changing)
    assert not {"istable", "iscookable"} & names(domain, domain.changing)

"""What faces offer: scenarios by name, tried out before anybody asks, and the seeds of their episodes."""

from __future__ import annotations

from pathlib import Path

import pytest

from backburner.kernel import packs, registry
from backburner.kernel.claims import check
from backburner.kernel.episode import read_episode
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.text import speaks
from backburner.training.conversation import Setting
from backburner.training.offer import Numbering, offer_of


def test_without_names_every_quick_suite_is_offered_that_can_be_played_so() -> None:
    alone, beside = offer_of((), Setting()), offer_of((), Setting(partners="random"))
    first = {name: registry.world(registry.expand(f"{name}/quick")[0]) for name in packs.names()}
    worlds = {name: world for name, world in first.items() if speaks(world)}
    assert list(alone.suites) == [f"{name}/quick" for name, world in worlds.items() if len(world.seats) == 1]
    assert list(beside.suites) == [f"{name}/quick" for name in worlds]


def test_what_cannot_be_played_is_known_before_anybody_asks() -> None:
    with pytest.raises(UnknownName, match="did you mean quick"):
        offer_of(["timearena/quik"], Setting())
    with pytest.raises(Refused, match="name agents that play beside"):
        offer_of(["collab_overcooked/quick"], Setting())
    with pytest.raises(UnknownName, match="method"):
        offer_of(["timearena/quick"], Setting(method="actt"))
    with pytest.raises(UnknownName, match="reward"):
        offer_of(["timearena/quick"], Setting(reward="money"))
    with pytest.raises(UnknownName):
        offer_of(["timearena/quick"], Setting(rules="relaesed"))


def test_a_seed_draws_the_scenario_where_none_is_named_and_all_are_drawn() -> None:
    offer = offer_of(["timearena/singles/cooking"], Setting())
    drawn = [offer.begin(None, seed).world.id for seed in range(100)]
    assert set(drawn) == set(offer.scenarios)
    assert drawn == [offer.begin(None, seed).world.id for seed in range(100)]


def test_only_what_is_offered_is_looked_up(tmp_path: Path) -> None:
    offer = offer_of(["timearena/singles/cooking"], Setting())
    for asked in ("timearena/household1", "timearena/cooking1@kit=one", str(tmp_path / "mine.json"), ""):
        with pytest.raises(UnknownName, match="what is offered here"):
            offer.begin(asked, 0)


def test_records_are_kept_where_a_folder_is_named(tmp_path: Path) -> None:
    offer = offer_of(["timearena/cooking1"], Setting(), tmp_path / "kept")
    conversation = offer.begin("timearena/cooking1", 4)
    conversation.stop("enough")
    assert conversation.episode is not None
    offer.keep(conversation.episode, "a")
    offer_of(["timearena/cooking1"], Setting()).keep(conversation.episode, "b")
    (record,) = (tmp_path / "kept").iterdir()
    assert record.name == "timearena-cooking1.seed4.a.jsonl"
    assert check(read_episode(record)) == 0


def test_seeds_count_from_the_one_that_is_given() -> None:
    one, other = Numbering(), Numbering()
    first = [one.next(5), one.next(), one.next()]
    assert first == [other.next(5), other.next(), other.next()] and first[0] == 5
    assert len(set(first)) == 3
    assert Numbering().next() != Numbering().next()
    for wrong in (-1, True, 1.5, "1", 2**63):
        with pytest.raises(Refused, match="seed"):
            one.next(wrong)

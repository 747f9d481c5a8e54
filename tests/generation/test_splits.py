"""Over drafts of every world: whatever things are called, and however they stand, a draft has its form and
its shape, and so its split; scenarios that are published count as seen."""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest

from backburner.generation.attempt import world_of
from backburner.generation.builder import builder_of
from backburner.generation.canonical import form, shape, split_of
from backburner.generation.index import seen_before
from backburner.generation.names import NONSENSE, named, themes_of, unnamed
from backburner.generation.steer import drawn, stream
from backburner.kernel import packs, registry
from backburner.kernel.errors import BackburnerError
from backburner.kernel.generating import Draft, Draw, Rejected, Structure, generator_of
from support.generation.structures import renamed

DRAFTS = int(os.environ.get("BACKBURNER_DRAFTS", "12"))
"""Of each world; a run of 5,000 takes minutes."""

WORLDS = sorted(name for name in packs.names() if packs.pack(name).generator)


def options_of(world: str) -> dict[str, Any]:
    arguments = builder_of(world).arguments
    return {each.name: each.default for each in arguments if each.default is not None}


def draft_of(world: str, options: dict[str, Any], number: int) -> Draft | None:
    generator = generator_of(world)
    parameters = drawn(generator.parameters, {}, (), stream(5, "parameters", number))
    try:
        return generator.draft(parameters, options, Draw(5 + number, stream(5, "draft", number)))
    except Rejected:
        return None


def structure_of(world: str, fields: Any) -> Structure:
    return generator_of(world).structure(world_of(world, "draft", fields))


@pytest.mark.parametrize("world", WORLDS)
def test_a_draft_has_one_split_whatever_it_is_called(world: str) -> None:
    options, splits, drafts = options_of(world), {}, 0
    themes = themes_of(generator_of(world).naming)[:-1]
    for number in range(DRAFTS):
        draft = draft_of(world, options, number)
        if draft is None:
            continue
        drafts += 1
        structure = structure_of(world, unnamed(draft))
        digests = form(structure), shape(structure)
        other = renamed(structure, Random(number))
        assert (form(other), shape(other)) == digests
        for theme in (themes[number % len(themes)], NONSENSE):
            told = named(draft, theme, generator_of(world).naming, Random(number))
            there = structure_of(world, told.fields)
            assert (form(there), shape(there)) == digests, theme
            assert splits.setdefault(shape(there), split_of(digests[1])) == split_of(shape(there))
    assert drafts > DRAFTS // 4  # what parameters make no draft is told as such


def test_the_headlines_own_scenarios_are_seen_unless_they_are_made_again() -> None:
    """Else the command that made them would leave them all out."""
    own = registry.catalogue("collab_overcooked").suites()["built-1"]
    forms = {
        form(generator_of("collab_overcooked").structure(registry.world(f"collab_overcooked/{id}")))
        for id in own
    }
    assert len(forms) == 60 and forms <= seen_before("collab_overcooked", "form", "")
    assert not forms & seen_before("collab_overcooked", "form", "", again=True)


@pytest.mark.parametrize("world", WORLDS)
def test_published_scenarios_count_as_seen(world: str) -> None:
    """As far as there is a structure of them: one in each suite is looked at here."""
    seen, found = seen_before(world, "shape", ""), 0
    for suite in registry.catalogue(world).suites().values():
        for id in suite[:1]:
            try:
                structure = generator_of(world).structure(registry.world(f"{world}/{id}"))
            except BackburnerError:
                continue
            found += 1
            assert shape(structure) in seen
    assert found

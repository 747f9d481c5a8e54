"""Texts in parts: put together they are the text, and any kind of part can be left out."""

from __future__ import annotations

import random
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backburner.kernel import registry
from backburner.kernel.text import Kind, Part, Text, joined, only, parted, without

KINDS: tuple[Kind, ...] = get_args(Kind)
TEXTS = st.text(alphabet="ab \n", max_size=6)

WORLDS = (
    "timearena/cooking1+cooking2",
    "recipe2plan/Tacos+Vada@hints=on,knowledge=beliefs",
    "robotouille/multi_agent/1@play=dispatcher,seed=42",
    "robotouille/synchronous/1@seed=42",
    "cuisineworld/level_3@bodies=3",
    "cuisineworld/level_9@bodies=2,feedback=full,hints=no,seats=each,spoil=5",
    "cuisineworld/level_9@bodies=2,feedback=none",
    "collab_overcooked/boiled_egg",
)


def test_a_text_in_parts() -> None:
    parts = parted([("role", "You cook."), ("hints", ""), ("hints", "Stir."), ("state", "Hot.")])
    assert parts == (Part("role", "You cook.\n\n"), Part("hints", "Stir.\n\n"), Part("state", "Hot."))
    assert joined(parts) == "You cook.\n\nStir.\n\nHot."
    assert without(parts, "hints") == "You cook.\n\nHot."
    assert without(parts, "state") == "You cook.\n\nStir."
    assert only(parts, "hints", "role") == "You cook.\n\nStir."
    assert only(parts, "recipes") == ""


@given(st.lists(st.tuples(st.sampled_from(KINDS), TEXTS), max_size=6), st.sets(st.sampled_from(KINDS)))
def test_what_is_kept_and_what_is_left_out_are_everything(
    said: list[tuple[Kind, str]], kinds: set[Kind]
) -> None:
    parts = parted(said)
    assert joined(parts) == "\n\n".join(text for _, text in said if text)
    others = [kind for kind in KINDS if kind not in kinds]
    assert without(parts, *kinds) == only(parts, *others)


@pytest.mark.parametrize("id", WORLDS)
def test_the_parts_of_what_a_world_tells_are_what_it_tells(id: str) -> None:
    """All along an episode of decisions that are accepted, refused and unreadable."""
    world: Any = registry.world(id, limits="none")
    assert isinstance(world, Text)
    chance, state = random.Random(0), world.start()
    assert all(joined(world.briefing_parts(seat)) == world.briefing(seat) for seat in world.seats)
    kinds = set()
    for _ in range(25):
        decisions = {}
        for seat in world.deciders(state):
            seen = world.observe(state, seat)
            parts = world.description_parts(seen)
            assert joined(parts) == world.describe(seen)
            kinds |= {part.kind for part in parts}
            text = chance.choice(
                [*(option.label for option in world.menu(state, seat).options), "goto_agent0"]
            )
            decisions[seat] = world.parse(state, seat, text)
        state = world.step(state, decisions).state
    assert "state" in kinds
    assert ("feedback" in kinds) == ("feedback=none" not in id)

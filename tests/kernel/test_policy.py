"""Turns: text, briefing and menu are made only when looked at, and once."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from backburner.kernel.errors import Refused
from backburner.kernel.policy import Turn
from backburner.kernel.turns import turn_of
from backburner.kernel.values import Usage
from support.small_worlds.mute import Mute
from support.small_worlds.relay import READER, Relay


def test_nothing_is_made_before_it_is_looked_at_and_nothing_twice() -> None:
    made: Counter[str] = Counter()

    def maker(what: str) -> Any:
        def make() -> str:
            made[what] += 1
            return what

        return make

    turn = Turn(READER, 0, 7, *map(maker, ("observation", "text", "briefing", "menu")))
    assert made == {}
    assert (turn.text, turn.text, turn.menu) == ("text", "text", "menu")
    assert made == {"text": 1, "menu": 1}
    assert (turn.observation, turn.briefing) == ("observation", "briefing")
    assert (turn.seat, turn.index, turn.seed) == (READER, 0, 7)


def test_a_turn_holds_what_the_world_tells_the_seat() -> None:
    world = Relay()
    state = world.start(3)
    turn = turn_of(world, state, READER, 0, 3)
    assert turn.observation == world.observe(state, READER)
    assert turn.text == world.describe(world.observe(state, READER))
    assert turn.briefing == world.briefing(READER)
    assert turn.menu == world.menu(state, READER)


def test_only_an_informed_policy_may_look_at_the_state() -> None:
    world = Relay()
    state = world.start(3)
    assert turn_of(world, state, READER, 0, 3, informed=True).state is state
    for turn in (turn_of(world, state, READER, 0, 3), Turn(READER, 0, 3, *(lambda: "",) * 4)):
        with pytest.raises(Refused, match="only a policy that says that it is informed"):
            _ = turn.state


def test_a_world_without_words_or_menus_says_so() -> None:
    world = Mute()
    turn = turn_of(world, world.start(0), READER, 0, 0)
    assert turn.observation.seat == READER
    for part in ("text", "briefing"):
        with pytest.raises(Refused, match="no words"):
            getattr(turn, part)
    with pytest.raises(Refused, match="cannot list"):
        _ = turn.menu


def test_costs_add_up() -> None:
    one = Usage(1.5, 2, 10, 3, {"length": 1})
    assert one + Usage(0.5, 1, 5, 4, {"length": 1, "empty": 2}) == Usage(
        2.0, 3, 15, 7, {"length": 2, "empty": 2}
    )
    assert one + Usage() == one

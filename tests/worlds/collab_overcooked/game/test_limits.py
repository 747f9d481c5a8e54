"""When play is cut off: the optimum of the very orders, or the recorded time of a level."""

from __future__ import annotations

import pytest

from backburner.kernel.errors import Refused
from backburner.worlds.collab_overcooked.game.catalogue import limits_of
from backburner.worlds.collab_overcooked.game.rule_set import (
    LARGEST_LIMIT,
    NO_LIMITS,
    RELEASED,
    STANDARD,
    Limits,
)
from backburner.worlds.collab_overcooked.game.scenarios import Scenario, orders

EGG = Scenario(("boiled_egg",), level=1)


@pytest.mark.parametrize(("level", "steps"), [(1, 25), (2, 35), (3, 53), (4, 49), (5, 83), (6, 97)])
def test_recorded_times_may_be_exceeded_by_half(level: int, steps: int) -> None:
    """The last step may have the number 24, 34.5, 52.5, 48, 82.5, 96, counted from 0."""
    order = next(order.name for order in orders().values() if order.level == level)
    for rules in (STANDARD, RELEASED):
        assert limits_of(Scenario((order,), level=level), rules).steps == steps


def test_a_known_optimum_comes_before_recorded_times_but_not_as_released() -> None:
    """1.5 · 15 is 22.5: 22 steps may be taken."""
    assert limits_of(EGG, STANDARD, optimum_steps=15).steps == 22
    assert limits_of(Scenario(("boiled_egg", "boiled_mushroom")), STANDARD, optimum_steps=20).steps == 30
    assert limits_of(EGG, RELEASED, optimum_steps=15).steps == 25


def test_what_the_author_states_comes_first() -> None:
    assert limits_of(Scenario(("boiled_egg",), step_limit=40), STANDARD, optimum_steps=15).steps == 40


def test_released_talks_are_longer() -> None:
    assert (limits_of(EGG, STANDARD).rounds, limits_of(EGG, RELEASED).rounds) == (10, 50)


@pytest.mark.parametrize("limits", [{"steps": 0}, {"rounds": 0}, {"steps": LARGEST_LIMIT + 1}])
def test_limits_that_let_nobody_begin_are_refused(limits: dict[str, int]) -> None:
    with pytest.raises(Refused, match="it is from 1 to"):
        Limits(**limits)


def test_no_limits_are_none() -> None:
    assert (NO_LIMITS.steps, NO_LIMITS.rounds) == (None, None)

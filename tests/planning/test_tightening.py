"""Idleness is left out of plans where nothing waits for it."""

from __future__ import annotations

from typing import Any

import pytest

from backburner.planning.phases import Phases
from backburner.planning.tightening import tightened
from support.robotouille import world_in

COOKED = [{"predicate": "iscooked", "args": ["patty"], "ids": [1]}]
COOK = "cook(i1=patty1,p1=robot1,s1=stove1)"


@pytest.mark.parametrize(
    ("any_robot", "plan", "left"),
    [
        # Any robot may act at any time: only the waits behind the cooking are of use, three in all with the
        # step of the cooking itself; what comes after the goal is cut off.
        (True, ["", "", COOK, "", "", "", "", ""], [COOK, "", "", ""]),
        # In turn, each robot in its own: two steps at a time, so that every deed stays in its robot's turn.
        (False, ["", "", "", "", COOK, "", "", "", "", ""], [COOK, "", "", ""]),
    ],
)
def test_only_useful_waits_stay(any_robot: bool, plan: list[str], left: list[str]) -> None:
    engine = world_in(["stove patty", "table"], robots=(0, 1), goal=COOKED).compiled
    phases = Phases("turns", engine.robots, any_robot)
    found = tightened(engine, phases, engine.start, [(name,) for name in plan])
    assert [names[0] for names in found] == left


def test_a_plan_that_cannot_be_played_stays_as_it_is() -> None:
    engine = world_in(["stove", "table patty"], robots=(0, 1), goal=COOKED).compiled
    plan: list[tuple[str, ...]] = [("",), (COOK,)]
    phases: Any = Phases("turns", engine.robots, any_robot=True)
    assert tightened(engine, phases, engine.start, plan) == plan

"""The recipe follower's plans, in words and played by the world."""

from __future__ import annotations

from typing import Any

from backburner.worlds.robotouille.game.state import State
from backburner.worlds.robotouille.game.world import Robotouille
from backburner.worlds.robotouille.oracle.recipe_follower.follower import followed_plan


def term(predicate: str, *things: str, **more: Any) -> dict[str, Any]:
    """A goal's term: ``term("atop", "patty 1", "bread 2")``; the numbers are the goal's own."""
    kinds, ids = zip(*(thing.split() for thing in things), strict=True)
    return {"predicate": predicate, "args": list(kinds), "ids": [int(id) for id in ids], **more}


def told(world: Robotouille, state: State | None = None) -> list[str]:
    """What it does until the goal is reached, one answer after the other."""
    state = state or world.start()
    plan = followed_plan(world, state)
    assert plan is not None
    answers: list[str] = []
    for decided in plan:
        answers += [world.words(decision).removeprefix("Action: ") for decision in decided.values()]
        step = world.step(state, decided)
        assert not step.refusals
        state = step.state
    assert state.ended == "completed"
    return answers

"""What the recipe follower does from a state on, all robots together."""

from __future__ import annotations

from backburner.kernel.values import Seat
from backburner.worlds.robotouille.game import Acts, Robotouille
from backburner.worlds.robotouille.game.state import State
from backburner.worlds.robotouille.oracle.recipe_follower.follower import Mind, RecipeFollower

MOST_STEPS = 500
"""Whoever needs more will not get there."""


def followed_plan(
    world: Robotouille, state: State, most_steps: int = MOST_STEPS
) -> tuple[dict[Seat, Acts], ...] | None:
    """The decisions with which it completes the goal; ``None`` if it does not in ``most_steps``."""
    follower = RecipeFollower(world)
    minds: dict[Seat, Mind] = {}
    steps: list[dict[Seat, Acts]] = []
    while (seats := world.deciders(state)) and len(steps) < most_steps:
        decided: dict[Seat, Acts] = {}
        for seat in seats:
            chance = f"{seat}/{len(steps)}"
            menu = world.menu(state, seat)
            decided[seat], minds[seat] = follower.decide(state, seat, menu, minds.get(seat), chance)
        steps.append(decided)
        state = world.step(state, decided).state
    return tuple(steps) if state.ended == "completed" else None

"""Shortest plans by trying everything through the world itself: slow, and nothing in it is clever."""

from __future__ import annotations

from itertools import product

from backburner.worlds.robotouille.state import State
from backburner.worlds.robotouille.world import Robotouille


def fewest_steps(world: Robotouille, state: State | None = None, most: int = 12) -> int | None:
    """Steps to the goal by breadth-first search over menus; ``None`` if it takes more than ``most``."""
    start = state or world.start()
    if start.ended:
        return 0
    seen = {(start.kitchen, start.turn)}
    layer = [start]
    for steps in range(1, most + 1):
        after: list[State] = []
        for one in layer:
            seats = world.deciders(one)
            menus = [[option.decision for option in world.legal(one, seat).options] for seat in seats]
            for chosen in product(*menus):
                step = world.step(one, dict(zip(seats, chosen, strict=True)))
                if step.refusals:
                    continue
                if step.state.ended == "completed":
                    return steps
                key = (step.state.kitchen, step.state.turn)
                if key not in seen:
                    seen.add(key)
                    after.append(step.state)
        layer = after
    return None

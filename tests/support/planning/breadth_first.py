"""Shortest plans by trying everything through the world itself: slow, and nothing in it is clever."""

from __future__ import annotations

from collections.abc import Iterator

from backburner.kernel.values import Seat
from backburner.worlds.robotouille.game.state import Acts, Kitchen, State
from backburner.worlds.robotouille.game.world import Robotouille


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
            for chosen in _decisions(world, one, one.kitchen, world.deciders(one)):
                step = world.step(one, chosen)
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


def _decisions(
    world: Robotouille, state: State, kitchen: Kitchen, seats: tuple[Seat, ...]
) -> Iterator[dict[Seat, Acts]]:
    """What these seats may decide, one after the other, also after actions of the seats before them."""
    if not seats:
        yield {}
        return
    first, *others = seats
    actions = {action.name: action for action in world.compiled.applicable(kitchen)}
    options = [option.decision for option in world.menu(state, first).options]
    for acts in dict.fromkeys((*options, *(Acts((name,)) for name in actions))):
        after = kitchen
        for name in acts.acts:
            after = world.compiled.apply(after, actions[name]) if name in actions else after
        for rest in _decisions(world, state, after, tuple(others)):
            yield {first: acts, **rest}

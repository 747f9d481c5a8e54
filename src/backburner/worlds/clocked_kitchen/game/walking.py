"""How bodies walk: along shortest ways, around each other, past each other.

A body takes a step that brings it nearer. Where somebody stands there, it looks for a way around all others
by A*, with the distance on the empty floor as its estimate, and takes it if it costs no more than to squeeze
past. Else the two change places, if the other has nothing to do, comes the other way, waits at another place,
or cannot go on itself and has a higher number. Else it waits.

Nobody walks for ever: by its own choice a body takes at most ``MOST_DETOURS`` steps of an errand that bring
it no nearer, and of those who walk the one with the lowest number is never pushed back.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

from backburner.worlds.clocked_kitchen.game.actions import MOVE, WAIT
from backburner.worlds.clocked_kitchen.game.floor import FAR, Floor, Target
from backburner.worlds.clocked_kitchen.game.state import Errand

MOST_DETOURS = 12
STAY = -1

Step = tuple[int, int]
"""(direction, cell)"""


def nearer(floor: Floor, target: Target, cell: int, facing: int) -> list[Step]:
    """The steps that bring a body nearer: straight on first, back where it comes from last."""
    distance = target.distance
    less = distance[cell] - 1
    steps = [step for step in floor.ways[cell] if distance[step[1]] == less]
    if len(steps) > 1 and steps[0][0] != facing:
        steps.sort(key=lambda step: (step[0] != facing, step[0] == facing ^ 2))
    return steps


def way_around(floor: Floor, target: Target, cell: int, taken: Sequence[int], most: int) -> Step | None:
    """The first step of the shortest way around the cells ``taken``, if that has at most ``most`` steps."""
    distance = target.distance
    blocked = set(taken)
    steps = {cell: 0}
    waiting: list[tuple[int, int, int, Step]] = []
    for step in floor.ways[cell]:
        if step[1] not in blocked:
            steps[step[1]] = 1
            heappush(waiting, (1 + distance[step[1]], len(waiting), step[1], step))
    pushed = len(waiting)
    while waiting:
        estimate, _, here, first = heappop(waiting)
        if estimate > most:
            return None
        if not distance[here]:
            return first
        for _, beside in floor.ways[here]:
            far = steps[here] + 1
            if beside not in blocked and far < steps.get(beside, FAR):
                steps[beside] = far
                pushed += 1
                heappush(waiting, (far + distance[beside], pushed, beside, first))
    return None


def gives_way(
    floor: Floor, body: int, other: int, errands: Sequence[Errand | None], at: Sequence[int]
) -> bool:
    """Whether ``other``, who is free to move, changes places with ``body``, in whose way it stands."""
    errand, mine = errands[other], errands[body]
    if errand is None or errand.verb == WAIT:
        return True
    if errand.verb == MOVE:
        return False
    target = floor.targets[errand.target]
    if not target.distance[at[other]]:
        return mine is None or mine.verb == MOVE or floor.targets[mine.target].place != target.place
    ahead = [cell for _, cell in nearer(floor, target, at[other], 0)]
    if any(cell not in at for cell in ahead):
        return False
    return at[body] in ahead or body < other

"""The floor of a kitchen: what stands where, how far it is to it, and how bodies walk there.

A plan is drawn in rows of signs: ``.`` is floor, ``#`` a wall, a letter a cell of a place of that kind.
Places of a kind are counted as one reads: the first ``P`` is ``pot0``. A storage has a shelf, a cell of its
own, for each base ingredient of the level, in the cookbook's order; a serving table may have several cells.

Bodies walk along shortest ways, around each other, past each other. A body takes a step that brings it
nearer. Where somebody stands there, it looks for a way around all others by A*, with the distance on the
empty floor as its estimate, and takes it if it costs no more than to squeeze past. Else the two change
places, if the other has nothing to do, comes the other way, waits at another place, or cannot go on itself
and has a higher number. Else it waits.

Nobody walks for ever: by its own choice a body takes at most ``MOST_DETOURS`` steps of an errand that bring
it no nearer, and of those who walk the one with the lowest number is never pushed back.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush

from msgspec import Struct

from backburner.kernel.files import Place
from backburner.worlds.clocked_kitchen.game.state import MOVE, WAIT, Errand
from backburner.worlds.cuisineworld.game.compiled import STORAGE, TABLE, Compiled

FLOOR, WALL = ".", "#"

LETTERS: Mapping[str, str] = {
    "B": "blender",
    "C": "chopboard",
    "F": "fryer",
    "M": "steamer",
    "N": "pan",
    "O": "oven",
    "P": "pot",
    "S": "storage",
    "T": "servingtable",
    "X": "mixer",
}
"""The letters of the cookbook's kinds in plans."""

UP, RIGHT, DOWN, LEFT = range(4)
DIRECTIONS: tuple[tuple[int, int], ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""(column, row) of a step in each direction."""

FAR = 1 << 20
"""The distance from where there is no way."""

MOST_CELLS = 2500
MOST_DISTANCES = 60_000
"""From every cell to every place or shelf; they are told beforehand."""

LARGEST_SIDE = 100
NOTHING = -1


class Spot(Struct, frozen=True, gc=False):
    """A cell of a place; ``item``: the base ingredient on it, if it is a shelf."""

    cell: int
    place: int
    item: int = NOTHING


class Target(Struct, frozen=True, gc=False):
    """Where an errand leads: any cell from which one of some spots can be reached.

    ``distance`` of each cell, in steps; ``looks``: where to look, from each cell at distance 0.
    """

    place: int
    distance: tuple[int, ...]
    looks: tuple[int, ...]


class Floor:
    """A plan for a kitchen; cells are numbered row by row, from 0 at the upper left corner.

    ``ways`` from each cell: (direction, cell). ``spots``: those of places, row by row; ``faced``: for each
    cell the spot that is faced in each direction, -1 for none. ``targets``: by place, then by (place, item)
    as ``target_of`` has them. ``entrances``: where bodies start, those nearest to the first table first.
    """

    def __init__(self, plan: Sequence[str], legend: Mapping[str, str], compiled: Compiled) -> None:
        self.width, self.height = len(plan[0]), len(plan)
        signs = "".join(plan)
        self.walkable = tuple(sign == FLOOR for sign in signs)
        self.walls = tuple(cell for cell, sign in enumerate(signs) if sign == WALL)
        self.ways = tuple(tuple(self._ways(cell)) for cell in range(len(signs)))
        self.spots = tuple(_spots(signs, legend, compiled))
        on = {spot.cell: number for number, spot in enumerate(self.spots)}
        self.faced = tuple(
            tuple(on.get(beside, NOTHING) for beside in self._around(cell)) for cell in range(len(signs))
        )
        wanted: dict[tuple[int, int], set[int]] = {
            (place, NOTHING): {n for n, spot in enumerate(self.spots) if spot.place == place}
            for place in range(len(compiled.places))
        }
        for number, spot in enumerate(self.spots):
            if spot.item != NOTHING:
                wanted[spot.place, spot.item] = {number}
        self.targets = tuple(self._target(place, spots) for (place, _), spots in wanted.items())
        self.target_of = {named: number for number, named in enumerate(wanted)}
        first = self.targets[compiled.start].distance
        floor = [cell for cell, free in enumerate(self.walkable) if free and first[cell] < FAR]
        self.entrances = tuple(sorted(floor, key=lambda cell: (first[cell], cell)))

    def _around(self, cell: int) -> Iterator[int]:
        """The four cells beside one, -1 for those that are not on the plan."""
        row, column = divmod(cell, self.width)
        for right, down in DIRECTIONS:
            x, y = column + right, row + down
            yield y * self.width + x if 0 <= x < self.width and 0 <= y < self.height else NOTHING

    def _ways(self, cell: int) -> Iterator[tuple[int, int]]:
        for direction, beside in enumerate(self._around(cell)):
            if beside != NOTHING and self.walkable[beside]:
                yield direction, beside

    def _target(self, place: int, spots: set[int]) -> Target:
        looks = [
            next((d for d, spot in enumerate(faced) if spot in spots), NOTHING) if free else NOTHING
            for faced, free in zip(self.faced, self.walkable, strict=True)
        ]
        distance = [FAR] * len(looks)
        waiting = deque(cell for cell, look in enumerate(looks) if look != NOTHING)
        for cell in waiting:
            distance[cell] = 0
        while waiting:
            cell = waiting.popleft()
            for _, beside in self.ways[cell]:
                if distance[beside] == FAR:
                    distance[beside] = distance[cell] + 1
                    waiting.append(beside)
        return Target(place, tuple(distance), tuple(looks))

    def cell(self, number: int) -> tuple[int, int]:
        """(column, row) of a cell."""
        row, column = divmod(number, self.width)
        return column, row


def _spots(signs: str, legend: Mapping[str, str], compiled: Compiled) -> Iterator[Spot]:
    """The cells of all places, in the order of cells."""
    dealt = dict(_dealt(signs, legend, compiled))
    for cell in sorted(dealt):
        yield Spot(cell, *dealt[cell])


def _dealt(
    signs: str, legend: Mapping[str, str], compiled: Compiled
) -> Iterator[tuple[int, tuple[int, int]]]:
    """(cell, (place, item)): the cells of a kind are dealt out evenly to its places, as one reads."""
    letters = {kind: letter for letter, kind in legend.items()}
    for kind, places in _by_kind(compiled).items():
        cells = [cell for cell, sign in enumerate(signs) if sign == letters.get(kind)]
        each = len(cells) // len(places)
        for number, cell in enumerate(cells[: each * len(places)]):
            place = places[number // each]
            shelf = compiled.roles[place] == STORAGE
            yield cell, (place, compiled.level_ingredients[number % each] if shelf else NOTHING)


def _by_kind(compiled: Compiled) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, kind in enumerate(compiled.kinds):
        places.setdefault(kind.name, []).append(place)
    return places


# --- checks ---------------------------------------------------------------------------------------------


def check_plan(
    plan: Sequence[str], legend: Mapping[str, str], compiled: Compiled, bodies: int, place: Place
) -> None:
    """Raises ``BadFile`` for a plan that is no kitchen of these places, or has no room for so many bodies."""
    if not plan or not plan[0]:
        raise place.wrong("draw at least one row")
    if len(plan) > LARGEST_SIDE or any(len(row) > LARGEST_SIDE for row in plan):
        raise place.wrong(f"a side is longer than {LARGEST_SIDE} cells")
    if len(plan) * len(plan[0]) > MOST_CELLS:
        raise place.wrong(f"{len(plan) * len(plan[0])} cells are too many; {MOST_CELLS} are the most")
    for number, row in enumerate(plan):
        if len(row) != len(plan[0]):
            raise place.entry("rows", number).wrong(f"has {len(row)} signs, the first row {len(plan[0])}")
        _check_signs(row, legend, compiled, place.entry("rows", number))
    _check_cells("".join(plan), legend, compiled, place)
    targets = len(compiled.places) + compiled.roles.count(STORAGE) * len(compiled.level_ingredients)
    if (work := targets * len(plan) * len(plan[0])) > MOST_DISTANCES:
        raise place.wrong(
            f"{targets} places and shelves on this floor have {work} distances; the most are {MOST_DISTANCES}"
        )
    floor = Floor(plan, legend, compiled)
    _check_ways(floor, compiled, place)
    if len(floor.entrances) < 2 * bodies:
        raise place.wrong(
            f"{bodies} bodies need {2 * bodies} cells of floor; there are {len(floor.entrances)}"
        )


def _check_signs(row: str, legend: Mapping[str, str], compiled: Compiled, here: Place) -> None:
    kinds = {kind.name for kind in compiled.kinds}
    for sign in row:
        if sign not in (FLOOR, WALL) and legend.get(sign) not in kinds:
            known = (FLOOR, WALL, *(letter for letter, kind in legend.items() if kind in kinds))
            raise here.wrong(f"{sign!r} is no kind of this kitchen; signs are {' '.join(known)}")


def _check_cells(signs: str, legend: Mapping[str, str], compiled: Compiled, here: Place) -> None:
    letters = {kind: letter for letter, kind in legend.items()}
    for kind, places in _by_kind(compiled).items():
        letter, role = letters.get(kind, ""), compiled.roles[places[0]]
        if not letter:
            raise here.wrong(f"no letter stands for {kind}; name one in the legend")
        drawn, count = signs.count(letter), len(places)
        if role == STORAGE:
            shelves = len(compiled.level_ingredients)
            if drawn != count * shelves:
                raise here.wrong(
                    f"{drawn} cells {letter} ({kind}); each storage has a shelf for each of {shelves} "
                    f"ingredients, {count * shelves} in all"
                )
        elif role == TABLE:
            if not drawn or drawn % count:
                raise here.wrong(f"{drawn} cells {letter} ({kind}) for {count}: each has as many")
        elif drawn != count:
            raise here.wrong(f"{drawn} cells {letter} ({kind}); the kitchen has {count}")


def _check_ways(floor: Floor, compiled: Compiled, here: Place) -> None:
    if not floor.entrances:
        raise here.wrong("nobody can stand at the serving table")
    cells: Iterable[int] = (cell for cell, free in enumerate(floor.walkable) if free)
    for cell in cells:
        if floor.targets[compiled.start].distance[cell] == FAR:
            raise here.wrong(f"no way leads from the serving table to the floor at {floor.cell(cell)}")
    for (place, item), number in floor.target_of.items():
        if floor.targets[number].distance[floor.entrances[0]] == FAR:
            what = compiled.places[place] + ("" if item == NOTHING else f" with {compiled.things[item]}")
            raise here.wrong(f"nobody can reach {what}")


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

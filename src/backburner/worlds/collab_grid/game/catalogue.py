"""What the grid offers: scenarios, rules and horizons of Collab-Overcooked, in its kitchen or new ones.

New kitchens are two rooms drawn from a seed, in which no dish is made without a handover. As in the article's
kitchen one room has the ingredients and the other the serving place, and a wall of counters between them is
all that both cooks reach. Sizes, the course of the wall, counters that stand within the rooms, where each
utensil is and where the cooks start are drawn; utensils, foods and recipes are those of the article. The same
seed gives the same kitchen for ever.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from random import Random

from msgspec.structs import replace

from backburner.kernel.catalogue import Assembled, Options
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.files import Place
from backburner.worlds.collab_grid.game.state import NO_LIMITS, PRESETS, Limits, Rules
from backburner.worlds.collab_grid.game.world import CollabGrid
from backburner.worlds.collab_overcooked.game import layout as letters
from backburner.worlds.collab_overcooked.game import scenarios
from backburner.worlds.collab_overcooked.game.catalogue import Optimum, Space, known_optimum, limits_of
from backburner.worlds.collab_overcooked.game.layout import SHIPPED, Grid, Layout, shipped_layout
from backburner.worlds.collab_overcooked.game.scenario_files import FILE_TYPES, check_scenario, read_file
from backburner.worlds.collab_overcooked.game.scenarios import Scenario

LARGEST_SEED = 999_999_999

WIDE, DEEP = (1, 3), (3, 5)
"""Cells of floor in each room beside the wall, and along it: from, to."""

MOST_ISLANDS = 2
"""Counters that stand within a room, at most."""

FEWEST_SHARED = 2
"""Counters that both cooks reach, at least: with one, two things that have to cross it block each other."""

Cell = tuple[int, int]
"""Column and row."""


@lru_cache(maxsize=256)
def kitchen(seed: int) -> Layout:
    """The kitchen of a seed."""
    draw = Random(f"kitchen/{seed}")
    while True:
        made = _drawn(draw)
        if made is not None and _is_fit(made):
            return made


def _drawn(draw: Random) -> Layout | None:
    """A kitchen, if everything finds a place in it; it may not be fit to play in."""
    floor = [_without_islands(draw, room) for room in _rooms(draw)]
    beside = [_neighbours(room) for room in floor]
    shared = sorted(beside[0] & beside[1])
    raw, served = draw.sample((0, 1), 2)
    tiles = dict.fromkeys((*floor[0], *floor[1]), letters.FLOOR)
    free = sorted(beside[0] | beside[1])
    for symbol, places in (
        (letters.INGREDIENTS, beside[raw] - beside[1 - raw]),
        (letters.SERVING, beside[served] - beside[1 - served]),
        (letters.DISHES, beside[0] | beside[1]),
        *((kind.symbol, beside[0] | beside[1]) for kind in shipped_layout(SHIPPED).utensils.values()),
    ):
        open_places = sorted(places & set(free))
        if not open_places:
            return None
        place = draw.choice(open_places)
        tiles[place] = symbol
        free.remove(place)
    if len(set(shared) & set(free)) < FEWEST_SHARED:
        return None
    for start, room in zip(letters.STARTS, draw.sample((0, 1), 2), strict=True):
        tiles[draw.choice(sorted(floor[room]))] = start
    return replace(shipped_layout(SHIPPED), grid=_grid(tiles, draw.random() < 0.5))


def _rooms(draw: Random) -> tuple[set[Cell], set[Cell]]:
    """The cells of both rooms; the wall between them may step aside on its way."""
    left, right, depth = draw.randint(*WIDE), draw.randint(*WIDE), draw.randint(*DEEP)
    column = 1 + left
    rooms: tuple[set[Cell], set[Cell]] = (set(), set())
    for row in range(1, depth + 1):
        rooms[0].update((x, row) for x in range(1, column))
        rooms[1].update((x, row) for x in range(column + 1, left + right + 2))
        moved = column + draw.choice((0, 0, 0, -1, 1))
        if 2 <= moved <= left + right:
            column = moved
    return rooms


def _without_islands(draw: Random, room: set[Cell]) -> set[Cell]:
    """The floor of a room with some counters in it; what is left hangs together."""
    floor = set(room)
    for _ in range(draw.randint(0, MOST_ISLANDS)):
        rest = floor - {draw.choice(sorted(floor))}
        if rest and _hangs_together(rest):
            floor = rest
    return floor


def _hangs_together(cells: set[Cell]) -> bool:
    found: set[Cell] = set()
    waiting = [min(cells)]
    while waiting:
        cell = waiting.pop()
        if cell not in found:
            found.add(cell)
            waiting += [each for each in _around(cell) if each in cells]
    return found == cells


def _around(cell: Cell) -> Iterator[Cell]:
    x, y = cell
    yield from ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))


def _neighbours(floor: set[Cell]) -> set[Cell]:
    """The cells beside a room's floor, where things may stand."""
    return {each for cell in floor for each in _around(cell)} - floor


def _grid(tiles: dict[Cell, str], turned: bool) -> tuple[str, ...]:
    """The rows of a grid, counters wherever nothing else is; ``turned``: with the wall across."""
    placed = {(y, x): tile for (x, y), tile in tiles.items()} if turned else tiles
    floors = [cell for cell, tile in placed.items() if tile in (letters.FLOOR, *letters.STARTS)]
    width, height = (max(cell[axis] for cell in floors) + 2 for axis in (0, 1))
    return tuple("".join(placed.get((x, y), letters.COUNTER) for x in range(width)) for y in range(height))


def _is_fit(layout: Layout) -> bool:
    """Whether the rooms are apart, both cooks have a utensil to work at, and counters to hand over on."""
    grid = Grid(layout)
    utensils = {utensil.cell for utensil in grid.utensils}
    apart = not any(cell in grid.ways(grid.starts[0], -1) for cell in grid.ways(grid.starts[1], -1))
    both_work = all(reach & utensils for reach in grid.reach)
    return apart and both_work and len(grid.shared_counters) >= FEWEST_SHARED


# --- scenarios ------------------------------------------------------------------------------------------


NAME, PUBLISHED = "collab_grid", "collab_overcooked"

KNOWS, LAYOUT = "knows", "layout"

DEFAULTS: Mapping[str, str] = {KNOWS: scenarios.DEFAULTS[KNOWS], LAYOUT: SHIPPED}
"""Options. ``knows`` is the published world's; its others are about what is said. ``layout``: the published
kitchen, or the number that a new one is drawn from (see ``kitchen``)."""


def scenario_of(path: str, options: Mapping[str, str]) -> Scenario:
    """The scenario of an id's path; raises ``UnknownName`` and ``Refused``."""
    layout = Options(NAME, options, DEFAULTS, {}).whole_unless(SHIPPED, LAYOUT, 0, LARGEST_SEED)
    try:
        made = scenarios.scenario_of(path, {key: options[key] for key in options if key != LAYOUT})
    except UnknownName:
        raise
    except Refused as error:
        raise Refused(str(error).replace(PUBLISHED, NAME)) from error
    return made if layout is None else replace(made, layout=kitchen(layout), level=None)


def optimum_of(id: str, rules: str, space: Space = "moves") -> Optimum | None:
    """What is known of the published world's scenario of this id: its shortest plan of moves, or of calls.

    Nothing is known of new kitchens.
    """
    if re.search(rf"[@,]{LAYOUT}=", id):
        return None
    return known_optimum(id.replace(f"{NAME}/", f"{PUBLISHED}/", 1), rules, space)


def check_silent(scenario: Scenario, place: Place) -> None:
    """Raises ``BadFile`` for a scenario that the published world could not have, or that is of talk."""
    check_scenario(scenario, place)
    for field in ("exchange", "first_action"):
        if getattr(scenario, field):
            raise place.field(field).wrong("is of what is said, and nobody speaks here")


class CollabGridCatalogue(Assembled[CollabGrid]):
    """The article's orders by level, and pairs of orders that are open at once."""

    name = NAME
    world = CollabGrid
    scenario_type, rules_type, limits_type = Scenario, Rules, Limits
    rules = PRESETS
    no_limits = NO_LIMITS
    solve_limits = "none"
    defaults = DEFAULTS
    file_types = FILE_TYPES
    suites_of = staticmethod(scenarios.suites)
    scenario_of = staticmethod(scenario_of)
    read_file = staticmethod(read_file)
    check_scenario = staticmethod(check_silent)

    def article_limits(self, id: str, scenario: Scenario, rules: Rules) -> Limits:
        """As many steps as the published world allows."""
        known = optimum_of(id, rules.name, "calls")
        least = None if known is None else known.steps
        return Limits(limits_of(scenario, rules.of_the_kitchen, least).steps)


catalogue = CollabGridCatalogue()

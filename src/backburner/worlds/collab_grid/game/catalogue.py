"""What the grid offers: scenarios, rules and horizons of Collab-Overcooked, in its kitchen or new ones.

New kitchens are two rooms drawn from a seed, in which no dish is made without a handover. As in the article's
kitchen one room has the ingredients and the other the serving place, and a wall of counters between them is
all that both cooks reach. Sizes, the course of the wall, counters that stand within the rooms, where each
utensil is and where the cooks start are drawn; utensils, foods and recipes are those of the article. The same
seed gives the same kitchen for ever.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from random import Random

from msgspec.structs import replace

from backburner.kernel.catalogue import Assembled, Options
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.files import Place
from backburner.kernel.titles import Called
from backburner.worlds.collab_grid.game.state import NO_LIMITS, PRESETS, Limits, Rules
from backburner.worlds.collab_grid.game.world import CollabGrid
from backburner.worlds.collab_overcooked.game import layout as letters
from backburner.worlds.collab_overcooked.game import scenarios
from backburner.worlds.collab_overcooked.game.catalogue import Optimum, Space, known_optimum, limits_of
from backburner.worlds.collab_overcooked.game.layout import SHIPPED, Grid, Layout, shipped_layout
from backburner.worlds.collab_overcooked.game.rooms import (
    FEWEST_SHARED,
    ROOMS,
    Size,
    Where,
    drawn_floor,
    furnished,
)
from backburner.worlds.collab_overcooked.game.scenario_files import FILE_TYPES, check_scenario, read_file
from backburner.worlds.collab_overcooked.game.scenarios import Scenario

LARGEST_SEED = 999_999_999

SIZE = Size(wide=(1, 3), deep=(3, 5), islands=2)
"""Of the rooms."""


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
    published = shipped_layout(SHIPPED)
    floor = drawn_floor(draw, SIZE)
    raw, served = draw.sample(ROOMS, 2)
    utensils: list[tuple[str, Where]] = [(kind.symbol, "anywhere") for kind in published.utensils.values()]
    places: tuple[tuple[str, Where], ...] = (
        (letters.INGREDIENTS, raw),
        (letters.SERVING, served),
        (letters.DISHES, "anywhere"),
    )
    grid = furnished(draw, floor, (*places, *utensils))
    return None if grid is None else replace(published, grid=grid)


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

    built = "backburner.worlds.collab_grid"
    name = NAME
    world = CollabGrid
    scenario_type, rules_type, limits_type = Scenario, Rules, Limits
    rules = PRESETS
    no_limits = NO_LIMITS
    solve_limits = "none"
    defaults = DEFAULTS
    said: Mapping[str, str] = {**scenarios.SAID, LAYOUT: "kitchen {}"}
    file_types = FILE_TYPES
    suites_of = staticmethod(scenarios.suites)
    scenario_of = staticmethod(scenario_of)
    read_file = staticmethod(read_file)
    check_scenario = staticmethod(check_silent)

    def called(self, path: str, scenario: Scenario) -> Called:
        """By its orders."""
        return scenarios.called(scenario)

    def article_limits(self, id: str, scenario: Scenario, rules: Rules) -> Limits:
        """As many steps as the published world allows."""
        known = optimum_of(id, rules.name, "calls")
        least = None if known is None else known.steps
        return Limits(limits_of(scenario, rules.of_the_kitchen, least).steps)


catalogue = CollabGridCatalogue()

"""What the grid offers: scenarios, rules and horizons of Collab-Overcooked, in its kitchen or new ones."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from backburner.kernel.catalogue import Catalogue, Options
from backburner.kernel.errors import Refused, UnknownName, shorten
from backburner.kernel.files import Place
from backburner.worlds.collab_grid.game import rule_set
from backburner.worlds.collab_grid.game.kitchens import LARGEST_SEED, kitchen
from backburner.worlds.collab_grid.game.rule_set import Rules
from backburner.worlds.collab_grid.game.state import NO_LIMITS, Limits
from backburner.worlds.collab_grid.game.world import CollabGrid
from backburner.worlds.collab_overcooked.game import scenarios
from backburner.worlds.collab_overcooked.game.catalogue import Optimum, Space, known_optimum, limits_of
from backburner.worlds.collab_overcooked.game.layout import SHIPPED
from backburner.worlds.collab_overcooked.game.scenario_files import FILE_TYPES, check_scenario, read_file
from backburner.worlds.collab_overcooked.game.scenarios import Scenario

NAME, PUBLISHED = "collab_grid", "collab_overcooked"

KNOWS, LAYOUT = "knows", "layout"

DEFAULTS: Mapping[str, str] = {KNOWS: scenarios.DEFAULTS[KNOWS], LAYOUT: SHIPPED}
"""Options. ``knows`` is the published world's; its others are about what is said. ``layout``: the published
kitchen, or the number that a new one is drawn from (see ``kitchens``)."""


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


class CollabGridCatalogue(Catalogue[CollabGrid]):
    """The article's orders by level, and pairs of orders that are open at once."""

    name = NAME
    world = CollabGrid
    scenario_type, rules_type, limits_type = Scenario, Rules, Limits
    rules = rule_set.PRESETS
    no_limits = NO_LIMITS
    solve_limits = "none"
    defaults = DEFAULTS
    file_types = FILE_TYPES

    def suites(self) -> Mapping[str, Sequence[str]]:
        """Those of the published world."""
        return scenarios.suites()

    def scenario(self, path: str, options: Mapping[str, str]) -> Scenario:
        """The orders of an id's path in the shipped kitchen, or a new one."""
        return scenario_of(path, options)

    def read(self, raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
        """A user's scenario file, as the published world reads it."""
        return read_file(raw, source)

    def checked(self, id: str, scenario: Scenario) -> Scenario:
        """A record's scenario, if a file or an id could have given it; raises ``BadFile``."""
        place = Place(shorten(id))
        check_scenario(scenario, place)
        for field in ("exchange", "first_action"):
            if getattr(scenario, field):
                raise place.field(field).wrong("is of what is said, and nobody speaks here")
        return scenario

    def article_limits(self, id: str, scenario: Scenario, rules: Rules) -> Limits:
        """As many steps as the published world allows."""
        known = optimum_of(id, rules.name, "calls")
        least = None if known is None else known.steps
        return Limits(limits_of(scenario, rules.of_the_kitchen, least).steps)


catalogue = CollabGridCatalogue()

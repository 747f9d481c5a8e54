"""What the registry asks of the world's catalogue, whatever scores it is given."""

from __future__ import annotations

import msgspec
import pytest

from backburner.kernel.errors import UnknownName
from backburner.kernel.scoring import Scoring
from backburner.worlds.collab_overcooked.catalogue import CollabOvercookedCatalogue
from backburner.worlds.collab_overcooked.instances import suites
from backburner.worlds.collab_overcooked.limits import NO_LIMITS, Limits
from backburner.worlds.timearena.score import scoring

SCORING: Scoring = scoring
"""Any will do: the catalogue only hands it on."""

CATALOGUE = CollabOvercookedCatalogue(SCORING)


def test_worlds_are_built_from_names_and_from_values() -> None:
    scenario = CATALOGUE.scenario("boiled_egg", {})
    world = CATALOGUE.build("collab_overcooked/boiled_egg", scenario, "released", "article")
    assert (world.rules.name, world.limits.steps) == ("released", 25)
    assert CATALOGUE.build(world.id, scenario, world.rules, "none").limits == NO_LIMITS
    assert CATALOGUE.build(world.id, scenario, "standard", Limits(9)).limits == Limits(9)
    with pytest.raises(UnknownName, match="did you mean standard"):
        CATALOGUE.build(world.id, scenario, "standart", "none")


def test_a_world_is_restored_from_its_header() -> None:
    scenario = CATALOGUE.scenario("boiled_egg+boiled_mushroom", {"knows": "both"})
    world = CATALOGUE.build("collab_overcooked/x", scenario, "standard", "article")
    parts = [msgspec.to_builtins(part) for part in (world.scenario, world.rules, world.limits)]
    again = CATALOGUE.restore(world.id, *parts)
    assert (again.scenario, again.rules, again.limits) == (world.scenario, world.rules, world.limits)
    assert again.start() == world.start()


def test_statistics_have_a_row_for_each_scenario() -> None:
    paths = [path for members in suites().values() for path in members]
    columns, rows = CATALOGUE.statistics([f"collab_overcooked/{path}" for path in paths])
    assert len(rows) == len(paths)
    assert all(len(row) == len(columns) for row in rows)
    named = dict(zip(columns, rows[0], strict=True))
    assert (named["orders"], named["collaborative actions (article)"]) == ("baked_bell_pepper", 2)

"""What the registry asks of the world's catalogue."""

from __future__ import annotations

import msgspec
import pytest

from backburner.kernel import registry
from backburner.kernel.errors import UnknownName
from backburner.kernel.values import digest
from backburner.worlds.collab_overcooked.game.catalogue import catalogue
from backburner.worlds.collab_overcooked.game.rule_set import NO_LIMITS, Limits
from backburner.worlds.collab_overcooked.game.scenarios import suites
from backburner.worlds.collab_overcooked.metrics.score import scoring


def test_worlds_are_built_from_names_and_from_values() -> None:
    scenario = catalogue.scenario("boiled_egg", {})
    world = catalogue.build("collab_overcooked/boiled_egg", scenario, "released", "article")
    assert (world.rules.name, world.limits.steps) == ("released", 25)
    assert catalogue.build(world.id, scenario, world.rules, "none").limits == NO_LIMITS
    assert catalogue.build(world.id, scenario, "standard", Limits(9)).limits == Limits(9)
    with pytest.raises(UnknownName, match="did you mean standard"):
        catalogue.build(world.id, scenario, "standart", "none")


def test_a_world_is_restored_from_its_header() -> None:
    scenario = catalogue.scenario("boiled_egg+boiled_mushroom", {"knows": "both"})
    world = catalogue.build("collab_overcooked/x", scenario, "standard", "article")
    parts = [msgspec.to_builtins(part) for part in (world.scenario, world.rules, world.limits)]
    again = catalogue.restore(world.id, *parts)
    assert (again.scenario, again.rules, again.limits) == (world.scenario, world.rules, world.limits)
    assert again.start() == world.start()


def test_statistics_have_a_row_for_each_scenario() -> None:
    paths = [path for members in suites().values() for path in members]
    columns, rows = scoring.statistics([f"collab_overcooked/{path}" for path in paths])
    assert len(rows) == len(paths)
    assert all(len(row) == len(columns) for row in rows)
    named = dict(zip(columns, rows[0], strict=True))
    assert (named["orders"], named["collaborative actions (article)"]) == ("baked_bell_pepper", 2)


@pytest.mark.parametrize(
    ("id", "scenario_digest"),
    [
        ("boiled_egg", "cc2f706e7642cf7a"),
        ("boiled_egg@knows=both", "72d81361a7a3d260"),
        ("boiled_egg@knows=assistant,recipe=steps", "0394592518f8c18e"),
        ("boiled_egg+baked_bell_pepper", "52e7b28028e97f59"),
    ],
)
def test_scenarios_keep_the_digests_of_earlier_records(id: str, scenario_digest: str) -> None:
    assert digest(registry.world(f"collab_overcooked/{id}").scenario) == scenario_digest

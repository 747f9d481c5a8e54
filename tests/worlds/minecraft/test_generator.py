"""Farms are drafted from seeds, and measured by the article's task graph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.kernel.oracle import Request, solve_world
from backburner.worlds.minecraft.game.actions import Calls
from backburner.worlds.minecraft.oracle.generator import GENERATOR
from support.dispatch.drafts import build, drafted, recorded, world_of


@pytest.mark.parametrize(
    ("options", "digest"),
    [
        (
            {"bodies": 3, "tau": 1.5, "seed": 5, "ways": "10:14", "farms": 3},
            "693cb0ddde0d69cd10220fba6b590219",
        ),
        ({"farms": 2}, "2ef3db234d1e6b53d9f3991686becbd7"),
        (
            {"bodies": 1, "tau": 3.0, "seed": 100, "ways": "14:", "farms": 3},
            "5c8b9364293898ec6bdd8e2fc9a60e9e",
        ),
    ],
)
def test_farms_are_those_of_recorded_builds(tmp_path: Path, options: dict[str, Any], digest: str) -> None:
    told = build("minecraft", tmp_path / "new", options)
    assert not told.missing and recorded(tmp_path / "new") == digest


@pytest.mark.parametrize(("options", "seed"), [({"bodies": 99}, 0), ({"tau": 1000.0}, 0), ({}, 10**7)])
def test_what_cannot_be_asked_for_is_refused(options: dict[str, Any], seed: int) -> None:
    with pytest.raises(Refused, match="out of range"):
        drafted(GENERATOR, {}, {"bodies": 2, "tau": 2.0} | options, seed)


def test_ways_that_are_too_long_cost_no_proof(tmp_path: Path) -> None:
    told = build("minecraft", tmp_path / "new", {"ways": ":1", "gap": "greedy=:1", "attempts": 24})
    assert told.missing and told.index.counts == {"outside": 24}
    assert not any("width" in line for line in (tmp_path / "new" / "attempts.jsonl").read_text().splitlines())


def test_orders_of_a_farm_are_jobs_and_the_most_is_proven() -> None:
    """Two bots have 300 seconds, nine orders come, each of three things to fetch and carry, 15 seconds each:
    9 · 45 / 600 of their time."""
    world = world_of("minecraft", GENERATOR, drafted(GENERATOR, {}, {"bodies": 2, "tau": 2.0}, 1))
    structure = GENERATOR.structure(world)
    assert (structure.horizon, len(structure.jobs), len(structure.activities)) == (300, 9, 27)
    assert [job.body_time for job in structure.jobs] == [45] * 9
    assert all(job.due is not None and job.due - job.release > job.alone for job in structure.jobs)
    solution = solve_world(world, Request(effort=20.0))
    assert (solution.status, solution.objective) == ("optimal", 9)


def test_mobs_that_no_order_needs_are_lures() -> None:
    world = registry.world("minecraft/level_1")
    structure = GENERATOR.structure(world)
    spare = {name.partition(" ")[0] for name, needed in structure.objects.items() if not needed}
    for kind in world.compiled.mob_kinds:
        assert GENERATOR.is_needed(world, Calls((f"goto(alex, {kind})",))) == (kind not in spare)

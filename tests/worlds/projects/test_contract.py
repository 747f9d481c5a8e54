"""Projects keep the contract, whatever problem they are of."""

from __future__ import annotations

from random import Random

import pytest

from backburner.kernel import registry
from backburner.kernel.errors import BadFile
from backburner.kernel.testing import check_pack, check_world
from backburner.worlds.projects.game import Silence
from support.projects import world_of
from support.scheduling.tiny_problems import tiny_problem, with_windows


@pytest.mark.parametrize("path", ["bakery", "darkroom", "moving-day", "ft06"])
def test_shipped_scenarios_keep_the_contract(path: str) -> None:
    checked = check_world(registry.world(f"projects/{path}"), episodes=2)
    assert checked.ran["silences_add_up"] and checked.ran["schedules_are_plans"]


@pytest.mark.parametrize("rules", ["standard", "goes_on_after_a_miss=true"])
def test_small_problems_keep_the_contract(rules: str) -> None:
    met = 0
    for seed in range(25):
        random = Random(seed)
        try:
            world = world_of(with_windows(tiny_problem(random), random))
        except BadFile:
            continue
        if world.step(world.start(), {"agent": Silence(1)}).state.ended:
            continue  # a play that the first tick ends is too short for the kit
        bound = registry.catalogue("projects").build(world.id, world.scenario, rules, "article")
        met += check_world(bound, episodes=2, seed=seed).steps
    assert met > 100


def test_the_pack_keeps_its_promises() -> None:
    assert check_pack("projects").ran["scorings_measure_episodes"]

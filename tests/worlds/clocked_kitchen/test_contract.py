"""The clocked kitchen keeps the contract of the kernel; the kit that says so is the one shipped to users."""

from __future__ import annotations

import pytest

from backburner.kernel import registry
from backburner.kernel.testing import check_pack, check_world


@pytest.mark.slow
@pytest.mark.parametrize(
    "id",
    [
        "level_3",
        "level_0@asks=always,bodies=4",
        "level_9@bodies=3,seats=one,seed=play",
        "level_12@bodies=4,plan=3,seats=person,step=2.0",
        "level_3@bodies=4,seats=0.1+2.3",
    ],
)
def test_the_contract_is_kept(id: str) -> None:
    checked = check_world(registry.world(f"clocked_kitchen/{id}"), episodes=2, max_steps=90)
    assert checked.steps > 50
    assert checked.ran["what_is_offered_is_accepted"] > 0
    assert checked.ran["moments_lie_within_the_step"] > 0


def test_an_episode_comes_to_its_end_under_the_kit() -> None:
    world = registry.world("clocked_kitchen/level_1@bodies=1,seconds=10")
    assert "what_is_over_stays_as_it_is" not in check_world(world, episodes=2).not_checked


def test_the_pack_keeps_its_promises() -> None:
    assert check_pack("clocked_kitchen").ran["scorings_measure_episodes"] > 0

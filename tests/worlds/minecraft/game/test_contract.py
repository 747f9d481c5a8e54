"""Minecraft keeps the contract of the kernel; the kit that says so is the one shipped to users."""

from __future__ import annotations

import pytest

from backburner.kernel import registry
from backburner.kernel.menu import Menus
from backburner.kernel.schedule import Schedulable
from backburner.kernel.testing import check_pack, check_world
from backburner.kernel.text import Examples, Text
from backburner.kernel.view import View
from support.minecraft.play import world_of


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "rules"),
    [
        ("level_1@tau=1.0", "standard"),
        ("level_1@bodies=1,tau=released", "released"),
        ("level_2@seats=each", "released"),
        ("level_2@bodies=4,seats=0.3+1.2,tau=3.0", "standard"),
        ("farm/3@seed=play", "released"),
    ],
)
def test_the_contract_is_kept(path: str, rules: str) -> None:
    checked = check_world(world_of(path, rules), episodes=1, max_steps=160)
    assert checked.steps >= 50
    assert checked.ran["what_is_offered_is_accepted"] > 0
    assert checked.ran["windows_open_before_they_close"] > 0
    assert checked.ran["demonstrations_come_to_an_end"] == 1


def test_the_contract_is_kept_with_an_instructor() -> None:
    checked = check_world(world_of("level_2@instructor=yes,seats=person"), episodes=1, max_steps=260)
    assert "what_is_over_stays_as_it_is" not in checked.not_checked


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["standard", "released"])
def test_the_contract_is_kept_with_a_seat_that_reports(rules: str) -> None:
    """Where nobody does, all is as predicted."""
    world = world_of("level_2@instructor=yes,live=yes,seats=person", rules)
    checked = check_world(world, episodes=1, max_steps=400)
    assert "what_is_over_stays_as_it_is" not in checked.not_checked


def test_the_contract_is_kept_without_limits() -> None:
    assert check_world(world_of("level_2", "released", "none"), episodes=1, max_steps=30).steps == 30


def test_the_pack_keeps_what_it_promises() -> None:
    assert check_pack("minecraft").steps > 0


def test_its_capabilities() -> None:
    world = world_of("level_2")
    for capability in (Menus, Text, Examples, View, Schedulable):
        assert isinstance(world, capability), capability
    assert registry.assessment(world).windows is not None

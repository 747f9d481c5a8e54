"""The kit passes good worlds, and for each planted fault it names the demand that is not met."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from backburner.kernel.testing import ContractViolation, check_world
from support.mute import Mute
from support.planted_faults import FAULTS
from support.relay import Limits, Relay


def test_the_relay_passes_and_every_check_finds_something_to_look_at() -> None:
    world = Relay()
    checked = check_world(world, hidden_variants=world.hidden_variants)
    assert checked.not_checked == {}
    assert min(checked.ran.values()) > 0
    assert checked.episodes == 5


def test_the_same_seed_looks_at_the_same_cases() -> None:
    assert check_world(Relay(), episodes=2, seed=3) == check_world(Relay(), episodes=2, seed=3)


@pytest.mark.parametrize(("world", "check"), [pytest.param(*fault, id=fault[0].__name__) for fault in FAULTS])
def test_a_planted_fault_is_caught(world: type[Relay], check: str) -> None:
    with pytest.raises(ContractViolation) as caught:
        check_world(planted := world(), hidden_variants=planted.hidden_variants)
    assert caught.value.check == check, caught.value
    assert str(caught.value).startswith("relay/door: seed ")


def test_the_kit_says_what_it_could_not_check() -> None:
    not_checked = check_world(Mute()).not_checked
    assert not_checked["menus_offer_something"] == "the world offers no Menus"
    assert not_checked["words_are_read_back"] == "the world offers no Text"
    assert not_checked["hidden_facts_stay_hidden"] == "no hidden_variants given"


def test_an_end_that_is_never_reached_is_not_checked() -> None:
    checked = check_world(Relay(Limits(steps=1000)), episodes=1, max_steps=3)
    assert checked.steps == 3
    assert "max_steps" in checked.not_checked["what_is_over_stays_as_it_is"]


def test_a_world_that_cannot_be_copied_is_compared_with_itself() -> None:
    world: Any = Relay()
    world.lock = threading.Lock()
    assert "cannot be copied" in check_world(world).not_checked["a_world_remembers_nothing"]


def test_something_else_is_not_a_world() -> None:
    with pytest.raises(ContractViolation, match=r"worlds_have_every_member: .*World"):
        check_world("timearena/cooking1")  # type: ignore[arg-type]

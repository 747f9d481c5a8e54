"""CuisineWorld keeps the contract of the kernel; the kit that says so is the one shipped to users."""

from __future__ import annotations

from functools import partial

import pytest

from backburner.kernel import registry
from backburner.kernel.menu import Menus
from backburner.kernel.schedule import Schedulable
from backburner.kernel.testing import Checked, check_world
from backburner.kernel.text import Examples, Text
from backburner.kernel.view import View
from backburner.worlds.cuisineworld.game import CuisineWorld
from support.cuisineworld.hiding import hidden_variants
from support.cuisineworld.play import world_of

ALL_VARIANTS = "level_12@bodies=4,feedback=full,orders=hidden,seats=each,seed=play,spoil=6,table=1"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "rules"),
    [
        ("level_0@bodies=1", "standard"),
        ("level_1@tau=fixed", "released"),
        ("level_3@bodies=3,seats=person,tau=1.0", "standard"),
        ("level_5@seats=each", "released"),
        ("level_9@bodies=4,episode=2,seats=0.3+1.2,tau=3.0", "standard"),
        ("level_12", "standard"),
    ],
)
def test_the_contract_is_kept(path: str, rules: str) -> None:
    checked = checked_world(world_of(path, rules), episodes=2, max_steps=65)
    assert checked.steps == 2 * 60
    assert checked.ran["what_is_offered_is_accepted"] > 0
    assert checked.ran["windows_open_before_they_close"] > 0
    assert checked.ran["demonstrations_come_to_an_end"] == 1


@pytest.mark.parametrize("rules", ["standard", "released"])
def test_the_contract_is_kept_with_all_variants(rules: str) -> None:
    """The kit also looks at states with unseen orders: bodies leave the table, and orders go on arriving."""
    checked = checked_world(world_of(ALL_VARIANTS, rules), episodes=1, max_steps=65)
    assert checked.ran["hidden_facts_stay_hidden"] > 50


def test_the_contract_is_kept_without_limits() -> None:
    assert checked_world(world_of("level_7", "released", "none"), episodes=1, max_steps=30).steps == 30


def test_it_has_menus_words_examples_scenes_and_task_graphs() -> None:
    world = world_of("level_3")
    for capability in (Menus, Text, Examples, View, Schedulable):
        assert isinstance(world, capability), capability
    assert registry.assessment(world).windows is not None


def checked_world(world: CuisineWorld, **how: int) -> Checked:
    """The world under the kit, with all that it may hide."""
    return check_world(
        world,
        hidden_variants=partial(hidden_variants, world),
        **how,
    )

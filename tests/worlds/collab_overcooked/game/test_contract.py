"""Collab-Overcooked keeps the contract of the kernel; the kit that says so is the one shipped to users."""

from __future__ import annotations

from functools import partial

import pytest

from backburner.kernel.exact import Searchable
from backburner.kernel.schedule import Schedulable
from backburner.kernel.testing import check_world
from backburner.kernel.text import Examples
from backburner.worlds.collab_overcooked.game.rule_set import NO_LIMITS, PRESETS, Limits
from backburner.worlds.collab_overcooked.game.scenarios import scenario_of, suites
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from support.collab_overcooked.hiding import hidden_variants
from support.collab_overcooked.kitchens import OPEN_KITCHEN, world_of
from support.conformance import checks_of

both_presets = pytest.mark.parametrize("rules", PRESETS)
both_limits = pytest.mark.parametrize("limits", [NO_LIMITS, Limits(30, 3)], ids=["none", "some"])


@pytest.mark.slow
@pytest.mark.parametrize("path", suites()["all"])
def test_the_contract_is_kept_by_every_order(path: str) -> None:
    world = CollabOvercooked(
        f"collab_overcooked/{path}", scenario_of(path, {}), PRESETS["standard"], NO_LIMITS
    )
    keeps_the_contract(world, episodes=2, max_steps=12)


@pytest.mark.slow
@both_limits
@both_presets
def test_the_contract_is_kept_by_several_orders(rules: str, limits: Limits) -> None:
    orders = ("boiled_egg", "potato_carrot_and_onion_patty")
    keeps_the_contract(world_of(*orders, rules=PRESETS[rules], limits=limits, informed=("chef", "assistant")))


@both_limits
@both_presets
def test_the_contract_is_kept_where_the_cooks_share_a_room(rules: str, limits: Limits) -> None:
    world = world_of(
        "boiled_egg",
        layout=OPEN_KITCHEN,
        rules=PRESETS[rules],
        limits=limits,
        order_weights={"boiled_egg": 3.0, "gratin": 1.0},
        open_orders=2,
    )
    keeps_the_contract(world)


@both_presets
@pytest.mark.parametrize("at", ["1", "4"])
def test_the_contract_is_kept_by_single_exchanges(at: str, rules: str) -> None:
    scenario = scenario_of("baked_potato_soup", {"at": at})
    id = f"collab_overcooked/baked_potato_soup@at={at}"
    keeps_the_contract(CollabOvercooked(id, scenario, PRESETS[rules], NO_LIMITS), episodes=20)


def keeps_the_contract(world: CollabOvercooked, episodes: int = 3, max_steps: int = 50) -> None:
    checked = check_world(
        world,
        hidden_variants=partial(hidden_variants, world),
        episodes=episodes,
        max_steps=max_steps,
    )
    assert checked.ran["hidden_facts_stay_hidden"] > 0
    assert set(checked.not_checked) <= checks_of(Examples, Schedulable, Searchable) | {
        "simultaneous_decisions_have_no_order",  # one cook answers at a time
        "what_a_complete_menu_lacks_is_refused",  # longer plans and words are answers too
        "a_plan_of_one_decision_is_that_decision",  # nobody can write a whole plan
        "calls_are_read_as_their_options",  # an answer is thought, plan and talk together
        "judgements_are_the_same_every_time",  # where there are no references
        "critics_read_any_plan",
        "windows_open_before_they_close",
        "what_is_over_stays_as_it_is",  # without limits, not every walk comes to its end
        "silence_forgives_nothing",  # no error ends a play
        "silence_breaks_what_time_breaks",  # an answer ends an exchange
    }

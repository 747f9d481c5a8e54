"""Recipe2Plan keeps the contract of the kernel; the kit that says so is the one shipped to users."""

from __future__ import annotations

import pytest

from backburner.kernel.exact import Searchable
from backburner.kernel.testing import check_world
from backburner.kernel.view import View
from backburner.worlds.recipe2plan.game import Recipe2Plan
from support.conformance import checks_of
from support.recipe2plan.play import BREAD, CAKE, PIE, SOUP, kitchen_of, world_of

PUBLISHED = (
    "Tacos+Smore-Bars@lags=on",
    "Cobbler+Pancakes@lags=off",
    "Daikon-Radish",
    "Vada+Tacos@knowledge=beliefs",
    "Vada@hints=on,knowledge=gold",
)


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "limits"), [("standard", "none"), ("released", "article")])
@pytest.mark.parametrize("path", PUBLISHED)
def test_the_contract_is_kept(path: str, rules: str, limits: str) -> None:
    keeps_the_contract(world_of(path, rules, limits))


@pytest.mark.parametrize("rules", ["standard", "released"])
def test_the_contract_is_kept_by_recipes_of_our_own(rules: str) -> None:
    keeps_the_contract(kitchen_of(SOUP, BREAD, PIE, CAKE, rules=rules))


def keeps_the_contract(world: Recipe2Plan) -> None:
    checked = check_world(world, episodes=3, max_steps=60)
    assert checked.ran["records_replay"] > 0
    assert checked.ran["critics_read_any_plan"] > 0
    assert set(checked.not_checked) <= checks_of(View, Searchable) | {
        "hidden_facts_stay_hidden",  # what is hidden, such as what runs by itself, is not in the state
        "simultaneous_decisions_have_no_order",  # there is one seat
        "bodies_are_in_the_scene",  # there is nothing to look at
        "judgements_are_the_same_every_time",  # single decisions are not judged
        "windows_open_before_they_close",
        "schedules_are_plans",  # lags and temperatures may rule out that things are done in single file
        "a_plan_of_one_decision_is_that_decision",  # what is believed is no plan, nor is it to finish
        "silence_breaks_what_time_breaks",  # to wait is to start later: no option passes
        "silence_forgives_nothing",  # without limits no error ends a play
        "refusals_name_their_seat",
        "what_a_complete_menu_lacks_is_refused",  # no menu is complete: starts and lengths are free
        "what_is_over_stays_as_it_is",  # without limits, not every walk comes to its end
    }

"""TimeArena keeps the contract of the kernel; the kit that says so is the one shipped to users."""

from __future__ import annotations

import pytest

from backburner.kernel.exact import Searchable
from backburner.kernel.testing import check_world
from backburner.kernel.text import Examples
from backburner.kernel.view import View
from support.conformance import checks_of
from support.timearena.play import world_of


@pytest.mark.parametrize(
    ("path", "rules", "limits"),
    [
        ("household1", "standard", "none"),
        ("cooking2+lab9@kit=one", "standard", "article"),
        ("lab1+lab1", "released", "none"),
        ("cooking4+cooking5", "released", "article"),
    ],
)
def test_the_contract_is_kept(path: str, rules: str, limits: str) -> None:
    checked = check_world(world_of(path, rules, limits), episodes=2, max_steps=60)
    assert checked.ran["records_replay"] > 0
    assert checked.ran["bad_decisions_are_refused"] > 0
    assert set(checked.not_checked) <= checks_of(View, Examples, Searchable, "assessment") | {
        "hidden_facts_stay_hidden",  # what is hidden, the durations and needs, is not in the state
        "simultaneous_decisions_have_no_order",  # there is one seat
        "refusals_name_their_seat",  # on a short walk perhaps nothing is refused
        "bodies_are_in_the_scene",  # there is nothing to look at
        "silence_forgives_nothing",  # without limits no error ends a play
        "schedules_are_plans",  # under released rules some actions are never allowed
    }
    assert "what_is_over_stays_as_it_is" not in checked.not_checked

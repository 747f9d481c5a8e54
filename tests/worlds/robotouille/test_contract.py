"""Robotouille keeps the contract of the kernel; the kit that says so is the one shipped to users."""

from __future__ import annotations

from typing import Any

import pytest

from backburner.kernel.exact import Searchable
from backburner.kernel.schedule import Schedulable
from backburner.kernel.testing import check_world
from backburner.worlds.robotouille.game.rule_set import NO_LIMITS, PRESETS, Limits, article_limits
from backburner.worlds.robotouille.game.scenarios import PLAYS, Scenario, shipped_problem
from backburner.worlds.robotouille.game.world import Robotouille
from support.conformance import checks_of
from support.robotouille.kitchens import world_in

BUSY = ["stove patty", "stove chicken", "board lettuce", "sink pot", "table bowl", "table bread cheese"]
"""Work of every sort, for two robots."""

every_play = pytest.mark.parametrize("play", PLAYS)
both_presets = pytest.mark.parametrize("rules", PRESETS)
both_limits = pytest.mark.parametrize("limits", [NO_LIMITS, article_limits(20)], ids=["none", "article"])


@pytest.mark.slow
@pytest.mark.parametrize("path", ["synchronous/1", "asynchronous/6", "asynchronous/10", "multi_agent/10"])
@pytest.mark.parametrize(
    ("rules", "limits"),
    [("standard", article_limits(20)), ("released", NO_LIMITS)],
    ids=["standard-article", "released-none"],
)
@every_play
def test_the_contract_is_kept_by_published_tasks(path: str, play: Any, rules: str, limits: Limits) -> None:
    scenario = Scenario(shipped_problem(path), play=play, task=path)
    id = f"robotouille/{path}" if play == "turns" else f"robotouille/{path}@play={play}"
    keeps_the_contract(Robotouille(id, scenario, PRESETS[rules], limits), max_steps=25)


@pytest.mark.slow
@both_limits
@both_presets
@every_play
def test_the_contract_is_kept_by_a_busy_kitchen(play: Any, rules: str, limits: Limits) -> None:
    world = world_in(BUSY, robots=(0, 5), rules=rules, limits=limits, play=play)
    keeps_the_contract(world, max_steps=40)


@pytest.mark.slow
@both_presets
@every_play
def test_the_contract_is_kept_where_cooking_takes_no_time(play: Any, rules: str) -> None:
    config = {"cook_time": {"default": 0}, "fill_time": {"default": 0}}
    world = world_in(
        ["stove patty", "sink pot", "table"], robots=(0, 1), config=config, rules=rules, play=play
    )
    keeps_the_contract(world, max_steps=30)


def keeps_the_contract(world: Robotouille, max_steps: int) -> None:
    checked = check_world(world, episodes=3, max_steps=max_steps)
    assert checked.ran["records_replay"] > 0
    assert checked.ran["decisions_are_put_together"] > 0
    assert set(checked.not_checked) <= checks_of(Schedulable, Searchable, "assessment") | {
        "hidden_facts_stay_hidden",  # timers are hidden; what is seen is made of facts alone
        "simultaneous_decisions_have_no_order",  # one seat decides at a time, but for play=together
        "what_a_complete_menu_lacks_is_refused",  # a dispatcher may also combine what is on the menu
        "demonstrations_are_of_other_scenarios",  # the article has training tasks for its own tasks alone
        "demonstrations_come_to_an_end",
        "worked_plans_are_read",  # plans are shown by playing them
        "what_is_over_stays_as_it_is",  # without limits, not every walk comes to its end
        "silence_forgives_nothing",  # without limits, errors end no play
    }

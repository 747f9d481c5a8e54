"""What a scenario tells of its shortest plan: checked by playing it; limits and scores count from it."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from backburner.kernel.errors import BadFile, Refused
from backburner.kernel.play import play_now
from backburner.worlds.robotouille.game import Robotouille, catalogue
from backburner.worlds.robotouille.game.catalogue import known_optimum
from backburner.worlds.robotouille.game.scenario_files import file_of, read_file
from backburner.worlds.robotouille.game.scenarios import KnownPlan, Scenario
from backburner.worlds.robotouille.metrics.score import scoring
from support.policies import Answers
from support.robotouille.small_kitchen import SCENARIO, opened

PLAN = ["Action: robot1 cooks patty1 on stove1", *["Action: Wait"] * 3]
"""The robot stands before the stove with the patty: it is done at the end of the third step after."""

KNOWN: dict[str, Any] = {"steps": 4, "bound": 4, "plan": PLAN}


def told(**changed: Any) -> dict[str, Any]:
    return {**copy.deepcopy(SCENARIO), "known_plan": {**KNOWN, **changed}}


def world_of(scenario: Scenario, rules: str = "standard") -> Robotouille:
    return catalogue.build("robotouille/user/lunch", scenario, rules, "article")


def test_it_is_read_and_written() -> None:
    scenario = opened(told())
    assert scenario.known_plan == KnownPlan(4, 4, tuple(PLAN))
    assert read_file(msgspec.to_builtins(file_of("lunch", scenario)), "mine.json") == ("lunch", scenario)


def test_a_scenario_without_one_is_written_as_before() -> None:
    written = msgspec.to_builtins(file_of("lunch", opened(SCENARIO)))
    assert set(written) == {"world", "id", "problem"}


def test_the_limit_is_one_and_a_half_times_its_steps() -> None:
    assert world_of(opened(told())).limits.steps == 6
    assert world_of(replace(opened(told()), step_limit=30)).limits.steps == 30


def test_it_is_known_under_its_own_rules_alone() -> None:
    scenario = opened(told())
    with pytest.raises(Refused, match=r"no shortest plan is known under released rules.*known_plan"):
        world_of(scenario, "released")
    assert known_optimum("robotouille/user/lunch", "released", scenario.known_plan) is None
    released = opened(told(rules="released"))
    assert world_of(released, "released").limits.steps == 6


@pytest.mark.parametrize(
    ("bound", "measured"), [(4, {"optimum": 4.0, "optimality": 1.25, "within": 1.0}), (3, {"within": 1.0})]
)
def test_scores_are_counted_from_it(bound: int, measured: dict[str, float]) -> None:
    # a step is lost before the cooking begins: 5 steps where 4 do
    world = world_of(opened(told(bound=bound)))
    row = scoring.measure(play_now(world, Answers("Action: Wait", *PLAN)))
    assert {key: row[key] for key in ("optimum", "optimality", "within") if key in row} == measured


MISTAKES: dict[str, tuple[dict[str, Any], str]] = {
    "a plan of other steps": ({"steps": 3, "bound": 3}, "field 'steps': is 3; the plan takes 4"),
    "a bound above it": ({"bound": 5}, "field 'bound': is 5; no plan takes fewer, and this one takes 4"),
    "a bound below nothing": ({"bound": -1}, "field 'bound': is -1"),
    "too short a plan": ({"plan": PLAN[:-1]}, "field 'plan': it ends before the goal is reached"),
    "no plan": ({"plan": []}, "field 'plan': it ends before the goal is reached"),
    "a plan that gives up": ({"plan": ["Action: Finish"]}, "field 'plan': it ends before the goal"),
    "too long a plan": ({"plan": [*PLAN, "Action: Wait"]}, "plan[4]: the episode is over before"),
    "words that are none": ({"plan": ["dance"]}, "plan[0] 'dance': robot1 cannot do that here: "),
    "rules that are none": ({"rules": "own"}, "field 'rules': Invalid enum value 'own'"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_named(name: str) -> None:
    changed, why = MISTAKES[name]
    with pytest.raises(BadFile) as caught:
        opened(told(**changed))
    assert str(caught.value).startswith("mine.json: ") and why in str(caught.value)
    assert "known_plan" in str(caught.value)

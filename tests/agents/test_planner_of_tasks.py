"""Planners at the table of worlds that are planning tasks: kitchens."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from backburner.agents.planner import FAULT, PLANNED, planner_policy
from backburner.kernel import registry
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.play import play_now
from backburner.worlds.robotouille.game.rule_set import Limits
from support.planning.checks import term
from support.robotouille.kitchens import world_in

STATIONS = ["stove patty", "sink", "table"]
COOKED: dict[str, Any] = {
    "goal": [term("iscooked", ("patty", 1)), term("loc", ("robot", 3), ("table", 2))],
    "config": {"cook_time": {"default": 1}},
}

PLAN = """
(e1 f1 f2) (tick f2 f1)
(d1 a5 a1 a3 f1 f2) (tick f2 f1)
(finish a4 a5 a3 f1)
"""
"""To cook, and to go to the table: a1 to a3 are the stations, a4 the patty, a5 the robot."""


def played(agent: str, world: Any) -> Episode:
    return play_now(world, {seat: planner_policy(agent, world) for seat in world.seats})


def thoughts(episode: Episode, purpose: str) -> list[str]:
    answers = [answer for entry in episode.entries for answer in entry.answers.values()]
    return [said.text for answer in answers for said in answer.thoughts if said.purpose == purpose]


@pytest.mark.parametrize(("replan", "plans"), [("refusal", 1), ("always", 7)])
def test_ours_plays_a_shortest_plan_and_again_from_every_state(replan: str, plans: int) -> None:
    """7 steps are the shortest, which ships."""
    world = registry.world("robotouille/synchronous/1@seed=42")
    episode = played(f"planner:ours@replan={replan}", world)
    assert episode.ending is not None
    assert (episode.ending.reason, episode.ending.numbers["steps"]) == ("completed", 7)
    assert len(thoughts(episode, PLANNED)) == plans and not thoughts(episode, FAULT)
    assert json.loads(thoughts(episode, PLANNED)[0])["proven"] is True
    assert episode.header.players["robot1"].informed


def test_one_who_commands_several_bodies_has_a_plan_for_all() -> None:
    world = world_in(STATIONS, robots=(0, 1), play="dispatcher", **COOKED)
    episode = played("planner:ours", world)
    assert episode.ending is not None and episode.ending.reason == "completed"
    with pytest.raises(Refused, match="this world has several"):
        planner_policy("planner:ours", world_in(STATIONS, robots=(0, 1), **COOKED))


def command(folder: Path, plan: str) -> str:
    """A program that has read the domain, and prints this plan."""
    words = f"import sys\nassert 'iscooked' in open(sys.argv[1]).read()\nprint({plan!r})"
    (folder / "mine.py").write_text(words, "utf-8")
    (folder / "mine.json").write_text(json.dumps([sys.executable, "mine.py", "{domain}", "{problem}"]))
    return f"planner:command:{folder / 'mine.json'}@format=pddl"


def test_a_program_is_given_pddl_and_its_plan_is_played(tmp_path: Path) -> None:
    """Cooked is what cooks for 1 step after the one that starts it: at the end of the second."""
    episode = played(command(tmp_path, PLAN), world_in(STATIONS, **COOKED))
    assert episode.ending is not None and not thoughts(episode, FAULT)
    assert episode.ending.numbers == {"steps": 2, "completed": 1}


@pytest.mark.parametrize(
    ("plan", "why"),
    [
        (PLAN.replace("a5 a1", "a5 a2"), "action 3 of its plan, 'd1', is not applicable"),
        (PLAN[: PLAN.index("(d1")], "its plan is over, and play goes on"),
        ("; there is none", "it has no plan: there is none"),
    ],
)
def test_a_plan_that_is_none_is_a_fault_and_time_passes(tmp_path: Path, plan: str, why: str) -> None:
    world = world_in(STATIONS, **COOKED, limits=Limits(steps=4))
    episode = played(command(tmp_path, plan), world)
    assert thoughts(episode, FAULT) == [why]
    assert episode.ending is not None and episode.ending.reason == "step_limit"


def test_a_format_for_problems_is_refused_before_the_first_step(tmp_path: Path) -> None:
    name = command(tmp_path, PLAN).removesuffix("@format=pddl")
    with pytest.raises(Refused, match=r"is a planning task: say .*@format=pddl"):
        planner_policy(name, world_in(STATIONS, **COOKED))

"""Drafts of projects, the list scheduler, and what is measured."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.generation.attempt import world_of
from backburner.generation.names import NONSENSE, named
from backburner.kernel import registry
from backburner.kernel.generating import Draw
from backburner.kernel.play import play_now
from backburner.kernel.policy import PlanPolicy
from backburner.worlds.projects.agents.greedy import Greedy, tails
from backburner.worlds.projects.metrics.score import scoring
from backburner.worlds.projects.oracle.generator import GENERATOR, PARAMETERS


def value(each: Any) -> st.SearchStrategy[Any]:
    if each.kind == "choice":
        return st.sampled_from(each.values)
    return st.integers(each.low, each.high) if each.kind == "whole" else st.floats(each.low, each.high)


@settings(max_examples=40, deadline=None)
@given(
    st.fixed_dictionaries({each.name: value(each) for each in PARAMETERS}),
    st.integers(0, 2**40),
    st.sampled_from(("dye_works", NONSENSE)),
)
def test_any_draft_is_a_file_of_what_was_asked_for(asked: dict[str, Any], seed: int, theme: str) -> None:
    drafts = [GENERATOR.draft(asked, {}, Draw(seed, Random(seed))) for _ in range(2)]
    assert drafts[0] == drafts[1]
    fields = named(drafts[0], theme, GENERATOR.naming, Random(seed)).fields
    problem = world_of("projects", "draft", fields).problem
    assert len(problem.activities) == asked["activities"]
    assert len(problem.resources) == asked["resources"]
    assert {each.operator_time for each in problem.activities if each.operator_time < each.duration} <= {
        int(asked["starts"])
    }


def test_the_list_scheduler_takes_the_longest_way_first() -> None:
    """Job 1 of ft06 has 1, 3, 6, 7, 3 and 6 to go. 61 steps are 6 more than the 55 of the best plan."""
    world: Any = registry.world("projects/ft06")
    assert [tails(world)[f"job 1 step {step}"] for step in range(1, 7)] == [26, 25, 22, 16, 9, 6]
    episode = play_now(world, Greedy(world))
    measures = scoring.measure(episode)
    assert measures["completed"] and measures["time"] == 61
    table = {metric.key: metric.over([measures]) for metric in scoring.metrics}
    assert table["regret"] == pytest.approx(100 * 6 / 55)
    assert table["reached"] == pytest.approx(100 * 55 / 61)


def test_what_is_not_completed_has_a_share_and_no_time() -> None:
    """Of 13 activities of the bakery two are done when the batter waits for the oven in vain."""
    world = registry.world("projects/bakery")
    plan = PlanPolicy("x", ("start mix batter", "start mix dough", "wait 40"), informed=False)
    measures = scoring.measure(play_now(world, plan))
    table = {metric.key: metric.over([measures]) for metric in scoring.metrics}
    assert table["done"] == pytest.approx(100 * 2 / 13, abs=1e-3)
    assert (table["Completed"], table["reached"], table["regret"], table["time"]) == (0.0, 0.0, None, None)

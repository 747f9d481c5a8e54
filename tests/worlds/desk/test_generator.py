"""Drafts of desks: they load, they are what was asked for, no figure of a deliverable can be guessed, and the
deadlines are those of the proven plan."""

from __future__ import annotations

import re
from collections import defaultdict
from math import ceil
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.generation.attempt import AnyWorld, world_of
from backburner.generation.builder import builder_of
from backburner.generation.names import NONSENSE, named
from backburner.kernel import registry
from backburner.kernel.answers import answers_at
from backburner.kernel.generating import Draw
from backburner.kernel.schedule import perform
from backburner.worlds.desk.oracle.generator import GENERATOR, PARAMETERS, THEMES

SMALL: dict[str, Any] = {
    **{"jobs": 8, "strands": 2, "joins": 0.2, "hands": 0.3, "resources": 2, "capacity": 1, "silent": 0.3},
    **{"fails": 0.2, "spread": 0.25, "pauses": 0.2, "requests": 1, "window": 12, "lure_notices": 2},
    **{"grace": 0.5, "check": 2, "content_depth": 2},
}


def fields_of(seed: int, theme: str = "travel", **asked: Any) -> dict[str, Any]:
    """The file of a draft, with names."""
    draft = GENERATOR.draft({**SMALL, **asked}, {}, Draw(seed, Random(seed)))
    return named(draft, theme, GENERATOR.naming, Random(seed)).fields


def parameters() -> st.SearchStrategy[dict[str, Any]]:
    """Any values of the parameters."""
    return st.fixed_dictionaries(
        {
            each.name: st.integers(int(each.low), int(each.high))
            if each.kind == "whole"
            else st.floats(each.low, each.high)
            for each in PARAMETERS
        }
    )


@settings(max_examples=40, deadline=None)
@given(parameters(), st.integers(0, 2**40), st.sampled_from((*THEMES, NONSENSE)))
def test_any_draft_is_a_file_of_what_was_asked_for(asked: dict[str, Any], seed: int, theme: str) -> None:
    fields = fields_of(seed, theme, **asked)
    assert fields == fields_of(seed, theme, **asked) and not re.search(r"<[a-z]\d+>", str(fields))
    scenario = world_of("desk", "draft", fields).scenario
    runs = [job for job in scenario.jobs if not job.by_hand]
    assert len(scenario.jobs) <= asked["jobs"] and len(scenario.requests) == asked["requests"]
    assert len(scenario.notices) == asked["lure_notices"] and scenario.check_minutes == asked["check"]
    assert sum(job.silent for job in runs) == round(asked["silent"] * len(runs))
    assert sum(len(job.attempts) == 2 for job in runs) == round(asked["fails"] * len(runs))
    for job in runs:
        assert job.told is not None and job.told.least <= job.attempts[-1].run <= job.told.most
    assert all(request.window <= asked["window"] for request in scenario.requests)


@pytest.mark.parametrize("jobs", [5, 7, 12])
@pytest.mark.parametrize("resources", [1, 2, 4])
def test_few_resources_make_no_fewer_jobs(jobs: int, resources: int) -> None:
    """Seven in one lot are one that fetches, five treatments, and one that files."""
    for seed in range(5):
        fields = fields_of(seed, jobs=jobs, resources=resources, strands=1, hands=0.0)
        assert len(fields["jobs"]) == jobs


def test_all_is_required() -> None:
    for seed in range(20):
        compiled = world_of("desk", "draft", fields_of(seed, jobs=40, strands=4)).compiled
        assert compiled.required == compiled.jobs.keys() and len(compiled.jobs) == 40


def test_what_is_delivered_cannot_be_guessed() -> None:
    """Of one structure with 300 draws of figures, a number or code that is filed is hardly ever the same."""
    filed = defaultdict(list)
    for seed in range(300):
        compiled = world_of("desk", "draft", fields_of(seed, jobs=4, strands=1)).compiled
        for name, right in compiled.right_inputs.items():
            if compiled.jobs[name].deliverable is not None:
                kinds = {each.name: each.kind for each in compiled.tool(name).inputs}
                for what, value in right:
                    if kinds[what] != "choice":
                        filed[what].append(value)
    assert filed.keys() == {"total", "label"}
    for values in filed.values():
        assert len(values) > 60 and len(set(values)) >= len(values) - 2


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two small desks, told in nonsense as well."""
    out = tmp_path_factory.mktemp("desks")
    builder = builder_of("desk")
    usual = {each.name: each.default for each in builder.arguments if each.default is not None}
    asked = "+".join(f"{name}={value}" for name, value in SMALL.items())
    said = {"scenarios": 2, "attempts": 24, "set": asked, "twins": True}
    builder.build(out, {**usual, **said}, lambda total: None)
    return out


def worlds(folder: Path) -> list[AnyWorld]:
    """What was built."""
    return [registry.world(id) for id in registry.expand(str(folder))]


def test_deadlines_are_those_of_the_proven_plan(built: Path) -> None:
    """With a grace of .5 what is filed at 11 is due at ceil(16.5) = 17."""
    assert len(worlds(built)) == 4
    for world in worlds(built):
        optimum = world.scenario.optimum
        played = perform(world, optimum.starts)
        state = world.step(played.states[-1], {"agent": played.decisions[-1]}).state
        assert state.minute == optimum.minutes and world.outcome(state).numbers["score"] == 100
        assert len(state.filed) == len(world.compiled.deadlines)
        for done in state.filed:
            assert world.compiled.deadlines[done.name] == ceil(1.5 * done.minute)


def test_twins_differ_in_names_alone(built: Path) -> None:
    answers = answers_at(built).values()
    assert len(answers) == 4 and len({answer.best for answer in answers}) <= 2
    by_name = {world.id.rpartition("/")[2]: world.scenario for world in worlds(built)}
    for name, scenario in by_name.items():
        if not name.endswith(NONSENSE):
            twin = by_name[f"{name}.{NONSENSE}"]
            assert list(scenario.optimum.starts.values()) == list(twin.optimum.starts.values())
            assert {tool.name for tool in scenario.tools}.isdisjoint(tool.name for tool in twin.tools)

"""The rules are the scheduling model: a search over all decisions comes to what the solver proves."""

from __future__ import annotations

from random import Random

import pytest

from backburner.kernel import registry
from backburner.kernel.errors import BadFile
from backburner.kernel.oracle import Request, solve_world
from backburner.kernel.schedule import problem_of
from backburner.scheduling.makespan import solve_problem
from backburner.scheduling.oracle import ORACLE
from backburner.worlds.projects.game import Projects, Start, State, Wait
from support.projects import world_of
from support.scheduling.tiny_problems import tiny_problem, with_windows


def least(world: Projects, first: State | None = None) -> int | None:
    """The earliest end of all decisions there are from a state on, tick by tick."""
    first = first or world.start()
    activities = world.problem.activities
    last = max(first.time, *(activity.release for activity in activities))
    horizon = last + sum(activity.duration for activity in activities)
    seen: set[State] = set()
    best: int | None = None
    waiting = [first]
    while waiting:
        state = waiting.pop()
        if state.ended == "completed":
            best = state.time if best is None else min(best, state.time)
        if state.ended or state.time > horizon or state in seen:
            continue
        seen.add(state)
        pieces = [None, 1, 2]
        starts = [Start(a.name, ticks) for a in activities for ticks in pieces]
        for decision in (*starts, Wait(1)):
            if world.legality.obstacle(state, decision) is None:
                waiting.append(world.step(state, {"agent": decision}).state)
    return best


@pytest.mark.parametrize("windows", [False, True])
def test_no_decisions_are_faster_than_the_solver_proves_and_its_plan_is_as_fast(windows: bool) -> None:
    counts = {"solved": 0, "hopeless": 0, "refused": 0}
    for seed in range(150):
        random = Random(seed)
        problem = tiny_problem(random)
        problem = with_windows(problem, random) if windows else problem
        proven = solve_problem(problem)
        try:
            world = world_of(problem)
        except BadFile:
            assert proven.status == "infeasible"
            counts["refused"] += 1
            continue
        assert least(world) == proven.objective
        played = solve_world(world)
        assert (played.status, played.objective) == (proven.status, proven.objective)
        counts["hopeless" if proven.objective is None else "solved"] += 1
    assert counts["solved"] > 40 and counts["hopeless"] > 10 and counts["refused"] > 5


def test_from_every_state_on_the_solver_says_what_is_left() -> None:
    """Along random plays of small problems: what can still be reached is what a search from there finds."""
    looked = 0
    for seed in range(40):
        random = Random(seed)
        problem = with_windows(tiny_problem(random), random)
        try:
            world = world_of(problem)
        except BadFile:
            continue
        state = world.start()
        while not state.ended:
            found = ORACLE.onward(world, state, 5.0)
            assert found.finish == least(world, state)
            looked += 1
            state = world.step(
                state, {"agent": random.choice(world.menu(state, "agent").options).decision}
            ).state
    assert looked > 60


@pytest.mark.parametrize(
    ("path", "optimum"),
    [("ft06", 55), ("la01", 666), ("la02", 655), ("la03", 597), ("la04", 590), ("la05", 593)],
)
def test_the_published_optima_of_job_shops_are_proven(path: str, optimum: int) -> None:
    world = registry.world(f"projects/{path}")
    assert world.scenario.optimum == optimum
    found = solve_world(world, Request(effort=20))
    assert (found.status, found.objective) == ("optimal", optimum)


@pytest.mark.parametrize(
    "id", ["timearena/cooking1+cooking2", "recipe2plan/Cobbler+Pancakes", "desk/made/counter"]
)
def test_the_problem_of_another_world_is_solved_and_played_as_well_here(id: str) -> None:
    theirs = registry.world(id)
    ours = world_of(problem_of(theirs))
    best = solve_world(ours, Request(effort=20))
    assert (best.status, best.objective) == ("optimal", solve_world(theirs, Request(effort=20)).objective)
    assert ours.time_unit == theirs.time_unit


@pytest.mark.parametrize("path", ["bakery", "darkroom", "moving-day"])
def test_what_a_scenario_says_of_its_optimum_is_proven(path: str) -> None:
    world = registry.world(f"projects/{path}")
    assert solve_world(world, Request(effort=20)).objective == world.scenario.optimum

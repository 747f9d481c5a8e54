"""Releases and deadlines: worked by hand, and against every schedule of tiny problems."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.kernel.schedule import Activity, MaxLag, Problem, Remaining
from backburner.scheduling import makespan, model
from backburner.scheduling.makespan import makespan_bound, onward, solve_problem
from backburner.scheduling.model import Budget, schedule_model
from backburner.scheduling.slow import slowed, solve_slowed
from backburner.scheduling.waiting import necessary_waiting
from support.mutants import Mutant, mutants
from support.scheduling.tiny_problems import (
    CREW,
    Units,
    best_by_trying,
    horizon_of,
    n_ways,
    schedules,
    tiny_problem,
    with_windows,
)

KETTLE = Activity("kettle", 8, 1)
CUP = Activity("cup", 5, 5)
TEA = Activity("tea", 2, 2, predecessors=("kettle", "cup"))


def problem(*activities: Activity) -> Problem:
    return Problem("minutes", activities, (), "made for a test")


def drawn(seed: int) -> Problem:
    return with_windows(tiny_problem(Random(seed)), Random(-1 - seed))


def small(seed: int) -> bool:
    """Whether there are few ways for those who think as well."""
    return n_ways(slowed(drawn(seed), 1)) < 6_000


# --- worked examples --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kettle", "cup", "minutes"),
    [
        ({}, {}, 10),  # kettle 0-8, cup 1-6, tea 8-10
        ({"release": 3}, {}, 13),  # kettle 3-11; the cup fits before or after its start
        ({}, {"release": 6}, 13),  # cup 6-11 comes last, tea 11-13
        ({}, {"deadline": 5}, 15),  # cup 0-5 leaves the kettle for 5-13
        (
            {"release": 2},
            {"deadline": 6},
            15,
        ),  # cup 0-5, kettle 5-13: from 2 on it would make the cup end by 7
        ({"release": 20}, {"release": 21}, 30),  # everybody waits: kettle 20-28, cup 21-26, tea 28-30
    ],
)
def test_nothing_starts_before_its_release_or_ends_after_its_deadline(
    kettle: dict[str, int], cup: dict[str, int], minutes: int
) -> None:
    found = solve_problem(problem(replace(KETTLE, **kettle), replace(CUP, **cup), TEA))
    assert (found.status, found.objective, found.bound) == ("optimal", minutes, minutes)


def test_a_deadline_that_nobody_can_keep_is_named() -> None:
    # kettle 8, tea 2
    found = solve_problem(problem(KETTLE, CUP, replace(TEA, deadline=9)))
    assert (found.status, found.starts) == ("infeasible", None)
    assert found.note == "tea is to end by 9 minutes, and cannot end before 10"
    # Each alone could be done in time, and both together cannot.
    found = solve_problem(problem(replace(CUP, deadline=8), replace(TEA, predecessors=(), deadline=6)))
    assert found.objective == 7  # tea 0-2, cup 2-7
    found = solve_problem(problem(replace(CUP, deadline=6), replace(TEA, predecessors=(), deadline=6)))
    assert (found.status, found.note) == ("infeasible", "no plan keeps every deadline")
    lag = replace(TEA, max_lags=(MaxLag("kettle", 0),), release=9)
    found = solve_problem(problem(KETTLE, CUP, replace(lag, deadline=12)))
    assert found.objective == 11  # kettle 1-9, tea 9-11
    found = solve_problem(problem(replace(KETTLE, deadline=8), CUP, replace(lag, deadline=12)))
    assert found.note == "no plan keeps every maximum lag and every deadline"


def test_all_parts_of_what_is_interrupted_keep_its_window() -> None:
    # soup 0-4 is served at once, 4-5; chop 1-4 and 5-8
    soup, serve = Activity("soup", 4, 1), Activity("serve", 1, 1, ("soup",), max_lags=(MaxLag("soup", 0),))
    chop = Activity("chop", 6, 6, preemptive=True)
    assert solve_problem(problem(soup, chop, serve)).objective == 8
    found = solve_problem(problem(soup, replace(chop, deadline=6), serve))
    assert (found.objective, found.starts) == (11, {"soup": 6, "chop": 0, "serve": 10})
    # From 2 on: soup 0-4, chop 2-4, serve 4-5, chop 5-9
    found = solve_problem(problem(soup, replace(chop, release=2), serve))
    assert (found.objective, found.starts) == (9, {"soup": 0, "chop": 2, "chop+2": 5, "serve": 4})


def test_windows_are_in_steps_of_the_grid_when_parts_are_made() -> None:
    chop = Activity("chop", 60, 60, preemptive=True, release=20, deadline=120)
    ring = Activity("ring", 20, 20, release=60, deadline=80)
    asked = replace(problem(chop, ring), grid=20)
    assert solve_problem(asked).starts == {"chop": 20, "chop+40": 80, "ring": 60}


# --- everything that can be done --------------------------------------------------------------------


def agrees(asked: Problem) -> bool:
    """Whether the solver's word is that of trying everything."""
    found, best = solve_problem(asked), best_by_trying(asked)
    if best is None:
        return found.status == "infeasible" and bool(found.note)
    parts = len(found.starts or ())
    proven = (found.status, found.objective, found.bound) == ("optimal", *2 * (best.makespan,))
    return proven and parts == best.parts and makespan_bound(asked.activities) <= best.makespan


@settings(max_examples=60)
@given(st.integers(0, 1 << 30))
def test_the_solver_finds_the_best_of_all_schedules(seed: int) -> None:
    assert agrees(drawn(seed))


def test_windows_bind_in_what_is_drawn() -> None:
    changed, none = 0, 0
    for seed in range(60):
        free, bound = solve_problem(tiny_problem(Random(seed))), solve_problem(drawn(seed))
        none += bound.objective is None and free.objective is not None
        changed += bound.objective != free.objective
    assert changed >= 30 and none >= 5


@pytest.mark.parametrize("constraint", ["releases_are_kept", "deadlines_are_kept"])
def test_the_loss_of_a_constraint_is_noticed(constraint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    problems = [drawn(seed) for seed in range(150)]
    right = [solve_problem(each).objective for each in problems]
    monkeypatch.setattr(model, constraint, lambda schedule: None)
    wrong = [solve_problem(each).objective for each in problems]
    changed = [pair for pair in zip(right, wrong, strict=True) if pair[0] != pair[1]]
    assert len(changed) >= 3
    assert all(after is not None and (before is None or after < before) for before, after in changed)


CASES = [*map(drawn, range(80)), *(slowed(drawn(seed), 1) for seed in range(60) if small(seed))]
HARMLESS = ("releases_are_kept: if activity.release -> if True",)
MUTANTS = [
    mutant
    for function in (
        model.releases_are_kept, model.deadlines_are_kept, makespan._horizon, makespan._last_release
    )
    for mutant in mutants(function)
    if str(mutant) not in HARMLESS
]  # fmt: skip


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_change_is_noticed(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutant.function, "__code__", mutant.code)
    with pytest.raises(Exception):  # noqa: B017 - a crash is noticed, too
        for asked in CASES:
            assert agrees(asked)


def test_no_bound_is_too_high() -> None:
    assert makespan_bound([replace(CUP, release=4), replace(TEA, predecessors=())]) == 9  # from 4 on 5
    # A thought about the cup may end when it is released: 4 + 5, and then 2 + 2 for the tea.
    assert makespan_bound([replace(CUP, release=4), replace(TEA, predecessors=(), release=4)], 2) == 13
    assert makespan_bound([replace(CUP, release=1)], 2) == 7
    assert all(agrees(asked) for asked in CASES)


def test_a_state_is_gone_on_from_in_its_windows() -> None:
    """What is begun stays, all else starts now or later; times may begin anywhere. All is done now at the
    earliest."""
    tried = 0
    for seed in range(200):
        asked = drawn(seed)
        first = solve_problem(asked).starts
        if first is None or any(activity.preemptive for activity in asked.activities):
            continue
        now = 1 + seed % 3
        begun = {name: start for name, start in first.items() if start < now}
        held = [a if a.name in begun else replace(a, release=max(a.release, now)) for a in asked.activities]
        best = best_by_trying(
            replace(asked, activities=tuple(held)),
            lambda schedule, begun=begun: all(schedule[name][0] == begun[name] for name in begun),  # type: ignore[misc]
        )
        for later in (0, 7):
            moved = tuple(_later(activity, later) for activity in asked.activities)
            starts = {name: start + later for name, start in begun.items()}
            found = onward(Remaining(replace(asked, activities=moved), starts, now + later), 1.0)
            assert found.finish == (None if best is None else max(best.makespan, now) + later)
        tried += 1
    assert tried > 40


def _later(activity: Activity, by: int) -> Activity:
    deadline = None if activity.deadline is None else activity.deadline + by
    return replace(activity, release=activity.release + by, deadline=deadline)


def test_windows_are_kept_where_every_start_costs_part_of_a_tick() -> None:
    stretched = 0
    for asked in filter(lambda each: not any(a.preemptive for a in each.activities), map(drawn, range(60))):
        for found in solve_slowed(asked, Fraction(1, 2)):
            for activity in asked.activities if found.starts else ():
                start = found.starts[activity.name]  # type: ignore[index]
                assert start >= activity.release
                assert activity.deadline is None or start + activity.duration <= activity.deadline
            stretched += found.starts is not None
    assert stretched > 30


# --- waiting ----------------------------------------------------------------------------------------


def unhurried(random: Random) -> Problem:
    """Three activities of which some run by themselves, with windows."""
    made: list[Activity] = []
    for number in range(3):
        duration = random.randint(1, 3)
        after = tuple(other.name for other in made if random.random() < 0.3)
        held = random.choice([(), (), ("crew",), ("crew", "crew")])
        made.append(Activity(f"a{number}", duration, random.choice([1, duration]), after, held))
    return with_windows(Problem("steps", tuple(made), (CREW,), "made at random"), random)


def waits(asked: Problem, schedule: Mapping[str, Units]) -> int:
    """Units of time in which the operator is at nothing, and nothing can be started."""
    busy = {unit for a in asked.activities for unit in schedule[a.name][: a.operator_time]}
    last = max(units[-1] for units in schedule.values())

    def startable(activity: Activity, now: int) -> bool:
        held = [r for a in asked.activities if now in schedule[a.name] for r in a.resources]
        return (
            activity.release <= now < schedule[activity.name][0]
            and all(schedule[name][-1] < now for name in activity.predecessors)
            and len(held) + len(activity.resources) <= CREW.capacity
        )

    idle = (now for now in range(last + 1) if now not in busy)
    return sum(not any(startable(activity, now) for activity in asked.activities) for now in idle)


def test_waiting_for_a_release_is_necessary() -> None:
    # the cup is there at 9: kettle 0-8 by hand until 1; 8 units to wait until 9
    late = problem(KETTLE, replace(CUP, release=9))
    assert most_waits(late, 14) == 8
    # With a time of 20 the kettle may come last: 9 to wait, cup 9-14, kettle on at 14, 15-20 of 22
    assert most_waits(problem(KETTLE, replace(CUP, release=9)), 22) == 8


def most_waits(asked: Problem, horizon: int) -> int | None:
    found = schedule_model(asked, horizon)
    total = necessary_waiting(found, horizon)
    found.cp.maximize(total)
    result = Budget().search(found.cp)
    return None if result.status == "infeasible" else result.solver.value(total)


def test_the_most_necessary_waits_are_those_of_all_schedules() -> None:
    for seed in range(80):
        asked = unhurried(Random(seed))
        horizon = horizon_of(asked)
        best = max((waits(asked, each) for each in schedules(asked, horizon)), default=None)
        assert most_waits(asked, horizon) == best, seed

"""The shortest schedule where every start is a decision that costs a thought."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from msgspec.structs import replace

from backburner.agents.planned import world_agent
from backburner.kernel import registry
from backburner.kernel.clock import Timing
from backburner.kernel.oracle import Request, Solution, solve_world
from backburner.kernel.play import play_now
from backburner.kernel.schedule import Activity, MaxLag, Problem, problem_of
from backburner.scheduling.makespan import makespan_bound, solve_problem
from backburner.scheduling.slow import loaded, slowed, solve_slowed, steps_around
from support.scheduling.tiny_problems import best_by_trying, n_ways, tiny_problem

KETTLE = Activity("kettle", 8, 1)
CUP = Activity("cup", 5, 5)
TEA = Activity("tea", 2, 2, predecessors=("kettle", "cup"))
BREAKFAST = Problem("minutes", (KETTLE, CUP, TEA), (), "made for a test")


def at(problem: Problem, ticks: int) -> Solution:
    return solve_problem(slowed(problem, ticks))


# --- worked examples ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ticks", "minutes"),
    [
        (0, 10),  # kettle 0-8, by hand until 1; cup 1-6; tea 8-10
        (1, 11),  # think 0-1, kettle 1-9; think 2-3, cup 3-8; think 8-9, tea 9-11
        # think 0-2, kettle 2-10; think 3-5, cup 5-10; think 10-12, tea 12-14: hands 1 + 5 + 2, thoughts 3 x 2
        (2, 14),
        (4, 20),  # 8 + 3 x 4
    ],
)
def test_thoughts_are_had_while_the_kettle_boils(ticks: int, minutes: int) -> None:
    found = at(BREAKFAST, ticks)
    assert (found.status, found.objective) == ("optimal", minutes)


def test_one_may_think_before_what_comes_before_has_ended() -> None:
    # think 0-3, boil 3-8; think 5-8, drain at once, 8-9
    boil = Activity("boil", 5, 0)
    drain = Activity("drain", 1, 1, ("boil",), max_lags=(MaxLag("boil", 0),))
    pasta = Problem("minutes", (boil, drain), (), "made for a test")
    assert at(pasta, 3).objective == 9
    # think 0-5, boil 5-10, and all the time that it boils goes into the thought
    assert at(pasta, 5).objective == 11
    late = at(pasta, 6)
    assert (late.status, late.starts) == ("infeasible", None)
    assert late.note == (
        "infeasible at this speed: drain is to start within 0 minutes of boil, which leaves 5 to decide it "
        "in, and that takes 6"
    )


def test_what_must_follow_hand_work_leaves_the_lag_to_think_in() -> None:
    stir = Activity("stir", 4, 4)
    pour = Activity("pour", 1, 1, ("stir",), max_lags=(MaxLag("stir", 2),))
    sauce = Problem("minutes", (stir, pour), (), "made for a test")
    # think 0-2, stir 2-6, think 6-8, pour 8-9
    assert at(sauce, 2).objective == 9
    assert at(sauce, 3).status == "infeasible"


def test_work_that_goes_on_needs_no_new_thought() -> None:
    """Think 0-1, boil 1-6; think 1-2, chop 2-5; think 5-6, drain 6-7; think 7-8, cool 8-11; think 8-9, chop
    9-14.

    In one go, chopping would be over at 17 at the earliest: 9-17 after all the rest.
    """
    boil = Activity("boil", 5, 0)
    drain = Activity("drain", 1, 1, ("boil",), max_lags=(MaxLag("boil", 0),))
    cool = Activity("cool", 3, 0, ("drain",))
    chop = Activity("chop", 8, 8, preemptive=True)
    pasta = Problem("minutes", (boil, drain, cool, chop), (), "made for a test")
    found = at(pasta, 1)
    assert (found.status, found.objective) == ("optimal", 14)
    assert found.starts == {"boil": 1, "chop": 2, "drain": 6, "cool": 8, "chop+3": 9}
    assert (
        at(replace(pasta, activities=(boil, drain, cool, replace(chop, preemptive=False))), 1).objective == 17
    )


# --- against every schedule there is ----------------------------------------------------------------

TINY = [
    problem for seed in range(400) for problem in (tiny_problem(Random(seed)),) if n_ways(problem) < 3_000
]


def test_the_solver_finds_the_best_of_all_schedules() -> None:
    tried, feasible = 0, 0
    for problem in TINY:
        for ticks in (1, 2):
            slow = slowed(problem, ticks)
            if n_ways(slow) > 6_000:
                continue
            found, best = solve_problem(slow), best_by_trying(slow)
            tried += 1
            if best is None:
                assert found.status == "infeasible"
                continue
            feasible += 1
            assert (found.status, found.objective) == ("optimal", best.makespan)
            assert found.starts is not None and len(found.starts) == best.parts
            assert best.makespan >= makespan_bound(slow.activities, ticks)
    assert tried > 150 and 0.3 < feasible / tried < 0.8


def test_nobody_is_sooner_who_thinks_longer() -> None:
    """T(L) is at least T(L - 1) + 1, as all can be a tick earlier; what is infeasible stays so."""
    for problem in TINY[:60]:
        made = [at(problem, ticks) for ticks in range(4)]
        assert made[0] == replace(solve_problem(problem), seconds=made[0].seconds)
        for faster, slower in pairwise(made):
            if slower.objective is not None:
                assert faster.objective is not None and slower.objective > faster.objective


# --- the published pairs ----------------------------------------------------------------------------


def test_all_pairs_of_timearena_are_proven() -> None:
    pairs = [problem_of(registry.world(id)) for id in registry.expand("timearena/pairs")]
    means = {}
    for ticks in (0, 1, 2, 4):
        found = [at(pair, ticks) for pair in pairs]
        assert {each.status for each in found} == {"optimal"}
        means[ticks] = round(sum(each.objective or 0 for each in found[:12]) / 12, 1)
    assert means == {0: 33.4, 1: 51.5, 2: 69.6, 4: 105.8}


def by_hand(problem: Problem) -> Problem:
    """Only the lags after work by hand."""
    hands = {activity.name for activity in problem.activities if activity.operator_time == activity.duration}
    kept = (
        replace(each, max_lags=tuple(lag for lag in each.max_lags if lag.after in hands))
        for each in problem.activities
    )
    return replace(problem, activities=tuple(kept))


def too_slow(problem: Problem, ticks: int) -> bool:
    found = solve_problem(slowed(problem, ticks), time_limit_seconds=0.0)
    return found.note.startswith("infeasible at this speed")


def test_recipes_have_a_cliff() -> None:
    """Of 65 pairs, at speeds at which it is seen without a search that a lag cannot be kept."""
    pairs = [problem_of(registry.world(id)) for id in registry.expand("recipe2plan/constrained")]
    speeds = (60, 120, 300, 600)
    after_hands = [sum(too_slow(by_hand(pair), ticks) for pair in pairs) for ticks in speeds]
    assert after_hands == [0, 14, 50, 55]
    assert [sum(too_slow(pair, ticks) for pair in pairs) for ticks in speeds] == [0, 14, 54, 63]


# --- between ticks ----------------------------------------------------------------------------------


def test_between_ticks_the_load_bounds_and_a_stretched_schedule_comes_near() -> None:
    """L = 1/2: hands 8 and 3 thoughts, of which whole ticks are 1: 9 or more; T(0) = 10 moved by nothing.

    Kettle 0-8 after half a minute that is carried, cup thought about 1-2 (the second half), 2-7, tea 8-10.
    """
    half = Fraction(1, 2)
    assert loaded(BREAKFAST, half) == 9
    found = solve_slowed(BREAKFAST, half)
    assert [(each.objective, each.bound) for each in found] == [(11, 10), (10, 10)]
    assert found[1].starts == {"kettle": 0, "cup": 2, "tea": 8}
    assert found[1].status == "optimal"


def test_pieces_begin_on_a_grid_that_thoughts_fit() -> None:
    chop = Problem("seconds", (Activity("chop", 60, 60, preemptive=True),), (), "", grid=30)
    assert steps_around(chop, Fraction(30)) == (30, 30)
    assert steps_around(chop, Fraction(7)) == (5, 10)
    assert slowed(chop, 5).grid == 5
    whole = replace(chop, activities=(Activity("chop", 60, 60),))
    assert steps_around(whole, Fraction(7)) == (7, 7)


# --- nobody beats it --------------------------------------------------------------------------------


@pytest.mark.parametrize("minutes", ["0.5", "1", "2", "4"])
def test_greedy_never_beats_it_and_meets_it_wherever_it_completes(minutes: str) -> None:
    """So what is lost there is the clock's doing, and not greedy's: of the first 12 pairs 12, 12, 10, 2."""
    completed, seconds = 0, f"{60 * float(minutes):g}"
    for id in registry.expand("timearena/pairs")[:12]:
        world = registry.world(id)
        best = solve_world(registry.world(id, limits="none"), Request(options={"latency": seconds}))
        clock = Timing(mode="latency").bound(world, {world.seats[0]: seconds})
        ending = play_now(world, world_agent("greedy", world), clock=clock).ending
        assert ending is not None
        if ending.numbers["completed"]:
            completed += 1
            assert ending.numbers["minutes"] == best.objective
    assert completed == {"0.5": 12, "1": 12, "2": 10, "4": 2}[minutes]

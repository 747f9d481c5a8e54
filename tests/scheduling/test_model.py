"""The constraints, one by one, on problems written out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from backburner.kernel.schedule import Activity, MachineState, MaxLag, Problem, Resource
from backburner.scheduling.makespan import solve_problem
from backburner.scheduling.preemption import timetable

OVEN = Resource("oven")


def shortest(*activities: Activity, grid: int = 1) -> int | None:
    """The proven optimum of these activities; ``None`` if it is proven that there is no plan."""
    problem = Problem("minutes", activities, (OVEN, Resource("stove")), "made for a test", grid=grid)
    solution = solve_problem(problem)
    assert solution.status in ("optimal", "infeasible")
    assert solution.bound == solution.objective
    return solution.objective


def by_hand(name: str, duration: int, **more: Any) -> Activity:
    return Activity(name, duration, duration, **more)


def alone(name: str, duration: int, **more: Any) -> Activity:
    return Activity(name, duration, 0, **more)


# --- maximum lags -------------------------------------------------------------------------------


@pytest.mark.parametrize(("at_most", "minutes"), [(0, 12), (3, 12), (4, 9), (5, 9)])
def test_a_lag_binds_a_step_to_the_end_of_another(at_most: int, minutes: int) -> None:
    # Boil 0-3 and chop 0-7, drain 7-9: 4 after boiling. If that is too late, either the chopping waits
    # (boil 0-3, drain 3-5, chop 5-12) or the boiling (chop 0-7, boil 7-10, drain 10-12).
    chop, boil = by_hand("chop", 7), alone("boil", 3)
    drain = by_hand("drain", 2, predecessors=("boil",), max_lags=(MaxLag("boil", at_most),))
    assert shortest(chop, boil, drain) == minutes


def test_lags_that_exclude_each_other_leave_no_plan() -> None:
    # both within 1 of the end of boiling, and each takes the agent for 2
    drain, stir = (
        by_hand(name, 2, predecessors=("boil",), max_lags=(MaxLag("boil", 1),)) for name in ("drain", "stir")
    )
    assert shortest(alone("boil", 3), drain, stir) is None


# --- autonomous steps ---------------------------------------------------------------------------


def test_what_takes_no_operator_time_starts_between_two_things_and_not_within_one() -> None:
    # wash 2, boil 6 after it by itself, chop 5 and peel 3 by hand: wash 0-2, boil 2-8, chop 2-7, peel 7-10
    steps = [
        by_hand("wash", 2),
        alone("boil", 6, predecessors=("wash",)),
        by_hand("chop", 5),
        by_hand("peel", 3),
    ]
    assert shortest(*steps) == 10
    # Simmer 2 after boiling cannot start at 8, within peeling, and at 10 it would end at 12. The agent
    # waits in 7-8: simmer 8-10, peel 8-11.
    assert shortest(*steps, alone("simmer", 2, predecessors=("boil",))) == 11


# --- levels of an oven --------------------------------------------------------------------------


def oven(name: str, duration: int, *, sets: int | None = None, requires: int | None = None) -> Activity:
    return alone(
        name,
        duration,
        resources=("oven",),
        sets=None if sets is None else MachineState("oven", sets),
        requires=None if requires is None else MachineState("oven", requires),
    )


def test_each_bake_follows_a_preheat_of_its_own_temperature() -> None:
    # 350 and 400 cannot be mixed: 2 + 5, then 3 + 4
    hot = [oven("heat to 400", 3, sets=400), oven("bread", 4, requires=400)]
    warm = [oven("heat to 350", 2, sets=350), oven("cake", 5, requires=350)]
    assert shortest(*warm, *hot) == 14
    # two cakes with one preheat, and nothing that needs the other one
    assert shortest(*warm, oven("another cake", 5, requires=350)) == 12


def test_no_bake_without_a_preheat() -> None:
    assert shortest(oven("heat to 350", 2, sets=350), oven("bread", 4, requires=400)) is None


def test_preheating_to_the_same_temperature_for_as_long_is_shared() -> None:
    # 3 together, then 4 and 5 one after the other
    same = [oven("one", 3, sets=400), oven("other", 3, sets=400)]
    bakes = [oven("bread", 4, requires=400), oven("pie", 5, requires=400)]
    assert shortest(*same, *bakes) == 12
    # not if it takes longer: 3 + 2 + 4 + 5
    assert shortest(same[0], oven("other", 2, sets=400), *bakes) == 14
    # by the rule about what starts together: as long as the pie, it may as well be set while the pie bakes
    assert shortest(same[0], oven("other", 5, sets=400), *bakes) == 12


# --- pieces -------------------------------------------------------------------------------------


def test_a_splittable_step_makes_room() -> None:
    # boil 0-5 and drain at once, 5-6; chop 8: 0-5 and 6-9. In one go: chop 0-8 and boil 8-13 and drain
    # 13-14, or boil 0-5, drain 5-6, chop 6-14.
    boil, drain = alone("boil", 5), by_hand("drain", 1, predecessors=("boil",), max_lags=(MaxLag("boil", 0),))
    assert shortest(boil, drain, by_hand("chop", 8)) == 14
    assert shortest(boil, drain, by_hand("chop", 8, preemptive=True)) == 9


def test_the_grid_says_where_it_may_be_cut() -> None:
    # The same with all times doubled, and a grid of 2.
    boil, drain = (
        alone("boil", 10),
        by_hand("drain", 2, predecessors=("boil",), max_lags=(MaxLag("boil", 0),)),
    )
    chop = by_hand("chop", 16, preemptive=True)
    assert shortest(boil, drain, chop, grid=2) == shortest(boil, drain, chop) == 18


@pytest.mark.parametrize(("at_most", "minutes"), [(0, 8), (3, 8), (4, 7)])
def test_a_lag_binds_every_piece(at_most: int, minutes: int) -> None:
    # Wash 0-2, boil 0-2, toast 0-5, take out 5-6, and stir in 2-5 and 6-7: its last piece begins 4
    # after boiling. If that is too late, toast from 2 on, stir 2-6 in one go, take out 7-8.
    wash, boil, toast = by_hand("wash", 2), alone("boil", 2), alone("toast", 5)
    take_out = by_hand("take out", 1, predecessors=("toast",), max_lags=(MaxLag("toast", 0),))
    stir = by_hand("stir", 4, predecessors=("boil",), max_lags=(MaxLag("boil", at_most),), preemptive=True)
    assert shortest(wash, boil, toast, take_out, stir) == minutes


@pytest.mark.parametrize(("at_most", "minutes"), [(0, 8), (1, 7)])
def test_the_last_piece_may_go_on_after_the_lag(at_most: int, minutes: int) -> None:
    # Toast takes 3. Wash 0-2, boil 0-2, stir 2-3, start to toast, stir 3-6, take out 6-7: the second
    # piece begins 1 after boiling and lasts for 3. In one go: wash 0-2, toast 0-3, boil 2-4, take out
    # 3-4, stir 4-8.
    wash, boil, toast = by_hand("wash", 2), alone("boil", 2), alone("toast", 3)
    take_out = by_hand("take out", 1, predecessors=("toast",), max_lags=(MaxLag("toast", 0),))
    stir = by_hand("stir", 4, predecessors=("boil",), max_lags=(MaxLag("boil", at_most),), preemptive=True)
    assert shortest(wash, boil, toast, take_out, stir) == minutes


def test_a_plan_names_a_piece_by_what_is_done_before_it() -> None:
    # boil 0-5, drain 5-6, cool 6-9: a chain that leaves the hands free in 0-5 and 6-9
    boil, drain = alone("boil", 5), by_hand("drain", 1, predecessors=("boil",))
    cool, chop = alone("cool", 3, predecessors=("drain",)), by_hand("chop", 8, preemptive=True)
    solution = solve_problem(Problem("minutes", (boil, drain, cool, chop), (), "made for a test"))
    assert solution.starts == {"boil": 0, "drain": 5, "cool": 6, "chop": 0, "chop+5": 6}


def test_a_plan_is_tidy() -> None:
    # boil 0-5, drain 5-6, cool 6-9 leave the hands free for 5 and 3: chop 4 and peel 4 need one break
    boil, drain = alone("boil", 5), by_hand("drain", 1, predecessors=("boil",))
    cool, chop = alone("cool", 3, predecessors=("drain",)), by_hand("chop", 4, preemptive=True)
    peel = by_hand("peel", 4, preemptive=True)
    solution = solve_problem(Problem("minutes", (boil, drain, cool, chop, peel), (), "made for a test"))
    assert solution.objective == 9
    assert solution.starts is not None and len(solution.starts) == 6


def test_a_plan_as_a_timetable() -> None:
    boil, chop = alone("boil", 5), by_hand("chop", 8, preemptive=True)
    problem = Problem("minutes", (boil, chop), (), "made for a test")
    assert timetable(problem, {"boil": 3, "chop": 0, "chop+3": 3}) == [
        (0, 3, "chop", False, False),
        (3, 8, "boil", True, True),
        (3, 8, "chop", False, True),
    ]

"""The solver on scheduling problems written out by hand: arithmetic, statuses, honesty."""

from __future__ import annotations

import sys
from graphlib import CycleError

import pytest

from backburner.kernel.errors import MissingExtra
from backburner.kernel.oracle import Solution
from backburner.kernel.schedule import Activity, Problem, Resource
from backburner.scheduling.makespan import critical_path, makespan_bound, solve_problem

KETTLE = Activity("kettle", 8, 1)
CUP = Activity("cup", 5, 5)
TEA = Activity("tea", 2, 2, predecessors=("kettle", "cup"))


def problem(
    *activities: Activity, resources: tuple[Resource, ...] = (), forbidden: tuple[str, ...] = ()
) -> Problem:
    return Problem("minutes", activities, resources, "made for a test", forbidden)


def optimum(asked: Problem) -> Solution:
    solution = solve_problem(asked)
    assert solution.status == "optimal"
    assert solution.bound == solution.objective
    return solution


def test_background_work_goes_on_while_the_hands_are_busy() -> None:
    # kettle 0-8 needs the hands in 0-1; cup 1-6; tea 8-10
    assert optimum(problem(KETTLE, CUP, TEA)).objective == 10
    # a kettle that must be watched: 8 + 5 + 2
    assert optimum(problem(Activity("kettle", 8, 8), CUP, TEA)).objective == 15


def test_starting_background_work_takes_the_hands_for_its_attention() -> None:
    # three kettles of 3 minutes, started at 0, 1 and 2: the last ends at 2 + 3
    kettles = [Activity(f"kettle {n}", 3, 1) for n in range(3)]
    assert optimum(problem(*kettles)).objective == 5


@pytest.mark.parametrize(("stoves", "minutes"), [(1, 12), (2, 8), (3, 6)])
def test_a_resource_holds_as_many_as_it_has_units(stoves: int, minutes: int) -> None:
    # Pots of 4 minutes, one start a minute. One stove: 0-4, 4-8, 8-12. Two stoves: 0-4, 1-5, then
    # 4-8 on the first. Three stoves: 0-4, 1-5, 2-6.
    pots = [Activity(f"pot {n}", 4, 1, resources=("stove",)) for n in range(3)]
    assert optimum(problem(*pots, resources=(Resource("stove", stoves),))).objective == minutes


def test_an_activity_may_take_two_units_of_a_resource() -> None:
    # the roast takes both stoves for 3 minutes, so the pot (2) runs before or after it: 3 + 2
    roast = Activity("roast", 3, 1, resources=("stove", "stove"))
    pot = Activity("pot", 2, 1, resources=("stove",))
    assert optimum(problem(roast, pot, resources=(Resource("stove", 2),))).objective == 5


def test_the_plan_comes_as_starts() -> None:
    starts = optimum(problem(KETTLE, CUP, TEA)).starts
    assert starts is not None
    assert starts["kettle"] <= 0 and starts["tea"] == 8
    assert starts["cup"] + 5 <= 8


def test_nothing_to_do_is_done_at_once() -> None:
    assert optimum(problem()).objective == 0


def test_equal_problems_get_equal_plans() -> None:
    def solve() -> dict[str, int] | None:
        kettles = [Activity(f"kettle {n}", 3 + n % 2, 1, resources=("stove",)) for n in range(6)]
        return optimum(problem(*kettles, CUP, resources=(Resource("stove", 2),))).starts

    assert solve() == solve()


def test_a_forbidden_activity_leaves_no_plan() -> None:
    solution = solve_problem(problem(KETTLE, CUP, forbidden=("cup",)))
    assert (solution.status, solution.objective, solution.bound, solution.starts) == (
        "infeasible",
        None,
        None,
        None,
    )
    assert "cup" in solution.note


def test_activities_that_wait_for_each_other_leave_no_plan() -> None:
    hen, egg = Activity("hen", 1, 1, predecessors=("egg",)), Activity("egg", 1, 1, predecessors=("hen",))
    solution = solve_problem(problem(hen, egg))
    assert (solution.status, solution.starts) == ("infeasible", None)
    assert "hen" in solution.note and "egg" in solution.note


def test_no_time_leaves_the_answer_open() -> None:
    solution = solve_problem(problem(KETTLE, CUP, TEA), time_limit_seconds=0)
    assert (solution.status, solution.objective, solution.starts) == ("unknown", None, None)
    assert solution.bound == 10  # kettle 8 and tea 2 in a chain: known without searching


def test_little_time_never_makes_the_answer_dishonest() -> None:
    """Whatever the machine manages in the time: bounds hold, and only a closed gap is optimal."""
    # 24 pots of 2 to 7 minutes on 4 stoves, each followed by 1 minute of serving
    pots = [Activity(f"pot {n}", 2 + n * 5 % 6, 1, resources=("stove",)) for n in range(24)]
    served = [Activity(f"serve {n}", 1, 1, predecessors=(f"pot {n}",)) for n in range(24)]
    hard = problem(*pots, *served, resources=(Resource("stove", 4),))
    best = optimum(hard).objective
    assert best is not None
    for seconds in (0.0, 0.002, 0.01, 0.05, 0.2):
        solution = solve_problem(hard, time_limit_seconds=seconds)
        assert solution.bound is not None and solution.bound <= best
        assert (solution.starts is None) == (solution.objective is None) == (solution.status == "unknown")
        if solution.objective is not None:
            assert solution.objective >= best
            assert (solution.status == "optimal") <= (solution.objective == solution.bound == best)


def test_without_the_solver_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    monkeypatch.setitem(sys.modules, "ortools.sat.python.cp_model", None)
    with pytest.raises(MissingExtra, match=r"an exact oracle needs an optional part: .*pip install"):
        solve_problem(problem(KETTLE))


# --- lower bounds ---------------------------------------------------------------------------------


def test_the_longest_chain_counts() -> None:
    # a 2 -> c 4 is longer than b 5 alone
    assert critical_path({"a": 2, "b": 5, "c": 4}, {"a": (), "b": (), "c": ("a",)}) == 6


def test_nothing_to_do_takes_no_time() -> None:
    assert critical_path({}, {}) == 0
    assert makespan_bound(()) == 0


def test_the_agents_hands_count_when_they_are_fuller_than_the_longest_chain() -> None:
    # kettle 8 runs alone but is started in 1; cup 5 and table 4 are work: 1 + 5 + 4 = 10 > 8
    kettle, cup, table = Activity("kettle", 8, 1), Activity("cup", 5, 5), Activity("table", 4, 4)
    assert makespan_bound([kettle, cup, table]) == 10
    # without the table the kettle's 8 minutes are the longer of the two
    assert makespan_bound([kettle, cup]) == 8


def test_a_circle_has_no_longest_chain() -> None:
    with pytest.raises(CycleError):
        critical_path({"a": 1, "b": 1}, {"a": ("b",), "b": ("a",)})

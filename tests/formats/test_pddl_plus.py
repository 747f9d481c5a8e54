"""PDDL+: unified-planning reads the files, and they are played here tick by tick: just those starts come to
the goal that are a schedule of the problem."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import permutations
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from unified_planning.io import PDDLReader
from unified_planning.model import OperatorKind

from backburner.formats.files import exported
from backburner.formats.pddl import planned_starts
from backburner.kernel.errors import Refused
from backburner.kernel.schedule import Activity, MachineState, MaxLag, Problem, Resource
from backburner.scheduling.makespan import solve_problem
from support.scheduling.tiny_problems import feasible, tiny_problem, with_windows

# --- who plays the files -----------------------------------------------------------------------------------

State = Mapping[str, Any]
MEANING: Mapping[OperatorKind, Callable[[Sequence[Any]], Any]] = {
    OperatorKind.AND: all,
    OperatorKind.OR: any,
    OperatorKind.PLUS: sum,
    OperatorKind.LE: lambda of: operator.le(*of),
    OperatorKind.EQUALS: lambda of: operator.eq(*of),
}


def value(of: Any, state: State) -> Any:
    if of.is_fluent_exp():
        return state[of.fluent().name]
    if of.is_constant():
        return of.constant_value()
    return MEANING[of.node_type]([value(each, state) for each in of.args])


def holds(conditions: Iterable[Any], state: State) -> bool:
    return all(value(each, state) for each in conditions)


def after(one: Any, state: State) -> State:
    """All effects are of the state before."""
    changed = dict(state)
    for each in one.effects:
        name, new = each.fluent.fluent().name, value(each.value, state)
        more = each.is_increase() or each.is_continuous_increase()
        changed[name] = state[name] + new if more else state[name] - new if each.is_decrease() else new
    return changed


def settled(up: Any, state: State) -> State:
    """The state when no event happens any more."""
    while happening := [each for each in up.events if holds(each.preconditions, state)]:
        state = after(happening[0], state)
    return state


def acted(up: Any, names: Sequence[str], state: State) -> State | None:
    """The state behind actions of one tick, in an order in which each may be done."""
    for order in permutations(names):
        end: State | None = state
        for action in map(up.action, order):
            end = after(action, end) if end is not None and holds(action.preconditions, end) else None
        if end is not None:
            return end
    return None


@cache
def read(problem: Problem) -> Any:
    files = exported(problem, "pddl+")
    return PDDLReader().parse_problem_string(files.content.decode(), files.beside["-problem.pddl"].decode())


def ended(problem: Problem, starts: Mapping[str, int]) -> int | None:
    """When the goal is reached in the files by starts of the activities; ``None`` where it is not."""
    up = read(problem)
    state: State = {each.fluent().name: of.constant_value() for each, of in up.initial_values.items()}
    for now in range(max(starts.values()) + max(each.duration for each in problem.activities) + 1):
        begun = [f"a{n}" for n, each in enumerate(problem.activities, 1) if starts[each.name] == now]
        thought = [
            f"think-a{n}"
            for n, each in enumerate(problem.activities, 1)
            if problem.decision_ticks and starts[each.name] - problem.decision_ticks == now
        ]
        behind = acted(up, [*begun, *thought], settled(up, state))
        if behind is None:
            return None
        state = settled(up, behind)
        if holds(up.goals, state):
            return int(state["clock"])
        for process in up.processes:
            state = after(process, state) if holds(process.preconditions, state) else state
    return None


# --- what they say -----------------------------------------------------------------------------------------


def is_schedule(problem: Problem, starts: Mapping[str, int]) -> bool:
    of = {each.name: each for each in problem.activities}
    return all(
        starts[before] + of[before].duration <= starts[each.name]
        for each in problem.activities
        for before in each.predecessors
    ) and feasible(
        problem, {name: tuple(range(start, start + of[name].duration)) for name, start in starts.items()}
    )


def tried(problem: Problem, random: Random) -> Iterator[dict[str, int]]:
    """The best starts, those with one moved a little, and any others."""
    names = [each.name for each in problem.activities]
    best = solve_problem(problem).starts
    for _ in range(3):
        yield {name: random.randrange(6) for name in names}
    if best:
        yield {**best}
        moved = [{**best, name: best[name] + by} for name in names for by in (-1, 1, 2)]
        yield from (each for each in moved if min(each.values()) >= 0)


def test_the_goal_is_reached_by_schedules_alone() -> None:
    """Windows, lags, operator, thoughts, states and units of resources, as they are drawn."""
    verdicts = dict.fromkeys(((said, thought) for said in (True, False) for thought in (0, 1)), 0)
    for seed in range(24):
        random, thought = Random(seed), int(seed % 4 == 0)
        drawn = tiny_problem(random) if thought else with_windows(tiny_problem(random), random)
        whole = tuple(replace(each, preemptive=False) for each in drawn.activities)
        problem = replace(drawn, activities=whole, decision_ticks=thought)
        for starts in tried(problem, random):
            end = ended(problem, starts)
            expected = is_schedule(problem, starts)
            assert (end is not None) == expected, (seed, starts, end)
            if end is not None:
                assert end == max(starts[each.name] + each.duration for each in problem.activities)
            verdicts[expected, thought] += 1
    assert min(verdicts.values()) > 5, verdicts


def oven(degrees: int) -> MachineState:
    return MachineState("oven", degrees)


BREAD = Problem(
    "minutes",
    (
        Activity("heat", 3, 1, (), ("oven",), sets=oven(350)),
        Activity("bake", 4, 0, ("heat",), ("oven", "tray"), (MaxLag("heat", 1),), requires=oven(350)),
        Activity("cool", 2, 1, (), ("oven",), sets=oven(200)),
        Activity("dry", 2, 0, (), ("oven", "tray"), requires=oven(200), deadline=12),
        Activity('mix "it)\n(', 2, 2, release=1),
        Activity("taste", 0, 0, ("bake",), (), (MaxLag("bake", 0),)),
    ),
    (Resource("oven"), Resource("tray", 2)),
    "all of it",
)
"""The oven alone takes 3 + 4 + 2 + 2 = 11 minutes."""

BEST = {"heat": 0, "bake": 3, 'mix "it)\n(': 1, "taste": 7, "cool": 7, "dry": 9}


@pytest.mark.parametrize(
    ("moved", "end"),
    [
        ({}, 11),
        ({"taste": 8}, None),  # no later than the end of baking
        ({"taste": 6}, None),  # not before it
        ({"bake": 2, "taste": 6}, None),  # the oven is being heated
        ({"bake": 5, "taste": 9, "cool": 9, "dry": 11}, None),  # 2 after heating; 1 at most
        ({"cool": 8, "dry": 10}, 12),
        ({"cool": 9, "dry": 11}, None),  # it is dry at 13; 12 at the latest
        ({"dry": 7, "cool": 9}, None),  # in an oven of 350 degrees
        ({"dry": 7}, None),  # both start at 7: the oven is not at 200 already
        ({'mix "it)\n(': 0}, None),  # released at 1
        ({'mix "it)\n(': 2}, None),  # baking starts at 3, and the operator is at mixing until 4
        ({'mix "it)\n(': 3}, 11),
        ({"mix \"it)\n(": 6}, None),  # until 8: nobody begins to cool the oven at 7
    ],
)  # fmt: skip
def test_what_is_broken_does_not_come_to_the_goal(moved: Mapping[str, int], end: int | None) -> None:
    assert ended(BREAD, {**BEST, **moved}) == end


def test_setups_share_a_machine_only_from_the_same_start() -> None:
    """All set the oven to 200; who only uses it shares where it has been at 200 before."""
    setups = [Activity(name, 2, int(name == "one"), (), ("oven",), sets=oven(200)) for name in ("one", "two")]
    user = Activity("use", 2, 0, (), ("oven",))
    problem = Problem("steps", (*setups, user), (Resource("oven"),), "all")
    assert ended(problem, {"one": 0, "two": 0, "use": 2}) == 4
    assert ended(problem, {"one": 0, "two": 1, "use": 3}) is None
    assert ended(problem, {"one": 0, "two": 0, "use": 0}) is None
    assert ended(problem, {"one": 0, "two": 2, "use": 2}) == 4
    longer = replace(problem, activities=(replace(setups[0], duration=3), setups[1], user))
    assert ended(longer, {"one": 0, "two": 0, "use": 3}) is None


def test_a_lag_binds_nothing_before_the_other_one_has_begun() -> None:
    """Lags are of what need not be before, too: y ends at 2, and then x starts at 3 at the latest."""
    x, y = Activity("x", 1, 0, max_lags=(MaxLag("y", 1),)), Activity("y", 2, 0)
    problem = Problem("steps", (x, y), (), "all")
    for starts, end in (((3, 0), 4), ((4, 0), None), ((4, 5), 7), ((1, 0), 2)):
        assert ended(problem, dict(zip("xy", starts, strict=True))) == end


def test_what_takes_no_time_is_within_nothing_that_holds_its_one_unit() -> None:
    """It may be at the start and at the end; of several units, anywhere."""
    look, run = Activity("look", 0, 0, (), ("r", "s")), Activity("run", 3, 0, (), ("r", "s", "s"))
    problem = Problem("steps", (look, run), (Resource("r"), Resource("s", 2)), "all")
    for at, fits in ((0, False), (1, True), (2, False), (3, False), (4, True)):
        pinned = (replace(look, release=at, deadline=at), replace(run, release=1, deadline=4))
        best = solve_problem(replace(problem, activities=pinned)).objective
        assert (ended(problem, {"look": at, "run": 1}), best) == ((4, 4) if fits or not at else (None, None))
    several = replace(look, resources=("s",)), run
    assert ended(replace(problem, activities=several), {"look": 2, "run": 1}) == 4


DRY = """
  (:action a4 :parameters ()
    :precondition (and (todo-a4) (<= (+ (clock) 2) 12) (operator) (= (state-r1) 200) (free-r1) (>= (free-r2) 1))
    :effect (and (not (todo-a4)) (assign (ends-a4) (+ (clock) 2)) (running-a4) (not (free-r1)) (decrease (free-r2) 1)))
"""  # noqa: E501

EVENT = """
  (:event end-a4 :parameters ()
    :precondition (and (running-a4) (>= (clock) (ends-a4)))
    :effect (and (not (running-a4)) (done-a4) (free-r1) (increase (free-r2) 1)))
"""


def test_a_start_is_an_action_and_an_end_an_event() -> None:
    files = exported(BREAD, "pddl+")
    text = files.content.decode()
    assert DRY in text and EVENT in text and text.isascii()
    assert '; a5 = "mix \\"it)\\n("' in text.splitlines()
    assert "(:metric minimize (clock))" in files.beside["-problem.pddl"].decode()


def test_whole_ticks_are_told_and_interruptions_refused() -> None:
    assert exported(BREAD, "pddl+").lost == (
        "moments between ticks: it is exact only where time passes in whole ones",
    )
    with pytest.raises(Refused, match="leaves out moments between ticks"):
        exported(BREAD, "pddl+", strict=True)
    mixed = replace(BREAD.activities[4], preemptive=True)
    with pytest.raises(Refused, match=r"pddl\+ has no way to say interruptions \(1 of 1 activities\)"):
        exported(replace(BREAD, activities=(mixed,)), "pddl+")


PLAN = """0: (think-a2)
0: -----waiting---- [1.0]
1.0: (a2)
1.0: (think-a1)
2.0: (a1)
"""


def test_a_plan_as_a_planner_prints_it_gives_starts() -> None:
    problem = Problem("steps", (Activity("x", 1, 1), Activity("y", 1, 0)), (), "all", decision_ticks=1)
    starts = planned_starts(PLAN, problem)
    assert starts == {"x": 2, "y": 1} and ended(problem, starts) == 3

"""unified-planning: problems there and back, plans back; files of others as far as we have words."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from unified_planning.grpc.proto_writer import ProtobufWriter
from unified_planning.model.scheduling import SchedulingProblem
from unified_planning.plans import Schedule
from unified_planning.shortcuts import GE, LE, LT, And, Equals, Or, Plus

from backburner.formats.files import exported, imported
from backburner.formats.up import to_up
from backburner.kernel.errors import BackburnerError, BadFile, Refused
from backburner.kernel.schedule import Activity, MaxLag, Problem, Resource
from backburner.scheduling.makespan import solve_problem
from backburner.scheduling.preemption import with_preemption
from support.scheduling.tiny_problems import feasible, tiny_problem, with_windows


def drawn(random: Random) -> Problem:
    problem = with_windows(tiny_problem(random), random)
    splits = any(activity.preemptive for activity in problem.activities)
    return replace(problem, decision_ticks=0 if splits else random.choice([0, 1]))


DRAWN = st.randoms(use_true_random=False).map(drawn)


@given(DRAWN)
@settings(max_examples=40, deadline=None)
def test_every_problem_comes_back(tmp_path_factory: pytest.TempPathFactory, problem: Problem) -> None:
    file = tmp_path_factory.mktemp("u") / "a.up"
    file.write_bytes(exported(problem, "up", strict=True).content)
    assert imported(file) == problem


def holds(node: Any, starts: dict[str, int]) -> bool:
    """Whether a constraint holds for these starts, read off the expression alone."""
    if node.is_and() or node.is_or():
        return (all if node.is_and() else any)(holds(each, starts) for each in node.args)
    one, other = (
        each.constant_value()
        if each.is_constant()
        else starts[each.timing().timepoint.container] + each.timing().delay
        for each in node.args
    )
    return one <= other


def allowed(stated: Any, starts: dict[str, int]) -> bool:
    """Whether unified-planning's own reading allows these starts: constraints, and levels of resources. An
    activity begins with the thought before it there."""
    up = stated.up
    starts = {name: start - stated.problem.decision_ticks for name, start in starts.items()}
    if min(starts.values()) < 0 or not all(holds(each, starts) for each, _ in up.all_constraints()):
        return False
    changes: dict[str, list[tuple[int, int, int]]] = {}
    for at, effect, activity in up.all_effects():
        amount = effect.value.constant_value() * (1 if effect.is_increase() else -1)
        point = (
            starts[activity.name]
            + at.delay
            + (0 if at.is_from_start() else activity.duration.lower.constant_value())
        )
        changes.setdefault(effect.fluent.fluent().name, []).append((point, -amount, amount))
    for name, listed in changes.items():
        level = next(fluent.type.upper_bound for fluent in up.fluents if fluent.name == name)
        for _, _, amount in sorted(listed):  # what is given back at a time is there for who takes it then
            level += amount
            if level < 0:
                return False
    return True


@given(DRAWN, st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_it_allows_what_the_problem_allows(problem: Problem, random: Random) -> None:
    """Against the checks that share no code with any model, at the optimum and at starts near it."""
    stated = to_up(problem)
    best = solve_problem(problem).starts
    parts = [each.name for each in stated.discretised.problem.activities]
    if best is None or len(best) < len(parts):
        starts = {name: random.randint(0, 6) for name in parts}
    else:
        starts = dict(zip(parts, best.values(), strict=True))
    for _ in range(6):
        runs: dict[str, tuple[int, ...]] = {}
        for number, each in enumerate(problem.activities, 1):
            mine = [name for name in parts if name.partition("+")[0] == f"a{number}"]
            runs[each.name] = tuple(
                unit
                for name in mine
                for unit in range(starts[name], starts[name] + each.duration // len(mine))
            )
        in_order = all(list(run) == sorted(set(run)) for run in runs.values())
        after = all(runs[b][-1] < runs[a.name][0] for a in problem.activities for b in a.predecessors)
        assert allowed(stated, starts) == (in_order and after and feasible(problem, runs)), (starts, problem)
        moved = random.choice(parts)
        starts = {**starts, moved: max(0, starts[moved] + random.choice([-1, 1]))}


def test_a_plan_comes_back_by_name() -> None:
    """Chopping for three steps is interrupted by what must not wait; parts that go on are no parts."""
    boil = Activity("boil", 1, 0)
    drain = Activity("drain it", 1, 1, ("boil",), (), (MaxLag("boil", 0),))
    problem = Problem("steps", (Activity("chop", 3, 3, preemptive=True), boil, drain), (), "all")
    stated = to_up(problem)
    at = {"a1": 0, "a1+1": 2, "a1+2": 3, "a2": 0, "a3": 1}
    plan = Schedule(
        stated.up.activities, {stated.up.get_activity(name).start: start for name, start in at.items()}
    )
    assert stated.starts(plan) == {"chop": 0, "chop+1": 2, "boil": 0, "drain it": 1}
    assert with_preemption(problem).part_before["chop+2"] == "chop+1"


# --- files of others ---------------------------------------------------------------------------------------


def file_of(up: Any, folder: Path) -> Path:
    file = folder / "theirs.up"
    file.write_bytes(ProtobufWriter().convert(up).SerializeToString())
    return file


def shop() -> Any:
    up = SchedulingProblem("shop")
    oven = up.add_resource("oven", 2)
    bake, cool = up.add_activity("bake", 6), up.add_activity("cool", 3)
    bake.uses(oven, 2)
    bake.add_release_date(1)
    cool.add_deadline(20)
    up.add_constraint(And(LE(bake.end, cool.start), LE(cool.start, Plus(bake.end, 2))))
    return up


def test_delays_resources_and_windows_of_others_are_read(tmp_path: Path) -> None:
    assert imported(file_of(shop(), tmp_path)) == Problem(
        "steps",
        (
            Activity("bake", 6, 0, (), ("oven", "oven"), release=1),
            Activity("cool", 3, 0, ("bake",), (), (MaxLag("bake", 2),), deadline=20),
        ),
        (Resource("oven", 2),),
        "every start of each activity",
    )


@pytest.mark.parametrize(
    ("constraint", "why"),
    [
        (lambda one, other: Or(LE(one.end, other.start), LT(other.end, one.start)), "no delay between"),
        (lambda one, other: Equals(one.end, other.start), "no delay between"),
    ],
)
def test_other_constraints_of_others_are_refused(tmp_path: Path, constraint: Any, why: str) -> None:
    up = shop()
    up.add_constraint(constraint(*up.activities))
    with pytest.raises(Refused, match=why):
        imported(file_of(up, tmp_path))


def test_the_json_in_a_file_is_believed_only_where_the_rest_says_the_same(tmp_path: Path) -> None:
    problem = Problem("steps", (Activity("one", 2, 2), Activity("two", 1, 1)), (), "all")
    up = to_up(problem, exported(problem, "problem").content.decode()).up
    forged = file_of(up, tmp_path)
    assert imported(forged).activities[0].name == "a1"  # spelt in another way, and so read as anybody's
    named = imported(forged)
    assert named.resources == (Resource("operator"),) and named.activities[0].resources == ("operator",)


def test_what_is_no_file_of_it_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.up").write_bytes(b"\xff\xff not this")
    with pytest.raises(BadFile, match="no problem of unified-planning"):
        imported(tmp_path / "x.up")
    late = shop()
    late.add_constraint(GE(late.activities[0].start, 99_000_000))
    with pytest.raises(BackburnerError, match="field 'release'"):
        imported(file_of(late, tmp_path))


def test_a_name_that_tells_of_more_than_the_file_holds_is_only_a_name(tmp_path: Path) -> None:
    """It would be ten million parts, made to be compared with one activity."""
    up = to_up(Problem("steps", (Activity("a", 1, 0),), (), "all")).up
    long = 10_000_000
    up.name = msgspec.json.encode(
        Problem("steps", (Activity("a", long, long, preemptive=True),), (), "all")
    ).decode()
    (tmp_path / "a.up").write_bytes(ProtobufWriter().convert(up).SerializeToString())
    assert imported(tmp_path / "a.up").activities == (Activity("a1", 1, 0),)


def test_a_problem_of_too_many_alternatives_is_refused_before_it_is_stated() -> None:
    """80 activities that need no hand, beside 80 works of 2: 6,400 pairs of which one goes first."""
    free = [Activity(f"wait {number}", 3, 0) for number in range(80)]
    works = [Activity(f"work {number}", 2, 2) for number in range(80)]
    with pytest.raises(Refused, match="6400 pairs of activities of which one goes first; at most 5000"):
        to_up(Problem("minutes", (*free, *works), (), "all"))

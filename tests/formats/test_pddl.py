"""PDDL 2.1: what is written, for whom it is readable, and what comes back."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from unified_planning.io import PDDLReader

from backburner.formats.files import exported, imported
from backburner.formats.pddl import planned_starts
from backburner.kernel.errors import Refused
from backburner.kernel.schedule import Activity, MaxLag, Problem, Resource
from support.scheduling.tiny_problems import tiny_problem, with_windows

SOUP = Problem(
    "minutes",
    (
        Activity('cut "it)\\n(', 2, 2),
        Activity("boil", 6, 1, ('cut "it)\\n(',), ("pot",), release=3),
        Activity("cool", 4, 0, ("boil",), ("rack", "rack"), deadline=20),
    ),
    (Resource("pot"), Resource("rack", 3)),
    "all of it",
)
"""The operator is at the pot for a minute of six."""

ACTIONS = """
  (:durative-action a1 :parameters () :duration (= ?duration 2)
    :condition (and (at start (todo-a1)) (at start (operator)))
    :effect (and (at start (not (todo-a1))) (at end (done-a1)) (at start (not (operator))) (at end (operator))))
  (:durative-action a2 :parameters () :duration (= ?duration 6)
    :condition (and (at start (todo-a2)) (at start (operator)) (at start (done-a1)) (at start (released-a2)) (at start (free-r1)))
    :effect (and (at start (not (todo-a2))) (at end (done-a2)) (at start (not (operator))) (at start (begun-a2)) (at start (not (free-r1))) (at end (free-r1))))
  (:durative-action free-a2 :parameters () :duration (= ?duration 1)
    :condition (and (at start (begun-a2)))
    :effect (and (at start (not (begun-a2))) (at end (operator))))
  (:durative-action a3 :parameters () :duration (= ?duration 4)
    :condition (and (at start (todo-a3)) (at start (operator)) (at start (done-a2)) (at end (open-a3)) (at start (>= (free-r2) 2)))
    :effect (and (at start (not (todo-a3))) (at end (done-a3)) (at start (decrease (free-r2) 2)) (at end (increase (free-r2) 2))))
)
"""  # noqa: E501

INIT = (
    "(:init (operator) (todo-a1) (todo-a2) (todo-a3) (free-r1) (= (free-r2) 3) (at 3 (released-a2)) "
    "(open-a3) (at 20.5 (not (open-a3))))"
)


def test_each_activity_is_an_action_that_is_done_once() -> None:
    files = exported(SOUP, "pddl2.1", strict=True)
    domain, task = files.content.decode(), files.beside["-problem.pddl"].decode()
    assert domain.isascii() and domain.endswith(ACTIONS.lstrip("\n")) and INIT in task
    assert '; a1 = "cut \\"it)\\\\n("' in domain.splitlines()


def drawn(random: Random) -> Problem:
    problem = with_windows(tiny_problem(random), random)
    plain = (
        replace(each, max_lags=(), sets=None, requires=None, preemptive=False) for each in problem.activities
    )
    return replace(problem, activities=tuple(plain))


@given(st.randoms(use_true_random=False).map(drawn))
@settings(max_examples=30, deadline=None)
def test_a_reader_of_others_takes_it_and_ours_takes_it_back(
    tmp_path_factory: pytest.TempPathFactory, problem: Problem
) -> None:
    files = exported(problem, "pddl2.1")
    read = PDDLReader().parse_problem_string(files.content.decode(), files.beside["-problem.pddl"].decode())
    durations = {each.name: int(each.duration.lower.constant_value()) for each in read.durative_actions}
    for number, each in enumerate(problem.activities, 1):
        assert durations.pop(f"a{number}") == each.duration
        if 0 < each.operator_time < each.duration:
            assert durations.pop(f"free-a{number}") == each.operator_time
    assert not durations
    file = tmp_path_factory.mktemp("d") / "a.pddl"
    file.write_bytes(files.content)
    assert imported(file) == problem


def test_a_domain_that_is_not_ours_or_was_changed_is_refused(tmp_path: Path) -> None:
    text = exported(SOUP, "pddl2.1").content.decode()
    for other in (
        text.replace("duration 6", "duration 5"),
        "(define (domain d))",
        text.replace('"duration": 6', '"duration": 7'),
    ):
        (tmp_path / "a.pddl").write_text(other)
        with pytest.raises(Refused, match="only as backburner writes it"):
            imported(tmp_path / "a.pddl")


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"max_lags": (MaxLag("boil", 0),)}, "maximum lags"),
        ({"preemptive": True}, "interruptions"),
    ],
)
def test_what_has_no_action_is_refused(changed: dict[str, object], why: str) -> None:
    activities = (replace(SOUP.activities[0], **changed), *SOUP.activities[1:])
    with pytest.raises(Refused, match=f"--format pddl2.1 has no way to say {why}"):
        exported(replace(SOUP, activities=activities), "pddl2.1")
    with pytest.raises(Refused, match="thoughts before starts"):
        exported(replace(SOUP, decision_ticks=1), "pddl2.1")


PLAN = """; Time 0.02
0.000: (A1)  [2.000]
3.001: ( a2 ) [6.000]
3.002: (free-a2) [1.000]
9.003: (a3) [4.000]
"""


def test_a_plan_as_planners_print_it_gives_starts() -> None:
    first, boil, cool = (each.name for each in SOUP.activities)
    assert planned_starts(PLAN, SOUP) == {first: 0, boil: 3, cool: 9}
    with pytest.raises(Refused, match="2 starts of 3 activities"):
        planned_starts(PLAN.replace("(a3)", "(a9)").replace("(A1)", ""), SOUP)

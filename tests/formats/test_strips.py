"""PDDL of others as tasks: what is read means what it says, and everything else is refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from backburner.formats.strips import read_task
from backburner.kernel.errors import BadFile, Refused
from backburner.planning.astar import Limits
from backburner.planning.planner import Planner
from backburner.planning.task import Task

BALLS = """
(define (domain gripper) (:requirements :strips :typing)
  (:types room ball gripper)
  (:predicates (at-robby ?r - room) (at ?b - ball ?r - room) (free ?g - gripper)
    (carry ?b - ball ?g - gripper))
  (:action move :parameters (?from ?to - room)
    :precondition (at-robby ?from) :effect (and (at-robby ?to) (not (at-robby ?from))))
  (:action pick :parameters (?b - ball ?r - room ?g - gripper)
    :precondition (and (at ?b ?r) (at-robby ?r) (free ?g))
    :effect (and (carry ?b ?g) (not (at ?b ?r)) (not (free ?g))))
  (:action drop :parameters (?b - ball ?r - room ?g - gripper)
    :precondition (and (carry ?b ?g) (at-robby ?r))
    :effect (and (at ?b ?r) (free ?g) (not (carry ?b ?g)))))
"""
FOUR_BALLS = """
(define (problem four) (:domain gripper)
  (:objects rooma roomb - room b1 b2 b3 b4 - ball left right - gripper)
  (:init (at-robby rooma) (free left) (free right)
    (at b1 rooma) (at b2 rooma) (at b3 rooma) (at b4 rooma))
  (:goal (and (at b1 roomb) (at b2 roomb) (at b3 roomb) (at b4 roomb))))
"""
SWITCHES = """
(define (domain switches) (:requirements :strips :typing :negative-preconditions)
  (:types lamp fan - device device - object)
  (:predicates (on ?d - device) (wired ?a ?b - device))
  (:action press :parameters (?a ?b - device)
    :precondition (and (wired ?a ?b) (not (on ?b))) :effect (and (not (on ?a)) (on ?b))))
"""
LAMPS = """
(define (problem lamps) (:domain switches)
  (:objects l1 l2 - lamp f1 - fan)
  (:init (wired l1 l1) (wired l1 f1) (wired f1 l2))
  (:goal (and (on l1) (on l2) (not (on f1)))))
"""


def read(folder: Path, domain: str, problem: str) -> Task:
    (folder / "d.pddl").write_text(domain, "utf-8")
    (folder / "p.pddl").write_text(problem, "utf-8")
    return read_task(folder / "d.pddl", folder / "p.pddl")


def shortest(task: Task) -> tuple[str, ...] | None:
    planner = Planner(task)
    planner.run(Limits(60))
    assert planner.is_proven
    return planner.plan


def test_four_balls_take_two_ways(tmp_path: Path) -> None:
    """Two picks, a move, two drops, a way back, and the same again: 5 + 1 + 5."""
    plan = shortest(read(tmp_path, BALLS, FOUR_BALLS))
    assert plan is not None and len(plan) == 11
    assert sum(name.startswith("move(") for name in plan) == 3


def test_parameters_may_stand_for_one_object_and_types_below_a_type_for_it(tmp_path: Path) -> None:
    """l1 is wired to itself: what an action adds stays, though it deletes it. f1 presses l2, and is off."""
    plan = shortest(read(tmp_path, SWITCHES, LAMPS))
    assert plan is not None and sorted(plan) == ["press(a/b=l1)", "press(a=f1,b=l2)"]


def test_a_goal_that_nothing_reaches_has_no_plan(tmp_path: Path) -> None:
    assert shortest(read(tmp_path, SWITCHES, LAMPS.replace("(wired f1 l2)", ""))) is None


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("(not (on ?b))", "(or (on ?b) (not (on ?a)))", "disjunctive conditions"),
        ("(on ?b))))", "(when (on ?a) (on ?b)))))", "conditional effects"),
        ("(wired ?a ?b) (not", "(not (= ?a ?b)) (not", "equalities"),
        ("(:action", "(:functions (total-cost)) (:action", "undefined initial numeric"),
    ],
)
def test_everything_else_is_refused_by_name(tmp_path: Path, old: str, new: str, why: str) -> None:
    assert old in SWITCHES
    with pytest.raises((Refused, BadFile), match=why):
        read(tmp_path, SWITCHES.replace(old, new), LAMPS)


def test_what_cannot_be_read_or_is_too_large_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="not read"):
        read(tmp_path, "(define", LAMPS)
    with pytest.raises(BadFile, match="more than 100 brackets"):
        read(tmp_path, "(" * 200_000, LAMPS)
    many = " ".join(f"x{n}" for n in range(200))
    with pytest.raises(Refused, match="more than 20000 facts about 203 objects"):
        read(tmp_path, SWITCHES, LAMPS.replace("l1 l2 - lamp", f"l1 l2 {many} - lamp"))

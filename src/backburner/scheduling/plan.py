"""The variables of a constraint model of plans."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from backburner.kernel.scheduling import Activity, Problem

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntervalVar, IntVar, LinearExprT


class Schedule(NamedTuple):
    """The variables of a plan: each activity's start and end, and when it holds the agent.

    ``follows``: activities that are further pieces of one, each with the piece before it.
    """

    problem: Problem
    model: CpModel
    start: dict[str, IntVar]
    end: dict[str, LinearExprT]
    attention: list[IntervalVar]
    follows: Mapping[str, str]


def users_of(problem: Problem, resource: str) -> list[Activity]:
    """The activities that hold the resource while they run."""
    return [activity for activity in problem.activities if resource in activity.resources]

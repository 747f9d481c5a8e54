"""Worlds of problems that tests make."""

from __future__ import annotations

import msgspec

from backburner.kernel import registry
from backburner.kernel.schedule import Problem
from backburner.worlds.projects.game import STANDARD, Limits, Projects, catalogue


def world_of(problem: Problem) -> Projects:
    """The world of a problem, by way of its scenario file."""
    raw = msgspec.json.decode(registry.scenario_file_of(problem, "tiny"))
    path, scenario = catalogue.read(raw, "tiny")
    return Projects(f"projects/user/{path}", scenario, STANDARD, Limits())

"""An oracle that is given an effort answers the same, however fast the machine is."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.oracle import Request, Solution, solve_world
from support.hurried import hurry

CASES = [
    ("timearena/cooking1+cooking2+cooking3", 1.0, "optimal"),
    ("timearena/cooking1+cooking2+cooking3", 0.0, "unknown"),
    ("recipe2plan/Cobbler+Pancakes", 1.0, "optimal"),
    ("cuisineworld/level_0@tau=1.5", 1.0, "optimal"),
    ("cuisineworld/level_7@tau=1.0", 0.3, "feasible"),
    ("robotouille/synchronous/2@seed=42", 1.0, "optimal"),
    ("robotouille/asynchronous/6@seed=42", 0.05, "feasible"),
    ("collab_overcooked/baked_bell_pepper_soup", 1.0, "optimal"),
    ("collab_overcooked/potato_carrot_and_onion_patty", 0.3, "unknown"),
    ("collab_grid/baked_bell_pepper_soup", 1.0, "optimal"),
    ("collab_grid/potato_carrot_and_onion_patty", 0.1, "unknown"),
    ("minecraft/level_1@tau=1.5", 1.0, "optimal"),
    ("minecraft/level_2@tau=1.5", 0.3, "feasible"),
]
"""Scenario, effort, and how far that leads: to the end, or to where it is used up."""


def answer(id: str, request: Request) -> Solution:
    """What a process that has solved nothing yet finds, but for the time that it takes."""
    return replace(solve_world(registry.world(id), request), seconds=0.0)


@pytest.mark.parametrize(("id", "effort", "status"), CASES)
def test_an_effort_leads_equally_far_on_every_machine(
    id: str, effort: float, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = answer(id, Request(effort=effort))
    assert first.status == status
    hurry(monkeypatch)
    # No time is left, and more workers are given, to somebody whose clock runs ahead.
    assert answer(id, Request(effort=effort, time_limit_seconds=0.0, workers=4)) == first

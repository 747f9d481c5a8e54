"""Solving that goes on where it was interrupted."""

from __future__ import annotations

from pathlib import Path

import pytest

from backburner.kernel import registry
from backburner.kernel.errors import BadFile
from backburner.kernel.oracle import Kept, solve_world
from support.robotouille.kitchens import world_in

GOAL = [{"predicate": "iscut", "args": ["lettuce"], "ids": [1]}]


def test_what_is_proven_is_not_solved_again(tmp_path: Path) -> None:
    """Three cuts at the board where the robot stands; the second time the very same answer comes back."""
    path = tmp_path / "kept" / "found.jsonl"
    world = world_in(["board lettuce"], goal=GOAL)
    found = solve_world(world, kept=Kept(path))
    assert (found.status, found.objective, found.bound) == ("optimal", 3, 3)
    assert solve_world(world, kept=Kept(path)) == found
    assert len(path.read_text().splitlines()) == 1


def test_other_rules_are_another_matter(tmp_path: Path) -> None:
    path = tmp_path / "found.jsonl"
    for rules in ("standard", "released"):
        solve_world(world_in(["board lettuce"], goal=GOAL, rules=rules), kept=Kept(path))
    assert len(path.read_text().splitlines()) == 2


def test_every_world_can_be_kept(tmp_path: Path) -> None:
    path = tmp_path / "found.jsonl"
    world = registry.world("timearena/lab1")
    assert solve_world(world, kept=Kept(path)) == solve_world(world, kept=Kept(path))


def test_a_line_that_was_cut_off_is_left_out_and_any_other_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "found.jsonl"
    world = world_in(["board lettuce"], goal=GOAL)
    found = solve_world(world, kept=Kept(path))
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:40])
    assert Kept(path).get(world) == found
    assert path.read_bytes() == whole
    path.write_bytes(whole[:-1])
    assert Kept(path).get(world) == found, "an editor may leave out the last line's end"
    Kept(path).add(world, found)
    assert path.read_bytes() == whole + whole, "what comes next stands on a line of its own"
    path.write_bytes(b"{}\n" + whole)
    with pytest.raises(BadFile, match="line 1"):
        Kept(path)

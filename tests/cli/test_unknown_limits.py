"""Scenarios whose limits cannot be told: they are shown, played without, and not run by mistake."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from backburner.cli import app
from backburner.kernel import registry
from backburner.kernel.episode import read_episode
from backburner.kernel.errors import UnknownLimits

UNKNOWN = "robotouille/synchronous/3@seed=7"
KNOWN = "robotouille/synchronous/3@seed=42"
NO_LIMITS = {"steps": None, "attempts": None, "failed_calls": None}

runner = CliRunner()


def test_looking_needs_no_limits() -> None:
    shown = runner.invoke(app, ["show", UNKNOWN, "--json"], catch_exceptions=False)
    unlimited = runner.invoke(app, ["show", UNKNOWN, "--json", "--limits", "none"], catch_exceptions=False)
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert json.loads(shown.stdout) == json.loads(unlimited.stdout)


def test_who_looks_is_told_that_no_limit_is_known() -> None:
    why = "no shortest plan is known under standard rules, so there is no step limit; it is shown without one"
    for asked in ([], ["--prompt", "react"]):
        shown = runner.invoke(app, ["show", UNKNOWN, *asked], catch_exceptions=False)
        assert shown.exit_code == 0
        assert f"{UNKNOWN}: {why}" in " ".join(shown.stderr.split())
    assert not runner.invoke(app, ["show", KNOWN]).stderr


def test_a_person_plays_without_limits_and_is_told(tmp_path: Path) -> None:
    record = tmp_path / "mine.jsonl"
    played = runner.invoke(
        app, ["play", UNKNOWN, "--out", str(record)], input="Finish\nFinish\n", catch_exceptions=False
    )
    assert played.exit_code == 0
    why = "no shortest plan is known under standard rules, so there is no step limit; you play without one"
    assert f"{UNKNOWN}: {why}" in " ".join(played.stderr.split())
    assert read_episode(record).header.limits == NO_LIMITS


def test_known_limits_hold_when_a_person_plays(tmp_path: Path) -> None:
    record = tmp_path / "mine.jsonl"
    played = runner.invoke(app, ["play", KNOWN, "--out", str(record)], input="Finish\n")
    assert "without" not in played.stderr
    assert read_episode(record).header.limits["steps"] > 0


def test_a_run_is_refused_in_one_line_that_says_what_to_do(tmp_path: Path) -> None:
    run = runner.invoke(app, ["run", UNKNOWN, "--out", str(tmp_path)])
    assert isinstance(run.exception, UnknownLimits)
    assert str(run.exception).endswith("in a scenario file, or play with --limits none")
    assert not list(tmp_path.rglob("*.jsonl"))


def test_the_world_to_look_at_says_why_it_has_no_limits() -> None:
    with pytest.raises(UnknownLimits):
        registry.world(UNKNOWN)
    world, why = registry.world_to_look_at(UNKNOWN)
    assert world.limits == registry.world(UNKNOWN, limits="none").limits
    assert why.startswith(f"{UNKNOWN}: no shortest plan is known")
    world, why = registry.world_to_look_at(KNOWN)
    assert (world.limits, why) == (registry.world(KNOWN).limits, "")

"""The levels of the recorded Robotouille runs, drawn again from their seeds: all equal, thing by thing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from backburner.worlds.robotouille.game.released_generator import generate_released
from backburner.worlds.robotouille.game.schema import DomainFile, ProblemFile

DATA = Path(__file__).resolve().parents[2] / "src" / "backburner" / "worlds" / "robotouille" / "data"
FILES = ("robotouille.json", "robotouille_plans.json")
PLACED = ("width", "height", "config", "stations", "items", "containers", "meals", "players")


def test_recorded_levels_are_drawn_again(vectors: Path, record_property: Any) -> None:
    files = [vectors / name for name in FILES if (vectors / name).is_file()]
    if not files:
        pytest.skip(f"no recorded runs of Robotouille in {vectors}")
    domain = msgspec.json.decode((DATA / "domain.json").read_bytes(), type=DomainFile)
    levels = {
        (episode["task"], episode["seed"], episode["noisy"]): episode
        for file in files
        for episode in json.loads(file.read_text())["episodes"]
        if episode["seed"] is not None
    }
    for (task, seed, noisy), episode in levels.items():
        drawn = generate_released(shipped()[task], domain, seed, noisy)
        assert drawn.effective_seed == episode["effective_seed"], (task, seed)
        recorded = msgspec.convert(episode["problem"], ProblemFile)
        for field in PLACED:
            assert getattr(drawn.problem, field) == getattr(recorded, field), (task, seed, field)
    record_property("compared", f"Robotouille's generator: {len(levels)} levels, all equal")


def shipped() -> dict[str, ProblemFile]:
    """The shipped problems by their released names."""
    tasks = json.loads((DATA / "tasks.json").read_text())["tasks"]
    return {
        task["released"]: msgspec.json.decode(
            (DATA / "problems" / task["file"]).read_bytes(), type=ProblemFile
        )
        for task in tasks
    }

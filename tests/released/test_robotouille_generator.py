"""Recorded levels of Robotouille, drawn again from their seeds: all equal, thing by thing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from backburner.worlds.robotouille.game.released_generator import generate_released
from backburner.worlds.robotouille.game.scenarios import shipped_domain, shipped_problem, tasks
from backburner.worlds.robotouille.game.schema import ProblemFile

FILES = ("robotouille.json", "robotouille_plans.json")
PLACED = ("width", "height", "config", "stations", "items", "containers", "meals", "players")


def test_recorded_levels_are_drawn_again(vectors: Path, record_property: Any) -> None:
    files = [vectors / name for name in FILES if (vectors / name).is_file()]
    if not files:
        pytest.skip(f"no recorded runs of Robotouille in {vectors}")
    paths = {task.released: path for path, task in tasks().items()}
    levels = {
        (paths[episode["task"]], episode["seed"], episode["noisy"]): episode
        for file in files
        for episode in json.loads(file.read_text())["episodes"]
        if episode["seed"] is not None
    }
    for (path, seed, noisy), episode in levels.items():
        drawn = generate_released(shipped_problem(path), shipped_domain(), seed, noisy)
        assert drawn.effective_seed == episode["effective_seed"], (path, seed)
        recorded = msgspec.convert(episode["problem"], ProblemFile)
        for field in PLACED:
            assert getattr(drawn.problem, field) == getattr(recorded, field), (path, seed, field)
    record_property("compared", f"Robotouille's generator: {len(levels)} levels, all equal")


def test_recorded_noisy_levels_are_drawn_again(vectors: Path, record_property: Any) -> None:
    """Every field of the recording, and every entry of its lists as it is written there."""
    file = vectors / "robotouille_noisy.json"
    if not file.is_file():
        pytest.skip(f"no recorded noisy levels of Robotouille: {file} is not there")
    levels = json.loads(file.read_text())["levels"]
    for level in levels:
        path, seed = level["task"], level["seed"]
        drawn = generate_released(shipped_problem(path), shipped_domain(), seed, noisy=True)
        layout = {key: level.pop(key) for key in PLACED if key in level}
        recorded = msgspec.convert({**layout, "goal": []}, ProblemFile)
        for field in layout:
            assert getattr(drawn.problem, field) == getattr(recorded, field), (path, seed, field)
        assert level == {
            "task": path,
            "file": tasks()[path].released,
            "seed": drawn.seed,
            "effective_seed": drawn.effective_seed,
            "failed": level["failed"],
            "layouts": drawn.n_layouts,
        }
        # Why a seed failed is told in the released program's words; that it did is compared.
        assert [one for one, *_ in level["failed"]] == list(range(seed, drawn.effective_seed)), (path, seed)
    compared = f"Robotouille's noisy way (robotouille_noisy.json): {len(levels)} levels, all equal"
    record_property("compared", compared)

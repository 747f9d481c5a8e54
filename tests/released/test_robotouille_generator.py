"""Recorded levels of Robotouille, drawn again from their seeds: all equal, thing by thing."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from backburner.worlds.robotouille.game.released_generator import generate_released
from backburner.worlds.robotouille.game.scenarios import shipped_domain, shipped_problem, tasks
from backburner.worlds.robotouille.game.schema import ProblemFile
from support.recordings import Case, Compare, each, episodes_in, recorded_in

FILES = ("robotouille.json", "robotouille_plans.json")
PLACED = ("width", "height", "config", "stations", "items", "containers", "meals", "players")


@pytest.mark.parametrize("name", FILES)
def test_recorded_levels_are_drawn_again(vectors: Path, compare: Compare, name: str) -> None:
    paths = {task.released: path for path, task in tasks().items()}
    levels = {
        f"{paths[episode['task']]}, seed {episode['seed']}, noisy {episode['noisy']}": episode
        | {"task": paths[episode["task"]]}
        for episode in episodes_in(vectors, name)
        if episode["seed"] is not None
    }
    cases = each(({**level, "id": id} for id, level in levels.items()), draw)
    compare(f"{name}, levels drawn again", "fields", cases)


def draw(level: Case) -> int:
    drawn = generate_released(
        shipped_problem(level["task"]), shipped_domain(), level["seed"], noisy=level["noisy"]
    )
    assert drawn.effective_seed == level["effective_seed"]
    recorded = msgspec.convert(level["problem"], ProblemFile)
    for field in PLACED:
        assert getattr(drawn.problem, field) == getattr(recorded, field), field
    return len(PLACED)


def test_recorded_noisy_levels_are_drawn_again(vectors: Path, compare: Compare) -> None:
    """Every field of the recording, and every entry of its lists as it is written there."""
    levels = recorded_in(vectors, "robotouille_noisy.json")["levels"]
    cases = [{"id": f"{level['task']}, seed {level['seed']}", "level": level} for level in levels]
    compare("robotouille_noisy.json", "fields", each(cases, draw_noisy))


def draw_noisy(case: Case) -> int:
    level = case["level"]
    path, seed = level["task"], level["seed"]
    drawn = generate_released(shipped_problem(path), shipped_domain(), seed, noisy=True)
    layout = {key: level.pop(key) for key in PLACED if key in level}
    recorded = msgspec.convert({**layout, "goal": []}, ProblemFile)
    for field in layout:
        assert getattr(drawn.problem, field) == getattr(recorded, field), field
    assert level == {
        "task": path,
        "file": tasks()[path].released,
        "seed": drawn.seed,
        "effective_seed": drawn.effective_seed,
        "failed": level["failed"],
        "layouts": drawn.n_layouts,
    }
    # Why a seed failed is told in the released program's words; that it did is compared.
    assert [one for one, *_ in level["failed"]] == list(range(seed, drawn.effective_seed))
    return len(layout) + len(level)

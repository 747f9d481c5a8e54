"""Which combinations can be completed: all of them, and under released rules not all.

The play is the simplest there is: start the first thing that can be started, otherwise wait.
Nothing is ever undone, so what this play leaves undone cannot be done at all.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from backburner.worlds.timearena.game.scenarios import SCENARIOS
from support.timearena.play import play_out, world_of

by_scenario = pytest.mark.parametrize("kind", SCENARIOS)
by_size = pytest.mark.parametrize(("size", "sets"), [(1, 10), (2, 45), (3, 120)])

Numbers = tuple[int, ...]

UNSOLVABLE = {("cooking", 2): 18, ("cooking", 3): 32, ("household", 2): 1, ("household", 3): 8}
"""How many pairs and triples the released program (commit 8addbab) never lets anybody complete."""

HIGHEST = {
    ("cooking", 2): {(2, 3): 86, (3, 4): 62, (1, 10): 91},
    ("cooking", 3): {(1, 2, 8): 92, (2, 3, 4): 75, (3, 4, 10): 72, (4, 6, 8): 97},
    ("household", 2): {(4, 7): 51},
    ("household", 3): {(1, 4, 7): 68, (3, 4, 7): 86},
}
"""Some of them, with the highest score that anybody can reach there."""


def all_sets(kind: str, size: int) -> dict[Numbers, str]:
    """Task numbers to the path of the combination."""
    chosen = combinations(range(1, 11), size)
    return {numbers: "+".join(f"{kind}{n}" for n in numbers) for numbers in chosen}


@pytest.mark.slow
@by_scenario
@by_size
@pytest.mark.parametrize("kit", ["own", "one"])
def test_every_combination_can_be_completed(kind: str, size: int, sets: int, kit: str) -> None:
    """Under standard rules, and well within the article's 40 minutes for each task.

    The agent waits only while something runs, so every minute is one of some action's: the play
    lasts no longer than all actions one after the other, which is 31 minutes for a task at most.
    """
    paths = all_sets(kind, size).values()
    assert len(paths) == sets
    for path in paths:
        world = world_of(f"{path}@kit={kit}", limits="article")
        state = play_out(world)
        assert state.ended == "completed", path
        assert state.minute <= world.compiled.total_minutes <= 31 * size, path


def highest_scores(kind: str, size: int) -> dict[Numbers, int]:
    """The combinations that cannot be completed under released rules, with their highest scores."""
    scores = {n: play_out(world_of(path, "released")).score for n, path in all_sets(kind, size).items()}
    return {numbers: score for numbers, score in scores.items() if score < 100}


@pytest.mark.slow
@by_scenario
@pytest.mark.parametrize("size", [1, 2, 3])
def test_what_the_release_makes_impossible(kind: str, size: int) -> None:
    found = highest_scores(kind, size)
    assert len(found) == UNSOLVABLE.get((kind, size), 0)
    expected = HIGHEST.get((kind, size), {})
    assert {numbers: found[numbers] for numbers in expected} == expected


@pytest.mark.slow
@by_scenario
@pytest.mark.parametrize(("size", "name"), [(2, "pairs"), (3, "triples")])
def test_the_full_list_of_what_the_release_makes_impossible(
    facts: dict[str, Any], kind: str, size: int, name: str
) -> None:
    recorded = facts["unsolvable_combinations_in_upstream_code"][f"{kind}_{name}"]
    assert highest_scores(kind, size) == {tuple(numbers): score for numbers, score in recorded}

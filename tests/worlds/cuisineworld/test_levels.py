"""The task graphs of dishes."""

from __future__ import annotations

import pytest

from backburner.kernel.schedule import Activity
from backburner.worlds.cuisineworld.game.cookbook import shipped_cookbook
from backburner.worlds.cuisineworld.game.scenarios import dish_graph, levels, pace_of, work_steps
from support.cuisineworld.play import world_of


def test_the_graph_of_a_sushi() -> None:
    """A pot (busy for 3 steps) makes one wait 2 more; chopboard and mixer none."""
    graph = world_of("level_3").problems()["tunaSushi"]
    assert graph.activities == (
        Activity("tuna", 3, 3),
        Activity("rice", 3, 3),
        Activity("tunaSashimi", 3, 3, ("tuna",), ("chopboard",)),
        Activity("cookedRice", 5, 3, ("rice",), ("pot",)),
        Activity("tunaSushi", 3, 3, ("tunaSashimi", "cookedRice"), ("mixer",)),
    )


@pytest.mark.parametrize("level", levels())
def test_durations_are_the_work_that_sets_the_pace(level: str) -> None:
    book = shipped_cookbook()
    for dish in levels()[level].dishes:
        graph = dish_graph(book, dish)
        assert sum(activity.duration for activity in graph.activities) == work_steps(book, dish)
        assert {name for a in graph.activities for name in a.predecessors} < {
            a.name for a in graph.activities
        }


def test_a_pace_is_multiplied_in_the_released_order() -> None:
    """2.5 · ((0.8 · 10) · 0.3) is 6 steps; 2.5 · (0.8 · (10 · 0.3)) would be a little more, and so 7."""
    (dish,) = levels()["level_0"].dishes
    assert work_steps(shipped_cookbook(), dish) == 10
    pace = pace_of(levels()["level_0"], 0.8, shipped_cookbook())
    assert (pace.interval, pace.lifetimes) == (3, (6,))

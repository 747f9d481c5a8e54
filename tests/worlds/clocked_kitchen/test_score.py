"""What is measured: counts, lost errands, when orders waited; and the agent that plays."""

from __future__ import annotations

from typing import Any

import pytest

from backburner.agents.scripted import RandomPolicy
from backburner.kernel import registry
from backburner.kernel.episode import Episode
from backburner.kernel.play import play_now
from backburner.kernel.policy import Reply, Turn
from backburner.worlds.clocked_kitchen.agents.greedy import Greedy
from backburner.worlds.clocked_kitchen.game import Input
from backburner.worlds.clocked_kitchen.metrics.score import scoring

SALMON = "storage0", "salmon"


class Script:
    """Gives its commands one after the other, and then stands still."""

    name, informed, settings = "script", False, {}

    def __init__(self, *commands: str) -> None:
        self.commands = commands

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        at = memory or 0
        commands = self.commands[at : at + 1]
        return Reply(Input(tuple(f"{c}" for c in commands)), at + 1)


MEATCAKE = (
    "get_agent0_salmon_storage0",
    "put_agent0_blender0",
    "get_agent0_flour_storage0",
    "put_agent0_blender0",
    "activate_agent0_blender0",
    "get_agent0_blender0",
    "put_agent0_servingtable0",
)


def played(id: str, *commands: str) -> Episode:
    return play_now(registry.world(f"clocked_kitchen/{id}"), Script(*commands))


def test_orders_are_counted_and_their_windows_tell_when_they_waited() -> None:
    """Level 0, τ 2.0, one cook who makes one dish of the first order; orders come at 0, 6, ... 54 s, and wait
    15 s each, so that those of 6 to 42 s run out within a minute, the last of them at 57 s."""
    episode = played("level_0@bodies=1", *MEATCAKE)
    measures = scoring.measure(episode)
    assert (measures["completed"], measures["failed"], measures["tau"]) == (1, 7, 2.0)
    assert scoring.metrics[0].over([measures]) == 1 / 8
    windows = registry.assessment(registry.world(episode.header.id)).windows
    assert windows is not None
    found = windows(episode)
    assert [window.opens for window in found] == [6.0 * number for number in range(11)]
    assert [window.closes - window.opens for window in found] == [15.0] * 11
    assert [window.state for window in found] == ["kept", *["missed"] * 7, *["open"] * 3]
    (delivered,) = (event for entry in episode.entries for event in entry.events if event.what == "delivered")
    assert found[0].met == delivered.time < 15


def test_a_dish_that_lies_there_serves_an_order_when_it_comes() -> None:
    """Two dishes made for one order: the second waits on the table for the order of 6 s or a later one."""
    episode = played("level_0@bodies=1", *MEATCAKE, *MEATCAKE)
    windows = registry.assessment(registry.world(episode.header.id)).windows
    assert windows is not None
    kept = [window for window in windows(episode) if window.state == "kept"]
    assert len(kept) == 2 and all(w.met is not None and w.opens <= w.met < w.closes for w in kept)


def test_errands_that_come_to_nothing_are_counted() -> None:
    """Both go for the salmon that lies on one board: who comes second finds nothing."""
    world = registry.world("clocked_kitchen/level_2@seconds=20")
    scripts = {
        "agent0": Script(
            "get_agent0_salmon_storage0", "put_agent0_chopboard0", "get_agent0_chopboard0", "noop_agent0"
        ),
        "agent1": Script("goto_agent1_chopboard0", "noop_agent1", "noop_agent1", "get_agent1_chopboard0"),
    }
    episode = play_now(world, scripts)
    late = [e for entry in episode.entries for e in entry.events if e.kind == "refused"]
    assert scoring.measure(episode)["late"] == len([e for e in late if e.key.endswith("late")]) / 2


def test_groups_tell_what_sets_an_episode_apart() -> None:
    def group(id: str) -> str:
        return scoring.group(played(f"{id}seconds=1"))

    assert group("level_3@") == "level_3, 2 agents"
    assert group("level_3@bodies=4,step=2.0,tau=fixed,asks=always,") == (
        "level_3, 4 agents, another clock, always asked, own pace"
    )


@pytest.mark.parametrize("level", ["level_0", "level_3", "level_5", "level_12"])
def test_greedy_serves_most_orders_and_random_few(level: str) -> None:
    def share(world_id: str, make: Any) -> float:
        world = registry.world(world_id)
        numbers = play_now(world, make(world)).ending.numbers  # type: ignore[union-attr]
        return numbers["completed"] / max(1, numbers["completed"] + numbers["failed"])

    id = f"clocked_kitchen/{level}@bodies=3,tau=1.5"
    assert share(id, Greedy) > 0.8 > 0.4 > share(id, lambda world: RandomPolicy())


def test_greedy_commands_several_bodies_of_a_seat() -> None:
    world = registry.world("clocked_kitchen/level_9@bodies=4,seats=one,tau=1.5")
    ending = play_now(world, Greedy(world)).ending
    assert ending is not None and ending.numbers["completed"] >= 5


def test_the_statistics_are_those_of_the_floors() -> None:
    columns, rows = scoring.statistics(registry.expand("clocked_kitchen/level_0/all"))
    (row,) = rows
    assert dict(zip(columns, row, strict=True)) == {
        "level": "level_0",
        "class": "very simple",
        "plan": "7 x 5",
        "cells of floor": 15,
        "places": 3,
        "mean way from the table (cells)": "2.6",
        "longest": 4,
        "interval (s)": "3",
    }

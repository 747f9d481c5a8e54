"""How fast the clocked kitchen is: ticks with bodies under way, idle ticks, scenes, menus, whole episodes.

Bodies get a random thing to do whenever they are free; states are recorded before the clock starts. The
rates, and what a live room of four takes of one core at ten ticks a second, stand in ``extra_info``.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from backburner.kernel.play import play_now
from backburner.worlds.clocked_kitchen.agents.greedy import Greedy
from backburner.worlds.clocked_kitchen.game import ClockedKitchen, Input, Limits
from backburner.worlds.clocked_kitchen.game.catalogue import scenario_of
from backburner.worlds.clocked_kitchen.game.rule_set import STANDARD
from backburner.worlds.clocked_kitchen.game.state import State

TICKS = 600
LEVELS = ("level_0", "level_4", "level_3", "level_11", "level_12")
of_bodies = pytest.mark.parametrize("bodies", (2, 4))


@cache
def kitchen(level: str, bodies: int, asks: str) -> ClockedKitchen:
    """A kitchen in which play takes a minute."""
    scenario = scenario_of(level, {"bodies": str(bodies), "asks": asks, "tau": "1.5"})
    return ClockedKitchen(f"clocked_kitchen/{level}", scenario, STANDARD, Limits(TICKS))


@cache
def plays(bodies: int) -> tuple[tuple[ClockedKitchen, tuple[tuple[State, dict[str, Input]], ...]], ...]:
    """(kitchen, each state with the decisions that were taken in it) for an episode of each level."""
    found = []
    for level in LEVELS:
        world, draw = kitchen(level, bodies, "always"), random.Random(level)
        state, steps = world.start(), []
        while not state.ended:
            decisions = {seat: Input() for seat in world.seats}
            for seat in world.seats:
                if not world.occupied(state, seat):
                    decisions[seat] = draw.choice(world.menu(state, seat).options).decision
            steps.append((state, decisions))
            state = world.step(state, decisions).state
        found.append((world, tuple(steps)))
    return tuple(found)


def rate(benchmark: Any, what: str, count: int) -> float:
    """Note so many things a second; returns the seconds of one."""
    if benchmark.stats is None:  # benchmarks are off
        return 0.0
    seconds = benchmark.stats.stats.median / count
    benchmark.extra_info[f"{what} per second"] = round(1 / seconds)
    benchmark.extra_info["us each"] = round(seconds * 1e6, 1)
    return float(seconds)


@of_bodies
def test_ticks_in_which_everybody_is_busy(benchmark: Any, bodies: int) -> None:
    """A decision for each seat in every tick, most of them with nothing new; state and events out."""
    played = plays(bodies)

    def ticks() -> None:
        for world, steps in played:
            for state, decisions in steps:
                world.step(state, decisions)

    benchmark(ticks)
    seconds = rate(benchmark, "ticks", sum(len(steps) for _, steps in played))
    benchmark.extra_info["share of a core for 25 rooms"] = round(25 * 10 * seconds, 4)


@of_bodies
def test_scenes(benchmark: Any, bodies: int) -> None:
    """What is drawn after each tick."""
    played = plays(bodies)
    benchmark(lambda: [world.scene(state) for world, steps in played for state, _ in steps])
    rate(benchmark, "scenes", sum(len(steps) for _, steps in played))


@of_bodies
def test_menus(benchmark: Any, bodies: int) -> None:
    """What one seat can do."""
    played = plays(bodies)
    benchmark(lambda: [world.menu(state, "agent0") for world, steps in played for state, _ in steps])
    rate(benchmark, "menus", sum(len(steps) for _, steps in played))


def test_a_minute_in_which_nobody_does_anything(benchmark: Any) -> None:
    """One step of 600 ticks."""
    world = kitchen("level_12", 4, "always")
    start, idle = world.start(), {seat: Input(ticks=TICKS) for seat in world.seats}
    assert benchmark(world.step, start, idle).state.tick == TICKS
    rate(benchmark, "ticks", TICKS)


@of_bodies
def test_episodes_of_greedy(benchmark: Any, bodies: int) -> None:
    """Played by the world's own agent, a seat for each body, asked when it is free."""
    worlds = [kitchen(level, bodies, "free") for level in LEVELS]

    def episodes() -> int:
        return sum(len(play_now(world, Greedy(world)).entries) for world in worlds)

    assert benchmark.pedantic(episodes, rounds=3, iterations=1) > 100
    rate(benchmark, "episodes", len(worlds))

"""How fast Minecraft's text game is: steps as greedy plays them, menus, scenes, whole episodes.

The rates stand in ``extra_info``.
"""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import Any

import pytest

from backburner.kernel import registry
from backburner.kernel.play import play_now
from backburner.kernel.replay import trajectory
from backburner.worlds.minecraft.agents.greedy import GreedyDispatcher
from backburner.worlds.minecraft.game import Calls, Minecraft
from backburner.worlds.minecraft.game.state import State
from backburner.worlds.minecraft.oracle.plan_search import most_served
from backburner.worlds.minecraft.oracle.proof_by_ticks import EveryMove, LeastMissed

DISPATCHER = "dispatcher"
of_rules = pytest.mark.parametrize("rules", ["standard", "released"])


@cache
def played(rules: str) -> tuple[Minecraft, tuple[tuple[State, Calls], ...]]:
    """The states of an episode of greedy, each with what it decides there."""
    world: Minecraft = registry.world("minecraft/level_2@tau=1.5", rules=rules)
    episode = play_now(world, GreedyDispatcher(world))
    moves = [(state, Calls(step.state.last)) for state, _, step in trajectory(episode, world)]
    return world, tuple(moves)


def rate(benchmark: Any, count: int, what: str) -> None:
    if benchmark.stats is not None:  # benchmarks are off
        benchmark.extra_info[f"{what} a second"] = round(count / benchmark.stats.stats.median)


@of_rules
def test_steps(benchmark: Any, rules: str) -> None:
    world, moves = played(rules)
    benchmark(lambda: [world.step(state, {DISPATCHER: calls}) for state, calls in moves])
    rate(benchmark, len(moves), "steps")


@of_rules
def test_menus(benchmark: Any, rules: str) -> None:
    world, moves = played(rules)
    benchmark(lambda: [world.menu(state, DISPATCHER) for state, _ in moves])
    rate(benchmark, len(moves), "menus")


def test_scenes(benchmark: Any) -> None:
    world, moves = played("standard")
    benchmark(lambda: [world.scene(state) for state, _ in moves])
    rate(benchmark, len(moves), "scenes")


def test_episodes(benchmark: Any) -> None:
    world, _ = played("standard")
    benchmark(lambda: play_now(world, GreedyDispatcher(world)))
    rate(benchmark, 1, "episodes")


def test_search(benchmark: Any) -> None:
    """Nodes that a search looks at: all that can follow the start and what follows that."""
    world, _ = played("standard")
    space, least = EveryMove(world), LeastMissed(EveryMove(world))
    nodes = list(islice(space.following(space.start()), 20))

    def looked_at() -> int:
        return sum(not least.more_than(1, after) for node in nodes for after in space.following(node))

    benchmark(looked_at)
    rate(benchmark, sum(1 for node in nodes for _ in space.following(node)), "nodes")


def test_plays(benchmark: Any) -> None:
    """Plays that are rolled out to look for a plan of many bodies."""
    world: Minecraft = registry.world("minecraft/level_2@bodies=4,tau=1.0")
    benchmark(lambda: most_served(world, rollouts=20))
    rate(benchmark, 20, "plays")

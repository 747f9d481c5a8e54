"""How fast Robotouille is: whole steps with menu and text, transitions alone, building, memory.

The plays are random walks, each in a kitchen built for it: what a world works out once and keeps, such
as the sentences of an action, is worked out anew in every walk. The rates stand in ``extra_info``.
"""

from __future__ import annotations

import random
import tracemalloc
from typing import Any

import pytest

from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.legality import GroundAction
from backburner.worlds.robotouille.game.rule_set import NO_LIMITS, PRESETS, STANDARD, Rules
from backburner.worlds.robotouille.game.scenarios import (
    Scenario,
    scenario_of,
    shipped_domain,
    shipped_problem,
)
from backburner.worlds.robotouille.game.state import Acts, Kitchen
from backburner.worlds.robotouille.game.world import Robotouille
from support.robotouille.kitchens import problem

SMALLEST = Scenario(shipped_problem("synchronous/1"))
LARGEST = scenario_of("asynchronous/10", {"seed": "42"})
MOST_WAYS = scenario_of("asynchronous/10", {"seed": "252"})
"""There are 253,440 ways to choose the things of its goal."""

BUSY = Scenario(
    problem(["stove patty", "board lettuce", "sink pot", "stove chicken", "fryer", "table bread"])
)
"""Five sorts of work beside each other, so that in most steps some special effect is at work."""

KITCHENS = {"smallest": SMALLEST, "busy": BUSY, "largest": LARGEST, "largest goal": MOST_WAYS}
STEPS = 200
WALKS = 5

WALK = 50
"""Steps of a walk whose actions are made before the clock starts."""

every_kitchen = pytest.mark.parametrize("kitchen", KITCHENS)
both_presets = pytest.mark.parametrize("rules", PRESETS)


def fresh(kitchen: str, rules: Rules = STANDARD) -> Robotouille:
    """A world that nobody has played in."""
    return Robotouille(f"robotouille/{kitchen}", KITCHENS[kitchen], rules, NO_LIMITS)


def walk(world: Robotouille, seed: int) -> None:
    """Menu, observation, its text, the answer's text read, and the step; from the start again at an end."""
    draw, state = random.Random(seed), world.start()
    for _ in range(STEPS):
        seat = world.seats[0]
        menu = world.menu(state, seat)
        world.describe(world.observe(state, seat))
        answer = world.words(draw.choice(menu.options).decision)
        state = world.step(state, {seat: world.parse(state, seat, answer)}).state
        state = state if world.deciders(state) else world.start()


@every_kitchen
@both_presets
def test_steps_with_menu_and_text(benchmark: Any, kitchen: str, rules: str) -> None:
    """Five walks of 200 steps in five worlds, built before the clock starts."""

    def build() -> tuple[tuple[list[Robotouille]], dict[str, Any]]:
        return ([fresh(kitchen, PRESETS[rules]) for _ in range(WALKS)],), {}

    def walk_all(worlds: list[Robotouille]) -> None:
        for seed, world in enumerate(worlds):
            walk(world, seed)

    benchmark.pedantic(walk_all, setup=build, rounds=5)
    note_rate(benchmark, WALKS * STEPS, "steps per second")


RELEASED = ("synchronous/1", "synchronous/5", "asynchronous/1", "asynchronous/6", "synchronous/7")
"""Kitchens in which both this program and the released one were timed; see ``released.json``."""

RELEASED_RATES = "24 to 223 with text, 1,200 to 8,500 without"
"""Steps of the released program per second of CPU in these kitchens, in the same comparison."""


@pytest.mark.parametrize("path", RELEASED)
def test_steps_with_text_beside_the_released_program(benchmark: Any, path: str) -> None:
    """What the released program does in a step as well: the action, then all that holds, in words."""
    scenario = scenario_of(path, {"seed": "42"})
    compiled = Compiled(shipped_domain(), scenario.problem, PRESETS["released"])
    decisions = [Acts((action.name,)) for _, action in walked(compiled)][:200]

    def build() -> tuple[tuple[Robotouille], dict[str, Any]]:
        return (Robotouille(f"robotouille/{path}@seed=42", scenario, PRESETS["released"], NO_LIMITS),), {}

    def play(world: Robotouille) -> None:
        state, seat = world.start(), world.seats[0]
        for number, decision in enumerate(decisions):
            state = world.start() if number % WALK == 0 else state
            state = world.step(state, {seat: decision}).state
            world.describe(world.observe(state, seat))

    benchmark.pedantic(play, setup=build, rounds=5)
    note_rate(benchmark, len(decisions), "steps per second")
    benchmark.extra_info["released program, steps per second"] = RELEASED_RATES


@pytest.mark.parametrize("kitchen", ["smallest", "busy"])
@both_presets
def test_steps_of_decisions(benchmark: Any, kitchen: str, rules: str) -> None:
    """Decisions as values: actions looked up by name, events and feedback made, no menu and no text."""
    world = fresh(kitchen, PRESETS[rules])
    decisions = [Acts((action.name,)) for _, action in walked(world.compiled)]

    def step_all() -> None:
        step, state, seat = world.step, world.start(), world.seats[0]
        for decision in decisions:
            state = step(state, {seat: decision}).state
            state = world.start() if state.ended else state

    benchmark(step_all)
    note_rate(benchmark, len(decisions), "steps per second")


@pytest.mark.parametrize("kitchen", ["smallest", "busy"])
@both_presets
def test_transitions(benchmark: Any, kitchen: str, rules: str) -> None:
    """What happens in the kitchen alone: actions ready made, from kitchens as they come in play."""
    compiled = fresh(kitchen, PRESETS[rules]).compiled
    pairs = walked(compiled)

    def step_all() -> None:
        for before, action in pairs:
            compiled.step(before, (action,))

    benchmark(step_all)
    note_rate(benchmark, len(pairs), "transitions per second")


def walked(compiled: Compiled) -> list[tuple[Kitchen, GroundAction]]:
    """1,000 kitchens with what is done in each: random walks from the beginning."""
    draw, kitchen, found = random.Random(0), compiled.start, []
    for step in range(1000):
        kitchen = compiled.start if step % WALK == 0 else kitchen
        action = draw.choice(compiled.applicable(kitchen))
        found.append((kitchen, action))
        kitchen = compiled.step(kitchen, (action,))
    return found


@every_kitchen
def test_a_new_world(benchmark: Any, kitchen: str) -> None:
    """From a scenario in memory to the first state."""
    benchmark(lambda: fresh(kitchen).start())
    note_rate(benchmark, 1, "worlds per second")


@every_kitchen
def test_memory_of_a_world(benchmark: Any, kitchen: str) -> None:
    """What a world holds after 1,000 steps with menu and text, in MiB."""

    def play_in_one() -> int:
        tracemalloc.start()
        world = fresh(kitchen)
        for seed in range(WALKS):
            walk(world, seed)
        held, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return held

    held = benchmark.pedantic(play_in_one, rounds=1)
    benchmark.extra_info["MiB"] = round(held / 2**20, 2)


def note_rate(benchmark: Any, count: int, unit: str) -> None:
    """Where benchmarks are switched off there is no time to divide by."""
    if benchmark.stats is not None:
        benchmark.extra_info[unit] = round(count / benchmark.stats.stats.min)

"""How fast CuisineWorld is: steps with the menu of legal commands, with and without texts.

The plays are random, each body taking a verb that its menu offers and then one of the commands with that
verb, so that things are fetched, mixed and cooked; they are recorded before the clock starts. The rates
stand in ``extra_info``.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from backburner.worlds.cuisineworld.game.catalogue import scenario_of
from backburner.worlds.cuisineworld.game.rule_set import PRESETS, Limits
from backburner.worlds.cuisineworld.game.state import Commands
from backburner.worlds.cuisineworld.game.world import CuisineWorld

LEVELS = ("level_0", "level_4", "level_3", "level_11")
"""A level of each class."""

EPISODES = 5

RELEASED = {1: 5556, 2: 5375, 4: 4832}
"""Steps per second of CPU of the released program by bodies, on random commands, measured elsewhere on a busy
machine; there commands are lists, with no text to read."""

both_presets = pytest.mark.parametrize("rules", PRESETS)
of_bodies = pytest.mark.parametrize("bodies", (1, 2, 4))


def fresh(level: str, bodies: int, rules: str) -> CuisineWorld:
    """A world that nobody has played in."""
    scenario = scenario_of(level, {"bodies": str(bodies), "tau": "1.5"})
    return CuisineWorld(f"cuisineworld/{level}", scenario, PRESETS[rules], Limits(scenario.steps))


@cache
def scripts(bodies: int, rules: str) -> list[tuple[str, list[Commands]]]:
    """(level, the decisions of an episode) for a few episodes of each level."""
    found = []
    for level in LEVELS:
        world = fresh(level, bodies, rules)
        for seed in range(EPISODES):
            chance, state, decisions = random.Random(seed), world.start(), []
            while not state.ended:
                decisions.append(drawn(world, state, chance))
                state = world.step(state, {world.seats[0]: decisions[-1]}).state
            found.append((level, decisions))
    return found


def drawn(world: CuisineWorld, state: Any, chance: random.Random) -> Commands:
    """A command for each body, its verb drawn first."""
    by_body: dict[str, dict[str, list[Commands]]] = {}
    for option in world.menu(state, world.seats[0]).options:
        verb, body, *_ = option.label.split("_")
        by_body.setdefault(body, {}).setdefault(verb, []).append(option.decision)
    return world.together([chance.choice(chance.choice(list(verbs.values()))) for verbs in by_body.values()])


@both_presets
@of_bodies
def test_steps_with_menus(benchmark: Any, bodies: int, rules: str) -> None:
    """The menu of legal commands, then commands in, state and events out."""
    plays = [(fresh(level, bodies, rules), decisions) for level, decisions in scripts(bodies, rules)]

    def play_all() -> None:
        for world, decisions in plays:
            state, (seat,) = world.start(), world.seats
            for decision in decisions:
                world.menu(state, seat)
                state = world.step(state, {seat: decision}).state

    benchmark(play_all)
    note_rate(benchmark, plays)


@both_presets
def test_steps_with_texts(benchmark: Any, rules: str) -> None:
    """The same with two bodies, the state told as text and the answer read."""
    plays = [(fresh(level, 2, rules), decisions) for level, decisions in scripts(2, rules)]
    answers = [[world.words(decision) for decision in decisions] for world, decisions in plays]

    def play_all() -> None:
        for (world, _), texts in zip(plays, answers, strict=True):
            state, (seat,) = world.start(), world.seats
            for answer in texts:
                world.menu(state, seat)
                world.describe(world.observe(state, seat))
                state = world.step(state, {seat: world.parse(state, seat, answer)}).state

    benchmark(play_all)
    note_rate(benchmark, plays)


@both_presets
@of_bodies
def test_answers_read_and_carried_out(benchmark: Any, bodies: int, rules: str) -> None:
    """Answers as text, read and carried out; no menus and nothing told."""
    plays = [(fresh(level, bodies, rules), decisions) for level, decisions in scripts(bodies, rules)]
    answers = [[world.words(decision) for decision in decisions] for world, decisions in plays]

    def play_all() -> None:
        for (world, _), texts in zip(plays, answers, strict=True):
            state, (seat,) = world.start(), world.seats
            for answer in texts:
                state = world.step(state, {seat: world.parse(state, seat, answer)}).state

    benchmark(play_all)
    note_rate(benchmark, plays)
    benchmark.extra_info["released program"] = RELEASED[bodies]


def test_new_worlds(benchmark: Any) -> None:
    """A world compiled and started for each level."""
    benchmark(lambda: [fresh(level, 2, "standard").start() for level in LEVELS])
    if benchmark.stats is not None:
        benchmark.extra_info["worlds per second"] = round(len(LEVELS) / benchmark.stats.stats.min)


def note_rate(benchmark: Any, plays: list[tuple[CuisineWorld, list[Commands]]]) -> None:
    """Where benchmarks are switched off there is no time to divide by."""
    if benchmark.stats is not None:
        steps = sum(len(decisions) for _, decisions in plays)
        benchmark.extra_info["steps per second"] = round(steps / benchmark.stats.stats.min)

"""How fast TimeArena is: decisions per second, text in and state out; menus; fresh worlds.

The plays are generated: the first thing on the menu mostly, and now and then an answer that is
refused. Only reading and stepping are timed. The rates stand in ``extra_info``.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from backburner.worlds.timearena.game import TimeArena
from backburner.worlds.timearena.game.scenarios import suites
from backburner.worlds.timearena.game.state import State
from backburner.worlds.timearena.game.transition import AGENT
from backburner.worlds.timearena.game.world import tables
from support.timearena.bare import BareArena
from support.timearena.play import first_to_do, world_of

both_presets = pytest.mark.parametrize("rules", ["standard", "released"])
by_size = pytest.mark.parametrize("suite", ["singles", "pairs", "triples"])

Play = tuple[TimeArena, list[str]]


def plays(suite: str, rules: str) -> list[Play]:
    """A world for each scenario of a suite, and the answers of one play in it."""
    return [(world, answers(world)) for world in (world_of(path, rules) for path in suites()[suite])]


def answers(world: TimeArena, seed: int = 0) -> list[str]:
    """One answer in ten is an action that may be refused, or no action at all."""
    draw = random.Random(seed)
    actions = [attempt.words for attempt in world.rulebook.legality.fitting]
    state, said = world.start(), []
    while world.deciders(state) and len(said) < 40 * len(world.scenario.tasks):
        decision = first_to_do(world, state)
        text = world.words(decision) if draw.random() < 0.9 else draw.choice([*actions, "sing"])
        state = world.step(state, {AGENT: world.parse(state, AGENT, text)}).state
        said.append(text)
    return said


def play_all(plays: list[Play]) -> State:
    for world, texts in plays:
        parse, step, state = world.parse, world.step, world.start()
        for text in texts:
            state = step(state, {AGENT: parse(state, AGENT, text)}).state
    return state


@both_presets
@by_size
def test_decisions_text_in_state_out(benchmark: Any, suite: str, rules: str) -> None:
    generated = plays(suite, rules)
    steps = sum(len(texts) for _, texts in generated)
    benchmark(play_all, generated)
    note_rate(benchmark, steps, "decisions per second")


# --- minutes with text, beside a bare loop -----------------------------------------------------------------


def sound_plays(suite: str) -> list[Play]:
    """Sound actions and waits only, which the bare loop plays to the same minute and score."""
    return [
        (world, sound_answers(world)) for world in (world_of(path, "released") for path in suites()[suite])
    ]


def sound_answers(world: TimeArena) -> list[str]:
    state, said = world.start(), []
    while world.deciders(state) and len(said) < 40 * len(world.scenario.tasks):
        decision = first_to_do(world, state)
        said.append(world.words(decision))
        state = world.step(state, {AGENT: decision}).state
    return said


def minutes_of(plays: list[Play]) -> int:
    return sum(play_all([play]).minute for play in plays)


@by_size
def test_minutes_text_in_state_out(benchmark: Any, suite: str) -> None:
    generated = sound_plays(suite)
    benchmark(play_all, generated)
    note_rate(benchmark, minutes_of(generated), "minutes per second, text in")


@by_size
def test_minutes_text_in_text_out(benchmark: Any, suite: str) -> None:
    generated = sound_plays(suite)

    def tell_all() -> None:
        for world, texts in generated:
            parse, step, state = world.parse, world.step, world.start()
            for text in texts:
                state = step(state, {AGENT: parse(state, AGENT, text)}).state
                world.describe(world.observe(state, AGENT))

    benchmark(tell_all)
    note_rate(benchmark, minutes_of(generated), "minutes per second, text in and out")


@by_size
def test_minutes_of_a_bare_loop(benchmark: Any, suite: str) -> None:
    """The yardstick, which has to come to the same minutes and scores."""
    generated = sound_plays(suite)

    def setup() -> tuple[tuple[list[tuple[BareArena, list[str]]]], dict[str, Any]]:
        return ([(BareArena(world), texts) for world, texts in generated],), {}

    def loop(games: list[tuple[BareArena, list[str]]]) -> None:
        for game, texts in games:
            game.play(texts)

    benchmark.pedantic(loop, setup=setup, rounds=30)
    for world, texts in generated:
        game, end = BareArena(world), play_all([(world, texts)])
        game.play(texts)
        assert (game.minute, game.score) == (end.minute, end.score), world.id
    note_rate(benchmark, minutes_of(generated), "minutes per second")


@both_presets
@by_size
def test_menus(benchmark: Any, suite: str, rules: str) -> None:
    """The list of everything that would be accepted, at every state of the plays."""
    asked = [(world.menu, states(world, texts)) for world, texts in plays(suite, rules)]

    def ask_all() -> None:
        for legal, at in asked:
            for state in at:
                legal(state, AGENT)

    benchmark(ask_all)
    note_rate(benchmark, sum(len(at) for _, at in asked), "menus per second")


def states(world: TimeArena, texts: list[str]) -> list[State]:
    found = [world.start()]
    for text in texts:
        found.append(world.step(found[-1], {AGENT: world.parse(found[-1], AGENT, text)}).state)
    return [state for state in found if world.deciders(state)]


@both_presets
def test_reading_free_text(benchmark: Any, rules: str) -> None:
    """Whole sentences, of which no reading is remembered."""
    world = world_of("cooking2+cooking5+cooking7", rules)
    texts = [f"I will {attempt.words} now." for attempt in world.rulebook.legality.fitting]
    state = world.start()

    def read_all() -> None:
        for text in texts:
            world.parse(state, AGENT, text)

    benchmark(read_all)
    note_rate(benchmark, len(texts), "texts per second")


@by_size
def test_a_new_world_and_its_start(benchmark: Any, suite: str) -> None:
    """From an id to the first state: tables compiled, nothing remembered."""
    paths = suites()[suite]

    def build() -> None:
        tables.cache_clear()
        for path in paths:
            world_of(path).start()

    benchmark(build)
    note_rate(benchmark, len(paths), "worlds per second")


def note_rate(benchmark: Any, count: int, unit: str) -> None:
    """Where benchmarks are switched off there is no time to divide by."""
    if benchmark.stats is not None:
        benchmark.extra_info[unit] = round(count / benchmark.stats.stats.min)

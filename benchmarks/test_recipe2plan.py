"""How fast Recipe2Plan is: accepted actions per second, also text in and state out; menus; worlds.

The plays are the published plans, one action at a time. The rates stand in ``extra_info``.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from backburner.worlds.recipe2plan.game import Cook, Recipe2Plan
from backburner.worlds.recipe2plan.game.compiled import COOK
from backburner.worlds.recipe2plan.game.scenarios import suites
from backburner.worlds.recipe2plan.game.state import State
from support.recipe2plan import bare as bare_recipe2plan
from support.recipe2plan.play import reference_plan, world_of

both_presets = pytest.mark.parametrize("rules", ["standard", "released"])
both_settings = pytest.mark.parametrize("suite", ["constrained", "unconstrained"])

Play = tuple[Recipe2Plan, list[Cook]]


def plays(suite: str, rules: str, limits: str = "article") -> list[Play]:
    """A world for each pair that has a plan, and the plan action by action."""
    found = [world_of(path, rules, limits) for path in suites()[suite]]
    return [(world, [Cook((piece,)) for piece in reference_plan(world)]) for world in found]


def play(world: Recipe2Plan, decisions: list[Cook]) -> list[State]:
    states = [world.start()]
    for decision in decisions:
        states.append(world.step(states[-1], {COOK: decision}).state)
    return states


@both_presets
@both_settings
def test_accepted_actions(benchmark: Any, suite: str, rules: str) -> None:
    generated = plays(suite, rules)
    assert not any(state.feedback.refusal for play_ in generated for state in play(*play_))

    def play_all() -> None:
        for world, decisions in generated:
            step, state = world.step, world.start()
            for decision in decisions:
                state = step(state, {COOK: decision}).state

    benchmark(play_all)
    note_rate(benchmark, sum(len(decisions) for _, decisions in generated), "actions per second")


def play_texts(world: Recipe2Plan, texts: list[str]) -> None:
    """Each answer read and carried out."""
    parse, step, state = world.parse, world.step, world.start()
    for text in texts:
        state = step(state, {COOK: parse(state, COOK, text)}).state


THOUGHT = "Thought: the water has to boil first, so I start it and chop meanwhile.\n"


@both_presets
@both_settings
def test_text_in_state_out(benchmark: Any, suite: str, rules: str) -> None:
    """An answer of two lines, read and carried out. No text comes twice in a play."""
    generated = texts_of(suite, rules)
    benchmark(lambda: [play_texts(*each) for each in generated])
    note_rate(benchmark, sum(len(texts) for _, texts in generated), "decisions per second")


@both_presets
@both_settings
def test_text_in_state_out_with_refusals(benchmark: Any, suite: str, rules: str) -> None:
    """After every other answer, on average, one comes that is or was another's turn; nothing ends play."""
    chance = Random(1)
    generated: list[tuple[Recipe2Plan, list[str]]] = []
    for world, texts in texts_of(suite, rules, limits="none"):
        mixed = [(text, chance.choice(texts)) if chance.random() < 0.5 else (text,) for text in texts]
        generated.append((world, [text for several in mixed for text in several]))

    benchmark(lambda: [play_texts(*each) for each in generated])
    note_rate(benchmark, sum(len(texts) for _, texts in generated), "decisions per second")


@both_presets
def test_reading(benchmark: Any, rules: str) -> None:
    """Of the same answers, the reading alone."""
    generated = texts_of("constrained", rules)
    states = [world.start() for world, _ in generated]
    benchmark(
        lambda: [
            world.parse(state, COOK, text)
            for (world, texts), state in zip(generated, states, strict=True)
            for text in texts
        ]
    )
    note_rate(benchmark, sum(len(texts) for _, texts in generated), "texts per second")


def test_reading_with_bare_patterns(benchmark: Any) -> None:
    """A yardstick for other machines: what the released program looks for in a text, and no more."""
    texts = [text for _, texts in texts_of("constrained", "released") for text in texts]
    benchmark(lambda: [bare_recipe2plan.read(text) for text in texts])
    note_rate(benchmark, len(texts), "texts per second")


def texts_of(suite: str, rules: str, limits: str = "article") -> list[tuple[Recipe2Plan, list[str]]]:
    """The plays as answers."""
    return [
        (world, [THOUGHT + world.words(decision) for decision in decisions])
        for world, decisions in plays(suite, rules, limits)
    ]


@both_presets
def test_menus(benchmark: Any, rules: str) -> None:
    """Every step that can start, and when, at every state of the plans."""
    asked = [(world, play(world, decisions)) for world, decisions in plays("constrained", rules)]

    def ask_all() -> None:
        for world, states in asked:
            for state in states:
                world.menu(state, COOK)

    benchmark(ask_all)
    note_rate(benchmark, sum(len(states) for _, states in asked), "menus per second")


@both_settings
def test_a_new_world_and_its_start(benchmark: Any, suite: str) -> None:
    """From an id to the first state: jobs compiled, nothing remembered."""
    paths = suites()[suite]
    benchmark(lambda: [world_of(path).start() for path in paths])
    note_rate(benchmark, len(paths), "worlds per second")


def note_rate(benchmark: Any, count: int, unit: str) -> None:
    """Where benchmarks are switched off there is no time to divide by."""
    if benchmark.stats is not None:
        benchmark.extra_info[unit] = round(count / benchmark.stats.stats.min)

"""How fast Collab-Overcooked is: whole play, with and without texts, and steps of the grid alone.

Both cooks follow a released reference of an order of each level, a call to an answer: the answers are
recorded before the clock starts. The rates stand in ``extra_info``.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from backburner.kernel.play import play_now
from backburner.worlds.collab_overcooked.game.kitchen_step import Stepper
from backburner.worlds.collab_overcooked.game.rule_set import NO_LIMITS, PRESETS
from backburner.worlds.collab_overcooked.game.scenarios import scenario_of, suites
from backburner.worlds.collab_overcooked.game.state import Kitchen, Move, State
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from support.collab_overcooked.pairs import ReferencePair

Script = list[tuple[str, str]]
"""(seat, answer) at each decision point."""

both_presets = pytest.mark.parametrize("rules", PRESETS)


def fresh(order: str, rules: str) -> CollabOvercooked:
    """A world that nobody has played in."""
    return CollabOvercooked(f"collab_overcooked/{order}", scenario_of(order, {}), PRESETS[rules], NO_LIMITS)


@cache
def scripts(rules: str, talking: bool = False) -> list[tuple[str, Script, int]]:
    """(order, its answers, the timesteps that they last) for an order of each level."""
    found = []
    for order in suites()["quick"]:
        episode = play_now(fresh(order, rules), ReferencePair(order, talking=talking))
        assert episode.ending is not None and episode.ending.reason == "completed"
        answers = [(seat, a.text or "") for entry in episode.entries for seat, a in entry.answers.items()]
        found.append((order, answers, int(episode.ending.numbers["steps"])))
    return found


def play_again(world: CollabOvercooked, script: Script) -> State:
    """Answers read and carried out: validated, ways found, the kitchen stepped, events made."""
    state, parse, step = world.start(), world.parse, world.step
    for seat, answer in script:
        state = step(state, {seat: parse(state, seat, answer)}).state
    return state


@both_presets
def test_whole_plays(benchmark: Any, rules: str) -> None:
    """Text in, state and events out."""
    plays = [(fresh(order, rules), script) for order, script, _ in scripts(rules)]
    benchmark(lambda: [play_again(world, script) for world, script in plays])
    note_rate(benchmark, sum(steps for *_, steps in scripts(rules)), "timesteps per second")


@both_presets
def test_whole_plays_with_texts(benchmark: Any, rules: str) -> None:
    """The same, and at each decision point the observation and its text."""
    plays = [(fresh(order, rules), script) for order, script, _ in scripts(rules)]

    def play_all() -> None:
        for world, script in plays:
            state = world.start()
            for seat, answer in script:
                world.describe(world.observe(state, seat))
                state = world.step(state, {seat: world.parse(state, seat, answer)}).state

    benchmark(play_all)
    note_rate(benchmark, sum(steps for *_, steps in scripts(rules)), "timesteps per second")


@both_presets
def test_conversations_with_prompts(benchmark: Any, rules: str) -> None:
    """The chef says what it does, the assistant answers; both are sent briefing and text each time."""
    plays = [(fresh(order, rules), script) for order, script, _ in scripts(rules, talking=True)]

    def play_all() -> int:
        sent = 0
        for world, script in plays:
            state = world.start()
            for seat, answer in script:
                prompt = f"{world.briefing(seat)}\n\n{world.describe(world.observe(state, seat))}"
                sent += len(prompt)
                state = world.step(state, {seat: world.parse(state, seat, answer)}).state
        return sent

    benchmark(play_all)
    note_rate(benchmark, sum(steps for *_, steps in scripts(rules, talking=True)), "timesteps per second")


class Noting(Stepper):
    """Notes the kitchens that are stepped and the moves."""

    def __init__(self, plain: Stepper) -> None:
        super().__init__(plain.grid, plain.cookbook, plain.rules)
        self.noted: list[tuple[Kitchen, tuple[Move, Move]]] = []

    def step(self, kitchen: Kitchen, moves: tuple[Move, Move]) -> Any:
        """The same, noted."""
        self.noted.append((kitchen, moves))
        return super().step(kitchen, moves)


@both_presets
def test_steps_of_the_grid(benchmark: Any, rules: str) -> None:
    """Acts, movement and timers of every timestep of the plays, without decisions."""
    steps = []
    for order, script, _ in scripts(rules):
        world = fresh(order, rules)
        world.compiled.stepper = noting = Noting(world.compiled.stepper)
        play_again(world, script)
        steps.append((fresh(order, rules).compiled.stepper.step, noting.noted))

    def step_all() -> None:
        for step, noted in steps:
            for kitchen, moves in noted:
                step(kitchen, moves)

    benchmark(step_all)
    note_rate(benchmark, sum(len(noted) for _, noted in steps), "grid steps per second")


def note_rate(benchmark: Any, count: int, unit: str) -> None:
    """Where benchmarks are switched off there is no time to divide by."""
    if benchmark.stats is not None:
        benchmark.extra_info[unit] = round(count / benchmark.stats.stats.min)

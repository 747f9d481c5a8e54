"""Whether a plan that a scenario tells is one: the world plays it."""

from __future__ import annotations

from collections.abc import Iterator

from backburner.kernel.values import Refusal, Seat
from backburner.worlds.robotouille.game.actions import Acts
from backburner.worlds.robotouille.game.places import Place
from backburner.worlds.robotouille.game.rule_set import NO_LIMITS, PRESETS
from backburner.worlds.robotouille.game.scenarios import KnownPlan, Scenario
from backburner.worlds.robotouille.game.state import State
from backburner.worlds.robotouille.game.world import Robotouille


def check_known_plan(scenario: Scenario, place: Place) -> None:
    """Raises ``BadFile`` if the known plan is not possible, or is not of so many steps.

    That no plan has fewer steps than its bound is believed. The problem is a checked one.
    """
    known = scenario.known_plan
    if known is None:
        return
    at = place.at("known_plan")
    steps = _steps(scenario, known, at)
    if steps != known.steps:
        raise at.field("steps").wrong(f"is {known.steps}; the plan takes {steps}")
    if not 0 <= known.bound <= known.steps:
        raise at.field("bound").wrong(f"is {known.bound}; no plan takes fewer, and this one takes {steps}")


def _steps(scenario: Scenario, known: KnownPlan, place: Place) -> int:
    """How many steps the plan takes to the goal; raises ``BadFile`` if it does not lead there."""
    world = Robotouille("robotouille/user/planned", scenario, PRESETS[known.rules], NO_LIMITS)
    state, words = world.start(), iter(enumerate(known.plan))
    while seats := world.deciders(state):
        decided = {seat: _decision(world, state, seat, words, place) for seat in seats}
        step = world.step(state, decided)
        if step.refusals:
            why = f"step {state.steps + 1} is refused: {step.refusals[0].code}"
            raise place.field("plan").wrong(why)
        state = step.state
    left = next(words, None)
    if left is not None:
        raise place.entry("plan", left[0]).wrong("the episode is over before")
    if state.ended != "completed":
        raise place.field("plan").wrong("it ends before the goal is reached")
    return state.steps


def _decision(
    world: Robotouille, state: State, seat: Seat, words: Iterator[tuple[int, str]], place: Place
) -> Acts:
    number, said = next(words, (0, None))
    if said is None:
        raise place.field("plan").wrong("it ends before the goal is reached")
    read = world.parse(state, seat, said)
    if isinstance(read, Refusal):
        raise place.entry("plan", number, said).wrong(f"{seat} cannot do that here: {read.code}")
    return read

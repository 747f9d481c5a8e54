"""Who decides when within a step: all at once, or some before others, who are told of it.

What is decided early waits in the state (``State.decided``) until the last seat has decided, and no time
passes in between. Commands are carried out in the order in which their seats decide, so that what will be
refused of them is known, and told, at once. Where one bad command voids all, a later one may void them yet.

First of all decides the head chef, if there is one: a seat without bodies that tells those who work, in its
own words, what to do. The article shows a person who does so (Figures 5b and 22) and does not say how long
words hold. Here they hold until something else is said or they are taken back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from backburner.kernel.values import Refusal, Seat, Step
from backburner.worlds.cuisineworld.game.scenarios import HEAD_CHEF, Scenario
from backburner.worlds.cuisineworld.game.state import (
    NO_COMMAND,
    SPEAKER,
    Commands,
    Decided,
    Observation,
    State,
    is_silence,
)
from backburner.worlds.cuisineworld.game.transition import Rulebook
from backburner.worlds.dispatch import instructor
from backburner.worlds.dispatch.instructor import KEEP
from backburner.worlds.dispatch.seating import Seating

# --- what is told of it ----------------------------------------------------------------------------------

RULES = (
    "In each step you may say in words what is to be done. Everybody who works here is told so before they "
    "decide what to do in this step.",
    "What you said last holds until you say something else, or take it back.",
)
"""For the head chef; what stands here for those who work is ``WORKERS_RULE``."""

WORKERS_RULE = (
    "The head chef may say in words what is to be done, and you are told so before you decide. What was said "
    "last holds until something else is said, or it is taken back."
)

ANSWERING = instructor.answering("agent0 fetches and agent1 serves.")

QUESTION = f"Your instruction, or {KEEP}:"


def who(scenario: Scenario, bodies: Sequence[str]) -> str:
    """The role of the head chef."""
    return (
        f"You are the head chef of a kitchen. You do no work yourself: {', '.join(bodies)} do, and heed your "
        f"words. The game takes {scenario.steps} steps."
    )


def heard(observation: Observation) -> Iterator[str]:
    """What is said here, and what others are about to do in this step."""
    yield from SPEAKER.heard(
        observation.instruction, observation.instructed, observation.step, by_itself=not observation.own
    )
    for seat, commands in observation.decided:
        yield f"{seat} has decided for this step: {', '.join(commands) or 'nothing'}"


class Phases:
    """The decision points of each step."""

    def __init__(self, rulebook: Rulebook, seating: Seating) -> None:
        self.rulebook = rulebook
        self.phases = seating.phases
        self.at_once = len(self.phases) == 1

    def deciders(self, state: State) -> tuple[Seat, ...]:
        """The seats of the phase that has come; none once the episode is over."""
        return () if state.ended else self.phases[len(state.decided)]

    def step(self, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        """What follows from the decisions of this phase's seats; others are not looked at."""
        if self.at_once or state.ended:
            return self.rulebook.step(state, decisions)
        asked = self.deciders(state)
        if asked == (HEAD_CHEF,):
            decision = decisions.get(HEAD_CHEF, NO_COMMAND)
            if is_silence(decision):
                return Step(replace(state, decided=(*state.decided, Decided(HEAD_CHEF, silent=True))))
            held, events, refusals = SPEAKER.after(state.instruction, decision, state.steps, state.steps)
            told = (*state.decided, Decided(HEAD_CHEF))
            return Step(replace(state, decided=told, instruction=held), events, refusals)
        given = {**_before(state), **{seat: decisions.get(seat, NO_COMMAND) for seat in asked}}
        if len(state.decided) < len(self.phases) - 1:
            return self._wait(state, asked[0], given)
        step = self.rulebook.step(state, given)
        return Step(replace(step.state, decided=()), step.events, _of(step.refusals, asked))

    def _wait(self, state: State, seat: Seat, given: Mapping[Seat, Any]) -> Step[State]:
        """The seat's commands are kept until the others have decided."""
        refusals = _of(self.rulebook.foreseen(state, given), (seat,))
        decision = given[seat]
        if is_silence(decision):
            told = Decided(seat, silent=True)
        elif isinstance(decision, Commands) and decision.instruction is None and not decision.silent:
            told = Decided(seat, decision.commands, None, refusals)
        else:
            unread = decision if isinstance(decision, Refusal) else NO_COMMAND
            told = Decided(seat, (), unread, refusals)
        return Step(replace(state, decided=(*state.decided, told)), (), refusals)


def _before(state: State) -> dict[Seat, Commands | Refusal]:
    """What was decided in the phases before, as it was given."""
    return {
        told.seat: Commands(told.commands, silent=int(told.silent)) if told.unread is None else told.unread
        for told in state.decided
    }


def _of(refusals: Iterable[Refusal], seats: tuple[Seat, ...]) -> tuple[Refusal, ...]:
    return tuple(refusal for refusal in refusals if refusal.seat in seats)

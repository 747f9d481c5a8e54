"""Who decides when within a step: all at once, or some before others, who are told of it.

What is decided early waits in the state (``State.decided``) until the last seat has decided, and no time
passes in between. Commands are carried out in the order in which their seats decide, so that what will be
refused of them is known, and told, at once. Where one bad command voids all, a later one may void them yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from backburner.kernel.values import Refusal, Seat, Step
from backburner.worlds.cuisineworld.game import head_chef
from backburner.worlds.cuisineworld.game.actions import NO_COMMAND, Commands
from backburner.worlds.cuisineworld.game.rules import Rulebook
from backburner.worlds.cuisineworld.game.scenarios import HEAD_CHEF, Seating
from backburner.worlds.cuisineworld.game.state import Decided, State


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
            return Step(*head_chef.after(state, decisions.get(HEAD_CHEF, NO_COMMAND)))
        given = {**_before(state), **{seat: decisions.get(seat, NO_COMMAND) for seat in asked}}
        if len(state.decided) < len(self.phases) - 1:
            return self._wait(state, asked[0], given)
        step = self.rulebook.step(state, given)
        return Step(replace(step.state, decided=()), step.events, _of(step.refusals, asked))

    def _wait(self, state: State, seat: Seat, given: Mapping[Seat, Any]) -> Step[State]:
        """The seat's commands are kept until the others have decided."""
        refusals = _of(self.rulebook.foreseen(state, given), (seat,))
        decision = given[seat]
        if isinstance(decision, Commands) and decision.instruction is None:
            told = Decided(seat, decision.commands, None, refusals)
        else:
            unread = decision if isinstance(decision, Refusal) else NO_COMMAND
            told = Decided(seat, (), unread, refusals)
        return Step(replace(state, decided=(*state.decided, told)), (), refusals)


def _before(state: State) -> dict[Seat, Commands | Refusal]:
    """What was decided in the phases before, as it was given."""
    return {
        told.seat: Commands(told.commands) if told.unread is None else told.unread for told in state.decided
    }


def _of(refusals: Iterable[Refusal], seats: tuple[Seat, ...]) -> tuple[Refusal, ...]:
    return tuple(refusal for refusal in refusals if refusal.seat in seats)

"""What one answer is worth: ITES of what it asks of the partner, and of what its cook plans itself.

This is how the article probes collaboration (section C.3.1): the same decision is asked for again and again,
and each answer whose ITES is above 0 is a success.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backburner.kernel.assessment import Assessment, Judgement
from backburner.kernel.values import Refusal, Seat
from backburner.worlds.collab_overcooked.game.kitchen_step import Listener
from backburner.worlds.collab_overcooked.game.reading import has_plan
from backburner.worlds.collab_overcooked.game.state import Reply, State, cook_of
from backburner.worlds.collab_overcooked.game.transition import Rulebook
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.metrics.call_spaces import call_spaces, counted
from backburner.worlds.collab_overcooked.metrics.collaboration import (
    Dialogue,
    Turn,
    asked_for,
    failure,
    responded,
)
from backburner.worlds.collab_overcooked.metrics.measures import ites
from backburner.worlds.collab_overcooked.metrics.references import calls_of, references_for

INITIATING, RESPONDING = "initiating: ITES of requests", "responding: ITES of own calls"
NOTHING_ASKED, NOTHING_PLANNED, NO_ANSWER = "nothing asked", "nothing planned", "unreadable"

Past = Sequence[tuple[State, Mapping[Seat, Any]]]


def assessment(world: CollabOvercooked) -> Assessment:
    """What the references say of single answers."""

    def worth(past: Past, state: State, seat: Seat, decision: Reply | Refusal) -> Sequence[Judgement]:
        return _AnswerValue(world.rulebook).of(past, cook_of(seat), decision)

    return Assessment(worth=worth)


class _AnswerValue:
    """The worth of answers in one scenario; raises ``Refused`` for one without references."""

    def __init__(self, rulebook: Rulebook) -> None:
        self._rulebook = rulebook
        self._references = references_for(rulebook.scenario)
        self._spaces = call_spaces(rulebook.compiled)

    def of(self, past: Past, cook: int, given: Reply | Refusal) -> Sequence[Judgement]:
        """An answer of a cook after ``past``: what it asks for, and what it plans to do."""
        if not has_plan(given):
            return [Judgement(name, 0.0, NO_ANSWER) for name in (INITIATING, RESPONDING)]
        partner, done = 1 - cook, _Histories()
        listening = self._rulebook.with_listener(done)
        if self._rulebook.scenario.exchange:
            listening.start(0)  # its opening is no part of the past that was decided in play
        for state, decisions in past:
            listening.step(state, decisions)
        alone = Dialogue(0, cook, (Turn(cook, ";".join(given.plan)),))
        asked = asked_for(alone, partner)
        planned = responded(alone, cook, self._spaces[cook])
        return [
            self._added(INITIATING, asked, partner, done.calls[partner], NOTHING_ASKED),
            self._added(RESPONDING, planned, cook, done.calls[cook], NOTHING_PLANNED),
        ]

    def _added(
        self, name: str, added: Sequence[str], cook: int, history: Sequence[str], none: str
    ) -> Judgement:
        """What these calls would add to a cook's task, and what is wrong with them if it is nothing."""
        space, references = self._spaces[cook], calls_of(self._references, cook)
        done = counted(history, space)
        score = ites(counted(added, space), done, references)
        note = (failure(added, done, references, space) or "") if added else none
        return Judgement(name, score, note)


class _Histories(Listener):
    """Each cook's calls as the kitchen logs them."""

    def __init__(self) -> None:
        self.calls: tuple[list[str], list[str]] = ([], [])

    def acted(self, cook: int, now: int, call: str) -> None:
        self.calls[cook].append(call)

"""What one answer is worth: ITES of what it asks of the partner, and of what its cook plans itself.

So the article probes collaboration (section C.3.1): the same moment, asked again and again, each answer
a success if its ITES is above 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from backburner.kernel.assessment import Assessment, Judgement
from backburner.kernel.values import Refusal, Seat
from backburner.worlds.collab_overcooked.game.rules import Rulebook
from backburner.worlds.collab_overcooked.game.state import Reply, State, cook_of
from backburner.worlds.collab_overcooked.game.talk import has_plan
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.metrics.collaboration import (
    Dialogue,
    Turn,
    asked_for,
    failure,
    responded,
)
from backburner.worlds.collab_overcooked.metrics.levels import call_spaces
from backburner.worlds.collab_overcooked.metrics.measures import counted, ites
from backburner.worlds.collab_overcooked.metrics.references import calls_of, references_for

INITIATING, RESPONDING = "initiating: ITES of requests", "responding: ITES of own calls"
NOTHING_ASKED, NOTHING_PLANNED, NO_ANSWER = "nothing asked", "nothing planned", "unreadable"

Past = Sequence[tuple[State, Mapping[Seat, Any]]]


def assessment(world: CollabOvercooked) -> Assessment:
    """What the references say of single answers."""

    def worth(past: Past, state: State, seat: Seat, decision: Reply | Refusal) -> Sequence[Judgement]:
        return Judge(world.rulebook).judge(past, cook_of(seat), decision)

    return Assessment(worth=worth)


class Judge:
    """Judges answers in one scenario; raises ``Refused`` for one without references."""

    def __init__(self, book: Rulebook) -> None:
        self._book = book
        self._references = references_for(book.scenario)
        self._spaces = call_spaces(book.compiled)

    def judge(self, past: Past, cook: int, given: Reply | Refusal) -> Sequence[Judgement]:
        """An answer of a cook after ``past``: what it asks for, and what it plans to do."""
        if not has_plan(given):
            return [Judgement(name, 0.0, NO_ANSWER) for name in (INITIATING, RESPONDING)]
        partner, histories = 1 - cook, self._histories(past)
        alone = Dialogue(0, cook, (Turn(cook, ";".join(given.plan)),))
        asked = asked_for(alone, partner, "required")
        planned = responded(alone, cook, self._spaces[cook], "required")
        return [
            self._judged(INITIATING, asked, partner, histories[partner], NOTHING_ASKED),
            self._judged(RESPONDING, planned, cook, histories[cook], NOTHING_PLANNED),
        ]

    def _judged(
        self, name: str, added: Sequence[str], cook: int, history: Sequence[str], none: str
    ) -> Judgement:
        """What these calls would add to a cook's task, and what is wrong with them if it is nothing."""
        space, references = self._spaces[cook], calls_of(self._references, cook)
        done = counted(history, space)
        score = ites(counted(added, space), done, references)
        note = (failure(added, done, references, space) or "") if added else none
        return Judgement(name, score, note)

    def _histories(self, past: Past) -> tuple[list[str], list[str]]:
        """Each cook's calls as the kitchen logged them, in their order."""
        found: tuple[list[str], list[str]] = ([], [])
        for state in self._passed(past):
            for history, cook in zip(found, state.cooks, strict=True):
                last = cook.recent[-1:]
                history += (deed.call for deed in last if deed.steps == state.kitchen.steps)
        return found

    def _passed(self, past: Past) -> Iterable[State]:
        """The state after each step of the grid."""
        for state, decisions in past:
            yield from self._book.passed(state, decisions)

"""What one answer is worth, and which requests of an episode bring the task no further, for people to judge.

The worth is ITES of what an answer asks of the partner, and of what its cook plans itself. This is how the
article probes collaboration (section C.3.1): the same decision is asked for again and again, and each answer
whose ITES is above 0 is a success.

Requests that fail were sorted by the article's authors by hand into three classes (Figure 9). Here the
references decide, by what they want later, wanted before or never want; people can check that. Why an order
was not served in the end is asked in the words of every world.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from backburner.kernel.assessment import (
    FAILURES,
    Annotation,
    Assessment,
    Case,
    Judgement,
    LabelSet,
    uncompleted,
)
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.files import shipped
from backburner.kernel.replay import trajectory
from backburner.kernel.values import Refusal, Seat
from backburner.worlds.collab_overcooked.game.reading import has_plan
from backburner.worlds.collab_overcooked.game.state import SEATS, Reply, State, cook_of
from backburner.worlds.collab_overcooked.game.transition import Rulebook
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.metrics.chronicle import Histories, chronicle
from backburner.worlds.collab_overcooked.metrics.collaboration import (
    REQUEST,
    Dialogue,
    Turn,
    asked_for,
    exchange,
    failure,
    responded,
)
from backburner.worlds.collab_overcooked.metrics.levels import asked_cook
from backburner.worlds.collab_overcooked.metrics.measures import ites
from backburner.worlds.collab_overcooked.metrics.references import (
    call_spaces,
    calls_of,
    counted,
    references_for,
)

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
        partner, done = 1 - cook, Histories()
        listening = self._rulebook.with_listener(done)
        if self._rulebook.scenario.exchange:
            listening.start(0)  # its opening is no part of the past that was decided in play
        for state, decisions in past:
            listening.step(state, decisions)
        alone = Dialogue(0, cook, (Turn(cook, ";".join(given.plan)),))
        asked = asked_for(alone, partner)
        planned = responded(alone, cook, self._spaces[cook])
        return [
            self._added(INITIATING, asked, partner, done.histories[partner], NOTHING_ASKED),
            self._added(RESPONDING, planned, cook, done.histories[cook], NOTHING_PLANNED),
        ]

    def _added(
        self, name: str, added: Sequence[str], cook: int, history: Sequence[tuple[int, str]], none: str
    ) -> Judgement:
        """What these calls would add to a cook's task, and what is wrong with them if it is nothing."""
        space, references = self._spaces[cook], calls_of(self._references, cook)
        done = counted((call for _, call in history), space)
        score = ites(counted(added, space), done, references)
        note = (failure(added, done, references, space) or "") if added else none
        return Judgement(name, score, note)


# --- cases for people -----------------------------------------------------------------------------------


(REQUESTS,) = shipped("backburner.worlds.collab_overcooked", "labels", tuple[LabelSet, ...])


def failed_requests(episode: Episode) -> Sequence[Case]:
    """The requests of an episode whose ITES is not above 0; none for an order without references."""
    try:
        return tuple(_failed_requests(episode))
    except Refused:
        return ()


def _failed_requests(episode: Episode) -> Iterator[Case]:
    world, played = chronicle(episode)
    asked = asked_cook(world.scenario)
    own = calls_of(references_for(world.scenario), asked)
    if not own:
        return
    space, seen = call_spaces(world.compiled)[asked], set[int]()
    steps = [(state.kitchen.steps, entry) for state, entry, _ in trajectory(episode, world)]
    for talk in (*played.talks, *played.silent):
        each = exchange(talk, asked, played.histories[asked], space)
        kind = failure(each.asked_for, each.history, own, space)
        asker = SEATS[1 - asked]
        places = (
            entry.index
            for now, entry in steps
            if now == talk.timestep and entry.index not in seen and REQUEST in _said(entry.answers.get(asker))
        )
        at = next(places, None)
        if kind is not None and at is not None:
            seen.add(at)
            facts = (
                f"Asked for: {', '.join(each.asked_for)}.",
                f"Done: {', '.join(each.history) or 'nothing'}.",
            )
            yield Case(at=at, seat=asker, decided=kind, facts=facts)


def _said(answer: object) -> str:
    return str(getattr(answer, "text", None) or getattr(answer, "decision", ""))


ANNOTATIONS = (Annotation(FAILURES, uncompleted), Annotation(REQUESTS, failed_requests))

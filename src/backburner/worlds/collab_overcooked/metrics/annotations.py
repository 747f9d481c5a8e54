"""What is sorted into classes in Collab-Overcooked: requests that bring the task no further (section C.3.1).

The article's authors sorted them by hand into three classes (Figure 9). Here the references decide, by what
they want later, wanted before or never want; people can check that. Why an order was not served in
the end is asked in the words of every world.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backburner.kernel.assessment import FAILURES, Annotation, Case, Label, LabelSet, uncompleted
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.replay import trajectory
from backburner.worlds.collab_overcooked.game.state import SEATS
from backburner.worlds.collab_overcooked.metrics.call_spaces import call_spaces
from backburner.worlds.collab_overcooked.metrics.chronicle import chronicle
from backburner.worlds.collab_overcooked.metrics.collaboration import REQUEST, exchange, failure
from backburner.worlds.collab_overcooked.metrics.levels import asked_cook
from backburner.worlds.collab_overcooked.metrics.references import calls_of, references_for

REQUESTS = LabelSet(
    name="requests",
    version=1,
    title="Requests that failed",
    of="decision",
    question="What is wrong with what this cook asks of its partner?",
    source="section C.3.1 of the article, Figure 9",
    labels=(
        Label("premature", "It is wanted later in the recipe, after something else that is not done yet."),
        Label("repeated", "It was wanted before, and has been done."),
        Label("irrelevant", "The order does not want it at any time."),
    ),
)


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

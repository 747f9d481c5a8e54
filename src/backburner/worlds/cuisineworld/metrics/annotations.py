"""What is sorted into classes in CuisineWorld: why orders ran out (article, Appendix E.5).

The article names three failure modes that it found by replaying actions, and counts none. How often each is
met in an episode the record tells (``measures.failure_modes``); which of them cost the orders, a label.
"""

from __future__ import annotations

from collections.abc import Sequence

from backburner.kernel.assessment import Annotation, Case, Label, LabelSet
from backburner.kernel.episode import Episode
from backburner.kernel.replay import trajectory
from backburner.worlds.cuisineworld.game.catalogue import catalogue
from backburner.worlds.cuisineworld.metrics.measures import failure_modes

EXPIRED = LabelSet(
    name="failures",
    version=1,
    title="Why orders ran out",
    of="episode",
    question="What cost most of the orders that ran out?",
    source="Appendix E.5 of the article",
    labels=(
        Label("task order", "The order that ran out first was overlooked, and others were worked on."),
        Label("occupied tools", "Things were taken from tools still at work; instead of waiting, the bodies "
              "turned to something else."),
        Label("allocation", "Bodies were sent to wrong subgoals: they did the same thing twice, or stood in "
              "each other's way, while other dishes waited."),
        Label("form", "Commands could not be read, or named what is not there."),
        Label("pace", "Nothing went wrong: orders came faster than they could be served."),
        Label("other", "None of these, or it cannot be told."),
    ),
)  # fmt: skip


def expired(episode: Episode) -> Sequence[Case]:
    """The episode, if an order ran out and no call failed."""
    header, ending = episode.header, episode.ending
    if ending is None or ending.status == "failed" or not ending.numbers.get("expired"):
        return ()
    world = catalogue.restore(header.id, header.scenario, header.rules, header.limits)
    moves = [(before, step) for before, _, step in trajectory(episode, world)]
    modes = failure_modes(world, world.start(header.seed), moves)
    numbers = ending.numbers
    orders = f"Orders: {numbers['completed']} served, {numbers['expired']} ran out, {numbers['open']} open."
    return (Case(facts=(orders, *(f"{name}: {count:g} times" for name, count in modes.items()))),)


ANNOTATIONS = (Annotation(EXPIRED, expired),)

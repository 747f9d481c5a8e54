"""What is sorted into classes in Recipe2Plan: why episodes fail, why dependencies break (section 5.2).

The sources are those of the article's Figure 5, finer, and the record decides each. Why agents violate
dependencies although they are told all of them the article found in their reasoning: they want to do
several things at once, and lose sight of what is possible. That takes somebody who reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backburner.kernel.assessment import Annotation, Case, Label, LabelSet
from backburner.kernel.episode import Episode
from backburner.worlds.recipe2plan.metrics.analysis import kind_of_refusal
from backburner.worlds.recipe2plan.metrics.failures import CAUSES, EARLY, failure

STUCK, REVISIONS, TURNS = "stuck in a loop", "maximum of revisions", "turns used up"
UNREADABLE, OTHER = "unreadable answers", "other"
DEPENDENCY = "Dependency"

SOURCES = LabelSet(
    name="failures",
    version=1,
    title="Sources of failure",
    of="episode",
    question="Why did the cook not finish all recipes in time?",
    source="section 5.2 of the article, Figure 5",
    labels=(
        *(Label(f"time constraint: {cause}", f"A time constraint was broken: {cause}.") for cause in CAUSES),
        Label(STUCK, "The same refused answer again and again."),
        Label(REVISIONS, "Too many refused answers in all."),
        Label(UNREADABLE, "Refused answers ended play, most of them without an action that could be read."),
        Label(TURNS, "Play was cut off after so many turns."),
        Label(EARLY, "The cook said that all was done, and it was not."),
        Label(OTHER, "Something else ended play."),
    ),
    precedence=("A time constraint that could no longer be kept comes first, however play ended.",),
)

VIOLATIONS = LabelSet(
    name="dependencies",
    version=1,
    title="Why dependencies were violated",
    of="decision",
    question="Why did the cook choose a step whose earlier steps were not done?",
    source="section 5.2 of the article",
    labels=(
        Label("to save time", "It wants several things going on at once, and forgets what comes first."),
        Label("thought done", "It believes that the earlier step is complete, and it is not."),
        Label("not seen", "It gives no thought to the earlier step."),
        Label("no reason", "It gives no reasons at all."),
        Label("other", "Another reason."),
    ),
)


def sources(episode: Episode) -> Sequence[Case]:
    """The episode if it failed, with its source; not where a call failed."""
    if episode.ending is None or episode.ending.status == "failed":
        return ()
    found = failure(episode)
    if found is None:
        return ()
    facts = (f"Missing: {', '.join(found.missing)}.",)
    constraint = (f"Broken: {found.constraint}.",) if found.constraint else ()
    return (Case(decided=_label(found.source), facts=(*constraint, *facts)),)


def _label(source: str) -> str:
    known = {"stuck": STUCK, "revisions": REVISIONS}.get(source.partition(":")[0], source)
    return known if known in SOURCES.keys else OTHER


def violations(episode: Episode) -> Sequence[Case]:
    """The decisions that were refused for a dependency."""
    return tuple(_violations(episode))


def _violations(episode: Episode) -> Iterator[Case]:
    for entry in episode.entries:
        for refusal in entry.refusals[:1]:
            if kind_of_refusal(refusal) == DEPENDENCY:
                yield Case(at=entry.index, seat=refusal.seat or next(iter(entry.answers), ""))


ANNOTATIONS = (Annotation(SOURCES, sources), Annotation(VIOLATIONS, violations))

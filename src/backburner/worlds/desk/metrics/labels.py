"""Why not everything was served: classes that the record decides, so that nobody has to judge."""

from __future__ import annotations

from collections.abc import Sequence

from backburner.kernel.assessment import Annotation, Case, Label, LabelSet
from backburner.kernel.episode import Episode
from backburner.worlds.desk.metrics.course import Course
from backburner.worlds.desk.metrics.score import measures_of

POLLED_SHARE = 0.1
"""Of the time, spent on checks in vain, from which on an agent has polled."""

SEQUENTIAL_OVERLAP = 0.1

FAILURES = LabelSet(
    name="desk failures",
    version=1,
    title="Why not everything was served",
    of="episode",
    question="What kept the agent from serving everything?",
    labels=(
        Label("gave up", "It left the desk before all was done."),
        Label("forgotten job", "Something required was never begun, or begun and not brought to its end."),
        Label("wrong figure", "Something was filed or answered wrongly."),
        Label("dependency broken", "It called for a job before what that needs was told as done."),
        Label("lost request", "A request passed without an answer."),
        Label("polled", "A tenth of the time or more went into checks in vain."),
        Label("sequential", "Hardly anything ran at the same time."),
        Label("lured", "It spent calls on what wants nothing."),
        Label("late", "None of these: it was too slow."),
    ),
    precedence=("The first of these in their order that the record shows.",),
)


def failures(episode: Episode) -> Sequence[Case]:
    """The episode, unless everything was served."""
    if episode.ending is None or episode.ending.status == "failed":
        return ()
    course = Course(episode)
    measures = measures_of(course, episode)
    if measures["served"] == 100:
        return ()
    wasted = course.wasted * course.compiled.scenario.check_minutes
    signs = {
        "gave up": course.final.closed == "left",
        "forgotten job": bool(course.left),
        "wrong figure": measures.get("right", 1.0) < 1,
        "dependency broken": any(refusal.code == "input_missing" for refusal in course.refusals),
        "lost request": course.lost > 0,
        "polled": wasted >= POLLED_SHARE * max(course.final.minute, 1),
        "sequential": measures.get("overlap", 1.0) < SEQUENTIAL_OVERLAP,
        "lured": course.lured > 0,
        "late": True,
    }
    shown = [label for label, holds in signs.items() if holds]
    return (Case(decided=shown[0], facts=(f"The record shows: {', '.join(shown)}.",)),)


ANNOTATIONS = (Annotation(FAILURES, failures),)

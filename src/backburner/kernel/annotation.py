"""Labels: the classes into which people sort what a record does not decide by itself.

An article that says why agents fail has a set of classes, and rules for choosing among them. A pack declares
such sets as data, each with a function that finds the *cases* of an episode: the episode as a whole, or some
of its decisions. What the record decides needs no label; of the rest it may rule some classes out. Settled
labels come back to a world's scoring as measures (``label_measure``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from backburner.kernel.episode import Episode
from backburner.kernel.values import Seat

KEYS = "1234567890ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The keys of a terminal that stand for the labels of a set, in their order."""


class Label(Struct, frozen=True):
    """A class. ``key``: what files and tables call it, ``family: cause`` where classes come in families.

    ``definition``: what belongs to it, in sentences that an annotator goes by.
    """

    key: str
    definition: str

    @property
    def family(self) -> str:
        """The part before the colon."""
        return self.key.partition(":")[0]


class LabelSet(Struct, frozen=True, kw_only=True):
    """Classes of which a case has one.

    ``name``: in a word, unique in its pack. ``version``: raised when a label or its meaning changes; labels
    of another version do not count. ``of``: what has a label, an episode or single decisions. ``question``:
    what the annotator is asked. ``precedence``: how to choose where several labels fit. ``source``: the
    article's section.
    """

    name: str
    version: int
    title: str
    of: Literal["episode", "decision"]
    question: str
    labels: tuple[Label, ...]
    precedence: tuple[str, ...] = ()
    source: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """The labels' keys, in their order."""
        return tuple(label.key for label in self.labels)


class Case(Struct, frozen=True, kw_only=True):
    """What has one label: an episode, or its decision ``at`` that step by that ``seat``.

    ``decided``: the label, where the record decides it. ``possible``: the labels that the record leaves open
    otherwise; all of the set if there are none. ``facts``: what the record says that bears on the choice, a
    line each.
    """

    at: int | None = None
    seat: Seat = ""
    decided: str = ""
    possible: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()


class Annotation(Struct, frozen=True):
    """A label set with the cases that it is for.

    ``cases``: those of a finished episode, none where nothing of it is to be labelled; a case never comes
    twice. It may raise for a record that no play of ours would have come to.
    """

    labels: LabelSet
    cases: Callable[[Episode], Sequence[Case]]


def label_measure(name: str, key: str) -> str:
    """The measure that counts how many cases of an episode have a label, by the set's name and its key."""
    return f"label: {name}: {key}"


def label_in(measures: Mapping[str, float], labels: LabelSet) -> str:
    """The label of an episode as a whole, out of its numbers; empty if it has none."""
    return next((key for key in labels.keys if label_measure(labels.name, key) in measures), "")


# --- where a pack declares none ----------------------------------------------------------------------------

FAILURES = LabelSet(
    name="failures",
    version=1,
    title="Why it was not completed",
    of="episode",
    question="Why was the task not completed? Choose what finally prevented it.",
    labels=(
        Label("state", "The agent went by a state of things that was not so, though it had been told."),
        Label("action", "It kept trying what is no possible action, though it was told which ones are."),
        Label("rule", "It kept breaking a rule that it had been told, and did not get over that."),
        Label("goal", "It worked for something else than what was asked for, or stopped before it was done."),
        Label("time", "What it did was right, and took too long: work that could have gone on at the same "
              "time was done one after the other, or the agent waited for nothing."),
        Label("form", "Its answers could not be read."),
        Label("other", "None of these, or it cannot be told."),
    ),
    precedence=("Where several fit, choose the one without which the others would not have mattered.",),
)  # fmt: skip


def uncompleted(episode: Episode) -> Sequence[Case]:
    """The episode, if it ended and its numbers do not say that everything was completed."""
    ending = episode.ending
    if ending is None or ending.status == "failed" or ending.numbers.get("completed"):
        return ()
    return (Case(facts=(f"It ended as: {ending.reason.replace('_', ' ')}.",)),)


USUAL = (Annotation(FAILURES, uncompleted),)
"""What is annotated in worlds whose pack says nothing of it."""

"""Assessment: what a world's metrics say of a decision, of a plan, of being in time; and what people say.

An assessment is made for one world by ``registry.assessment``; the game itself knows nothing of it.

Labels are the classes into which people sort what a record does not decide by itself. An article that says
why agents fail has a set of classes, and rules for choosing among them. A pack declares such sets as data,
each with a function that finds the *cases* of an episode: the episode as a whole, or some of its decisions.
What the record decides needs no label; of the rest it may rule some classes out. Settled labels come back to
a world's scoring as measures (``label_measure``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, Protocol

from msgspec import Meta, Struct

from backburner.kernel.episode import Episode
from backburner.kernel.values import Refusal, Seat

# --- one decision ---------------------------------------------------------------------------------------


class Judgement(Struct, frozen=True):
    """A decision by one ``criterion``: it is good if the score is above 0; ``note`` says why it is not."""

    criterion: str
    score: float
    note: str = ""


class Worth(Protocol):
    """Says what one decision is worth where it is taken: for probes, which ask for it again and again."""

    def __call__(
        self,
        past: Sequence[tuple[Any, Mapping[Seat, Any]]],
        state: Any,
        seat: Seat,
        decision: Any,
    ) -> Sequence[Judgement]:
        """A decision of a seat that must decide in ``state``, by the same criteria every time.

        ``past``: the (state, decisions) that have led there from the start. ``decision`` may be a refusal:
        an answer that could not be read. Raises ``Refused`` where the scenario has nothing to compare with.
        """


# --- whole plans ----------------------------------------------------------------------------------------


class Violated(Protocol):
    """One thing that is wrong with a plan."""

    @property
    def family(self) -> str:
        """The kind of constraint that is violated, in the article's words."""


class Criticism(Protocol):
    """What is wrong with a plan; where nothing is, what could be better. Times in the world's unit."""

    @property
    def violations(self) -> Sequence[Violated]:
        """All of them, family by family."""

    @property
    def finish(self) -> int:
        """When the last action ends."""

    @property
    def idle(self) -> Sequence[tuple[int, int]]:
        """From when to when nobody has anything to do, in a plan without violations."""


class Critics(Protocol):
    """Say everything that is wrong with a whole plan at once, where the world stops at the first.

    A plan is a text, rows of JSON values, or a record, of which what was accepted is the plan.
    """

    def criticise(self, plan: str | Sequence[Any] | Episode) -> Criticism | Refusal:
        """What is wrong with a plan. A text that holds no plan comes back as a refusal.

        Raises ``msgspec.ValidationError`` for rows that are no plan, and nothing else.
        """

    def as_decision(self, plan: str | Sequence[Any] | Episode) -> Any | Refusal:
        """The plan as the one decision that the critics looked at: actions that start together stand in
        the order that serves the plan. Refuses and raises as ``criticise`` does.
        """

    def complaint(self, violation: Any) -> str:
        """The violation as a sentence."""

    def moment(self, time: int) -> str:
        """A time of a plan as plans write it."""


# --- windows of time ------------------------------------------------------------------------------------

WindowState = Literal["kept", "missed", "open"]
"""In time; too late, or never before it closed; neither, as play stopped before."""


class Window(Struct, frozen=True, omit_defaults=True):
    """``label`` had to happen from ``opens`` to ``closes``, in the world's unit of time.

    ``lane``: of the body, appliance or place concerned. ``met``: when what was wanted happened, if it
    did.
    """

    lane: str
    label: str
    opens: int | float
    closes: int | float
    state: WindowState
    met: int | float | None = None


# --- all of it ------------------------------------------------------------------------------------------


class Assessment(Struct, frozen=True):
    """What the metrics of a world can say; ``None`` for what they cannot.

    ``worth``: what one decision is worth. ``critics``: what is wrong with a whole plan. ``windows``: what
    had to happen from when to when in a record, finished or not, by when the windows open; timelines draw
    them.
    """

    worth: Worth | None = None
    critics: Critics | None = None
    windows: Callable[[Episode], tuple[Window, ...]] | None = None


KEYS = "1234567890ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The keys of a terminal that stand for the labels of a set, in their order."""


# --- labels ---------------------------------------------------------------------------------------------


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
    of another version do not count. ``of``: what has a label, an episode or single decisions; or a part of a
    text, see ``FromWords``. ``question``:
    what the annotator is asked. ``precedence``: how to choose where several labels fit. ``source``: the
    article's section.
    """

    name: str
    version: int
    title: str
    of: Literal["episode", "decision", "gap", "action", "pair", "limit"]
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


# --- scenarios made of plain words ---------------------------------------------------------------------


class Action(Struct, frozen=True, forbid_unknown_fields=True):
    """What one annotator, or all together, say of one action of a text, whose ``words`` it is.

    ``labels``: one of each set ``of`` an action. ``after``: the actions that must have ended before, by
    their numbers from 0, each with the label of the limit on the time between.
    """

    words: Annotated[str, Meta(min_length=1, max_length=8000)]
    labels: dict[str, str]
    after: dict[int, str] = {}


class FromWords(Struct, frozen=True):
    """How texts become scenarios of a world: annotators label their parts, and ``scenario`` makes a file of
    the labels.

    - ``gap``: whether a new action begins at a piece of the text; its first label says yes
    - ``properties``: those of an action
    - ``pair``: whether the later of two actions waits for the earlier one; its first label says yes
    - ``limit``: how long it may wait at most where nothing is in between; its first label says as long as it
      likes

    ``example``: a text worked out, for models. ``printed``: the article's kappas, by set. ``source``: where
    they stand.
    """

    gap: LabelSet
    properties: tuple[LabelSet, ...]
    pair: LabelSet
    limit: LabelSet
    example: tuple[Action, ...] = ()
    printed: dict[str, float] = {}
    source: str = ""

    def scenario(self, name: str, actions: Sequence[Action]) -> Mapping[str, Any]:
        """The file of the text of this name, whose problem has an activity for each action, in their order;
        raises ``BadFile``."""
        raise NotImplementedError

    @property
    def sets(self) -> tuple[LabelSet, ...]:
        """All of them, in the order in which they are asked."""
        return (self.gap, *self.properties, self.pair, self.limit)


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

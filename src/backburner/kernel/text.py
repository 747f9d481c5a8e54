"""Text: what a seat is told, in parts; what it answers, one decision or a whole plan; what it is asked.

``briefing_parts``, ``description_parts``, ``parse`` and ``words`` are a world's own; the rest of ``Text``
has defaults. ``Examples`` are what a world shows, in prompts, to somebody who has never played it.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from typing import Any, Literal, Protocol, TypeGuard, TypeVar, runtime_checkable

from msgspec import Struct

from backburner.kernel.contract import World, subclasses
from backburner.kernel.errors import Refused
from backburner.kernel.values import Refusal, Seat

D = TypeVar("D")
S_contra = TypeVar("S_contra", contravariant=True)
O_contra = TypeVar("O_contra", contravariant=True)

# --- parts of what is told ------------------------------------------------------------------------------

Kind = Literal[
    "role", "task", "instructions", "hints", "recipes", "answering", "feedback", "state", "aside", "question"
]
"""Who one is; what is to be done; rules, actions, things and places; advice that could be found out by
thinking; how things are made; how to answer. Of a moment: what became of the last decision; how things
stand; of that what a picture of the scene does not show, such as talk and what can be done; what is asked."""


class Part(Struct, frozen=True):
    """A part of a text, with what stands between it and the next: whoever leaves parts out goes by their
    kinds, as ablations do."""

    kind: Kind
    text: str


def parted(parts: Iterable[tuple[Kind, str]], between: str = "\n\n") -> tuple[Part, ...]:
    """The parts that say something, with what stands between them."""
    said = [(kind, text) for kind, text in parts if text]
    return (*[Part(kind, text + between) for kind, text in said[:-1]], *[Part(*last) for last in said[-1:]])


def joined(parts: Iterable[Part]) -> str:
    """The whole text."""
    return "".join([part.text for part in parts])


def only(parts: Iterable[Part], *kinds: Kind) -> str:
    """The text of the parts of these kinds, in their order; empty if there are none."""
    return joined(part for part in parts if part.kind in kinds).strip()


def without(parts: Iterable[Part], *kinds: Kind) -> str:
    """The text of all other parts, in their order."""
    return joined(part for part in parts if part.kind not in kinds).strip()


# --- questions ------------------------------------------------------------------------------------------


class Question(Struct, frozen=True):
    """What an answer is wanted for, in worlds that ask for more than the next decision.

    ``purpose``: in a word of the world's own, such as ``beliefs`` or ``answer``. ``move``: whether the
    answer is a move; if not, the seat is to tell something first, and the world tells it again wherever it
    matters later, so that nobody needs to remember it. ``parts``: how many parts such an answer has.

    ``correction``: something else is wanted in place of what was refused. ``repair``: the last answer
    could not be read, and is asked for again. ``complaint``: what was refused last, in words; empty for
    nothing.
    """

    purpose: str
    move: bool = True
    parts: int = 1
    correction: bool = False
    repair: bool = False
    complaint: str = ""


# --- for a person at a screen ---------------------------------------------------------------------------


class Suggestion(Struct, frozen=True):
    """A line that a person may want to type and that no menu has, and what it is good for.

    One that ends with a blank is a beginning. ``label``: what a menu calls it, if that is shorter.
    """

    line: str
    gloss: str = ""
    label: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether nothing has to be added."""
        return not self.line.endswith(" ")


class Glance(Struct, frozen=True):
    """A moment in few words, for somebody who has seen the briefing and looks at a small screen.

    ``goal``: what is to be reached. ``news``: what became of the last decision, why it was refused if it
    was. ``state``: how things stand. ``question``: what is asked. ``recipes``: how things are made.
    ``suggestions``: lines to type beside what the menu has, such as words to a partner. ``briefing``: what
    the seat is told before play but how to write answers, which a menu and keys need nobody to know.
    ``changes``: ``state`` says only what has changed.
    """

    goal: str = ""
    news: str = ""
    state: str = ""
    question: str = ""
    recipes: str = ""
    suggestions: tuple[Suggestion, ...] = ()
    briefing: str = ""
    changes: bool = False

    @property
    def told(self) -> str:
        """What somebody has to remember of it, as no later moment tells it again."""
        return "\n".join(filter(None, (self.news, self.state if self.changes else "")))


# --- the protocol ---------------------------------------------------------------------------------------

LINE_FORM = """\
Write one action on each line, in the order in which they are to be carried out, each as you would answer \
with it alone. Write no numbers, no bullet points and no other text."""
"""How a plan is written where the world does not say otherwise."""


@runtime_checkable
class Text(Protocol[S_contra, D, O_contra]):
    """The world speaks: it briefs a seat, describes what the seat sees, and reads its answers."""

    @abstractmethod
    def briefing_parts(self, seat: Seat) -> Sequence[Part]:
        """What a seat is told before play: the tasks, the things, how to answer. It never changes.

        There may be several parts of a kind, and none.
        """

    @abstractmethod
    def description_parts(self, observation: O_contra) -> Sequence[Part]:
        """An observation in words; they depend on nothing but the observation."""

    @abstractmethod
    def parse(self, state: S_contra, seat: Seat, answer: str) -> D | Refusal:
        """The decision that ``answer`` asks for, or a refusal if it cannot be read. Never raises."""

    @abstractmethod
    def words(self, decision: D, seat: Seat = "") -> str:
        """The text that ``parse`` reads as ``decision`` when ``seat`` answers with it.

        Without a seat: as it is told to others, which ``parse`` need not read where it matters who speaks.
        """

    def briefing(self, seat: Seat) -> str:
        """``briefing_parts`` as one text."""
        return joined(self.briefing_parts(seat))

    def describe(self, observation: O_contra) -> str:
        """``description_parts`` as one text."""
        return joined(self.description_parts(observation))

    def goal(self, seat: Seat) -> str:
        """What a seat is to reach, in a sentence that fits two lines of a screen."""
        return only(self.briefing_parts(seat), "task").partition("\n\n")[0]

    def news(self, observation: O_contra) -> str:
        """What became of the seat's last decision, and what it has heard since, in a few lines."""
        return only(self.description_parts(observation), "feedback")

    @property
    def tells_changes(self) -> bool:
        """Whether moments say only what has changed, and never how all things are; people are shown what
        earlier ones said."""
        return False

    def gives_up(self, state: S_contra, decision: D) -> bool:
        """Whether a decision ends the play before what was to be reached is; people are asked twice."""
        return False

    def wanting(self, refusal: Refusal) -> Sequence[str]:
        """What would have to be so before what was refused of a seat can be done, as far as the seat can see
        and nothing else tells it; people who play for fun are told."""
        return ()

    def suggestions(self, observation: O_contra) -> Sequence[Suggestion]:
        """Lines that a person who sees this may want to type and that the menu does not have."""
        return ()

    @property
    def plan_form(self) -> str:
        """How to write a plan of many decisions, in a few sentences; empty where nobody can write one."""
        return LINE_FORM

    def answers_in(self, plan: str) -> tuple[str, ...]:
        """The answers, one for each decision, that a plan stands for; each is for ``parse`` to read.

        Forgiving about what people put around a plan. None where there is no plan. Never raises.
        """
        return answers_on_lines(plan)

    @property
    def typing_help(self) -> str:
        """How a person types an answer on one line, in a few sentences, if it is not just typed."""
        return ""

    def typed(self, line: str, seat: Seat = "") -> str:
        """The answer, for ``parse`` to read, that a line typed for ``seat`` stands for. Never raises."""
        return line

    def phrases(self, seat: Seat) -> Iterable[str]:
        """Every action that the scenario has for a seat, possible now or not, as people type it.

        People are told why an action that they begin to type cannot be done yet. Nothing where actions are
        not listed.
        """
        return ()

    @property
    def corrects(self) -> bool:
        """Whether something else may be wanted in place of what was refused: questions of ``correction``."""
        return False

    @property
    def reads_thoughts(self) -> bool:
        """Whether thoughts that a model writes into its answer are read as a part of it, as some released
        programs do. Otherwise ``parse`` and ``answers_in`` are given answers without them; see ``wrapping``.
        """
        return False

    def reads_reasoning(self, model: str) -> bool:
        """Whether what the server of this model tells apart as its reasoning is read too, before its answer
        and between ``<think>`` and ``</think>``, as some released clients for models write it."""
        return False

    def remembered(self, seat: Seat, answer: str) -> str | None:
        """What is shown to a seat again of an answer, where prompts do so; ``None``: all of it."""
        return None

    def question(self, observation: O_contra) -> Question | None:
        """What an answer of a seat that must decide and sees this is wanted for; ``None``: the next move."""
        return None


# --- whole plans ----------------------------------------------------------------------------------------

LONGEST_LINE, MOST_LINES = 1000, 10_000
"""Characters of a line of a plan, and lines of it, that are looked at."""


def answers_on_lines(text: str) -> tuple[str, ...]:
    """One answer for each line that holds an action, without numbers, bullets and labels.

    What follows a heading ``Plan:`` counts, if there is one. Then, of lines with a label ``Action:`` and
    others, the labelled ones are the plan; of numbered or bulleted lines and others, the listed ones.
    """
    lines = _lines(text)
    lines = [line for line in lines[_begin(lines) :] if not _FENCE.match(line)]
    labelled = [line for line in lines if _LABEL.match(line)]
    chosen = labelled or [line for line in lines if _LISTED.match(line)] or lines
    return tuple(filter(None, (bare(line) for line in chosen)))


def answers_by_step(text: str, who: Callable[[str], Collection[Hashable]]) -> tuple[str, ...]:
    """One answer for each step in which several act, a line or more each.

    A step ends at an empty line, at a heading such as ``Step 3:``, and before a line of somebody who has
    acted in it; ``who`` says whom a line is about. Lines about nobody are left out.
    """
    steps: list[list[str]] = [[]]
    acting: set[Hashable] = set()
    for line in _lines(text, empty=True):
        bodies = set(who(line)) if line else set()
        if not line or _HEADING.match(line) or bodies & acting:
            steps.append([])
            acting = set()
        if bodies and (said := bare(line)):
            steps[-1].append(said)
            acting |= bodies
    return tuple("\n".join(step) for step in steps if step)


def bare(line: str) -> str:
    """A line without number, bullet, label, and marks around it."""
    lead = _LEAD.match(line)
    return line[lead.end() if lead else 0 :].strip().strip(" \t*_`").strip()


def _lines(text: str, empty: bool = False) -> list[str]:
    """The lines that are looked at; with ``empty`` an empty one for each run of those that say nothing."""
    lines: list[str] = []
    for line in text.splitlines():
        if line.strip():
            lines.append(line[:LONGEST_LINE])
            if len(lines) == MOST_LINES:
                break
        elif empty and lines and lines[-1]:
            lines.append("")
    return lines


def _begin(lines: list[str]) -> int:
    """Where the plan begins: after the last heading that says so, if any line follows it."""
    headings = [place for place, line in enumerate(lines[:-1]) if _PLAN.match(line)]
    return headings[-1] + 1 if headings else 0


_PLAN = re.compile(r"[\W_]{0,9}(?:\w{1,9} ){0,4}plan\b[^\w\n]{0,9}$", re.IGNORECASE)
_FENCE = re.compile(r"\s*(?:```|~~~)")
_NUMBER = r"\(?\d{1,5}[.):](?=[\s*_]|$)|(?:step|turn|minute|time)\s?\d{1,5}\s?[.:)-]"
_ACTION = r"action(?:\s?\d{1,5})?[\s*_]{0,9}:"
_LABEL = re.compile(rf"(?:\s|[-*+•>#]|[_`]|{_NUMBER})*{_ACTION}", re.IGNORECASE)
_LISTED = re.compile(rf"\s*(?:[-*+•]\s|[*_]{{0,3}}(?:{_NUMBER}))", re.IGNORECASE)
_HEADING = re.compile(rf"[\s*_#]*(?:{_NUMBER})", re.IGNORECASE)
_LEAD = re.compile(
    # A run of marks that no space follows is looked at once, and not from each of its marks on.
    rf"(?:\s|(?<![-*+•>#])[-*+•>#]+\s|[*_`]|{_NUMBER}|plan:|{_ACTION})+",
    re.IGNORECASE,
)


# --- examples -------------------------------------------------------------------------------------------

NO_DEMONSTRATION = "this world names no scenario in which its play is shown"
NO_WORKED_PLAN = "this world has no worked example of a whole plan"


class WorkedPlan(Struct, frozen=True):
    """A whole plan for another scenario.

    ``task``: the scenario as the world tells it. ``outline``: what goes on at the same time, in sentences.
    ``plan``: the plan as the world reads it.
    """

    task: str
    outline: str
    plan: str


@runtime_checkable
class Examples(Protocol):
    """The world has examples of other scenarios than its own, for prompts."""

    def demonstration(
        self, seat: Seat, bodies: int | None = None, single: bool = False
    ) -> tuple[World[Any, Any, Any], Seat]:
        """Another world whose play is shown to ``seat``, and the seat to look at in it.

        Its play is short, comes to an end, follows the same rules and gives nothing of this scenario away.
        What is shown ends with the first delivery. ``bodies``: how many act in it; by default as many as
        suit it. ``single``: a task with one part only, where there are tasks with several. Equal worlds
        show the same. Raises ``Refused`` where there is nothing to show, or not with so many bodies.
        """
        raise Refused(NO_DEMONSTRATION)

    def worked_plan(self, single: bool = False) -> WorkedPlan:
        """A whole plan for a scenario that is never played, of which as much is told as of this one.

        ``single``: a task with one part only, where nothing of another part is done in between. Raises
        ``Refused`` where there is none.
        """
        raise Refused(NO_WORKED_PLAN)


def speaks(world: World[Any, Any, Any]) -> TypeGuard[Text[Any, Any, Any]]:
    """Whether this world has words; cheap enough to be asked at every turn."""
    return subclasses(type(world), Text) or isinstance(world, Text)


def speaking(world: World[Any, Any, Any]) -> Text[Any, Any, Any]:
    """The world, which has words; raises ``Refused`` for one that has none."""
    if not speaks(world):
        raise Refused(f"{world.id}: this world has no words; answer with decisions")
    return world

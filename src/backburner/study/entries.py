"""What happens to a participant, as the journal keeps it, and whether what they sent for a form fits.

Everything else is worked out from entries. ``at`` is the time, in seconds since 1970, UTC. ``position`` is
the place of a stage among the participant's (``stages``), from 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from backburner.study.design import Choice, Item, Likert, Number, Offer, Status, Study, Words

Answer = str | float | tuple[str, ...] | None
"""A rating or number; a text or the value of an option; the values of several."""


class Happened(Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True, omit_defaults=True):
    """An entry of a participant, or of the study."""

    at: float


class Began(Happened, frozen=True, tag="began"):
    """The study's first entry: its file's content and digest, and the version that reads it."""

    digest: str
    study: Study
    version: str
    rehearsal: bool = False


class Arrived(Happened, frozen=True, tag="arrived"):
    """Somebody opened a link. ``recruited``: the id that the link carried; ``kept``: its other parameters;
    ``invitation``: the number of a link that ``study links`` made."""

    language: str
    recruited: str = ""
    kept: dict[str, str] = {}
    invitation: int | None = None
    simulated: bool = False


class Spoke(Happened, frozen=True, tag="spoke"):
    """Another language was chosen."""

    language: str


class Entered(Happened, frozen=True, tag="entered"):
    """A stage was first shown."""

    position: int


class Answered(Happened, frozen=True, tag="answered"):
    """A form was sent. ``wrong``: the comprehension checks that were not right."""

    position: int
    answers: dict[str, Answer]
    wrong: tuple[str, ...] = ()


class Assigned(Happened, frozen=True, tag="assigned"):
    """The participant has partners (or none), and with them an order.

    ``number``: of the team, from 0, on which draws depend; ``row``: of the table of orders, from 0;
    ``members``: of the team, ``member`` being the participant's own place among them.
    """

    team: str
    number: int
    row: int
    member: int
    members: tuple[str, ...]


class Opened(Happened, frozen=True, tag="opened"):
    """A game was opened for a stage. ``token``: the secret of the participant's seat."""

    position: int
    game: str
    seat: str
    token: str
    host: str
    people: int


class Numbers(Struct, frozen=True):
    """What a participant did in a game, counted: decisions at which the seat was asked, those that a
    stand-in took, slips that were explained, decisions or parts of them that were refused."""

    decisions: int = 0
    stood_in: int = 0
    slips: int = 0
    refusals: int = 0


class Measure(Struct, frozen=True):
    """A number of an episode: a metric of the world's scoring, or a number of its outcome."""

    name: str
    value: float
    title: str = ""
    unit: str = ""
    lowest: float | None = None
    highest: float | None = None


class Played(Happened, frozen=True, tag="played"):
    """A game was over. ``digest``: of the record, which stands in ``records/<game>.jsonl``."""

    position: int
    game: str
    status: str
    reason: str
    scenario: str
    seed: int
    steps: int
    players: str
    own: Numbers
    measures: tuple[Measure, ...]
    digest: str


Input = Literal["", "mouse", "touch", "pen", "key"]
Span = Annotated[float, Meta(ge=0, le=1_000_000)]


class Decision(Struct, frozen=True, forbid_unknown_fields=True):
    """A decision as the participant's page saw it: it says so, and nobody else knows.

    ``step``: the turn's number, in a game with a clock that of the frame. ``seconds``: from when what is
    asked was shown (in a game with a clock: from the decision before) until it was accepted.
    ``round_trip``: the median, in seconds, of the pings of the page meanwhile. ``away``, ``away_seconds``:
    how often and for how long the page had not the focus. ``input``: by what it was made.
    """

    step: Annotated[int, Meta(ge=-1, le=100_000_000)]
    seconds: Span
    round_trip: Span | None
    away: Annotated[int, Meta(ge=0, le=100_000)]
    away_seconds: Span
    input: Input
    view: Literal["2d", "3d"]


class Change(Struct, frozen=True, forbid_unknown_fields=True):
    """A participant has switched something on or off. ``seconds``: since the page of the game was opened."""

    what: Offer
    on: bool
    seconds: Span


class Noticed(Happened, frozen=True, tag="noticed"):
    """What the page of a game has noticed since it last said so."""

    position: int
    decisions: tuple[Decision, ...] = ()
    changes: tuple[Change, ...] = ()


class Left(Happened, frozen=True, tag="left"):
    """A stage was done."""

    position: int


class Messaged(Happened, frozen=True, tag="messaged"):
    """The researcher wrote to the participant, who was at this stage."""

    position: int
    text: str


class Read(Happened, frozen=True, tag="read"):
    """The participant has read the messages up to this one, counted from 1."""

    number: int


class Ended(Happened, frozen=True, tag="ended"):
    """The participant came to an end. ``reason``: the researcher's, for whom they took out."""

    status: Status
    reason: str = ""


class Recruiting(Happened, frozen=True, tag="recruiting"):
    """From now on the researcher lets new people in, or nobody new any more: an entry of the study."""

    open: bool


OfParticipant = Arrived | Spoke | Entered | Answered | Assigned | Opened | Noticed | Played | Messaged | Read
AnyEntry = Began | Recruiting | OfParticipant | Left | Ended


# --- answers to a form ------------------------------------------------------------------------------------


Problems = dict[str, tuple[str, dict[str, str]]]
"""Item to the key of the words that say what is wrong, and what fills them."""


class Checked(Struct, frozen=True):
    """Answers as they are kept. ``wrong``: comprehension checks that are answered wrongly."""

    answers: dict[str, Answer]
    problems: Problems
    wrong: tuple[str, ...]

    @property
    def fits(self) -> bool:
        """Whether nothing is missing and everything is of its kind."""
        return not self.problems


def checked(items: Sequence[Item], sent: Mapping[str, Answer]) -> Checked:
    """The answers to these items; whatever else was sent is passed over."""
    answers: dict[str, Answer] = {}
    problems: Problems = {}
    for item in items:
        answer = _plain(sent.get(item.name))
        if answer in (None, "", ()):
            answers[item.name] = None
            if item.required:
                problems[item.name] = ("required", {})
            continue
        answers[item.name] = answer
        if (problem := _problem(item, answer)) is not None:
            problems[item.name] = problem
    wrong = [
        item.name
        for item in items
        if item.check == "comprehension"
        and item.name not in problems
        and not is_correct(item, answers[item.name])
    ]
    return Checked(answers, problems, tuple(wrong))


def is_correct(item: Item, answer: Answer) -> bool | None:
    """Whether it is the right answer; ``None`` for an item that has none."""
    if item.correct is None:
        return None
    if isinstance(item, Choice) and item.several:
        return answer == (item.correct,)
    if isinstance(answer, str) and isinstance(item.correct, str):
        return answer.strip().casefold() == item.correct.strip().casefold()
    return answer == item.correct


def _plain(answer: Answer) -> Answer:
    """A text without blanks around it, the values of several once each."""
    if isinstance(answer, str):
        return answer.strip()
    return tuple(dict.fromkeys(answer)) if isinstance(answer, tuple) else answer


def _problem(item: Item, answer: Answer) -> tuple[str, dict[str, str]] | None:
    match item:
        case Likert():
            fits = isinstance(answer, float | int) and answer in range(1, item.points + 1)
            return None if fits else ("between", {"lowest": "1", "highest": str(item.points)})
        case Choice():
            values = [option.value for option in item.options]
            chosen = answer if item.several else (answer,)
            fits = isinstance(chosen, tuple) and all(one in values for one in chosen)
            return None if fits else ("required", {})
        case Number():
            return _number_problem(item, answer)
        case Words():
            fits = isinstance(answer, str) and len(answer) <= item.longest
            return None if fits else ("longest", {"longest": str(item.longest)})


def _number_problem(item: Number, answer: Answer) -> tuple[str, dict[str, str]] | None:
    lowest = -math.inf if item.lowest is None else item.lowest
    highest = math.inf if item.highest is None else item.highest
    ends = {"lowest": f"{lowest:g}", "highest": f"{highest:g}"}
    if not isinstance(answer, float | int) or not math.isfinite(answer) or not lowest <= answer <= highest:
        return ("between", ends)
    return ("whole", {}) if item.whole and not float(answer).is_integer() else None

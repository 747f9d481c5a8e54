"""What goes over the wire between a participant's page and the server.

``web/wire.py`` writes it in TypeScript. A page says ``arrive`` first and is answered with ``admitted`` (or
``turned_away``), ``words`` and ``stage``; after that the server sends ``stage`` whenever something else is to
be shown. What a page sends names the stage that it answers and the attempt, so that a form that is sent
twice, or from a second tab that is behind, does nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from backburner.serve.protocol import Closed, read_message
from backburner.study.design import Colours, Offer
from backburner.study.entries import Answer, Change, Decision, Span
from backburner.study.prose import Block

MOST_BYTES = 128 * 1024
"""Of a message of a page: a form of a hundred texts is smaller."""

Text = Annotated[str, Meta(max_length=500)]
Id = Annotated[str, Meta(max_length=200)]


class _Said(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """A message of a page."""


class _Told(Struct, frozen=True, tag_field="kind"):
    """A message of the server."""


class Arrive(_Said, frozen=True, tag="arrive"):
    """The first message. ``parameters``: of the link. ``token``: what this browser was given before.
    ``language``: those that the browser prefers, with commas between them."""

    parameters: Annotated[dict[Id, Text], Meta(max_length=40)] = {}
    token: Id = ""
    language: Text = ""


class Send(_Said, frozen=True, tag="send"):
    """The stage at this position is done: the answers of a form; for consent ``agreed`` and the boxes.

    ``attempt``: as the stage was told, so that a form that is sent twice counts once.
    """

    position: Annotated[int, Meta(ge=0, le=100_000)]
    answers: Annotated[dict[Id, Answer], Meta(max_length=200)] = {}
    agreed: bool = False
    attempt: Annotated[int, Meta(ge=0, le=1000)] = 0


class Speak(_Said, frozen=True, tag="speak"):
    """In another language, please."""

    language: Id


class Stop(_Said, frozen=True, tag="stop"):
    """The participant stops. ``delete``: and wants the data deleted."""

    delete: bool = False


class Notice(_Said, frozen=True, tag="notice"):
    """What the page of the game at this position has noticed; it is data, and nothing follows from it."""

    position: Annotated[int, Meta(ge=0, le=100_000)]
    decisions: Annotated[tuple[Decision, ...], Meta(max_length=100)] = ()
    changes: Annotated[tuple[Change, ...], Meta(max_length=100)] = ()


class Read(_Said, frozen=True, tag="read"):
    """The participant has read the researcher's messages up to this one, counted from 1."""

    number: Annotated[int, Meta(ge=1, le=100_000)]


class Ping(_Said, frozen=True, tag="ping"):
    """Is anybody there? ``round_trip``: of the ping before; ``away``: the page has not the focus."""

    round_trip: Span | None = None
    away: bool = False


class Admitted(_Told, frozen=True, tag="admitted"):
    """``token``: with it this browser goes on where it was."""

    token: str


class TurnedAway(_Told, frozen=True, tag="turned_away"):
    """Why somebody cannot take part, or cannot go on here."""

    why: str
    language: str = "en"
    direction: Literal["ltr", "rtl"] = "ltr"


class WordsTold(_Told, frozen=True, tag="words"):
    """The words of every page, and its colours. ``withdrawal``: what is offered to those who stop."""

    language: str
    direction: Literal["ltr", "rtl"]
    languages: tuple[str, ...]
    title: str
    contact: tuple[Block, ...]
    words: dict[str, str]
    withdrawal: Literal["ask", "delete", "keep"]
    colours: Colours


class OptionTold(Struct, frozen=True):
    """An option of a choice."""

    value: str
    text: str


class ItemTold(Struct, frozen=True):
    """An item of a form. ``points``, ``low``, ``high``: of a rating; ``options``, ``several``: of a choice;
    ``lowest``, ``highest``, ``whole``: of a number; ``lines``, ``longest``: of a text."""

    name: str
    type: Literal["likert", "choice", "number", "text"]
    text: str
    required: bool
    points: int = 0
    low: str = ""
    high: str = ""
    options: tuple[OptionTold, ...] = ()
    several: bool = False
    lowest: float | None = None
    highest: float | None = None
    whole: bool = False
    lines: int = 1
    longest: int = 0


class Game(Struct, frozen=True):
    """A seat in a game of the server, by its token. ``offers``: what its page may offer; ``lessons``: and how
    good the game was, once it is over."""

    game: str
    seat: str
    token: str
    offers: tuple[Offer, ...]
    lessons: bool


class Waiting(Struct, frozen=True):
    """People are waited for: so many are here, so many are needed, for so long at most."""

    present: int
    needed: int
    seconds_left: float


Kind = Literal["text", "consent", "form", "play", "wait", "end"]


class StageTold(_Told, frozen=True, tag="stage"):
    """What is to be shown.

    ``boxes``: statements to be ticked. ``problems``: item to what is wrong with what was sent; ``notice``:
    what is wrong in all. ``least_seconds``: so long a text still stays. ``waiting``: for whom; ``None`` while
    a game is made ready. ``code``, ``back``: at the end, the completion code and the address to go back to.
    ``attempt``: how often it was answered. ``messages``: the researcher's that are not read; ``message``: the
    number of the last of them, from 1.
    """

    position: int
    stages: int | None
    name: str
    stage: Kind
    title: str = ""
    text: tuple[Block, ...] = ()
    boxes: tuple[str, ...] = ()
    items: tuple[ItemTold, ...] = ()
    problems: dict[str, str] = {}
    notice: str = ""
    least_seconds: float = 0.0
    practice: bool = False
    trial: int = 0
    trials: int = 0
    game: Game | None = None
    waiting: Waiting | None = None
    attempt: int = 0
    messages: tuple[str, ...] = ()
    message: int = 0
    code: str = ""
    back: str = ""


class Pong(_Told, frozen=True, tag="pong"):
    """Yes."""


FromPage = Arrive | Send | Speak | Stop | Notice | Read | Ping
FromServer = Admitted | TurnedAway | WordsTold | StageTold | Pong | Closed

_decode_said: Callable[[bytes], FromPage] = msgspec.json.Decoder(FromPage).decode
_decode_told: Callable[[bytes], FromServer] = msgspec.json.Decoder(FromServer).decode


def said(message: str | bytes) -> FromPage:
    """A page's message; raises ``Refused`` for anything else."""
    return read_message(message, _decode_said, MOST_BYTES)


def told(message: str | bytes) -> FromServer:
    """A message of the server, for participants that are programs; raises ``Refused`` for anything else."""
    return read_message(message, _decode_told, None)


def written(message: FromPage | FromServer) -> str:
    """The message as it is sent."""
    return msgspec.json.encode(message).decode()

"""What goes over the wire between the researcher's page and the server, while a study runs.

``web/wire.py`` writes it in TypeScript. The page says ``enter`` first, with the token of its link, and is
then told once a second who is where (``overview``), and how each running game stands (``game``) where that is
new. Whatever it asks to be done is answered with ``answered``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from backburner.serve.protocol import Closed, Frame, SeatTold, read_message

LONGEST_MESSAGE, LONGEST_REASON = 1000, 300
"""Characters."""

Id = Annotated[str, Meta(max_length=200)]


class _Said(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """A message of the page."""


class _Told(Struct, frozen=True, tag_field="kind"):
    """A message of the server."""


class Enter(_Said, frozen=True, tag="enter"):
    """The first message: the token of the link."""

    token: Id


class Write(_Said, frozen=True, tag="write"):
    """A message for a participant, or (``to`` is empty) for all who are under way."""

    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_MESSAGE)]
    to: Id = ""


class Drop(_Said, frozen=True, tag="drop"):
    """A participant is taken out."""

    participant: Id
    reason: Annotated[str, Meta(min_length=1, max_length=LONGEST_REASON)]


class Recruit(_Said, frozen=True, tag="recruit"):
    """New people are let in, or nobody new any more."""

    open: bool


class Whereabouts(Struct, frozen=True):
    """Where a participant is. ``part``: the stage, the ``position``-th of ``parts`` (``None``: not known),
    since so many ``seconds``; ``condition``: of the game there. ``pages``: so many are open; ``round_trip``:
    of the page, in seconds; ``away``: it has not the focus. ``waits``: for partners, or for the game to be
    made ready; ``stands_in``: who plays in their place. ``unread``: messages. ``ended``: how; empty for who
    is under way."""

    participant: str
    group: str
    condition: str
    part: str
    position: int
    parts: int | None
    seconds: float
    pages: int
    round_trip: float | None
    away: bool
    waits: bool
    game: str
    stands_in: str
    unread: int
    ended: str


class Overview(_Told, frozen=True, tag="overview"):
    """Who is where: those under way, then who came to an end last, and how many ``more`` there are. ``flow``:
    the table of ``study analyse`` by its ``columns``. ``games``: those that are running. ``closed``: nobody
    new is let in."""

    title: str
    people: tuple[Whereabouts, ...]
    more: int
    columns: tuple[str, ...]
    flow: tuple[tuple[str, ...], ...]
    games: tuple[str, ...]
    closed: bool


class GameShown(_Told, frozen=True, tag="game"):
    """How a running game stands, as somebody sees it who sees everything. ``people``: seat to participant."""

    game: str
    part: str
    condition: str
    unit: str
    people: dict[str, str]
    seats: tuple[SeatTold, ...]
    frame: Frame


class Answered(_Told, frozen=True, tag="answered"):
    """What became of what was asked; ``wrong``: nothing."""

    words: str
    wrong: bool = False


FromPage = Enter | Write | Drop | Recruit
FromServer = Overview | GameShown | Answered | Closed

_decode_said: Callable[[bytes], FromPage] = msgspec.json.Decoder(FromPage).decode


def said(message: str | bytes) -> FromPage:
    """A message of the page; raises ``Refused`` for anything else."""
    return read_message(message, _decode_said)


def written(message: FromServer) -> str:
    """The message as it is sent."""
    return msgspec.json.encode(message).decode()

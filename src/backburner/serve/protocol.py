"""What goes over the wire, between a page and the server: every message, and every bound on one.

A page opens one WebSocket and says ``hello`` first. Each message is a JSON object; ``kind`` says which one it
is, and nobody sends a field that is not here. ``web/wire.py`` writes it in TypeScript.

Names of seats, bodies, places and verbs are those of the world. Seconds are seconds of the clock on the
wall; ``time`` is the world's own. A *frame* is what everybody with one view is shown after a decision
point, or after a tick of a game with a clock; each has a higher number than the one before. A *turn* is
what one seat is asked; it has the number of the frame that it goes with.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from backburner.kernel.clock import Walking
from backburner.kernel.errors import Refused
from backburner.kernel.menu import Names
from backburner.kernel.pack import TutorialStep
from backburner.kernel.values import Event, Seat, writable
from backburner.kernel.view import Controls, Scene

MOST_MESSAGE_BYTES = 16 * 1024
"""Of a message from a page; a longer one closes the connection."""

MESSAGES_PER_SECOND, MOST_AT_ONCE = 20, 60
"""How many messages a page may send, averaged, and in a burst."""

HELLO_SECONDS = 5.0
"""So soon after it is opened a connection says who it is."""

MOST_WAITING = 256
"""Messages beside frames that wait for a slow reader; with one more its connection is closed."""

LONGEST_LINE, LONGEST_NAME, LONGEST_ID = 4000, 40, 200
"""Characters of a line that a person types, of what they are called, of an id or a token."""

MOST_OPTIONS = 2000
"""Of a turn that are sent; a person may type any other."""

MOST_SEATS = 64

STAND_IN = "stand-in"
"""The purpose of a thought that names who decided in place of the player of the seat, and why."""

Line = Annotated[str, Meta(max_length=LONGEST_LINE)]
PersonName = Annotated[str, Meta(max_length=LONGEST_NAME)]
Id = Annotated[str, Meta(max_length=LONGEST_ID)]
Token = Annotated[str, Meta(max_length=LONGEST_ID)]
Number = Annotated[int, Meta(ge=-1, le=2**53 - 1)]
Wait = Annotated[float, Meta(ge=0.0, le=86_400.0)]


class _Said(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """A message of a page."""


class _Told(Struct, frozen=True, tag_field="kind"):
    """A message of the server."""


# --- from a page ----------------------------------------------------------------------------------------


class Hello(_Said, frozen=True, tag="hello"):
    """The first message. ``token``: the secret of the link that was opened: a seat's, the host's or that
    for onlookers. ``seen``: the number of the last frame that the page has, -1 for none; ``game``: of which
    game, as a link may lead to one after the other. ``name``: what the person wants to be called. ``host``:
    the host's token as well, if the person at a seat is the host."""

    token: Token
    seen: Number = -1
    name: PersonName = ""
    host: Token = ""
    game: Id = ""


class PressDone(Struct, frozen=True, forbid_unknown_fields=True):
    """A key, or a mouse button on a place; ``body`` if one was named. Just one of ``key`` and ``place`` is
    there. ``hold``: the key goes down and stays (``start``), or comes up (``end``), in a game with a
    clock."""

    key: Id = ""
    place: Id = ""
    button: Id = "left"
    body: Id = ""
    hold: Literal["", "start", "end"] = ""


class Move(_Said, frozen=True, tag="move"):
    """A person's answer to the turn of this ``number``, or in a game with a clock while they saw that frame.

    Just one of ``line`` (as it was typed), ``option`` (an index of the turn's options), ``label`` (of the
    option that is meant, with its ``body``, whatever the list has become) and ``press`` is there. ``id`` is
    higher than that of any message before from this seat, so that one that is sent again does nothing;
    ``Welcome.last_id`` says where to go on.
    """

    id: Number
    number: Number
    line: Line | None = None
    option: Annotated[int, Meta(ge=0, lt=MOST_OPTIONS)] | None = None
    label: Line | None = None
    body: Id = ""
    press: PressDone | None = None


class Confirm(_Said, frozen=True, tag="confirm"):
    """What was to be done with the move of this id is meant, though it gives up."""

    id: Number


class Leave(_Said, frozen=True, tag="leave"):
    """The stand-in plays from now on."""


class Back(_Said, frozen=True, tag="back"):
    """The person plays again, after they left or were away for too long; ``hello`` does the same."""


class Ping(_Said, frozen=True, tag="ping"):
    """Is anybody there?"""

    id: Number = 0


class Replace(_Said, frozen=True, tag="replace"):
    """Of the host: another player takes the seat."""

    seat: Id
    player: Wanted


class Renew(_Said, frozen=True, tag="renew"):
    """Of the host: a new link for a person's seat, or for onlookers (no seat); the old one holds no more."""

    seat: Id = ""


class Ready(_Said, frozen=True, tag="ready"):
    """In the lobby of a game with a clock: the person is ready for it to run."""


class Begin(_Said, frozen=True, tag="begin"):
    """Of the host: play begins, whoever is there."""


class End(_Said, frozen=True, tag="end"):
    """Of the host: the game is over; its record ends as interrupted."""


# --- who plays ------------------------------------------------------------------------------------------


class Wanted(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is to play a seat. ``name``: an agent's or a prompting method's, as the command line has it; for a
    person what they are called. ``model``: one of those that the server offers. The agent ``chat`` says what
    persons say in the chat of a server on which the game is carried out, at the seat that
    ``ScenarioTold.chat`` names."""

    kind: Literal["person", "agent", "model"]
    name: Id = ""
    model: Id = ""


class SeatTold(Struct, frozen=True):
    """A seat as everybody may see it.

    ``player``: what they are called. ``present``: whether a page is open for a person; always so for others.
    ``stands_in``: the stand-in that plays for the person; empty if nobody does. ``thinking_seconds``: for how
    long the seat has been asked; ``None`` if it is not. ``trouble``: why a model or an agent does not play.
    """

    seat: Seat
    player: str
    kind: Literal["person", "agent", "model"]
    present: bool = True
    stands_in: str = ""
    thinking_seconds: float | None = None
    trouble: str = ""


# --- from the server ------------------------------------------------------------------------------------


class GraphNode(Struct, frozen=True):
    """A task: where the middle of its box is (columns count from 0; ``y`` in heights of boxes), how long it
    takes in the world's unit, and for how long of that it needs somebody."""

    name: str
    column: int
    y: float
    duration: int
    operator_time: int


class Graph(Struct, frozen=True):
    """What has to happen for a dish, or for the whole scenario. An edge leads over points (column, ``y``),
    the first in its source, the last in its target."""

    name: str
    nodes: tuple[GraphNode, ...]
    edges: tuple[tuple[tuple[int, float], ...], ...]
    height: float


class Welcome(_Told, frozen=True, tag="welcome"):
    """Who one is, and all that does not change.

    ``seat``: empty for the host and onlookers. ``hosts``: whether the host's messages are taken.
    ``watched``: whether onlookers are allowed. ``strict``: whether the rules' prices hold for slips.
    ``stand_in``: who plays for somebody who is away. ``tick_seconds``: of a game with a clock.
    ``pace_seconds``: how long a step waits for those who have not decided; ``None``: as long as it takes.
    ``moves``: of a game with a clock all that the seat may ever choose (``Menus.vocabulary``), if its world
    says. ``wording``: see ``kernel.menu.Menus``. ``scene``: in which a game with a clock will begin, as long
    as it has not. ``last_id``: see ``Move``. ``walking``: how one's own bodies walk, so that a page can show
    a step at once. ``tutorial``: the id of the scenario that teaches how such a world is played by the
    clock, if there is one; this one is it where there are ``steps``. ``ghosts``: whether the page may show
    how others have played this.
    """

    game: str
    seat: Seat
    role: Literal["player", "host", "onlooker"]
    hosts: bool
    title: str
    scenario: str
    briefing: str
    help: str
    goal: str
    time_unit: str
    seats: tuple[SeatTold, ...]
    controls: Controls | None
    moves: tuple[OptionTold, ...]
    scene: Scene | None
    verbs: dict[str, tuple[str, ...]]
    wording: dict[str, str]
    live: bool
    tick_seconds: float | None
    pace_seconds: float | None
    strict: bool
    watched: bool
    stand_in: str
    tutorial: str
    steps: tuple[TutorialStep, ...]
    graphs: tuple[Graph, ...]
    last_id: int
    walking: Walking | None
    ghosts: bool


class Lobby(_Told, frozen=True, tag="lobby"):
    """Play has not begun: ``waiting`` seats have nobody yet, and ``needed`` of them must come; in
    ``seconds_left`` it begins with stand-ins (``None``: it waits as long as it takes). A game with a clock
    begins when all people who are there are ``ready``, and counts down before (``counting``)."""

    waiting: tuple[Seat, ...]
    needed: int
    seconds_left: float | None
    seats: tuple[SeatTold, ...]
    ready: tuple[Seat, ...]
    counting: bool


class ShotTold(Struct, frozen=True):
    """A scene on the way to the frame's, for animation."""

    time: int | float
    scene: Scene


class Past(_Told, frozen=True, tag="past"):
    """What happened up to the frame of this number, for a page that has not seen it: events alone. There
    may be several in a row, and the newest frame follows."""

    number: int
    events: tuple[Event, ...]


class Frame(_Told, frozen=True, omit_defaults=True, tag="frame"):
    """How things stand. ``scene``: as this view may see it; ``None`` in a world that cannot be drawn.
    ``text``: the same in words, in a world that cannot be drawn. ``events``: those since the last frame
    that the view may know. ``deciding``: the seats that are asked now. ``free_from``: in a world in which
    bodies walk, the number of the frame after which each body that is not free takes its next step."""

    number: int
    time: int | float
    scene: Scene | None
    text: str
    shots: tuple[ShotTold, ...]
    events: tuple[Event, ...]
    deciding: tuple[Seat, ...]
    free_from: dict[str, int] = {}


class OptionTold(Struct, frozen=True):
    """An option of the world's menu, or a whole line that it suggests; see ``kernel.menu.Option``."""

    label: str
    gloss: str = ""
    body: str = ""
    verb: str = ""
    things: tuple[Names, ...] = ()
    passes: bool = False


class SuggestionTold(Struct, frozen=True):
    """The beginning of a line to type, such as words to a partner; see ``kernel.text.Suggestion``."""

    line: str
    gloss: str
    label: str


class Turn(_Told, frozen=True, tag="turn"):
    """The seat is asked.

    ``asked``: what an answer is wanted for, where that is more than the next move. ``news``: what became of
    the last decision, and what was heard since; ``refused``: whether that was refused. ``state``,
    ``question``, ``recipes``: see ``kernel.text.Glance``. ``text``: all that the seat is told of this moment.
    ``labels``: short names of the scene's places, by which they can be typed. ``deadline_seconds``: how long
    the step waits still; ``None``: as long as it takes.
    """

    number: int
    asked: str
    news: str
    refused: bool
    state: str
    question: str
    recipes: str
    text: str
    options: tuple[OptionTold, ...]
    suggestions: tuple[SuggestionTold, ...]
    labels: dict[str, str]
    deadline_seconds: float | None


class Told(_Told, frozen=True, tag="told"):
    """What became of the move of this id. ``explained``: it would be refused, costs nothing, and is asked
    again; ``late``: its turn is over; ``refused``: the message makes no sense here; ``confirm``: it gives
    up, and is carried out when it is confirmed. ``number``: in a game with a clock, of the first frame in
    which an accepted move has been taken."""

    id: int
    status: Literal["accepted", "explained", "late", "refused", "confirm"]
    why: str = ""
    number: int = -1


class People(_Told, frozen=True, tag="people"):
    """Who is there, and who is thinking."""

    seats: tuple[SeatTold, ...]


class LinkTold(_Told, frozen=True, tag="link"):
    """To the host: the new token of a seat, or for onlookers (no seat)."""

    seat: Seat
    token: str


class Over(_Told, frozen=True, tag="over"):
    """The game is over. ``record``: whether this page may download it. ``why``: of one that failed, in a
    line. ``lesson``: whether its lesson may be asked for."""

    status: str
    reason: str
    numbers: dict[str, int | float]
    record: bool
    why: str = ""
    lesson: bool = False


class Closed(_Told, frozen=True, tag="closed"):
    """The last message. ``again``: whether it makes sense to connect again."""

    why: str
    again: bool = False


class Pong(_Told, frozen=True, tag="pong"):
    """Yes."""

    id: int


# --- games that are asked for ---------------------------------------------------------------------------


class GamePlan(Struct, frozen=True, forbid_unknown_fields=True):
    """A game that somebody wants to open.

    ``players``: one for each seat, by name; a seat that is not named is played by ``stand_in``, which also
    plays for people who are away. ``seed``: of chance in play. ``strict``: slips cost what they cost a
    model; nothing is explained before. ``watch``: whether there is a link for onlookers, who see
    everything.

    ``quorum``: so many people must be there for play to begin (``None``: all of them); ``lobby_seconds``:
    after so long it begins with stand-ins for the rest (``None``: never). ``away_seconds``: so long a turn
    waits for somebody whose page is closed; then the stand-in decides, until they are back.
    ``pace_seconds``: how long a step waits for people who are there; then those who have not decided pass.
    ``None``: as long as it takes. ``beat_seconds``: agents take at least so long over a decision, so that
    people can follow. ``agreed``: to what a game that is carried out elsewhere changes there. ``after``: what
    whoever has played is offered when it is over: nothing, its lesson, or besides to play again from there,
    ghosts and a place on the boards.
    """

    scenario: Annotated[str, Meta(min_length=1, max_length=1000)]
    players: Annotated[dict[Id, Wanted], Meta(max_length=MOST_SEATS)] = {}
    rules: Id = "standard"
    limits: Id = "article"
    seed: Annotated[int, Meta(ge=0, le=2**53 - 1)] = 0
    title: Annotated[str, Meta(max_length=200)] = ""
    strict: bool = False
    watch: bool = True
    stand_in: Id = ""
    quorum: Annotated[int, Meta(ge=0, le=MOST_SEATS)] | None = None
    lobby_seconds: Wait | None = None
    away_seconds: Wait = 30.0
    pace_seconds: Annotated[float, Meta(ge=0.5, le=86_400.0)] | None = None
    beat_seconds: Annotated[float, Meta(ge=0.0, le=60.0)] = 0.0
    agreed: bool = False
    after: Literal["nothing", "lesson", "all"] = "all"


class Opened(Struct, frozen=True):
    """A game that was opened, with the secrets of its links; the server keeps none of them. ``watch`` is
    empty where nobody may look on."""

    game: str
    host: str
    seats: dict[Seat, str]
    watch: str


# --- in and out -----------------------------------------------------------------------------------------

FromPage = Hello | Move | Confirm | Leave | Back | Ready | Ping | Replace | Renew | Begin | End
FromServer = Welcome | Lobby | Past | Frame | Turn | Told | People | LinkTold | Over | Closed | Pong

_encode = msgspec.json.Encoder().encode
_decode_said: Callable[[bytes], FromPage] = msgspec.json.Decoder(FromPage).decode
_decode_told: Callable[[bytes], FromServer] = msgspec.json.Decoder(FromServer).decode
_decode_plan = msgspec.json.Decoder(GamePlan).decode

Decoded = TypeVar("Decoded")


def said(message: str | bytes) -> FromPage:
    """A page's message; raises ``Refused`` for anything else."""
    return read_message(message, _decode_said)


def plan_in(body: bytes) -> GamePlan:
    """The game that is asked for; raises ``Refused``."""
    return read_message(body, _decode_plan)


def told(message: str | bytes) -> FromServer:
    """A message of the server, for clients in Python; raises ``Refused`` for anything else."""
    return read_message(message, _decode_told, most_bytes=None)


def written(message: FromPage | FromServer | Opened | GamePlan) -> str:
    """The message as it is sent."""
    return _encode(message).decode()


def read_message(
    message: str | bytes,
    decode: Callable[[bytes], Decoded],
    most_bytes: int | None = MOST_MESSAGE_BYTES,
) -> Decoded:
    """A message of at most so many bytes; raises ``Refused`` for anything else."""
    content = writable(message[:most_bytes]).encode() if isinstance(message, str) else message
    if most_bytes is not None and max(len(message), len(content)) > most_bytes:
        raise Refused(f"a message has at most {most_bytes} bytes")
    try:
        return decode(content)
    except (ValueError, RecursionError) as error:  # of which DecodeError is one
        raise Refused(f"no message: {error}") from error

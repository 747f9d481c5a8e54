"""The contract with the Node worker: JSON objects, one a line, and nothing of unbounded size.

Every request gets exactly one answer, ``{"id": n, "ok": true, ...}`` or
``{"id": n, "ok": false, "error": "one line", "kind": "..."}``; between answers there are events, which have
no id. Ticks are those of the server, a twentieth of a second each; places are (x, y, z), in blocks.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backburner.kernel.errors import BackburnerError
from backburner.kernel.reported import Run

LONGEST_LINE = 1 << 20
"""Characters of a line, in both directions."""

VERSION = "1.16.5"
"""The version of the game that is meant where none is named."""

Place = tuple[float, float, float]
Cell = tuple[int, int, int]
"""A block's place; whoever stands in it stands in its middle."""

Kind = Literal["gone", "kicked", "stuck", "timeout", "refused", "version", "bad-request", "worker"]
"""Why something failed: the server is gone, or sent a bot away; a bot does not come on; something took too
long; it cannot be, or the server does not allow it; the server is another version; a request that is none;
the worker itself died, hung, or said something that is no message."""


class LiveError(BackburnerError):
    """Something failed on the server, or on the way to it; one line, and its ``kind``."""

    def __init__(self, kind: Kind, message: str) -> None:
        self.kind = kind
        super().__init__(message)


# --- requests --------------------------------------------------------------------------------------------


class Request(Struct, frozen=True, tag_field="do", kw_only=True):
    """What the worker is asked; the class is the request's name."""


class Hello(Request, frozen=True, tag="hello"):
    """Which versions run."""


class Join(Request, frozen=True, tag="join"):
    """Let those of ``bots`` that are not there join the server; so a lost one comes back."""

    host: str
    port: int
    bots: tuple[str, ...]
    version: str = VERSION
    auth: Literal["offline", "microsoft"] = "offline"
    timeout_ms: int = 60_000


class Area(Struct, frozen=True, rename={"lowest": "from", "highest": "to"}):
    """A marked area: all cells from the lowest corner to the highest, both inside."""

    lowest: Cell
    highest: Cell


class PlacedBlock(Struct, frozen=True):
    """A block that shall stand, by its name in the game."""

    block: str
    at: Cell


class PlacedMob(Struct, frozen=True):
    """A mob that shall stand there, without a will of its own."""

    mob: str
    at: Cell


class Prepare(Request, frozen=True, tag="prepare"):
    """Build a farm inside ``area``, or, as a ``dry_run``, only list what that would change.

    ``starts``: where bots are put; ``rules``: game rules and their values; ``pad``: all else inside the area
    becomes air, and a floor lies below it; ``wild``: bots may kill, dig and use whatever else is inside, not
    only what was placed. ``file``: where all changes are listed before the first is made
    (``backburner.live.bots``), an absolute path; it goes when all are put back.
    """

    area: Area
    blocks: tuple[PlacedBlock, ...] = ()
    mobs: tuple[PlacedMob, ...] = ()
    starts: dict[str, Cell] = {}
    rules: dict[str, str] = {}
    pad: bool = False
    wild: bool = False
    dry_run: bool = True
    file: str | None = None


class Observe(Request, frozen=True, tag="observe"):
    """What is there; of ``kinds`` of blocks and mobs, how far the nearest is from each bot."""

    kinds: tuple[str, ...] = ()


class Survey(Request, frozen=True, tag="survey"):
    """How the marked area and ``margin`` blocks around it look from above; at most 4,096 columns."""

    margin: int = 4


class Call(Struct, frozen=True):
    """An action of one bot: one of the article's seven verbs, and what it is about, if anything.

    ``code``: why the rules refuse it whatever is there, with the ``error``'s line if it is one: then the bot
    leaves what it was at, and does nothing else.
    """

    bot: str
    verb: str
    things: tuple[str, ...] = ()
    code: str | None = None
    error: str | None = None


class Act(Request, frozen=True, tag="act"):
    """A joint step: ``before`` ticks pass, all ``calls`` are carried out together, ``after`` ticks pass.

    ``renew``: when what was killed or mined stands again, ``during`` the calls, too late for them to find it,
    or ``after`` them. ``until``: the step ends when all calls have, or with the first ``error``; then the
    others run on until their bot has something else to do. ``put_waits``: for so many ticks stands there who
    has put something into the furnace. ``hand_ticks``: so long takes a bot before its first blow, and at an
    open window. ``stacks``: so many of what a mob drops are walked to. ``lasts``: what all of it takes by the
    rules; bots that are done up to half of ``after`` sooner or later wait for so much longer or shorter after
    it. ``no_way``: kinds of block and mob to which nobody finds a way.
    """

    calls: tuple[Call, ...]
    before: int = 20
    after: int = 20
    timeout_ticks: int = 1200
    renew: Literal["never", "during", "after"] = "never"
    until: Literal["all", "error"] = "all"
    put_waits: int = 0
    hand_ticks: int = 0
    no_way: tuple[str, ...] = ()
    stacks: int = 16
    lasts: int | None = None


class Wait(Request, frozen=True, tag="wait"):
    """Let ticks pass."""

    ticks: int


class Say(Request, frozen=True, tag="say"):
    """A bot says something in the chat; a command it is never."""

    bot: str
    text: str


class Change(Struct, frozen=True, omit_defaults=True):
    """One change on the server: what there ``was`` and what it ``becomes``.

    Of a block, its name with its state; of a game rule, its value; of a bot that is moved, places; of a mob,
    which there ``was`` not before, its kind, and the ``tag`` by which it can be told from others.
    """

    kind: Literal["block", "mob", "rule", "move"]
    becomes: str | tuple[float, float, float]
    was: str | tuple[float, float, float] | None = None
    at: Cell | None = None
    bot: str | None = None
    rule: str | None = None
    tag: str | None = None


class Restore(Request, frozen=True, tag="restore"):
    """Put back what was changed; with ``changes``, what another worker changed and could not put back, which
    stands in ``file``."""

    changes: tuple[Change, ...] | None = None
    file: str | None = None


class Leave(Request, frozen=True, tag="leave"):
    """All bots leave the server."""


# --- answers ---------------------------------------------------------------------------------------------


class Versions(Struct, frozen=True):
    """What runs on the other side."""

    node: str
    mineflayer: str
    pathfinder: str


class Joined(Struct, frozen=True):
    """The server's version, and where each bot stands."""

    version: str
    bots: dict[str, Place]


class Prepared(Struct, frozen=True):
    """What was changed, or would be; ``notes``: what is to be known of the ground and the bots, in lines;
    ``tick``: since when all of it stands, if it does."""

    changes: tuple[Change, ...]
    notes: tuple[str, ...] = ()
    tick: int | None = None


Slot = tuple[str, int] | None
"""An item and how many; ``None`` for an empty slot."""


class SeenFurnace(Struct, frozen=True):
    """The furnace's slots; for how many ticks it burns, and has smelted its input."""

    input: Slot
    fuel: Slot
    output: Slot
    burning: int
    progress: int


class SeenBot(Struct, frozen=True):
    """A bot: where it is, what it carries, how far the nearest block and mob of each kind is, in blocks."""

    at: Place
    inventory: dict[str, int]
    blocks: dict[str, float]
    mobs: dict[str, float]


class SeenPerson(Struct, frozen=True):
    """A player in the area that is no bot of ours: where it is, what it carries; ``None`` where the server
    does not tell."""

    at: Place
    inventory: dict[str, int] | None = None


class Standing(Struct, frozen=True):
    """A place of a block or a mob, and whether it stands there now."""

    kind: str
    at: Cell
    there: bool


class Observation(Struct, frozen=True):
    """What was observed at a tick. ``furnace`` and ``chest`` are ``None`` where none is, or where the bots
    are no operators: what blocks hold is asked of the server, as is what persons carry."""

    tick: int
    bots: dict[str, SeenBot]
    furnace: SeenFurnace | None
    chest: dict[str, int] | None
    standing: tuple[Standing, ...]
    persons: dict[str, SeenPerson] = {}


class Being(Struct, frozen=True):
    """Who is in sight: a player by ``name``, ``bot`` if it is one of ours; a mob of a ``kind``."""

    kind: str
    at: Place
    name: str = ""
    bot: bool = False


class Surveyed(Struct, frozen=True, rename={"corner": "from"}):
    """The ground as it looks from above: columns row by row from the north, each row from the west.

    ``corner``: (x, z) of the first one; ``size``: how many from west to east and from north to south;
    ``floor``: the height at which the area begins, from which ``runs`` count theirs. ``kinds``: names of
    blocks, ``[lit=true]`` behind those that burn, and ``""`` where nothing is seen. ``server``: what the
    server calls itself, if it does.
    """

    tick: int
    version: str
    corner: tuple[int, int]
    size: tuple[int, int]
    floor: int
    kinds: tuple[str, ...]
    runs: tuple[Run, ...]
    beings: tuple[Being, ...] = ()
    server: str = ""


class Called(Struct, frozen=True):
    """What became of a call: ``lines`` of chat that its bot said, or an ``error`` of a ``kind``; ``running``
    if it runs on. It was ``ok`` if it did what it is for; ``code``: why not, in a word, if there is one."""

    bot: str
    verb: str
    ok: bool
    lines: tuple[str, ...]
    error: str | None
    kind: Kind | None
    ticks: int
    running: bool
    code: str | None = None


class Acted(Struct, frozen=True):
    """A step from a tick to a tick, and what became of its calls; ``late``: of those that ran on from an
    earlier step, which have ended since."""

    tick: int
    ended: int
    calls: tuple[Called, ...]
    late: tuple[Called, ...] = ()


class Waited(Struct, frozen=True):
    """The tick that it is now."""

    tick: int


class Restored(Struct, frozen=True):
    """The changes that could not be put back, and what bots still carry that had nothing at first."""

    left: tuple[Change, ...]
    carried: dict[str, dict[str, int]] = {}


class Done(Struct, frozen=True):
    """It was done; there is nothing to say."""


class Event(Struct, frozen=True, rename={"sender": "from"}):
    """What nobody asked for: somebody who is no bot says something, or a bot is ``gone`` or ``kicked``."""

    event: Literal["chat", "gone", "kicked", "version"]
    sender: str = ""
    text: str = ""
    bot: str = ""
    why: str = ""


class Envelope(Struct, frozen=True):
    """The part of every line by which it is known: an answer has an id, an event has its name."""

    id: int | None = None
    ok: bool = False
    event: str = ""
    error: str = ""
    kind: Kind = "worker"

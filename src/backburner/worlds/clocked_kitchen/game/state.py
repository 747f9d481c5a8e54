"""The clocked kitchen's values in play: decisions, codes of what is refused, states, what is seen of them.

Time is counted in ticks of a tenth of a second. Bodies, places and dishes are meant by their number, things
by their index in ``Compiled.things``, cells and targets as in ``floor``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from backburner.kernel.errors import shorten
from backburner.kernel.values import Fault, Refusal, Seat
from backburner.worlds.cuisineworld.game.state import BAD_COMMAND, FAILED, MOST_SAID

NOOP, GOTO, GET, PUT, ACTIVATE, MOVE, WAIT = range(7)
VERBS = ("noop", "goto", "get", "put", "activate", "move", "wait")
"""The text game's five verbs by number; a step to the next cell; waiting, which no command asks for."""

WAYS = ("up", "right", "down", "left")
"""The directions of a step, by number."""

MOST_TICKS = 6000
"""For so long a decision may let time go by: ten minutes."""


class Input(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What a seat decides: ``commands``, at most one for each of its bodies, and for how many ``ticks``.

    ``goto_agentN_PLACE``, ``get_agentN_ITEM_storage0``, ``get_agentN_PLACE``, ``put_agentN_PLACE``,
    ``activate_agentN_PLACE`` are errands: the body walks there and does it. ``move_agentN_left`` is a step to
    the next cell. ``noop_agentN`` ends what the body has under way. A body without a command goes on.

    The commands hold from the first tick on; so many ticks pass before seats are asked again, if nobody
    wants to be asked sooner. 0 is the usual: one tick where seats are always asked; where only those are
    asked who have a body with nothing under way, it says how long a body without a command waits, which is
    as long as a step of the text game.

    ``silent``: the seat says nothing yet. Where only those are asked who have a free body, its bodies stand
    for so many ticks and stay free, and fewer if another seat must decide before.
    """

    commands: tuple[str, ...] = ()
    ticks: int = 0
    silent: bool = False


class Command(Struct, frozen=True, gc=False):
    """A command in numbers: ``target`` is a direction for a move, and -1 for a noop."""

    verb: int
    body: int
    target: int
    item: int
    text: str


CODES: Mapping[str, Fault] = {
    "ticks": Fault.MISMATCH,
    "direction": Fault.UNKNOWN_THING,
    "way_blocked": Fault.REACH,
    **BAD_COMMAND,
    **FAILED,
}
"""What is wrong with a command, in the text game or here alone."""

LATE = ("late", 1)
"""Marks what could be done when it was commanded, and could no longer when the body was there."""


def refused(
    code: str,
    text: str,
    seat: Seat,
    index: int = 0,
    facts: Mapping[str, str] | None = None,
    late: bool = False,
) -> Refusal:
    """The refusal of a command; ``late``: of one that came to nothing when its body was there."""
    detail = (("said", shorten(text, MOST_SAID)), *(facts or {}).items(), *((LATE,) if late else ()))
    return Refusal(code, CODES[code], detail, seat, index)


NOTHING = -1
"""The thing in empty hands, the place that nobody faces."""


class Errand(Struct, frozen=True, omit_defaults=True, gc=False):
    """What a body has under way: ``verb`` as in ``VERBS``, where it leads, with which item.

    ``since``: the tick in which it began. ``target``: for a step to the next cell its direction, for waiting
    the tick until which. ``detours``: steps so far that brought the body no nearer.
    """

    verb: int
    target: int
    item: int = NOTHING
    since: int = 0
    detours: int = 0


class Order(Struct, frozen=True, gc=False):
    """An open order: its dish, the tick in which it runs out, and its number in the episode, from 0."""

    dish: int
    due: int
    number: int


class Deed(Struct, frozen=True, gc=False):
    """What a body is seen to have done: a verb of the text game, at which place, with which thing, when."""

    body: int
    verb: int
    place: int
    thing: int
    tick: int


Ended = Literal["", "horizon"]


class State(Struct, frozen=True, omit_defaults=True, gc=False):
    """Everything that changes.

    - of each body: the cell it is ``at``, the direction it is ``facing``, what it has ``held``, the tick from
      which it is ``free_at`` its next step or act, what it has under way
    - of each place: what is ``inside`` in the order in which it was put, the tick ``until`` which it works
    - ``ready``: the set of places whose product may be taken, as bits
    - ``orders``, the most urgent first; how many have ``arrived``; the dishes ``served``, in order; how many
      orders ``expired``; ``stream``: the seed of the orders
    - ``deeds``: the last ones of all bodies, as they are inferred from what changed
    - ``feedback``: what was refused of each seat's last commands, and what came to nothing of them;
      ``untold``: what came to nothing while its seat was silent, told with the feedback on what it decides
    """

    tick: int
    at: tuple[int, ...]
    facing: tuple[int, ...]
    held: tuple[int, ...]
    free_at: tuple[int, ...]
    errands: tuple[Errand | None, ...]
    inside: tuple[tuple[int, ...], ...]
    until: tuple[int, ...]
    ready: int = 0
    orders: tuple[Order, ...] = ()
    arrived: int = 0
    served: tuple[int, ...] = ()
    expired: int = 0
    stream: int = 0
    deeds: tuple[Deed, ...] = ()
    feedback: tuple[Refusal, ...] = ()
    ended: Ended = ""
    untold: tuple[Refusal, ...] = ()


class SeenBody(Struct, frozen=True):
    """A body: the place that it faces (empty: none), its cell, what it holds, if a tool keeps it busy."""

    name: str
    at: str
    cell: tuple[int, int]
    held: str
    busy: bool


class SeenPlace(Struct, frozen=True):
    """A place, what is inside, for how many more seconds it works; 0 if it does not."""

    name: str
    inside: tuple[str, ...]
    busy_seconds: float


class SeenOrder(Struct, frozen=True):
    """An open order and the seconds that it waits yet."""

    dish: str
    left_seconds: float


class SeenDeed(Struct, frozen=True):
    """What a body did, at which second."""

    body: str
    verb: str
    place: str
    thing: str
    second: float


class Observation(Struct, frozen=True):
    """What a seat sees: the whole kitchen and the open orders. ``own``: its bodies.

    ``under_way``: (body, what it is doing) for each of its own that does something. ``deeds``: the last ones,
    everybody's, as they are inferred from what changed. ``refusals``: of the seat's last commands, with
    those that came to nothing.
    """

    level: str
    second: float
    seconds: float
    own: tuple[str, ...]
    under_way: tuple[tuple[str, str], ...]
    bodies: tuple[SeenBody, ...]
    places: tuple[SeenPlace, ...]
    orders: tuple[SeenOrder, ...]
    served: tuple[str, ...]
    deeds: tuple[SeenDeed, ...] = ()
    refusals: tuple[Refusal, ...] = ()

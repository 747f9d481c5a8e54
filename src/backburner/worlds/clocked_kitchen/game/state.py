"""The clocked kitchen's values in play. Time is counted in ticks of a tenth of a second.

Bodies, places and dishes are meant by their number, things by their index in ``Compiled.things``, cells and
targets as in ``floor``.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backburner.kernel.values import Refusal

NOTHING = -1
"""The thing in empty hands, the place that nobody faces."""


class Errand(Struct, frozen=True, omit_defaults=True, gc=False):
    """What a body has under way: ``verb`` as in ``actions``, where it leads, with which item.

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
    - ``feedback``: what was refused of each seat's last commands, and what came to nothing of them
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

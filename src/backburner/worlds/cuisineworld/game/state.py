"""CuisineWorld's values in play. Time is counted in steps.

Bodies, places and dishes are meant by their number, things by their index in ``Compiled.things``.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backburner.kernel.values import Refusal, Seat
from backburner.worlds.orders import Order

NOTHING = -1
"""The thing in empty hands."""


class Act(Struct, frozen=True, gc=False):
    """What a body does or did: ``verb`` as in ``actions.VERBS``, at which place, with which thing, if any."""

    body: int
    verb: int
    place: int = -1
    thing: int = NOTHING


class Feedback(Struct, frozen=True, omit_defaults=True, gc=False):
    """What became of the last decisions. ``idle``: every command that was given was a noop.

    ``finished``: the places whose work ended with the step; ``served``: how many orders were.
    """

    done: tuple[Act, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    idle: bool = False
    finished: tuple[int, ...] = ()
    served: int = 0


Ended = Literal["", "horizon"]


class Instruction(Struct, frozen=True, omit_defaults=True, gc=False):
    """What the head chef has said that holds, and in which step; why its last words were refused, if so."""

    text: str = ""
    since: int = 0
    refusals: tuple[Refusal, ...] = ()


class Decided(Struct, frozen=True, omit_defaults=True, gc=False):
    """What a seat has decided for the step that waits for others: its ``commands``; ``unread``: why there are
    none that could be read. ``refusals``: what it was told of them."""

    seat: Seat
    commands: tuple[str, ...] = ()
    unread: Refusal | None = None
    refusals: tuple[Refusal, ...] = ()


class State(Struct, frozen=True, omit_defaults=True, gc=False):
    """Everything that changes.

    - of each body: ``at`` which place it is, what it has ``held`` in its hands, how many steps it is busy
    - of each place: what is ``inside`` in the order in which it was put, how many steps it is ``busy``
    - ``ready``: the set of places whose product may be taken, as bits: 0b1000 is place 3
    - ``orders``, the most urgent first; how many have ``arrived``; the dishes ``served``, in order; how many
      orders ``expired``; how many ``failed``, as the rules count
    - ``steps`` and ``turns`` that have passed; ``stream``: the seed of the orders
    - ``since``, where dishes spoil: for each place the times at which the dishes on it were put there;
      ``spoilt``: how many have spoilt
    - ``seen``, where orders are hidden: for each body the set of the orders that it has seen, as bits
      by their numbers: 0b11 is the first two
    - ``feedback`` on the last decisions; ``ended``: why the episode is over
    - ``decided``, where seats decide one after the other: what those before have decided for this step
    - ``instruction``: what the head chef has said, ``None`` for nothing
    """

    at: tuple[int, ...]
    held: tuple[int, ...]
    hands_busy: tuple[int, ...]
    inside: tuple[tuple[int, ...], ...]
    busy: tuple[int, ...]
    ready: int = 0
    orders: tuple[Order, ...] = ()
    arrived: int = 0
    served: tuple[int, ...] = ()
    expired: int = 0
    failed: int = 0
    steps: int = 0
    turns: int = 0
    stream: int = 0
    since: tuple[tuple[int, ...], ...] = ()
    spoilt: int = 0
    seen: tuple[int, ...] = ()
    feedback: Feedback = Feedback()
    ended: Ended = ""
    decided: tuple[Decided, ...] = ()
    instruction: Instruction | None = None


class SeenBody(Struct, frozen=True):
    """A body: where it is, what it holds (empty: nothing), whether a tool keeps it busy."""

    name: str
    at: str
    held: str
    busy: bool


class SeenPlace(Struct, frozen=True):
    """A place, what is inside, whether it is at work; for how many more steps is not shown, as released."""

    name: str
    inside: tuple[str, ...]
    busy: bool


class SeenOrder(Struct, frozen=True):
    """An open order and its steps left."""

    dish: str
    left: int


class SeenAct(Struct, frozen=True):
    """What a body did: verb, place and thing (empty: none)."""

    body: str
    verb: str
    place: str
    thing: str


class Observation(Struct, frozen=True):
    """What a seat sees: the whole kitchen, and the ``orders`` that it knows of. ``own``: its bodies.

    As far as the scenario has feedback: ``done``, what every body did; ``finished`` (place, product) and
    ``just_served``, what came of it; ``refusals`` of the seat's own commands; ``idle``, whether every command
    was a noop and the rules complain about that.

    ``instruction``: what the head chef has said that holds, in the step ``instructed``. ``decided``: the
    commands of other seats that have decided before this one, for this step.
    """

    level: str
    step: int
    steps: int
    own: tuple[str, ...]
    bodies: tuple[SeenBody, ...]
    places: tuple[SeenPlace, ...]
    orders: tuple[SeenOrder, ...]
    served: tuple[str, ...]
    done: tuple[SeenAct, ...] = ()
    finished: tuple[tuple[str, str], ...] = ()
    just_served: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    idle: bool = False
    instruction: str = ""
    instructed: int = 0
    decided: tuple[tuple[Seat, tuple[str, ...]], ...] = ()

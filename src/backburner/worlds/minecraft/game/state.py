"""Minecraft's values in play. Time is counted in ticks of a twentieth of a second, and in steps.

Bodies and sites are meant by their number, sites as ``Scenario.sites`` counts them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from backburner.kernel.reported import Ground
from backburner.kernel.values import Refusal, Seat
from backburner.worlds.dispatch.instructor import Instruction
from backburner.worlds.minecraft.game.physics import TICKS_A_SECOND, Cell, Furnace, Stack

Items = tuple[Stack, ...]
"""What is in an inventory or a chest: each item once, by name, with how many there are."""

NO_SITE = -1


def seconds(ticks: int) -> float:
    """Ticks as seconds."""
    return ticks / TICKS_A_SECOND


def count_of(items: Items, wanted: str) -> int:
    """How many of an item there are."""
    return next((count for item, count in items if item == wanted), 0)


def with_items(items: Items, added: Iterable[Stack]) -> Items:
    """These and those together; a negative number takes away."""
    counts = dict(items)
    for item, count in added:
        counts[item] = counts.get(item, 0) + count
    return tuple(sorted((item, count) for item, count in counts.items() if count))


class Errand(Struct, frozen=True, gc=False):
    """What a body does: ``verb`` with ``thing``, since ``began``, on a way from ``source`` to ``goal`` where
    it ``arrives``; it ``acts`` at one tick, is ``done`` from then on, and ``ends`` at another. ``site``: what
    it is after, if anything."""

    body: int
    verb: str
    thing: str
    began: int
    source: Cell
    goal: Cell
    arrives: int
    acts: int
    ends: int
    site: int = NO_SITE
    done: bool = False


class Order(Struct, frozen=True, gc=False):
    """An open order: the index of its dish, when it runs out (in what orders count), its number, from 0."""

    dish: int
    due: int
    number: int


class Killed(Struct, frozen=True, gc=False):
    """A body says in the chat that it has killed a mob."""

    bot: str
    mob: str


class Feedback(Struct, frozen=True, omit_defaults=True, gc=False):
    """What became of the last decisions: which mobs were killed, what was refused.

    ``repeated``: the calls were those of the step before, and the rules complain about that.
    """

    killed: tuple[Killed, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    repeated: bool = False


class Person(Struct, frozen=True, omit_defaults=True, gc=False):
    """A player on a server beside the bodies, who is none of them: in which cell it is, and what it has
    ``carried``, ``None`` where that is not known."""

    name: str
    at: Cell
    carried: Items | None = None


class Decided(Struct, frozen=True, omit_defaults=True, gc=False):
    """What a seat has decided for a step that is not over: its calls, or why they could not be read."""

    seat: Seat
    calls: tuple[str, ...] = ()
    unread: Refusal | None = None


Ended = Literal["", "horizon"]


class State(Struct, frozen=True, omit_defaults=True, gc=False):
    """Everything that changes.

    - of each body: ``at`` which cell it is, what it has ``carried``, how often in a row it has ``failed`` to
      find a mob or a block; ``errands`` that are under way
    - ``furnace`` and ``chest``; ``gone``: the sites that do not stand now; ``kills``: of each kind, by name
    - ``orders``, the most urgent first; how many have ``arrived``; the dishes ``served``, in order; how many
      orders ``expired``
    - ``ticks`` and ``steps`` that have passed; ``stream``: the seed of orders and drops
    - ``smelting``: since when the furnace has been at what it smelts
    - ``last``: the calls of the last step; ``feedback`` on them; ``unheard``: what was killed since, while
      all were silent, which is told with the next one; ``ended``: why the episode is over
    - ``heard``: the instructor has decided for this step; ``instruction``: what it said, ``None`` for nothing
    - ``given``: what seats with bodies have decided for this step, where a server has yet to report on it;
      ``missing``: of each dish, how many that orders were served with are no longer in the chest;
      ``ground``: how it looks there from above, as it was last told; ``persons``: those who are there, too,
      by name
    """

    at: tuple[Cell, ...]
    carried: tuple[Items, ...]
    failed: tuple[int, ...]
    errands: tuple[Errand, ...] = ()
    furnace: Furnace = Furnace()
    chest: Items = ()
    gone: tuple[int, ...] = ()
    kills: Items = ()
    orders: tuple[Order, ...] = ()
    arrived: int = 0
    served: tuple[int, ...] = ()
    expired: int = 0
    ticks: int = 0
    steps: int = 0
    stream: int = 0
    smelting: int = 0
    last: tuple[str, ...] = ()
    feedback: Feedback = Feedback()
    ended: Ended = ""
    heard: bool = False
    instruction: Instruction | None = None
    given: tuple[Decided, ...] = ()
    missing: Items = ()
    ground: Ground | None = None
    persons: tuple[Person, ...] = ()
    unheard: tuple[Killed, ...] = ()


# --- what seats see --------------------------------------------------------------------------------------

Near = tuple[str, float]
"""A kind, and how many blocks away the nearest of it is."""


class SeenBot(Struct, frozen=True):
    """A body: where it is (x, z), what it carries, the blocks and mobs around it, what it is still at."""

    name: str
    at: Cell
    carried: Items
    blocks: tuple[Near, ...]
    mobs: tuple[Near, ...]
    under_way: str = ""


class SeenPerson(Struct, frozen=True):
    """A player beside the bodies: where it is, what it carries, if that is known, and how many blocks it is
    away from each body."""

    name: str
    at: Cell
    carried: Items | None
    away: tuple[Near, ...]


class SeenFurnace(Struct, frozen=True):
    """The three slots, and whether it burns; for how long yet is not shown."""

    input: Stack
    fuel: Stack
    output: Stack
    burning: bool


class SeenOrder(Struct, frozen=True):
    """An open order and what is left of its lifetime, in the unit of the observation."""

    dish: str
    left: int


class Observation(Struct, frozen=True):
    """What a ``seat`` sees. ``own``: its bodies. ``unit``: in which orders count, ``steps`` or ``ticks``.

    ``instruction``: what the instructor has said that holds, in the step ``instructed``; ``said``: all
    before. ``given``: to a server, what is carried out there. ``persons``: who else is there.
    """

    level: str
    step: int
    tick: int
    unit: str
    own: tuple[str, ...]
    bots: tuple[SeenBot, ...]
    furnace: SeenFurnace
    chest: Items
    orders: tuple[SeenOrder, ...]
    served: tuple[str, ...]
    killed: tuple[Killed, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    repeated: bool = False
    instruction: str = ""
    instructed: int = 0
    said: tuple[str, ...] = ()
    seat: Seat = ""
    given: tuple[str, ...] = ()
    persons: tuple[SeenPerson, ...] = ()

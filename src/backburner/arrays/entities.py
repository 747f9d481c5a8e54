"""Entities and outlooks: what a policy sees that scores codes one by one, in scenarios of any size.

An encoding has a fixed list of codes and features that differ from scenario to scenario. Here every code of a
body is a vector of its own (what is done, to what, what that is needed for), and so is the *context*, what
the body sees beside. Both have the same numbers in all scenarios of a world, so that one network
plays them all.

``Entities`` are written over the rows of a batch, compiled. Bodies decide one after the other within a step:
whoever decides later sees the kitchen as it will be when the codes chosen before have been carried out. An
``Outlook`` makes such numbers of an exact state in plain Python, hundreds of times slower, and needs no
tables: it serves worlds without a batch.

Both are parts of a world's pack (``Pack.entities``, ``Pack.outlook``): functions of a world. That of entities
raises ``Refused`` as its batch does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from msgspec import Struct

from backburner.arrays.batch import Batch
from backburner.arrays.network import Numbers, reading_digest
from backburner.kernel import packs
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused

UNDECIDED = -1
"""The code of a body that has not chosen yet."""


class Entities(Struct, frozen=True):
    """The entities of one world, over the rows of its batch.

    - ``context_names``, ``code_names``: what the numbers of a context and of a code tell
    - ``tables``: what ``look`` knows of the scenario beside the batch's tables
    - ``look(batch_tables, tables, rows, e, body, chosen, mask, context, codes) -> float``: writes what a body
      sees when ``chosen`` has the codes of bodies that have decided, and ``UNDECIDED`` for all others.
      ``mask`` gets 1 or 0 for each code, ``context`` the context, ``codes`` a row for each code
      that is allowed (others keep what they hold). Returns a potential for shaping, such as how far play has
      got with what is open. The row is left as it was. Compiled, as the functions of a batch are
    - ``measures(rows, e)``: of an episode that is over, what ``metric`` is computed from
    - ``metric``: the key of the world's metric that curves show
    """

    batch: Batch
    context_names: tuple[str, ...]
    code_names: tuple[str, ...]
    tables: Any
    look: Callable[..., float]
    measures: Callable[[Any, int], Mapping[str, float]]
    metric: str

    @property
    def reads(self) -> str:
        """The digest of all names; a network plays with the entities it was trained on, and no others."""
        return reading_digest(self.context_names, self.code_names)


def entities_of(world: World[Any, Any, Any]) -> Entities:
    """The entities of a world; raises ``Refused`` if its pack has none or its batch does not cover it."""
    pack = packs.pack_of(world)
    if not pack.entities:
        raise Refused(f"{world.id}: this world has no entities; network=list learns each scenario by itself")
    make: Callable[[Any], Entities] = packs.part(pack.name, pack.entities)
    return make(world)


# --- outlooks ----------------------------------------------------------------------------------------------


class Glance(Protocol):
    """One step, as its bodies weigh it one after the other: later ones know what those before have taken."""

    progress: float
    """A potential for shaping: how far play has got with what is open."""

    def look(self, body: int) -> tuple[Numbers, Numbers]:
        """The context of a body, and a row of numbers for each of its options."""

    def take(self, body: int, option: int) -> None:
        """The body takes one of the options that it looked at."""

    @property
    def decision(self) -> Any:
        """What the seat decides once all its bodies have taken an option."""


class Outlook(Struct, frozen=True):
    """The outlook of a world's only seat.

    - ``context_names``, ``code_names``: what the numbers of a context and of an option tell
    - ``bodies``: how many decide in each step
    - ``glance(state)``: the step that begins in a state
    - ``score(state)``: what is paid for, so far
    - ``measures(state)``: of an episode that is over, what ``metric`` is computed from
    - ``metric``: the key of the world's metric that curves show
    """

    context_names: tuple[str, ...]
    code_names: tuple[str, ...]
    bodies: int
    glance: Callable[[Any], Glance]
    score: Callable[[Any], float]
    measures: Callable[[Any], Mapping[str, float]]
    metric: str

    @property
    def reads(self) -> str:
        """The digest of all names; a network plays with the outlook it was trained on, and no other."""
        return reading_digest(self.context_names, self.code_names)


def outlook_of(world: World[Any, Any, Any]) -> Outlook | None:
    """The outlook of a world, ``None`` if its pack has none; raises ``Refused`` for several seats."""
    pack = packs.pack_of(world)
    if not pack.outlook:
        return None
    if len(world.seats) > 1:
        raise Refused(f"{world.id}: training takes one seat that decides for all bodies")
    make: Callable[[Any], Outlook] = packs.part(pack.name, pack.outlook)
    return make(world)

"""Outlooks: numbers of exact states for a policy that weighs options one by one, in worlds without a batch.

``entities`` writes such numbers over the rows of a batch, compiled. An outlook makes them of the exact state
in plain Python, hundreds of times slower, and needs no tables. What the network reads is alike: a *context*,
what a body sees beside, and for each of its options what it is good for, the same numbers in all
scenarios of a world, so that one network plays them all.

An outlook is a part of a world's pack (``Pack.outlook``): a function of a world that gives its ``Outlook``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from msgspec import Struct

from backburner.arrays.network import Numbers, reading_digest
from backburner.kernel import packs
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused


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

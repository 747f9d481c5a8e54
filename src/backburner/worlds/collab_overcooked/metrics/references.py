"""The released reference trajectories of the 30 orders (article, section A.2.4: RATs), as data.

They are what a history is compared with. They are not exhaustive: plans exist that are as short, or
shorter, and stand in none of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from backburner.kernel.errors import UnknownName

CHEF, ASSISTANT = 0, 1
"""The cooks' numbers: the chef knows the recipe (article: Bob), the assistant (Alice) does not."""

Calls = tuple[str, ...]
"""Calls in the order in which they are carried out, as words without spaces: ``cook(pot0)``."""


class Reference(Struct, frozen=True, forbid_unknown_fields=True):
    """What both cooks do, each in this order, to fill one order.

    ``steps``: the timesteps it takes when carried out greedily under released rules.
    """

    name: str
    steps: int
    chef: Calls
    assistant: Calls

    def of(self, cook: int) -> Calls:
        """The calls of cook 0 (chef) or 1 (assistant)."""
        return (self.chef, self.assistant)[cook]


class OrderReferences(Struct, frozen=True, forbid_unknown_fields=True):
    """An order, its published level (1 to 6) and its references."""

    order: str
    level: int
    references: tuple[Reference, ...]


class _ReferenceFile(Struct, frozen=True, forbid_unknown_fields=True):
    source: str
    orders: tuple[OrderReferences, ...]


@cache
def shipped_references() -> dict[str, OrderReferences]:
    """The 30 published orders by name, by level and then by name."""
    raw = files("backburner.worlds.collab_overcooked").joinpath("data", "references.json").read_bytes()
    return {one.order: one for one in msgspec.json.decode(raw, type=_ReferenceFile).orders}


def references_of(order: str) -> tuple[Reference, ...]:
    """The released references of a published order. Raises ``UnknownName`` for another order."""
    known = shipped_references()
    if order not in known:
        raise UnknownName("order", order, known, "the released references")
    return known[order].references


def calls_of(references: Sequence[Reference], cook: int) -> tuple[Calls, ...]:
    """One cook's part of each reference, in their order."""
    return tuple(reference.of(cook) for reference in references)

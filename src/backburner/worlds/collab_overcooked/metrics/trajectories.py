"""All minimal reference trajectories of the published orders, as data made by search.

They have the form of the released references, and no plan of their kind is missing among them. They
hold under both rule sets.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from backburner.kernel.errors import UnknownName
from backburner.worlds.collab_overcooked.metrics.references import Reference


class OrderTrajectories(Struct, frozen=True, forbid_unknown_fields=True):
    """The trajectories of an order: the calls of each cook in short plans, waits left out.

    ``shortest``: those of all plans of the fewest steps in which nothing is fetched in vain; ``near``:
    those of all such plans that take at most two steps more; ``in_vain``: where something fetched in
    vain saves steps (a dish laid in a cook's way), those of all plans of that many. From each set those
    are left out that hold another one of the set and calls besides. ``complete``: none is missing
    because there were too many. ``steps`` of a reference: the fewest in which it can be done.
    """

    order: str
    level: int
    complete: bool
    shortest: tuple[Reference, ...]
    near: tuple[Reference, ...]
    in_vain: tuple[Reference, ...] = ()

    @property
    def all(self) -> tuple[Reference, ...]:
        """The three sets as one, each trajectory once."""
        found = {(one.chef, one.assistant): one for one in (*self.in_vain, *self.near, *self.shortest)}
        return tuple(sorted(found.values(), key=lambda one: (one.steps, one.name)))


class TrajectoryFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The data file: what made it, and the orders level by level."""

    source: str
    orders: tuple[OrderTrajectories, ...]


@cache
def shipped_trajectories() -> dict[str, OrderTrajectories]:
    """The published orders by name."""
    raw = files("backburner.worlds.collab_overcooked").joinpath("data", "trajectories.json").read_bytes()
    return {one.order: one for one in msgspec.json.decode(raw, type=TrajectoryFile).orders}


def trajectories_of(order: str) -> OrderTrajectories:
    """The trajectories of a published order. Raises ``UnknownName`` for another order."""
    known = shipped_trajectories()
    if order not in known:
        raise UnknownName("order", order, known, "the searched trajectories")
    return known[order]

"""The reference trajectories that an episode is compared with, from a set that is chosen by name."""

from __future__ import annotations

from typing import Literal, get_args

from backburner.kernel.errors import Refused, UnknownName
from backburner.worlds.collab_overcooked.game.layout import SHIPPED
from backburner.worlds.collab_overcooked.game.scenarios import Scenario, orders
from backburner.worlds.collab_overcooked.metrics.references import Reference, references_of
from backburner.worlds.collab_overcooked.metrics.trajectories import trajectories_of

ReferenceSet = Literal["released", "minimal", "near"]
"""The article's, which are not all there are; those of all plans of the fewest steps; besides these
those of all plans that take at most two steps more."""

REFERENCE_SETS: tuple[ReferenceSet, ...] = get_args(ReferenceSet)


def references_for(scenario: Scenario, name: str = "released") -> tuple[Reference, ...]:
    """The references of what is ordered in a scenario.

    Raises ``UnknownName`` for a set that is not there, and ``Refused`` for what none is about: other
    kitchens, several orders, orders that are not published.
    """
    if name not in REFERENCE_SETS:
        raise UnknownName("set of references", name, REFERENCE_SETS, "collab_overcooked")
    if not isinstance(scenario.layout, str) or scenario.layout != SHIPPED:
        raise Refused(f"the {name} references are for the article's kitchen; this is another")
    if len(scenario.orders) != 1 or scenario.order_weights:
        raise Refused(f"the {name} references are for one order alone; here there may be several")
    (order,) = scenario.orders
    if order not in orders():
        raise Refused(f"the {name} references have none for {order}")
    if name == "released":
        return references_of(order)
    found = trajectories_of(order)
    return found.all if name == "near" else (*found.in_vain, *found.shortest)

"""Minecraft's scenarios as values: a farm, who plays its bodies, and at what pace orders come."""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct

from backburner.kernel.contract import World
from backburner.kernel.errors import Refused, shorten
from backburner.kernel.values import Seat
from backburner.worlds.minecraft.game.ground import Cell
from backburner.worlds.minecraft.game.levels import Site

STEPS = 60
"""An episode of the release."""

RELEASED_SEED = 123

BOTS = ("alex", "steve", "ari", "efe", "kai", "makena", "noor", "sunny")
"""Bodies by number: the article's two, and more of the game's own names."""

MOST_BODIES = len(BOTS)

Groups = tuple[tuple[int, ...], ...]
"""The bodies of each seat: one dispatcher for all (the article), a seat for each, any other partition."""

DISPATCHER: Seat = "dispatcher"
INSTRUCTOR: Seat = "instructor"
NAMED_GROUPS = ("one", "each", "person")
PARTITION = re.compile(r"[0-9]([.+][0-9]){0,15}")


class Scenario(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One episode's farm, bodies and orders.

    - ``blocks``, ``mobs``: what stands where; ``spawns``: where the bodies begin
    - ``interval``: steps from order to order; ``lifetime``: steps that an order waits
    - ``groups``: the bodies of each seat; none if one dispatcher commands all
    - ``seed``: of the stream of orders, and of what mobs drop; ``None`` for the seed of play
    - ``hints``: whether the briefing has the article's knowledge of the game (Appendix F.1)
    - ``instructor``: whether a seat without bodies tells the others in words what to do, before they decide
    """

    level: str
    dishes: tuple[str, ...]
    blocks: tuple[Site, ...]
    mobs: tuple[Site, ...]
    spawns: tuple[Cell, ...]
    interval: int
    lifetime: int
    groups: Groups = ()
    tau: float | None = None
    seed: int | None = RELEASED_SEED
    steps: int = STEPS
    hints: bool = True
    instructor: bool = False

    @property
    def bodies(self) -> int:
        """How many there are."""
        return len(self.spawns)

    @property
    def sites(self) -> tuple[Site, ...]:
        """Blocks, then mobs: what states mean by numbers."""
        return (*self.blocks, *self.mobs)


def spawns_of(given: tuple[Cell, ...], bodies: int) -> tuple[Cell, ...]:
    """Where so many bodies begin: as given, further ones a block to the east of one that is given."""
    return tuple(
        (given[body % len(given)][0] + body // len(given), given[body % len(given)][1])
        for body in range(bodies)
    )


def groups_of(written: str, bodies: int) -> Groups:
    """The bodies of each seat: ``one``, ``each``, ``person`` (body 0 alone), or such as ``0+1.2``.

    A plus sign stands between seats, a full stop between the bodies of one. Raises ``Refused``.
    """
    everybody = tuple(range(bodies))
    match written:
        case "one":
            return ()
        case "each":
            return tuple((body,) for body in everybody)
        case "person":
            return ((0,), everybody[1:]) if bodies > 1 else ((0,),)
    if not PARTITION.fullmatch(written):
        known = ", ".join(NAMED_GROUPS)
        raise Refused(f"minecraft: seats={shorten(written)}: {known}, or bodies such as 0+1.2")
    groups = tuple(tuple(int(body) for body in seat.split(".")) for seat in written.split("+"))
    if why := misfit(groups, bodies):
        raise Refused(f"minecraft: seats={written}: {why}")
    return groups


def misfit(groups: Groups, bodies: int) -> str:
    """Why these are not the bodies of all seats, unless each body belongs to one."""
    if not groups:
        return ""
    fit = sum(map(len, groups)) == bodies and all(groups)
    if fit and sorted(body for group in groups for body in group) == list(range(bodies)):
        return ""
    return f"each of the bodies 0 to {bodies - 1} belongs to one seat"


class Seating:
    """The seats of a scenario: ``bodies_of`` each, ``owner`` of each body.

    ``workers``: the seats with bodies. ``phases``: who decides together, in the order of each step.
    """

    def __init__(self, scenario: Scenario) -> None:
        groups = scenario.groups or (tuple(range(scenario.bodies)),)
        self.workers = _names(groups)
        first: tuple[Seat, ...] = (INSTRUCTOR,) if scenario.instructor else ()
        self.seats: tuple[Seat, ...] = (*first, *self.workers)
        self.phases: tuple[tuple[Seat, ...], ...] = (first, self.workers) if first else (self.workers,)
        self.bodies_of: dict[Seat, tuple[int, ...]] = dict(zip(self.workers, groups, strict=True))
        self.owner = {body: seat for seat, group in self.bodies_of.items() for body in group}
        self.bodies_of |= dict.fromkeys(first, ())


def _names(groups: Groups) -> tuple[Seat, ...]:
    """A seat with one body is called like it, one with several ``dispatcher``; several dispatchers are told
    apart by their first bodies: ``dispatcher0``, ``dispatcher2``."""
    if len(groups) == 1:
        return (DISPATCHER,)
    dispatchers = sum(len(group) > 1 for group in groups)
    several = DISPATCHER if dispatchers == 1 else f"{DISPATCHER}{{}}"
    return tuple(BOTS[group[0]] if len(group) == 1 else several.format(group[0]) for group in groups)


def parts(world: World[Any, Any, Any]) -> list[str]:
    """What a world's scenario is built of: the dishes that may be ordered."""
    return [f"dish {dish}" for dish in world.scenario.dishes]

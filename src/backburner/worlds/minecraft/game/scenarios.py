"""Minecraft's scenarios as values: a farm, who plays its bodies, and at what pace orders come."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from backburner.kernel.contract import World
from backburner.kernel.values import Seat
from backburner.worlds.groups import Groups, seat_names
from backburner.worlds.minecraft.game.ground import Cell
from backburner.worlds.minecraft.game.levels import Site

STEPS = 60
"""An episode of the release."""

RELEASED_SEED = 123

BOTS = ("alex", "steve", "ari", "efe", "kai", "makena", "noor", "sunny")
"""Bodies by number: the article's two, and more of the game's own names."""

MOST_BODIES = len(BOTS)

INSTRUCTOR: Seat = "instructor"
SERVER: Seat = "server"


class Scenario(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One episode's farm, bodies and orders.

    - ``blocks``, ``mobs``: what stands where; ``spawns``: where the bodies begin
    - ``interval``: steps from order to order; ``lifetime``: steps that an order waits
    - ``groups``: the bodies of each seat; none if one dispatcher commands all
    - ``seed``: of the stream of orders, and of what mobs drop; ``None`` for the seed of play
    - ``hints``: whether the briefing has the article's knowledge of the game (Appendix F.1)
    - ``instructor``: whether a seat without bodies tells the others in words what to do, before they decide
    - ``live``: whether a seat without bodies then reports what was seen of each step on a server
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
    live: bool = False

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


class Seating:
    """The seats of a scenario: ``bodies_of`` each, ``owner`` of each body.

    ``workers``: the seats with bodies. ``phases``: who decides together, in the order of each step; ``last``:
    who then reports on it, if anybody does.
    """

    def __init__(self, scenario: Scenario) -> None:
        groups = scenario.groups or (tuple(range(scenario.bodies)),)
        self.workers = seat_names(groups, lambda body: BOTS[body])
        first: tuple[Seat, ...] = (INSTRUCTOR,) if scenario.instructor else ()
        self.last: tuple[Seat, ...] = (SERVER,) if scenario.live else ()
        self.seats: tuple[Seat, ...] = (*first, *self.workers, *self.last)
        self.phases: tuple[tuple[Seat, ...], ...] = (first, self.workers) if first else (self.workers,)
        self.bodies_of: dict[Seat, tuple[int, ...]] = dict(zip(self.workers, groups, strict=True))
        self.owner = {body: seat for seat, group in self.bodies_of.items() for body in group}
        self.bodies_of |= dict.fromkeys((*first, *self.last), ())


def parts(world: World[Any, Any, Any]) -> list[str]:
    """What a world's scenario is built of: the dishes that may be ordered."""
    return [f"dish {dish}" for dish in world.scenario.dishes]

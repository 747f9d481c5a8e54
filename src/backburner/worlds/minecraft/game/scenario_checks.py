"""Whether a scenario can be played: the same checks for users' files and strangers' records, sizes first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from backburner.kernel.files import Place, check
from backburner.worlds.dispatch.seating import misfit
from backburner.worlds.minecraft.game.physics import (
    BLOCKS,
    CHEST,
    FURNACE,
    MEAT_OF,
    MOBS,
    OAK_LOG,
    RAW,
    Cell,
    beside,
    squared,
)
from backburner.worlds.minecraft.game.scenarios import MOST_BODIES, Scenario, Site
from backburner.worlds.minecraft.game.transition import SIGHT


def check_scenario(scenario: Scenario, place: Place) -> None:
    """Raises ``BadFile`` naming ``place`` and field for the first thing with which it cannot be played."""
    check(scenario, place)
    check_bodies(scenario.bodies, place)
    if why := misfit(scenario.groups, scenario.bodies):
        raise place.field("groups").wrong(why)
    _check_sites(scenario, place)
    _check_reach(scenario, place)


def check_bodies(bodies: int, place: Place) -> None:
    """Raises ``BadFile`` for too few spawns or too many."""
    if not 1 <= bodies <= MOST_BODIES:
        raise place.field("spawns").wrong(f"{bodies} bodies; there are from 1 to {MOST_BODIES}")


def _check_sites(scenario: Scenario, place: Place) -> None:
    """Known things, not too many, near enough to zero, no two blocks on one cell, room beside each."""
    kinds: tuple[tuple[str, Sequence[Site], Iterable[str]], ...] = (
        ("blocks", scenario.blocks, BLOCKS),
        ("mobs", scenario.mobs, MOBS),
    )
    for name, sites, known in kinds:
        for here, site in place.entries(name, sites):
            if site.kind not in known:
                raise here.unknown(name.removesuffix("s"), site.kind, known)
    for kind, most in ((FURNACE, 1), (CHEST, 1), (OAK_LOG, len(scenario.blocks))):
        count = sum(block.kind == kind for block in scenario.blocks)
        if not 1 <= count <= most:
            wanted = f"exactly one {kind}" if most == 1 else f"at least one {kind}"
            raise place.field("blocks").wrong(f"there is {wanted}, not {count}")
    taken = {block.at: index for index, block in enumerate(scenario.blocks)}
    for index, (here, block) in enumerate(place.entries("blocks", scenario.blocks)):
        if taken[block.at] != index:
            raise here.field("at").wrong(f"another block stands at {list(block.at)}")
        _check_room(block.at, taken, here)
    for here, mob in place.entries("mobs", scenario.mobs):
        if mob.at in taken:
            raise here.field("at").wrong(f"a block stands at {list(mob.at)}")
        _check_room(mob.at, taken, here)
    for index, spawn in enumerate(scenario.spawns):
        here = place.entry("spawns", index)
        if spawn in taken:
            raise here.wrong(f"a block stands at {list(spawn)}")


def _check_room(cell: Cell, taken: Mapping[Cell, int], here: Place) -> None:
    if all(each in taken for each in beside(cell)):
        raise here.wrong("nobody can stand beside it")


def _check_reach(scenario: Scenario, place: Place) -> None:
    """From the furnace one sees all that dishes take, and from wherever that is and bodies begin, the
    furnace."""
    furnace = next(block.at for block in scenario.blocks if block.kind == FURNACE)
    for kind in (CHEST, OAK_LOG):
        if not any(_sees(furnace, block.at) for block in scenario.blocks if block.kind == kind):
            raise place.field("blocks").wrong(f"no {kind} within {SIGHT} blocks of the furnace")
    for dish in scenario.dishes:
        kind = MEAT_OF[RAW[dish]]
        if not any(_sees(furnace, mob.at) for mob in scenario.mobs if mob.kind == kind):
            raise place.field("mobs").wrong(f"{dish} needs a {kind} within {SIGHT} blocks of the furnace")
    for index, spawn in enumerate(scenario.spawns):
        if not _sees(furnace, spawn):
            raise place.entry("spawns", index).wrong(f"is more than {SIGHT} blocks from the furnace")


def _sees(one: Cell, other: Cell) -> bool:
    return squared(one, other) <= SIGHT * SIGHT

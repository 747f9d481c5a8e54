"""Whether a scenario can be played: the same checks for users' files and strangers' records, sizes first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from backburner.kernel.errors import shorten
from backburner.kernel.files import Place
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
from backburner.worlds.minecraft.game.scenarios import MAX_TAU, MIN_TAU, MOST_BODIES, Scenario, Site
from backburner.worlds.minecraft.game.transition import SIGHT

LARGEST = 1_000_000
FARTHEST = 100_000
"""How far from the middle anything may stand."""

MOST_SITES = 200
LONGEST_NAME = 100

RANGES: Mapping[str, tuple[int, int]] = {
    "interval": (1, LARGEST),
    "lifetime": (1, LARGEST),
    "steps": (1, 100_000),
    "seed": (-(2**63), 2**63),
}


def check_scenario(scenario: Scenario, place: Place) -> None:
    """Raises ``BadFile`` naming ``place`` and field for the first thing with which it cannot be played."""
    here = place.field("level")
    here.one_line(scenario.level)
    if len(scenario.level) > LONGEST_NAME:
        raise here.wrong(f"has {len(scenario.level)} characters; {LONGEST_NAME} are the most")
    for name, (least, most) in RANGES.items():
        value = getattr(scenario, name)
        if value is not None and not least <= value <= most:
            raise place.field(name).wrong(f"is {told(value)}; it is from {least} to {most}")
    check_tau(scenario.tau, place)
    check_bodies(scenario.bodies, place)
    if why := misfit(scenario.groups, scenario.bodies):
        raise place.field("groups").wrong(why)
    check_dishes(scenario.dishes, place)
    _check_sites(scenario, place)
    _check_reach(scenario, place)


def told(value: int) -> str:
    """A number, as far as it can be written on a line."""
    return str(value) if value.bit_length() < 100 else f"a number of {value.bit_length()} bits"


def check_tau(tau: float | None, place: Place) -> None:
    """Raises ``BadFile`` for one that is out of range."""
    if tau is not None and not MIN_TAU <= tau <= MAX_TAU:
        raise place.field("tau").wrong(f"is {tau}; it is from {MIN_TAU} to {MAX_TAU}")


def check_bodies(bodies: int, place: Place, field: str = "spawns") -> None:
    """Raises ``BadFile``, naming what says it, for too few or too many."""
    if not 1 <= bodies <= MOST_BODIES:
        raise place.field(field).wrong(f"{told(bodies)} bodies; there are from 1 to {MOST_BODIES}")


def check_dishes(dishes: Sequence[str], place: Place) -> None:
    """Raises ``BadFile`` for none, an unknown one, or one that stands there twice."""
    if not dishes:
        raise place.field("dishes").wrong("at least one dish is ordered")
    for index, dish in enumerate(dishes[: len(RAW) + 1]):
        here = place.entry("dishes", index, dish)
        if dish not in RAW:
            raise here.unknown("dish", dish, RAW)
        if dish in dishes[:index]:
            raise here.wrong("this dish stands here twice")


def _check_sites(scenario: Scenario, place: Place) -> None:
    """Known things, not too many, near enough to zero, no two blocks on one cell, room beside each."""
    kinds: tuple[tuple[str, Sequence[Site], Iterable[str]], ...] = (
        ("blocks", scenario.blocks, BLOCKS),
        ("mobs", scenario.mobs, MOBS),
    )
    for name, sites, known in kinds:
        if len(sites) > MOST_SITES:
            raise place.field(name).wrong(f"{len(sites)} are too many; {MOST_SITES} are the most")
        for index, site in enumerate(sites):
            here = place.entry(name, index, site.kind)
            if site.kind not in known:
                raise here.unknown(name.removesuffix("s"), shorten(site.kind), known)
            _check_cell(site.at, here.field("at"))
    for kind, most in ((FURNACE, 1), (CHEST, 1), (OAK_LOG, MOST_SITES)):
        count = sum(block.kind == kind for block in scenario.blocks)
        if not 1 <= count <= most:
            wanted = f"exactly one {kind}" if most == 1 else f"at least one {kind}"
            raise place.field("blocks").wrong(f"there is {wanted}, not {count}")
    taken = {block.at: index for index, block in enumerate(scenario.blocks)}
    for index, block in enumerate(scenario.blocks):
        here = place.entry("blocks", index, block.kind)
        if taken[block.at] != index:
            raise here.field("at").wrong(f"another block stands at {list(block.at)}")
        _check_room(block.at, taken, here)
    for index, mob in enumerate(scenario.mobs):
        here = place.entry("mobs", index, mob.kind)
        if mob.at in taken:
            raise here.field("at").wrong(f"a block stands at {list(mob.at)}")
        _check_room(mob.at, taken, here)
    for index, spawn in enumerate(scenario.spawns):
        here = place.entry("spawns", index)
        _check_cell(spawn, here)
        if spawn in taken:
            raise here.wrong(f"a block stands at {list(spawn)}")


def _check_cell(cell: Cell, here: Place) -> None:
    if not all(-FARTHEST <= number <= FARTHEST for number in cell):
        raise here.wrong(f"is out of the world; numbers are from {-FARTHEST} to {FARTHEST}")


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

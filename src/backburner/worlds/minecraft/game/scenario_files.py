"""A user's farm file: what stands where, or a published level, and at what pace orders come.

{"world": "minecraft", "id": "yard", "dishes": ["cooked_chicken"], "tau": 1.5,
 "blocks": [{"kind": "furnace", "at": [0, 0]}, {"kind": "chest", "at": [5, 0]},
            {"kind": "oak_log", "at": [0, 8]}],
 "mobs": [{"kind": "chicken", "at": [9, 9]}], "spawns": [[2, 2], [3, 2]]}

Whether a scenario can be played is checked alike for users' files and strangers' records, sizes first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from backburner.kernel.checks import FileId
from backburner.kernel.files import Place, check, converted
from backburner.worlds.dispatch.seating import Groups, misfit
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
from backburner.worlds.minecraft.game.scenarios import (
    MOST_BODIES,
    RELEASED_SEED,
    STEPS,
    Bodies,
    Count,
    Dishes,
    Pace,
    Scenario,
    Seed,
    Site,
    Sites,
    Spot,
    Steps,
    Tau,
    levels,
    pace_of,
    paced,
    spawns_of,
)
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


class ScenarioFile(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A farm: ``blocks`` and ``mobs`` with their cells (x, z), ``spawns`` where bodies begin; or the name of
    a published ``level``, of which each of these may be given anew.

    Orders for ``dishes`` come at the pace of ``tau``, or every ``interval`` steps, each waiting ``lifetime``
    steps, by default one and a half intervals; without either, at that of the release. ``bodies``: how many,
    by default as many as there are spawns. ``seats``: the bodies of each seat; none, one dispatcher for all.
    ``seed``: of orders and drops, ``null`` for that of play.
    """

    world: str
    id: FileId
    level: str = ""
    dishes: Dishes = ()
    blocks: Sites = ()
    mobs: Sites = ()
    spawns: tuple[Spot, ...] = ()
    bodies: Bodies | None = None
    seats: Groups = ()
    tau: Tau | None = None
    interval: Count | None = None
    lifetime: Count | None = None
    seed: Seed | None = RELEASED_SEED
    steps: Steps = STEPS
    hints: bool = True
    instructor: bool = False
    live: bool = False


FILE_TYPES: Mapping[str, Any] = {"scenario": ScenarioFile}


def read_file(raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
    """(path, scenario) of a user's farm file; raises ``BadFile`` naming file, entry and field."""
    place = Place(source)
    written = converted(raw, ScenarioFile, place)
    if written.level and written.level not in levels():
        raise place.field("level").unknown("level", written.level, levels())
    base = levels().get(written.level)
    dishes = written.dishes or (base.dishes if base else ())
    if not dishes:
        raise place.field("dishes").wrong("at least one dish is ordered")
    spawns = written.spawns or (base.spawns if base else ())
    if not spawns:
        raise place.field("spawns").wrong("give a cell for each body, or a level")
    bodies = len(spawns) if written.bodies is None else written.bodies
    check_bodies(bodies, place)
    if why := misfit(written.seats, bodies):
        raise place.field("seats").wrong(why)
    pace = _pace(written, dishes, place)
    scenario = Scenario(
        level=written.level or written.id,
        dishes=dishes,
        blocks=written.blocks or (base.blocks if base else ()),
        mobs=written.mobs or (base.mobs if base else ()),
        spawns=spawns_of(spawns, bodies),
        interval=pace.interval,
        lifetime=pace.lifetime,
        groups=written.seats,
        tau=written.tau,
        seed=written.seed,
        steps=written.steps,
        hints=written.hints,
        instructor=written.instructor,
        live=written.live,
    )
    check_scenario(scenario, place)
    return written.id, scenario


def _pace(written: ScenarioFile, dishes: tuple[str, ...], place: Place) -> Pace:
    """The pace that the file gives, or else that of the release."""
    if written.interval is None:
        if written.lifetime is not None:
            raise place.field("lifetime").wrong("goes with an interval")
        return pace_of(dishes, written.tau)
    if written.tau is not None:
        raise place.field("interval").wrong("give tau, or interval and lifetime, not both")
    pace = paced(written.interval)
    return pace if written.lifetime is None else Pace(pace.interval, written.lifetime)

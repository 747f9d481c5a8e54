"""A user's farm file: what stands where, or a published level, and at what pace orders come.

{"world": "minecraft", "id": "yard", "dishes": ["cooked_chicken"], "tau": 1.5,
 "blocks": [{"kind": "furnace", "at": [0, 0]}, {"kind": "chest", "at": [5, 0]},
            {"kind": "oak_log", "at": [0, 8]}],
 "mobs": [{"kind": "chicken", "at": [9, 9]}], "spawns": [[2, 2], [3, 2]]}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from backburner.kernel.checks import FileId
from backburner.kernel.files import Place, converted
from backburner.worlds.dispatch.seating import Groups, misfit
from backburner.worlds.minecraft.game.scenario_checks import check_bodies, check_scenario
from backburner.worlds.minecraft.game.scenarios import (
    RELEASED_SEED,
    STEPS,
    Bodies,
    Count,
    Dishes,
    Pace,
    Scenario,
    Seed,
    Sites,
    Spot,
    Steps,
    Tau,
    levels,
    pace_of,
    paced,
    spawns_of,
)


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

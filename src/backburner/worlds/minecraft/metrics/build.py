"""New farms: made from seeds, kept if ways on them are as long as asked for, written as scenario files.

How hard a farm is to walk on, its mean way tells: in blocks, from the furnace to the chest, to each log and
to the nearest mob for each dish.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from backburner.kernel.building import Builder, Built, Progress
from backburner.kernel.errors import Refused
from backburner.kernel.pack import Argument
from backburner.worlds.dispatch.floors import MADE_BY, FloorIndex, Ways, build_floors, built, verdict, ways_of
from backburner.worlds.minecraft.game.physics import FURNACE, MEAT_OF, RAW, way_length
from backburner.worlds.minecraft.game.scenarios import MAX_TAU, MIN_TAU, MOST_BODIES, MOST_SEEDS, Level, farm

ATTEMPTS = 20
"""Farms that are made for each that is asked for."""


class Settings(Struct, frozen=True):
    """What decides about the farms of a build. ``ways``: the least and the greatest mean way, in blocks."""

    bodies: int
    tau: float
    seed: int
    ways: Ways


class Judged(Struct, frozen=True):
    """A farm that was made: its seed and file, its mean way, how many dishes, and whether it is kept."""

    seed: int
    id: str
    mean_way: float
    dishes: int
    verdict: str


class FarmIndex(FloorIndex[Settings, Judged], frozen=True):
    """What a build of farms has come to."""


def mean_way(level: Level) -> float:
    """The mean way from the furnace to what dishes take and to the chest, in blocks."""
    ways = list(_ways(level))
    return sum(ways) / len(ways) / 1000


def _ways(level: Level) -> Iterator[int]:
    furnace = next(block.at for block in level.blocks if block.kind == FURNACE)
    for block in level.blocks:
        if block.kind != FURNACE:
            yield way_length(furnace, block.at)
    for dish in level.dishes:
        mobs = [mob.at for mob in level.mobs if mob.kind == MEAT_OF[RAW[dish]]]
        yield min(way_length(furnace, mob) for mob in mobs)


def judged_farm(rule: Settings, seed: int) -> tuple[Judged, Callable[[], bytes]]:
    """What becomes of the farm of a seed, and its scenario file."""
    level = farm(seed)
    way = mean_way(level)
    judged = Judged(seed, f"{level.name}.json", round(way, 1), len(level.dishes), verdict(way, rule.ways))
    return judged, lambda: _file(rule, level)


def _file(rule: Settings, level: Level) -> bytes:
    """The farm as a user would write it."""
    written = {
        "world": "minecraft",
        "id": level.name,
        "dishes": level.dishes,
        "blocks": level.blocks,
        "mobs": level.mobs,
        "spawns": level.spawns,
        "bodies": rule.bodies,
        "tau": rule.tau,
    }
    return msgspec.json.format(msgspec.json.encode(written), indent=1) + b"\n"


def _build(out: Path, options: Mapping[str, Any], progress: Progress) -> Built:
    """Build with the options of ``BUILDER``."""
    bodies, tau, seed, wanted = (options[name] for name in ("bodies", "tau", "seed", "farms"))
    attempts = options.get("attempts") or ATTEMPTS * wanted
    if bodies > MOST_BODIES or not MIN_TAU <= tau <= MAX_TAU or seed > MOST_SEEDS:
        limits = f"--bodies {MOST_BODIES}, --tau {MIN_TAU} to {MAX_TAU}, --seed {MOST_SEEDS}"
        raise Refused(f"too many, or out of range; the most are {limits}")
    rule = Settings(bodies, float(tau), seed, ways_of(options["ways"], "blocks", (8, 12)))
    new = FarmIndex(MADE_BY, rule, {}, ())
    seeds = range(seed, min(seed + attempts, MOST_SEEDS + 1))
    index = build_floors(out, new, seeds, wanted, partial(judged_farm, rule), progress)
    columns = ("file", "mean way (blocks)", "dishes", "seed")
    rows = [(one.id, one.mean_way, one.dishes, one.seed) for one in index.kept]
    return built(out, index, ("farms", "farms"), wanted, attempts, columns, rows)


BUILDER = Builder(
    help="""Make new farms, and keep those on which ways are as long as you want them.

    Exit code 1: fewer were found than asked for.
    """,
    things="farms",
    arguments=(
        Argument(name="ways", default="0:", help="The mean way from the furnace in blocks: 8:12, 8: or :12."),
        Argument(name="farms", kind="whole number", least=1, default=10, help="How many to find."),
        Argument(
            name="attempts",
            kind="whole number",
            least=1,
            help=f"How many farms to make; by default {ATTEMPTS} for each to find.",
        ),
        Argument(name="seed", kind="whole number", least=0, default=0, help="The first farm's."),
        Argument(name="bodies", kind="whole number", least=1, default=2, help="How many bots."),
        Argument(name="tau", kind="number", least=0.1, default=2.0, help="The pace of orders."),
    ),
    build=_build,
)

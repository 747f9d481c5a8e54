"""New farms: made from seeds, kept if ways on them are as long as asked for, written as scenario files.

How hard a farm is to walk on, its mean way tells: in blocks, from the furnace to the chest, to each log and
to the nearest mob for each dish.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from msgspec import Struct

from backburner.worlds.dispatch.floors import MADE_BY, Asked, FloorIndex, FloorKind, scenario_file, verdict
from backburner.worlds.minecraft.game.physics import FURNACE, MEAT_OF, RAW, way_length
from backburner.worlds.minecraft.game.scenarios import MAX_TAU, MIN_TAU, MOST_BODIES, MOST_SEEDS, Level, farm


class Judged(Struct, frozen=True):
    """A farm that was made: its seed and file, its mean way, how many dishes, and whether it is kept."""

    seed: int
    id: str
    mean_way: float
    dishes: int
    verdict: str


class FarmIndex(FloorIndex[Asked, Judged], frozen=True):
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


def judged_farm(rule: Asked, seed: int) -> tuple[Judged, Callable[[], bytes]]:
    """What becomes of the farm of a seed, and its scenario file."""
    level = farm(seed)
    way = mean_way(level)
    judged = Judged(seed, f"{level.name}.json", round(way, 1), len(level.dishes), verdict(way, rule.ways))
    return judged, lambda: _file(rule, level)


def _file(rule: Asked, level: Level) -> bytes:
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
    return scenario_file(written)


BUILDER = FloorKind(
    help="""Make new farms, and keep those on which ways are as long as you want them.

    Exit code 1: fewer were found than asked for.
    """,
    made="farms",
    kept="farms",
    between="from the furnace",
    unit="blocks",
    example=(8, 12),
    most_bodies=MOST_BODIES,
    most_seeds=MOST_SEEDS,
    taus=(MIN_TAU, MAX_TAU),
    who="How many bots.",
    index=lambda options, asked: (FarmIndex(MADE_BY, asked, {}, ()), partial(judged_farm, asked)),
    columns=("file", "mean way (blocks)", "dishes", "seed"),
    row=lambda farm: (farm.id, farm.mean_way, farm.dishes, farm.seed),
).builder

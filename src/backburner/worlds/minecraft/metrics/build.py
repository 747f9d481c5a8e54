"""New farms: made from seeds, kept if ways on them are as long as asked for, written as scenario files.

How hard a farm is to walk on, its mean way tells: in blocks, from the furnace to the chest, to each log and
to the nearest mob for each dish.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel import __version__
from backburner.kernel.building import Builder, Built, Progress, begun, write_index
from backburner.kernel.errors import Refused, shorten
from backburner.kernel.files import write_whole
from backburner.kernel.pack import Argument
from backburner.worlds.minecraft.game.facts import FURNACE, MEAT_OF, RAW
from backburner.worlds.minecraft.game.farms import MOST_SEEDS, farm
from backburner.worlds.minecraft.game.ground import way_length
from backburner.worlds.minecraft.game.levels import MAX_TAU, MIN_TAU, Level
from backburner.worlds.minecraft.game.scenarios import MOST_BODIES

ATTEMPTS = 20
"""Farms that are made for each that is asked for."""


class Settings(Struct, frozen=True):
    """What decides about the farms of a build. ``ways``: the least and the greatest mean way, in blocks."""

    bodies: int
    tau: float
    seed: int
    ways: tuple[float, float | None]


class Judged(Struct, frozen=True):
    """A farm that was made: its seed and file, its mean way, how many dishes, and whether it is kept."""

    seed: int
    id: str
    mean_way: float
    dishes: int
    verdict: str


class FarmIndex(Struct, frozen=True):
    """What a build has come to: every farm that was made, in order of their seeds."""

    made_by: str
    rule: Settings
    counts: dict[str, int]
    judged: tuple[Judged, ...]

    @property
    def settings(self) -> Mapping[str, Any]:
        """What all farms of a folder share."""
        return {"rule": self.rule}


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


def build(out: Path, rule: Settings, farms: int, attempts: int, progress: Progress) -> FarmIndex:
    """Write a scenario file for each farm that is kept, and an index, into ``out``, fit to be a suite.

    A build that was begun there with the same settings goes on. Raises ``Refused``.
    """
    index = begun(out, FarmIndex(f"backburner {__version__}", rule, {}, ()))
    judged = {one.seed: one for one in index.judged if one.verdict != "kept" or (out / one.id).exists()}
    for seed in range(rule.seed, min(rule.seed + attempts, MOST_SEEDS + 1)):
        if sum(one.verdict == "kept" for one in judged.values()) >= farms:
            break
        if seed not in judged:
            level = farm(seed)
            judged[seed] = _judge(rule, seed, level)
            if judged[seed].verdict == "kept":
                write_whole(out / judged[seed].id, _file(rule, level))
        progress(attempts)
    ordered = tuple(sorted(judged.values(), key=lambda one: one.seed))
    index = replace(index, judged=ordered, counts=dict(Counter(one.verdict for one in ordered)))
    write_index(out, index)
    return index


def _judge(rule: Settings, seed: int, level: Level) -> Judged:
    way, (least, most) = mean_way(level), rule.ways
    verdict = "too short" if way < least else "kept" if most is None or way <= most else "too long"
    return Judged(seed, f"{level.name}.json", round(way, 1), len(level.dishes), verdict)


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


def range_of(text: str) -> tuple[float, float | None]:
    """``8:12`` as (8, 12); ``8:`` is 8 or more, ``:12`` up to 12. Raises ``Refused``."""
    low, colon, high = (part.strip() for part in text.partition(":"))
    try:
        least, most = float(low or 0), float(high) if high else None
    except ValueError:
        least, most = -1.0, None
    if not colon or not 0 <= least < 1000 or not (most is None or least <= most < 1000):
        raise Refused(f"--ways is a range of blocks such as 8:12, 8: or :12, not {shorten(repr(text))}")
    return least, most


def _build(out: Path, options: Mapping[str, Any], progress: Progress) -> Built:
    """``build`` with the options of ``BUILDER``."""
    bodies, tau, seed, wanted = (options[name] for name in ("bodies", "tau", "seed", "farms"))
    attempts = options.get("attempts") or ATTEMPTS * wanted
    if bodies > MOST_BODIES or not MIN_TAU <= tau <= MAX_TAU or seed > MOST_SEEDS:
        limits = f"--bodies {MOST_BODIES}, --tau {MIN_TAU} to {MAX_TAU}, --seed {MOST_SEEDS}"
        raise Refused(f"too many, or out of range; the most are {limits}")
    rule = Settings(bodies, float(tau), seed, range_of(options["ways"]))
    index = build(out, rule, wanted, attempts, progress)
    kept = [one for one in index.judged if one.verdict == "kept"]
    left_out = (f"  {count} {verdict}" for verdict, count in index.counts.items() if verdict != "kept")
    rows: Sequence[Sequence[object]] = [(one.id, one.mean_way, one.dishes, one.seed) for one in kept]
    found = f"{len(kept)} of {wanted} farms found in {attempts} attempts"
    return Built(
        index=index,
        columns=("file", "mean way (blocks)", "dishes", "seed"),
        rows=rows,
        lines=[
            f"{len(index.judged)} farms made, {len(kept)} kept",
            *left_out,
            *([f"scenario files: {out}"] if kept else []),
        ],
        missing=f"{found}; the same command with more --attempts goes on" if len(kept) < wanted else "",
    )


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

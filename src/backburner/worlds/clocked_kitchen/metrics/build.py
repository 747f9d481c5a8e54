"""New clocked kitchens: floors made from seeds for a level's kitchen, kept if ways are as long as asked for.

How hard a kitchen is to walk in, its mean way tells: in cells, between any two places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel import __version__
from backburner.kernel.building import Builder, Built, Progress, begun, write_index
from backburner.kernel.errors import Refused, UnknownName, shorten
from backburner.kernel.files import write_whole
from backburner.kernel.pack import Argument
from backburner.worlds.clocked_kitchen.game.catalogue import scenario_of
from backburner.worlds.clocked_kitchen.game.compiled import Compiled
from backburner.worlds.clocked_kitchen.game.plans import made_plan
from backburner.worlds.clocked_kitchen.game.scenarios import MOST_BODIES, Scenario
from backburner.worlds.cuisineworld.game.levels import MAX_TAU, MIN_TAU, levels

MOST_SEEDS = 2**62
ATTEMPTS = 20
"""Floors that are made for each that is asked for."""


class Settings(Struct, frozen=True):
    """What decides about the kitchens of a build. ``ways``: the least and the greatest mean way, in cells."""

    level: str
    bodies: int
    tau: float
    seed: int
    ways: tuple[float, float | None]


class Judged(Struct, frozen=True):
    """A floor that was made: its seed, mean and longest way between two places, and whether it is kept."""

    seed: int
    id: str
    mean_way: float
    longest_way: int
    verdict: str


class FloorIndex(Struct, frozen=True):
    """What a build has come to: every floor that was made, in order of their seeds."""

    made_by: str
    rule: Settings
    counts: dict[str, int]
    judged: tuple[Judged, ...]

    @property
    def settings(self) -> Mapping[str, Any]:
        """What all floors of a folder share."""
        return {"level": self.rule.level, "rule": self.rule}


def ways_on(compiled: Compiled) -> tuple[float, int]:
    """The mean and the longest way, in cells, from where one place is served to another place."""
    floor = compiled.floor
    ways = [
        min(there.distance[cell] for cell, look in enumerate(here.looks) if look >= 0)
        for here in floor.targets
        for there in floor.targets
        if here.place != there.place
    ]
    return sum(ways) / len(ways), max(ways)


def build(out: Path, rule: Settings, kitchens: int, attempts: int, progress: Progress) -> FloorIndex:
    """Write a scenario file for each kitchen that is kept, and an index, into ``out``, fit to be a suite.

    A build that was begun there with the same settings goes on. Raises ``Refused``.
    """
    new = FloorIndex(f"backburner {__version__}", rule, {}, ())
    index = begun(out, new)
    judged = {one.seed: one for one in index.judged if one.verdict != "kept" or (out / one.id).exists()}
    for seed in range(rule.seed, rule.seed + attempts):
        if sum(one.verdict == "kept" for one in judged.values()) >= kitchens:
            break
        if seed not in judged:
            judged[seed], scenario = _judge(rule, seed)
            if judged[seed].verdict == "kept":
                write_whole(out / judged[seed].id, _file(judged[seed].id, rule, scenario))
        progress(attempts)
    ordered = tuple(sorted(judged.values(), key=lambda one: one.seed))
    index = replace(index, judged=ordered, counts=dict(Counter(one.verdict for one in ordered)))
    write_index(out, index)
    return index


def _judge(rule: Settings, seed: int) -> tuple[Judged, Scenario]:
    options = {"bodies": str(rule.bodies), "tau": str(rule.tau), "plan": "0"}
    scenario = scenario_of(rule.level, options)
    plan = made_plan(Compiled(scenario).kitchen, scenario.legend, rule.bodies, seed)
    scenario = replace(scenario, plan=plan)
    mean_way, longest = ways_on(Compiled(scenario))
    least, most = rule.ways
    verdict = "too short" if mean_way < least else "kept" if most is None or mean_way <= most else "too long"
    return Judged(seed, f"{rule.level}-{seed}.json", round(mean_way, 2), longest, verdict), scenario


def _file(name: str, rule: Settings, scenario: Scenario) -> bytes:
    """The scenario as a user would write it."""
    written = {
        "world": "clocked_kitchen",
        "id": name.removesuffix(".json"),
        "level": rule.level,
        "kitchen": [kind.name for kind in Compiled(scenario).kitchen.kinds],
        "bodies": rule.bodies,
        "seats": [[body] for body in range(rule.bodies)],
        "tau": rule.tau,
        "plan": scenario.plan,
    }
    return msgspec.json.format(msgspec.json.encode(written), indent=1) + b"\n"


def range_of(text: str) -> tuple[float, float | None]:
    """``3:5`` as (3, 5); ``3:`` is 3 or more, ``:5`` up to 5. Raises ``Refused``."""
    low, colon, high = (part.strip() for part in text.partition(":"))
    try:
        least, most = float(low or 0), float(high) if high else None
    except ValueError:
        least, most = -1.0, None
    if not colon or not 0 <= least < 1000 or not (most is None or least <= most < 1000):
        raise Refused(f"--ways is a range of cells such as 3:5, 3: or :5, not {shorten(repr(text))}")
    return least, most


def _build(out: Path, options: Mapping[str, Any], progress: Progress) -> Built:
    """``build`` with the options of ``BUILDER``."""
    level, bodies, tau, seed = (options[name] for name in ("level", "bodies", "tau", "seed"))
    if level not in levels():
        raise UnknownName("level", level, levels(), "clocked_kitchen")
    wanted = options["kitchens"]
    attempts = options.get("attempts") or ATTEMPTS * wanted
    if bodies > MOST_BODIES or not MIN_TAU <= tau <= MAX_TAU or seed > MOST_SEEDS:
        limits = f"--bodies {MOST_BODIES}, --tau {MIN_TAU} to {MAX_TAU}, --seed {MOST_SEEDS}"
        raise Refused(f"too many, or out of range; the most are {limits}")
    rule = Settings(level, bodies, float(tau), seed, range_of(options["ways"]))
    index = build(out, rule, wanted, attempts, progress)
    kept = [one for one in index.judged if one.verdict == "kept"]
    left_out = (f"  {count} {verdict}" for verdict, count in index.counts.items() if verdict != "kept")
    rows: Sequence[Sequence[object]] = [(one.id, one.mean_way, one.longest_way, one.seed) for one in kept]
    found = f"{len(kept)} of {wanted} kitchens found in {attempts} attempts"
    return Built(
        index=index,
        columns=("file", "mean way (cells)", "longest", "seed"),
        rows=rows,
        lines=[
            f"{len(index.judged)} floors made, {len(kept)} kept",
            *left_out,
            *([f"scenario files: {out}"] if kept else []),
        ],
        missing=f"{found}; the same command with more --attempts goes on" if len(kept) < wanted else "",
    )


BUILDER = Builder(
    help="""Make new floors for a level's kitchen, and keep those on which ways are as long as you want them.

    Exit code 1: fewer were found than asked for.
    """,
    things="floors",
    arguments=(
        Argument(name="level", required=True, help="The level whose kitchen it is, such as level_3."),
        Argument(name="ways", default="0:", help="The mean way between two places in cells: 3:5, 3: or :5."),
        Argument(name="kitchens", kind="whole number", least=1, default=10, help="How many to find."),
        Argument(
            name="attempts",
            kind="whole number",
            least=1,
            help=f"How many floors to make; by default {ATTEMPTS} for each to find.",
        ),
        Argument(name="seed", kind="whole number", least=0, default=0, help="The first floor's."),
        Argument(name="bodies", kind="whole number", least=1, default=2, help="How many, a seat for each."),
        Argument(name="tau", kind="number", least=0.1, default=2.0, help="The pace of orders."),
    ),
    build=_build,
)

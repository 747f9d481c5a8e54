"""New clocked kitchens: floors made from seeds for a level's kitchen, kept if ways are as long as asked for.

How hard a kitchen is to walk in, its mean way tells: in cells, between any two places.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.building import Builder, Built, Progress
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.pack import Argument
from backburner.worlds.clocked_kitchen.game.catalogue import scenario_of
from backburner.worlds.clocked_kitchen.game.compiled import Compiled
from backburner.worlds.clocked_kitchen.game.scenarios import MOST_BODIES, Scenario, made_plan
from backburner.worlds.cuisineworld.game.scenarios import MAX_TAU, MIN_TAU, levels
from backburner.worlds.dispatch.floors import MADE_BY, FloorIndex, Ways, build_floors, built, verdict, ways_of

MOST_SEEDS = 2**62
ATTEMPTS = 20
"""Floors that are made for each that is asked for."""


class Settings(Struct, frozen=True):
    """What decides about the kitchens of a build. ``ways``: the least and the greatest mean way, in cells."""

    level: str
    bodies: int
    tau: float
    seed: int
    ways: Ways


class Judged(Struct, frozen=True):
    """A floor that was made: its seed, mean and longest way between two places, and whether it is kept."""

    seed: int
    id: str
    mean_way: float
    longest_way: int
    verdict: str


class KitchenIndex(FloorIndex[Settings, Judged], frozen=True):
    """What a build of a level's kitchens has come to."""

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


def judged_kitchen(rule: Settings, seed: int) -> tuple[Judged, Callable[[], bytes]]:
    """What becomes of the floor of a seed, and its scenario file."""
    options = {"bodies": str(rule.bodies), "tau": str(rule.tau), "plan": "0"}
    scenario = scenario_of(rule.level, options)
    plan = made_plan(Compiled(scenario).kitchen, scenario.legend, rule.bodies, seed)
    scenario = replace(scenario, plan=plan)
    mean_way, longest = ways_on(Compiled(scenario))
    name = f"{rule.level}-{seed}.json"
    judged = Judged(seed, name, round(mean_way, 2), longest, verdict(mean_way, rule.ways))
    return judged, lambda: _file(name, rule, scenario)


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


def _build(out: Path, options: Mapping[str, Any], progress: Progress) -> Built:
    """Build with the options of ``BUILDER``."""
    level, bodies, tau, seed = (options[name] for name in ("level", "bodies", "tau", "seed"))
    if level not in levels():
        raise UnknownName("level", level, levels(), "clocked_kitchen")
    wanted = options["kitchens"]
    attempts = options.get("attempts") or ATTEMPTS * wanted
    if bodies > MOST_BODIES or not MIN_TAU <= tau <= MAX_TAU or seed > MOST_SEEDS:
        limits = f"--bodies {MOST_BODIES}, --tau {MIN_TAU} to {MAX_TAU}, --seed {MOST_SEEDS}"
        raise Refused(f"too many, or out of range; the most are {limits}")
    rule = Settings(level, bodies, float(tau), seed, ways_of(options["ways"], "cells", (3, 5)))
    new = KitchenIndex(MADE_BY, rule, {}, ())
    seeds = range(seed, seed + attempts)
    index = build_floors(out, new, seeds, wanted, partial(judged_kitchen, rule), progress)
    columns = ("file", "mean way (cells)", "longest", "seed")
    rows = [(one.id, one.mean_way, one.longest_way, one.seed) for one in index.kept]
    return built(out, index, ("floors", "kitchens"), wanted, attempts, columns, rows)


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

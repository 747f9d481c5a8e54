"""New clocked kitchens: floors made from seeds for a level's kitchen, kept if ways are as long as asked for.

How hard a kitchen is to walk in, its mean way tells: in cells, between any two places.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.errors import UnknownName
from backburner.kernel.pack import Argument
from backburner.worlds.clocked_kitchen.game.catalogue import scenario_of
from backburner.worlds.clocked_kitchen.game.compiled import Compiled
from backburner.worlds.clocked_kitchen.game.scenarios import MOST_BODIES, Scenario, made_plan
from backburner.worlds.cuisineworld.game.scenarios import MAX_TAU, MIN_TAU, levels
from backburner.worlds.dispatch.floors import (
    MADE_BY,
    Asked,
    FloorIndex,
    FloorKind,
    Judge,
    Ways,
    scenario_file,
    verdict,
)

MOST_SEEDS = 2**62


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
    return scenario_file(written)


def _index(options: Mapping[str, Any], asked: Asked) -> tuple[KitchenIndex, Judge]:
    if options["level"] not in levels():
        raise UnknownName("level", options["level"], levels(), "clocked_kitchen")
    rule = Settings(options["level"], asked.bodies, asked.tau, asked.seed, asked.ways)
    return KitchenIndex(MADE_BY, rule, {}, ()), partial(judged_kitchen, rule)


BUILDER = FloorKind(
    help="""Make new floors for a level's kitchen, and keep those on which ways are as long as you want them.

    Exit code 1: fewer were found than asked for.
    """,
    made="floors",
    kept="kitchens",
    between="between two places",
    unit="cells",
    example=(3, 5),
    most_bodies=MOST_BODIES,
    most_seeds=MOST_SEEDS,
    taus=(MIN_TAU, MAX_TAU),
    who="How many, a seat for each.",
    index=_index,
    columns=("file", "mean way (cells)", "longest", "seed"),
    row=lambda floor: (floor.id, floor.mean_way, floor.longest_way, floor.seed),
    arguments=(
        Argument(name="level", required=True, help="The level whose kitchen it is, such as level_3."),
    ),
).builder

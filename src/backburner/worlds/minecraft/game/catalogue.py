"""What Minecraft offers: ids such as ``level_2@bodies=2,tau=1.5``, suites, rule sets, limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from backburner.kernel.catalogue import Assembled, Options, whole_number
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.titles import Called, plain
from backburner.worlds.dispatch.seating import SAID, groups_of
from backburner.worlds.minecraft.game import rule_set
from backburner.worlds.minecraft.game.rule_set import Limits, Rules
from backburner.worlds.minecraft.game.scenario_files import FILE_TYPES, check_scenario, read_file
from backburner.worlds.minecraft.game.scenarios import (
    MAX_TAU,
    MIN_TAU,
    MOST_BODIES,
    MOST_SEEDS,
    RELEASED_SEED,
    STEP_TICKS,
    STEPS,
    TAUS,
    Level,
    Scenario,
    farm,
    levels,
    pace_of,
    spawns_of,
)
from backburner.worlds.minecraft.game.world import Minecraft

NAME = "minecraft"
FARM = "farm/"
PLAY, RELEASED = "play", "released"

DEFAULTS: Mapping[str, str] = {
    "bodies": "2",
    "hints": "yes",
    "instructor": "no",
    "live": "no",
    "seats": "one",
    "seed": str(RELEASED_SEED),
    "steps": str(STEPS),
    "tau": "2.0",
}
"""Every option, with the value that it has where an id does not name it."""

CHOICES: Mapping[str, Sequence[str]] = {
    "hints": ("yes", "no"),
    "instructor": ("no", "yes"),
    "live": ("no", "yes"),
}

LARGEST_SEED = 1_000_000_000
FARMS = 10
"""Farms of the suite ``farms``."""


def scenario_of(path: str, options: Mapping[str, str]) -> Scenario:
    """The scenario of an id's path and options: a level, or the farm of a seed, such as ``farm/7``.

    ``tau=released`` has the release's pace, an order every ten steps. ``seed=play`` leaves orders and drops
    to the seed of play; ``steps`` is how long an episode is. ``instructor=yes`` adds a seat that says in
    words what is to be done, ``live=yes`` one that reports what was seen on a server. Raises ``UnknownName``
    or ``Refused``.
    """
    if not path:
        raise Refused(f"{NAME}: name a level, such as {NAME}/level_2@tau=1.5, a farm, or a suite")
    level = _level(path)
    values = Options(NAME, options, DEFAULTS, CHOICES)
    bodies = values.whole("bodies", 1, MOST_BODIES)
    tau = values.decimal_unless(RELEASED, "tau", MIN_TAU, MAX_TAU)
    pace = pace_of(level.dishes, tau)
    return Scenario(
        level=level.name,
        dishes=level.dishes,
        blocks=level.blocks,
        mobs=level.mobs,
        spawns=spawns_of(level.spawns, bodies),
        interval=pace.interval,
        lifetime=pace.lifetime,
        groups=groups_of(values["seats"], bodies, NAME),
        tau=tau,
        seed=values.whole_unless(PLAY, "seed", 0, LARGEST_SEED),
        steps=values.whole("steps", 1, STEPS),
        hints=values["hints"] == "yes",
        instructor=values["instructor"] == "yes",
        live=values["live"] == "yes",
    )


def _level(path: str) -> Level:
    if path.startswith(FARM):
        return farm(whole_number(path.removeprefix(FARM), f"{NAME}: what follows {FARM}", 0, MOST_SEEDS))
    if path not in levels():
        raise UnknownName("level", path, [*levels(), f"{FARM}0", *suites()], NAME)
    return levels()[path]


@cache
def suites() -> Mapping[str, Sequence[str]]:
    """The article's level at its five intervals; a quick one; farms; everything."""
    article, farms = _cells("level_2"), [f"{FARM}{seed}@tau=1.5" for seed in range(FARMS)]
    return {
        "all": (*_cells("level_1"), *article, *farms),
        "article": article,
        "farms": tuple(farms),
        "level_1/all": _cells("level_1"),
        "level_2/all": article,
        "quick": ("level_1@tau=1.5", "level_2@tau=1.5", f"{FARM}0@tau=1.5"),
    }


def _cells(level: str) -> tuple[str, ...]:
    return tuple(f"{level}@tau={tau}" for tau in TAUS)


class MinecraftCatalogue(Assembled[Minecraft]):
    """The published levels at the article's paces, and farms."""

    built = "backburner.worlds.minecraft"
    name = NAME
    world = Minecraft
    scenario_type, rules_type, limits_type = Scenario, Rules, Limits
    rules = rule_set.PRESETS
    no_limits = rule_set.NO_LIMITS
    defaults = DEFAULTS
    said: Mapping[str, str] = {
        **{**SAID, "bodies": "{} bots", "bodies=1": "one bot"},
        **{"instructor=yes": "an instructor", "live=yes": "on a server", "tau": "pace {}"},
        "steps": "{} steps",
        "hints=no": "no hints",
    }
    file_types = FILE_TYPES
    suites_of = staticmethod(suites)
    scenario_of = staticmethod(scenario_of)
    read_file = staticmethod(read_file)
    check_scenario = staticmethod(check_scenario)

    def called(self, path: str, scenario: Scenario) -> Called:
        """By its level, or the number of its farm, and what is wanted."""
        return Called((f"{plain(scenario.level)}: {', '.join(map(plain, scenario.dishes))}",))

    def article_limits(self, id: str, scenario: Scenario, rules: Rules) -> Limits:
        """The steps of an episode; where orders go by ticks, the ticks that these stand for."""
        if rules.orders_by_step:
            return Limits(steps=scenario.steps)
        return Limits(ticks=scenario.steps * STEP_TICKS)


catalogue = MinecraftCatalogue()

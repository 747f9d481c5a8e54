"""What CuisineWorld offers: ids such as ``level_3@bodies=2,episode=0,tau=1.5``, suites, rule sets, limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import cast

from msgspec.structs import replace

from backburner.kernel.catalogue import Assembled, Options
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.titles import Called
from backburner.worlds.cuisineworld.game import rule_set
from backburner.worlds.cuisineworld.game.cookbook import shipped_cookbook
from backburner.worlds.cuisineworld.game.rule_set import Limits, Rules
from backburner.worlds.cuisineworld.game.scenario_files import FILE_TYPES, check_scenario, read_file
from backburner.worlds.cuisineworld.game.scenarios import (
    LARGEST,
    MAX_TAU,
    MIN_TAU,
    MOST_BODIES,
    MOST_DRAWN,
    TAUS,
    Before,
    FeedbackKind,
    Scenario,
    classes,
    evaluated,
    level_called,
    levels,
    pace_of,
)
from backburner.worlds.cuisineworld.game.state import State
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from backburner.worlds.dispatch.seating import SAID, groups_of

NAME = "cuisineworld"

DEFAULTS: Mapping[str, str] = {
    "bodies": "2",
    "decide": "together",
    "drawn": "usual",
    "episode": "0",
    "feedback": "errors",
    "head_chef": "no",
    "hints": "yes",
    "orders": "shown",
    "seats": "one",
    "seed": "0",
    "spoil": "never",
    "stream": "apart",
    "table": "endless",
    "tau": "2.0",
}
"""Every option, with the value that it has where an id does not name it."""

EPISODES = 3
"""Episodes of each cell of the article's tables; they share one stream of orders."""

CHOICES: Mapping[str, Sequence[str]] = {
    "decide": ("together", "in_turn"),
    "feedback": ("errors", "full", "none"),
    "head_chef": ("no", "yes"),
    "hints": ("yes", "no"),
    "orders": ("shown", "hidden"),
    "stream": ("apart", "coupled"),
}
ALL = "all"
FIXED = "fixed"
PLAY = "play"
COUPLED = "coupled"
MOST_EPISODES = 999


def scenario_of(path: str, options: Mapping[str, str]) -> Scenario:
    """The scenario of an id's path and options; ``tau=fixed`` has the pace that stands in the level's file.

    ``seed=play`` leaves the orders to the seed of play. ``drawn=N`` begins after so many draws of the
    stream, ``stream=coupled`` where the episode before it ended. ``table=N``, ``spoil=N``, ``orders=hidden``
    are the variants. ``head_chef=yes`` adds a seat that instructs, ``decide=in_turn`` lets seats decide one
    after the other. Raises ``UnknownName`` or ``Refused``.
    """
    if not path:
        raise Refused(f"{NAME}: name a level, such as {NAME}/level_3@tau=1.5, or a suite")
    if path not in levels():
        raise UnknownName("level", path, [*levels(), *suites()], NAME)
    values = Options(NAME, options, DEFAULTS, CHOICES)
    level, bodies = levels()[path], values.whole("bodies", 1, MOST_BODIES)
    tau = values.decimal_unless(FIXED, "tau", MIN_TAU, MAX_TAU)
    pace = pace_of(level, tau, shipped_cookbook())
    return Scenario(
        level=level.name,
        dishes=level.dishes,
        kitchen=level.kitchen,
        interval=pace.interval,
        lifetimes=pace.lifetimes,
        bodies=bodies,
        groups=groups_of(values["seats"], bodies, NAME),
        level_class=level.level_class,
        tau=tau,
        seed=values.whole_unless(PLAY, "seed", 0, LARGEST),
        episode=values.whole("episode", 0, MOST_EPISODES),
        table_room=values.whole_unless(DEFAULTS["table"], "table", 0, LARGEST),
        spoil_steps=values.whole_unless(DEFAULTS["spoil"], "spoil", 1, LARGEST),
        hidden_orders=values["orders"] == "hidden",
        feedback=cast(FeedbackKind, values["feedback"]),
        hints=values["hints"] == "yes",
        coupled=values["stream"] == COUPLED,
        before=_before(values),
        head_chef=values["head_chef"] == "yes",
        in_turn=values["decide"] == "in_turn",
    )


def _before(values: Options) -> Before | None:
    """The draws that an id says were made before."""
    drawn = values.whole_unless(DEFAULTS["drawn"], "drawn", 0, MOST_DRAWN)
    if drawn is None:
        return None
    if values["stream"] == COUPLED:
        raise Refused(f"{NAME}: with stream=coupled the episodes before tell what was drawn; no drawn=N")
    return Before(drawn)


@cache
def suites() -> dict[str, tuple[str, ...]]:
    """Suite path to scenario paths: the article's cells, by class and level too; level 6; a quick one.

    Members leave the number of bodies open: ``cuisineworld/all@bodies=3``.
    """
    by_class = {name: _cells(members) for name, members in classes().items()}
    by_level = {f"{level}/{ALL}": _cells((level,)) for level in levels()}
    quick = tuple(f"{members[0]}@tau=1.5" for members in list(classes().values())[:4])
    return {ALL: _cells(evaluated()), **by_class, **by_level, "quick": quick}


def _cells(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        f"{level}@episode={episode},tau={tau}"
        for level in names
        for tau in TAUS
        for episode in range(EPISODES)
    )


class CuisineWorldCatalogue(Assembled[CuisineWorld]):
    """The article's levels with its numbers of bodies and its paces of orders."""

    built = "backburner.worlds.cuisineworld"
    name = NAME
    world = CuisineWorld
    scenario_type, rules_type, limits_type = Scenario, Rules, Limits
    rules = rule_set.PRESETS
    no_limits = rule_set.NO_LIMITS
    defaults = DEFAULTS
    said: Mapping[str, str] = {
        **SAID,
        **{"head_chef=yes": "a head chef", "decide=in_turn": "in turn", "orders=hidden": "hidden orders"},
        **{
            "tau": "pace {}",
            "episode": "episode {}",
            "stream=coupled": "orders go on",
            "hints=no": "no hints",
        },
        **{"table": "room for {} dishes", "spoil": "dishes spoil after {}", "feedback": "told {}"},
    }
    file_types = FILE_TYPES
    suites_of = staticmethod(suites)
    scenario_of = staticmethod(scenario_of)
    read_file = staticmethod(read_file)
    check_scenario = staticmethod(check_scenario)

    def called(self, path: str, scenario: Scenario) -> Called:
        """By the number of its level and its dishes."""
        return level_called(path, scenario)

    def follows(self, path: str, options: Mapping[str, str]) -> tuple[str, Mapping[str, str]] | None:
        """With ``stream=coupled`` an episode follows the one before it."""
        if options.get("stream") != COUPLED:
            return None
        episode = self.scenario(path, options).episode
        return (path, {**options, "episode": str(episode - 1)}) if episode else None

    def continued(self, scenario: Scenario, before: CuisineWorld, state: State) -> Scenario:
        """It goes on in the stream where the other ended, and its last errors are not forgotten."""
        drawn = before.scenario.first_draw + state.arrived
        if not before.rules.silence_repeats_errors:
            return replace(scenario, before=Before(drawn))
        errors = before.rulebook.errors(state)
        return replace(scenario, before=Before(drawn, errors.refusals, errors.idle))

    def by_name(self, scenario: Scenario) -> Scenario:
        """A coupled episode without what was before it."""
        return replace(scenario, before=None) if scenario.coupled else scenario

    def article_limits(self, id: str, scenario: Scenario, rules: Rules) -> Limits:
        """The steps of the article's episodes."""
        return Limits(scenario.steps)


catalogue = CuisineWorldCatalogue()

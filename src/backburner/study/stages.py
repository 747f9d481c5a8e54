"""The stages that one participant goes through, and in which order a team plays what.

Orders follow from the study's seed and the team's number, so that they can be told again from the file:
Williams designs, random orders, and what is drawn of each level. Up to the trials everybody's stages are the
same. At the trials' own place partners are found and the order is drawn; what follows it depends on them. So
stages that are known in part keep their positions when the rest is known.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from hashlib import blake2b
from typing import Any, TypeVar

from msgspec import Struct

from backburner.kernel import registry
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused
from backburner.kernel.scoring import grouped
from backburner.study.design import (
    PERSON,
    Condition,
    ConsentStage,
    FormStage,
    Item,
    Level,
    Likert,
    PlayStage,
    Study,
    TextStage,
    TrialsStage,
    seats_of,
)
from backburner.study.entries import Assigned

# --- orders -----------------------------------------------------------------------------------------------


T = TypeVar("T")


class Trial(Struct, frozen=True):
    """One game of a participant that is analysed. ``number``: from 1."""

    number: int
    condition: str
    level: str
    scenario: str
    seed: int


def williams(n: int) -> tuple[tuple[int, ...], ...]:
    """Orders of 0 ... n - 1 in which each stands at every place equally often, and follows every other
    equally often.

    For even n they are n: the first is 0, n-1, 1, n-2, ..., each other adds 1 (modulo n) to the one before.
    For odd n these do not balance who follows whom, and the same orders backwards are added. For n = 4:
    0 3 1 2 / 1 0 2 3 / 2 1 3 0 / 3 2 0 1.
    """
    first = [(place + 1) // 2 * (-1) ** place % n for place in range(n)]
    rows = [tuple((one + shift) % n for one in first) for shift in range(n)]
    return tuple(rows) if n % 2 == 0 or n == 1 else tuple(rows + [row[::-1] for row in rows])


def table_of(study: Study) -> tuple[tuple[str, ...], ...]:
    """The orders of conditions that teams are given, a row for each; one condition a row between subjects.

    Each group of people has rows of its own. A random order is no row of a table: there a group's one row is
    the file's order, which each team shuffles.
    """
    compared = [condition for condition in study.conditions if not condition.practice]
    rows = []
    for group in grouped(compared, lambda condition: group_of(study, condition)).values():
        orders = williams(len(group)) if study.design.order == "balanced" else (tuple(range(len(group))),)
        rows += [tuple(group[index].name for index in order) for order in orders]
    return tuple(rows)


def group_of(study: Study, condition: Condition) -> str:
    """Who plays a condition: its levels of the factors between subjects; between subjects its own group;
    empty where everybody does."""
    if not condition.cell:
        return condition.name if study.design.kind == "between" else ""
    return " ".join(condition.cell[factor.name] for factor in study.factors if factor.kind == "between")


def groups_of(study: Study) -> list[str]:
    """The groups between subjects, in the order of the table; one that is empty where there are none."""
    return list(dict.fromkeys(group_of(study, study.condition(row[0])) for row in table_of(study)))


def next_row(study: Study, taken: Mapping[int, int], team: int) -> int:
    """The row for a new team: in the group that has the fewest teams one of the rows that the fewest have,
    drawn by the study's seed.

    ``taken``: how many teams that count have each row. Whoever drops out gives the row back, so that orders
    stay balanced among those who stay.
    """
    groups = [group_of(study, study.condition(row[0])) for row in table_of(study)]
    teams: Counter[str] = Counter()
    for row, group in enumerate(groups):
        teams[group] += taken.get(row, 0)
    held = [(teams[group], taken.get(row, 0)) for row, group in enumerate(groups)]
    return draw_of(study, "row", team).choice([row for row, each in enumerate(held) if each == min(held)])


def trials_of(study: Study, row: int, team: int) -> tuple[Trial, ...]:
    """The trials of a team, in their order."""
    conditions = list(table_of(study)[row])
    if study.design.kind == "within" and study.design.order == "random":
        draw_of(study, "conditions", team).shuffle(conditions)
    levels = list(study.levels)
    if study.design.levels == "random":
        draw_of(study, "levels", team).shuffle(levels)
    drawn = drawn_of(study, conditions, team)
    cells = _cells(study, conditions, levels)
    whole = [(*cell, scenario) for cell in cells for scenario in drawn[cell]]
    if study.design.blocks == "none":
        draw_of(study, "trials", team).shuffle(whole)
    return tuple(_trial(study, team, number, *cell) for number, cell in enumerate(whole, 1))


def _cells(study: Study, conditions: Sequence[str], levels: Sequence[Level]) -> list[tuple[str, str]]:
    pairs = (
        [(condition, level.name) for level in levels for condition in conditions]
        if study.design.blocks == "levels"
        else [(condition, level.name) for condition in conditions for level in levels]
    )
    return [pair for pair in pairs if plays(study.condition(pair[0]), pair[1])]


def plays(condition: Condition, level: str) -> bool:
    """Whether a condition is played on a level."""
    return not condition.levels or level in condition.levels


def _trial(study: Study, team: int, number: int, condition: str, level: str, scenario: str) -> Trial:
    of = {"trial": ("seed", team, number), "team": ("seed", team), "study": ("seed",)}[study.design.seeds]
    with_options = scenario_under(scenario, study.condition(condition))
    return Trial(number, condition, level, with_options, draw_of(study, *of).randrange(2**31))


def drawn_of(study: Study, conditions: Sequence[str], team: int) -> dict[tuple[str, str], list[str]]:
    """(condition, level) to the scenarios that a team plays there, without the condition's options."""
    found: dict[tuple[str, str], list[str]] = {}
    for level in study.levels:
        all_of_them = members_of(level)
        number = level.draw or len(all_of_them)
        mixed = list(all_of_them)
        if level.draw:
            draw_of(study, "scenarios", level.name, team).shuffle(mixed)
        for place, condition in enumerate(conditions):
            start = place * number if study.design.scenarios == "distinct" and level.draw else 0
            found[condition, level.name] = mixed[start : start + number]
    return found


def members_of(level: Level) -> tuple[str, ...]:
    """The ids of the scenarios of a level, suites taken apart; raises what ``registry.expand`` raises."""
    return tuple(dict.fromkeys(id for name in level.scenarios for id in registry.expand(name)))


def scenario_under(id: str, condition: Condition) -> str:
    """A scenario's id with the options that a condition adds; raises ``Refused`` for a scenario file."""
    if not condition.options:
        return id
    if id.endswith(".json"):
        raise Refused(f"condition {condition.name!r} has options, which the scenario file {id} cannot take")
    world, path, options = registry.split(id)
    (canonical,) = registry.expand(registry.join(world, path, options | condition.options))
    return canonical


def draw_of(study: Study, *of: object) -> random.Random:
    """The draw for a purpose: the study's name and seed, and what it is for."""
    told = "/".join(map(str, (study.name, study.design.seed, *of)))
    return random.Random(blake2b(told.encode(), digest_size=16).digest())


# --- worlds and teams -----------------------------------------------------------------------------------

AnyWorld = World[Any, Any, Any]


@cache
def built(id: str, rules: str, limits: str) -> AnyWorld:
    """The world of an id, under rules and limits by their names; raises what ``registry.world`` raises."""
    return registry.world(id, rules=rules, limits=limits)


def worlds_of(study: Study, condition: Condition) -> Iterator[AnyWorld]:
    """The worlds that trials of a condition may be played in; none for one that is for practice."""
    for level in study.levels:
        if not condition.practice and plays(condition, level.name):
            for id in members_of(level):
                yield built(scenario_under(id, condition), condition.rules, condition.limits)


def people_in(study: Study, condition: Condition) -> int:
    """The most people that a game of a condition has."""
    players = (seats_of(condition, world.seats).values() for world in worlds_of(study, condition))
    return max((sum(player.agent == PERSON for player in each) for each in players), default=1)


@cache
def team_size(study: Study) -> int:
    """The most people that a game of the trials has: so many make a team."""
    return max(people_in(study, condition) for condition in study.conditions)


def most_trials(study: Study) -> int:
    """The games that a participant plays, practice aside."""
    games = {
        condition.name: sum(
            (level.draw or len(members_of(level))) for level in study.levels if plays(condition, level.name)
        )
        for condition in study.conditions
    }
    return max(sum(games[name] for name in row) for row in table_of(study))


def ids_of(study: Study) -> list[str]:
    """Every scenario that a trial may have, with the options of its condition."""
    worlds = (world for condition in study.conditions for world in worlds_of(study, condition))
    return list(dict.fromkeys(world.id for world in worlds))


def world_names(study: Study) -> list[str]:
    """The worlds that the trials are played in."""
    found = {built_id.partition("/")[0] for built_id in ids_of(study)}
    return sorted(found)


# --- the stages of one participant ------------------------------------------------------------------------


AnyStage = TextStage | ConsentStage | FormStage | PlayStage | TrialsStage


class PlacedStage(Struct, frozen=True):
    """A stage at its place among a participant's. ``trial``: the one that it belongs to; ``trials``: how many
    there are in all. ``condition``, ``scenario``, ``seed``: of a game."""

    position: int
    stage: AnyStage
    trial: Trial | None = None
    trials: int = 0
    condition: str = ""
    scenario: str = ""
    seed: int = 0

    @property
    def kind(self) -> str:
        """text, consent, form, play or trials."""
        return str(self.stage.__struct_config__.tag)


def stages_of(study: Study, assigned: Assigned | None) -> tuple[PlacedStage, ...]:
    """The stages of a participant; from the trials on only where partners and order are known."""
    if assigned is None:
        return _stages(study, None, 0)
    return _stages(study, assigned.row, assigned.number)


@lru_cache(maxsize=4096)
def _stages(study: Study, row: int | None, number: int) -> tuple[PlacedStage, ...]:
    stages: list[PlacedStage] = []
    for stage in study.stages:
        if isinstance(stage, PlayStage):
            stages.append(_practice(study, stage, len(stages)))
            continue
        stages.append(PlacedStage(len(stages), stage))
        if isinstance(stage, TrialsStage):
            if row is None:
                break
            trials = trials_of(study, row, number)
            for trial in trials:
                for each in stage.each:
                    of_game = (trial.condition, trial.scenario, trial.seed)
                    stages.append(PlacedStage(len(stages), each, trial, len(trials), *of_game))
    return tuple(stages)


def _practice(study: Study, stage: PlayStage, position: int) -> PlacedStage:
    condition = study.condition(stage.condition or "")
    scenario = scenario_under(stage.scenario or "", condition)
    seed = draw_of(study, "stage", stage.name).randrange(2**31)
    return PlacedStage(position, stage, condition=condition.name, scenario=scenario, seed=seed)


def items_at(study: Study, placed: PlacedStage, participant: str) -> tuple[Item, ...]:
    """The items of a form as this participant is shown them: those for the trial's condition; ratings in an
    order of their own where the questionnaire is shuffled."""
    if not isinstance(placed.stage, FormStage):
        return ()
    form = study.questionnaire(placed.stage.questionnaire)
    items = [item for item in form.items if not item.conditions or placed.condition in item.conditions]
    if form.shuffled:
        ratings = [item for item in items if isinstance(item, Likert)]
        draw_of(study, "items", participant, placed.position).shuffle(ratings)
        mixed = iter(ratings)
        items = [next(mixed) if isinstance(item, Likert) else item for item in items]
    return tuple(items)

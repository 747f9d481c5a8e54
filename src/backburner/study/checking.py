"""Whether everything in a study file fits: names, texts, worlds, seats, agents, orders, rules.

``check`` raises ``BadFile`` for the first thing that cannot work, and gives remarks on what works and is
likely not meant: a language without a text, orders that do not come out even, no page of consent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from backburner.agents.roster import check_spec
from backburner.agents.spec import AgentSpec
from backburner.kernel import registry
from backburner.kernel.errors import BackburnerError, UnknownName, nearest
from backburner.kernel.files import Place
from backburner.study.analysis.tables import FEWEST_CROSSED
from backburner.study.design import (
    PERSON,
    Choice,
    Condition,
    Exclusion,
    Item,
    Level,
    Likert,
    Number,
    Player,
    PlayStage,
    Stage,
    Study,
    TrialsStage,
    Words,
    seats_of,
)
from backburner.study.stages import (
    AnyWorld,
    built,
    members_of,
    most_trials,
    plays,
    scenario_under,
    table_of,
    world_names,
)
from backburner.study.words import UI, is_text, keys_in, shipped

MOST_CHARACTERS = 25_000
"""Of the texts of one form: so many fit into the message of a page, whatever they are."""

MOST_TRIALS = 1000
"""Of one participant."""


def check(study: Study, place: Place) -> list[str]:
    """Remarks on a study; raises ``BadFile`` for what cannot work."""
    _check_names(study, place)
    _check_texts(study, place)
    _check_references(study, place)
    _check_worlds(study, place)
    _check_items(study, place)
    _check_exclusions(study, place)
    _check_outcomes(study, place)
    return list(_remarks(study))


# --- names ---------------------------------------------------------------------------------------------


def _check_names(study: Study, place: Place) -> None:
    _check_unique([stage for stage, _ in stages_in(study, place)], place, "stages")
    for index, one in enumerate(study.questionnaires):
        _check_unique(one.items, place.entry("questionnaires", index, one.name), "items")


def _check_unique(values: Sequence[Any], place: Place, field: str) -> None:
    for name, number in Counter(value.name for value in values).items():
        if number > 1:
            raise place.field(field).wrong(f"the name {name!r} stands there {number} times")


def stages_in(study: Study, place: Place) -> Iterator[tuple[Stage, Place]]:
    """Every stage, those within trials included, and where it stands."""
    for here, stage in place.entries("stages", study.stages):
        yield stage, here
        if isinstance(stage, TrialsStage):
            for inner, each in enumerate(stage.each):
                yield each, here.entry("each", inner, each.name)


# --- texts ---------------------------------------------------------------------------------------------


def _check_texts(study: Study, place: Place) -> None:
    texts = place.at("texts")
    if study.language not in study.texts:
        raise place.field("language").wrong(
            f"there is no [texts.{study.language}]; texts are there in {', '.join(study.texts)}"
        )
    main = study.texts[study.language]
    for key, where in keys_in(study, place):
        if not is_text(study, key):
            raise where.wrong(str(UnknownName("text", key, main, f"[texts.{study.language}]")))
    for language, of_it in study.texts.items():
        for key in of_it:
            if key.startswith(UI) and key not in shipped()["en"]:
                raise texts.at(language).wrong(str(UnknownName("text", key, shipped()["en"])))


def _remarks_on_texts(study: Study) -> Iterator[str]:
    named = {key for key, _ in keys_in(study, Place(""))}
    for language, texts in study.texts.items():
        for key in texts:
            if key not in named and not key.startswith(UI):
                near = nearest(key, sorted(named - texts.keys()))
                yield f"texts.{language}: nothing shows {key!r}{f'; did you mean {near[0]}?' if near else ''}"
    for language in study.languages:
        own = study.texts[language].keys() | shipped().get(language, {}).keys()
        lacking = sorted(key for key in named if key not in own)
        if lacking:
            yield (
                f"texts.{language}: {len(lacking)} texts are shown in {study.language}, as they are missing:"
                f" {', '.join(lacking[:6])}{', ...' if len(lacking) > 6 else ''}"
            )
        if lacks := sorted(key for key in shipped()["en"] if key.startswith(UI) and key not in own):
            yield (
                f"texts.{language}: {len(lacks)} words of every page are shown in another language;"
                f" word them yourself, such as {lacks[0]!r}"
            )


# --- what names each other -------------------------------------------------------------------------------


def _check_references(study: Study, place: Place) -> None:
    if all(condition.practice for condition in study.conditions):
        raise place.field("conditions").wrong("every condition is for practice; nothing is compared")
    trials = [where for stage, where in stages_in(study, place) if isinstance(stage, TrialsStage)]
    if len(trials) != 1:
        raise place.field("stages").wrong(f"{len(trials)} stages of kind 'trials'; a study has one")
    for stage, where in stages_in(study, place):
        if isinstance(stage, PlayStage):
            _check_play(stage, where, within=len(where.parts) > 1)


def _check_play(stage: PlayStage, where: Place, *, within: bool) -> None:
    if within and (stage.condition or stage.scenario):
        raise where.wrong("under trials a game's condition and scenario are those of the trial")
    for field in ("condition", "scenario"):
        if not within and getattr(stage, field) is None:
            raise where.field(field).wrong("a game outside of trials names condition and scenario")


# --- worlds, seats, agents -----------------------------------------------------------------------------


def _check_worlds(study: Study, place: Place) -> None:
    for index, level in enumerate(study.levels):
        _check_draws(study, level, place.entry("levels", index, level.name))
    for here, condition in place.entries("conditions", study.conditions):
        for level in study.levels:
            if not condition.practice and plays(condition, level.name):
                for id in members_of(level):
                    _check_seats(condition, _world(condition, id, here), here)
    for stage, where in stages_in(study, place):
        if isinstance(stage, PlayStage) and stage.condition and stage.scenario:
            condition = study.condition(stage.condition)
            _check_seats(condition, _world(condition, stage.scenario, where), where)
    if (trials := most_trials(study)) > MOST_TRIALS:
        raise place.field("levels").wrong(f"a participant would play {trials} games; at most {MOST_TRIALS}")
    _try(AgentSpec(study.groups.stand_in), place.at("groups").field("stand_in"))


def _check_draws(study: Study, level: Level, place: Place) -> None:
    try:
        there = len(members_of(level))
    except BackburnerError as error:
        raise place.field("scenarios").wrong(str(error)) from error
    times = max(sum(plays(study.condition(name), level.name) for name in row) for row in table_of(study))
    needed = level.draw * (times if study.design.scenarios == "distinct" else 1)
    if needed > there:
        raise place.field("draw").wrong(f"{needed} scenarios are needed, and there are {there}")


def _world(condition: Condition, id: str, place: Place) -> AnyWorld:
    try:
        return built(scenario_under(id, condition), condition.rules, condition.limits)
    except BackburnerError as error:
        raise place.wrong(str(error)) from error


def _check_seats(condition: Condition, world: AnyWorld, place: Place) -> None:
    here = place.field("seats")
    for seat in condition.seats:
        if seat != "*" and seat not in world.seats:
            raise here.wrong(str(UnknownName("seat", seat, world.seats, world.id)))
    found = seats_of(condition, world.seats)
    if missing := [seat for seat in world.seats if seat not in found]:
        raise here.wrong(f"{world.id}: nobody has seat {', '.join(missing)}; '*' stands for all others")
    if all(player.agent != PERSON for player in found.values()):
        raise here.wrong("no seat is a person's")
    for player in dict.fromkeys(found.values()):
        if player.agent != PERSON:
            _try(spec_of(player), here)


def spec_of(player: Player) -> AgentSpec:
    """An agent of the file as agents are asked for everywhere."""
    return AgentSpec(player.agent, player.model, player.base_url)


def _try(spec: AgentSpec, place: Place) -> None:
    try:
        _checked_once(spec)
    except BackburnerError as error:
        raise place.wrong(str(error)) from error


_checked_once = cache(check_spec)


# --- items, rules, outcomes ----------------------------------------------------------------------------


def _check_items(study: Study, place: Place) -> None:
    for here, one in place.entries("questionnaires", study.questionnaires):
        if not one.items:
            raise here.field("items").wrong("there is no item")
        if sum(item.longest for item in one.items if isinstance(item, Words)) > MOST_CHARACTERS:
            raise here.field("items").wrong(f"texts of more than {MOST_CHARACTERS} characters in all")
        for inner, item in enumerate(one.items):
            _check_answer(item, here.entry("items", inner, item.name))


def _check_answer(item: Item, place: Place) -> None:
    if (item.check is None) != (item.correct is None):
        raise place.field("check").wrong("a check has a correct answer, and only a check has one")
    if item.check is not None and not item.required:
        raise place.field("required").wrong("a check must be answered")
    fits = True
    if isinstance(item, Likert):
        fits = item.correct is None or 1 <= item.correct <= item.points
    elif isinstance(item, Choice):
        fits = item.correct is None or item.correct in [option.value for option in item.options]
    elif isinstance(item, Number):
        low = float("-inf") if item.lowest is None else item.lowest
        high = float("inf") if item.highest is None else item.highest
        fits = low <= high and (item.correct is None or low <= item.correct <= high)
    if not fits:
        raise place.field("correct").wrong(f"{item.correct!r} is no answer to it")


def _check_outcomes(study: Study, place: Place) -> None:
    worlds = world_names(study)
    constructs = {item.construct for one in study.questionnaires for item in one.items if item.construct}
    for index, outcome in enumerate(study.outcomes):
        here = place.entry("outcomes", index, outcome.name).field("source")
        kind, _, name = outcome.source.partition(":")
        if kind == "metric":
            _check_metric(name, worlds, here)
        elif kind == "construct" and name not in constructs:
            raise here.wrong(str(UnknownName("construct", name, sorted(constructs))))


# --- rules of exclusion ----------------------------------------------------------------------------------

PARTICIPANT: Mapping[str, str] = {
    "status": "finished, left or open",
    "minutes": "from arrival to the last thing that was done",
    "trials": "trials whose episode was played to its end",
    "checks_failed": "attention checks that were answered wrongly",
    "straight_lines": "share of rating forms (of three ratings or more) whose answers are all the same",
    "answer:": "the last answer to an item: answer:NAME; of a choice its value",
    "seconds:": "the time that a stage took, the shortest of its times: seconds:STAGE",
}
"""What a rule about participants may look at. One that ends with a colon has a name behind it."""

EPISODE: Mapping[str, str] = {
    "status": "ended, cut off, failed, stopped, capped or interrupted",
    "seconds": "from the first frame to the last",
    "steps": "decision points",
    "decisions": "those at which the participant was asked",
    "stood_in": "those of them that a stand-in answered",
    "stood_in_share": "their share",
    "slips": "lines that were explained and cost nothing",
    "refusals": "decisions of the participant that were not carried out",
    "metric:": "a metric of the world: metric:KEY",
    "number:": "a number of the world's outcome: number:NAME",
}
"""What a rule about episodes may look at."""

STATUSES: Mapping[str, tuple[str, ...]] = {
    "participant": ("finished", "left", "open"),
    "episode": ("ended", "cut off", "failed", "stopped", "capped", "interrupted"),
}
"""What ``status`` may be."""


def _check_exclusions(study: Study, place: Place) -> None:
    """Whether every rule looks at something that the study has; raises ``BadFile``."""
    worlds = world_names(study)
    for here, rule in place.entries("exclusions", study.exclusions):
        given = [value for value in (rule.below, rule.above, rule.equals) if value is not None]
        if len(given) != 1:
            raise here.wrong("a rule has one of 'below', 'above' and 'equals'")
        if given[0] != given[0]:
            raise here.wrong("nan is no number that anything lies below, above or at")
        kind, colon, name = rule.measure.partition(":")
        known = PARTICIPANT if rule.of == "participant" else EPISODE
        if kind + colon not in known:
            raise here.field("measure").wrong(str(UnknownName("measure", rule.measure, known)))
        if kind == "metric":
            _check_metric(name, worlds, here.field("measure"))
        _check_named(study, rule, kind, name, here)


def _check_named(study: Study, rule: Exclusion, kind: str, name: str, here: Place) -> None:
    """Raise ``BadFile`` for a rule about an item, a stage or a status that there is not."""
    if kind == "answer":
        items = [item.name for one in study.questionnaires for item in one.items]
        if name not in items:
            raise here.field("measure").unknown("item", name, items)
    elif kind == "seconds" and rule.of == "participant":
        stages = [stage.name for stage, _ in stages_in(study, here)]
        if name not in stages:
            raise here.field("measure").unknown("stage", name, stages)
    elif kind == "status" and rule.equals not in STATUSES[rule.of]:
        if rule.equals is None:
            raise here.wrong("a status is compared by 'equals'")
        raise here.field("equals").unknown("status", str(rule.equals), STATUSES[rule.of])


def _check_metric(name: str, worlds: Iterable[str], place: Place) -> None:
    """Whether one of these worlds has a metric; raises ``BadFile``."""
    known = {metric.key for world in worlds for metric in registry.scoring(world).metrics}
    if name not in known:
        raise place.wrong(str(UnknownName("metric", name, sorted(known))))


# --- what is likely not meant ----------------------------------------------------------------------------


def _remarks(study: Study) -> Iterator[str]:
    if not any(stage.__struct_config__.tag == "consent" for stage in study.stages):
        yield "stages: nobody is asked for consent"
    rows = len(table_of(study))
    if study.design.teams % rows:
        yield (
            f"design: {study.design.teams} teams and {rows} orders do not come out even;"
            f" {-(-study.design.teams // rows) * rows} would"
        )
    if study.recruitment.back and "{code}" not in study.recruitment.back and study.recruitment.codes:
        yield "recruitment: the return address has no {code} in it"
    if not study.outcomes:
        yield "outcomes: nothing is said to be analysed"
    there = len({id for level in study.levels for id in members_of(level)})
    if there < FEWEST_CROSSED and any(one.intercepts != "participants" for one in study.outcomes):
        yield f"outcomes: {there} scenarios are too few to be random; {FEWEST_CROSSED} are the fewest"
    if not study.exclusions:
        yield "exclusions: no rule is written down beforehand"
    yield from _remarks_on_texts(study)

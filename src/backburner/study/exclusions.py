"""Exclusion rules: whom and what the analysis leaves out, written down before anybody takes part.

A rule compares one measure of a participant or of an episode with one value. A measure that is not known
(no such answer, a metric that is not defined) excludes nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from backburner.kernel import registry
from backburner.kernel.errors import UnknownName
from backburner.kernel.files import Place
from backburner.study.design import Exclusion, Study, TrialsStage
from backburner.study.stages import world_names

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

Value = str | float | bool | None


def is_of_time(rule: Exclusion) -> bool:
    """Whether a rule looks at how long something took, which says nothing of simulated participants."""
    return rule.measure.partition(":")[0] in ("minutes", "seconds")


def excludes(rule: Exclusion, measure: Callable[[str], Value]) -> bool:
    """Whether a rule leaves out somebody or something of which ``measure`` tells each measure."""
    value = measure(rule.measure)
    if value is None:
        return False
    if rule.equals is not None:
        return _plain(value) == _plain(rule.equals)
    if isinstance(value, str):
        return False
    if rule.below is not None:
        return value < rule.below
    return rule.above is not None and value > rule.above


def _plain(value: Value) -> str:
    """``3``, ``3.0`` and ``"3"`` are one answer."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).lower() if isinstance(value, bool) else str(value)


# --- whether rules fit a study ----------------------------------------------------------------------------


def check_exclusions(study: Study, place: Place) -> None:
    """Whether every rule looks at something that the study has; raises ``BadFile``."""
    worlds = world_names(study)
    for index, rule in enumerate(study.exclusions):
        here = place.entry("exclusions", index, rule.name)
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
            check_metric(name, worlds, here.field("measure"))
        _check_named(study, rule, kind, name, here)


def _check_named(study: Study, rule: Exclusion, kind: str, name: str, here: Place) -> None:
    """Raise ``BadFile`` for a rule about an item, a stage or a status that there is not."""
    if kind == "answer":
        items = [item.name for one in study.questionnaires for item in one.items]
        if name not in items:
            raise here.field("measure").unknown("item", name, items)
    elif kind == "seconds" and rule.of == "participant":
        stages = list(_stage_names(study))
        if name not in stages:
            raise here.field("measure").unknown("stage", name, stages)
    elif kind == "status" and rule.equals not in STATUSES[rule.of]:
        if rule.equals is None:
            raise here.wrong("a status is compared by 'equals'")
        raise here.field("equals").unknown("status", str(rule.equals), STATUSES[rule.of])


def _stage_names(study: Study) -> Iterator[str]:
    for stage in study.stages:
        yield stage.name
        if isinstance(stage, TrialsStage):
            yield from (each.name for each in stage.each)


def check_metric(name: str, worlds: Iterable[str], place: Place) -> None:
    """Whether one of these worlds has a metric; raises ``BadFile``."""
    known = {metric.key for world in worlds for metric in registry.scoring(world).metrics}
    if name not in known:
        raise place.wrong(str(UnknownName("metric", name, sorted(known))))

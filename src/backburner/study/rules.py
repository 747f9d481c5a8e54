"""Exclusion rules: whom and what the analysis leaves out, written down before anybody takes part.

A rule compares one measure of a participant or of an episode with one value. A measure that is not known
(no such answer, a metric that is not defined) excludes nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from backburner.study.design import Exclusion

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

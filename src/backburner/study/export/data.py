"""What a study has gathered, of whom there may be tables: who did what, and whom rules exclude.

A rule of exclusion says whom and what the analysis leaves out, and is written down before anybody takes part.
It compares one measure of a participant or of an episode with one value. A measure that is not known (no such
answer, a metric that is not defined) excludes nobody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from backburner.kernel.errors import Refused
from backburner.study.analysis.tables import ExclusionRow
from backburner.study.design import (
    Exclusion,
    FormStage,
    Item,
    Likert,
    Study,
    TrialsStage,
)
from backburner.study.entries import Answer, Opened, Played, is_correct
from backburner.study.journal import Journal
from backburner.study.participants import Cohort, Participant, cohort_of
from backburner.study.stages import PlacedStage

Value = str | float | bool | None
"""What a rule looks at."""

LEAST_RATINGS = 3
"""Of fewer ratings in a form nobody is said to have answered all alike without reading."""


class Data:
    """What a study has gathered, of those who agreed and did not take it back.

    ``personal``: with answers that may tell who somebody is, and with the ids of recruiting platforms.
    """

    def __init__(self, study: Study, cohort: Cohort, records: Path, *, personal: bool = False) -> None:
        self.study, self.cohort, self.records, self.personal = study, cohort, records, personal
        self.people = sorted(
            (one for one in cohort.people.values() if one.consented(study)),
            key=lambda one: (one.arrived.at, one.id),
        )

    # --- what somebody has done ---

    def episodes(self, one: Participant) -> list[tuple[PlacedStage, Opened, Played]]:
        """The games that somebody has played to their end."""
        stages = one.stages(self.study)
        return [
            (stages[p], one.opened[p], played) for p, played in sorted(one.played.items()) if p < len(stages)
        ]

    def forms(self, one: Participant) -> list[tuple[PlacedStage, FormStage, dict[str, Answer]]]:
        """The forms that somebody has sent, with their last answers."""
        stages = one.stages(self.study)
        return [
            (stages[position], stage, answered.answers)
            for position, answered in sorted(one.answers.items())
            if position < len(stages) and isinstance(stage := stages[position].stage, FormStage)
        ]

    def items(self, stage: FormStage) -> dict[str, Item]:
        """The items of a form by name."""
        return {item.name: item for item in self.study.questionnaire(stage.questionnaire).items}

    @cached_property
    def item_keys(self) -> dict[tuple[str, str], str]:
        """(form stage, item) to the item's key in the tables: its name, with the stage's before it where
        several forms ask for one of that name."""
        asked = [(stage, name) for stage in self.form_stages for name in self.items(stage)]
        often = Counter(name for _, name in asked)
        return {
            (stage.name, name): name if often[name] == 1 else f"{stage.name}.{name}" for stage, name in asked
        }

    @cached_property
    def form_stages(self) -> list[FormStage]:
        """Every form of the study, in order."""
        found: list[Any] = []
        for stage in self.study.stages:
            found += stage.each if isinstance(stage, TrialsStage) else [stage]
        return [stage for stage in found if isinstance(stage, FormStage)]

    def checks(self, one: Participant) -> list[bool]:
        """Whether each attention check was answered rightly."""
        found = []
        for _, stage, answers in self.forms(one):
            for name, item in self.items(stage).items():
                if item.check == "attention" and answers.get(name) is not None:
                    found.append(bool(is_correct(item, answers[name])))
        return found

    def straight_lines(self, one: Participant) -> float | None:
        """The share of forms with enough ratings in which all ratings are the same."""
        same = []
        for _, stage, answers in self.forms(one):
            items = self.items(stage)
            ratings = [
                answers[name]
                for name, item in items.items()
                if isinstance(item, Likert) and item.check is None and answers.get(name) is not None
            ]
            if len(ratings) >= LEAST_RATINGS:
                same.append(len(set(ratings)) == 1)
        return sum(same) / len(same) if same else None

    # --- rules ---

    def participant_measure(self, one: Participant, name: str) -> Value:
        """What a rule about participants looks at."""
        kind, _, of = name.partition(":")
        match kind:
            case "status":
                return status_of(one)
            case "minutes":
                return (one.last_at - one.arrived.at) / 60
            case "trials":
                return sum(placed.trial is not None for placed, _, _ in self.episodes(one))
            case "checks_failed":
                return self.checks(one).count(False)
            case "straight_lines":
                return self.straight_lines(one)
            case "answer":
                return self._last_answer(one, of)
            case _:
                return self._least_seconds(one, of)

    def _last_answer(self, one: Participant, item: str) -> Value:
        found: Value = None
        for _, _, answers in self.forms(one):
            answer = answers.get(item)
            if answer is not None:
                found = ",".join(answer) if isinstance(answer, tuple) else answer
        return found

    def _least_seconds(self, one: Participant, stage: str) -> Value:
        stages = one.stages(self.study)
        taken = [
            left - one.entered[position]
            for position, left in one.left.items()
            if position in one.entered and position < len(stages) and stages[position].stage.name == stage
        ]
        return min(taken, default=None)

    @cached_property
    def exclusions(self) -> list[ExclusionRow]:
        """All that rules exclude; those about time none of the simulated, who are fast."""
        found: list[ExclusionRow] = []
        for rule in self.study.exclusions:
            for one in self.people:
                if one.arrived.simulated and is_of_time(rule):
                    continue
                if rule.of == "participant":
                    found += _excluded(rule, self.participant_measure(one, rule.measure), one.id, "")
                    continue
                for placed, opened, played in self.episodes(one):
                    if placed.trial is not None:
                        value = episode_measure(opened, played, rule.measure)
                        found += _excluded(rule, value, one.id, played.game)
        return found


# --- rules of exclusion ----------------------------------------------------------------------------------


def is_of_time(rule: Exclusion) -> bool:
    """Whether a rule looks at how long something took, which says nothing of simulated participants."""
    return rule.measure.partition(":")[0] in ("minutes", "seconds")


def episode_measure(opened: Opened, played: Played, name: str) -> Value:
    """What a rule about episodes looks at."""
    kind, _, of = name.partition(":")
    own = played.own
    match kind:
        case "status":
            return played.status
        case "seconds":
            return played.at - opened.at
        case "steps":
            return played.steps
        case "stood_in_share":
            return own.stood_in / own.decisions if own.decisions else None
        case "metric" | "number":
            same = (each.value for each in played.measures if each.name.casefold() == of.casefold())
            return next(same, None)
        case _:
            found: int = getattr(own, kind)
            return found


def excludes(rule: Exclusion, value: Value) -> bool:
    """Whether a rule leaves out somebody or something that has this value."""
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


def _excluded(rule: Exclusion, value: Value, one: str, episode: str) -> Iterator[ExclusionRow]:
    if excludes(rule, value):
        told = f"{value:g}" if isinstance(value, float) else str(value)
        detail = f"{rule.measure} is {told}"
        yield ExclusionRow(participant=one, episode=episode, rule=rule.name, detail=detail)


def data_of(folder: Path, *, personal: bool = False) -> Data:
    """The data of a study's folder, checked against its journal; raises ``Refused`` where there are none."""
    journal = Journal(folder)
    cohort = cohort_of(journal)
    if cohort.began is None:
        raise Refused(f"{folder}: no data of a study")
    return Data(cohort.began.study, cohort, journal.records, personal=personal)


def iso(at: float | None) -> str:
    """A time as tables tell it."""
    return "" if at is None else datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def status_of(one: Participant) -> str:
    if one.ended is None:
        return "open"
    return "finished" if one.ended.status == "complete" else "left"

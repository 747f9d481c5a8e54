"""What a study has gathered, as tables that any program reads, with the records of its games.

Rows are worked out from a study's data, always in the same order.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from msgspec import Struct

from backburner.evaluation.tables.schema import ColumnRow, told_columns, write_table
from backburner.kernel.scoring import grouped
from backburner.kernel.values import filled
from backburner.study.analysis.tables import ExclusionRow, MeasureRow
from backburner.study.design import Choice, Item, Likert, Number, Player, PlayStage
from backburner.study.entries import Answer, Noticed, Played, is_correct
from backburner.study.export.data import Data, iso, status_of
from backburner.study.export.flow import flow_of
from backburner.study.export.tables import (
    RECRUITED,
    TABLES,
    AnswerRow,
    ChangeRow,
    ConditionRow,
    DecisionRow,
    EpisodeRow,
    InterventionRow,
    ItemRow,
    OutcomeRow,
    ParticipantRow,
    RecruitedRow,
    RuleRow,
    StageRow,
)
from backburner.study.participants import Participant
from backburner.study.stages import people_in, team_size, trials_of
from backburner.study.words import label_of, text_of

FORMATS = ("csv", "parquet")
"""What tables can be written as."""


def write_export(data: Data, folder: Path, formats: Iterable[str]) -> list[Path]:
    """Write every table in each format, and the records of those who agreed; the files.

    Raises ``MissingExtra`` for Parquet without pyarrow, ``BadFile`` for what cannot be written.
    """
    exported = (*TABLES, RECRUITED) if data.personal else TABLES
    written = [
        write_table(table, rows_of(data, table.name), folder, name)
        for name in dict.fromkeys(formats)
        for table in exported
    ]
    for game in sorted({played.game for played in _all_played(data)}):
        source = data.records / f"{game}.jsonl"
        if source.exists():
            (folder / "records").mkdir(parents=True, exist_ok=True)
            written.append(Path(shutil.copyfile(source, folder / "records" / source.name)))
    return written


# --- rows -------------------------------------------------------------------------------------------------


def rows_of(data: Data, table: str) -> Iterable[Struct]:
    """The rows of one of ``TABLES`` (or of ``RECRUITED``)."""
    return ROWS[table](data)


def _conditions(data: Data) -> Iterator[ConditionRow]:
    study = data.study
    for condition in study.conditions:
        players = ", ".join(f"{seat}: {_told(player)}" for seat, player in condition.seats.items())
        yield ConditionRow(
            condition=condition.name,
            label=label_of(study, condition),
            about=players,
            factors="; ".join(f"{factor}={level}" for factor, level in condition.cell.items()),
            people=people_in(study, condition),
            baseline=condition.name == study.design.baseline,
        )


def _told(player: str | Player) -> str:
    if isinstance(player, str):
        return player
    return f"{player.agent} ({player.model})" if player.model else player.agent


def _participants(data: Data) -> Iterator[ParticipantRow]:
    study, began = data.study, data.cohort.began
    for one in data.people:
        stages = one.stages(study)
        reached = stages[min(one.position, len(stages) - 1)]
        ended, checks, assigned = one.ended, data.checks(one), one.assigned
        trials = () if assigned is None else trials_of(study, assigned.row, assigned.number)
        order = [condition for condition, _ in groupby(trial.condition for trial in trials)]
        yield ParticipantRow(
            participant=one.id,
            group=one.group(study),
            status=status_of(one),
            sequence=" ".join(order),
            language=one.language,
            source=_source(one),
            started=iso(one.arrived.at),
            ended=iso(ended.at if ended else None),
            seconds=one.last_at - one.arrived.at,
            end=ended.status if ended else "",
            team=assigned.team if assigned else "",
            row=assigned.row + 1 if assigned else None,
            stage=reached.stage.name,
            checks=len(checks),
            checks_failed=checks.count(False),
            straight_lines=data.straight_lines(one),
            simulated=one.arrived.simulated,
            study=began.digest if began else "",
        )


def _source(one: Participant) -> str:
    if one.arrived.invitation is not None:
        return "invitation"
    return "platform" if one.arrived.recruited else "link"


def _episodes(data: Data) -> Iterator[EpisodeRow]:
    together = team_size(data.study) > 1
    for one in data.people:
        for placed, opened, played in data.episodes(one):
            trial, own = placed.trial, played.own
            record = f"records/{played.game}.jsonl"
            yield filled(
                EpisodeRow,
                opened,
                played,
                own,
                episode=played.game,
                participant=one.id,
                condition=placed.condition,
                team=one.assigned.team if together and one.assigned and opened.people > 1 else "",
                order=trial.number if trial else None,
                practice=isinstance(placed.stage, PlayStage) and placed.stage.practice,
                world=placed.scenario.partition("/")[0],
                scenario=played.scenario or placed.scenario,
                record=record if (data.records / f"{played.game}.jsonl").exists() else "",
                started=iso(opened.at),
                seconds=played.at - opened.at,
                stand_in_steps=own.stood_in,
                level=trial.level if trial else "",
            )


def _measures(data: Data) -> Iterator[MeasureRow]:
    for game, parts in grouped(_all_played(data), lambda played: played.game).items():
        for each in parts[0].measures:
            yield filled(MeasureRow, each, episode=game, measure=each.name)


def _all_played(data: Data) -> Iterator[Played]:
    return (played for one in data.people for _, _, played in data.episodes(one))


def _items(data: Data) -> Iterator[ItemRow]:
    study = data.study
    for stage in data.form_stages:
        for name, item in data.items(stage).items():
            low, high = _range(item)
            ends = (item.low, item.high) if isinstance(item, Likert) else (None, None)
            low_label, high_label = (text_of(study, end, study.language) if end else "" for end in ends)
            yield ItemRow(
                item=data.item_keys[stage.name, name],
                text=text_of(study, item.text, study.language),
                label=name.replace("_", " "),
                kind="check" if item.check == "attention" else str(item.__struct_config__.tag),
                lowest=low,
                highest=high,
                low_label=low_label,
                high_label=high_label,
                scale=item.construct if item.construct != name else "",
                reversed=isinstance(item, Likert) and item.reversed,
                questionnaire=stage.questionnaire,
                options=",".join(o.value for o in item.options) if isinstance(item, Choice) else "",
                check=item.check or "",
                personal=item.personal,
            )


def _range(item: Item) -> tuple[float | None, float | None]:
    if isinstance(item, Likert):
        return 1, item.points
    return (item.lowest, item.highest) if isinstance(item, Number) else (None, None)


def _answers(data: Data) -> Iterator[AnswerRow]:
    for one in data.people:
        games = {placed.trial.number: played.game for placed, _, played in data.episodes(one) if placed.trial}
        for placed, stage, answers in data.forms(one):
            trial = placed.trial
            opened_for = one.answers[placed.position].at - one.entered.get(placed.position, one.arrived.at)
            for name, item in data.items(stage).items():
                answer = answers.get(name)
                if answer is None or (item.personal and not data.personal):
                    continue
                value, text = _told_answer(item, answer)
                yield AnswerRow(
                    participant=one.id,
                    item=data.item_keys[stage.name, name],
                    condition=placed.condition if trial else "",
                    episode=games.get(trial.number, "") if trial else "",
                    value=value,
                    text=text,
                    seconds=opened_for,
                    answered=iso(one.answers[placed.position].at),
                    stage=stage.name,
                    order=trial.number if trial else None,
                    correct=is_correct(item, answer),
                    attempts=one.attempts[placed.position],
                )


def _told_answer(item: Item, answer: Answer) -> tuple[float | None, str]:
    if isinstance(item, Choice):
        chosen = answer if isinstance(answer, tuple) else (str(answer),)
        values = [option.value for option in item.options]
        place = values.index(chosen[0]) if not item.several and chosen[0] in values else None
        return place, ",".join(chosen)
    return (float(answer), "") if isinstance(answer, float | int) else (None, str(answer))


def _stages(data: Data) -> Iterator[StageRow]:
    for one in data.people:
        stages = one.stages(data.study)
        for position, entered in sorted(one.entered.items()):
            if position >= len(stages):
                continue
            placed, left, opened = stages[position], one.left.get(position), one.opened.get(position)
            trial = placed.trial
            waited = opened.at if opened else left if placed.kind == "trials" else None
            yield StageRow(
                participant=one.id,
                position=position,
                stage=placed.stage.name,
                kind=placed.kind,
                order=trial.number if trial else None,
                condition=placed.condition,
                level=trial.level if trial else "",
                entered=iso(entered),
                left=iso(left),
                seconds=None if left is None else left - entered,
                waited_seconds=None if waited is None else waited - entered,
            )


def _noticed(data: Data) -> Iterator[tuple[dict[str, Any], Noticed]]:
    """What pages of games have noticed, with the cells that say of which game."""
    for one in data.people:
        stages = one.stages(data.study)
        for position, notices in sorted(one.noticed.items()):
            placed, opened = stages[position], one.opened[position]
            whose = {
                "participant": one.id,
                "condition": placed.condition,
                "order": placed.trial.number if placed.trial else None,
                "episode": opened.game,
                "stage": placed.stage.name,
                "scenario": placed.scenario,
                "seat": opened.seat,
            }
            yield from ((whose, notice) for notice in notices)


def _decisions(data: Data) -> Iterator[DecisionRow]:
    for whose, notice in _noticed(data):
        for decision in notice.decisions:
            yield filled(DecisionRow, decision, **whose)


def _changes(data: Data) -> Iterator[ChangeRow]:
    for whose, notice in _noticed(data):
        named = {name: whose[name] for name in ("participant", "condition", "order", "episode")}
        for change in notice.changes:
            yield filled(ChangeRow, change, **named)


def _interventions(data: Data) -> Iterator[InterventionRow]:
    for change in data.cohort.recruiting:
        yield InterventionRow(at=iso(change.at), what="opened" if change.open else "closed")
    for one in data.people:
        stages = one.stages(data.study)
        done = [
            (each.at, each.position, "message", each.text, one.read_at(number))
            for number, each in enumerate(one.messages, 1)
        ]
        if one.ended is not None and one.ended.status == "dropped":
            done.append((one.ended.at, one.position, "dropped", one.ended.reason, None))
        for at, position, what, text, read in done:
            placed = stages[position]
            yield InterventionRow(
                at=iso(at),
                what=what,
                participant=one.id,
                stage=placed.stage.name,
                order=placed.trial.number if placed.trial else None,
                condition=placed.condition,
                text=text,
                read=iso(read),
            )


def _rules(data: Data) -> Iterator[RuleRow]:
    written = iso(data.cohort.began.at if data.cohort.began else None)
    for rule in data.study.exclusions:
        excluded = sum(row.rule == rule.name for row in data.exclusions)
        yield filled(RuleRow, rule, rule=rule.name, text=rule.text, written=written, excluded=excluded)


def _exclusions(data: Data) -> Iterator[ExclusionRow]:
    yield from data.exclusions


def _outcomes(data: Data) -> Iterator[OutcomeRow]:
    study = data.study
    for each in study.outcomes:
        title = text_of(study, each.title, study.language) if each.title else each.name.replace("_", " ")
        yield filled(OutcomeRow, each, outcome=each.name, title=title)


def _recruited(data: Data) -> Iterator[RecruitedRow]:
    for one in data.cohort.people.values():
        status = one.ended.status if one.ended else ""
        code = data.study.recruitment.codes.get(one.ended.status, "") if one.ended else ""
        told = ", ".join(f"{name}={value}" for name, value in sorted(one.arrived.kept.items()))
        yield RecruitedRow(
            participant=one.id,
            recruited=one.arrived.recruited,
            invitation=one.arrived.invitation,
            parameters=told,
            end=status,
            code=code,
        )


def _codebook(data: Data) -> Iterator[ColumnRow]:
    return told_columns(TABLES)


ROWS: Mapping[str, Callable[[Data], Iterable[Struct]]] = {
    "conditions": _conditions,
    "participants": _participants,
    "episodes": _episodes,
    "measures": _measures,
    "items": _items,
    "answers": _answers,
    "stages": _stages,
    "decisions": _decisions,
    "changes": _changes,
    "rules": _rules,
    "exclusions": _exclusions,
    "outcomes": _outcomes,
    "flow": flow_of,
    "interventions": _interventions,
    "recruited": _recruited,
    "codebook": _codebook,
}

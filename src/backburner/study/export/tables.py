"""The tables that a study exports, with their rows: those that an analysis reads, and what a study knows.

Tables and columns of ``analysis.tables`` come first and mean what they mean there; further columns follow.
Nobody's rows are left out for a rule's sake: ``exclusions`` names them. Rows are worked out from a study's
data, always in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated

from msgspec import Struct

from backburner.evaluation.tables.schema import ColumnRow, Table, means, told_columns
from backburner.study.analysis import tables
from backburner.study.design import Choice, Item, Likert, Number, Player, PlayStage
from backburner.study.entries import Answer, is_correct
from backburner.study.export.data import Data, iso, status_of
from backburner.study.participants import Participant
from backburner.study.stages import people_in, team_size, trials_of
from backburner.study.words import text_of

# --- schemas ----------------------------------------------------------------------------------------------


Trial = Annotated[int | None, means("its place among the person's episodes, from 1; empty outside of them")]


class ConditionRow(tables.ConditionRow, frozen=True, kw_only=True):
    """A condition, with what the study file says of it."""

    people: Annotated[int, means("the most people in a game")]
    baseline: Annotated[bool, means("whether the others are compared with it")]


class ParticipantRow(tables.ParticipantRow, frozen=True, kw_only=True):
    """A participant, with how far the person came and how well they attended."""

    end: Annotated[str, means("complete, withdrawn or unmatched; empty for those who have not ended")]
    team: Annotated[str, means("the people who play together")]
    row: Annotated[int | None, means("the row of the table of orders that the team has, from 1")]
    stage: Annotated[str, means("the last stage that was reached")]
    checks: Annotated[int, means("attention checks that were answered")]
    checks_failed: Annotated[int, means("those that were answered wrongly")]
    straight_lines: Annotated[float | None, means("share of rating forms whose answers are all the same")]
    simulated: Annotated[bool, means("whether it is no person but a rehearsal's")]
    study: Annotated[str, means("the digest of the study file under which the person arrived")]


class EpisodeRow(tables.EpisodeRow, frozen=True, kw_only=True):
    """A participant in an episode, with how it ended and what the person's seat did."""

    reason: Annotated[str, means("the world's word for how it ended")]
    people: Annotated[int, means("people who had a seat")]
    steps: Annotated[int, means("decision points")]
    decisions: Annotated[int, means("those at which the person's seat was asked")]
    slips: Annotated[int, means("lines of the person that were explained and cost nothing")]
    refusals: Annotated[int, means("decisions of this seat, or parts of them, that were not carried out")]


class ItemRow(tables.ItemRow, frozen=True, kw_only=True):
    """An item, with where it stands and what is right."""

    questionnaire: Annotated[str, means("its name in the study file")]
    options: Annotated[str, means("of a choice: the values, with commas between them")]
    check: Annotated[str, means("attention or comprehension, for items with a right answer")]
    personal: Annotated[
        bool, means("whether answers may tell who somebody is; they are exported only when asked for")
    ]


class AnswerRow(tables.AnswerRow, frozen=True, kw_only=True):
    """An answer, with the form that it was given in."""

    stage: Annotated[str, means("the stage's name in the study file")]
    order: Trial
    correct: Annotated[bool | None, means("whether it is the right one; empty for items without")]
    attempts: Annotated[int, means("how often the form was sent until it was complete and right")]


class StageRow(Struct, frozen=True, kw_only=True):
    """A stage of a participant."""

    participant: tables.Participant
    position: Annotated[int, means("the stage's place in the participant's course, from 0")]
    stage: Annotated[str, means("its name in the study file")]
    kind: Annotated[str, means("text, consent, form, play or trials (the moment when partners are found)")]
    order: Trial
    condition: tables.Condition
    level: Annotated[str, means("the level's name in the study file")]
    entered: Annotated[str, means("when it was first shown, as 2026-11-22T09:30:00Z")]
    left: Annotated[str, means("when it was done; empty if it was not")]
    seconds: Annotated[
        float | None, means("from the one to the other, waiting for others included", "seconds")
    ]
    waited_seconds: Annotated[float | None, means("of these, waiting for other people", "seconds")]


class RuleRow(tables.RuleRow, frozen=True, kw_only=True):
    """A rule of exclusion, with what it looks at."""

    of: Annotated[str, means("participant or episode")]
    measure: Annotated[str, means("what it looks at")]
    excluded: Annotated[int, means("how many it excludes")]


class OutcomeRow(tables.OutcomeRow, frozen=True, kw_only=True):
    """An outcome, with which end of it is better."""

    better: Annotated[str, means("higher, lower or neither")]


class CodebookRow(ColumnRow, frozen=True, kw_only=True):
    """A column of a table."""

    unit: Annotated[str, means("the unit, if there is one")]


class RecruitedRow(Struct, frozen=True, kw_only=True):
    """A participant, whether they agreed or not, by what platforms know."""

    participant: tables.Participant
    recruited: Annotated[str, means("the id that the link carried")]
    invitation: Annotated[int | None, means("the number of the link that `study links` made")]
    parameters: Annotated[str, means("the link's other parameters that the file keeps")]
    end: Annotated[str, means("complete, declined, withdrawn or unmatched; empty for those under way")]
    code: Annotated[str, means("the completion code that was shown")]


def _with(table: Table, rows: type[Struct]) -> Table:
    return Table(table.name, table.row, rows)


CONDITIONS = _with(tables.CONDITIONS, ConditionRow)
PARTICIPANTS = _with(tables.PARTICIPANTS, ParticipantRow)
EPISODES = _with(tables.EPISODES, EpisodeRow)
ITEMS = _with(tables.ITEMS, ItemRow)
ANSWERS = _with(tables.ANSWERS, AnswerRow)
STAGES = Table("stages", "stage of a participant", StageRow)
RULES = _with(tables.RULES, RuleRow)
OUTCOMES = _with(tables.OUTCOMES, OutcomeRow)
CODEBOOK = Table("codebook", "column of a table", CodebookRow)

TABLES = (
    *(CONDITIONS, PARTICIPANTS, EPISODES, tables.MEASURES, ITEMS, ANSWERS, STAGES),
    *(RULES, tables.EXCLUSIONS, OUTCOMES, CODEBOOK),
)
"""All of them, but for ``RECRUITED``."""

RECRUITED = Table(
    "recruited",
    "participant, whether they agreed or not; written only where personal data are asked for, to pay people",
    RecruitedRow,
)


# --- rows -------------------------------------------------------------------------------------------------


def rows_of(data: Data, table: str) -> Iterator[Struct]:
    """The rows of one of ``TABLES`` (or of ``RECRUITED``)."""
    return ROWS[table](data)


def _conditions(data: Data) -> Iterator[ConditionRow]:
    study = data.study
    for condition in study.conditions:
        label = text_of(study, condition.title, study.language) if condition.title else condition.name
        players = ", ".join(f"{seat}: {_told(player)}" for seat, player in condition.seats.items())
        yield ConditionRow(
            condition=condition.name,
            label=label,
            about=players,
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
        order: list[str] = []
        if assigned is not None:
            trials = trials_of(study, assigned.row, assigned.number)
            order = [
                t.condition for i, t in enumerate(trials) if i == 0 or t.condition != trials[i - 1].condition
            ]
        group = order[0] if study.design.kind == "between" and order else ""
        yield ParticipantRow(
            participant=one.id,
            group=group,
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
            yield EpisodeRow(
                episode=played.game,
                participant=one.id,
                condition=placed.condition,
                team=one.assigned.team if together and one.assigned and opened.people > 1 else "",
                order=trial.number if trial else None,
                practice=isinstance(placed.stage, PlayStage) and placed.stage.practice,
                world=placed.scenario.partition("/")[0],
                scenario=played.scenario or placed.scenario,
                seat=opened.seat,
                seed=played.seed,
                status=played.status,
                players=played.players,
                record=record if (data.records / f"{played.game}.jsonl").exists() else "",
                started=iso(opened.at),
                seconds=played.at - opened.at,
                stand_in_steps=own.stood_in,
                level=trial.level if trial else "",
                reason=played.reason,
                people=opened.people,
                steps=played.steps,
                decisions=own.decisions,
                slips=own.slips,
                refusals=own.refusals,
            )


def _measures(data: Data) -> Iterator[tables.MeasureRow]:
    seen: set[str] = set()
    for one in data.people:
        for _, _, played in data.episodes(one):
            if played.game not in seen:
                seen.add(played.game)
                for each in played.measures:
                    yield tables.MeasureRow(
                        episode=played.game,
                        measure=each.name,
                        value=each.value,
                        title=each.title,
                        unit=each.unit,
                        lowest=each.lowest,
                        highest=each.highest,
                    )


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


def _rules(data: Data) -> Iterator[RuleRow]:
    written = iso(data.cohort.began.at if data.cohort.began else None)
    for rule in data.study.exclusions:
        how = "below" if rule.below is not None else "above" if rule.above is not None else "equal to"
        value = (
            rule.equals if rule.equals is not None else rule.below if rule.below is not None else rule.above
        )
        told = f"{value:g}" if isinstance(value, float) else str(value)
        text = f"{rule.of}s whose {rule.measure} is {how} {told}"
        yield RuleRow(
            rule=rule.name,
            text=text,
            written=written,
            of=rule.of,
            measure=rule.measure,
            excluded=sum(row.rule == rule.name for row in data.exclusions),
        )


def _exclusions(data: Data) -> Iterator[tables.ExclusionRow]:
    yield from data.exclusions


def _outcomes(data: Data) -> Iterator[OutcomeRow]:
    study = data.study
    for each in study.outcomes:
        title = text_of(study, each.title, study.language) if each.title else each.name.replace("_", " ")
        yield OutcomeRow(
            outcome=each.name,
            title=title,
            source=each.source,
            primary=each.primary,
            hypothesis=each.hypothesis,
            better=each.better,
        )


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


ROWS: Mapping[str, Callable[[Data], Iterator[Struct]]] = {
    "conditions": _conditions,
    "participants": _participants,
    "episodes": _episodes,
    "measures": _measures,
    "items": _items,
    "answers": _answers,
    "stages": _stages,
    "rules": _rules,
    "exclusions": _exclusions,
    "outcomes": _outcomes,
    "recruited": _recruited,
    "codebook": _codebook,
}

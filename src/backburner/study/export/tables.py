"""The tables that a study exports, with their rows: those that an analysis reads, and what a study knows.

Tables and columns of ``analysis.tables`` come first and mean what they mean there; further columns follow.
Nobody's rows are left out for a rule's sake: ``exclusions`` names them. Rows are worked out from a study's
data, always in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from backburner.evaluation.tables.columns import Column, Table
from backburner.study.analysis import tables
from backburner.study.design import Choice, Item, Likert, Number, Player, PlayStage
from backburner.study.entries import Answer, is_correct
from backburner.study.export.data import Data, Row, iso, status_of
from backburner.study.participants import Participant
from backburner.study.stages import people_in, team_size, trials_of
from backburner.study.words import text_of

# --- columns ----------------------------------------------------------------------------------------------


TRIAL = Column("order", "integer", "its place among the person's episodes, from 1; empty outside of them")
LEVEL = Column("level", "text", "the level's name in the study file")


def _with(table: Table, *columns: Column) -> Table:
    return Table(table.name, table.row, (*table.columns, *columns))


CONDITIONS = _with(
    tables.CONDITIONS,
    Column("people", "integer", "the most people in a game"),
    Column("baseline", "truth", "whether the others are compared with it"),
)

PARTICIPANTS = _with(
    tables.PARTICIPANTS,
    Column("end", "text", "complete, withdrawn or unmatched; empty for those who have not ended"),
    Column("team", "text", "the people who play together"),
    Column("row", "integer", "the row of the table of orders that the team has, from 1"),
    Column("stage", "text", "the last stage that was reached"),
    Column("checks", "integer", "attention checks that were answered"),
    Column("checks_failed", "integer", "those that were answered wrongly"),
    Column("straight_lines", "number", "share of rating forms whose answers are all the same"),
    Column("simulated", "truth", "whether it is no person but a rehearsal's"),
    Column("study", "text", "the digest of the study file under which the person arrived"),
)

EPISODES = _with(
    tables.EPISODES,
    Column("reason", "text", "the world's word for how it ended"),
    Column("people", "integer", "people who had a seat"),
    Column("steps", "integer", "decision points"),
    Column("decisions", "integer", "those at which the person's seat was asked"),
    Column("slips", "integer", "lines of the person that were explained and cost nothing"),
    Column("refusals", "integer", "decisions of this seat, or parts of them, that were not carried out"),
)

MEASURES = tables.MEASURES

ITEMS = _with(
    tables.ITEMS,
    Column("questionnaire", "text", "its name in the study file"),
    Column("options", "text", "of a choice: the values, with commas between them"),
    Column("check", "text", "attention or comprehension, for items with a right answer"),
    Column(
        "personal", "truth", "whether answers may tell who somebody is; they are exported only when asked for"
    ),
)

ANSWERS = _with(
    tables.ANSWERS,
    Column("stage", "text", "the stage's name in the study file"),
    TRIAL,
    Column("correct", "truth", "whether it is the right one; empty for items without"),
    Column("attempts", "integer", "how often the form was sent until it was complete and right"),
)

STAGES = Table(
    "stages",
    "stage of a participant",
    (
        tables.PARTICIPANT,
        Column("position", "integer", "the stage's place in the participant's course, from 0"),
        Column("stage", "text", "its name in the study file"),
        Column("kind", "text", "text, consent, form, play or trials (the moment when partners are found)"),
        TRIAL,
        tables.CONDITION,
        LEVEL,
        Column("entered", "text", "when it was first shown, as 2026-11-22T09:30:00Z"),
        Column("left", "text", "when it was done; empty if it was not"),
        Column("seconds", "number", "from the one to the other, waiting for others included", "seconds"),
        Column("waited_seconds", "number", "of these, waiting for other people", "seconds"),
    ),
)

RULES = _with(
    tables.RULES,
    Column("of", "text", "participant or episode"),
    Column("measure", "text", "what it looks at"),
    Column("excluded", "integer", "how many it excludes"),
)

EXCLUSIONS = tables.EXCLUSIONS

OUTCOMES = _with(tables.OUTCOMES, Column("better", "text", "higher, lower or neither"))

CODEBOOK = Table(
    "codebook",
    "column of a table",
    (
        Column("table", "text", "the table"),
        Column("column", "text", "the column"),
        Column("type", "text", "text, integer, number or truth"),
        Column("unit", "text", "the unit, if there is one"),
        Column("meaning", "text", "what it holds"),
    ),
)

TABLES = (
    *(CONDITIONS, PARTICIPANTS, EPISODES, MEASURES, ITEMS, ANSWERS, STAGES),
    *(RULES, EXCLUSIONS, OUTCOMES, CODEBOOK),
)
"""All of them, but for ``RECRUITED``."""

RECRUITED = Table(
    "recruited",
    "participant, whether they agreed or not; written only where personal data are asked for, to pay people",
    (
        tables.PARTICIPANT,
        Column("recruited", "text", "the id that the link carried"),
        Column("invitation", "integer", "the number of the link that `study links` made"),
        Column("parameters", "text", "the link's other parameters that the file keeps"),
        Column("end", "text", "complete, declined, withdrawn or unmatched; empty for those under way"),
        Column("code", "text", "the completion code that was shown"),
    ),
)


# --- rows -------------------------------------------------------------------------------------------------


def rows_of(data: Data, table: str) -> Iterator[Row]:
    """The rows of one of ``TABLES`` (or of ``RECRUITED``), a cell for each column."""
    return ROWS[table](data)


def _conditions(data: Data) -> Iterator[Row]:
    study = data.study
    for condition in study.conditions:
        label = text_of(study, condition.title, study.language) if condition.title else condition.name
        players = ", ".join(f"{seat}: {_told(player)}" for seat, player in condition.seats.items())
        baseline = condition.name == study.design.baseline
        yield condition.name, label, players, people_in(study, condition), baseline


def _told(player: str | Player) -> str:
    if isinstance(player, str):
        return player
    return f"{player.agent} ({player.model})" if player.model else player.agent


def _participants(data: Data) -> Iterator[Row]:
    study, began = data.study, data.cohort.began
    for one in data.people:
        stops = one.course(study)
        reached = stops[min(one.position, len(stops) - 1)]
        ended, checks, assigned = one.ended, data.checks(one), one.assigned
        order: list[str] = []
        if assigned is not None:
            trials = trials_of(study, assigned.row, assigned.number)
            order = [
                t.condition for i, t in enumerate(trials) if i == 0 or t.condition != trials[i - 1].condition
            ]
        group = order[0] if study.design.kind == "between" and order else ""
        yield (
            one.id,
            group,
            status_of(one),
            " ".join(order),
            one.language,
            _source(one),
            iso(one.arrived.at),
            iso(ended.at if ended else None),
            one.last_at - one.arrived.at,
            ended.status if ended else "",
            assigned.team if assigned else "",
            assigned.row + 1 if assigned else None,
            reached.stage.name,
            len(checks),
            checks.count(False),
            data.straight_lines(one),
            one.arrived.simulated,
            began.digest if began else "",
        )


def _source(one: Participant) -> str:
    if one.arrived.invitation is not None:
        return "invitation"
    return "platform" if one.arrived.recruited else "link"


def _episodes(data: Data) -> Iterator[Row]:
    together = team_size(data.study) > 1
    for one in data.people:
        for stop, opened, played in data.episodes(one):
            trial, own = stop.trial, played.own
            record = f"records/{played.game}.jsonl"
            yield (
                played.game,
                one.id,
                stop.condition,
                one.assigned.team if together and one.assigned and opened.people > 1 else "",
                trial.number if trial else None,
                isinstance(stop.stage, PlayStage) and stop.stage.practice,
                stop.scenario.partition("/")[0],
                played.scenario or stop.scenario,
                opened.seat,
                played.seed,
                played.status,
                played.players,
                record if (data.records / f"{played.game}.jsonl").exists() else "",
                iso(opened.at),
                played.at - opened.at,
                own.stood_in,
                trial.level if trial else "",
                played.reason,
                opened.people,
                played.steps,
                own.decisions,
                own.slips,
                own.refusals,
            )


def _measures(data: Data) -> Iterator[Row]:
    seen: set[str] = set()
    for one in data.people:
        for _, _, played in data.episodes(one):
            if played.game not in seen:
                seen.add(played.game)
                for each in played.measures:
                    yield played.game, each.name, each.value, each.title, each.unit, each.lowest, each.highest


def _items(data: Data) -> Iterator[Row]:
    study = data.study
    for stage in data.form_stages:
        for name, item in data.items(stage).items():
            low, high = _range(item)
            ends = (item.low, item.high) if isinstance(item, Likert) else (None, None)
            yield (
                data.item_keys[stage.name, name],
                text_of(study, item.text, study.language),
                name.replace("_", " "),
                "check" if item.check == "attention" else str(item.__struct_config__.tag),
                low,
                high,
                *(text_of(study, end, study.language) if end else "" for end in ends),
                item.construct if item.construct != name else "",
                isinstance(item, Likert) and item.reversed,
                stage.questionnaire,
                ",".join(option.value for option in item.options) if isinstance(item, Choice) else "",
                item.check or "",
                item.personal,
            )


def _range(item: Item) -> tuple[float | None, float | None]:
    if isinstance(item, Likert):
        return 1, item.points
    return (item.lowest, item.highest) if isinstance(item, Number) else (None, None)


def _answers(data: Data) -> Iterator[Row]:
    for one in data.people:
        games = {stop.trial.number: played.game for stop, _, played in data.episodes(one) if stop.trial}
        for stop, stage, answers in data.forms(one):
            trial = stop.trial
            opened_for = one.answers[stop.position].at - one.entered.get(stop.position, one.arrived.at)
            for name, item in data.items(stage).items():
                answer = answers.get(name)
                if answer is None or (item.personal and not data.personal):
                    continue
                value, text = _told_answer(item, answer)
                yield (
                    one.id,
                    data.item_keys[stage.name, name],
                    stop.condition if trial else "",
                    games.get(trial.number, "") if trial else "",
                    value,
                    text,
                    opened_for,
                    iso(one.answers[stop.position].at),
                    stage.name,
                    trial.number if trial else None,
                    is_correct(item, answer),
                    one.attempts[stop.position],
                )


def _told_answer(item: Item, answer: Answer) -> tuple[float | None, str]:
    if isinstance(item, Choice):
        chosen = answer if isinstance(answer, tuple) else (str(answer),)
        values = [option.value for option in item.options]
        place = values.index(chosen[0]) if not item.several and chosen[0] in values else None
        return place, ",".join(chosen)
    return (float(answer), "") if isinstance(answer, float | int) else (None, str(answer))


def _stages(data: Data) -> Iterator[Row]:
    for one in data.people:
        stops = one.course(data.study)
        for position, entered in sorted(one.entered.items()):
            if position >= len(stops):
                continue
            stop, left, opened = stops[position], one.left.get(position), one.opened.get(position)
            trial = stop.trial
            waited = opened.at if opened else left if stop.kind == "trials" else None
            yield (
                one.id,
                position,
                stop.stage.name,
                stop.kind,
                trial.number if trial else None,
                stop.condition,
                trial.level if trial else "",
                iso(entered),
                iso(left),
                None if left is None else left - entered,
                None if waited is None else waited - entered,
            )


def _rules(data: Data) -> Iterator[Row]:
    written = iso(data.cohort.began.at if data.cohort.began else None)
    for rule in data.study.exclusions:
        how = "below" if rule.below is not None else "above" if rule.above is not None else "equal to"
        value = (
            rule.equals if rule.equals is not None else rule.below if rule.below is not None else rule.above
        )
        told = f"{value:g}" if isinstance(value, float) else str(value)
        text = f"{rule.of}s whose {rule.measure} is {how} {told}"
        excluded = sum(row[2] == rule.name for row in data.exclusions)
        yield rule.name, text, written, rule.of, rule.measure, excluded


def _exclusions(data: Data) -> Iterator[Row]:
    yield from data.exclusions


def _outcomes(data: Data) -> Iterator[Row]:
    study = data.study
    for each in study.outcomes:
        title = text_of(study, each.title, study.language) if each.title else each.name.replace("_", " ")
        yield each.name, title, each.source, each.primary, each.hypothesis, each.better


def _recruited(data: Data) -> Iterator[Row]:
    for one in data.cohort.people.values():
        status = one.ended.status if one.ended else ""
        code = data.study.recruitment.codes.get(one.ended.status, "") if one.ended else ""
        told = ", ".join(f"{name}={value}" for name, value in sorted(one.arrived.kept.items()))
        yield one.id, one.arrived.recruited, one.arrived.invitation, told, status, code


def _codebook(data: Data) -> Iterator[Row]:
    for table in TABLES:
        for column in table.columns:
            yield table.name, column.name, column.type, column.unit, column.meaning


ROWS: Mapping[str, Callable[[Data], Iterator[Row]]] = {
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

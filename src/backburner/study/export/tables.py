"""The tables that a study exports: those that an analysis reads, with what a study knows besides.

Tables and columns of ``analysis.tables`` come first and mean what they mean there; further columns follow.
Nobody's rows are left out for a rule's sake: ``exclusions`` names them.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from backburner.evaluation.tables.schema import ColumnRow, Table, means
from backburner.study.analysis import tables

Trial = Annotated[int | None, means("its place among the person's episodes, from 1; empty outside of them")]


class ConditionRow(tables.ConditionRow, frozen=True, kw_only=True):
    """A condition, with what the study file says of it."""

    people: Annotated[int, means("the most people in a game")]
    baseline: Annotated[bool, means("whether the others are compared with it")]


class ParticipantRow(tables.ParticipantRow, frozen=True, kw_only=True):
    """A participant, with how far the person came and how well they attended."""

    end: Annotated[str, means("complete, dropped or unmatched; empty for those who have not ended")]
    team: Annotated[str, means("the people who play together")]
    row: Annotated[int | None, means("the row of the table of orders that the team has, from 1")]
    stage: Annotated[str, means("the last stage that was reached")]
    checks: Annotated[int, means("attention checks that were answered")]
    checks_failed: Annotated[int, means("those that were answered wrongly")]
    straight_lines: Annotated[float | None, means("share of rating forms whose answers are all the same")]
    simulated: Annotated[bool, means("whether it is no person but a rehearsal's")]


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


class DecisionRow(Struct, frozen=True, kw_only=True):
    """A decision of a participant in a game, as the page of the game saw it."""

    participant: tables.Participant
    condition: tables.Condition
    stage: Annotated[str, means("the name of the part of the study in the study file")]
    order: Trial
    episode: tables.Episode
    scenario: Annotated[str, means("the scenario's id")]
    seat: Annotated[str, means("the person's seat")]
    step: Annotated[int, means("the decision point, from 0; in a game with a clock the frame")]
    seconds: Annotated[
        float,
        means(
            "from when what is asked was shown, in a game with a clock from the decision before, to when the"
            " server accepted the answer; by the page's clock",
            "seconds",
        ),
    ]
    round_trip: Annotated[
        float | None, means("to the server and back: median of the page's pings meanwhile", "seconds")
    ]
    away: Annotated[int, means("how often the page lost the focus meanwhile")]
    away_seconds: Annotated[float, means("for how long it was without", "seconds")]
    input: Annotated[str, means("mouse, touch, pen or key")]
    view: Annotated[str, means("2d or 3d")]


class ChangeRow(Struct, frozen=True, kw_only=True):
    """Something that a participant has switched on or off in a game."""

    participant: tables.Participant
    condition: tables.Condition
    order: Trial
    episode: tables.Episode
    what: Annotated[
        str,
        means("solid (three dimensions), recipes, help, sound or theme (on: dark; first as it began)"),
    ]
    on: Annotated[bool, means("on or off; of a text, opened or closed")]
    seconds: Annotated[float, means("since the page of the game was opened", "seconds")]


class InterventionRow(Struct, frozen=True, kw_only=True):
    """Something that the researcher did while the study ran."""

    at: Annotated[str, means("when, as 2026-11-22T09:30:00Z")]
    what: Annotated[str, means("message, dropped (somebody was taken out), closed or opened (recruitment)")]
    participant: Annotated[str, means("to whom it was done; empty for recruitment")] = ""
    stage: Annotated[str, means("the part that the participant was at, by its name in the study file")] = ""
    order: Trial = None
    condition: Annotated[str, means("of the game, or of the part that belongs to one")] = ""
    text: Annotated[str, means("of the message, or the reason")] = ""
    read: Annotated[str, means("when the participant said that they had read it")] = ""


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
    end: Annotated[str, means("complete, declined, withdrawn, dropped, unmatched; empty for those under way")]
    code: Annotated[str, means("the completion code that was shown")]


def _with(table: Table, rows: type[Struct]) -> Table:
    return Table(table.name, table.row, rows)


CONDITIONS = _with(tables.CONDITIONS, ConditionRow)
PARTICIPANTS = _with(tables.PARTICIPANTS, ParticipantRow)
EPISODES = _with(tables.EPISODES, EpisodeRow)
ITEMS = _with(tables.ITEMS, ItemRow)
ANSWERS = _with(tables.ANSWERS, AnswerRow)
STAGES = Table("stages", "stage of a participant", StageRow)
DECISIONS = Table("decisions", "decision of a participant in a game", DecisionRow)
CHANGES = Table("changes", "something that a participant switched in a game", ChangeRow)
RULES = _with(tables.RULES, RuleRow)
OUTCOMES = _with(tables.OUTCOMES, OutcomeRow)
INTERVENTIONS = Table("interventions", "thing that the researcher did meanwhile", InterventionRow)
CODEBOOK = Table("codebook", "column of a table", CodebookRow)

TABLES = (
    *(CONDITIONS, PARTICIPANTS, EPISODES, tables.MEASURES, ITEMS, ANSWERS, STAGES, DECISIONS, CHANGES),
    *(RULES, tables.EXCLUSIONS, OUTCOMES, tables.FLOW, INTERVENTIONS, CODEBOOK),
)
"""All of them, but for ``RECRUITED``."""

RECRUITED = Table(
    "recruited",
    "participant, whether they agreed or not; written only where personal data are asked for, to pay people",
    RecruitedRow,
)

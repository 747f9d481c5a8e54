"""The tables that a study exports: those that an analysis reads, with what only a study knows beside them.

Tables and columns of ``analysis.tables`` come first and mean what they mean there; further columns follow.
Nobody's rows are left out for a rule's sake: ``exclusions`` names them.
"""

from __future__ import annotations

from backburner.evaluation.export.columns import Column, Table
from backburner.study.analysis import tables

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

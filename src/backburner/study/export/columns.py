"""The tables that a study exports, and their columns: what each holds, in which unit.

Every table is tidy: a row is one thing, a column one property. ``participant`` joins ``participants``,
``episodes``, ``answers`` and ``stages``; (``participant``, ``trial``) joins an episode with the answers that
were given about it. What the study file says (conditions, outcomes, items, rules) is exported as well, so
that an analysis needs nothing but the tables.

``counts`` is false in the rows of whom or what an exclusion rule of the study file excludes, of practice, and
of simulated participants beside real ones.
"""

from __future__ import annotations

from collections.abc import Iterable

from backburner.evaluation.export.columns import Column, Table

PARTICIPANT = Column("participant", "text", "who: drawn by chance, the same in all tables")
CONDITION = Column("condition", "text", "the condition's name in the study file; empty outside of trials")
LEVEL = Column("level", "text", "the level's name in the study file; empty outside of trials")
TRIAL = Column("trial", "integer", "the trial of this participant, from 1; empty outside of trials")
COUNTS = Column("counts", "truth", "whether the analysis takes this row")
EXCLUDED = Column("excluded", "text", "the names of the rules that exclude it, with commas between them")

PARTICIPANTS = Table(
    "participants",
    "participant",
    (
        PARTICIPANT,
        Column("team", "text", "the people who play together: one participant's own name where nobody does"),
        Column("status", "text", "complete, in progress, declined, withdrawn, unmatched or idle"),
        Column("row", "integer", "the row of the table of orders that the team was given, from 1"),
        Column("order", "text", "conditions in the order in which they come, with > between them"),
        Column("language", "text", "of the pages, as BCP 47 writes it"),
        Column("arrived_at", "text", "when, UTC, as ISO 8601 writes it"),
        Column("ended_at", "text", "when; empty for those in progress"),
        Column("minutes", "number", "from arrival to the end, or to the last thing that was done", "minutes"),
        Column("stage", "text", "the last stage that was reached"),
        Column("trials", "integer", "trials whose episode was played to its end"),
        Column("checks", "integer", "attention checks that were answered"),
        Column("checks_failed", "integer", "those that were answered wrongly"),
        Column("straight_lines", "number", "share of rating forms whose answers are all the same"),
        Column("simulated", "truth", "whether it is no person but a rehearsal's"),
        Column("study", "text", "the digest of the study file under which it arrived"),
        COUNTS,
        EXCLUDED,
    ),
)

_EPISODES: tuple[Column, ...] = (
    Column("episode", "text", "the game's id; people who played together have a row each"),
    PARTICIPANT,
    Column("team", "text", "the people who play together"),
    TRIAL,
    CONDITION,
    LEVEL,
    Column("practice", "truth", "whether it is a practice round"),
    Column("world", "text", "the world's name"),
    Column("scenario", "text", "the scenario's id"),
    Column("seed", "integer", "of chance in play"),
    Column("seat", "text", "the participant's seat"),
    Column("people", "integer", "people who had a seat"),
    Column("agents", "integer", "bodies that agents or models commanded, at the start"),
    Column("started_at", "text", "when the game was opened, UTC"),
    Column("seconds", "number", "from the first frame to the last", "seconds"),
    Column("status", "text", "ended, cut off, failed (a call), stopped, capped, interrupted"),
    Column("reason", "text", "the world's word for it"),
    Column("steps", "integer", "decision points"),
    Column("decisions", "integer", "those at which this participant's seat was asked"),
    Column("stood_in", "integer", "those of them that a stand-in answered"),
    Column("slips", "integer", "lines of the participant that were explained and cost nothing"),
    Column("refusals", "integer", "decisions of this seat, or parts of them, that were not carried out"),
    Column("record", "text", "the record's file, in the folder of the export; empty where it is gone"),
    COUNTS,
    EXCLUDED,
)

METRIC, NUMBER = "metric_", "number_"
"""What columns of episodes begin with: a metric of the world's scoring, a number of the world's outcome."""


def episodes_table(figures: Iterable[Column]) -> Table:
    """The table of episodes, with a column for each metric and number that the worlds of the study have."""
    return Table("episodes", "participant's part in a game", (*_EPISODES, *figures))


ANSWERS = Table(
    "answers",
    "answer to an item",
    (
        PARTICIPANT,
        TRIAL,
        CONDITION,
        LEVEL,
        Column("stage", "text", "the stage's name in the study file"),
        Column("questionnaire", "text", "its name in the study file"),
        Column("item", "text", "the item's name"),
        Column("construct", "text", "what the item measures; empty for other items"),
        Column("kind", "text", "likert, choice, number or text"),
        Column("value", "number", "the rating or number; of a choice its place among the options, from 0"),
        Column("scored", "number", "the rating, turned round where the item is worded the other way"),
        Column("text", "text", "the text, or the values chosen with commas between them"),
        Column("check", "text", "attention or comprehension, for items with a right answer"),
        Column("correct", "truth", "whether it is the right one; empty for items without"),
        Column("attempts", "integer", "how often the form was sent until it was complete and right"),
        Column("answered_at", "text", "when, UTC"),
        COUNTS,
    ),
)

STAGES = Table(
    "stages",
    "stage of a participant",
    (
        PARTICIPANT,
        Column("position", "integer", "the stage's place in the participant's course, from 0"),
        Column("stage", "text", "its name in the study file"),
        Column("kind", "text", "text, consent, form, play or end"),
        TRIAL,
        CONDITION,
        LEVEL,
        Column("entered_at", "text", "when it was first shown, UTC"),
        Column("left_at", "text", "when it was done; empty if it was not"),
        Column("seconds", "number", "from the one to the other, waiting for others included", "seconds"),
        Column("waited_seconds", "number", "of these, waiting for other people to come", "seconds"),
    ),
)

CONDITIONS = Table(
    "conditions",
    "condition of the study file, in its order",
    (
        CONDITION,
        Column("title", "text", "in the study's main language"),
        Column("people", "integer", "people in a game; empty where levels differ"),
        Column("agents", "integer", "bodies that agents or models command; empty where levels differ"),
        Column("players", "text", "who has each seat, as seat=player, with commas between them"),
        Column("baseline", "truth", "whether the others are compared with it"),
    ),
)

OUTCOMES = Table(
    "outcomes",
    "outcome that the study file declares, in its order",
    (
        Column("outcome", "text", "its name"),
        Column("title", "text", "in the study's main language"),
        Column("source", "text", "the column of episodes it is (metric_..., number_...), or construct:NAME"),
        Column("primary", "truth", "whether a hypothesis rests on it"),
        Column("better", "text", "higher, lower or neither"),
        Column("lowest", "number", "the end that it cannot lie below; empty where there is none"),
        Column("highest", "number", "the end that it cannot lie above; empty where there is none"),
        Column("unit", "text", "the unit; empty for pure numbers and ratings"),
    ),
)

ITEMS = Table(
    "items",
    "item of a questionnaire",
    (
        Column("questionnaire", "text", "its name"),
        Column("item", "text", "its name"),
        Column("construct", "text", "what it measures"),
        Column("kind", "text", "likert, choice, number or text"),
        Column("wording", "text", "in the study's main language"),
        Column("low", "text", "what the lowest rating stands for"),
        Column("high", "text", "what the highest rating stands for"),
        Column("lowest", "number", "the lowest answer"),
        Column("highest", "number", "the highest answer"),
        Column("options", "text", "of a choice: the values, with commas between them"),
        Column("reversed", "truth", "whether it is worded the other way"),
        Column("check", "text", "attention or comprehension"),
        Column("personal", "truth", "whether answers may tell who somebody is; left out unless asked for"),
    ),
)

RULES = Table(
    "exclusions",
    "exclusion rule, written before the study",
    (
        Column("rule", "text", "its name"),
        Column("of", "text", "participant or episode"),
        Column("measure", "text", "what it looks at"),
        Column("below", "number", "excludes what is below; empty if not"),
        Column("above", "number", "excludes what is above; empty if not"),
        Column("equals", "text", "excludes what is equal to it; empty if not"),
        Column("excluded", "integer", "how many it excludes"),
    ),
)

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

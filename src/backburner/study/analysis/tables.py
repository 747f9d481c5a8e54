"""The tables of a study's data, and their columns: what an export writes and an analysis reads.

A folder holds one file for each table, ``<table>.csv`` or ``<table>.parquet``. Tables and columns that
``NEEDED`` does not name may be missing, and columns that stand nowhere here are passed over, so that data of
one's own need little: ``episodes`` and ``measures``, or ``answers``.

A person, a condition, an episode, an item, a measure, an outcome and a rule each have a key, which is any
text; tables are joined by these. An empty text means that nothing is known; an empty number is a missing
value, and is told as one.
"""

from __future__ import annotations

from collections.abc import Mapping

from backburner.evaluation.tables.columns import Column, Table, texts

PARTICIPANT = Column("participant", "text", "the participant's code, which says nothing about the person")
CONDITION = Column("condition", "text", "the condition's key")
EPISODE = Column("episode", "text", "the episode's key: joins the tables")


CONDITIONS = Table(
    "conditions",
    "condition, in the order of tables and charts",
    (
        CONDITION,
        Column("label", "text", "what tables and charts call it; by default its key"),
        Column("about", "text", "who plays with the participant, in a sentence"),
    ),
)

PARTICIPANTS = Table(
    "participants",
    "person who gave consent and has not withdrawn it",
    (
        PARTICIPANT,
        Column("group", "text", "the group that the person belongs to, where groups are compared"),
        Column("status", "text", "finished, left or open"),
        Column("sequence", "text", "the conditions in this person's order, with blanks between them"),
        *texts(language="of the study's texts", source="where the person came from"),
        *texts(started="when, as 2026-11-22T09:30:00Z", ended="the same; empty if it did not end"),
        Column("seconds", "number", "from consent to end, pauses included", "seconds"),
    ),
)

EPISODES = Table(
    "episodes",
    "participant in an episode: one that two people play has two rows",
    (
        EPISODE,
        PARTICIPANT,
        CONDITION,
        Column("team", "text", "the key of those who played it together; empty for one person"),
        Column("order", "integer", "its place among the person's episodes, from 1, practice aside"),
        Column("practice", "truth", "whether it is for practice, and counts nowhere"),
        *texts(world="the world's name", scenario="the scenario's id", seat="the person's"),
        Column("seed", "integer", "of chance in play"),
        *texts(
            status="ended, cut off, failed, stopped or capped",
            players="who had the seats, with commas between them",
            record="the record's file, as its path in the folder",
            started="when, as 2026-11-22T09:30:00Z",
        ),
        Column("seconds", "number", "from the first frame to the end", "seconds"),
        Column("stand_in_steps", "integer", "decisions that a stand-in took in the person's place"),
        Column("level", "text", "the level's name in the study file; by default its scenario"),
    ),
)

MEASURES = Table(
    "measures",
    "number of an episode",
    (
        EPISODE,
        Column("measure", "text", "the metric's short name, or the measure's"),
        Column("value", "number", "the number; empty where it is not defined"),
        Column("title", "text", "what it is in words"),
        Column("unit", "text", "its unit; empty for pure numbers"),
        Column("lowest", "number", "the least that it can be; empty if there is no such end"),
        Column("highest", "number", "the most that it can be"),
    ),
)

ITEMS = Table(
    "items",
    "item of a questionnaire, in its order",
    (
        Column("item", "text", "the item's key"),
        Column("text", "text", "as it was asked"),
        Column("label", "text", "what tables and charts call it; by default its key"),
        Column("kind", "text", "likert, number, choice, text or check (of attention)"),
        Column("lowest", "number", "the least answer of a Likert item"),
        Column("highest", "number", "the greatest one"),
        Column("low_label", "text", "what the least answer means"),
        Column("high_label", "text", "what the greatest one means"),
        Column("scale", "text", "the scale whose mean it belongs to; empty if it stands alone"),
        Column("reversed", "truth", "whether a high answer means little of what the scale measures"),
    ),
)

ANSWERS = Table(
    "answers",
    "answer to an item",
    (
        PARTICIPANT,
        Column("item", "text", "the item's key"),
        Column("condition", "text", "of the episode that it is about; empty if it is about none"),
        Column("episode", "text", "the episode that it is about; empty if it is about none"),
        Column("value", "number", "the answer as a number, as it was given; empty for other answers"),
        Column("text", "text", "the answer in words, if it is one in words or a choice"),
        Column("seconds", "number", "for which the form had been open", "seconds"),
        Column("answered", "text", "when, as 2026-11-22T09:30:00Z"),
    ),
)

RULES = Table(
    "rules",
    "rule of exclusion that was written down before there were data",
    (
        Column("rule", "text", "the rule's key"),
        Column("text", "text", "whom or what it excludes, in words"),
        Column("written", "text", "when it was written down"),
    ),
)

EXCLUSIONS = Table(
    "exclusions",
    "participant, or episode of one, that a rule excludes",
    (
        PARTICIPANT,
        Column("episode", "text", "the episode that is excluded; empty if all of the person's data are"),
        Column("rule", "text", "the rule's key"),
        Column("detail", "text", "what was found"),
    ),
)

OUTCOMES = Table(
    "outcomes",
    "outcome that was named before there were data, in its order",
    (
        Column("outcome", "text", "its name"),
        Column("title", "text", "in the study's main language"),
        Column("source", "text", "metric:, number: or construct: and its name"),
        Column("primary", "truth", "whether a hypothesis rests on it"),
        Column("hypothesis", "text", "which"),
    ),
)

TABLES = (CONDITIONS, PARTICIPANTS, EPISODES, MEASURES, ITEMS, ANSWERS, RULES, EXCLUSIONS, OUTCOMES)
"""All of them. Nobody's rows are left out for a rule's sake: ``exclusions`` names them."""

NEEDED: Mapping[str, tuple[str, ...]] = {
    "conditions": ("condition",),
    "participants": ("participant",),
    "episodes": ("episode", "participant", "condition"),
    "measures": ("episode", "measure", "value"),
    "items": ("item",),
    "answers": ("participant", "item", "value"),
    "rules": ("rule",),
    "exclusions": ("participant", "rule"),
    "outcomes": ("outcome", "source"),
}
"""The columns that a table has to have, if it is there."""

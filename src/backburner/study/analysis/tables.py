"""The tables of a study's data, and their columns: what an export writes and an analysis reads.

A folder holds one file for each table, ``<table>.csv`` or ``<table>.parquet``. Tables, and columns that
are not ``needed``, may be missing, and columns that stand nowhere here are passed over, so that data of
one's own need little: ``episodes`` and ``measures``, or ``answers``.

A person, a condition, an episode, an item, a measure, an outcome and a rule each have a key, which is any
text; tables are joined by these. An empty text means that nothing is known; an empty number is a missing
value, and is told as one.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from backburner.evaluation.tables.schema import Table, means

FEWEST_CROSSED = 5
"""Of fewer units or scenarios no variance is estimated where they are crossed: it would hardly be one."""

Participant = Annotated[
    str, means("the participant's code, which says nothing about the person", needed=True)
]
Condition = Annotated[str, means("the condition's key", needed=True)]
Episode = Annotated[str, means("the episode's key: joins the tables", needed=True)]
ItemKey = Annotated[str, means("the item's key", needed=True)]
RuleKey = Annotated[str, means("the rule's key", needed=True)]


class ConditionRow(Struct, frozen=True, kw_only=True):
    """A condition, in the order of tables and charts."""

    condition: Condition
    label: Annotated[str, means("what tables and charts call it; by default its key")]
    about: Annotated[str, means("who plays with the participant, in a sentence")]
    factors: Annotated[str, means("its level of each factor, as partner=strong; pressure=calm")]


class ParticipantRow(Struct, frozen=True, kw_only=True):
    """A person who gave consent and has not withdrawn it."""

    participant: Participant
    group: Annotated[str, means("the group that the person belongs to, where groups are compared")]
    status: Annotated[str, means("finished, left or open")]
    sequence: Annotated[str, means("the conditions in this person's order, with blanks between them")]
    language: Annotated[str, means("of the study's texts")]
    source: Annotated[str, means("where the person came from")]
    started: Annotated[str, means("when, as 2026-11-22T09:30:00Z")]
    ended: Annotated[str, means("the same; empty if it did not end")]
    seconds: Annotated[float, means("from consent to end, pauses included", "seconds")]
    study: Annotated[str, means("the digest of the study file under which the person arrived")]


class EpisodeRow(Struct, frozen=True, kw_only=True):
    """A participant in an episode: one that two people play has two rows."""

    episode: Episode
    participant: Participant
    condition: Condition
    team: Annotated[str, means("the key of those who played it together; empty for one person")]
    order: Annotated[int | None, means("its place among the person's episodes, from 1, practice aside")]
    practice: Annotated[bool, means("whether it is for practice, and counts nowhere")]
    world: Annotated[str, means("the world's name")]
    scenario: Annotated[str, means("the scenario's id")]
    seat: Annotated[str, means("the person's")]
    seed: Annotated[int, means("of chance in play")]
    status: Annotated[str, means("ended, cut off, failed, stopped or capped")]
    players: Annotated[str, means("who had the seats, with commas between them")]
    record: Annotated[str, means("the record's file, as its path in the folder")]
    started: Annotated[str, means("when, as 2026-11-22T09:30:00Z")]
    seconds: Annotated[float, means("from the first frame to the end", "seconds")]
    stand_in_steps: Annotated[int, means("decisions that a stand-in took in the person's place")]
    level: Annotated[str, means("the level's name in the study file; by default its scenario")]


class MeasureRow(Struct, frozen=True, kw_only=True):
    """A number of an episode."""

    episode: Episode
    measure: Annotated[str, means("the metric's short name, or the measure's", needed=True)]
    value: Annotated[float | None, means("the number; empty where it is not defined", needed=True)]
    title: Annotated[str, means("what it is in words")]
    unit: Annotated[str, means("its unit; empty for pure numbers")]
    lowest: Annotated[float | None, means("the least that it can be; empty if there is no such end")]
    highest: Annotated[float | None, means("the most that it can be")]


class ItemRow(Struct, frozen=True, kw_only=True):
    """An item of a questionnaire, in its order."""

    item: ItemKey
    text: Annotated[str, means("as it was asked")]
    label: Annotated[str, means("what tables and charts call it; by default its key")]
    kind: Annotated[str, means("likert, number, choice, text or check (of attention)")]
    lowest: Annotated[float | None, means("the least answer of a Likert item")]
    highest: Annotated[float | None, means("the greatest one")]
    low_label: Annotated[str, means("what the least answer means")]
    high_label: Annotated[str, means("what the greatest one means")]
    scale: Annotated[str | None, means("the scale whose mean it belongs to; empty if it stands alone")]
    reversed: Annotated[bool, means("whether a high answer means little of what the scale measures")]


class AnswerRow(Struct, frozen=True, kw_only=True):
    """An answer to an item."""

    participant: Participant
    item: ItemKey
    condition: Annotated[str, means("of the episode that it is about; empty if it is about none")]
    episode: Annotated[str, means("the episode that it is about; empty if it is about none")]
    value: Annotated[
        float | None,
        means("the answer as a number, as it was given; empty for other answers", needed=True),
    ]
    text: Annotated[str, means("the answer in words, if it is one in words or a choice")]
    seconds: Annotated[float, means("for which the form had been open", "seconds")]
    answered: Annotated[str, means("when, as 2026-11-22T09:30:00Z")]


class RuleRow(Struct, frozen=True, kw_only=True):
    """A rule of exclusion that was written down before there were data."""

    rule: RuleKey
    text: Annotated[str, means("whom or what it excludes, in words")]
    written: Annotated[str, means("when it was written down")]


class ExclusionRow(Struct, frozen=True, kw_only=True):
    """A participant, or an episode of one, that a rule excludes."""

    participant: Participant
    episode: Annotated[str, means("the episode that is excluded; empty if all of the person's data are")]
    rule: RuleKey
    detail: Annotated[str, means("what was found")]


class OutcomeRow(Struct, frozen=True, kw_only=True):
    """An outcome that was named before there were data, in its order."""

    outcome: Annotated[str, means("its name", needed=True)]
    title: Annotated[str, means("in the study's main language")]
    source: Annotated[str, means("metric:, number: or construct: and its name", needed=True)]
    primary: Annotated[bool, means("whether a hypothesis rests on it")]
    hypothesis: Annotated[str, means("which")]
    intercepts: Annotated[
        str, means("the random ones of its mixed model: participants, or participants+scenarios")
    ]


class FlowRow(Struct, frozen=True):
    """How many people came to a step, where and why; its rows part them, but for those by condition."""

    step: Annotated[
        str,
        means(
            "arrived, forgotten (their data are removed), declined, undecided, agreed, not_allocated,"
            " allocated, played (games of the condition to their end), withdrew, dropped (by the researcher),"
            " unmatched, open, finished, excluded (by the first rule that does), games_left_out, without (a"
            " game that counts), counted (games of the condition in the analysis), analysed",
            needed=True,
        ),
    ]
    group: Annotated[str, means("the group between subjects; empty before allocation, and without groups")]
    condition: Annotated[str, means("of played and counted: of which condition")]
    detail: Annotated[str, means("the part reached, the rule, or why the data are gone")]
    people: Annotated[int, means("so many people", needed=True)]
    games: Annotated[int, means("games of theirs in the trials, where these are counted")]


CONDITIONS = Table("conditions", "condition, in the order of tables and charts", ConditionRow)
PARTICIPANTS = Table("participants", "person who gave consent and has not withdrawn it", ParticipantRow)
EPISODES = Table("episodes", "participant in an episode: one that two people play has two rows", EpisodeRow)
MEASURES = Table("measures", "number of an episode", MeasureRow)
ITEMS = Table("items", "item of a questionnaire, in its order", ItemRow)
ANSWERS = Table("answers", "answer to an item", AnswerRow)
RULES = Table("rules", "rule of exclusion that was written down before there were data", RuleRow)
EXCLUSIONS = Table("exclusions", "participant, or episode of one, that a rule excludes", ExclusionRow)
OUTCOMES = Table("outcomes", "outcome that was named before there were data, in its order", OutcomeRow)
FLOW = Table("flow", "step of the study, with how many people came to it", FlowRow)

TABLES = (CONDITIONS, PARTICIPANTS, EPISODES, MEASURES, ITEMS, ANSWERS, RULES, EXCLUSIONS, OUTCOMES, FLOW)
"""All of them. Nobody's rows are left out for a rule's sake: ``exclusions`` names them."""

"""The tables of an export, a struct for the rows of each, and how rows become Parquet.

The same rows give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from backburner.evaluation.tables.schema import Table, means, write_groups
from backburner.training.export.demonstrations import Settings, by_calls

GROUP_ROWS, GROUP_BYTES = 1000, 32 << 20
"""A row group ends with so many rows, or when they have so many bytes as JSON: no more is in memory."""


class Said(Struct, frozen=True):
    """A message of a conversation."""

    role: str
    content: str


class Called(Struct, frozen=True):
    """The tool that is called, and its arguments as JSON."""

    name: str
    arguments: str


class Calling(Struct, frozen=True):
    """A call of a tool, in the form of OpenAI."""

    id: str
    type: str
    function: Called


class Told(Said, frozen=True):
    """A message that calls tools, or tells what came of a call."""

    tool_calls: list[Calling] | None = None
    tool_call_id: str | None = None


class Option(Struct, frozen=True):
    """What the world would accept in a state, with its worth."""

    label: str
    passes: bool
    finish: int | None
    lost: int | None
    dead: bool | None
    optimal: bool | None


class Briefing(Struct, frozen=True):
    """What a seat is told before play."""

    seat: str
    text: str


World = Annotated[str, means("the world's name")]
Scenario = Annotated[str, means("the scenario's id, or the file that it is in")]
Rules = Annotated[str, means("the rule set's name")]
Agent = Annotated[str, means("who plays")]
Seed = Annotated[int, means("of chance in play")]
Step = Annotated[int, means("the decision point, from 0")]
Dead = Annotated[bool | None, means("whether not everything can be done any more after it")]
TimeUnit = Annotated[str, means("the unit of times")]
ResultUnit = Annotated[str, means("minutes, seconds, steps or what is counted")]


class MessagesRow(Struct, frozen=True, kw_only=True):
    """A conversation of a prompting method with the demonstration in a model's place."""

    id: Annotated[str, means("scenario, agent, seed, method, seat and first step: no two rows have the same")]
    world: World
    scenario: Scenario
    rules: Rules
    agent: Agent
    seed: Seed
    method: Annotated[str, means("the prompting method, with its choices")]
    seat: Annotated[str, means("who is asked")]
    first_step: Annotated[int, means("its first decision point, from 0")]
    last_step: Annotated[int, means("its last one")]
    messages: Annotated[Sequence[Said], means("role and content, as the method sends them and is answered")]
    own: Annotated[
        list[int], means("the places of the answers given here; others are told again, or examples")
    ]
    completed: Annotated[bool, means("whether everything was done in the end")]
    objective: Annotated[int | None, means("what the episode is worth: the time it took, or what was served")]
    best: Annotated[int | None, means("what the oracle's plan is worth; null where there is none")]
    proven: Annotated[bool, means("whether no plan is better than `best`")]
    regret: Annotated[
        int | None, means("how much worse the episode is than the proven best; null if not proven")
    ]
    unit: ResultUnit
    informed: Annotated[bool, means("whether the agent knows more than its seat may know")]


class CallsRow(MessagesRow, frozen=True, kw_only=True):
    """The same of a method that calls tools, in the form of TRL and OpenAI."""

    messages: Annotated[
        Sequence[Told], means("role, content, calls of tools, and the id of the call whose result is told")
    ]
    tools: Annotated[str | None, means("the tools that are offered, as JSON; null where none are")]


class StateRow(Struct, frozen=True, kw_only=True):
    """A seat at a decision point."""

    episode: Annotated[str, means("scenario, agent and seed")]
    world: World
    scenario: Scenario
    rules: Rules
    agent: Agent
    seed: Seed
    step: Step
    seat: Annotated[str, means("who decides")]
    text: Annotated[str, means("what the seat is told")]
    state: Annotated[str, means("the state as JSON")]
    digest: Annotated[str, means("of the state")]
    menu: Annotated[list[Option], means("what the world would accept, each with its worth")]
    menu_complete: Annotated[bool, means("whether that is everything")]
    decision: Annotated[str, means("what the seat decides, as the menu has it or in the world's words")]
    decision_json: Annotated[str | None, means("the same as a value; null if it could not be read")]
    refusal: Annotated[str, means("the code of its first refusal; empty if it was accepted")]
    now: Annotated[int | None, means("the time, where the oracle tells it")]
    to_go: Annotated[
        int | None,
        means("from now to the earliest time at which everything can be done; null if not known or never"),
    ]
    lost: Annotated[
        int | None,
        means("how much later that time is after the decision: 0 is optimal, null is unknown or never"),
    ]
    dead: Dead
    optimal: Annotated[bool | None, means("whether nothing is lost by it, and it is accepted")]
    last: Annotated[bool, means("whether play is over with it")]
    optimal_decisions: Annotated[list[str], means("the choices of the menu by which nothing is lost")]
    reward: Annotated[
        float | None, means("the score when play is over, or 1 if everything is done then; 0 before")
    ]
    reward_score: Annotated[float | None, means("by how much the score has risen")]
    reward_potential: Annotated[
        float | None, means("the same, shaped by a bound on what is left; no optimal play changes by it")
    ]
    unit: TimeUnit


class PreferenceRow(Struct, frozen=True, kw_only=True):
    """A pair of a better and a worse decision."""

    world: World
    scenario: Scenario
    rules: Rules
    agent: Agent
    seed: Seed
    step: Step
    seat: Annotated[str, means("who decides")]
    kind: Annotated[str, means("costly: accepted, and loses time; wait; refused: too early, or done already")]
    prompt: Annotated[list[Said], means("what plain prompting has sent up to here")]
    chosen: Annotated[list[Said], means("the better answer")]
    rejected: Annotated[list[Said], means("the worse answer")]
    lost: Annotated[
        int | None, means("the time that the worse one loses; null if not known, or it loses all")
    ]
    dead: Dead
    refusal: Annotated[str, means("the code of the refusal of a refused one; empty for others")]
    unit: TimeUnit


class ScenarioRow(Struct, frozen=True, kw_only=True):
    """A scenario, and how hard it is."""

    world: World
    scenario: Annotated[str, means("its id, or the file that it is in")]
    parts: Annotated[list[str], means("what it is built of; no part is in two splits")]
    group: Annotated[int, means("scenarios that share parts, directly or by others, have the same")]
    rules: Rules
    limits: Annotated[str, means("when play is cut off, as JSON")]
    digest: Annotated[str, means("of the scenario's content")]
    world_version: Annotated[int, means("the world's version")]
    best: Annotated[int | None, means("what the oracle's plan is worth")]
    bound: Annotated[int | None, means("what no plan can beat")]
    greedy: Annotated[
        int | None,
        means("what greedy play is worth; null where there is none, or it does not get everything done"),
    ]
    greedy_regret: Annotated[int | None, means("how much worse that is than the proven best")]
    critical_path: Annotated[int | None, means("the longest chain of activities that wait for each other")]
    work: Annotated[int | None, means("all that the operator has to do, one after the other")]
    activities: Annotated[int | None, means("how many there are")]
    status: Annotated[str, means("optimal, feasible, infeasible or unknown: what is proven of `best`")]
    slack: Annotated[
        float | None, means("the mean over activities of the time that each can be put off, in `best`")
    ]
    branching: Annotated[
        float | None, means("the mean number of choices in the first demonstration's states")
    ]
    values: Annotated[str, means("why states have no values; empty if they have")]
    unit: ResultUnit
    briefings: Annotated[list[Briefing], means("what each seat is told before play")]


MESSAGES = Table(
    "messages",
    "conversation of a prompting method with the demonstration in a model's place",
    MessagesRow,
)
CALLS = replace(MESSAGES, of=CallsRow)
STATES = Table("states", "seat at a decision point", StateRow)
PREFERENCES = Table("preferences", "pair of a better and a worse decision", PreferenceRow)
SCENARIOS = Table("scenarios", "scenario", ScenarioRow)

TABLES: Mapping[str, tuple[Table, ...]] = {
    "messages": (MESSAGES, SCENARIOS),
    "trajectories": (STATES, PREFERENCES, SCENARIOS),
}
"""The tables of each format, each of which is a configuration of the data set; the first is what is loaded
where nobody names one."""


def tables_of(settings: Settings) -> tuple[Table, ...]:
    """The tables of a data set. There are columns for calls only where a method calls tools."""
    tables = TABLES[settings.format]
    calls = settings.format == "messages" and any(map(by_calls, settings.methods))
    return (CALLS, *tables[1:]) if calls else tables


def write(table: Table, lines: Iterable[bytes], file: Path) -> int:
    """Write rows, each a JSON object on a line, to a Parquet file; how many there were.

    Everything that decides the bytes is set here, and the file holds no time, name or path. Raises
    ``MissingExtra``.
    """
    return write_groups(
        table,
        iter(partial(_group, iter(lines)), []),
        file,
        version="2.6",
        data_page_version="1.0",
        compression="zstd",
        compression_level=9,
        use_dictionary=True,
        write_statistics=True,
        store_schema=True,
    )


def _group(lines: Iterator[bytes]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    size = 0
    for line in islice(lines, GROUP_ROWS):
        rows.append(msgspec.json.decode(line))
        size += len(line)
        if size >= GROUP_BYTES:
            break
    return rows

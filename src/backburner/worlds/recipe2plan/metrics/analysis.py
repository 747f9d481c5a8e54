"""What agents did and how play ended in Recipe2Plan (article, Figure 5 and Table 15); the figures.

Figures 3, 4 and 5 show feasibility, hints, errors and failures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from backburner.kernel.charts import Bar, Bars, Figure, Group, Stack, Stacks
from backburner.kernel.episode import Entry, Episode
from backburner.kernel.experiments import Experiment
from backburner.kernel.scoring import (
    Estimator,
    Measured,
    Measures,
    Metric,
    Published,
    Section,
    by_agent,
    grouped,
)
from backburner.kernel.values import Refusal

VALID = "valid"
NO_ACTION = "No Action"

KINDS = {
    "no_action": NO_ACTION,
    "unknown_recipe": "Wrong Recipe",
    "unknown_step": "Wrong Action",
    "past_time": "Time Error",
    "beyond_time": "Time Error",
    "object_occupied": "Object Occupancy",
    "object_property": "Object Temperature",
    "dep_incomplete": "Dependency",
    "dep_unfinished": "Dependency",
    "already_done": "Repeated Action",
    "already_running": "Repeated Action",
    "time_constraint": "Time Constraint",
    "no_duration": "Action Duration",
    "duration_exceeds": "Action Duration",
    "not_interruptible": "Execution Interruptibility",
}
"""Names of Table 15 by refusal code, in its order. It has none for an answer without an action, and
two more that never occur: two steps at once that keep the cook busy (always a Time Error), and an
object's volume.

``already_running`` is a repeat under standard rules. The released rules, as their message, call so
too long a piece of a begun step (``Rules.running_mixed_up``); it counts by the message here.
"""

MISMATCH = ("Wrong Recipe", "Wrong Action", "Repeated Action")
"""What section 5.2 of the article calls action mismatch."""

COLUMNS = (VALID, *dict.fromkeys(KINDS.values()))

ENDINGS = {
    "success": "completed",
    "time_constraint": "time constraint",
    "stuck": "stuck in a loop",
    "revision_limit": "maximum of revisions",
    "turn_limit": "turns used up",
    "finish": "finished early",
    "stopped": "stopped of itself",
}
"""How an episode ended, by the outcome's reason, or as ``stopped`` by its agent, such as one whose plan is
used up. The article has the first three failures."""

TOLD = {"none": "", "beliefs": ", beliefs stated", "gold": ", truth told"}
"""What a group of the result table is called for the scenario's ``knowledge``."""

HINTS = ", hints"

OTHER = "other"
ENDING_COLUMNS = (*ENDINGS.values(), OTHER)

DECISIONS = "What the agents did"
ENDED = "How the episodes ended"

Rows = Sequence[Measured]


def kind_of_refusal(refusal: Refusal) -> str:
    """The refusal's name in Table 15."""
    return KINDS.get(refusal.code, NO_ACTION)


def counts(episode: Episode) -> dict[str, float]:
    """Numbers of decisions by what became of them; one that only states beliefs is none of these, and a
    thought is no decision."""
    entries = (entry for entry in episode.entries if not _undecided(entry))
    found = Counter(kind_of_refusal(entry.refusals[0]) if entry.refusals else VALID for entry in entries)
    return {name: float(found[name]) for name in COLUMNS}


def _undecided(entry: Entry) -> bool:
    if any(answer.silent for answer in entry.answers.values()):
        return True
    said = bool(entry.events) and all(event.what == "said" for event in entry.events)
    return said and not entry.refusals


def cells(rows: Rows) -> Iterator[tuple[str, str, list[Measured]]]:
    """(agent, setting, episodes); the article's Figure 5 is ``lags on, gold``."""
    for agent, mine in by_agent(rows):
        played = grouped(mine, lambda row: _setting(row[0].header.scenario))
        yield from ((agent, setting, some) for setting, some in played.items())


def _setting(scenario: Mapping[str, Any]) -> str:
    """Whether lags are in force, and what the cook is told beyond the recipes' texts."""
    lags = "lags on" if scenario.get("lags", True) else "lags off"
    knowledge = scenario.get("knowledge", "none")
    told = ([] if knowledge == "none" else [knowledge]) + ["hints"] * scenario.get("hints", False)
    return ", ".join((lags, *told))


def sections(rows: Rows) -> list[Section]:
    """The article's Figure 5 as two tables."""
    return [_kinds_section(rows), _endings_section(rows)]


def decision_shares(rows: Rows) -> dict[str, float]:
    """The per cent of decisions by what became of them, one decimal."""
    total = sum(measures[name] for _, measures in rows for name in COLUMNS) or 1.0
    return {name: round(100 * sum(measures[name] for _, measures in rows) / total, 1) for name in COLUMNS}


def _kinds_section(rows: Rows) -> Section:
    table = [(agent, setting, *decision_shares(mine).values()) for agent, setting, mine in cells(rows)]
    return Section(
        DECISIONS,
        "Shares of all decisions, in per cent: those carried out in full, and those of which something "
        "was refused, by the kinds of the article's Table 15. What section 5.2 calls action mismatch is "
        f"{', '.join(MISMATCH[:-1])} and {MISMATCH[-1]} together; broken time constraints are a source of "
        "failure there and no invalid actions.",
        ("agent", "setting", *COLUMNS),
        tuple(table),
    )


def ending_shares(rows: Rows) -> dict[str, float]:
    """The per cent of episodes by how they ended, one decimal."""
    count = Counter(ENDINGS.get(_ending(episode, measures), OTHER) for episode, measures in rows)
    return {name: round(100 * count[name] / len(rows), 1) for name in ENDING_COLUMNS}


def _endings_section(rows: Rows) -> Section:
    table = [
        (agent, setting, len(mine), *ending_shares(mine).values()) for agent, setting, mine in cells(rows)
    ]
    return Section(
        ENDED,
        "Shares of episodes, in per cent: every recipe complete, or what cut play off. Section 5.2 and "
        "Figure 5 of the article have time constraint, loop and revisions as the sources of failure.",
        ("agent", "setting", "episodes", *ENDING_COLUMNS),
        tuple(table),
    )


def _ending(episode: Episode, measures: Measures) -> str:
    ending = episode.ending
    if measures["success"] or ending is None:
        return "success" if measures["success"] else ""
    return ending.status if ending.status == "stopped" else ending.reason


GOLD = TOLD["gold"]
"""What a group's name says of a cook who is told the constraints, as the article's oracle setting has it."""

BALANCED = "GPT-4o (ReAct + Oracle)"
FEASIBLE = "GPT-4o (ReAct + Oracle, feasibility first)"
"""The article's rows that its Figures 3 and 4 are about."""

FIGURE_3 = ("Success", "Progress", "R-Efficiency", "SxE")
FIGURE_4 = ("Success", "SxE")


def comparisons(
    played: Sequence[Experiment],
    metrics: Sequence[Metric],
    published: Sequence[Published],
    estimate: Estimator,
) -> Iterator[Figure]:
    """Figures 3 and 4: our agents beside what the article prints, where the constraints were told.

    ``published``: the article's rows, in the groups in which they stand beside ours.
    """

    def bars(keys: Sequence[str], groups: Sequence[str], quoted: Sequence[str]) -> Iterator[Bars]:
        for metric in (metric for key in keys for metric in metrics if metric.key == key):
            found = [
                Group(group, (*_ours(metric, mine, estimate), *_printed(metric, group, published, quoted)))
                for group in groups
                if (mine := [one for one in played if one.group == group])
            ]
            if found:
                yield Bars(f"{metric.key}, {metric.title}", metric.unit, tuple(found))

    yield Figure(
        "figure-3",
        "With the constraints told",
        "Each agent that was told the true constraints and had to keep maximum lags: the shape of Figure 3 "
        "of the article, which sets planning for feasibility alone against a balance; its printed figures "
        "are the pale bars.",
        tuple(bars(FIGURE_3, (f"with time constraints{GOLD}",), (BALANCED, FEASIBLE))),
    )
    plain = (f"with time constraints{GOLD}", f"without time constraints{GOLD}")
    hinted = tuple(f"{group}{HINTS}" for group in plain)
    if any(one.group in hinted for one in played):
        yield Figure(
            "figure-4",
            "With and without hints",
            "The constraints told, and besides at every step the actions that can be carried out: the shape "
            "of Figure 4 of the article; what it prints is in pale bars.",
            tuple(bars(FIGURE_4, (*plain, *hinted), (BALANCED,))),
        )


def _ours(metric: Metric, played: Sequence[Experiment], estimate: Estimator) -> Iterator[Bar]:
    """Our agents of one group; with their rules where there are several."""
    several_rules = len({one.rules for one in played}) > 1
    for one in played:
        name = f"{one.agent}, {one.rules}" if several_rules else one.agent
        yield estimate(metric, one.rows).bar(name)


def _printed(
    metric: Metric, group: str, published: Sequence[Published], agents: Sequence[str]
) -> Iterator[Bar]:
    for row in published:
        if row.group == group and row.agent in agents and metric.key in row.figures:
            yield Bar(f"{row.agent}, article", row.figures[metric.key], quoted=True)


def actions_and_ends(rows: Sequence[Measured]) -> Figure:
    """Figure 5: what became of the decisions, and how episodes ended."""
    return Figure(
        "figure-5",
        "Invalid actions and ends of episodes",
        "What became of the decisions, and how episodes ended, by setting: the shape of Figure 5 of the "
        "article, whose shares are drawn and not printed.",
        (
            *_stacks(rows, DECISIONS, "% of decisions", COLUMNS, decision_shares),
            *_stacks(rows, ENDED, "% of episodes", ENDING_COLUMNS, ending_shares),
        ),
    )


def _stacks(
    rows: Sequence[Measured],
    title: str,
    unit: str,
    parts: tuple[str, ...],
    shares: Callable[[Sequence[Measured]], Mapping[str, float]],
) -> Iterator[Stacks]:
    """A chart for each setting, with a bar for each agent."""
    for setting, mine in grouped(cells(rows), lambda cell: cell[1]).items():
        stacks = tuple(Stack(agent, shares(played)) for agent, _, played in mine)
        yield Stacks(f"{title}: {setting}", unit, parts, stacks, 100.0)

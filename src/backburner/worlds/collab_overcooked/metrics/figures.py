"""Collab-Overcooked's figures: IC and RC by level (its 3 and 4), outcomes (5), gamma (8), requests (9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from backburner.drawing.charts import Bars, Group, Point, Stack, Stacks, Trace, Traces
from backburner.evaluation.figures.values import Chart, Figure, bar, by_cell, figure, only_numbers, table
from backburner.evaluation.scores import WorldScores
from backburner.kernel.scoring import by_agent
from backburner.worlds.collab_overcooked.metrics.analysis import FAILURES
from backburner.worlds.collab_overcooked.metrics.analysis_gamma import GAMMAS
from backburner.worlds.collab_overcooked.metrics.metrics_collaboration import OUTCOMES

PERSON = "human"
"""What a person at the keyboard is called in records."""

BESIDE_PEOPLE = ("SR", "PC", "IC", "RC")
FORWARD = "brought forward"
DRAWN_ONLY = "The article draws its figures and prints no numbers that could stand beside."


def figures(world: WorldScores) -> Iterator[Figure]:
    """Figures 3, 4, 5, 8 and 9 over what was played."""
    yield from figure(
        "figure-3",
        "Initiating and responding by level",
        f"IC and RC over required collaborations: the shape of Figure 3 of the article. {DRAWN_ONLY}",
        _capabilities(world),
    )
    yield from figure(
        "figure-4",
        "People and agents by level",
        f"Whoever played at the keyboard, and the agents: the shape of Figure 4 of the article. {DRAWN_ONLY}",
        _people(world),
    )
    yield from figure(
        "figure-5",
        "Outcomes of required collaborations",
        "Which of asking and answering brought the task forward: what the confusion matrices of Figure 5 of "
        "the article show. Its lines along five actions come from backburner probe, not from episodes.",
        _outcomes(world),
    )
    yield from figure(
        "figure-8",
        "Success over the time limit factor",
        "By level, the limit being gamma times the least steps of the order: the shape of Figure 8 of the "
        f"article. {DRAWN_ONLY}",
        _gammas(world),
    )
    yield from figure(
        "figure-9",
        "What became of requests",
        "Dialogues in which something was asked for, in per cent: the shape of Figure 9 of the article, "
        f"which divides them by action where this divides them by level. {DRAWN_ONLY}",
        _requests(world),
    )


def _capabilities(world: WorldScores) -> Iterator[Chart]:
    by_agent = _required(world)
    for key, what in (("IC", "initiating"), ("RC", "responding")):
        traces = []
        for agent, rows in by_agent.items():
            cells = only_numbers({row["level"]: row[key] for row in rows if row["level"].isdigit()})
            if cells:
                points = tuple(Point(float(level), value) for level, value in cells.items())
                traces.append(Trace(agent, points))
        if traces:
            yield Traces(f"{key}, {what}", "level", "% of required collaborations", tuple(traces), 100.0)


def _required(world: WorldScores) -> dict[str, list[dict[str, Any]]]:
    """Of each agent the lines about required collaborations, level by level."""
    rows = table(world, "Outcomes of collaborations")
    return _of_agents([row for row in rows if row["reading"] == "required"])


def _of_agents(rows: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    agents = dict.fromkeys(row["agent"] for row in rows)
    return {agent: [row for row in rows if row["agent"] == agent] for agent in agents}


def _people(world: WorldScores) -> Iterator[Chart]:
    rows = [(agent, *row) for agent, mine in by_agent(world.measured) for row in mine if "level" in row[1]]
    if not any(PERSON in agent for agent, _, _ in rows):
        return
    metrics = [metric for metric in world.metrics if metric.key in BESIDE_PEOPLE]
    agents = dict.fromkeys(agent for agent, _, _ in rows)
    for metric in metrics:
        groups = []
        for level in sorted({measures["level"] for _, _, measures in rows}):
            cells = by_cell([(e, m) for _, e, m in rows if m["level"] == level], lambda e: e.header.agent)
            groups.append(Group(f"level {level:g}", tuple(bar(a, metric, cells.get(a, [])) for a in agents)))
        yield Bars(f"{metric.key}, {metric.title}", metric.unit, tuple(groups))


def _outcomes(world: WorldScores) -> Iterator[Chart]:
    for agent, rows in _required(world).items():
        stacks = tuple(
            Stack(
                f"{_level(row['level'])} ({row['collaborations']})",
                {outcome: 100 * row[outcome] / row["collaborations"] for outcome in OUTCOMES},
            )
            for row in rows
        )
        yield Stacks(agent, "% of required collaborations", tuple(OUTCOMES), stacks, 100.0)


def _gammas(world: WorldScores) -> Iterator[Chart]:
    for agent, rows in _of_agents(table(world, "Success over gamma, least steps")).items():
        traces = []
        for row in rows:
            shares = only_numbers({f"{gamma:g}": row[f"{gamma:g}"] for gamma in GAMMAS})
            if shares:
                points = tuple(Point(float(gamma), value) for gamma, value in shares.items())
                traces.append(Trace(_level(row["level"]), points))
        if traces:
            yield Traces(agent, "γ", "% of episodes delivered in time", tuple(traces), 100.0)


def _requests(world: WorldScores) -> Iterator[Chart]:
    for agent, rows in _of_agents(table(world, "Failed requests")).items():
        stacks = tuple(
            Stack(
                f"{_level(row['level'])} ({row['asked']})",
                {
                    FORWARD: 100 * (row["asked"] - row["failed"]) / row["asked"],
                    **{kind: 100 * row[kind] / row["asked"] for kind in FAILURES},
                },
            )
            for row in rows
        )
        yield Stacks(agent, "% of dialogues with a request", (FORWARD, *FAILURES), stacks, 100.0)


def _level(name: str) -> str:
    return f"level {name}" if name.isdigit() else name

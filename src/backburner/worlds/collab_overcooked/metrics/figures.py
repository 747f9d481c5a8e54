"""Collab-Overcooked's figures: of whole plays IC and RC by level (3 and 4), outcomes, gamma (8), requests; of
single exchanges (see ``exchanges``) Figures 5 and 9.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backburner.kernel.charts import Bars, Chart, Figure, Group, Line, Lines, Point, Stack, Stacks
from backburner.kernel.scoring import Estimator, Metric, by_agent, grouped
from backburner.worlds.collab_overcooked.metrics.analysis import (
    GAMMAS,
    capabilities,
    failed_requests,
    success_over_gamma,
)
from backburner.worlds.collab_overcooked.metrics.collaboration import (
    FAILURES,
    FORWARD,
    OUTCOMES,
    capability,
)
from backburner.worlds.collab_overcooked.metrics.exchanges import ACTION, FIRST, NOTHING_ASKED, Rows, became

PERSON = "human"
"""What a person at the keyboard is called in records."""

BESIDE_PEOPLE = ("SR", "PC", "IC", "RC")
DRAWN_ONLY = "The article draws its figures and prints no numbers that could stand beside."


def figures(rows: Rows, metrics: Sequence[Metric], estimate: Estimator) -> list[Figure]:
    """Figures 3, 4 and 8 of the article, and outcomes and requests by level, over whole plays."""
    return [
        Figure(
            "figure-3",
            "Initiating and responding by level",
            "IC and RC over required collaborations: the shape of Figure 3 of the article. " + DRAWN_ONLY,
            tuple(_initiating_and_responding(rows)),
        ),
        Figure(
            "figure-4",
            "People and agents by level",
            "Whoever played at the keyboard, and the agents: the shape of Figure 4 of the article. "
            + DRAWN_ONLY,
            tuple(_people(rows, metrics, estimate)),
        ),
        Figure(
            "outcomes",
            "Outcomes of required collaborations",
            "Which of asking and answering brought the task forward, by level: what the confusion matrices "
            "of Figure 5 of the article show of single exchanges.",
            tuple(_outcomes(rows)),
        ),
        Figure(
            "figure-8",
            "Success over the time limit factor",
            "By level, the limit being gamma times the least steps of the order: the shape of Figure 8 of "
            f"the article. {DRAWN_ONLY}",
            tuple(_gammas(rows)),
        ),
        Figure(
            "requests",
            "What became of requests by level",
            "Dialogues in which something was asked for, in per cent: the shape of Figure 9 of the article, "
            "which divides single exchanges by action where this divides dialogues by level.",
            tuple(_requests(rows)),
        ),
    ]


def _initiating_and_responding(rows: Rows) -> Iterator[Chart]:
    for key, what in (("IC", "initiating"), ("RC", "responding")):
        points: dict[str, list[Point]] = {}
        for agent, level, reading, found in capabilities(rows):
            share = found.ic if key == "IC" else found.rc
            if reading == "required" and level.isdigit() and share is not None:
                points.setdefault(agent, []).append(Point(float(level), round(100 * share, 1)))
        if points:
            lines = tuple(Line(agent, tuple(mine)) for agent, mine in points.items())
            yield Lines(f"{key}, {what}", "level", "% of required collaborations", lines, 100.0)


def _people(rows: Rows, metrics: Sequence[Metric], estimate: Estimator) -> Iterator[Chart]:
    """A chart for each metric; agents that did not play a level have a bar without a value."""
    played = dict(by_agent([row for row in rows if "level" in row[1]]))
    if not any(PERSON in agent for agent in played):
        return
    levels = sorted({measures["level"] for mine in played.values() for _, measures in mine})
    for metric in (metric for metric in metrics if metric.key in BESIDE_PEOPLE):
        groups = []
        for level in levels:
            bars = (
                estimate(metric, [row for row in mine if row[1]["level"] == level]).bar(agent)
                for agent, mine in played.items()
            )
            groups.append(Group(f"level {level:g}", tuple(bars)))
        yield Bars(f"{metric.key}, {metric.title}", metric.unit, tuple(groups))


def _outcomes(rows: Rows) -> Iterator[Chart]:
    stacks: dict[str, list[Stack]] = {}
    for agent, level, reading, found in capabilities(rows):
        if reading == "required":
            total = found.collaborations
            shares: dict[str, float] = {
                outcome: 100 * found.outcomes[outcome] / total for outcome in OUTCOMES
            }
            stacks.setdefault(agent, []).append(Stack(f"{_level(level)} ({total})", shares))
    for agent, mine in stacks.items():
        yield Stacks(agent, "% of required collaborations", tuple(OUTCOMES), tuple(mine), 100.0)


def _gammas(rows: Rows) -> Iterator[Chart]:
    lines: dict[str, list[Line]] = {}
    for agent, level, _, shares in success_over_gamma(rows, "steps"):
        known = ((gamma, share) for gamma, share in zip(GAMMAS, shares, strict=True) if share is not None)
        points = tuple(Point(gamma, share) for gamma, share in known)
        if points:
            lines.setdefault(agent, []).append(Line(_level(level), points))
    for agent, mine in lines.items():
        yield Lines(agent, "γ", "% of episodes delivered in time", tuple(mine), 100.0)


def _requests(rows: Rows) -> Iterator[Chart]:
    stacks: dict[str, list[Stack]] = {}
    for agent, level, asked, failed in failed_requests(rows):
        shares: dict[str, float] = {
            FORWARD: 100 * (asked - sum(failed.values())) / asked,
            **{kind: 100 * number / asked for kind, number in failed.items()},
        }
        stacks.setdefault(agent, []).append(Stack(f"{_level(level)} ({asked})", shares))
    for agent, mine in stacks.items():
        yield Stacks(agent, "% of dialogues with a request", (FORWARD, *FAILURES), tuple(mine), 100.0)


def _level(name: str) -> str:
    return f"level {name}" if name.isdigit() else name


# --- of single exchanges --------------------------------------------------------------------------------

DRAWN_ALONE = "The article draws its figure and prints no numbers that could stand beside."
OF_BOTH = (("IC", "initiating"), ("RC", "responding"))
ALL_PARTS = (FORWARD, *FAILURES, NOTHING_ASKED)


def exchange_figures(rows: Rows, metrics: Sequence[Metric], estimate: Estimator) -> Iterator[Figure]:
    """Figures 5 (a) to (c), and 9, over exchanges; those without charts where there were none."""
    by_key = {metric.key: metric for metric in metrics}
    both = [(by_key[key], what) for key, what in OF_BOTH]
    whole, steps = ([row for row in rows if row[1][FIRST] == first] for first in (0, 1))
    moved = [row for row in rows if row[1][FIRST] in (row[1][ACTION], 1)]
    yield Figure(
        "figure-5a",
        "Experiment A: the action that is due",
        "IC and RC by the partner's action that is due, and which of asking and answering brought the task "
        f"forward (the confusion matrix): Figure 5 (a) of the article. {DRAWN_ALONE}",
        (*_lines(whole, both, estimate), *_matrix(whole)),
    )
    yield Figure(
        "figure-5b",
        "Experiment B: recipes in steps",
        f"The same with one action of the partner's to a step: Figure 5 (b) of the article. {DRAWN_ALONE}",
        (*_lines(steps, both, estimate), *_matrix(steps)),
    )
    yield Figure(
        "figure-5c",
        "Experiment C: the action that is due comes first",
        "Recipes in steps, with every action in its place, and with the one that is due moved to the front: "
        f"Figure 5 (c) of the article. {DRAWN_ALONE}",
        tuple(_lines(moved, both, estimate, apart=True)) if any(row[1][FIRST] > 1 for row in moved) else (),
    )
    yield Figure(
        "figure-9",
        "What became of requests by action",
        f"Exchanges with whole recipes, in per cent: Figure 9 of the article. {DRAWN_ALONE}",
        tuple(_stacks(whole)),
    )


def _lines(
    rows: Rows, metrics: Sequence[tuple[Metric, str]], estimate: Estimator, apart: bool = False
) -> Iterator[Chart]:
    """A line for each agent; with ``apart`` two, for recipes in their order and with the due action first.

    The first action is first either way, so that both lines begin there.
    """
    for metric, what in metrics:
        lines = []
        for agent, mine in by_agent(rows):
            for name, found in _tellings(mine) if apart else [("", mine)]:
                points = tuple(_points(found, metric, estimate))
                lines.append(Line(f"{agent}{name}", points))
        if lines:
            title = f"{metric.key}, {what}"
            yield Lines(title, "action of the partner", "% of exchanges", tuple(lines), 100.0)


def _tellings(rows: Rows) -> list[tuple[str, Rows]]:
    in_place = [row for row in rows if row[1][FIRST] == 1]
    moved = [row for row in rows if row[1][FIRST] == row[1][ACTION]]
    return [(name, found) for name, found in ((", in its place", in_place), (", first", moved)) if found]


def _points(rows: Rows, metric: Metric, estimate: Estimator) -> Iterator[Point]:
    for action, mine in sorted(grouped(rows, lambda row: row[1][ACTION]).items()):
        found = estimate(metric, mine)
        if found.value is not None:
            yield Point(action, round(found.value, 1), found.low, found.high)


def _matrix(rows: Rows) -> Iterator[Chart]:
    stacks = []
    for agent, mine in by_agent(rows):
        outcomes = capability([row for _, row in mine], "required").outcomes
        shares: dict[str, float] = {name: 100 * number / len(mine) for name, number in outcomes.items()}
        stacks.append(Stack(f"{agent} ({len(mine)})", shares))
    if stacks:
        title = "Which of asking and answering brought the task forward"
        yield Stacks(title, "% of exchanges", tuple(OUTCOMES), tuple(stacks), 100.0)


def _stacks(rows: Rows) -> Iterator[Chart]:
    for agent, mine in by_agent(rows):
        stacks = []
        for action, found in sorted(grouped([row for _, row in mine], lambda row: row[ACTION]).items()):
            shares = {what: 100 * number / len(found) for what, number in became(found).items()}
            stacks.append(Stack(f"action {action:g} ({len(found)})", shares))
        yield Stacks(agent, "% of exchanges", ALL_PARTS, tuple(stacks), 100.0)

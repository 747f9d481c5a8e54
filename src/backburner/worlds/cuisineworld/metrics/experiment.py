"""The collaboration experiment: Table 1 with intervals, the counts of Figure 3, the article's beside."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from backburner.kernel.scoring import Measured, Measures, Section, by_agent, mean
from backburner.worlds.cuisineworld.game.levels import evaluated
from backburner.worlds.cuisineworld.game.pace import TAUS
from backburner.worlds.cuisineworld.metrics.published import Result, published_tables

Figure = Callable[[Sequence[Measures]], float | None]
Scores = Mapping[str, float | None]

NONE = "–"
PRINTED = "GPT-4"
QUOTED = f"{PRINTED}, article"
RESAMPLES = 1000

BY_INTERVAL = "Collaboration efficiency by interval"
BY_INTERVAL_TEXT = (
    "Orders completed of those completed or failed, from hurried to relaxed (article, Figure 3)."
)


class Team(NamedTuple):
    """So many bodies in the hands of one agent, and the numbers of its episodes for each level played."""

    agent: str
    bodies: int
    by_level: Mapping[str, Sequence[Measures]]


def teams(rows: Sequence[Measured]) -> Iterator[Team]:
    """The teams of the article's levels, agent by agent, by their number of bodies."""
    for agent, mine in by_agent(rows):
        found: dict[int, dict[str, list[Measures]]] = {}
        for episode, measures in mine:
            scenario = episode.header.scenario
            of_bodies = found.setdefault(int(scenario.get("bodies", 2)), {})
            of_bodies.setdefault(str(scenario["level"]), []).append(measures)
        for bodies in sorted(found):
            yield Team(agent, bodies, {level: found[bodies].get(level, []) for level in evaluated()})


def published(bodies: int) -> Mapping[str, Result]:
    """GPT-4's results of Tables 6 to 8 (summed up in Table 1) by level."""
    results = published_tables().results
    return {row.level: row for row in results if row.agent == PRINTED and row.bodies == bodies}


def table_1(rows: Sequence[Measured], cos: Figure) -> Section:
    """CoS of each level and the mean of the levels played, with 95 % intervals."""
    table: list[tuple[Any, ...]] = []
    for team in teams(rows):
        draws = {level: _resampled(mine, cos) for level, mine in team.by_level.items() if mine}
        means = [mean(list(drawn)) for drawn in zip(*draws.values(), strict=False)]
        scores = {level: cos(mine) for level, mine in team.by_level.items()}
        cells = (_with_interval(scores[level], draws.get(level, [])) for level in evaluated())
        table.append((team.agent, team.bodies, *cells, _with_interval(mean(scores.values()), means)))
    for average in published_tables().averages:
        printed = published(average.bodies)
        cells = (figure(printed[level].cos) for level in evaluated())
        table.append((QUOTED, average.bodies, *cells, figure(average.cos)))
    text = (
        "CoS of each level, and the mean of the levels played (article, Table 1). In brackets 95 % "
        "intervals, by drawing the episodes of each τ anew; where they are alike they have no width."
    )
    columns = ("agent", "agents", *evaluated(), "mean")
    return Section("Collaboration score by level", text, columns, tuple(table))


def _resampled(rows: Sequence[Measures], cos: Figure) -> list[float | None]:
    """The score of draws with replacement among the episodes of each τ; none where each has one."""
    cells = [[row for row in rows if row["tau"] == tau] for tau in sorted({row["tau"] for row in rows})]
    if all(len(cell) == 1 for cell in cells):
        return []
    chance = random.Random(0)
    return [
        cos([row for cell in cells for row in chance.choices(cell, k=len(cell))]) for _ in range(RESAMPLES)
    ]


def _with_interval(value: float | None, draws: Iterable[float | None]) -> str:
    """A figure, and in a second line the interval that holds 95 % of the draws."""
    known = sorted(draw for draw in draws if draw is not None)
    if not known:
        return figure(value)
    low, high = known[int(0.025 * len(known))], known[min(len(known) - 1, int(0.975 * len(known)))]
    return f"{figure(value)}\n[{_short(low)}, {_short(high)}]"


def _short(value: float) -> str:
    """``.62``: a terminal of 80 columns then holds three of our columns and three of the article's."""
    return f"{value:.2f}".removeprefix("0")


def figure_3(rows: Sequence[Measured], share: Figure) -> Section:
    """Orders completed of those completed or failed for each τ, as counts; ``figures`` has the curves."""
    table: list[tuple[Any, ...]] = []
    for team in teams(rows):
        for level, mine in team.by_level.items():
            if mine:
                table.append((team.agent, team.bodies, level, *(_counts(at_pace(mine, tau)) for tau in TAUS)))
        everything = [row for mine in team.by_level.values() for row in mine]
        shares = (figure(share(at_pace(everything, tau))) for tau in TAUS)
        table.append((team.agent, team.bodies, "all orders", *shares))
    columns = ("agent", "agents", "level", *(f"τ = {tau}" for tau in TAUS))
    return Section(BY_INTERVAL, BY_INTERVAL_TEXT, columns, tuple(table))


def at_pace(rows: Sequence[Measures], tau: float) -> list[Measures]:
    """The numbers of the episodes that were played at this factor τ."""
    return [row for row in rows if row["tau"] == tau]


def _counts(rows: Sequence[Measures]) -> str:
    completed = sum(row["completed"] for row in rows)
    total = completed + sum(row["failed"] for row in rows)
    return f"{completed:.0f}/{total:.0f}" if rows else NONE


def mean_text(values: Iterable[float | None]) -> str:
    """The mean of what is known, in words."""
    return figure(mean(values))


def figure(value: float | None) -> str:
    """Three digits, or a dash."""
    return NONE if value is None else f"{value:.3f}"

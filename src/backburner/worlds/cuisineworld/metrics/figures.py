"""CuisineWorld's Figure 3: the share of orders served over the pace of orders, the article's beside."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from backburner.kernel.charts import Figure, Line, Lines, Point
from backburner.kernel.scoring import Measured, Measures
from backburner.worlds.cuisineworld.game.levels import evaluated
from backburner.worlds.cuisineworld.game.pace import TAUS
from backburner.worlds.cuisineworld.metrics.experiment import (
    BY_INTERVAL,
    BY_INTERVAL_TEXT,
    PRINTED,
    Team,
    at_pace,
    published,
    teams,
)

Share = Callable[[Sequence[Measures]], float | None]


def figures(rows: Sequence[Measured], share: Share) -> list[Figure]:
    """Figure 3 over episodes that were played as in the article. ``share``: of orders that were served."""
    return [Figure("figure-3", BY_INTERVAL, BY_INTERVAL_TEXT, tuple(_charts(list(teams(rows)), share)))]


def _charts(found: Sequence[Team], share: Share) -> Iterator[Lines]:
    """A chart for each agent and level in which several intervals were played."""
    for agent in dict.fromkeys(team.agent for team in found):
        own = [team for team in found if team.agent == agent]
        for level in evaluated():
            lines = [_line(team, level, share) for team in own]
            drawn = [line for line in lines if len(line.points) > 1]
            quoted = [_quoted(team.bodies, level) for team in own if published(team.bodies)]
            if drawn:
                yield Lines(f"{level}, {agent}", "τ", "share of orders served", (*drawn, *quoted), 1.0)


def _line(team: Team, level: str, share: Share) -> Line:
    shares = ((tau, share(at_pace(team.by_level[level], tau))) for tau in TAUS)
    points = tuple(Point(tau, value) for tau, value in shares if value is not None)
    return Line(_agents(team.bodies), points, str(team.bodies))


def _quoted(bodies: int, level: str) -> Line:
    cells = published(bodies)[level].cells
    points = tuple(Point(tau, done / total) for tau, (done, total) in zip(TAUS, cells, strict=False))
    return Line(f"{PRINTED}, {_agents(bodies)}", points, str(bodies), quoted=True)


def _agents(bodies: int) -> str:
    return f"{bodies} agent{'s' if bodies > 1 else ''}"

"""How much more could be served: collaboration scores beside the most that their orders allow.

The bounds are no business of the metrics: they stand in the measures of episodes, under ``MOST_SERVED``
and ``LEAST_FAILED``, where the oracle put them there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from backburner.kernel.scoring import Measured, Measures, Section, mean
from backburner.worlds.cuisineworld.game.levels import TAUS, evaluated
from backburner.worlds.cuisineworld.metrics.experiment import NONE, Team, at_pace, teams
from backburner.worlds.orders import cos

MOST_SERVED, LEAST_FAILED = "most served", "least failed"
"""Measures of an episode: no play serves more of its orders, none fails less."""

STOPPED = "*"
COUNTED = ("completed", "failed", MOST_SERVED, LEAST_FAILED)

TEXT = (
    "CoS, a proven upper bound on it from the stream of orders, and the gap between the two; below each τ "
    "the gap between the shares served. In the steps that there are, bodies, tools and deadlines allow no "
    "more, though perhaps less: the gap is the most that could be gained. The bounds hold for play in which "
    "time passes in every turn. Under released rules a dispatcher that says nothing stops the clock; where "
    f"one did, the gap is marked {STOPPED}."
)


class Cell(NamedTuple):
    """Reached and allowed for some episodes; ``stopped``: whether turns went by without a step."""

    reached: float | None
    bound: float | None
    stopped: bool

    @property
    def gap(self) -> float | None:
        """What could be gained at the most."""
        return None if self.reached is None or self.bound is None else self.bound - self.reached


def headroom(rows: Sequence[Measured]) -> Section | None:
    """Every level's score, bound and gap, with the means of the levels played; the cells for machines.

    ``None`` where no episode comes with its bounds.
    """
    bounded = list(teams([row for row in rows if MOST_SERVED in row[1]]))
    if not bounded:
        return None
    columns = ("agent", "agents", "level", "CoS", "bound", "gap", *(f"τ = {tau}" for tau in TAUS))
    table = tuple(line for team in bounded for line in _lines(team))
    return Section("Headroom", TEXT, columns, table, cells=tuple(_cells(bounded)))


def _lines(team: Team) -> Iterator[tuple[Any, ...]]:
    """The team's levels, and their mean."""
    by_level = {level: team.by_level[level] for level in evaluated() if team.by_level[level]}
    lines = [[_cell(played), *(_cell(at_pace(played, tau)) for tau in TAUS)] for played in by_level.values()]
    for level, line in zip(by_level, lines, strict=True):
        yield team.agent, team.bodies, level, *_words(line)
    yield team.agent, team.bodies, "mean", *_words([_mean(cells) for cells in zip(*lines, strict=True)])


def _words(line: Sequence[Cell]) -> Iterator[str]:
    """Without leading zeros, so that a terminal of 80 columns holds them."""
    score, *by_tau = line
    yield from (_short(score.reached, 3), _short(score.bound, 3))
    yield _short(score.gap, 3) + STOPPED * score.stopped
    yield from (_short(cell.gap, 2) for cell in by_tau)


def _short(value: float | None, digits: int) -> str:
    return NONE if value is None else f"{value:.{digits}f}".replace("0.", ".", 1)


def _mean(cells: Sequence[Cell]) -> Cell:
    known = [cell for cell in cells if cell.gap is not None]
    stopped = any(cell.stopped for cell in cells)
    return Cell(mean(cell.reached for cell in known), mean(cell.bound for cell in known), stopped)


def _cell(rows: Sequence[Measures]) -> Cell:
    most = [{**row, "completed": row[MOST_SERVED], "failed": row[LEAST_FAILED]} for row in rows]
    return Cell(cos(rows), cos(most), any(row["steps"] < row["turns"] for row in rows))


def _cells(bounded: Sequence[Team]) -> Iterator[Mapping[str, Any]]:
    """Each level, number of bodies and interval that was played, as numbers."""
    for team in bounded:
        for level, played in team.by_level.items():
            for tau in TAUS:
                if rows := at_pace(played, tau):
                    cell = _cell(rows)
                    yield {
                        "agent": team.agent,
                        "agents": team.bodies,
                        "level": level,
                        "tau": tau,
                        "episodes": len(rows),
                        **{name: sum(row[name] for row in rows) for name in COUNTED},
                        "share": cell.reached,
                        "bound": cell.bound,
                        "gap": cell.gap,
                        "clock stopped": cell.stopped,
                    }

"""What makes scenarios hard: how well agents do over the dials of scenarios whose best is proven.

A dial says what a scenario is made of (``generation.measure``); it stands with the scenario's answer. Over
each dial that varies, an agent has its figures in bins of scenarios, and Spearman's rho of its figure in each
scenario and the dial. What dials say together is a least squares fit of regret on all of them.

Intervals of bins are those over scenarios of ``statistics``; those of rho and of the fit are of a bootstrap:
scenarios are drawn with all their episodes, and the middle 95 % are told.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from backburner.evaluation.comparing.latency import unclocked
from backburner.evaluation.scoring.answered import ATTAINED, REGRET
from backburner.evaluation.scoring.scores import WorldScores
from backburner.evaluation.scoring.statistics import FEW, MISSED, SAME, estimate
from backburner.kernel.scoring import Estimate, Measured, Measures, Metric, grouped

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[np.float64]]

MOST_BINS, LEAST_IN_BIN = 6, 8

DRAWS = 1000
"""Of scenarios, for an interval."""

PLAYED = "gap:"
"""Begins the dials that are what scripts came to: they are no part of what a scenario is made of."""

COLLINEAR = 1000.0
"""A dial whose variance inflation beside those before it is larger says what these say already."""


class Played(Struct, frozen=True):
    """An agent's episodes with answers, by the digests of their scenarios; ``of``: who it is without what
    says how fast it thinks."""

    agent: str
    of: str
    rows: Mapping[str, tuple[Measures, ...]]

    def figures(self, metric: Metric) -> dict[str, float]:
        """The figure of each scenario that has one, its seeds together."""
        found = {scenario: metric.over(rows) for scenario, rows in self.rows.items()}
        return {scenario: value for scenario, value in found.items() if value is not None}


class Difficulty(Struct, frozen=True):
    """The agents of a world and the dials of what they played: of each that varies the values by scenario;
    ``constant``: those that do not."""

    world: str
    agents: tuple[Played, ...]
    dials: Mapping[str, Mapping[str, float]]
    constant: tuple[str, ...] = ()

    @property
    def scenarios(self) -> list[str]:
        """Those that any agent has played."""
        return list(dict.fromkeys(scenario for agent in self.agents for scenario in agent.rows))


def difficulty_of(world: WorldScores) -> Difficulty | None:
    """The difficulty of a world's scenarios with answers; ``None`` with fewer than five, or without dials."""
    lines = [line for cell in world.cells for line in cell.lines]
    by_agent: dict[tuple[str, str], list[Measured]] = {}
    for line in lines:
        rows = [row for row in line.rows if ATTAINED.key in row[1]]
        if rows:
            _, of = unclocked(line.experiment)
            by_agent.setdefault((line.experiment.agent, of), []).extend(rows)
    agents = tuple(Played(agent, of, _by_scenario(rows)) for (agent, of), rows in by_agent.items())
    played = dict.fromkeys(scenario for agent in agents for scenario in agent.rows)
    if len(played) < FEW:
        return None
    names = dict.fromkeys(dial for scenario in played for dial in world.answers[scenario].dials)
    values = {
        name: {s: dials[name] for s in played if name in (dials := world.answers[s].dials)}
        for name in sorted(names, key=lambda name: (name.startswith(PLAYED), name))
    }
    vary = {name: own for name, own in values.items() if len(own) >= FEW and _varies(own.values())}
    constant = tuple(name for name, own in values.items() if not _varies(own.values()))
    return Difficulty(world.world, agents, vary, constant) if vary else None


def _by_scenario(rows: Iterable[Measured]) -> dict[str, tuple[Measures, ...]]:
    by_scenario = grouped(rows, lambda row: row[0].header.scenario_digest)
    return {scenario: tuple(measures for _, measures in own) for scenario, own in by_scenario.items()}


def _varies(values: Iterable[float]) -> bool:
    listed = list(values)
    return max(listed) - min(listed) > SAME * max(1.0, *map(abs, listed))


# --- one dial ----------------------------------------------------------------------------------------------


class Bin(Struct, frozen=True):
    """Scenarios that have about the same of a dial: its mean, and what an agent came to in them."""

    dial: float
    figure: Estimate
    scenarios: int


def bins_of(values: Sequence[float]) -> list[list[int]]:
    """The indices of values in bins of quantiles, equal values in one: at most six, with at least eight in
    each; none where there are not two of them."""
    number = min(MOST_BINS, len(values) // LEAST_IN_BIN)
    order = sorted(range(len(values)), key=values.__getitem__)
    found: list[list[int]] = [[]]
    for place, index in enumerate(order):
        enough = min(len(found[-1]), len(values) - place) >= LEAST_IN_BIN
        due = place * number >= len(found) * len(values)
        if enough and due and values[index] > values[order[place - 1]]:
            found.append([])
        found[-1].append(index)
    return found if len(found) > 1 else []


def binned(agent: Played, dial: Mapping[str, float], metric: Metric) -> list[Bin]:
    """What an agent came to over a dial; bins of single scenarios where there are too few for others."""
    known = [scenario for scenario in agent.figures(metric) if scenario in dial]
    known.sort(key=lambda scenario: (dial[scenario], scenario))
    indices = bins_of([dial[scenario] for scenario in known]) or [[index] for index in range(len(known))]
    return [_bin(agent, [known[index] for index in own], dial, metric) for own in indices]


def _bin(agent: Played, scenarios: Sequence[str], dial: Mapping[str, float], metric: Metric) -> Bin:
    rows = [(scenario, measures) for scenario in scenarios for measures in agent.rows[scenario]]
    mean = sum(dial[scenario] for scenario in scenarios) / len(scenarios)
    return Bin(mean, estimate(metric, rows), len(scenarios))


def rhos(difficulty: Difficulty, metric: Metric) -> dict[str, dict[str, Estimate]]:
    """Spearman's rho of each agent's figures and each dial, by dial and agent."""
    found: dict[str, dict[str, Estimate]] = {dial: {} for dial in difficulty.dials}
    of_dials: dict[tuple[str, tuple[str, ...]], Array] = {}  # for all agents that played the same scenarios
    for agent in difficulty.agents:
        figures = agent.figures(metric)
        of_agent: dict[tuple[str, ...], Array] = {}
        for dial, values in difficulty.dials.items():
            both = tuple(scenario for scenario in sorted(figures) if scenario in values)
            if len(both) < FEW:
                continue
            if both not in of_agent:
                of_agent[both] = _ranks([figures[scenario] for scenario in both])
            if (dial, both) not in of_dials:
                of_dials[dial, both] = _ranks([values[scenario] for scenario in both])
            found[dial][agent.agent] = _rho(of_agent[both], of_dials[dial, both])
    return found


def spearman(one: Sequence[float], other: Sequence[float]) -> Estimate:
    """The correlation of ranks, equal values sharing the mean of theirs; none where a side is constant."""
    return _rho(_ranks(one), _ranks(other))


def _ranks(values: Sequence[float]) -> Array:
    """Centred ranks of length 1, of the values as they are in the first row, then of each draw of them."""
    import numpy as np

    different, places = np.unique(values, return_inverse=True)
    whole = places[np.vstack([np.arange(len(values)), draws(len(values))])]
    numbers = np.stack([np.bincount(row, minlength=len(different)) for row in whole])
    shared = np.cumsum(numbers, axis=1) - (numbers - 1) / 2
    ranks = np.take_along_axis(shared, whole, axis=1)
    ranks -= ranks.mean(axis=1, keepdims=True)
    length = np.sqrt((ranks**2).sum(axis=1, keepdims=True))
    with np.errstate(invalid="ignore"):
        return np.asarray(ranks / length, dtype=np.float64)


def _rho(one: Array, other: Array) -> Estimate:
    value, *drawn = (float(each) for each in (one * other).sum(axis=1))
    known = [each for each in drawn if each == each]  # no draw in which a side is constant
    return Estimate(None) if value != value else Estimate(value, *ends_of(known), "bootstrap")


@cache
def draws(number: int) -> Any:
    """The indices of scenarios that are drawn, a row for each draw; always the same ones."""
    import numpy as np

    generator = random.Random(0)
    return np.array([generator.choices(range(number), k=number) for _ in range(DRAWS)])


def ends_of(drawn: Sequence[float]) -> tuple[float | None, float | None]:
    """Between which the middle 95 % of draws lie; nothing where there are too few."""
    if len(drawn) < DRAWS // 10:
        return None, None
    outside = round(len(drawn) * MISSED / 2)
    in_order = sorted(drawn)
    return in_order[outside], in_order[-1 - outside]


# --- all dials ---------------------------------------------------------------------------------------------


class Factor(Struct, frozen=True):
    """A dial among all: by how many points regret rises with each standard deviation of it while the others
    stay, first of all agents together, then of each. ``inflation``: by how much its variance is larger than
    if it were independent of the other dials, 1 / (1 - R²)."""

    dial: str
    inflation: float
    coefficients: tuple[Estimate, ...]


class Hardness(Struct, frozen=True):
    """Least squares of regret on standardised dials, over scenarios that all ``agents`` have the regret of.

    ``explained``: R², of all agents together and of each. ``collinear``: dials that others tell already.
    """

    scenarios: int
    agents: tuple[str, ...]
    factors: tuple[Factor, ...]
    explained: tuple[float, ...]
    collinear: tuple[str, ...]


def structural(difficulty: Difficulty, scenarios: Iterable[str]) -> dict[str, list[float]]:
    """The values of the dials that are no play of a script's, vary, and are known of all these scenarios."""
    wanted = list(scenarios)
    return {
        name: found
        for name, own in difficulty.dials.items()
        if not name.startswith(PLAYED)
        and all(scenario in own for scenario in wanted)
        and _varies(found := [own[scenario] for scenario in wanted])
    }


def standardised(columns: Mapping[str, Sequence[float]]) -> tuple[Array, list[str], list[str]]:
    """(a column for each dial with mean 0 and deviation 1, their names, the names of the collinear ones)."""
    import numpy as np

    kept: list[str] = []
    left: list[str] = []
    matrix = np.empty((len(next(iter(columns.values()), ())), 0))
    for name, values in columns.items():
        column = np.asarray(values, dtype=np.float64)
        wider = np.column_stack([matrix, (column - column.mean()) / column.std()])
        if len(kept) + 2 > len(column) or inflations(wider)[-1] > COLLINEAR:
            left.append(name)
        else:
            kept, matrix = [*kept, name], wider
    return matrix, kept, left


def inflations(matrix: Array) -> list[float]:
    """The variance inflation of each standardised column beside all others."""
    import numpy as np

    correlations = matrix.T @ matrix / len(matrix)
    if np.linalg.cond(correlations) > 1 / SAME:
        return [float("inf")] * matrix.shape[1]
    return [float(each) for each in np.diag(np.linalg.inv(correlations))]


def hardness_of(difficulty: Difficulty) -> Hardness | None:
    """What makes it hard; ``None`` with fewer than two scenarios for each dial and the mean."""
    import numpy as np

    figures = {agent.agent: agent.figures(REGRET) for agent in difficulty.agents}
    figures = {agent: own for agent, own in figures.items() if len(own) >= FEW}
    common = [s for s in difficulty.scenarios if figures and all(s in own for own in figures.values())]
    columns = structural(difficulty, common) if len(common) >= FEW else {}
    if not columns:
        return None
    matrix, kept, left = standardised(columns)
    if len(common) < 2 * (len(kept) + 1):
        return None
    design = np.column_stack([np.ones(len(common)), matrix])
    regrets = np.array([[own[s] for own in figures.values()] for s in common])
    regrets = np.column_stack([regrets.mean(axis=1), regrets])
    fitted = _fit(design, regrets)
    drawn = [_fit(design[draw], regrets[draw]) for draw in draws(len(common))]
    factors = tuple(
        Factor(
            name,
            inflation,
            tuple(
                Estimate(
                    float(fitted[index, column]), *ends_of([f[index, column] for f in drawn]), "bootstrap"
                )
                for column in range(regrets.shape[1])
            ),
        )
        for index, (name, inflation) in enumerate(zip(kept, inflations(matrix), strict=True), 1)
    )
    left_over = ((regrets - design @ fitted) ** 2).sum(axis=0)
    whole = ((regrets - regrets.mean(axis=0)) ** 2).sum(axis=0)
    explained = tuple(float(1 - a / b) if b > SAME else 0.0 for a, b in zip(left_over, whole, strict=True))
    return Hardness(len(common), tuple(figures), factors, explained, tuple(left))


def _fit(design: Array, regrets: Array) -> Array:
    import numpy as np

    return np.asarray(np.linalg.lstsq(design, regrets, rcond=None)[0], dtype=np.float64)

"""Item response: abilities of agents and difficulties of scenarios, which their dials explain in part.

The model (Rasch, with an explanation of items as in De Boeck and Wilson's, 2004): for agent j and scenario i

    logit P(attained) = a(j) - d(i),    d(i) = b0 + Σ b(k) x(i, k) + r(i)

with a ~ normal(0, 1), b ~ normal(0, 2), r ~ normal(0, σ), and x the standardised dials. What is attained is
a fraction, which enters by quasi-likelihood, (y log p + (1 - y) log(1 - p)) / φ, as it varies φ times as much
as a single yes or no. Given σ and φ the posterior is concave: Newton's steps find its mode, the residuals
being eliminated, as their block is diagonal. Then σ² is the mean of r² and its variance (EM, by Laplace's
approximation) and φ Pearson's χ² over its degrees of freedom, over and over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import sqrt
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from backburner.evaluation.comparing.difficulty import Difficulty, draws, ends_of, standardised, structural
from backburner.evaluation.scoring.answered import ATTAINED
from backburner.kernel.scoring import Estimate

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[np.float64]]

LEAST_AGENTS, LEAST_SCENARIOS = 5, 30

PRIOR_OF_WEIGHTS = 2.0

ROUNDS, NEAR = 100, 1e-3
"""At most so many times σ and φ are found anew, until they move less."""

STEPS, CLOSE = 50, 1e-8
"""At most so many steps are taken for a mode, until it moves less."""

LEAST = 0.01
"""Of σ and of φ."""

BOOTSTRAPS = 200

NAMED = 5
"""Scenarios that are named of those that are hardest for their dials."""


class ItemResponse(Struct, frozen=True):
    """What the model says, in logits. ``difficulties`` by the digests of scenarios; ``largest``: those
    scenarios whose difficulty is most above what their dials say, with that residual."""

    abilities: Mapping[str, Estimate]
    weights: Mapping[str, Estimate]
    difficulties: Mapping[str, float]
    largest: tuple[tuple[str, float], ...]
    spread: Spread


class Spread(Struct, frozen=True):
    """σ of the residuals, and φ, by how much what is attained varies, beside a single yes or no."""

    sigma: float
    phi: float


class Mode(Struct, frozen=True):
    """The mode: abilities, weights with that of the mean first, residuals, and the variances of these."""

    abilities: Any
    weights: Any
    residuals: Any
    variances: Any


def mode(attained: Array, known: Array, dials: Array, spread: Spread, counts: Array) -> Mode:
    """The mode of the posterior given σ and φ.

    ``attained``, ``known``: a row for each scenario, a column for each agent; what is attained, and whether
    it is known. ``dials``: a row for each scenario, the first column 1. ``counts``: how often each scenario
    is drawn; one that is not has no weight.
    """
    import numpy as np

    agents, n_weights = attained.shape[1], dials.shape[1]
    fixed, residuals = np.zeros(agents + n_weights), np.zeros(len(attained))
    prior = np.concatenate([np.ones(agents), np.full(n_weights, PRIOR_OF_WEIGHTS**-2)])
    weight = known * counts[:, None] / spread.phi
    hold = np.maximum(counts, 1) / spread.sigma**2
    diagonal = hold
    for _ in range(STEPS):
        chance = chances(fixed[:agents], dials @ fixed[agents:] + residuals)
        error = weight * (attained - chance)
        curve = weight * chance * (1 - chance)
        slope = np.concatenate([error.sum(axis=0), -dials.T @ error.sum(axis=1)]) - prior * fixed
        of_residuals = -error.sum(axis=1) - hold * residuals
        diagonal = curve.sum(axis=1) + hold
        across = np.vstack([-curve.T, dials.T * curve.sum(axis=1)])
        cross = -dials.T @ curve
        block = np.block([
            [np.diag(curve.sum(axis=0)), cross.T],
            [cross, (dials.T * curve.sum(axis=1)) @ dials],
        ]) + np.diag(prior)  # fmt: skip
        inner = block - (across / diagonal) @ across.T
        step = np.linalg.solve(inner, slope - across @ (of_residuals / diagonal))
        rest = (of_residuals - across.T @ step) / diagonal
        largest = max(float(np.abs(step).max()), float(np.abs(rest).max()))
        shorter = min(1.0, 2 / largest) if largest else 1.0
        fixed, residuals = fixed + shorter * step, residuals + shorter * rest
        if largest < CLOSE:
            break
    return Mode(fixed[:agents], fixed[agents:], residuals, 1 / diagonal)


def chances(abilities: Array, difficulties: Array) -> Array:
    """What each agent attains in each scenario by the model."""
    import numpy as np

    return np.asarray(1 / (1 + np.exp(difficulties[:, None] - abilities[None, :])), dtype=np.float64)


def fitted(attained: Array, known: Array, dials: Array) -> tuple[Mode, Spread]:
    """The mode of what agents have attained, with σ and φ."""
    import numpy as np

    spread, once = Spread(1.0, 1.0), np.ones(len(attained))
    for _ in range(ROUNDS):
        found = mode(attained, known, dials, spread, once)
        anew = _anew(attained, known, dials, spread, found)
        moved = max(abs(anew.sigma - spread.sigma), abs(anew.phi - spread.phi))
        spread = anew
        if moved < NEAR:
            break
    return mode(attained, known, dials, spread, once), spread


def _anew(attained: Array, known: Array, dials: Array, spread: Spread, found: Mode) -> Spread:
    sigma = sqrt(float((found.residuals**2 + found.variances).mean()))
    chance = chances(found.abilities, dials @ found.weights + found.residuals)
    pearson = float((known * (attained - chance) ** 2 / (chance * (1 - chance))).sum())
    of_residuals = float((1 - found.variances / spread.sigma**2).sum())
    free = float(known.sum()) - len(found.abilities) - len(found.weights) - of_residuals
    return Spread(max(sigma, LEAST), max(pearson / max(free, 1.0), LEAST))


def item_response_of(difficulty: Difficulty, names: Mapping[str, str]) -> ItemResponse | None:
    """The model of a world's agents and scenarios; ``None`` with fewer agents or scenarios than it takes.

    ``names``: what scenarios are called, by their digests.
    """
    import numpy as np

    figures = {agent.agent: agent.figures(ATTAINED) for agent in difficulty.agents}
    scenarios = [
        scenario for scenario in difficulty.scenarios if any(scenario in f for f in figures.values())
    ]
    if len(figures) < LEAST_AGENTS or len(scenarios) < LEAST_SCENARIOS:
        return None
    columns = structural(difficulty, scenarios)
    matrix, dials, _ = standardised(columns) if columns else (np.empty((len(scenarios), 0)), [], [])
    design = np.column_stack([np.ones(len(scenarios)), matrix])
    cells = [[own.get(scenario) for own in figures.values()] for scenario in scenarios]
    known = np.array([[cell is not None for cell in row] for row in cells], dtype=np.float64)
    attained = np.array([[min(max((cell or 0.0) / 100, 0.0), 1.0) for cell in row] for row in cells])
    found, spread = fitted(attained, known, design)
    drawn = [mode(attained, known, design, spread, counts) for counts in _counts(len(scenarios))]
    total = design @ found.weights + found.residuals
    hardest = sorted(range(len(scenarios)), key=lambda index: -float(found.residuals[index]))[:NAMED]
    return ItemResponse(
        _estimates(list(figures), found.abilities, [each.abilities for each in drawn]),
        _estimates(["mean", *dials], found.weights, [each.weights for each in drawn]),
        {scenario: float(value) for scenario, value in zip(scenarios, total, strict=True)},
        tuple((names[scenarios[index]], float(found.residuals[index])) for index in hardest),
        spread,
    )


def _counts(number: int) -> list[Array]:
    """How often each scenario is in a draw."""
    import numpy as np

    return [
        np.array([Counter(draw.tolist())[index] for index in range(number)], dtype=np.float64)
        for draw in draws(number)[:BOOTSTRAPS]
    ]


def _estimates(names: Sequence[str], values: Array, drawn: Sequence[Array]) -> dict[str, Estimate]:
    return {
        name: Estimate(float(values[index]), *ends_of([float(each[index]) for each in drawn]), "bootstrap")
        for index, name in enumerate(names)
    }

"""Difficulty as tables and charts: figures over each dial, and what all dials say together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backburner.evaluation.comparing.difficulty import (
    LEAST_IN_BIN,
    MOST_BINS,
    Difficulty,
    Hardness,
    Played,
    binned,
    rhos,
)
from backburner.evaluation.comparing.item_response import (
    LEAST_AGENTS,
    LEAST_SCENARIOS,
    PRIOR_OF_WEIGHTS,
    ItemResponse,
)
from backburner.evaluation.tables.words import interval_text
from backburner.kernel.charts import Figure, Line, Lines, Point
from backburner.kernel.scoring import Estimate, Metric, Section, grouped

TITLE = "Difficulty"
"""How the titles of these parts begin."""

CAPTION = (
    "The {title} of each agent over each dial of the scenarios whose best is proven, with 95 % intervals "
    f"over scenarios: in bins of equal numbers of scenarios, at least {LEAST_IN_BIN} in each and "
    f"{MOST_BINS} bins at most, or a point for each scenario where there are too few. A gap is the regret of "
    "a script."
)

RHO = (
    " In the table Spearman's rho of {metric} in a scenario and the dial, with 95 % intervals of a bootstrap "
    "over scenarios; an agent that is as good in all scenarios has none. Dials go together, so that no "
    "single one of them says what makes a scenario hard."
)

FIT = (
    "Least squares of regret* on all dials of the {scenarios} scenarios that every agent has played, gaps of "
    "scripts left out. A coefficient says by how many points of regret* a scenario is worse if the dial is "
    "one standard deviation higher and the others are as they are, with 95 % intervals of a bootstrap over "
    "scenarios; all: of the mean of the agents. VIF, variance inflation: by how much the variance of a "
    "coefficient is larger than if the other dials said nothing about this one; dials above 5 can hardly be "
    "told apart. Coefficients are no causes: dials go together, and who turns one of them turns others."
)

TOO_FEW = "what makes it hard has no table: it takes two scenarios for each dial that all agents have played"


def fitting(title: str) -> str:
    """The title of a part."""
    return f"{TITLE}: {title}"


# --- over each dial ----------------------------------------------------------------------------------------


def dials_section(difficulty: Difficulty, metric: Metric) -> Section:
    """Spearman's rho of each agent, a row for each dial."""
    found = rhos(difficulty, metric)
    agents = [agent.agent for agent in difficulty.agents]
    rows = tuple(
        (
            dial,
            f"{min(values.values()):.4g} to {max(values.values()):.4g}",
            *(interval_text(found[dial].get(agent, Estimate(None)), signed=True) for agent in agents),
        )
        for dial, values in difficulty.dials.items()
    )
    text = CAPTION.format(title=metric.key) + RHO.format(metric=metric.key)
    if difficulty.constant:
        text += f" The same in all scenarios: {', '.join(difficulty.constant)}."
    return Section(fitting(f"{metric.key} by dial"), text, ("dial", "values", *agents), rows)


def dials_charts(difficulty: Difficulty, metric: Metric) -> tuple[Lines, ...]:
    """A chart for each dial with a line for each agent; then those of each agent that has several speeds."""
    by_speed = grouped(difficulty.agents, lambda agent: agent.of)
    usual = [speeds[0] if len(speeds) == 1 else _usual(speeds) for speeds in by_speed.values()]
    several = [(of, speeds) for of, speeds in by_speed.items() if len(speeds) > 1]
    sets = [("", usual), *((f", {of} by speed", speeds) for of, speeds in several)]
    return tuple(
        chart for note, agents in sets for dial in difficulty.dials
        if (chart := _chart(difficulty, dial, metric, agents, note)).lines
    )  # fmt: skip


def _usual(speeds: Sequence[Played]) -> Played:
    """Of an agent at several speeds that without a clock, if it played so; else the first."""
    return next((each for each in speeds if each.agent == each.of), speeds[0])


def _chart(difficulty: Difficulty, dial: str, metric: Metric, agents: Sequence[Played], note: str) -> Lines:
    values = difficulty.dials[dial]
    bins = [(agent.agent, binned(agent, values, metric)) for agent in agents]
    return Lines(
        dial,
        "the dial",
        f"{metric.key}, {metric.unit}{note}",
        tuple(
            Line(
                name,
                tuple(
                    Point(each.dial, each.figure.value, each.figure.low, each.figure.high)
                    for each in own
                    if each.figure.value is not None
                ),
            )
            for name, own in bins
            if own
        ),
        full=100.0 if metric.highest == 100 else 0.0,
        loose=all(each.scenarios == 1 for _, own in bins for each in own),
    )


def difficulty_figure(difficulty: Difficulty, metric: Metric) -> Figure:
    """The charts as a figure that is exported."""
    key, title = f"difficulty-{metric.key.strip('*')}", fitting(f"{metric.key} by dial")
    return Figure(key, title, CAPTION.format(title=metric.key), dials_charts(difficulty, metric))


# --- all dials ---------------------------------------------------------------------------------------------


def hardness_section(hardness: Hardness) -> Section:
    """A row for each dial, its coefficient for all agents together and for each."""
    rows = tuple(
        (
            factor.dial,
            f"{factor.inflation:.1f}",
            *(interval_text(each, signed=True) for each in factor.coefficients),
        )
        for factor in hardness.factors
    )
    rows += (("R²", "", *(f"{each:.2f}" for each in hardness.explained)),)
    text = FIT.format(scenarios=hardness.scenarios)
    if hardness.collinear:
        text += f" Left out, as the dials above tell them already: {', '.join(hardness.collinear)}."
    columns = ("dial", "VIF", "all", *hardness.agents)
    return Section(fitting("what makes it hard"), text, columns, rows)


# --- item response -----------------------------------------------------------------------------------------


RASCH = (
    "A Rasch model: the logit of what is attained is the agent's ability less the scenario's difficulty, "
    "fractions by quasi-likelihood. Priors: abilities are normal(0, 1); a difficulty is the sum of the "
    f"standardised dials by their weights, each normal(0, {PRIOR_OF_WEIGHTS:g}), and of a residual that is "
    "normal(0, σ). Found are σ = {sigma:.2f}, and that what is attained varies {phi:.2g} times as much as a "
    "yes or no would. Told is the mode, with 95 % intervals of a bootstrap over {scenarios} scenarios. With "
    "few agents it is weakly identified: no place in a ranking comes from it. Harder than their dials say: "
    "{residuals}."
)

TOO_FEW_FOR_RASCH = (
    f"item response has no table: it takes {LEAST_AGENTS} agents and {LEAST_SCENARIOS} scenarios"
)


def item_response_section(found: ItemResponse) -> Section:
    """Abilities of agents, then weights of dials, a row for each."""
    rows = (
        *(("ability", name, interval_text(each, signed=True)) for name, each in found.abilities.items()),
        *(("weight", name, interval_text(each, signed=True)) for name, each in found.weights.items()),
    )
    residuals = ", ".join(f"{name} {value:+.2f}" for name, value in found.largest)
    text = RASCH.format(
        sigma=found.spread.sigma, phi=found.spread.phi, scenarios=len(found.difficulties), residuals=residuals
    )
    return Section(fitting("item response"), text, ("what", "of", "logits"), rows)


def lacking(hardness: Hardness | None, rasch: ItemResponse | None) -> Iterator[str]:
    """A line about each table that there is not, as it takes more scenarios or agents."""
    if hardness is None:
        yield TOO_FEW
    if rasch is None:
        yield TOO_FEW_FOR_RASCH

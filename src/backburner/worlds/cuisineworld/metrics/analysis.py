"""The article's tables over recorded episodes, Table 1, Figure 3, Appendix E.5, and the bounds above."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from backburner.kernel.scoring import Measured, Section, by_agent
from backburner.worlds.cuisineworld.game.levels import UNUSED, classes
from backburner.worlds.cuisineworld.metrics.experiment import (
    QUOTED,
    Figure,
    Scores,
    figure_3,
    mean_text,
    published,
    table_1,
    teams,
)
from backburner.worlds.cuisineworld.metrics.failures import MODES
from backburner.worlds.cuisineworld.metrics.headroom import headroom
from backburner.worlds.cuisineworld.metrics.published import published_tables


def variants(scenario: Mapping[str, Any]) -> Iterator[str]:
    """What sets a scenario apart from the article's, in words."""
    if groups := scenario.get("groups"):
        yield f"{len(groups)} seats"
    if "table_room" in scenario:
        yield f"room for {scenario['table_room']} spare dishes"
    if "spoil_steps" in scenario:
        yield f"dishes spoil after {scenario['spoil_steps']} steps"
    if scenario.get("hidden_orders"):
        yield "orders hidden"
    if "feedback" in scenario:
        yield f"feedback {scenario['feedback']}"
    if "hints" in scenario:
        yield "no hints"
    if "tau" not in scenario:
        yield "own pace"
    if "cookbook" in scenario:
        yield "own recipes"


def as_published(rows: Sequence[Measured]) -> list[Measured]:
    """The episodes of scenarios that nothing sets apart from the article's."""
    return [row for row in rows if not list(variants(row[0].header.scenario))]


def sections(rows: Sequence[Measured], cos: Figure, share: Figure) -> Sequence[Section]:
    """All tables of the episodes that were played as in the article, and failure modes of all."""
    plain = as_published(rows)
    found = [table_1(plain, cos), _by_class(plain, cos), figure_3(plain, share)] if plain else []
    if (section := headroom(plain, cos)) is not None:
        found.append(section)
    return [*found, _failure_modes(rows), _contradictions()]


def _by_class(rows: Sequence[Measured], cos: Figure) -> Section:
    groups = {name.replace("_", " "): members for name, members in classes().items() if name != UNUSED}
    table = [
        (agent, bodies, *(mean_text([scores[level] for level in levels]) for levels in groups.values()))
        for agent, bodies, scores in _all_scores(rows, cos)
    ]
    text = "Mean CoS of the levels of a class, as far as they were played."
    return Section("Collaboration score by class", text, ("agent", "agents", *groups), tuple(table))


def _all_scores(rows: Sequence[Measured], cos: Figure) -> Iterator[tuple[str, int, Scores]]:
    """(agent, number of bodies, CoS by level) of ours and of the article's."""
    for agent, bodies, by_level in teams(rows):
        yield agent, bodies, {level: cos(mine) for level, mine in by_level.items()}
    for average in published_tables().averages:
        printed = published(average.bodies)
        yield QUOTED, average.bodies, {level: row.cos for level, row in printed.items()}


def _failure_modes(rows: Sequence[Measured]) -> Section:
    table = [
        (agent, len(mine), *(f"{sum(m[mode] for _, m in mine) / len(mine):.2f}" for mode in MODES))
        for agent, mine in by_agent(rows)
    ]
    text = "Mean number in an episode; how each is counted is ours (article, Appendix E.5)."
    return Section("Failure modes", text, ("agent", "episodes", *MODES), tuple(table))


def _contradictions() -> Section:
    table = [
        (c.where, c.level, c.bodies or "any", c.agent, ", ".join(f"{f:g}" for f in c.figures), c.what)
        for c in published_tables().contradictions
    ]
    columns = ("where", "level", "agents", "agent", "figures", "what")
    text = "Printed figures that contradict each other or the released program."
    return Section("Contradictions in the article", text, columns, tuple(table))

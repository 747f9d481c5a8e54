"""The article's tables over recorded episodes: Table 1, Figure 3, Appendix E.5."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from backburner.kernel.scoring import Measured, Measures, Section, by_agent
from backburner.worlds.cuisineworld.failures import MODES
from backburner.worlds.cuisineworld.levels import UNUSED, classes, evaluated
from backburner.worlds.cuisineworld.pace import TAUS
from backburner.worlds.cuisineworld.published import published_tables

Figure = Callable[[Sequence[Measures]], float | None]
Scores = Mapping[str, float | None]
NONE = "–"


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


def sections(rows: Sequence[Measured], cos: Figure, share: Figure) -> Sequence[Section]:
    """All tables of the episodes that were played as in the article, and failure modes of all."""
    plain = [row for row in rows if not list(variants(row[0].header.scenario))]
    found = [_by_level(plain, cos), _by_class(plain, cos), _by_interval(plain, share)] if plain else []
    return [*found, _failure_modes(rows), _contradictions()]


def _bodies(row: Measured) -> int:
    return int(row[0].header.scenario.get("bodies", 2))


def _level(row: Measured) -> str:
    return str(row[0].header.scenario["level"])


def _teams(rows: Sequence[Measured]) -> Iterator[tuple[str, int, list[Measured]]]:
    """(agent, number of bodies, episodes)."""
    for agent, mine in by_agent(rows):
        for bodies in sorted({_bodies(row) for row in mine}):
            yield agent, bodies, [row for row in mine if _bodies(row) == bodies]


def _scores(mine: Sequence[Measured], cos: Figure) -> Scores:
    """The CoS of each level, where it was played."""
    return {
        name: cos([measures for episode, measures in mine if _level((episode, measures)) == name])
        for name in evaluated()
    }


def _published_scores(bodies: int) -> Scores:
    """GPT-4's row of Table 1."""
    results = published_tables().results
    return {row.level: row.cos for row in results if row.agent == "GPT-4" and row.bodies == bodies}


def _all_scores(rows: Sequence[Measured], cos: Figure) -> Iterator[tuple[str, int, Scores]]:
    """(agent, number of bodies, CoS by level) of ours and of the article's."""
    for agent, bodies, mine in _teams(rows):
        yield agent, bodies, _scores(mine, cos)
    for average in published_tables().averages:
        yield "GPT-4 (published)", average.bodies, _published_scores(average.bodies)


def _by_level(rows: Sequence[Measured], cos: Figure) -> Section:
    table = [
        (agent, bodies, *(_figure(scores[name]) for name in evaluated()), _mean(scores.values()))
        for agent, bodies, scores in _all_scores(rows, cos)
    ]
    text = "CoS of each level, and the mean of the levels played (article, Table 1)."
    columns = ("agent", "agents", *evaluated(), "mean")
    return Section("Collaboration score by level", text, columns, tuple(table))


def _by_class(rows: Sequence[Measured], cos: Figure) -> Section:
    groups = {name.replace("_", " "): members for name, members in classes().items() if name != UNUSED}
    table = [
        (agent, bodies, *(_mean([scores[level] for level in levels]) for levels in groups.values()))
        for agent, bodies, scores in _all_scores(rows, cos)
    ]
    text = "Mean CoS of the levels of a class, as far as they were played."
    return Section("Collaboration score by class", text, ("agent", "agents", *groups), tuple(table))


def _by_interval(rows: Sequence[Measured], share: Figure) -> Section:
    table: list[tuple[Any, ...]] = []
    for agent, bodies, mine in _teams(rows):
        for level in [name for name in evaluated() if any(_level(row) == name for row in mine)]:
            of_level = [measures for episode, measures in mine if _level((episode, measures)) == level]
            cells = (_cell([m for m in of_level if m["tau"] == tau]) for tau in TAUS)
            table.append((agent, bodies, level, *cells))
        shares = (_figure(share([m for _, m in mine if m["tau"] == tau])) for tau in TAUS)
        table.append((agent, bodies, "all orders", *shares))
    text = "Orders completed of those completed or failed, from hurried to relaxed (article, Figure 3)."
    columns = ("agent", "agents", "level", *(f"τ = {tau}" for tau in TAUS))
    return Section("Collaboration efficiency by interval", text, columns, tuple(table))


def _cell(rows: Sequence[Measures]) -> str:
    completed = sum(row["completed"] for row in rows)
    total = completed + sum(row["failed"] for row in rows)
    return f"{completed:.0f}/{total:.0f}" if rows else NONE


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


def _mean(values: Iterable[float | None]) -> str:
    known = [value for value in values if value is not None]
    return _figure(sum(known) / len(known)) if known else NONE


def _figure(value: float | None) -> str:
    return NONE if value is None else f"{value:.3f}"

"""The clocked kitchen's metrics: the collaboration score of CuisineWorld, by the clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backburner.kernel import registry
from backburner.kernel.episode import Episode
from backburner.kernel.scoring import Measured, Measures, Metric, Scoring, Section, by_agent
from backburner.worlds.clocked_kitchen.game.catalogue import catalogue
from backburner.worlds.clocked_kitchen.game.compiled import Compiled
from backburner.worlds.clocked_kitchen.game.scenarios import Scenario, seconds
from backburner.worlds.cuisineworld.game.levels import TAUS
from backburner.worlds.orders import COS, UNPACED, cos, mean_count, share_at

LEVEL_COLUMNS = (
    "level",
    "class",
    "plan",
    "cells of floor",
    "places",
    "mean way from the table (cells)",
    "longest",
    "interval (s)",
)

METRICS = (
    COS,
    *map(share_at, TAUS),
    mean_count("Completed", "completed", "orders completed", "orders", "higher"),
    mean_count("Failed", "failed", "orders that ran out", "orders", "lower"),
    mean_count("Late", "late", "errands that came to nothing", "", "lower"),
    mean_count("Open", "open", "orders open at the end", "orders", "neither"),
)


class ClockedKitchenScoring(Scoring):
    """See ``kernel.scoring.Scoring`` for what each part promises."""

    metrics: Sequence[Metric] = METRICS
    main: Sequence[str] = ("CoS", "Completed", "Failed")
    counts = "orders served"

    def group(self, episode: Episode) -> str:
        """The level and the number of bodies, and what else sets the scenario apart."""
        scenario = episode.header.scenario
        kitchen = scenario["kitchen"]
        return ", ".join(
            (f"{kitchen['level']}, {kitchen.get('bodies', 2)} agents", *_variants(scenario, kitchen))
        )

    def measure(self, episode: Episode) -> Measures:
        """Counts of orders, and the pace at which they came."""
        header = episode.header
        world = catalogue.restore(header.id, header.scenario, header.rules, header.limits)
        tau = world.scenario.kitchen.tau
        numbers = (
            episode.ending.numbers if episode.ending else world.outcome(world.start(header.seed)).numbers
        )
        late = sum(
            event.what == "start" and event.key.endswith(" late")
            for entry in episode.entries
            for event in entry.events
        )
        counted = {name: float(number) for name, number in numbers.items()}
        return {**counted, "late": float(late), "tau": UNPACED if tau is None else tau}

    def statistics(self, ids: Sequence[str]) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        """The kitchens as places to walk in: a row for each level among these scenarios."""
        by_level: dict[str, Scenario] = {}
        for id in ids:
            scenario: Scenario = registry.scenario(id)
            by_level.setdefault(scenario.kitchen.level, scenario)
        return LEVEL_COLUMNS, [_level_row(level, scenario) for level, scenario in by_level.items()]

    def sections(self, rows: Sequence[Measured]) -> Sequence[Section]:
        """The collaboration score by level."""
        table = []
        for agent, played in by_agent(rows):
            levels = sorted({self.group(episode) for episode, _ in played})
            for level in levels:
                cells = [measures for episode, measures in played if self.group(episode) == level]
                value = cos(cells)
                table.append((agent, level, len(cells), "–" if value is None else f"{value:.3f}"))
        text = "The share of orders served, in the mean over the paces at which they came."
        return [
            Section("Collaboration score by level", text, ("agent", "level", "episodes", "CoS"), tuple(table))
        ]


def _level_row(level: str, scenario: Scenario) -> Sequence[Any]:
    compiled = Compiled(scenario)
    floor, tables = compiled.floor, compiled.kitchen.tables
    ways = [
        target.distance[cell]
        for target in floor.targets
        for cell, look in enumerate(floor.targets[tables[0]].looks)
        if look >= 0 and target.place not in tables
    ]
    return (
        level,
        scenario.kitchen.level_class.replace("_", " ") or "–",
        f"{floor.width} x {floor.height}",
        sum(floor.walkable),
        len(compiled.kitchen.places),
        f"{sum(ways) / len(ways):.1f}",
        max(ways),
        f"{seconds(compiled.interval):g}",
    )


def _variants(scenario: Mapping[str, object], kitchen: Mapping[str, object]) -> list[str]:
    """What sets a scenario apart from the usual, in words."""
    told = []
    if "clock" in scenario:
        told.append("another clock")
    if scenario.get("asks") == "always":
        told.append("always asked")
    if "tau" not in kitchen:
        told.append("own pace")
    if "cookbook" in kitchen:
        told.append("own recipes")
    return told


scoring = ClockedKitchenScoring()

"""The clocked kitchen's metrics: CuisineWorld's collaboration score by the clock, and orders in time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from backburner.kernel import registry
from backburner.kernel.assessment import Assessment, Window, WindowState
from backburner.kernel.episode import Episode
from backburner.kernel.replay import decisions_in, trajectory
from backburner.kernel.scoring import Measured, Measures, Metric, Section, by_agent, grouped
from backburner.kernel.values import Event
from backburner.worlds.clocked_kitchen.game.catalogue import catalogue
from backburner.worlds.clocked_kitchen.game.compiled import Compiled
from backburner.worlds.clocked_kitchen.game.scenarios import TICKS_A_SECOND, Scenario, seconds
from backburner.worlds.clocked_kitchen.game.state import Order
from backburner.worlds.clocked_kitchen.game.transition import Transition
from backburner.worlds.clocked_kitchen.game.world import ClockedKitchen
from backburner.worlds.cuisineworld.game.scenarios import TAUS
from backburner.worlds.dispatch.scores import (
    RAN_OUT,
    STILL_OPEN,
    OrderScoring,
    cos,
    counted,
    mean_count,
    order_metrics,
    paced,
    three_digits,
)

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

METRICS = order_metrics(
    TAUS, RAN_OUT, mean_count("Late", "late", "errands that came to nothing", "", "lower"), STILL_OPEN
)


class ClockedKitchenScoring(OrderScoring):
    """See ``kernel.scoring.Scoring`` for what each part promises."""

    metrics: Sequence[Metric] = METRICS
    catalogue = catalogue

    def group(self, episode: Episode) -> str:
        """The level and the number of bodies, and what else sets the scenario apart."""
        scenario = episode.header.scenario
        kitchen = scenario["kitchen"]
        return ", ".join(
            (f"{kitchen['level']}, {kitchen.get('bodies', 2)} agents", *_variants(scenario, kitchen))
        )

    def measure(self, episode: Episode) -> Measures:
        """Counts of orders, and the pace at which they came."""
        world: ClockedKitchen = self.played(episode)
        late = sum(
            event.what == "start" and event.key.endswith(" late")
            for entry in episode.entries
            for event in entry.events
        )
        return {
            **counted(world, episode),
            "late": float(late),
            "tau": paced(world.scenario.kitchen.tau),
        }

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
            for level, mine in sorted(grouped(played, lambda row: self.group(row[0])).items()):
                table.append((agent, level, len(mine), three_digits(cos([numbers for _, numbers in mine]))))
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


def assessment(world: ClockedKitchen) -> Assessment:
    """The windows of a record's orders."""
    return Assessment(windows=lambda episode: tuple(_windows(world, episode)))


class _Tracker:
    """Looks at the orders after each tick: which there were, and in which tick each was there last."""

    def __init__(self, orders: Iterable[Order]) -> None:
        self.orders = {order.number: order for order in orders}
        self.last = dict.fromkeys(self.orders, 0)

    def look(self, transition: Transition) -> None:
        """Note the open orders."""
        for order in transition.orders:
            self.orders.setdefault(order.number, order)
            self.last[order.number] = transition.tick


def _windows(world: ClockedKitchen, episode: Episode) -> Iterator[Window]:
    """On the lane of the first serving table, the order that came first before all others."""
    state = world.start(episode.header.seed)
    tracker, served = _Tracker(state.orders), dict[str, Event]()
    for before, entry, step in trajectory(episode, world):
        world.rulebook.step(before, decisions_in(world, entry), tracker.look)
        served |= {event.key: event for event in step.events if event.what == "delivered"}
        state = step.state
    found = []
    for number, order in tracker.orders.items():
        met = served.pop(f"order {number}", None)
        missed: WindowState = "open" if tracker.last[number] == state.tick else "missed"
        came = order.due - world.compiled.lifetimes[order.dish]
        found.append(_window(world, order.dish, came, missed if met is None else "kept", met))
    for met in served.values():  # what was ordered lay on the table when the order came
        dish = world.compiled.kitchen.dishes.index(met.label)
        found.append(_window(world, dish, round(met.time * TICKS_A_SECOND), "kept", met))
    yield from sorted(found, key=lambda window: window.opens)


def _window(world: ClockedKitchen, dish: int, came: int, state: WindowState, met: Event | None) -> Window:
    kitchen = world.compiled.kitchen
    return Window(
        kitchen.places[kitchen.start],
        kitchen.dishes[dish],
        seconds(came),
        seconds(came + world.compiled.lifetimes[dish]),
        state,
        None if met is None else met.time,
    )

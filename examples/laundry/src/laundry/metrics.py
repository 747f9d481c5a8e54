"""How a day is measured: what was folded, when, how far from the best, and what lay wet for too long."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from backburner.kernel import registry
from backburner.kernel.activities import OVERLAP, overlap
from backburner.kernel.assessment import Assessment, Window, WindowState
from backburner.kernel.charts import Bars, Figure, Group
from backburner.kernel.episode import Episode
from backburner.kernel.replay import world_of
from backburner.kernel.scoring import (
    Estimator,
    Measured,
    Measures,
    Metric,
    Published,
    Scoring,
    Section,
    by_agent,
    mean,
)
from backburner.kernel.values import Refusal
from laundry.rules import Rulebook
from laundry.search import Plan, bound, shortest_plan
from laundry.state import NO_LIMITS, STANDARD, VERBS, Rules, Scenario
from laundry.world import Laundry

MUSTY_AFTER_MINUTES = 60
"""Washed laundry should be in the dryer by then."""

SEARCH_SECONDS = 5.0


def _folded(rows: Sequence[Measures]) -> float | None:
    return mean(row["folded"] for row in rows)


def _minutes(rows: Sequence[Measures]) -> float | None:
    return mean(row["minutes"] for row in rows if row["folded"] == 100)


SWIFT = "mean(folded · T* / max(T, T*))"


def _swift(rows: Sequence[Measures]) -> float | None:
    """100 where a day is finished in the least time, 50 where it takes twice as long."""
    known = [row for row in rows if "optimum" in row]
    return mean(row["folded"] * row["optimum"] / max(row["minutes"], row["optimum"]) for row in known)


def _regret(rows: Sequence[Measures]) -> float | None:
    done = [row for row in rows if row["folded"] == 100 and "optimum" in row]
    return mean(100 * (row["minutes"] / row["optimum"] - 1) for row in done)


class LaundryScoring(Scoring):
    """Metrics, the table of what lay wet, the table of the scenarios."""

    metrics = (
        Metric("folded", "loads folded", "%", "higher", _folded, "100 · folded/loads", lowest=0, highest=100),
        Metric("minutes", "minutes of a finished day", "min", "lower", _minutes, "mean(T)", lowest=0),
        Metric("regret", "time above the optimum", "%", "lower", _regret, "100 · mean(T / T* − 1)", lowest=0),
        OVERLAP,
        Metric("swift", "folded, by the optimum", "%", "higher", _swift, SWIFT, lowest=0, highest=100),
    )
    published: Sequence[Published] = ()

    def group(self, episode: Episode) -> str:
        """Days with so many loads belong together."""
        return f"{len(episode.header.scenario['loads'])} loads"

    def measure(self, episode: Episode) -> Measures:
        """``folded``, ``minutes``, ``musty``; ``optimum`` and ``overlap`` of a finished day."""
        world = laundry_of(episode)
        numbers = episode.ending.numbers if episode.ending else {"score": 0.0, "minutes": 0}
        windows = windows_of(episode)
        measures = {
            "folded": float(numbers["score"]),
            "minutes": float(numbers["minutes"]),
            "musty": sum(window.state == "missed" for window in windows),
            "washed": len(windows),
        }
        best = best_plan(world.scenario, world.rules)
        if best.decisions is not None:
            book = world.book
            measures["optimum"] = best.finish
            loads = range(len(world.scenario.loads))
            work = sum(book.minutes(load, verb) for load in loads for verb in VERBS)
            saved = overlap(episode.events(), work, best.finish)
            if numbers.get("completed") and saved is not None:
                measures["overlap"] = saved
        return measures

    def kind_of_refusal(self, refusal: Refusal) -> str:
        """The code says it."""
        return refusal.code

    def sections(self, rows: Sequence[Measured]) -> Sequence[Section]:
        """What lay wet for too long, for each agent."""
        table = [
            (agent, int(sum(m["washed"] for _, m in mine)), int(sum(m["musty"] for _, m in mine)))
            for agent, mine in by_agent(rows)
        ]
        text = f"Loads that were washed, and those that lay wet for more than {MUSTY_AFTER_MINUTES} minutes."
        return (Section("Left wet", text, ("agent", "washed", "musty"), tuple(table)),)

    def figures(self, rows: Sequence[Measured], estimate: Estimator) -> Sequence[Figure]:
        """How long the days of each agent took, with intervals over days."""
        minutes = self.metrics[1]
        bars = tuple(estimate(minutes, mine).bar(agent) for agent, mine in by_agent(rows))
        chart = Bars(minutes.title, minutes.unit, (Group("all days", bars),))
        return [Figure("minutes", "How long a day takes", "Finished days alone.", (chart,) if bars else ())]

    def statistics(self, ids: Sequence[str]) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
        """Loads, machines, and the least minutes of each day."""
        rows = []
        for id in ids:
            scenario: Scenario = registry.world(id).scenario
            best = best_plan(scenario, STANDARD)
            rows.append((id, len(scenario.loads), scenario.washers, scenario.dryers, best.finish))
        return ("day", "loads", "washers", "dryers", "least minutes"), rows


@lru_cache(maxsize=256)
def best_plan(scenario: Scenario, rules: Rules) -> Plan:
    """The shortest plan of a day without closing time; searched for once, however many records there are."""
    book = Rulebook(scenario, rules, NO_LIMITS)
    return shortest_plan(book, book.start(), SEARCH_SECONDS)


def laundry_of(episode: Episode) -> Laundry:
    """The world of a record."""
    world: Laundry = world_of(episode)  # type: ignore[assignment]  # by the record's header
    return world


def windows_of(episode: Episode) -> tuple[Window, ...]:
    """A window for each washed load: it opens when the washer stops and closes an hour later."""
    windows = []
    events = tuple(episode.events())
    last = max((event.time for event in events), default=0)
    began = {event.key: event.time for event in events if event.what == "start"}
    for event in events:
        if event.what == "end" and event.key.startswith("wash "):
            closes = event.time + MUSTY_AFTER_MINUTES
            load = event.label.removeprefix("wash ")
            met = began.get(f"dry {load}")
            state: WindowState = "open" if met is None else "kept"
            if closes < (last if met is None else met):
                state = "missed"
            label = f"{load} into a dryer"
            windows.append(Window(event.lane, label, event.time, closes, state, met))
    return tuple(windows)


def assessment(world: Laundry) -> Assessment:
    """Windows alone: decisions and plans are not judged."""
    return Assessment(windows=windows_of)


def bounds(episode: Episode) -> Measures:
    """``least minutes``: no play of the day ends before."""
    world = laundry_of(episode)
    return {"least minutes": bound(world.book, world.start())}


scoring = LaundryScoring()

"""How a project is measured: what was completed, when, and how far from the proven least time.

T is the time at which play ended, T* the least time of a scenario that tells it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from backburner.kernel import registry
from backburner.kernel.activities import OVERLAP, overlap
from backburner.kernel.episode import Episode
from backburner.kernel.scoring import COMPLETED, Measures, Metric, Scoring, mean, mean_of
from backburner.worlds.projects.game import Scenario, catalogue


def time(rows: Sequence[Measures]) -> float | None:
    """The mean of T over the completed episodes."""
    return mean(row["time"] for row in rows if row["completed"])


def regret(rows: Sequence[Measures]) -> float | None:
    """100 (T / T* - 1), mean over completed episodes whose T* is known."""
    done = [row for row in rows if row["completed"] and row.get("optimum")]
    return mean(100 * (row["time"] / row["optimum"] - 1) for row in done)


def tempo(rows: Sequence[Measures]) -> float | None:
    """100 T* / T, 0 where not everything was completed; mean over episodes whose T* is known."""
    known = [row for row in rows if row.get("optimum")]
    return mean(100 * row["optimum"] / row["time"] if row["completed"] else 0.0 for row in known)


share = partial(Metric, unit="%", better="higher", lowest=0, highest=100)

METRICS = (
    COMPLETED,
    share("done", "activities completed", over=mean_of("done"), formula="100 · done / all"),
    Metric("time", "time of a completed project", "", "lower", time, "mean(T)", lowest=0),
    Metric("regret", "time above the optimum", "%", "lower", regret, "100 · mean(T / T* − 1)", lowest=0),
    share("tempo", "how near the time is to the optimum", over=tempo, formula="100 · T* / T, or 0"),
    OVERLAP,
)


class ProjectsScoring(Scoring):
    """See ``kernel.scoring.Scoring`` for what each part promises."""

    metrics: Sequence[Metric] = METRICS
    main: Sequence[str] = ("tempo", "Completed", "regret", "done")

    def group(self, episode: Episode) -> str:
        """Scenarios whose times are in one unit belong together."""
        return f"in {catalogue.of(episode.header).time_unit}"

    def measure(self, episode: Episode) -> Measures:
        """``completed``, ``done``, ``time``; the ``optimum`` where the scenario tells it, and the overlap."""
        world = catalogue.of(episode.header)
        numbers = episode.ending.numbers if episode.ending else {}
        done, when = bool(numbers.get("completed")), float(numbers.get(world.time_unit, 0))
        measures = {"completed": float(done), "done": float(numbers.get("score", 0.0)), "time": when}
        optimum = world.scenario.optimum
        if optimum is not None:
            measures["optimum"] = float(optimum)
            work = sum(activity.duration for activity in world.problem.activities)
            saved = overlap(episode.events(), work, optimum)
            if done and saved is not None:
                measures["overlap"] = saved
        return measures

    def statistics(self, ids: Sequence[str]) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
        """What scenarios are made of, and their optima."""
        rows = []
        for id in ids:
            scenario: Scenario = registry.scenario(id)
            activities = scenario.problem.activities
            by_hand = sum(activity.operator_time for activity in activities)
            lags = sum(len(activity.max_lags) for activity in activities)
            work = sum(activity.duration for activity in activities)
            numbers = (len(activities), len(scenario.problem.resources), lags, work, by_hand)
            rows.append((id, *numbers, scenario.optimum))
        return ("scenario", "activities", "resources", "maximum lags", "work", "by hand", "T*"), rows


scoring = ProjectsScoring()

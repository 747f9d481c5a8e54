"""The desk's metrics: what was served, how fast, and where the attention went.

T is the minute at which play ended, T* the proven optimum of the scenario.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from backburner.kernel.activities import OVERLAP, overlap
from backburner.kernel.episode import Episode
from backburner.kernel.scoring import (
    Measured,
    Measures,
    Metric,
    Scoring,
    Section,
    by_agent,
    mean,
    mean_of,
    rounded_mean,
)
from backburner.worlds.desk.game.problem import parts
from backburner.worlds.desk.metrics.course import Course


def regret(rows: Sequence[Measures]) -> float | None:
    """100 (T / T* - 1), mean over episodes in which everything was done, and rightly."""
    return mean(
        [100 * (row["minutes"] / row["optimum"] - 1) for row in rows if row.get("good") and "optimum" in row]
    )


share = partial(Metric, unit="%", lowest=0, highest=100)
up = partial(share, better="higher")
down = partial(share, better="lower")
count = partial(Metric, unit="", better="lower", lowest=0)
minutes = partial(Metric, unit="min", better="lower", lowest=0)

METRICS = (
    up("served", "right and in time, by weight", over=mean_of("served"), formula="100 · Σ w ok / Σ w"),
    up(
        "tempo",
        "how near the time is to the optimum",
        over=mean_of("tempo"),
        formula="100 · T* / T if all is done and right, else 0",
    ),
    Metric("regret", "time above the optimum", "%", "lower", regret, "100 · mean(T / T* − 1)", lowest=0),
    up("completed", "completed", over=mean_of("completed", 100), formula="100 · S / N"),
    up(
        "right",
        "right of what was filed and answered",
        over=mean_of("right", 100),
        formula="100 · right / given",
    ),
    up("on_time", "deliverables filed in time", over=mean_of("on_time", 100), formula="100 · in time / all"),
    up("kept", "requests answered", over=mean_of("kept", 100), formula="100 · answered / all"),
    minutes(
        "late_minutes", "minutes late in all", over=mean_of("late_minutes"), formula="Σ max(0, filed − due)"
    ),
    count("wasted_checks", "checks in vain", over=mean_of("wasted_checks"), formula="mean number"),
    down(
        "check_minutes", "time spent on checks", over=mean_of("check_share", 100), formula="100 · minutes / T"
    ),
    down("idle_attention", "needless waiting", over=mean_of("idle_share", 100), formula="100 · minutes / T"),
    minutes("refused_minutes", "time lost by refusals", over=mean_of("refused_minutes"), formula="mean"),
    minutes(
        "reaction", "from what is told to what is done", over=mean_of("reaction"), formula="mean of medians"
    ),
    count("lost", "requests that passed", over=mean_of("lost"), formula="mean number"),
    count("ignored", "left lying for a quarter of an hour", over=mean_of("ignored"), formula="mean number"),
    count("lured", "calls about what wants nothing", over=mean_of("lured"), formula="mean number"),
    count("wrong_inputs", "calls with something wrong", over=mean_of("wrong_inputs"), formula="mean number"),
    Metric("switches", "changes of subject", "", "neither", mean_of("switches"), "mean number", lowest=0),
    OVERLAP,
)


def measures_of(course: Course, episode: Episode) -> dict[str, float]:
    """The numbers of one episode."""
    compiled, state, rulebook = course.compiled, course.final, course.world.rulebook
    filed = {done.name: done for done in state.filed}
    given = [*state.filed, *(done for done in state.answered if compiled.requests[done.name].weight)]
    asked = [request for request in compiled.requests.values() if request.weight]
    deliverables = compiled.deliverables
    due = {name: compiled.deadlines.get(name, state.minute) for name in deliverables}
    by = {name: filed[name].minute if name in filed else state.minute for name in deliverables}
    time = max(state.minute, 1)
    good = rulebook.completed(state) and all(done.right for done in given)
    numbers: dict[str, float] = {
        "minutes": state.minute,
        "served": 100 * rulebook.served(state) / compiled.weight,
        "completed": rulebook.completed(state),
        "good": good,
        "late_minutes": sum(max(0, by[name] - due[name]) for name in deliverables),
        "wasted_checks": course.wasted,
        "checks": course.checks,
        "check_share": course.check_minutes / time,
        "idle_share": course.idle_minutes / time,
        "refused_minutes": course.refused_minutes,
        "lost": course.lost,
        "ignored": len(course.ignored),
        "lured": course.lured,
        "wrong_inputs": course.wrong,
        "switches": course.switches,
    }
    if given:
        numbers["right"] = sum(done.right for done in given) / len(given)
    if deliverables:
        numbers["on_time"] = sum(name in filed and by[name] <= due[name] for name in deliverables) / len(due)
    if asked:
        numbers["kept"] = sum(done.name in {each.name for each in asked} for done in state.answered) / len(
            asked
        )
    if course.reaction is not None:
        numbers["reaction"] = course.reaction
    optimum = compiled.scenario.optimum
    if optimum is not None:
        numbers |= {"optimum": optimum.minutes, "tempo": 100 * optimum.minutes / time if good else 0.0}
        work = sum(part.activity.duration for part in parts(compiled).values())
        saved = overlap(episode.events(), work, optimum.minutes)
        if good and saved is not None:
            numbers["overlap"] = saved
    return {name: float(number) for name, number in numbers.items()}


class DeskScoring(Scoring):
    """See ``kernel.scoring.Scoring`` for what each part promises."""

    metrics: Sequence[Metric] = METRICS
    main: Sequence[str] = ("served", "tempo", "regret", "wasted_checks")

    def group(self, episode: Episode) -> str:
        """The suite of a shipped scenario."""
        path = episode.header.id.partition("/")[2].partition("@")[0]
        return path.rpartition("/")[0] or "other scenarios"

    def measure(self, episode: Episode) -> Measures:
        """The numbers of one episode; see the metrics."""
        return measures_of(Course(episode), episode)

    def sections(self, rows: Sequence[Measured]) -> Sequence[Section]:
        """Where the attention went, for each agent."""
        columns = (
            "agent",
            "checks",
            "in vain",
            "checking, %",
            "needless waiting, %",
            "refused, min",
            "reaction, min",
        )
        keys = (("checks", 1), ("wasted_checks", 1), ("check_share", 100), ("idle_share", 100))
        table = [
            (
                agent,
                *(rounded_mean(times * m[key] for _, m in mine) for key, times in keys),
                rounded_mean(m["refused_minutes"] for _, m in mine),
                rounded_mean(m.get("reaction") for _, m in mine),
            )
            for agent, mine in by_agent(rows)
        ]
        text = "Means of episodes. Waiting is needless while a required call would be accepted."
        return (Section("Where the attention went", text, columns, tuple(table)),)

    def statistics(self, ids: Sequence[str]) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
        """What scenarios are made of, and their optima."""
        from backburner.kernel import registry
        from backburner.worlds.desk.game.compiled import Compiled

        rows = []
        for id in ids:
            scenario = registry.scenario(id)
            activities = [part.activity for part in parts(Compiled(scenario)).values()]
            jobs, best = scenario.jobs, scenario.optimum
            silent = sum(job.silent for job in jobs)
            fails = sum(len(job.attempts) > 1 for job in jobs)
            hands = sum(activity.operator_time for activity in activities)
            numbers = (len(jobs), len(activities), silent, fails, len(scenario.requests), hands)
            rows.append((id, *numbers, best.minutes if best else None))
        titles = ("scenario", "jobs", "activities", "silent", "fail", "requests", "minutes by hand", "T*")
        return titles, rows


scoring = DeskScoring()

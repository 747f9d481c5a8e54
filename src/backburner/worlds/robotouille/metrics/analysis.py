"""Robotouille's analyses: how close to optimal, what was done first, how agents fail (article, section 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import quantiles

from backburner.kernel.episode import Episode
from backburner.kernel.replay import trajectory
from backburner.kernel.scoring import Measured, Measures, Section, by_agent
from backburner.worlds.robotouille.game.state import Kitchen
from backburner.worlds.robotouille.game.world import Robotouille
from backburner.worlds.robotouille.metrics.mistakes import HANDS, STATION_ROOM, Course, carried_out, courses

Rows = Sequence[Measured]

OPTIMALITY_BINS = (("1", 1.0), ("(1, 1.25]", 1.25), ("(1.25, 1.5]", 1.5), ("above 1.5", float("inf")))
"""Figure 3 of the article, and what its step limit cuts off."""

TO_GO_BINS = (("[0, 0.5]", 0.5), ("(0.5, 1]", 1.0), ("above 1", float("inf")))
"""Figure 4 of the article."""

FAILURES = ("action", "transition: hands", "transition: station", "transition: both", "goal", "open")
"""The article's families (section A.9) as far as a record decides them; its fifth, a state that is
misread, shows in an agent's thoughts alone and stays open."""


def repeated_transitions(episode: Episode, world: Robotouille) -> int:
    """Steps in which an agent does what it has done before in the same kitchen (article, question 5).

    Kitchens are the same if all is: facts, timers, cuts so far. So cutting three times or waiting for
    a timer repeats nothing, in keeping with the article, where most successes have no repetition.
    """
    seen: Counter[tuple[Kitchen, tuple[str, ...]]] = Counter()
    for state, _, step in trajectory(episode, world):
        if step.state.steps > state.steps:
            seen[state.kitchen, step.state.feedback.done] += 1
    return sum(count - 1 for count in seen.values())


def asynchronous_first(episode: Episode, world: Robotouille) -> bool | None:
    """Whether the first work that was started on a thing goes on by itself (article, question 6).

    ``None`` if none was started.
    """
    effects = world.compiled.domain.special_effects
    for _, _, step in trajectory(episode, world):
        for deed in carried_out(world, step.state):
            if deed.starts:
                return any(effects[effect].takes_time for effect, _ in deed.starts)
    return None


def failure(episode: Episode, world: Robotouille, made: Sequence[Course]) -> str:
    """Why an episode failed, by the article's rules of precedence (section A.9).

    A rule that was broken and never recovered from decides; then giving up with the goal unmet,
    which misjudges the goal; then answers that are no actions.
    """
    broken = {course.mistake.rule for course in made if not course.recovered}
    if {HANDS, STATION_ROOM} <= broken:
        return "transition: both"
    if HANDS in broken:
        return "transition: hands"
    if STATION_ROOM in broken:
        return "transition: station"
    reason = episode.ending.reason if episode.ending is not None else ""
    return {"finish": "goal", "attempts": "action"}.get(reason, "open")


def counts(episode: Episode, world: Robotouille, completed: bool) -> Iterator[tuple[str, float]]:
    """The numbers of one episode that the sections below are made of."""
    yield "repeated", repeated_transitions(episode, world)
    first = asynchronous_first(episode, world)
    if first is not None:
        yield "asynchronous first", float(first)
    made = courses(episode, world)
    yield "mistakes", len(made)
    yield "recovered", sum(course.recovered for course in made)
    yield "made again", sum(course.repeated for course in made)
    yield "made elsewhere", sum(course.elsewhere and not course.repeated for course in made)
    if not completed:
        yield f"failure: {failure(episode, world, made)}", 1.0


def sections(rows: Rows) -> list[Section]:
    """The article's questions 2 to 6 as tables."""
    return [
        _tasks(rows),
        _bins(rows, "Optimality rate", "optimality", OPTIMALITY_BINS, "successes", OPTIMALITY_TEXT),
        _bins(rows, "Steps to go", "to go", TO_GO_BINS, "failures", TO_GO_TEXT),
        _repeated(rows),
        _priority(rows),
        _recovery(rows),
        _failures(rows),
    ]


OPTIMALITY_TEXT = (
    "Steps taken over those of the shortest plan, of the successes whose shortest plan is proven; shares "
    "in per cent (Figure 3 of the article)."
)
TO_GO_TEXT = (
    "Steps of the shortest plan from where a failure ended over those from the beginning; shares in per "
    "cent (Figure 4 of the article). Worked out where it was asked for (--steps-to-go)."
)


def _tasks(rows: Rows) -> Section:
    table = []
    for agent, mine in by_agent(rows):
        tasks: dict[str, list[Measures]] = {}
        for episode, measures in mine:
            tasks.setdefault(task_of(episode), []).append(measures)
        for task, played in tasks.items():
            table.append((agent, task, len(played), _percent(played, "success"), _percent(played, "within")))
    return Section(
        "Success by task",
        "Successes within the limit that was played, and within 1.5 times the shortest plan where that is "
        "known, in per cent (Table 3 of the article).",
        ("agent", "task", "episodes", "success", "within 1.5"),
        tuple(table),
    )


def task_of(episode: Episode) -> str:
    """The published task that an episode is an instance of, or its id."""
    return str(episode.header.scenario.get("task") or episode.header.id)


def _bins(
    rows: Rows, title: str, key: str, bins: Sequence[tuple[str, float]], what: str, text: str
) -> Section:
    table = []
    for agent, mine in by_agent(rows):
        values = [measures[key] for _, measures in mine if key in measures]
        found = Counter(next(name for name, upper in bins if value <= upper) for value in values)
        shares = (_share(found[name], len(values)) for name, _ in bins)
        table.append((agent, len(values), *shares))
    return Section(title, text, ("agent", what, *(name for name, _ in bins)), tuple(table))


def _repeated(rows: Rows) -> Section:
    table = []
    for agent, mine in by_agent(rows):
        for ending, wanted in (("success", 1.0), ("failure", 0.0)):
            values = [measures["repeated"] for _, measures in mine if measures["success"] == wanted]
            if values:
                low, middle, high = quantiles(values, n=4, method="inclusive") if values[1:] else values * 3
                table.append((agent, ending, len(values), low, middle, high, max(values)))
    return Section(
        "Repeated transitions",
        "Steps that do what was done before in the same kitchen, for each episode (Figure 6 of the article).",
        ("agent", "ending", "episodes", "lower quartile", "median", "upper quartile", "most"),
        tuple(table),
    )


def _priority(rows: Rows) -> Section:
    table = []
    for agent, mine in by_agent(rows):
        for name, wanted in (("first", 1.0), ("later", 0.0)):
            played = [m for _, m in mine if m.get("asynchronous first") == wanted]
            table.append((agent, name, len(played), _percent(played, "success")))
    return Section(
        "Asynchronous work first",
        "Success of episodes whose first work on a thing goes on by itself (cooking, filling ...), and of "
        "the others, in per cent (question 6 of the article).",
        ("agent", "asynchronous work", "episodes", "success"),
        tuple(table),
    )


def _recovery(rows: Rows) -> Section:
    table = []
    for agent, mine in by_agent(rows):
        sums = {
            key: sum(m[key] for _, m in mine)
            for key in ("mistakes", "recovered", "made again", "made elsewhere")
        }
        table.append(
            (
                agent,
                int(sums["mistakes"]),
                _share(sums["recovered"], sums["mistakes"]),
                _share(sums["made again"], sums["recovered"]),
                _share(sums["made elsewhere"], sums["recovered"]),
            )
        )
    return Section(
        "Broken rules and recovery",
        "A mistake is a rule broken with an action at a kind of station. It is recovered from when that "
        "action is carried out there later; of the recovered ones, some are made again, and for some the "
        "same rule is broken elsewhere; in per cent (section A.12 of the article).",
        ("agent", "mistakes", "recovered", "made again", "made elsewhere"),
        tuple(table),
    )


def _failures(rows: Rows) -> Section:
    table = []
    for agent, mine in by_agent(rows):
        failed = [measures for _, measures in mine if not measures["success"]]
        counts = (sum(f"failure: {name}" in measures for measures in failed) for name in FAILURES)
        table.append((agent, len(failed), *(_share(count, len(failed)) for count in counts)))
    return Section(
        "Sources of failure",
        "By the families of section A.9 of the article as far as a record decides them, in per cent of "
        "failures. A misread state, or a goal misunderstood without giving up, show in thoughts alone: open.",
        ("agent", "failures", *FAILURES),
        tuple(table),
    )


def _percent(rows: Sequence[Measures], key: str) -> float | str:
    values = [row[key] for row in rows if key in row]
    return _share(sum(values), len(values))


def _share(part: float, whole: float) -> float | str:
    return round(100 * part / whole, 1) if whole else "–"

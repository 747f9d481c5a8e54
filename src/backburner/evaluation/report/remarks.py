"""What is peculiar to a world as it was played here, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backburner.agents.scripted import RandomPolicy
from backburner.evaluation.scoring.scores import WorldScores
from backburner.evaluation.tables.sections import number_text
from backburner.kernel.episode import Episode
from backburner.kernel.errors import BackburnerError
from backburner.kernel.replay import world_of
from backburner.kernel.schedule import Problem, problem_of
from backburner.kernel.scoring import Metric, grouped


def remarks_on(world: WorldScores) -> Iterator[str]:
    """What is equal for everybody, and where it is enough never to idle."""
    yield from _equal(world)
    yield from _never_idle(world)


def _equal(world: WorldScores) -> Iterator[str]:
    agents = {row.agent for row in world.rows}
    same = [(metric, _the_one_value(world, metric)) for metric in world.metrics if metric.better != "neither"]
    told = [f"{metric.key} {number_text(value)}" for metric, value in same if value is not None]
    if told and len(agents) > 1:
        who = "Every agent, random play included," if RandomPolicy.name in agents else "Every agent"
        apart = "only the other metrics tell them apart" if len(told) < len(same) else "they are all equal"
        yield f"{who} has {', '.join(told)}: {apart}."


def _the_one_value(world: WorldScores, metric: Metric) -> float | None:
    """The metric's figure where it is the same in every row."""
    values = {row.figures[metric.key].value for row in world.rows}
    return values.pop() if len(values) == 1 else None


def _never_idle(world: WorldScores) -> Iterator[str]:
    by_scenario = grouped(world.answered, lambda row: (row[0].header.id, row[0].header.rules_name))
    loads = [(_own_load([episode for episode, _ in rows])) for rows in by_scenario.values()]
    enough, known = sum(load is True for load in loads), sum(load is not None for load in loads)
    if enough:
        yield (
            f"In {enough} of {known} scenarios the shortest plan takes exactly as long as the work that the "
            "cook attends to: there it is enough never to idle, in whatever order."
        )


def _own_load(episodes: Sequence[Episode]) -> bool | None:
    """Whether a scenario's optimum is the sum of attended durations; ``None`` if it is no scheduling problem.

    No plan is shorter than that sum, so that one play which takes no longer proves it.
    """
    header = episodes[0].header
    try:
        problem: Problem = problem_of(world_of(episodes[0]))
    except BackburnerError:
        return None
    load = sum(activity.operator_time for activity in problem.activities)
    endings = (episode.ending.numbers for episode in episodes if episode.ending is not None)
    return any(one.get("completed") == 1 and one.get(header.time_unit) == load for one in endings)

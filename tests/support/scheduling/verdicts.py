"""When a plan ends, by a world and by the model: ``None`` if it is not accepted or not possible."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from backburner.kernel.contract import World
from backburner.kernel.errors import Refused
from backburner.scheduling.model import schedule_model, search
from backburner.scheduling.preemption import Discretised


def by_world(world: World[Any, Any, Any], decisions: Callable[[], Sequence[Any]]) -> int | None:
    """When everything is completed, if no decision is refused and none is left over."""
    try:
        planned = decisions()
    except Refused:
        return None
    state = world.start()
    for decision in planned:
        step = world.step(state, dict.fromkeys(world.deciders(state), decision))
        if step.refusals or step.state == state:
            return None
        state = step.state
    numbers = world.outcome(state).numbers
    return int(numbers[world.time_unit]) if numbers["completed"] else None


def by_model(discretised: Discretised, starts: Mapping[str, int]) -> int | None:
    """When the last activity ends, in steps of the grid, if the model has a schedule with these starts."""
    problem = discretised.problem
    if starts.keys() != {activity.name for activity in problem.activities}:
        return None
    last = max(starts[activity.name] + activity.duration for activity in problem.activities)
    model = schedule_model(problem, max(last, 0), discretised.part_before)
    for name, start in starts.items():
        model.cp.add(model.start[name] == start)
    result = search(model.cp, time_limit_seconds=10.0, workers=1, seed=0)
    return last if result.status == "optimal" else None

"""Scores against what the world's oracle proves, for worlds whose pack says nothing better::

    scoring="backburner.kernel.proven:SCORING"
    headline=Headline({"all": "reached"}, "my_package")
    steps_to_go=Entry("backburner.kernel.proven:to_go", "how much time an unfinished play still lacked")

The best of a scenario is searched for once in a process, with an effort that is the same on every machine;
episodes of scenarios of which nothing is proven have neither figure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.exact import maximised
from backburner.kernel.generating import Result, attained, regret
from backburner.kernel.oracle import Kept, Request, Solution, oracle_of, solve_world
from backburner.kernel.policy import once_per_world
from backburner.kernel.replay import final_state, world_of
from backburner.kernel.scoring import COMPLETED, Measures, Metric, PlainScoring, mean_of

EFFORT = 2.0
"""Of the search for the best of a scenario."""

REACHED = Metric(
    "reached",
    "share of the best that is proven",
    "%",
    "higher",
    mean_of("reached", 100),
    "100 · mean(T* / max(T, T*)), 0 of what is not completed; of S / S* where something is counted",
    lowest=0,
    highest=100,
)

REGRET = Metric(
    "regret",
    "how much worse than the best that is proven",
    "%",
    "lower",
    mean_of("regret", 100),
    "100 · mean((T − T*) / T*) of what is completed; of (S* − S) / S* where something is counted",
    lowest=0,
)


@once_per_world
def _best(world: World[Any, Any, Any]) -> Solution | None:
    try:
        found = solve_world(world, Request(effort=EFFORT))
    except Refused:
        return None
    return found if found.status == "optimal" and found.objective else None


class ProvenScoring(PlainScoring):
    """What was completed, and how near it came to the best."""

    metrics: Sequence[Metric] = (COMPLETED, REACHED, REGRET)

    def measure(self, episode: Episode) -> Measures:
        """Those of the ending, and where the best is proven what play has ``reached``, its ``regret``."""
        measures = dict(super().measure(episode))
        if episode.ending is None:
            return measures
        world = world_of(episode)
        best = _best(world)
        value = measures.get(maximised(world) or world.time_unit)
        if best is None or best.objective is None or value is None:
            return measures
        done = bool(measures.get("completed"))
        result = Result(float(done), int(value), done)
        measures["reached"] = attained(result, best.objective, best.sense)
        if done or best.sense == "max":
            measures["regret"] = regret(result, best.objective, best.sense)
        return measures


def to_go(kept: Kept, time_limit_seconds: float) -> Callable[[Episode], Measures]:
    """Gives an unfinished play its measure ``to go``: the time that its end still lacked.

    The oracle has an effort of as many seconds.
    """

    def measure(episode: Episode) -> Measures:
        world = world_of(episode)
        state = final_state(episode, world)
        if maximised(world) or world.outcome(state).numbers.get("completed"):
            return {}
        found = kept.get(world, state)
        if found is None:
            onward = oracle_of(world).onward(world, state, time_limit_seconds)
            found = Solution(world.id, onward.status, onward.to_go, onward.to_go, "min", world.time_unit, "")
            kept.add(world, found, state)
        return {} if found.objective is None else {"to go": found.objective}

    return measure


SCORING = ProvenScoring()

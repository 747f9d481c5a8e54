"""Agents that need no model: greedy, and one that plays the proven plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backburner.kernel.errors import Refused
from backburner.kernel.oracle import Request
from backburner.kernel.policy import PlanPolicy, Policy, Reply, Turn, once_per_world
from laundry.oracle import ORACLE
from laundry.state import VERBS, Do, Seen, Wait
from laundry.world import Laundry


class Greedy:
    """Fills machines before it folds, and the load with the longest way first."""

    name = "greedy"
    informed = True
    """It knows how long everything takes, which nobody is told."""
    settings: Mapping[str, Any] = {}

    def __init__(self, world: Laundry) -> None:
        self._world = world
        self._index = {load.name: index for index, load in enumerate(world.scenario.loads)}

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The best of the menu; it waits if there is nothing else."""
        things = [option.decision for option in turn.menu.options if isinstance(option.decision, Do)]
        if not things:
            return Reply(Wait() if turn.menu.under_way else Wait(1))
        seen: Seen = turn.observation
        done = {name: basket.done for name, basket in seen.baskets}

        def rank(do: Do) -> tuple[bool, int]:
            return do.verb == "fold", -self._way(do.load, done[do.load])

        return Reply(min(things, key=rank))

    def _way(self, load: str, done: int) -> int:
        return sum(self._world.book.minutes(self._index[load], verb) for verb in VERBS[done:])


def oracle(world: Laundry) -> Policy:
    """Plays the proven plan; raises ``Refused`` where there is none."""
    return PlanPolicy("oracle", _proven_plan(world), informed=True)


@once_per_world
def _proven_plan(world: Laundry) -> tuple[str, ...]:
    solution = ORACLE.solve(world, Request())
    if solution.status != "optimal":
        raise Refused(f"{world.id}: no plan ({solution.status}) {solution.note}")
    return solution.plan

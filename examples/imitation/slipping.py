"""The oracle with slips: an agent for ``backburner export --agents oracle,slipping:Slipping``.

Who has only ever seen the shortest plan does not know what to do after a mistake. So this one goes by the
plan, and makes some: an action whose turn it is not, any verb with anything, a needless wait. ``slips`` tells
which of its decisions are, from the scenario's name and the seed alone, so that they are not learnt.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from backburner.kernel.errors import Refused
from backburner.kernel.oracle import Request, solve_world
from backburner.kernel.policy import Reply, Turn, once_per_world

SHARES = (0.05, 0.1, 0.2, 0.4)
"""How often it slips; an episode has one of them. At most twice in a row: five refusals end a game."""


def slips(scenario: str, seed: int, index: int) -> bool:
    """Whether the decision at this point of an episode is a slip; ``scenario``: an id or a file's path."""
    name = PurePath(scenario).name.removesuffix(".json")
    share = random.Random(f"{name}/{seed}").choice(SHARES)

    def drawn(at: int) -> bool:
        return at >= 0 and random.Random(f"{name}/{seed}/{at}/slip").random() < share

    return drawn(index) and not (drawn(index - 1) and drawn(index - 2))


class Slipping:
    """Plays the plan, and slips now and then."""

    name = "slipping"
    informed = True
    settings: Mapping[str, Any] = {}

    def __init__(self, world: Any) -> None:
        self._world, self._order = world, plan_of(world)

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The next action of the plan, or something else."""
        if slips(self._world.id, turn.seed, turn.index):
            draw = random.Random(f"{self._world.id}/{turn.seed}/{turn.index}")
            return Reply(slip(self._world, turn, draw))
        return Reply(best(self._world, turn.state, self._order))


@once_per_world
def plan_of(world: Any) -> Sequence[Any]:
    """The oracle's actions in the order of their starts, without waits."""
    solution = solve_world(world, Request(time_limit_seconds=20.0))
    if solution.objective is None:
        raise Refused(f"{world.id}: {solution.status}")
    return [decision for decision in world.plan(solution.starts) if world.words(decision) != "wait"]


def best(world: Any, state: Any, order: Sequence[Any]) -> str:
    """The next action of the plan in words, if it can start; else a wait."""
    begun = {running.act for running in state.running}
    legality = world.rulebook.legality
    for act in order:
        attempt = legality.attempts[act]
        if act not in begun and not attempt.bit & state.finished:
            return str(world.words(act)) if legality.obstacle(state, attempt) is None else "wait"
    return "wait"


def slip(world: Any, turn: Turn, draw: random.Random) -> str:
    """Something that may be wrong."""
    kind = draw.random()
    if kind < 0.2:
        return "wait"
    if kind < 0.45:
        return str(world.words(draw.choice(turn.menu.options).decision))
    if kind < 0.8:
        return str(world.words(draw.choice(draw.choice(world.compiled.required).acts)))
    verb = draw.choice(list(world.compiled.verbs.values()))
    names = [item.name for item in world.compiled.items]
    return str(verb.words(*(draw.choice(names) for _ in range(1 + verb.takes_two))))

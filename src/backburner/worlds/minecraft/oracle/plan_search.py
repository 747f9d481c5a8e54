"""Plans that serve as many orders as can be found, and how many nobody can pass.

All orders and drops are known, and the search plays the world itself. A first plan comes of
``list_scheduler``, as greedy plays. Then thousands of plays follow, each of which leaves the best one so far
at some step and goes on by the same scheduler, with other settings, some orders to come in view, and now and
then something else from the menu. The better plan is kept: more orders served, then fewer that ran out, then
more cooked besides. Where a plan meets the bound of ``order_bound``, it is proven to serve most.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from typing import NamedTuple

from backburner.kernel.errors import Refused
from backburner.kernel.oracle import Oracle, Request, Solution, Status
from backburner.kernel.policy import PlanPolicy, Policy, once_per_world
from backburner.worlds.minecraft.game.actions import Calls
from backburner.worlds.minecraft.game.facts import RAW
from backburner.worlds.minecraft.game.state import State, count_of
from backburner.worlds.minecraft.game.world import Minecraft
from backburner.worlds.minecraft.oracle.list_scheduler import LOGS, StepPlan
from backburner.worlds.minecraft.oracle.order_bound import order_bound, order_stream

ROLLOUTS = 5000
"""Plays that are tried at the most."""

MOST_LOGS, MOST_FORESEEN = 3, 5
"""Logs that are kept ready and orders to come that are in view, at the most."""

NOISE = (0.0, 0.05, 0.2)
"""How often a body does something else, one of these in a play."""

UNIT = "orders served"
SPACE = "calls of all bodies in every step"


class Node(NamedTuple):
    """A state, and how it was come to."""

    state: State
    parent: Node | None
    calls: tuple[str, ...]


class Roll(NamedTuple):
    """How a play is rolled out: dishes of each kind that are cooked ahead, orders to come that are in view,
    logs that are kept ready, and how often a body does something else."""

    ahead: int = 0
    foreseen: int = 0
    logs: int = LOGS
    noise: float = 0.0


def most_served(
    world: Minecraft, seed: int = 0, *, time_limit_seconds: float = 60.0, rollouts: int = ROLLOUTS
) -> Solution:
    """The best play of a world with one dispatcher: ``objective`` orders served, ``bound`` at the most.

    ``optimal`` if they are the same, else ``feasible``, with the best plan that was found in so many plays
    and the time. Raises ``Refused`` for an episode without an end, and for several seats.
    """
    began = time.monotonic()
    if world.scenario.live:
        text = world.with_server(live=False).id
        raise Refused(f"{world.id}: what a server does cannot be searched; {text} is the game as text")
    if len(world.seats) > 1:
        raise Refused(f"{world.id}: the search takes one dispatcher")
    bound = order_bound(world, seed).most_served
    found = _Search(world, seed, began + time_limit_seconds).best_of(rollouts, bound)
    plan = tuple(world.words(Calls(node.calls)) for node in [*_before(found)[1:], found])
    objective = len(found.state.served)
    status: Status = "optimal" if objective >= bound else "feasible"
    seconds = time.monotonic() - began
    return Solution(world.id, status, objective, bound, "max", UNIT, SPACE, seconds=seconds, plan=plan)


class MinecraftOracle(Oracle):
    """The play of one dispatcher that serves most."""

    def solve(self, world: Minecraft, request: Request) -> Solution:
        """See ``most_served``."""
        return most_served(world, time_limit_seconds=request.time_limit_seconds)


ORACLE = MinecraftOracle()


def oracle_dispatcher(world: Minecraft) -> Policy:
    """Plays the best plan that is found in a minute; raises ``Refused`` where orders are drawn in play."""
    return PlanPolicy("oracle", _best_plan(world), informed=True)


@once_per_world
def _best_plan(world: Minecraft) -> tuple[str, ...]:
    if world.scenario.seed is None:
        raise Refused(f"{world.id}: orders come by the seed of play, so that there is no plan before")
    return ORACLE.solve(world, Request()).plan


class _Search:
    """Plays of one episode."""

    def __init__(self, world: Minecraft, seed: int, until: float) -> None:
        self.world, self.until = world, until
        self.stream = order_stream(world, seed)
        self.start = Node(world.start(seed), None, ())
        self.draw = random.Random(f"{world.id}/{seed}")

    def best_of(self, rollouts: int, bound: int) -> Node:
        """The best end of so many plays, or the first that serves as many orders as ``bound``."""
        draw = self.draw
        best = self._played(self.start, Roll())
        for _ in range(rollouts):
            if len(best.state.served) >= bound or time.monotonic() > self.until:
                break
            path = _before(best)
            roll = Roll(
                draw.randint(0, 1),
                draw.randint(0, MOST_FORESEEN),
                draw.randint(1, MOST_LOGS),
                draw.choice(NOISE),
            )
            # Of equal plans the new one is kept, so that the search wanders.
            best = max(self._played(path[draw.randrange(len(path))], roll), best, key=_rank)
        return best

    def _played(self, node: Node, roll: Roll) -> Node:
        """The end of a play from a node on."""
        seat, fetching = self.world.seats[0], dict[str, str]()
        while not node.state.ended:
            planned, fetching = self._planned(node.state, roll, fetching)
            calls = tuple(call for _, call in sorted(planned.items()) if call)
            node = Node(self.world.step(node.state, {seat: Calls(calls)}).state, node, calls)
        return node

    def _planned(
        self, state: State, roll: Roll, fetching: Mapping[str, str]
    ) -> tuple[dict[str, str], dict[str, str]]:
        """The call of each body in the next step, and what each is fetching then."""
        world, dishes = self.world, self.world.compiled.dishes
        wanted = [dishes[order.dish] for order in state.orders]
        coming = self.stream[state.arrived : state.arrived + roll.foreseen]
        wanted += [dishes[order.dish] for order in coming]
        seen = world.observe(state, world.seats[0])
        plan = StepPlan(seen, [*wanted, *dishes * roll.ahead], len(wanted), fetching, roll.logs)
        planned = plan.calls()
        for body, name in enumerate(world.compiled.names):
            if roll.noise and self.draw.random() < roll.noise:
                options = world.choices.menu(state, (body,)).options
                planned[name] = "".join(self.draw.choice(options).decision.calls)
        return planned, plan.after


def _before(node: Node) -> list[Node]:
    """The nodes that lead to one, from the first on; it itself is left out."""
    nodes: list[Node] = []
    while node.parent is not None:
        node = node.parent
        nodes.append(node)
    return nodes[::-1]


def _rank(node: Node) -> tuple[int, int, int]:
    """More orders served are better, then fewer that ran out, then more that is cooked."""
    state = node.state
    stores = (state.chest, *state.carried)
    return len(state.served), -state.expired, sum(count_of(items, dish) for items in stores for dish in RAW)

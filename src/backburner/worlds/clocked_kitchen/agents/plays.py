"""The best play that is known of a clocked kitchen, and how many orders nobody can pass.

Nobody has searched all plays. Cooks play as ``greedy`` does, then some sixty times more, knowing all orders:
which of these they take up, how many of those to come they work for, and how many dishes they make ahead is
drawn around the best play so far. Where it serves as many as ``order_bound`` allows, it is proven to be best;
else it is told beside the bound.
"""

from __future__ import annotations

import random
import time
from typing import NamedTuple

from backburner.kernel.errors import Refused
from backburner.kernel.oracle import JOINT, Allowance, Solution
from backburner.worlds.clocked_kitchen.agents.greedy import Greedy
from backburner.worlds.clocked_kitchen.game.state import State
from backburner.worlds.clocked_kitchen.game.world import ClockedKitchen
from backburner.worlds.clocked_kitchen.oracle import order_bound
from backburner.worlds.cuisineworld.agents.tasks import AHEAD
from backburner.worlds.dispatch.bounds import DispatchOracle, served_by

PLAYS = 60
"""Plays that are tried at the most; on published levels, the last forty hardly ever serve more."""

DECISIONS_OF_EFFORT = 5_000
"""Decisions that cooks take in about a second."""

CHANGED = 1.5
"""Of how many orders it is drawn anew whether they are taken up, in the mean."""

MOST_FORESEEN = 4


class Cooks(NamedTuple):
    """How a play goes: the numbers of the orders that are ``taken`` up, how many of those to come are known,
    how many dishes of each kind are made ahead."""

    taken: frozenset[int]
    foreseen: int = 0
    ahead: int = AHEAD


class Play(NamedTuple):
    """What a play has come to; more ``served`` is better, then fewer that ran out."""

    served: int
    kept: int
    plan: tuple[str, ...]


def most_served(
    world: ClockedKitchen, *, time_limit_seconds: float = 60.0, effort: float | None = None
) -> Solution:
    """The best play that is known: ``objective`` orders served, ``bound`` at the most.

    ``optimal`` if they are the same. Raises ``Refused`` where orders are drawn in play, and what
    ``order_bound`` raises.
    """
    if world.scenario.kitchen.seed is None:
        raise Refused(f"{world.id}: orders come by the seed of play, so that there is no plan before")
    began, allowance = time.monotonic(), Allowance(time_limit_seconds, effort, DECISIONS_OF_EFFORT)
    bound = order_bound.most_served(world)
    best = _Plays(world, allowance).best(bound)
    return served_by(world, best.plan, best.served, bound, actions="errands", began=began)


ORACLE = DispatchOracle(most_served)


class _Plays:
    """Plays of one episode, one after the other."""

    def __init__(self, world: ClockedKitchen, allowance: Allowance) -> None:
        self.world, self.allowance, self.greedy = world, allowance, Greedy(world)
        dishes = world.compiled.kitchen.dish_things
        self.dishes = [dishes[order.dish] for order in order_bound.order_stream(world)]
        self.draw = random.Random("clocked_kitchen/plays")

    def best(self, bound: int) -> Play:
        """The first play that serves as many orders as the bound says, else the best."""
        cooks = Cooks(frozenset(range(len(self.dishes))))
        best = self._played(cooks)
        for _ in range(PLAYS):
            if best.served >= bound or self.allowance.is_over:
                break
            other = self._drawn(cooks)
            # Of equal plays the new one is kept, so that the search wanders.
            if (play := self._played(other))[:2] >= best[:2]:
                cooks, best = other, play
        return best

    def _drawn(self, around: Cooks) -> Cooks:
        draw, orders = self.draw, len(self.dishes)
        changed = {number for number in range(orders) if draw.random() < CHANGED / orders}
        foreseen = draw.choice((around.foreseen, draw.randint(0, MOST_FORESEEN)))
        return Cooks(around.taken ^ changed, foreseen, draw.choice((around.ahead, draw.randint(0, AHEAD))))

    def _played(self, cooks: Cooks) -> Play:
        world, state, plan = self.world, self.world.start(), []
        made = dict.fromkeys(world.seats, frozenset[int]())
        while seats := world.deciders(state):
            wanted, decisions = self._wanted(state, cooks), {}
            for seat in seats:
                seen = world.observe(state, seat)
                made[seat] = self.greedy.made(seen, made[seat])
                decisions[seat] = self.greedy.commands(seen, made[seat], wanted, cooks.ahead)
            plan.append(JOINT.join(world.words(decisions[seat], seat) for seat in seats))
            state = world.step(state, decisions).state
            self.allowance.count(len(seats))
        return Play(len(state.served), -state.expired, tuple(plan))

    def _wanted(self, state: State, cooks: Cooks) -> list[int]:
        """The dishes that cooks work for, the most urgent first."""
        there = [order.number for order in state.orders]
        coming = range(state.arrived, min(state.arrived + cooks.foreseen, len(self.dishes)))
        return [self.dishes[number] for number in (*there, *coming) if number in cooks.taken]

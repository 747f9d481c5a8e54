"""The shortest plan from any state, by A*, and a bound that needs no search.

Between two moments in which a machine stops or your hands become free, nothing new is possible. A plan that
begins something in between can begin it at the earlier moment and ends no later. So it is enough to look at
the decisions that ``rules.decisions`` lists.
"""

from __future__ import annotations

import heapq
import time
from itertools import count
from typing import NamedTuple

from laundry.rules import Rulebook, decisions
from laundry.state import VERBS, Decision, State

STATES_A_SECOND = 40_000
"""About so many states are found in a second."""


class Plan(NamedTuple):
    """``decisions`` lead to the end in minute ``finish``, or are ``None`` where the time did not suffice;
    no plan ends before ``bound``."""

    decisions: tuple[Decision, ...] | None
    finish: int
    bound: int


def bound(book: Rulebook, state: State) -> int:
    """A minute before which not everything can be folded: an admissible bound.

    It is the greatest of three: your hands do one thing at a time; each kind of machine has so much left to
    do; each load has so long a way to go.
    """
    hands = 0
    machines = dict.fromkeys(book.machines, 0)
    chain = 0
    for index, basket in enumerate(state.baskets):
        way = max(0, basket.until - state.minute) if basket.running else 0
        for verb in VERBS[basket.done + basket.running :]:
            way += book.minutes(index, verb)
            hands += book.hands(index, verb)
            if verb in machines:
                machines[verb] += book.minutes(index, verb)
        chain = max(chain, way)
    busiest = max(-(-minutes // book.machines[verb]) for verb, minutes in machines.items())
    return state.minute + max(hands, chain, busiest)


def shortest_plan(book: Rulebook, start: State, seconds: float, effort: float | None = None) -> Plan:
    """A plan of the fewest minutes, proven unless the seconds are over before; with an ``effort``, unless it
    looks at more states than that, however long it takes."""
    until = time.monotonic() + seconds
    most = None if effort is None else round(effort * STATES_A_SECOND)
    order = count()
    queue = [(bound(book, start), next(order), start)]
    parents: dict[State, tuple[State, Decision] | None] = {start: None}
    while queue:
        estimate, _, state = heapq.heappop(queue)
        if state.finished:
            return Plan(_decisions_to(state, parents), state.minute, state.minute)
        if state.closed:
            continue
        if time.monotonic() > until if most is None else len(parents) > most:
            return Plan(None, 0, estimate)
        for decision in decisions(book, state):
            after = book.step(state, decision).state
            if after not in parents:
                parents[after] = (state, decision)
                heapq.heappush(queue, (bound(book, after), next(order), after))
    return Plan(None, 0, 0)


def _decisions_to(state: State, parents: dict[State, tuple[State, Decision] | None]) -> tuple[Decision, ...]:
    plan: list[Decision] = []
    while (parent := parents[state]) is not None:
        state, decision = parent
        plan.append(decision)
    return tuple(reversed(plan))

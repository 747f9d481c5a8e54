"""The score of a row, and the bound on how much it may still rise; see ``potential.OpenWork``."""

from __future__ import annotations

from backburner.arrays.jit import compiled
from backburner.worlds.cuisineworld.arrays.rows import Rows, Tables
from backburner.worlds.cuisineworld.arrays.step import over


@compiled
def score(t: Tables, r: Rows, e: int) -> float:
    """Orders served."""
    return float(r.served[e])


@compiled
def potential(t: Tables, r: Rows, e: int) -> float:
    """How many more orders may be served: the most jobs on time."""
    if over(t, r, e):
        return 0.0
    left, value, bodies = int(t.turns - r.steps[e]), _value(t, r, e), r.at.shape[1]
    count, load, order = 0, 0, 0
    arrives = int(t.interval - r.steps[e] % t.interval)
    while order < r.open[e] or arrives < left:
        due = min(arrives + t.longest_lifetime, left)
        if order < r.open[e] and (arrives >= left or r.order_left[e, order] <= due):
            due = min(int(r.order_left[e, order]), left)
            work = int(t.dish_cost[r.order_dish[e, order]])
            order += 1
            if due == 0:
                continue
        else:
            work = t.least_cost
            arrives += t.interval
        r.kept[e, count] = work
        count += 1
        load += work
        if load > bodies * due + value:
            count -= 1
            load -= _drop_longest(r, e, count)
    return float(count)


@compiled
def _drop_longest(r: Rows, e: int, last: int) -> int:
    """Drop the longest of the jobs kept so far, up to the ``last``; how long it was."""
    longest = last
    for job in range(last):
        if r.kept[e, job] > r.kept[e, longest]:
            longest = job
    work = r.kept[e, longest]
    r.kept[e, longest] = r.kept[e, last]
    return int(work)


@compiled
def _value(t: Tables, r: Rows, e: int) -> int:
    """The steps of bodies that lie behind everything that is there."""
    value = 0
    for body in range(r.at.shape[1]):
        value += t.in_hands[r.at[e, body], r.held[e, body]]  # of nothing, -1, the last column
    for place in range(r.inside.shape[1]):
        value += t.inside_value[r.inside[e, place]]
    for table in range(r.dishes.shape[1]):
        for dish in range(r.dishes.shape[2]):
            value += r.dishes[e, table, dish] * t.dish_cost[dish]
    return value

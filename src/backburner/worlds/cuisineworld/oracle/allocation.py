"""The allocation problem of the MindAgent article (section 4.1, Eqs. 2-5), solved with OR-Tools CP-SAT.

Sub-tasks *m* of the open tasks *p*, here numbered through, are given to agents *i*: maximize the sum of
u v, where v is 1 for what is given to whom (Eqs. 3, 4), such that all together take at most T_max, and
each sub-task goes to one agent at most (Eq. 5). Every agent gets one sub-task at most, which the article
leaves open: the problem is solved again at every step, and an agent does one thing in a step.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from backburner.scheduling.cpsat import cp_sat, search

TIME_LIMIT_SECONDS = 10.0
"""Far more than problems of a few agents and orders take."""


class Offer(Struct, frozen=True):
    """An agent that can do a sub-task: its utility u = q - c, and the steps tau that it takes.

    What is not offered has the utility minus infinity (Eq. 2).
    """

    agent: int
    task: int
    quality: int
    cost: int
    steps: int


def allocate(offers: Sequence[Offer], most_steps: int) -> tuple[Offer, ...]:
    """The offers taken, of the greatest utility in all; raises ``MissingExtra``."""
    model = cp_sat().CpModel()
    taken = [model.new_bool_var(f"agent {offer.agent} does {offer.task}") for offer in offers]
    for chosen in _sharing(offers):
        model.add_at_most_one(taken[number] for number in chosen)
    model.add(sum(o.steps * v for o, v in zip(offers, taken, strict=True)) <= most_steps)
    model.maximize(sum((o.quality - o.cost) * v for o, v in zip(offers, taken, strict=True)))
    found = search(model, time_limit_seconds=TIME_LIMIT_SECONDS, workers=1, seed=0)
    if found.status not in ("optimal", "feasible"):
        return ()
    return tuple(o for o, v in zip(offers, taken, strict=True) if found.solver.boolean_value(v))


def _sharing(offers: Sequence[Offer]) -> list[list[int]]:
    """The numbers of the offers of each agent, and of each sub-task."""
    groups: dict[tuple[str, int], list[int]] = {}
    for number, offer in enumerate(offers):
        groups.setdefault(("agent", offer.agent), []).append(number)
        groups.setdefault(("task", offer.task), []).append(number)
    return list(groups.values())

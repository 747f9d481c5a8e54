"""The goal over tables: whether it is reached, what that is worth, and how far it is at the least."""

from __future__ import annotations

from typing import Any

from backburner.arrays.jit import compiled
from backburner.worlds.robotouille.arrays.rows import (
    CANDIDATES,
    CANDIDATES_END,
    CHECKS,
    CHECKS_END,
    COMING,
    COMPLETED,
    COST,
    EFFECT,
    ENDED,
    LACKING,
    LACKING_END,
    NEEDED,
    NOTHING,
    RUNNING,
    STEPS,
    Ints,
    Rows,
    Tables,
    holds,
)


@compiled
def lacking(lacks: Ints, lack_facts: Ints, facts: Any, lack: int) -> int:
    """How many facts of a kind the goal lacks; below 0 where there are more than it needs."""
    missing = lacks[lack, NEEDED]
    for k in range(lacks[lack, LACKING], lacks[lack, LACKING_END]):
        missing -= facts[lack_facts[k]]
    return int(missing)


@compiled
def reached(t: Tables, facts: Any, scratch: Any) -> bool:
    """Whether there is a thing for each variable of the goal, so that all of it holds."""
    for lack in range(t.lacks.shape[0]):
        if lacking(t.lacks, t.lack_facts, facts, lack) > 0:
            return False
    n_variables = t.variables.shape[0]
    chosen, tried = scratch[:n_variables], scratch[n_variables:]
    depth = 0
    if n_variables:
        tried[0] = t.variables[0, CANDIDATES]
    while 0 <= depth < n_variables:
        if tried[depth] == t.variables[depth, CANDIDATES_END]:
            depth -= 1
            continue
        chosen[depth] = t.candidates[tried[depth]]
        tried[depth] += 1
        fits = True
        for before in range(depth):  # different variables are different things
            fits = fits and chosen[before] != chosen[depth]
        begin, end = t.variables[depth, CHECKS], t.variables[depth, CHECKS_END]
        if fits and holds(t.fact_of, t.literals, facts, begin, end, chosen):
            depth += 1
            if depth < n_variables:
                tried[depth] = t.variables[depth, CANDIDATES]
    return bool(depth == n_variables)


@compiled
def worth(horizon: int, steps: int) -> float:
    """The score of a goal that is reached after so many steps."""
    return 1.0 + max(1.0 - steps / horizon, 0.0)


@compiled
def score(t: Tables, r: Rows, e: int) -> float:
    """See ``encoding.RobotouilleEncoding.score``."""
    counted = r.counted[e]
    return worth(t.horizon, counted[STEPS]) if counted[ENDED] == COMPLETED else 0.0


@compiled
def potential(t: Tables, r: Rows, e: int) -> float:
    """See ``encoding.RobotouilleEncoding.potential``, and ``outlook.Outlook.steps``."""
    if r.counted[e, ENDED] != RUNNING:
        return 0.0
    parts = 0
    for lack in range(t.lacks.shape[0]):
        missing = lacking(t.lacks, t.lack_facts, r.facts[e], lack)
        for slot in range(r.running.shape[1]):
            effect = r.running[e, slot, EFFECT]
            if effect == NOTHING:
                break
            missing -= t.lacks[lack, COMING + effect]
        parts += max(missing, 0) * t.lacks[lack, COST]
    whole = t.unit * t.acting
    earliest = r.counted[e, STEPS] + max((parts + whole - 1) // whole, 1)
    return 0.0 if earliest > t.step_limit else worth(t.horizon, earliest)

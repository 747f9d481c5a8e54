"""Small kitchens made at random, and the shortest way through them by trying everything.

``random`` may be Python's generator or one that Hypothesis controls.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.kernel.schedule import problem_of
from backburner.worlds.recipe2plan.game import Cook, Lag, Piece, Recipe, Recipe2Plan, Step
from backburner.worlds.recipe2plan.game.compiled import COOK, Job
from backburner.worlds.recipe2plan.game.state import Kitchen, State


class Mixture(NamedTuple):
    """What steps are made of, each chosen with equal chances from a field, in units of time.

    Of a splittable step no temperature is set or needed: the solver's problem leaves that out.
    """

    sizes: Sequence[tuple[int, int]] = ((1, 1), (2, 1), (2, 2), (3, 1), (3, 2))
    units: Sequence[int] = (1, 2, 3)
    kinds: Sequence[str] = ("by hand", "in pieces", "by itself", "by itself")
    after: Sequence[bool] = (True, False)
    lags: Sequence[int | None] = (None, None, None, 0, 1, 2)
    appliances: Sequence[str | None] = (None, "stove", "oven", "oven")
    heats: Sequence[tuple[int | None, int | None]] = (
        (None, None), (350, None), (350, None), (400, None), (None, 350), (None, 400),
    )  # fmt: skip
    """(sets, needs)"""


ANYTHING = Mixture()
HEAT = Mixture(
    sizes=((2, 2), (3, 1)),
    units=(1, 1, 2),
    kinds=("by hand", "by itself", "by itself", "by itself"),
    after=(True, False, False),
    lags=(None,),
    appliances=("oven", "oven", "oven", "grill"),
    heats=((None, None), *[(350, None), (None, 350)] * 2, (400, None), (None, 400)),
)
"""Preheating together, one temperature after the other."""
LAGS = Mixture(
    kinds=("by hand", "in pieces", "in pieces", "by itself"),
    after=(True, True, False),
    lags=(None, 0, 1, 2),
    appliances=(None, None, None, "stove"),
    heats=((None, None),),
)
"""What is done in pieces must not wait for long."""


def kitchen(random: Random, unit: int = 30, of: Mixture = ANYTHING) -> tuple[Recipe, ...]:
    """Two recipes of up to five steps together; not every one of them can be cooked.

    Durations and lags are multiples of ``unit``, which is the grid if it divides 30.
    """
    sizes = random.choice(of.sizes)
    first, second = (tuple(_step(random, number, unit, of) for number in range(size)) for size in sizes)
    return Recipe("A", (replace(first[0], seconds=unit), *first[1:])), Recipe("B", second)


def _step(random: Random, number: int, unit: int, of: Mixture) -> Step:
    """A step that comes after some of those before it, perhaps with a maximum lag."""
    kind, appliance = random.choice(of.kinds), random.choice(of.appliances)
    after = tuple(need for need in range(number) if random.choice(of.after))
    lags = ((need, random.choice(of.lags)) for need in after)
    sets, needs = random.choice(of.heats) if appliance and kind != "in pieces" else (None, None)
    return Step(
        "Do it.",
        unit * random.choice(of.units),
        autonomous=kind == "by itself",
        splittable=kind == "in pieces",
        after=after,
        lags=tuple(Lag(need, unit * units) for need, units in lags if units is not None),
        appliance=appliance,
        needs_fahrenheit=needs,
        sets_fahrenheit=sets,
    )


def kitchens(unit: int = 30) -> st.SearchStrategy[tuple[Recipe, ...]]:
    """Small kitchens for Hypothesis."""
    return st.randoms(use_true_random=False).map(lambda random: kitchen(random, unit))


# --- everything that can be done ------------------------------------------------------------------


class Best(NamedTuple):
    """The least seconds in which everything can be completed, and the fewest actions that do it then."""

    seconds: int
    actions: int


def best_by_trying(world: Recipe2Plan) -> Best | None:
    """The best way that the world accepts on the problem's grid; ``None`` if there is none."""
    grid = problem_of(world).grid
    none = best = Best(1 + sum(job.step.seconds for job in world.compiled.jobs), 0)
    seen: dict[Any, int] = {}
    states = [world.start()]
    while states:
        kitchen = states.pop().kitchen
        if kitchen.done == len(world.compiled.jobs):
            best = min(best, Best(kitchen.finish, kitchen.actions))
            continue
        key = replace(kitchen, actions=0, worked=0, running=())
        if seen.get(key, sys.maxsize) <= kitchen.actions:
            continue
        seen[key] = kitchen.actions
        for piece in _pieces(world, kitchen, best.seconds, grid):
            step = world.step(State(replace(kitchen, running=())), {COOK: Cook((piece,))})
            if not step.refusals:
                states.append(step.state)
    return None if best is none else best


def _pieces(world: Recipe2Plan, kitchen: Kitchen, latest: int, grid: int) -> Iterator[Piece]:
    """Everything that could be done next, if all ends by ``latest``; what starts early comes last."""
    by_hand = (job for job in world.compiled.jobs if not job.step.autonomous)
    spare = latest - kitchen.clock - sum(kitchen.left[job.index] for job in by_hand)
    for start in reversed(range(kitchen.clock, kitchen.clock + spare + 1, grid)):
        for job in world.compiled.jobs:
            for seconds in _lengths(kitchen.left[job.index], job, grid):
                yield Piece(job.number, job.recipe, seconds, start)


def _lengths(left: int, job: Job, grid: int) -> Iterable[int]:
    return range(grid, left + 1, grid) if left and job.step.splittable else [left] if left else []

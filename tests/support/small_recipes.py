"""Small kitchens made at random, and the shortest way through them by trying everything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.worlds.recipe2plan import Cook, Lag, Piece, Recipe, Recipe2Plan, Step
from backburner.worlds.recipe2plan.cookbook import COOK, Job
from backburner.worlds.recipe2plan.state import Kitchen, State

GRID = 30
"""Seconds; durations, lags and, in the search, starts and pieces are multiples of it."""


@st.composite
def steps(draw: st.DrawFn, number: int) -> Step:
    """A step that comes after some of those before it, perhaps with a maximum lag."""
    kind = draw(st.sampled_from(["by hand", "in pieces", "by itself", "by itself"]))
    after = tuple(need for need in range(number) if draw(st.booleans()))
    lags = tuple(Lag(need, GRID * draw(st.integers(0, 2))) for need in after if draw(st.booleans()))
    appliance = draw(st.sampled_from([None, "stove", "oven", "oven"]))
    heat = draw(st.sampled_from([350, 400]))
    use = draw(st.sampled_from(["no", "sets", "sets", "needs"]))
    heats = appliance == "oven" and kind != "in pieces"
    return Step(
        "Do it.",
        GRID * draw(st.integers(1, 3)),
        autonomous=kind == "by itself",
        splittable=kind == "in pieces",
        after=after,
        lags=lags,
        appliance=appliance,
        needs_fahrenheit=heat if heats and use == "needs" else None,
        sets_fahrenheit=heat if heats and use == "sets" else None,
    )


@st.composite
def kitchens(draw: st.DrawFn) -> tuple[Recipe, ...]:
    """Two recipes of up to five steps together; not every one of them can be cooked."""
    sizes = draw(st.sampled_from([(1, 1), (2, 1), (2, 2), (3, 1), (3, 2)]))
    return tuple(
        Recipe(name, tuple(draw(steps(number)) for number in range(size)))
        for name, size in zip(("A", "B"), sizes, strict=True)
    )


def shortest_by_trying(world: Recipe2Plan) -> int | None:
    """The least seconds in which the world lets everything be completed on the grid, if it does."""
    most = sum(job.step.seconds for job in world.cookbook.jobs)
    best = most + 1
    seen: set[Any] = set()
    states = [world.start()]
    while states:
        state = states.pop()
        kitchen = state.kitchen
        if kitchen.done == len(world.cookbook.jobs):
            best = min(best, kitchen.finish)
            continue
        key = replace(kitchen, actions=0, worked=0, running=())
        if key in seen:
            continue
        seen.add(key)
        for piece in _pieces(world, kitchen, best):
            step = world.step(_fresh(kitchen), {COOK: Cook((piece,))})
            if not step.refusals and step.state.kitchen.finish < best:
                states.append(step.state)
    return best if best <= most else None


def _fresh(kitchen: Kitchen) -> State:
    return State(replace(kitchen, running=()))


def _pieces(world: Recipe2Plan, kitchen: Kitchen, best: int) -> Iterator[Piece]:
    for job in world.cookbook.jobs:
        for seconds in _lengths(kitchen.left[job.index], job):
            for start in range(kitchen.clock, best - seconds, GRID):
                yield Piece(job.number, job.recipe, seconds, start)


def _lengths(left: int, job: Job) -> list[int]:
    if not left:
        return []
    return list(range(GRID, left + 1, GRID)) if job.step.splittable else [left]

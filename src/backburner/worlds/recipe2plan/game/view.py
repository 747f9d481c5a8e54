"""Recipe2Plan as a board: appliances, and the steps of each recipe: done, under way, or how long they may
wait.

It shows what the cook has read, done and been told: never what depends on what, nor what goes on by itself
before it does.
"""

from __future__ import annotations

from collections.abc import Iterator

from backburner.kernel.view import Place, Progress, Scene, Thing
from backburner.worlds.recipe2plan.game.compiled import Compiled, Job
from backburner.worlds.recipe2plan.game.state import Kitchen, Observation
from backburner.worlds.recipe2plan.game.text import length

DONE, TOO_LATE = "done", "too late"


def scene(compiled: Compiled, kitchen: Kitchen, seen: Observation) -> Scene:
    """What the cook knows of the kitchen; ``seen``: what it perceives."""
    appliances = tuple(
        Place(
            each.name,
            each.name,
            (column, 0),
            marks=("in use" if each.occupied else "free", *_heat(each.name, each.fahrenheit)),
        )
        for column, each in enumerate(seen.appliances)
    )
    ends = {(one.recipe, one.step): one.ends for one in seen.under_way}
    late = {(one.recipe, one.step) for one in seen.missed}
    recipes = tuple(
        Place(
            recipe,
            "recipe",
            (column, 1),
            marks=(f"{sum(_is_done(kitchen, job) for job in jobs)} of {len(jobs)} done",),
            stack=tuple(_step(job, kitchen, ends.get((recipe, job.number)), late) for job in jobs),
        )
        for column, (recipe, jobs) in enumerate(compiled.jobs_of.items())
    )
    return Scene(max(len(appliances), len(recipes)), 2, appliances + recipes, cards=True)


def _heat(appliance: str, fahrenheit: int | None) -> tuple[str, ...]:
    if fahrenheit is None:
        return ("not preheated",) if appliance == "oven" else ()
    return (f"{fahrenheit} °F",)


def _is_done(kitchen: Kitchen, job: Job) -> bool:
    ends = kitchen.ends[job.index]
    return not kitchen.left[job.index] and ends is not None and ends <= kitchen.clock


def _step(job: Job, kitchen: Kitchen, ends: int | None, late: set[tuple[str, int]]) -> Thing:
    """A step: its text and time, and what has become of it."""
    full, left = job.step.seconds, kitchen.left[job.index]
    traits = (job.step.text, length(full), *(("may be split",) if job.step.splittable else ()))
    if ends is not None and ends > kitchen.clock:
        progress = (Progress("under way", max(0, min(full - (ends - kitchen.clock), full)), full),)
        return Thing(job.label, "step", traits=traits, progress=progress)
    if _is_done(kitchen, job):
        return Thing(job.label, "step", marks=(DONE,), traits=traits)
    begun = (Progress("done in part", full - left, full, paused=True),) if 0 < left < full else ()
    marks = (TOO_LATE,) if (job.recipe, job.number) in late else ()
    waits = () if marks else tuple(_waits(job, kitchen))
    return Thing(job.label, "step", marks=marks, traits=traits, progress=(*begun, *waits))


def _waits(job: Job, kitchen: Kitchen) -> Iterator[Progress]:
    """How much is gone of the time within which the step must begin, after what has ended."""
    for lag in job.lags:
        ended = kitchen.ends[lag.earlier]
        if ended is None or kitchen.left[lag.earlier] or not 0 <= kitchen.clock - ended < lag.seconds:
            continue
        yield Progress(f"to begin after step {lag.after}", kitchen.clock - ended, lag.seconds, runs_out=True)

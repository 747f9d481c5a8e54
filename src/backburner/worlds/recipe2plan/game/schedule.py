"""Recipe2Plan as a scheduling problem, and a schedule as one decision.

A step that keeps the cook busy holds its attention throughout, one that runs by itself not at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd

from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.schedule import Activity, Lag, Level, Problem, Resource
from backburner.worlds.recipe2plan.game.actions import Cook, Piece
from backburner.worlds.recipe2plan.game.cookbook import Cookbook, Job
from backburner.worlds.recipe2plan.game.rule_set import Rules

EVERYTHING = (
    "every decision whose pieces of split steps begin and end on a grid of {grid} seconds: a refused "
    "action gains nothing, and doing steps or waiting is all there is"
)
ZERO_LENGTH = (
    "actions that take time: these rules also accept some of zero seconds, which end a running step "
    "early and restart lags; they are left out, and a shorter plan with them is not excluded"
)
IN_ONE_GO = (
    "plans that do not split a step which sets or needs a temperature; a shorter plan that does is "
    "not excluded"
)
COARSEST_SECONDS = 30
"""Of the grid on which steps are split."""


def problem(cookbook: Cookbook, rules: Rules) -> Problem:
    """The makespan problem of all steps under these rules."""
    whole = any(job.step.splittable and _is_about_heat(job) for job in cookbook.jobs)
    spaces = [ZERO_LENGTH] * rules.zero_length_actions + [IN_ONE_GO] * whole
    grid = _grid(cookbook)
    return Problem(
        unit="seconds",
        activities=tuple(_activity(cookbook, job) for job in cookbook.jobs),
        resources=tuple(map(Resource, cookbook.appliances)),
        space="; ".join(spaces) or EVERYTHING.format(grid=grid),
        complete=not spaces,
        grid=grid,
    )


def _is_about_heat(job: Job) -> bool:
    return job.step.sets_fahrenheit is not None or job.step.needs_fahrenheit is not None


def _grid(cookbook: Cookbook) -> int:
    lags = (lag.seconds for lag in cookbook.lags)
    return gcd(COARSEST_SECONDS, *(job.step.seconds for job in cookbook.jobs), *lags)


def _activity(cookbook: Cookbook, job: Job) -> Activity:
    step, labels = job.step, [other.label for other in cookbook.jobs]
    sets, needs = step.sets_fahrenheit, step.needs_fahrenheit
    return Activity(
        name=job.label,
        duration=step.seconds,
        attention=0 if step.autonomous else step.seconds,
        after=tuple(labels[need] for need in job.after),
        resources=(step.appliance,) if step.appliance else (),
        lags=tuple(Lag(labels[lag.earlier], lag.seconds) for lag in job.lags),
        sets=Level(step.appliance, sets) if step.appliance and sets is not None else None,
        needs=Level(step.appliance, needs) if step.appliance and needs is not None else None,
        splittable=step.splittable and not _is_about_heat(job),
    )


def plan(cookbook: Cookbook, rules: Rules, starts: Mapping[str, int]) -> list[Cook]:
    """One decision: all actions, by start, and the word that they are all if the rules want it.

    ``Soup 0+60`` is the piece of ``Soup 0`` before which 60 seconds of it are done. Of what starts
    together, what runs by itself comes first, and of that what sets no temperature. Raises
    ``Refused`` if ``starts`` does not name just the steps.
    """
    begun = _begun(cookbook, starts)
    timed: list[tuple[int, bool, bool, Piece]] = []
    for job in cookbook.jobs:
        dones = sorted(begun[job.index])
        for done, until in zip(dones, [*dones[1:], job.step.seconds], strict=True):
            start, heats = begun[job.index][done], job.step.sets_fahrenheit is not None
            piece = Piece(job.number, job.recipe, until - done, start)
            timed.append((start, not job.step.autonomous, heats, piece))
    actions = [piece for *_, piece in sorted(timed, key=lambda entry: entry[:3])]
    return [Cook(tuple(actions), finish=rules.goes_on_when_complete)]


def _begun(cookbook: Cookbook, starts: Mapping[str, int]) -> list[dict[int, int]]:
    """For each job the starts of its pieces, by how much of it is done before."""
    begun: dict[str, dict[int, int]] = {job.label: {} for job in cookbook.jobs}
    for name, start in starts.items():
        label, plus, done = name.partition("+")
        if label not in begun or (plus and not (done.isdecimal() and int(done))):
            raise Refused(str(UnknownName("step", name, list(begun), "the schedule")))
        begun[label][int(done or 0)] = start
    for label, pieces in begun.items():
        if 0 not in pieces:
            raise Refused(f"the schedule does not start {label!r}")
    return list(begun.values())

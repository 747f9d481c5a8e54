"""A scenario compiled for its rules: the steps of all recipes as one numbered list of jobs.

And as a scheduling problem, with a schedule as one decision. The cook is the operator: a step that keeps the
cook busy holds it throughout, one that runs by itself not at all. An oven is a machine whose state is its
temperature.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.schedule import Activity, MachineState, MaxLag, Problem, Remaining, Resource
from backburner.kernel.values import Refusal
from backburner.worlds.recipe2plan.game.rule_set import Rules
from backburner.worlds.recipe2plan.game.scenarios import Recipe, Scenario, Step
from backburner.worlds.recipe2plan.game.state import (
    FINISH,
    Cook,
    Kitchen,
    Piece,
    unknown_recipe,
    unknown_step,
)

COOK = "cook"
"""The seat, the body and its lane."""

APPLIANCES = ("oven", "microwave", "stove")
"""They stand in every kitchen, needed or not (the release tells of all three)."""


class LagOf(Struct, frozen=True, gc=False):
    """Job ``job`` may start at most ``seconds`` after the end of job ``earlier``, which is step ``after``."""

    job: int
    earlier: int
    after: int
    seconds: int


class Job(Struct, frozen=True):
    """A step of a recipe, the ``index``-th of all jobs and the ``number``-th of its recipe.

    ``after``: indices of the jobs that come first. ``lags``: those that are in force. ``appliance``: an
    index in ``Compiled.appliances``. ``autonomous``: whether it goes on by itself. ``lane`` and ``label``:
    where a timeline shows it, and as what.
    """

    index: int
    recipe: str
    number: int
    step: Step
    after: tuple[int, ...]
    lags: tuple[LagOf, ...]
    appliance: int | None
    autonomous: bool
    lane: str
    label: str


class Compiled:
    """All jobs of a scenario, and again by recipe (``jobs_of``); the ``lags`` in force of all jobs."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        steps = [step for recipe in scenario.recipes for step in recipe.steps]
        used = (step.appliance for step in steps if step.appliance)
        self.appliances = tuple(dict.fromkeys((*APPLIANCES, *used)))
        jobs: list[Job] = []
        self.jobs_of: dict[str, tuple[Job, ...]] = {}
        for recipe in scenario.recipes:
            self.jobs_of[recipe.name] = self._jobs(recipe, first=len(jobs))
            jobs += self.jobs_of[recipe.name]
        self.jobs = tuple(jobs)
        self.lags = tuple(lag for job in jobs for lag in job.lags)

    def _jobs(self, recipe: Recipe, first: int) -> tuple[Job, ...]:
        return tuple(
            Job(
                first + number,
                recipe.name,
                number,
                step,
                tuple(first + need for need in step.after),
                tuple(
                    LagOf(first + number, first + lag.after, lag.after, lag.seconds)
                    for lag in step.lags
                    if self.scenario.lags
                ),
                self.appliances.index(step.appliance) if step.appliance else None,
                step.autonomous,
                (step.appliance or recipe.name) if step.autonomous else COOK,
                f"{recipe.name} {number}",
            )
            for number, step in enumerate(recipe.steps)
        )

    def autonomous_seconds(self, left: Sequence[int]) -> int:
        """How long the complete jobs take that run by themselves; ``left``: the seconds left of each job."""
        return sum(j.step.seconds for j in self.jobs if j.autonomous and not left[j.index])

    def job_of(self, piece: Piece) -> Job | Refusal:
        """The job that the piece names, or why there is none."""
        jobs, step = self.jobs_of.get(piece.recipe), piece.step
        if jobs is None:
            return unknown_recipe(piece.recipe)
        if not 0 <= step < len(jobs):
            return unknown_step(piece, len(jobs) - 1)
        return jobs[step]


# --- the scenario as a scheduling problem, and a schedule as one decision --------------------------------

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
EVERY_PIECE = (
    "plans in which each piece of a split step keeps its limits; these rules ask it of the first alone, and "
    "a shorter plan that makes use of that is not excluded"
)
COARSEST_SECONDS = 30
"""Of the grid on which steps are split."""


def problem(compiled: Compiled, rules: Rules) -> Problem:
    """The makespan problem of all steps under these rules."""
    whole = any(job.step.splittable and _is_about_heat(job) for job in compiled.jobs)
    freer = rules.lags_bind_first_piece and any(job.step.splittable and job.lags for job in compiled.jobs)
    spaces = [ZERO_LENGTH] * rules.zero_length_actions + [IN_ONE_GO] * whole + [EVERY_PIECE] * freer
    grid = _grid(compiled)
    return Problem(
        unit="seconds",
        activities=tuple(_activity(compiled, job) for job in compiled.jobs),
        resources=tuple(map(Resource, compiled.appliances)),
        space="; ".join(spaces) or EVERYTHING.format(grid=grid),
        complete=not spaces,
        grid=grid,
    )


def remaining(compiled: Compiled, rules: Rules, kitchen: Kitchen) -> Remaining:
    """What is left to be cooked: steps under way and those that are not begun.

    What is over stays for its end and its temperature, which lags and ovens go by, and holds nothing more.
    Raises ``Refused`` where a step is done in part, or the clock is off the grid of split steps.
    """
    whole = problem(compiled, rules)
    in_part = [job.label for job in compiled.jobs if 0 < kitchen.left[job.index] < job.step.seconds]
    if in_part or kitchen.clock % whole.grid:
        raise Refused(f"a step is done in part: {', '.join(in_part) or 'the clock is off the grid'}")
    begun: dict[str, int] = {}
    activities: list[Activity] = []
    for job, activity in zip(compiled.jobs, whole.activities, strict=True):
        ends = kitchen.ends[job.index]
        if ends is None or kitchen.left[job.index]:
            activities.append(activity)
            continue
        begun[activity.name] = ends - activity.duration
        held = activity.resources if ends > kitchen.clock else ()
        activities.append(Activity(activity.name, activity.duration, 0, resources=held, sets=activity.sets))
    return Remaining(replace(whole, activities=tuple(activities)), begun, kitchen.clock)


def _is_about_heat(job: Job) -> bool:
    return job.step.sets_fahrenheit is not None or job.step.needs_fahrenheit is not None


def _grid(compiled: Compiled) -> int:
    lags = (lag.seconds for lag in compiled.lags)
    return gcd(COARSEST_SECONDS, *(job.step.seconds for job in compiled.jobs), *lags)


def _activity(compiled: Compiled, job: Job) -> Activity:
    step, labels = job.step, [other.label for other in compiled.jobs]
    sets, needs = step.sets_fahrenheit, step.needs_fahrenheit
    return Activity(
        name=job.label,
        duration=step.seconds,
        operator_time=0 if step.autonomous else step.seconds,
        predecessors=tuple(labels[need] for need in job.after),
        resources=(step.appliance,) if step.appliance else (),
        max_lags=tuple(MaxLag(labels[lag.earlier], lag.seconds) for lag in job.lags),
        sets=MachineState(step.appliance, sets) if step.appliance and sets is not None else None,
        requires=MachineState(step.appliance, needs) if step.appliance and needs is not None else None,
        preemptive=step.splittable and not _is_about_heat(job),
    )


def plan(compiled: Compiled, rules: Rules, starts: Mapping[str, int]) -> list[Cook]:
    """One decision: all actions, by start, and the word that they are all if the rules want it.

    ``Soup 0+60`` is the piece of ``Soup 0`` before which 60 seconds of it are done. Of what starts
    together, what runs by itself comes first, and of that what sets no temperature. Raises
    ``Refused`` if ``starts`` does not name just the steps.
    """
    begun = _begun(compiled, starts)
    timed: list[tuple[int, bool, bool, Piece]] = []
    for job in compiled.jobs:
        dones = sorted(begun[job.index])
        for done, until in zip(dones, [*dones[1:], job.step.seconds], strict=True):
            start, heats = begun[job.index][done], job.step.sets_fahrenheit is not None
            piece = Piece(job.number, job.recipe, until - done, start)
            timed.append((start, not job.step.autonomous, heats, piece))
    actions = [piece for *_, piece in sorted(timed, key=lambda entry: entry[:3])]
    return [Cook(tuple(actions), finish=rules.goes_on_when_complete)]


def one_by_one(plan: Sequence[Cook]) -> tuple[Cook, ...]:
    """A plan with its actions in decisions of their own, one after the other."""
    return tuple(
        one
        for decision in plan
        for one in ([Cook((piece,)) for piece in decision.actions] + ([FINISH] if decision.finish else []))
        or [decision]
    )


def _begun(compiled: Compiled, starts: Mapping[str, int]) -> list[dict[int, int]]:
    """For each job the starts of its pieces, by how much of it is done before."""
    begun: dict[str, dict[int, int]] = {job.label: {} for job in compiled.jobs}
    for name, start in starts.items():
        label, plus, done = name.partition("+")
        if label not in begun or (plus and not (done.isdecimal() and int(done))):
            raise Refused(str(UnknownName("step", name, list(begun), "the schedule")))
        begun[label][int(done or 0)] = start
    for label, pieces in begun.items():
        if 0 not in pieces:
            raise Refused(f"the schedule does not start {label!r}")
    return list(begun.values())

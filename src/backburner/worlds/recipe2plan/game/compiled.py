"""A scenario compiled for its rules: the steps of all recipes as one numbered list of jobs."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from backburner.kernel.values import Refusal
from backburner.worlds.recipe2plan.game.scenarios import Recipe, Scenario, Step
from backburner.worlds.recipe2plan.game.state import Piece, unknown_recipe, unknown_step

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

"""The desk's generator: days at new desks, the deadlines of which the proven plan sets."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil
from typing import Any

from backburner.kernel.generating import (
    Draft,
    Draw,
    Generator,
    Naming,
    Parameter,
    Result,
    Structure,
    Work,
)
from backburner.kernel.oracle import Solution
from backburner.kernel.schedule import problem_of
from backburner.kernel.values import Outcome
from backburner.worlds.desk.game.compiled import Compiled
from backburner.worlds.desk.game.problem import parts
from backburner.worlds.desk.game.scenario_files import PLACES, read_file
from backburner.worlds.desk.game.scenarios import RESERVED
from backburner.worlds.desk.game.shipped import HERE
from backburner.worlds.desk.game.transition import AGENT
from backburner.worlds.desk.oracle.drafting import drafted


def _whole(name: str, low: int, high: int, help: str, dial: str = "") -> Parameter:
    return Parameter(name=name, help=help, kind="whole", low=low, high=high, dial=dial)


def _share(name: str, high: float, help: str, dial: str = "") -> Parameter:
    return Parameter(name=name, help=help, kind="real", high=high, dial=dial)


PARAMETERS = (
    _whole("jobs", 4, 80, "jobs of all lots; five in a lot, about", dial="length"),
    _whole("strands", 1, 8, "rows of lots that need nothing of each other", dial="width"),
    _share("joins", 0.5, "how often a job needs something of another lot", dial="joins"),
    _share("hands", 0.5, "share of jobs that are done by hand; what is delivered always is"),
    _whole("resources", 1, 6, "machines, lines, colleagues that jobs hold"),
    _whole("capacity", 1, 3, "units of a resource, at most"),
    _share("silent", 1, "share of runs whose end is not told"),
    _share("fails", 0.5, "share of runs that fail once"),
    _share("spread", 0.9, "half of the span that is told of a run, over the run"),
    _share("pauses", 0.5, "share of runs that stop and ask"),
    _whole("requests", 0, 10, "people who want an answer"),
    _whole("window", 2, 30, "minutes in which an answer is wanted, at most"),
    _whole("lure_notices", 0, 20, "notices that want nothing"),
    _share("grace", 1, "how much later than in the proven plan a thing may be delivered, over its time"),
    _whole("check", 1, 10, "minutes of a check"),
    _whole("content_depth", 1, 2, "operations one within the other in a formula"),
)

DIALS = {
    "length": "runs, work by hand, checks, answers: the activities of the scheduling problem",
    "width": "minutes of all that is required over those of the proven plan",
    "attention": "share of the proven plan in which the agent does something",
    "chain": "longest chain of what must come before what, in minutes, over the proven plan",
    "contention": "share of the proven plan in which the busiest resource is held",
    "joins": "share of activities that wait for two others or more",
    "depth": "activities on the longest chain",
    "hidden": "share of facts that are not told: runs of which a span is told, failures, requests to come",
    "gap": "how much later than in the proven plan everything is done, of a script",
}

THEMES = (
    *("clinic_office", "film_post", "household", "laboratory", "newsroom", "release", "town_permits"),
    "travel",
)

WORDS = ("code", "amount", "units", "total", "label", "verdict", "batch", "go", "hold", "of", "job", "value")
"""Of the columns, inputs and calls."""


class DeskGenerator(Generator):
    """See ``drafting``."""

    help = (
        "Days at a desk: lots that are fetched, treated and worked on, deliverables out of their results, "
        "people who ask, and people who only talk. Deadlines are set by the proven plan."
    )
    parameters = PARAMETERS
    dials = DIALS
    naming = Naming(
        pattern=r"[a-z]+(_[a-z]+)*",
        longest=24,
        reserved=(*RESERVED, *PLACES, *WORDS),
        themes=THEMES,
        package=HERE,
    )
    scripts = ("sequential", "polling", "eager", "critical")
    yardstick = "eager"

    def draft(self, parameters: Mapping[str, Any], options: Mapping[str, Any], draw: Draw) -> Draft:
        """There is one for all parameters."""
        return drafted(parameters, draw.random)

    def structure(self, world: Any) -> Structure:
        """The scheduling problem. Told are runs of which no span is, and what needs what; not
        failures and requests."""
        problem, compiled = problem_of(world), world.compiled
        found = parts(compiled).values()
        runs = [part for part in found if part.what in ("start", "resume")]
        spans = [told for part in runs if (told := compiled.told(part.name)) and told.least < told.most]
        comes = sum(part.what == "answer" for part in found)
        comes += sum(len(job.attempts) - 1 for job in compiled.jobs.values())
        needs = sum(len(activity.predecessors) for activity in problem.activities)
        return Structure(
            activities=tuple(Work(activity) for activity in problem.activities),
            resources=problem.resources,
            bodies=(AGENT,),
            told={"durations": (len(runs), len(spans)), "precedence": (needs, 0), "orders": (comes, comes)},
        )

    def result(self, world: Any, outcome: Outcome) -> Result:
        """What was served as a share, and the minutes."""
        numbers = outcome.numbers
        return Result(numbers["score"] / 100, int(numbers["minutes"]), bool(numbers["completed"]))

    def with_answer(
        self, fields: Mapping[str, Any], options: Mapping[str, Any], solution: Solution
    ) -> Mapping[str, Any]:
        """The proven plan, and the deadlines that it sets with this grace."""
        starts = dict(sorted((solution.starts or {}).items(), key=lambda start: (start[1], start[0])))
        return with_plan(fields, starts, solution.objective or 0, options["grace"])


def with_plan(
    fields: Mapping[str, Any], starts: Mapping[str, int], minutes: int, grace: float
) -> Mapping[str, Any]:
    """A file's fields with a plan as their optimum, and deadlines: each deliverable may take so much longer
    than in the plan."""
    compiled = Compiled(read_file({"world": "desk", "id": "draft", **fields}, "draft")[1])
    found, jobs = parts(compiled), []
    for job in fields["jobs"]:
        if "deliverable" in job:
            name = f"{job['tool']} {job.get('subject', '')}".strip()
            last = found.get(f"{name}!") or found[name]
            end = starts[last.activity.name] + last.activity.duration
            job = {
                **job,
                "deliverable": {"deadline": ceil(end * (1 + Fraction(str(grace)))), **job["deliverable"]},
            }
        jobs.append(job)
    return {**fields, "jobs": jobs, "optimum": {"minutes": minutes, "starts": starts}}


GENERATOR = DeskGenerator()
"""What the desk's pack names."""

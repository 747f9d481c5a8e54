"""Scenarios: a scheduling problem, and what of it may stand in a file.

The structs are those of ``kernel.schedule`` with bounds and references declared, so that solvers take them as
they are.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from backburner.kernel.checks import ONE_LINE, FileId, no_circle, refers_to, unique
from backburner.kernel.schedule import Activity, MachineState, MaxLag, Problem, Resource

LONGEST_TIME = 1_000_000

Name = Annotated[str, ONE_LINE, Meta(min_length=1, max_length=100)]
Ticks = Annotated[int, Meta(ge=0, le=LONGEST_TIME)]
Title = Annotated[str, ONE_LINE, Meta(max_length=300)]
ActivityName = Annotated[Name, refers_to("activity", "activities.name")]
ResourceName = Annotated[Name, refers_to("resource", "known_resources.name")]
Few = Meta(max_length=1000)


class OwnResource(Resource, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """See ``kernel.schedule.Resource``."""

    name: Name
    capacity: Annotated[int, Meta(ge=1, le=LONGEST_TIME)] = 1


class OwnLag(MaxLag, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """See ``kernel.schedule.MaxLag``."""

    after: ActivityName
    at_most: Ticks


class OwnState(MachineState, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """See ``kernel.schedule.MachineState``."""

    resource: ResourceName
    value: Annotated[int, Meta(ge=-LONGEST_TIME, le=LONGEST_TIME)]


class OwnActivity(Activity, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """See ``kernel.schedule.Activity``."""

    name: Name
    duration: Ticks
    operator_time: Ticks
    predecessors: Annotated[tuple[ActivityName, ...], Few, unique()] = ()
    resources: Annotated[tuple[ResourceName, ...], Few] = ()
    max_lags: Annotated[tuple[OwnLag, ...], Few] = ()
    sets: OwnState | None = None
    requires: OwnState | None = None
    release: Ticks = 0
    deadline: Ticks | None = None


class OwnProblem(Problem, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """See ``kernel.schedule.Problem``. Here it leaves out nothing, so that ``space`` and ``complete`` say
    nothing; ``decision_ticks`` are 0, as how long decisions take is said when it is played."""

    unit: Literal["minutes", "seconds", "steps"] = "minutes"
    activities: Annotated[
        tuple[OwnActivity, ...],
        Meta(min_length=1, max_length=2000),
        unique("name"),
        no_circle("name", "predecessors"),
    ]
    resources: Annotated[tuple[OwnResource, ...], Meta(max_length=500), unique("name")] = ()
    space: Title = ""
    grid: Annotated[int, Meta(ge=1, le=LONGEST_TIME)] = 1

    @property
    def known_resources(self) -> tuple[OwnResource, ...]:
        """The resources, by a name that activities have not got."""
        return self.resources


class Scenario(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A problem. ``name``: what it is, in a line. ``optimum``: the least time that everything takes, where it
    is known. ``limit``: the time at which play ends."""

    problem: OwnProblem
    name: Title = ""
    optimum: Ticks | None = None
    limit: Annotated[int, Meta(ge=1)] | None = None


class ScenarioFile(Scenario, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A scenario file: ``{"world": "projects", "id": ..., "name": ..., "problem": {...}}``."""

    world: str
    id: FileId

"""Robotouille's scenarios as values, and the published tasks as they stand in their files."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TypeVar

import msgspec
from msgspec import Struct

from backburner.worlds.robotouille.game.optima import KnownPlan
from backburner.worlds.robotouille.game.schema import DomainFile, ProblemFile
from backburner.worlds.robotouille.game.seats import Play

T = TypeVar("T")

SHIPPED_DOMAIN = "robotouille"


class Scenario(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A problem over a domain (the shipped one by name, any other in full) and how it is played.

    ``task``: the published task that the problem is an instance of, such as ``synchronous/1``;
    ``seed`` and ``effective_seed``: what it was generated from. ``step_limit``: the steps that its
    author allows. ``known_plan``: the best plan that the author knows.
    """

    problem: ProblemFile
    domain: str | DomainFile = SHIPPED_DOMAIN
    play: Play = "turns"
    task: str = ""
    seed: int | None = None
    effective_seed: int | None = None
    step_limit: int | None = None
    known_plan: KnownPlan | None = None


class Task(Struct, frozen=True, forbid_unknown_fields=True):
    """A published task. ``horizon`` is the released program's number of steps, ``step_limit`` its limit."""

    set: str
    title: str
    file: str
    released: str
    number: int | None = None
    horizon: int | None = None
    step_limit: float | None = None

    @property
    def path(self) -> str:
        """Such as ``synchronous/1``."""
        return self.file.removesuffix(".json")


class _TaskFile(Struct, frozen=True, forbid_unknown_fields=True):
    source: str
    seeds: tuple[int, ...]
    example_seed: int
    limit_factor: float
    tasks: tuple[Task, ...]


@cache
def task_file() -> _TaskFile:
    """The published tasks and seeds."""
    return _decode("tasks.json", _TaskFile)


@cache
def tasks() -> dict[str, Task]:
    """The published tasks by path, in the article's order."""
    return {task.path: task for task in task_file().tasks}


@cache
def shipped_domain() -> DomainFile:
    """The domain of the published tasks."""
    return _decode("domain.json", DomainFile)


@cache
def shipped_problem(path: str) -> ProblemFile:
    """A published task as it stands in its file."""
    return _decode(f"problems/{tasks()[path].file}", ProblemFile)


def _decode(name: str, type: type[T]) -> T:
    raw = files("backburner.worlds.robotouille").joinpath("data", *name.split("/")).read_bytes()
    return msgspec.json.decode(raw, type=type)


def domain_of(scenario: Scenario) -> DomainFile:
    """The domain in full."""
    return shipped_domain() if isinstance(scenario.domain, str) else scenario.domain

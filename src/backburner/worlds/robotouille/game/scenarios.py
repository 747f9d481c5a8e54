"""Robotouille's scenarios as values, who sits where in them, and the published tasks.

There are three ways to play. ``turns``: each robot has a seat; they act one after the other, and a step
passes with every turn. ``together``: each robot has a seat, and all act in every step. ``dispatcher``:
one seat commands all robots (the article's real-time mode, where one agent controls them all).
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from backburner.kernel.values import Seat
from backburner.worlds.robotouille.game.schema import DomainFile, ProblemFile

T = TypeVar("T")

Preset = Literal["standard", "released"]
Play = Literal["turns", "together", "dispatcher"]
PLAYS: tuple[Play, ...] = ("turns", "together", "dispatcher")
DISPATCHER: Seat = "dispatcher"

SHIPPED_DOMAIN = "robotouille"


class KnownPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """The best plan that a scenario's author knows of it, under one rule set.

    ``plan``: its decisions in words, in the order of the seats that decide; it reaches the goal in so
    many ``steps``. ``bound``: no plan takes fewer. The plan is a shortest one if they are equal.
    """

    steps: int
    bound: int
    plan: tuple[str, ...]
    rules: Preset = "standard"

    @property
    def status(self) -> Literal["optimal", "feasible"]:
        """``optimal`` if the plan is proven a shortest one."""
        return "optimal" if self.bound == self.steps else "feasible"


class Scenario(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A problem over a domain (the shipped one by name, any other in full) and how it is played.

    ``task``: the published task of which the problem is an instance, such as ``synchronous/1``.
    ``seed``: the seed that it was asked for with; ``effective_seed``: the one that drew it.
    ``step_limit``: the steps that its author allows. ``known_plan``: the best plan that the author knows.
    """

    problem: ProblemFile
    domain: str | DomainFile = SHIPPED_DOMAIN
    play: Play = "turns"
    task: str = ""
    seed: int | None = None
    effective_seed: int | None = None
    step_limit: int | None = None
    known_plan: KnownPlan | None = None


class Seating:
    """The seats of a problem and the robots of each.

    ``robots`` are the indices of the players among the things, ``names`` what they are called.
    """

    def __init__(self, play: Play, robots: tuple[int, ...], names: tuple[str, ...]) -> None:
        self.play: Play = play
        self.robots = robots
        self.seats: tuple[Seat, ...] = (DISPATCHER,) if play == "dispatcher" else names
        self._robots_of = (
            {DISPATCHER: robots}
            if play == "dispatcher"
            else {name: (robot,) for name, robot in zip(names, robots, strict=True)}
        )

    def deciders(self, turn: int) -> tuple[Seat, ...]:
        """The seats that decide now, in the order in which they act."""
        return self.seats[turn : turn + 1] if self.play == "turns" else self.seats

    def robots_of(self, seat: Seat) -> tuple[int, ...]:
        """The robots that a seat commands."""
        return self._robots_of[seat]

    def next_turn(self, turn: int) -> int:
        """Whose turn it is after this one."""
        return (turn + 1) % len(self.robots) if self.play == "turns" else turn


class Task(Struct, frozen=True, forbid_unknown_fields=True):
    """A published task.

    ``horizon``: the steps of a shortest plan, as the released program has it; ``step_limit``: the steps
    that it allows.
    """

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

"""Robotouille's scenarios: their values, who sits where, the published tasks, ids and suites.

There are three ways to play. ``turns``: each robot has a seat; they act one after the other, and a step
passes with every turn. ``together``: each robot has a seat, and all act in every step. ``dispatcher``:
one seat commands all robots (the article's real-time mode, where one agent controls them all).

An id names a published task, and with a seed a kitchen generated from it. ``generator=released`` draws
the very kitchens of the article's experiments, with ``noisy=yes`` those of its other way, which no experiment
uses. It drops all robots but the first; ``generator=own`` keeps them. By default kitchens of tasks for one
robot are drawn in the released way, and kitchens for several robots in our own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from math import prod
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from backburner.kernel.catalogue import check_options
from backburner.kernel.checks import refers_to
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.files import shipped
from backburner.kernel.values import Seat, digest
from backburner.worlds.robotouille.game.generator import Generated, generate
from backburner.worlds.robotouille.game.released_generator import generate_released
from backburner.worlds.robotouille.game.schema import (
    FIELDS,
    TOLD,
    DomainFile,
    ProblemFile,
    Told,
    listed,
    type_of,
)

Preset = Literal["standard", "released"]
Play = Literal["turns", "together", "dispatcher"]
PLAYS: tuple[Play, ...] = ("turns", "together", "dispatcher")
DISPATCHER: Seat = "dispatcher"

SHIPPED_DOMAIN = "robotouille"

HERE = "backburner.worlds.robotouille"
"""The package with the data files of this world."""


class KnownPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """The best plan that a scenario's author knows of it, under one rule set.

    ``plan``: its decisions in words, in the order of the seats that decide; it reaches the goal in so
    many ``steps``. ``bound``: no plan takes fewer. The plan is a shortest one if they are equal. It is played
    when it is read.
    """

    steps: int
    bound: Annotated[int, Meta(ge=0)]
    plan: Annotated[tuple[str, ...], Meta(max_length=1000)]
    rules: Preset = "standard"

    @property
    def status(self) -> Literal["optimal", "feasible"]:
        """``optimal`` if the plan is proven a shortest one."""
        return "optimal" if self.bound == self.steps else "feasible"


def _domains() -> tuple[str, ...]:
    return (SHIPPED_DOMAIN,)


def _tasks() -> tuple[str, ...]:
    """The published tasks, or none."""
    return ("", *tasks())


DomainName = Annotated[str, refers_to("domain", _domains)]
TaskName = Annotated[str, refers_to("task", _tasks)]


class Scenario(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A problem over a domain (the shipped one by name, any other in full) and how it is played.

    ``task``: the published task of which the problem is an instance, such as ``synchronous/1``.
    ``seed``: the seed that it was asked for with; ``effective_seed``: the one that drew it.
    ``step_limit``: the steps that its author allows. ``known_plan``: the best plan that the author knows.
    ``told``: what briefings tell of actions beside their sentences.
    """

    problem: ProblemFile
    domain: DomainName | DomainFile = SHIPPED_DOMAIN
    play: Play = "turns"
    task: TaskName = ""
    seed: int | None = None
    effective_seed: int | None = None
    step_limit: Annotated[int, Meta(ge=1)] | None = None
    known_plan: KnownPlan | None = None
    told: Told = "plain"


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
    that it allows. ``goal``: its sentence as it is told, with ingredients in the order of the released
    one; empty where the problem's own has that order.
    """

    set: str
    title: str
    file: str
    released: str
    number: int | None = None
    horizon: int | None = None
    step_limit: float | None = None
    goal: str = ""

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


def task_file() -> _TaskFile:
    """The published tasks and seeds."""
    return shipped(HERE, "tasks", _TaskFile)


@cache
def tasks() -> dict[str, Task]:
    """The published tasks by path, in the article's order."""
    return {task.path: task for task in task_file().tasks}


def shipped_domain() -> DomainFile:
    """The domain of the published tasks."""
    return shipped(HERE, "domain", DomainFile)


def shipped_problem(path: str) -> ProblemFile:
    """A published task as it stands in its file."""
    return shipped(HERE, f"problems/{tasks()[path].path}", ProblemFile)


def domain_of(scenario: Scenario) -> DomainFile:
    """The domain in full."""
    return shipped_domain() if isinstance(scenario.domain, str) else scenario.domain


def goal_sentence(scenario: Scenario) -> str:
    """The goal as players are told it: the sentence of the published task, else that of the problem."""
    own, task = scenario.problem.goal_description, tasks().get(scenario.task)
    if task is None or own != shipped_problem(scenario.task).goal_description:
        return own
    return task.goal or own


CHOICES: Mapping[str, Sequence[str]] = {
    "generator": ("released", "own"),
    "noisy": ("no", "yes"),
    "play": PLAYS,
    "told": TOLD,
}

"""Options with a fixed choice of values."""

NOT_DRAWN = ("play", "told")
"""Options that leave the kitchen as it is."""

OF_OWN = ("robots", "width", "height", "noise")
"""Options that only our own generator has; their values are whole numbers."""

OPTIONS = (*CHOICES, *OF_OWN, "seed")


def play_named(name: str) -> Play:
    """The way to play of this name; raises ``UnknownName``.

    It is the literal itself: files leave out the usual one, and msgspec knows that by identity.
    """
    for play in PLAYS:
        if play == name:
            return play
    raise UnknownName("play", name, PLAYS, "robotouille")


def scenario_of(path: str, options: Mapping[str, str]) -> Scenario:
    """The scenario of an id's path, such as ``synchronous/1`` with ``seed=42``.

    Raises ``UnknownName`` for a task or option that is not there, ``Refused`` for values that make
    no sense, alone or together, and for an empty path.
    """
    if not path:
        raise Refused("robotouille: name a scenario, such as robotouille/synchronous/1@seed=42, or a suite")
    if path not in tasks():
        raise UnknownName("task", path, [*tasks(), *suites()], "robotouille")
    _check_options(options)
    play = play_named(options.get("play", "turns"))
    told: Told = next(told for told in TOLD if told == options.get("told", "plain"))
    drawn = tuple(sorted((key, value) for key, value in options.items() if key not in NOT_DRAWN))
    if not drawn:
        return Scenario(shipped_problem(path), play=play, task=path, told=told)
    made = _generated(path, drawn)
    if why := too_large(made.problem, shipped_domain()):
        raise Refused(f"robotouille/{path}: {why}")
    seed, effective = made.seed, made.effective_seed
    return Scenario(made.problem, play=play, task=path, told=told, seed=seed, effective_seed=effective)


def _check_options(options: Mapping[str, str]) -> None:
    check_options("robotouille", options, OPTIONS, CHOICES)
    for key, value in options.items():
        if key not in CHOICES and not (value.isascii() and value.isdigit() and len(value) < 10):
            raise Refused(f"robotouille: option {key!r} is a whole number, not {value!r}")
    if "seed" not in options and set(options) - set(NOT_DRAWN):
        names = ", ".join(sorted(set(options) - set(NOT_DRAWN)))
        raise Refused(f"robotouille: {names} asks for a generated kitchen, which needs a seed: seed=42")


@lru_cache(maxsize=1024)
def _generated(path: str, options: tuple[tuple[str, str], ...]) -> Generated:
    values = dict(options)
    problem, domain, seed = shipped_problem(path), shipped_domain(), int(values["seed"])
    noisy = values.get("noisy") == "yes"
    own_only = {key: int(values[key]) for key in OF_OWN if key in values}
    usual = "own" if own_only or (len(problem.players) > 1 and not noisy) else "released"
    if values.get("generator", usual) == "own":
        if noisy:
            raise Refused("robotouille: noisy=yes belongs to generator=released; ours has noise=N")
        width, height, robots, noise = (own_only.get(k) for k in ("width", "height", "robots", "noise"))
        return generate(problem, domain, seed, width=width, height=height, robots=robots, noise=noise)
    if own_only:
        raise Refused(f"robotouille: {', '.join(own_only)} needs generator=own")
    return generate_released(problem, domain, seed, noisy)


@cache
def suites() -> dict[str, tuple[str, ...]]:
    """Suite path to scenario paths: the article's three sets with its ten seeds each, and other suites."""
    seeds, example = task_file().seeds, task_file().example_seed
    paths = {name: [path for path, task in tasks().items() if task.set == name] for name in SETS}
    drawn = {
        name: tuple(f"{path}@seed={seed}" for path in paths[name] for seed in seeds)
        for name in ("synchronous", "asynchronous", "multi_agent")
    }
    more = [
        f"{path}@robots={robots},seed={seed}"
        for robots in (3, 4)
        for path in paths["multi_agent"]
        for seed in seeds
    ]
    plain = [path for name in ("synchronous", "asynchronous", "multi_agent") for path in paths[name]]
    quick = [
        f"{path}@seed={seeds[0]}" for name in ("synchronous", "asynchronous") for path in paths[name][:3]
    ]
    return drawn | {
        "unrandomised": tuple(plain),
        "training": tuple(f"{path}@seed={example}" for path in paths["training"]),
        "quick": tuple(quick),
        "all": (*(id for ids in drawn.values() for id in ids), *more),
    }


SETS = ("synchronous", "asynchronous", "multi_agent", "training", "extra")
"""The sets of the task file."""


def training_scenario(id: str, scenario: Scenario) -> tuple[str, Scenario]:
    """Id and scenario of the training task that goes with a kitchen, with the article's seed.

    The article took its examples from the training tasks, which are in none of its test sets. Raises
    ``Refused`` for a kitchen in another domain, because they are examples of the shipped one.
    """
    if scenario.domain != SHIPPED_DOMAIN:
        raise Refused(f"{id} has a domain of its own, and the training tasks are examples of the shipped one")
    synchronous = scenario.task.startswith(("synchronous/", "training/synchronous"))
    path = f"training/{'synchronous' if synchronous else 'asynchronous'}"
    seed = str(task_file().example_seed)
    return f"robotouille/{path}@seed={seed}", scenario_of(path, {"seed": seed})


def parts(world: World[Any, Any, Any]) -> list[str]:
    """What a world's scenario is built of: the published task that its kitchen is drawn for; in a kitchen of
    somebody's own, the goal."""
    scenario = world.scenario
    return [f"task {scenario.task}" if scenario.task else f"goal {digest(scenario.problem.goal)}"]


# --- how large a problem may be -------------------------------------------------------------------------

MOST_THINGS = 500

MOST_FACTS = 13_000
"""Facts that may be true or false in the beginning; a published kitchen has 1,535 at most. A thousand more
are left to things made in play (see ``state``)."""

MOST_WAYS = 2_000_000
"""Ways to fill the parameters of all actions with things of the right types; published are up to 51,493."""


def too_large(problem: ProblemFile, domain: DomainFile) -> str:
    """Why a problem is too large to be played; empty if it is not. The domain is a checked one.

    Nothing that would take long is looked at where there is too much of it.
    """
    n_things = sum(len(getattr(problem, name)) for name in FIELDS)
    if n_things > MOST_THINGS:
        return f"too many things: there are {n_things}; {MOST_THINGS} are the most"
    n_of_type = Counter(type_of(entity) for _, _, entity in listed(problem))
    signatures = domain.signatures
    facts = sum(_n_choices(types, n_of_type) for types in signatures.values())
    if facts > MOST_FACTS:
        return f"too many things: {facts} facts could be true or false; {MOST_FACTS} at most can be"
    parameters = (action.parameter_types(signatures).values() for action in domain.action_defs)
    ways = sum(prod(n_of_type[type] for type in types) for types in parameters)
    if ways > MOST_WAYS:
        return f"too many things: there are {ways} ways to do something; {MOST_WAYS} are the most"
    return ""


def _n_choices(types: Sequence[str], n_of_type: Counter[str]) -> int:
    """Ways to choose different things of these types."""
    return prod(max(0, n_of_type[type] - types[:index].count(type)) for index, type in enumerate(types))

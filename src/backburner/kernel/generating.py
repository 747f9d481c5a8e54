"""Generators: what a world says of new scenarios, which the general room ``generation`` steers, proves and
keeps.

A generator proposes: it drafts scenarios, and says what of a scenario can be measured. It filters, names and
writes nothing. Drafts hold *symbols* in place of names, so that one structure can be told in several themes.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Literal, Protocol

from msgspec import Struct, field

from backburner.kernel import packs
from backburner.kernel.built import BANDS, Band
from backburner.kernel.errors import BackburnerError, Refused
from backburner.kernel.oracle import Solution
from backburner.kernel.pack import Argument
from backburner.kernel.schedule import Activity, Resource, problem_of
from backburner.kernel.values import Outcome


class Rejected(BackburnerError):
    """There is no draft of these parameters; the message is a short reason that many drafts may share."""


class Parameter(Struct, frozen=True, kw_only=True):
    """A knob of a generator: a number from ``low`` to ``high``, both among them, or one of ``values``.

    ``prior``: how it is drawn while nothing is known of what serves. ``dial``: the dial that it sets, at
    least nearly; where that is asked for, the parameter is drawn from what is asked.
    """

    name: str
    help: str
    kind: Literal["whole", "real", "choice"]
    low: float = 0
    high: float = 1
    prior: Literal["uniform", "log-uniform"] = "uniform"
    values: tuple[str, ...] = ()
    dial: str = ""


# --- drafts ------------------------------------------------------------------------------------------------


class Draw(Struct, frozen=True):
    """What a draft is drawn by: ``random`` of this attempt alone; ``seed`` for generators that go by seeds,
    the build's seed plus the number of the attempt."""

    seed: int
    random: Random


Role = Literal["material", "product", "vessel", "device", "person", "hand verb", "machine verb"]
"""What a name is given to. A ``vessel`` holds what is treated, a ``device`` treats it; a ``product`` comes
out at the end. A ``hand verb`` is work by hand, a ``machine verb`` runs by itself and has a preposition. A
``person`` is somebody who asks or tells; only themes of a world's own have any."""


class Symbol(Struct, frozen=True):
    """A name that is to be given. A verb has its ``stage`` in the life of a material (1: it is made ready, 2:
    it is treated, 3: it is joined with others) and how many ``minutes`` it takes; 0 where nothing is said."""

    role: Role
    stage: int = 0
    minutes: float = 0


class Draft(Struct, frozen=True):
    """A scenario as a user would write it in a file, without ``world`` and ``id``.

    ``fields`` have ``<m3>`` for the name of the symbol ``m3`` of ``symbols``, anywhere in a text or key; of a
    verb also ``<v2.past>``, such as ``soaked``, of a machine verb ``<v2.in>``, its preposition. ``shuffled``:
    lists whose order says nothing, by their dotted places (``tasks.things``); they are shuffled, as menus and
    prompts would tell the order. ``path``: how the file is called, where the generator says it. ``beside``:
    further files of the same scenario by their paths, that are written with it and measured by nobody.
    """

    fields: Mapping[str, Any]
    symbols: Mapping[str, Symbol] = field(default_factory=dict)
    shuffled: tuple[str, ...] = ()
    path: str = ""
    beside: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


class Naming(Struct, frozen=True):
    """What names of a world may look like: a ``pattern`` that they match whole, at most so many characters,
    none of the ``reserved`` words. ``themes``: those of a world's own, in the folder ``words`` of the
    ``package``, in place of the house's."""

    pattern: str = r"[a-z][a-z0-9]*(_[a-z0-9]+)*"
    longest: int = 60
    reserved: tuple[str, ...] = ()
    themes: tuple[str, ...] = ()
    package: str = ""


# --- what is measured ---------------------------------------------------------------------------------------


class Work(Struct, frozen=True):
    """An activity of a scenario, ``by`` whom it can be done (any body if nobody is named), and the ``job``
    that it belongs to: an order, a task."""

    activity: Activity
    by: tuple[str, ...] = ()
    job: str = ""


class Job(Struct, frozen=True):
    """An order or task: when it comes and is due (``None``: it never is), the least time in which it alone
    can be done by all bodies in the empty scenario, and the least time of bodies that it takes; in the
    world's unit."""

    name: str
    release: int = 0
    due: int | None = None
    alone: int = 0
    body_time: int = 0


class Structure(Struct, frozen=True, kw_only=True):
    """What a scenario is made of, whatever things are called.

    ``activities``: the required ones; of orders, those of each job. ``bodies``: those who act, by the names
    of their lanes in events. ``objects``: the things there are, and whether a required activity names them.
    ``told``: of each class of facts (``durations``, ``precedence``, ``recipes``, ``orders``) how many there
    are, and how many a seat cannot read in the briefing or the first observation. ``alone``: of the facts of
    recipes, how many exactly one seat is told, in scenarios of several seats. ``ground``: ways between
    places, a square of whole numbers. ``horizon``: how long an episode lasts, in worlds of orders.
    """

    activities: tuple[Work, ...]
    resources: tuple[Resource, ...] = ()
    bodies: tuple[str, ...] = ()
    jobs: tuple[Job, ...] = ()
    objects: Mapping[str, bool] = field(default_factory=dict)
    told: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    alone: tuple[int, int] = (0, 0)
    ground: tuple[tuple[int, ...], ...] = ()
    horizon: int | None = None


class Result(Struct, frozen=True):
    """What an episode has come to. ``share``: of the required work, from 0 to 1. ``value``: when the last of
    it was done, in the world's unit; in worlds of orders, how many were served. ``complete``: nothing is
    left."""

    share: float
    value: int
    complete: bool


def regret(result: Result, best: int, sense: Literal["min", "max"], limit: int | None = None) -> float:
    """How much worse than the ``best`` a play was, as a share of the best.

    For times (T - T*) / T*; what is not complete counts as done at the ``limit``, if there is one and it is
    later. For orders (S* - S) / S*.
    """
    if sense == "max":
        return (best - result.value) / best
    time = result.value if result.complete or limit is None else max(limit, result.value)
    return (time - best) / best


def attained(result: Result, best: int, sense: Literal["min", "max"]) -> float:
    """The share of the best that a play has: of times, the share of the required work that is done times
    T* / max(T, T*); of orders, those served of the most that can be served."""
    if sense == "max":
        return result.value / best
    return result.share * best / max(result.value, best)


# --- the contract -------------------------------------------------------------------------------------------


class Generator(Protocol):
    """Drafts scenarios of one world, and says what they are measured on. A world's generator names this as
    its base.

    ``dials``: those of ``generation.measure`` that this world has, each with a sentence on what it counts
    here, and those of its own that ``own`` measures. ``help``: what is drafted, in a sentence or two.
    ``sense``: ``min`` where the best is the earliest end, ``max`` where it is the most orders served.
    ``yardstick``: the script whose regret says how much a scenario asks. ``effort``: of proofs, by default,
    in seconds of an undisturbed core. ``limit``: the field of a file that holds the time at which play ends;
    it is set to twice that of the script ``serial`` where a draft does not say it. ``statuses``: those of
    solutions that are kept. ``lengths``: the parts of lengths in the headline's suites, ``bands``: those of
    their bands that can be had. ``early``: dials of its own that need no proof; where nothing else is asked
    for, nothing is proven. ``scale``: units of its structures in one of the times of events. An argument
    called ``rules`` names the rule set under which drafts are proven and measured. ``things``: what scenarios
    are called here in the plural; so many of these may be asked for as well.
    """

    help: str
    parameters: tuple[Parameter, ...] = ()
    arguments: tuple[Argument, ...] = ()
    dials: Mapping[str, str]
    naming: Naming = Naming()
    sense: Literal["min", "max"] = "min"
    scripts: tuple[str, ...] = ("serial", "busy", "first-legal", "random", "greedy")
    yardstick: str = "busy"
    lengths: tuple[tuple[int, int], ...] = ((10, 20), (21, 30), (31, 40), (41, 50), (51, 60))
    bands: tuple[Band, ...] = BANDS
    effort: float = 5.0
    limit: str = ""
    things: str = ""
    statuses: tuple[str, ...] = ("optimal",)
    early: tuple[str, ...] = ()
    scale: int = 1

    @abstractmethod
    def draft(self, parameters: Mapping[str, Any], options: Mapping[str, Any], draw: Draw) -> Draft:
        """The scenario of these values of ``parameters`` and ``arguments``; equal ones give equal drafts.

        Raises ``Rejected`` where these make none, ``Refused`` where the options never do.
        """

    def structure(self, world: Any) -> Structure:
        """What a scenario is made of; by default, its scheduling problem, with one body, its seat."""
        problem = problem_of(world)
        return Structure(
            activities=tuple(Work(activity) for activity in problem.activities),
            resources=problem.resources,
            bodies=tuple(world.seats),
        )

    def result(self, world: Any, outcome: Outcome) -> Result:
        """What an episode has come to; by default, from the numbers of a ``Schedulable`` world."""
        done = bool(outcome.numbers.get("completed"))
        return Result(float(done), int(outcome.numbers[world.time_unit]), done)

    def is_needed(self, world: Any, decision: Any) -> bool:
        """Whether a decision on a menu belongs to a required activity; asked where ``lures`` is a dial."""
        return True

    def with_answer(
        self, fields: Mapping[str, Any], options: Mapping[str, Any], solution: Solution
    ) -> Mapping[str, Any]:
        """The fields of a file with what is proven of it, in worlds whose limits or scores are counted from
        that; by default a file does not tell. What is measured is played by the file that comes out.
        ``options``: the values of ``arguments`` and of ``parameters``."""
        return fields

    def plan(self, world: Any, solution: Solution) -> Sequence[Any] | None:
        """The decisions of the proven plan, one at a time, in worlds of one seat whose oracle gives many in
        one; by default they are looked at as the oracle plays them."""
        return None

    def own(self, world: Any, solution: Solution | None, decisions: Sequence[Any]) -> Mapping[str, float]:
        """The dials of its own, by name; ``decisions``: what was decided in the proven plan, by seat for each
        step. Without a solution, the ``early`` ones alone."""
        return {}


def generator_of(name: str) -> Generator:
    """The generator of a world; raises ``Refused`` where its pack names none."""
    path = packs.pack(name).generator
    if not path:
        raise Refused(f"{name}: this world drafts no scenarios, and nothing is measured of them")
    found: Generator = packs.part(name, path)
    return found

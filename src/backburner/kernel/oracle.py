"""Oracles: who finds a best plan of a world, and proves it.

An oracle is a part of a world's pack. What it finds is a ``Solution``, whose plan the world has played:
the objective is the world's own figure. What takes hours is kept in a file and gone on with (``Kept``).
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from backburner.kernel import packs
from backburner.kernel.clock import SECOND, Decimal, timed
from backburner.kernel.contract import World, rules_of
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.files import read_lines, read_regular, write_whole
from backburner.kernel.pack import LATENCY
from backburner.kernel.shown import Shown
from backburner.kernel.values import Seat, digest

Status = Literal["optimal", "feasible", "infeasible", "unknown"]
"""``optimal``: no plan in the space is better. ``feasible``: a plan, and a bound on what better ones
could reach. ``infeasible``: there is no plan. ``unknown``: none was found in the time given."""


JOINT = " | "


class Solution(Shown, Struct, frozen=True):
    """One answer of an oracle.

    ``objective`` is what the plan is worth (for a world: as the world itself counted it), ``bound``
    what no plan in ``space`` can beat, both in ``unit``; for ``sense`` ``min`` the bound is at or below
    the objective, for ``max`` at or above it. ``space`` names the decisions that were searched.
    ``starts`` gives each activity's start (``None`` if there is no plan); a further piece of an activity
    stands there by its name, ``+``, and how much of it is done before (``Soup 0+60``). ``plan`` has the
    decisions in the world's words, ``JOINT`` between those of several seats at once. ``note`` says what a
    reader should know besides, such as a time limit that no plan meets. ``seconds`` is the time spent
    solving; nothing compares it.
    """

    scenario: str
    status: Status
    objective: int | None
    bound: int | None
    sense: Literal["min", "max"]
    unit: str
    space: str
    seconds: float = 0.0
    starts: dict[str, int] | None = None
    plan: tuple[str, ...] = ()
    note: str = ""

    @property
    def proven(self) -> bool:
        """Whether no search can find more."""
        return self.status in ("optimal", "infeasible")

    def bounded(self, bound: int | None) -> Solution:
        """The solution with this bound, and the status that follows from it and the objective."""
        status: Status = "optimal" if self.objective == bound else "feasible"
        return replace(self, bound=bound, status="unknown" if self.objective is None else status)

    def within(self, limit: int | None, began: int = 0) -> Solution:
        """The solution from time ``began`` on; without its plan, and with a note, if a limit cuts it off."""
        if limit is None or self.objective is None or began + self.objective <= limit:
            return self
        note = f"the plan takes {self.objective} {self.unit}; the world ends play after {limit}"
        status: Status = "infeasible" if self.status == "optimal" else "unknown"
        return replace(self, status=status, objective=None, plan=(), note=note)


class Allowance:
    """What searches may spend, one after the other: seconds, or where there is an ``effort`` so much work.

    ``units``: units of work that a second is enough for; a search counts them as it does them.
    """

    def __init__(self, seconds: float, effort: float | None = None, units: float = 1.0) -> None:
        self._work = None if effort is None else Work()
        self._until = self._now + (seconds if effort is None else effort * units)

    @property
    def _now(self) -> float:
        return time.monotonic() if self._work is None else self._work.done

    def count(self, units: float = 1) -> None:
        """So much work is done."""
        if self._work is not None:
            self._work.done += units

    @property
    def is_over(self) -> bool:
        """Whether nothing is left."""
        return self._now >= self._until

    def part(self, share: float) -> Allowance:
        """A share of what is left; whatever is spent of it is spent of the whole."""
        part, now = copy(self), self._now
        part._until = now + share * (self._until - now)
        return part


class Work:
    """Units of work that are ``done``."""

    def __init__(self) -> None:
        self.done = 0.0


class Onward(Struct, frozen=True):
    """The best that can become of a state: when everything is done at the earliest.

    Times are in the world's unit, from the beginning. ``status``: ``optimal`` if nothing is sooner than
    ``finish``, ``infeasible`` if not everything can be done any more, ``unknown`` if neither was proven;
    ``finish`` is ``None`` unless it is proven.
    """

    status: Status
    now: int
    finish: int | None

    @property
    def to_go(self) -> int | None:
        """From now to the finish."""
        return None if self.finish is None else self.finish - self.now


class Slow(Struct, frozen=True):
    """A plan for decisions that take time: each seat's ``answers``, and how long it thinks about each, in the
    seconds of ``clock.Profile.latency``. Whoever waits thinks so long, so that no answer only waits."""

    answers: Mapping[Seat, tuple[Any, ...]]
    latencies: Mapping[Seat, str]


class Planning(NamedTuple):
    """A scenario from some state on as a planning task (``planning.task.Task``).

    ``decisions``: what the seats decide in a state to carry out a step, by the names of its operators ("" is
    idleness). ``first_plan``: a plan that need not be short, if one is known.
    """

    task: Any
    decisions: Callable[[Any, Sequence[str]], Mapping[Seat, Any]]
    first_plan: Callable[[], tuple[str, ...] | None] = lambda: None


class Request(Struct, frozen=True, kw_only=True):
    """How a plan is to be looked for.

    ``effort`` bounds the search in an amount of work, so that the answer is the same however fast the machine
    is: 1 is about a second of an undisturbed core. With it, ``time_limit_seconds`` is left out of account,
    and one worker searches. ``known``: what an earlier search found, to go on from. ``options``: those of the
    oracle's own that somebody has chosen, by name. An oracle leaves out of account what it has no use for.
    """

    time_limit_seconds: float = 60.0
    workers: int = 1
    seed: int = 0
    effort: float | None = None
    known: Solution | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


Solve = Callable[[World[Any, Any, Any], Request], Solution]


class Oracle(Protocol):
    """Finds best plans of the worlds of one pack. A world's oracle names this as its base."""

    optimum_type: type[Struct] | None = None
    """What is shipped of a scenario, such as its shortest plan; ``None`` where nothing is. Entries with a
    field ``rules`` are about several rule sets; others are about standard rules."""

    @abstractmethod
    def solve(self, world: Any, request: Request) -> Solution:
        """The best plan that is found in the time, played by the world.

        A plan that the world's own limits cut off is no answer; the note tells what it would be worth.
        Raises ``MissingExtra``, ``Refused`` where there can be no plan, ``ReplayMismatch`` if world and
        oracle disagree about a plan, which is a bug in one of the two.
        """

    def known(self, world: Any) -> Solution | None:
        """What ships of this scenario under its rules, without any search; ``None`` where nothing does.

        Its plan is played by the pack's ``shipped_plan``.
        """
        return None

    def onward(self, world: Any, state: Any, effort: float) -> Onward:
        """How soon everything can be done from a state on in which somebody must decide.

        ``effort`` bounds the search in an amount of work, so that the answer is the same however fast the
        machine is: 1 is about a second. Limits of play are left out of account. Raises ``Refused`` where the
        oracle looks for plans from the beginning only, or can say nothing of such a state, and
        ``MissingExtra``.
        """
        raise Refused(f"{world.id}: the oracle of this world finds plans from the beginning only")

    def slowed(self, world: Any, latency: Fraction, request: Request) -> Solution:
        """The best where every decision costs a thought of so many ticks, more than 0 (see ``clock``).

        ``objective``: what a plan comes to that the world has played, where whoever idles thinks. ``bound``:
        what nobody beats who takes decisions as ``space`` says. ``infeasible``: there is no plan at this
        speed. A pack whose oracle answers has ``LATENCY`` among its ``oracle_arguments``. Raises as
        ``solve``, and ``Refused`` where nothing is known of this.
        """
        raise Refused(
            f"{world.id}: the oracle of this world does not say what is best where decisions take time"
        )

    def slow(self, world: Any, latency: Fraction, request: Request) -> Slow:
        """A plan that comes near the best where every decision costs a thought of so many ticks.

        Raises as ``slowed``, and ``Refused`` where plans for decisions that take no time serve as well.
        """
        raise Refused(f"{world.id}: the oracle of this world makes no plans for decisions that take time")

    def at_once(self, world: Any, latency: Fraction, request: Request) -> int | None:
        """What ``slowed`` comes to for who names all that is done in one decision; ``None`` where no decision
        can hold a whole plan, or there is none."""
        return None

    def planning(self, world: Any, state: Any = None) -> Planning:
        """The task that is left in a state in which somebody must decide, by default in the beginning. Limits
        of play are left out of account. Raises ``Refused`` where a world states none."""
        raise Refused(f"{world.id}: this world does not state its scenario as a planning task")

    def optima(self, world: Any, request: Request, solve: Solve) -> Sequence[Struct]:
        """What is shipped of this scenario; nothing where no plan is found. ``solve``: ``solve`` above, or
        one that goes on from what is kept. Raises ``Refused`` where nothing is shipped of any."""
        raise Refused(f"{world.id}: no optima of this world are shipped")


def oracle_of(world: World[Any, Any, Any]) -> Oracle:
    """The oracle of the world's pack; raises ``Refused`` if it has none."""
    pack = packs.pack_of(world)
    if not pack.oracle:
        raise Refused(f"{world.id}: this world has no exact oracle yet")
    found: Oracle = packs.part(pack.name, pack.oracle)
    return found


def check_options(world: World[Any, Any, Any], options: Mapping[str, Any]) -> None:
    """Raises ``Refused`` for an option that the world's oracle lacks, ``UnknownName`` for a value."""
    own = {argument.name: argument for argument in packs.pack_of(world).oracle_arguments}
    for name, value in options.items():
        if name not in own:
            offered = packs.installed().packs.values()
            others = [pack.name for pack in offered if name in {each.name for each in pack.oracle_arguments}]
            where = f"; that of {' and '.join(others)} has" if others else ""
            raise Refused(f"{world.id}: the oracle of this world has no option {name!r}{where}")
        if own[name].values and value not in own[name].values:
            raise UnknownName(name, value, own[name].values)


class KeptLine(Struct, frozen=True):
    """A solution, and the digest of the scenario and the rules that it is for."""

    rules: str
    of: str
    solution: Solution


class Kept:
    """The solutions in a file, one a line; each is there as soon as it is found.

    A last line that was cut in the middle is left out, and taken off the file. Raises ``BadFile`` for a file
    of anything else.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        lines = list(read_lines(path, KeptLine, "a kept solution")) if path.exists() else []
        self._found = {line.of: line.solution for line in lines}
        if path.exists() and not read_regular(path).endswith(b"\n"):
            write_whole(path, b"".join(map(_written, lines)))

    def get(self, world: World[Any, Any, Any], *since: Any) -> Solution | None:
        """What is known of a world's scenario under its rules and limits; ``since``: from what on."""
        return self._found.get(_key(world, since))

    def add(self, world: World[Any, Any, Any], solution: Solution, *since: Any) -> None:
        """Keep a solution; it is in the file when this returns."""
        key = _key(world, since)
        self._found[key] = solution
        self.path.parent.mkdir(parents=True, exist_ok=True)
        line = KeptLine(rules_of(world), key, solution)
        with self.path.open("ab") as file:
            file.write(_written(line))


def _written(line: KeptLine) -> bytes:
    return msgspec.json.encode(line) + b"\n"


def _key(world: World[Any, Any, Any], since: tuple[Any, ...]) -> str:
    return digest((world.scenario, world.rules, world.limits, *since))


def solve_world(
    world: World[Any, Any, Any], request: Request | None = None, kept: Kept | None = None
) -> Solution:
    """The best plan of a world that its oracle finds; see ``Oracle.solve``.

    With ``kept``, what is proven is not solved again, what is not is gone on with, and what is found is
    kept. Raises besides what ``oracle_of`` and ``check_options`` raise.
    """
    request = request or Request()
    oracle = oracle_of(world)
    check_options(world, request.options)
    if kept is None:
        return _find(oracle, world, request)
    since = chosen_in(world, request)
    known = kept.get(world, *since)
    if known is not None and known.proven:
        return known
    found = _find(oracle, world, replace(request, known=known))
    kept.add(world, found, *since)
    return found


def _find(oracle: Oracle, world: World[Any, Any, Any], request: Request) -> Solution:
    latency = _latency_of(world, request)
    return oracle.slowed(world, latency, request) if latency else oracle.solve(world, request)


def _latency_of(world: World[Any, Any, Any], request: Request) -> Fraction:
    """Ticks of the world that every decision is to take, by the request's options."""
    seconds = request.options.get(LATENCY.name, "0")
    try:
        exact = Fraction(msgspec.convert(seconds, Decimal))
    except msgspec.ValidationError:
        raise Refused(f"{LATENCY.name}: write seconds, such as 2 or 0.5, not {seconds!r}") from None
    return exact * SECOND / timed(world).tick_microseconds if exact else exact


def chosen_in(world: World[Any, Any, Any], request: Request) -> tuple[Any, ...]:
    """The options of the request that tell one kept solution of a world from another."""
    return tuple(
        request.options[argument.name]
        for argument in packs.pack_of(world).oracle_arguments
        if argument.name in request.options
    )

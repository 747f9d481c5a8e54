"""The oracle of every world that lists its decisions: a search of its own steps, with proof.

A pack that names no oracle has this one. What is best is the earliest time at which everything is completed,
as the world's outcomes tell (``completed``, and the number called like its unit of time); or, where a world
says so (``Searchable``), the most that another number of theirs can come to by the end of play.

The proof is one for all decisions on the menus of the world. So it asks for complete menus, for a start that
is the same whatever the seed, and for states that can be hashed; what a world lacks of that, the refusal
names. What seats may not know makes no difference: a plan for the one start there is holds.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import inf, prod
from typing import Any, ClassVar, Literal, Protocol, TypeVar, runtime_checkable

from msgspec.structs import replace

from backburner.kernel import packs, registry
from backburner.kernel.best_first import Found, Search
from backburner.kernel.clock import Timed, unit_of
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused, ReplayMismatch
from backburner.kernel.generating import generator_of
from backburner.kernel.menu import listing
from backburner.kernel.oracle import JOINT, Allowance, Onward, Oracle, Request, Solution
from backburner.kernel.text import Text
from backburner.kernel.values import Seat

S_contra = TypeVar("S_contra", contravariant=True)

STEPS_OF_EFFORT = 30_000
"""Steps of a world that are tried in about a second."""

MOST_STATES = 500_000
"""States that are stored; then the search goes on without."""

MOST_JOINT = 256
"""Joint decisions of several seats that are tried in a state."""

SPACE = "every decision on the menus"

SEEDS = range(8)
"""A start that is the same with these leaves nothing to chance."""


@runtime_checkable
class Searchable(Protocol[S_contra]):
    """What a world says besides to whoever searches it for its best plan.

    ``maximised``: the number of outcomes, a whole one, that is to be as great as it can be when play ends; by
    default everything is to be completed as early as can be. ``menus_suffice``: whether some best plan needs
    no decision that is on no menu, though menus are not complete.
    """

    maximised: ClassVar[str] = ""
    menus_suffice: ClassVar[bool] = False

    def estimate(self, state: S_contra) -> int | None:
        """What no play from here passes, in the figures of outcomes: the earliest that all can be completed
        (from the beginning), or the most that ``maximised`` can come to. ``None``: nothing is known."""
        return None


def maximised(world: World[Any, Any, Any]) -> str:
    """The number of outcomes that is to be as great as can be; empty where all is to be done early."""
    return world.maximised if isinstance(world, Searchable) else ""


class Space:
    """A world as a graph that is searched; costs are times, or what is maximised with the sign turned.

    Raises ``Refused`` for what the world lacks. ``estimated``: whether its own estimate is made use of.
    """

    def __init__(self, world: World[Any, Any, Any], *, estimated: bool = True) -> None:
        self.world: Any = world
        self._menus = listing(world)
        told = world if isinstance(world, Searchable) else None
        self.maximised = maximised(world)
        self.sense: Literal["min", "max"] = "max" if self.maximised else "min"
        self._suffice = told is not None and told.menus_suffice
        self._estimate = told.estimate if told is not None and estimated else None
        tick = Fraction(world.tick_microseconds, unit_of(world)) if isinstance(world, Timed) else Fraction(0)
        self._tick: Fraction | int = tick.numerator if tick.denominator == 1 else tick
        start = world.start()
        try:
            hash(start)
        except TypeError as error:
            why = f"its states cannot be hashed ({error}), so that none is known again"
            raise Refused(f"{world.id}: {why}") from error
        if any(world.start(seed) != start for seed in SEEDS):
            raise Refused(f"{world.id}: play depends on the seed, and no one plan is best whatever comes")
        pack = packs.pack_of(world)
        if pack.generator and generator_of(pack.name).sense != self.sense:
            other = "the earliest end" if self.maximised else "the most"
            raise Refused(
                f"{world.id}: its generator says {other} is best, Searchable.maximised is {self.maximised!r}"
            )

    @property
    def unit(self) -> str:
        """What the objective counts."""
        return self.maximised or self.world.time_unit

    def best(self, state: Any, allowance: Allowance, most_states: int = MOST_STATES) -> Found:
        """What is found from a state on; so many states are stored."""
        return Search(self, state, allowance, most_states).run()

    def is_end(self, state: Any) -> bool:
        """Whether nobody must decide any more."""
        return not self.world.deciders(state)

    def time(self, state: Any) -> int | Fraction:
        """The time in a state, in the world's unit."""
        if self._tick:
            ticks: int = self.world.now(state)
            return ticks * self._tick
        return self._number(self.world.outcome(state).numbers, self.world.time_unit)

    def bound(self, state: Any) -> float | Fraction:
        """Of a state that is over, what it costs; of another, no less than the time, or the estimate."""
        if self.is_end(state):
            numbers = self.world.outcome(state).numbers
            if self.maximised:
                return -self._number(numbers, self.maximised)
            return self._number(numbers, self.world.time_unit) if numbers.get("completed") else inf
        known = None if self._estimate is None else self._estimate(state)
        if self.maximised:
            return -inf if known is None else -known
        return self.time(state) if known is None else max(known, self.time(state))

    def steps(self, state: Any) -> Iterator[tuple[dict[Seat, Any], Any]]:
        """Every joint decision of options on the menus that is accepted, in their order."""
        world, now = self.world, self.time(state)
        menus = {seat: self._menus.menu(state, seat) for seat in world.deciders(state)}
        for seat, menu in menus.items():
            if not (menu.complete or self._suffice):
                raise Refused(
                    f"{world.id}: the menu of {seat} does not list every decision (complete), and the world "
                    "does not say that the best needs no other (Searchable.menus_suffice)"
                )
        number = prod(len(menu.options) for menu in menus.values())
        if len(menus) > 1 and number > MOST_JOINT:
            raise Refused(f"{world.id}: {', '.join(menus)} have {number} joint decisions, too many to search")
        busy_first = (sorted(menu.options, key=lambda option: option.passes) for menu in menus.values())
        for chosen in product(*busy_first):
            decisions = {seat: option.decision for seat, option in zip(menus, chosen, strict=True)}
            step = world.step(state, decisions)
            if step.refusals:
                continue
            ends = self.is_end(step.state) and not self.maximised
            if (self.bound(step.state) if ends else self.time(step.state)) < now:
                raise Refused(f"{world.id}: after {now} {world.time_unit} a decision takes the time back")
            yield decisions, step.state

    def _number(self, numbers: Mapping[str, int | float], name: str) -> int:
        """A number of an outcome that has to be there, and to be whole."""
        if name not in numbers or numbers[name] % 1:
            raise Refused(f"{self.world.id}: its outcomes do not tell the number {name!r}, a whole one")
        return int(numbers[name])


class ExactOracle(Oracle):
    """Proves the best plan of a world by search; ``most_states`` are stored."""

    def __init__(self, most_states: int = MOST_STATES) -> None:
        self.most_states = most_states

    def solve(self, world: World[Any, Any, Any], request: Request) -> Solution:
        """The best plan within the limits of play, played by its words."""
        if not isinstance(world, Text):
            raise Refused(f"{world.id}: this world has no words for a plan")
        began, space = time.monotonic(), Space(world)
        allowance = Allowance(request.time_limit_seconds, request.effort, STEPS_OF_EFFORT)
        found = space.best(world.start(), allowance, self.most_states)
        sign, impossible = -1 if space.maximised else 1, found.bound == inf
        bound = None if abs(found.bound) == inf else int(sign * found.bound)
        solution = Solution(
            scenario=world.id,
            status="infeasible" if impossible else "unknown",
            objective=None,
            bound=bound,
            sense=space.sense,
            unit=space.unit,
            space=SPACE,
            seconds=time.monotonic() - began,
            note="no plan completes everything before play ends" if impossible else "",
        )
        if found.path is None:
            return solution
        objective, words = int(sign * found.cost), _played(world, space, found)
        return replace(solution, objective=objective, plan=words).bounded(bound)

    def onward(self, world: World[Any, Any, Any], state: Any, effort: float) -> Onward:
        """By a search from the state on, in the world without limits."""
        pack = packs.pack_of(world)
        if pack.catalogue:
            world = registry.catalogue(pack.name).build(world.id, world.scenario, world.rules, "none")
        space = Space(world)
        if space.maximised:
            raise Refused(f"{world.id}: in this world {space.maximised} count, and not when all is done")
        allowance, now = Allowance(0, effort, STEPS_OF_EFFORT), int(space.time(state))
        found = space.best(state, allowance, self.most_states)
        if found.proven and found.cost < inf:
            return Onward("optimal", now, int(found.cost))
        return Onward("infeasible" if found.proven else "unknown", now, None)


def _played(world: Any, space: Space, found: Found) -> tuple[str, ...]:
    """The words of a plan; raises ``ReplayMismatch`` where they come to something else."""
    state, lines = world.start(), []
    for decisions in found.path or ():
        said = {seat: world.words(decision, seat) for seat, decision in decisions.items()}
        lines.append(JOINT.join(said.values()))
        state = world.step(state, {seat: world.parse(state, seat, text) for seat, text in said.items()}).state
    if not space.is_end(state) or space.bound(state) != found.cost:
        raise ReplayMismatch(f"{world.id}: played by its words the plan ends as {world.outcome(state)}")
    return tuple(lines)


ORACLE = ExactOracle()

"""The walk through a world on which the checks look at it, and how a check speaks up."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from backburner.kernel.assessment import Assessment
from backburner.kernel.contract import World
from backburner.kernel.errors import shorten
from backburner.kernel.menu import Menu, Menus
from backburner.kernel.text import Text
from backburner.kernel.values import Fault, Refusal, Seat, Step, canonical_json, digest


class ContractViolation(AssertionError):
    """A world breaks its contract. ``check`` names the demand, ``where`` the seed and the step."""

    def __init__(self, check: str, world: str, where: str, what: str) -> None:
        self.check, self.world, self.where = check, world, where
        super().__init__(f"{world}: {where}: {check}: {what}")


class Expect:
    """How one check speaks up: it counts the cases looked at and raises at the first that fails."""

    def __init__(self, check: str, world: str, where: str) -> None:
        self.check, self.world, self.where = check, world, where
        self.cases = 0
        self.obstacle = ""

    def __call__(self, holds: bool, otherwise: str) -> None:
        """One case; ``otherwise`` says what is wrong if it does not hold."""
        self.cases += 1
        if not holds:
            raise self.violation(otherwise)

    def same(self, one: object, other: object, what: str) -> None:
        """One case: the two are equal; ``what`` says which two."""
        self(one == other, what if one == other else f"{what}: {difference(one, other)}")

    def violation(self, what: str) -> ContractViolation:
        """What to raise when the demand is not met."""
        return ContractViolation(self.check, self.world, self.where, what)

    def cannot(self, why: str) -> None:
        """The check cannot look at this case, because ..."""
        self.obstacle = why


def difference(one: object, other: object, path: str = "") -> str:
    """Where two values differ, in their innermost fields that do."""
    if isinstance(one, Struct) and type(one) is type(other):
        for name in one.__struct_fields__:
            if getattr(one, name) != getattr(other, name):
                return difference(getattr(one, name), getattr(other, name), f"{path}.{name}")
    return f"{path or 'they'} differ: {shorten(repr(one), 300)} and {shorten(repr(other), 300)}"


UNREAD = Refusal("not_understood", Fault.UNREADABLE)
"""Stands for an answer that could not be read, in worlds that read no text."""


class _Stranger(Struct, frozen=True):
    """A decision in some other world."""

    of: str = "another world"


_STRANGERS: tuple[Any, ...] = (None, 7, 0.5, "a text", object(), {"of": ["another"]}, [[]], _Stranger())


def strangers(world: World[Any, Any, Any]) -> list[Any]:
    """Objects of which none is a decision of this world."""
    return [stranger for stranger in _STRANGERS if not is_decision(world, stranger)]


def is_decision(world: World[Any, Any, Any], value: Any) -> bool:
    """Whether the value has the type of a decision of this world."""
    try:
        msgspec.convert(value, world.decision_type)
    except msgspec.ValidationError:
        return False
    return True


RECKLESS = (0.0, 0.25, 0.5)
"""The share of bad decisions, from walk to walk: first one that gets far, then worse ones."""


HiddenVariants = Callable[[Any, Seat], Sequence[Any]]
"""States that differ from a state only in what a seat may not know."""


class Survey:
    """What all walks through one world share: a copy of it from before, decisions met, things told."""

    def __init__(
        self,
        world: World[Any, Any, Any],
        max_steps: int,
        hidden_variants: HiddenVariants | None = None,
        assessment: Assessment | None = None,
    ) -> None:
        self.world: Any = world
        self.max_steps = max_steps
        self.hidden_variants: Any = hidden_variants
        self.assessment: Any = assessment
        self.decisions: dict[bytes, Any] = {}
        self.told: dict[Any, str] = {}
        self.briefings: dict[Seat, str] = {}
        self.untouched: Any = None
        try:
            self.untouched = copy.deepcopy(world)
        except Exception:  # whatever the parts of a foreign world make of being copied
            return

    def gather(self, menu: Menu[Any]) -> None:
        """Remember what was on a menu."""
        self.decisions |= {canonical_json(option.decision): option.decision for option in menu.options}


class Walk:
    """One episode: where it starts, the points it passed, the last of them where it was left."""

    def __init__(self, survey: Survey, number: int, seed: int) -> None:
        self.survey = survey
        self.world = survey.world
        self.number = number
        self.seed = seed
        self.reckless = RECKLESS[number % len(RECKLESS)]
        self.draw = random.Random(f"conformance/{seed}")
        self.points: list[Point] = []

    @cached_property
    def first(self) -> Any:
        """The state in which it starts."""
        return self.world.start(self.seed)

    @property
    def end(self) -> Point:
        """Where it ended or was left."""
        return self.points[-1]

    @property
    def steps(self) -> list[tuple[str, Step[Any]]]:
        """(name, step) for each step that was made."""
        return [(f"step {point.index}", point.step) for point in self.points[:-1]]


class Point:
    """A state on a walk, and a decision for each seat that must decide there.

    Everything is asked for when a check first looks at it, so that what the world does wrong on
    being asked is found by the check whose matter it is.
    """

    def __init__(self, walk: Walk, index: int, state: Any) -> None:
        self.walk = walk
        self.world = walk.world
        self.draw = walk.draw
        self.index = index
        self.state = state

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """Who must decide."""
        return tuple(self.world.deciders(self.state))

    @cached_property
    def digest(self) -> str:
        """The state's fingerprint before anything was tried on it."""
        return digest(self.state)

    @cached_property
    def restored(self) -> Any:
        """The state, written down and read back."""
        return msgspec.json.decode(canonical_json(self.state), type=self.world.state_type)

    @cached_property
    def menus(self) -> Mapping[Seat, Menu[Any]]:
        """The menu of each seat that must decide; empty if the world offers none."""
        if not isinstance(self.world, Menus):
            return {}
        menus = {seat: self.world.menu(self.state, seat) for seat in self.seats}
        for menu in menus.values():
            self.walk.survey.gather(menu)
        return menus

    def options(self, seat: Seat, most: int = 30) -> Sequence[Any]:
        """The decisions on the seat's menu, or so many of them, drawn."""
        decisions = [option.decision for option in self.menus[seat].options] if self.menus else []
        return decisions if len(decisions) <= most else self.draw.sample(decisions, most)

    @cached_property
    def fair(self) -> Mapping[Seat, Any]:
        """A decision that ought to be accepted for each seat, as far as the world can list one."""
        return {seat: self.draw.choice(self.options(seat) or [self.unread(seat)]) for seat in self.seats}

    @cached_property
    def decisions(self) -> Mapping[Seat, Any]:
        """What is decided here: fair decisions, and now and then a bad one."""
        return {
            seat: self.draw.choice(self._bad(seat))
            if self.draw.random() < self.walk.reckless
            else self.fair[seat]
            for seat in self.seats
        }

    @cached_property
    def step(self) -> Step[Any]:
        """What follows from the decisions."""
        return self.try_out(self.decisions)

    def try_out(self, decisions: Mapping[Seat, Any]) -> Step[Any]:
        """What would follow from other decisions."""
        step: Step[Any] = self.world.step(self.state, dict(decisions))
        return step

    def unread(self, seat: Seat) -> Any:
        """What the world makes of an answer without any sense."""
        return self.world.parse(self.state, seat, "") if isinstance(self.world, Text) else UNREAD

    def _bad(self, seat: Seat) -> Sequence[Any]:
        """Decisions that might be refused: strangers, an unread answer, what was possible elsewhere."""
        elsewhere = list(self.walk.survey.decisions.values())
        drawn = self.draw.sample(elsewhere, min(5, len(elsewhere)))
        return [*strangers(self.world), self.unread(seat), *drawn]

    def alone(self, seat: Seat, decision: Any) -> Step[Any]:
        """What would follow if this seat decided so, and the others let time go by if they can."""
        others = {other: self._passing(other) for other in self.seats if other != seat}
        return self.try_out({**others, seat: decision})

    def _passing(self, seat: Seat) -> Any:
        passes = (o.decision for o in self.menus[seat].options if o.passes) if self.menus else ()
        return next(iter(passes), self.fair[seat])


def refused(step: Step[Any], seat: Seat) -> list[Refusal]:
    """What a step refused of this seat."""
    return [refusal for refusal in step.refusals if refusal.seat == seat]


Subject = TypeVar("Subject", Point, Walk)
Check = Callable[[Subject, Expect], None]
"""A demand of the contract. Its name says what is demanded; any exception is a violation."""

"""The contract between a world and everything that plays, records, solves or draws it.

A *world* is one scenario bound to one ``Rules`` and one ``Limits`` value. It is a pure function
in object form: it holds nothing that changes, and two worlds with different rules live side by
side in one process.

**An episode.** ``start(seed)`` gives the first state. As long as ``deciders(state)`` is not empty,
each seat it names is shown ``observe(state, seat)`` and gives a decision, and
``step(state, decisions)`` gives the next state. When no seat is left to ask, the episode is over,
and ``outcome(state)`` says how it ended.

**Edges.**

* A state is frozen and hashable and is never changed in place. Equal states have equal futures.
* Chance enters only through ``seed`` (and whatever the world keeps of it inside the state).
* ``step`` is one decision point, however long it lasts. A world in which nobody needs to be asked
  for a while moves on by itself, to the next state in which somebody must decide or to the end.
* ``step`` never raises for a bad decision. Text that cannot be read, a decision of another type,
  a forbidden one: each comes back as a refusal, and the rules say what it costs. A seat that must
  decide and is missing in ``decisions`` counts as unreadable; seats that need not decide are
  ignored.
* Stepping a state that is over returns that state, with no event and no refusal.
* ``parse`` reads a text under the bound rules and charges nothing; only ``step`` charges.
* ``observe`` and ``describe`` tell a seat only what that seat may know.
* Times never go back, neither in events nor from state to state.

``kernel.testing.check_world`` checks all of this on any world.

**Rules and limits.** ``Rules`` say what a step does. ``Limits`` say when play is cut off; their
counters live in the state, so a person, a solver and a language model play the same game.

**Capabilities.** What not every world can do is an optional protocol of its own; ask with
``isinstance(world, Legal)``, never by a world's name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

import msgspec
from msgspec import Struct

from backburner.kernel.controls import Controls
from backburner.kernel.scene import Scene
from backburner.kernel.scheduling import Problem
from backburner.kernel.values import Outcome, Refusal, Seat, Step

S = TypeVar("S")
D = TypeVar("D")
S_contra = TypeVar("S_contra", contravariant=True)
D_contra = TypeVar("D_contra", contravariant=True)
D_co = TypeVar("D_co", covariant=True)
O_co = TypeVar("O_co", covariant=True)
O_contra = TypeVar("O_contra", contravariant=True)


@runtime_checkable
class World(Protocol[S, D_contra, O_co]):
    """One scenario compiled under one Rules and one Limits value; see the module's text."""

    @property
    def id(self) -> str:
        """The scenario's id, such as ``timearena/cooking1+cooking2``."""

    @property
    def scenario(self) -> Any:
        """The scenario in full, as a value that writes itself as JSON."""

    @property
    def rules(self) -> Any:
        """The bound rules, a frozen struct with a ``name`` field."""

    @property
    def limits(self) -> Any:
        """The bound limits, a frozen struct."""

    @property
    def time_unit(self) -> str:
        """The unit of every time in states and events: ``minutes``, ``seconds`` or ``steps``."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Every seat that may ever be asked, in a fixed order."""

    @property
    def state_type(self) -> Any:
        """The type of a state, for reading one back from JSON."""

    @property
    def decision_type(self) -> Any:
        """The type (or union of types) of a decision, for reading one back from JSON."""

    def start(self, seed: int = 0) -> S:
        """The first state. ``seed`` is the only source of chance in play."""

    def deciders(self, state: S) -> tuple[Seat, ...]:
        """The seats that must decide now; empty means that the episode is over."""

    def step(self, state: S, decisions: Mapping[Seat, D_contra | Refusal]) -> Step[S]:
        """What follows when the deciders decide this; never raises for a bad decision."""

    def observe(self, state: S, seat: Seat) -> O_co:
        """What this seat perceives now: a value, not a sentence."""

    def outcome(self, state: S) -> Outcome:
        """Whether play ended or was cut off, why, and the world's own numbers so far."""


@lru_cache(maxsize=256)
def class_offers(kind: type, capability: type) -> bool:
    """Whether every world of a class has a capability.

    For what is asked at every turn: to look a protocol's members up takes longer than many a step.
    """
    return issubclass(kind, capability)


def decision_of(world: World[Any, Any, Any], written: Any) -> Any:
    """The decision that a JSON value stands for; what is none comes back for the world to refuse."""
    try:
        return msgspec.convert(written, world.decision_type)
    except msgspec.ValidationError:
        return written


class Option(Struct, Generic[D], frozen=True):
    """One decision on a menu.

    ``passes`` marks those that only let time go by; ``waits`` those that first let everything under way
    end, and begin nothing before: they give up the time until then.
    """

    decision: D
    label: str
    passes: bool = False
    waits: bool = False


class Menu(Struct, Generic[D], frozen=True):
    """The decisions that would be accepted now, in the world's order.

    Of seats that decide at the same time: accepted if the others let time go by, where they can.

    ``complete``: every accepted decision is listed, giving up aside. ``under_way``: labels of the
    activities that run at this moment and that the seat knows of.
    """

    options: tuple[Option[D], ...]
    complete: bool
    under_way: tuple[str, ...] = ()


@runtime_checkable
class Legal(Protocol[S_contra, D]):
    """The world can list the decisions that it would accept."""

    def legal(self, state: S_contra, seat: Seat) -> Menu[D]:
        """The menu of a seat that must decide now."""


@runtime_checkable
class Readable(Protocol[S_contra, D, O_contra]):
    """The world speaks: it briefs a seat, describes what the seat sees, and reads its answers."""

    def briefing(self, seat: Seat) -> str:
        """What a seat is told before play: the tasks, the things, how to answer."""

    def describe(self, observation: O_contra) -> str:
        """An observation in words; it knows nothing but the observation."""

    def parse(self, state: S_contra, seat: Seat, text: str) -> D | Refusal:
        """The decision that ``text`` asks for, or a refusal if it cannot be read. Never raises."""

    def words(self, decision: D) -> str:
        """The text that ``parse`` reads as ``decision``."""


@runtime_checkable
class Schedulable(Protocol[D_co]):
    """The world can state its scenario as a scheduling problem, and play a schedule.

    Its outcome's numbers then hold ``completed`` (1 or 0) and, under the name of the world's unit of
    time, when everything was: the oracle takes its objective from them.
    """

    def problem(self) -> Problem:
        """The scenario under the bound rules, in the world's unit of time."""

    def plan(self, starts: Mapping[str, int]) -> Sequence[D_co]:
        """The decisions that start each activity at its time, with waits in between."""


@runtime_checkable
class Drawable(Protocol[S_contra]):
    """The world can be looked at."""

    def scene(self, state: S_contra, seat: Seat | None = None) -> Scene:
        """What stands where: to an onlooker, who sees everything, or only as far as ``seat`` may know."""


class Command(Struct, Generic[D], frozen=True):
    """A decision of one action: its ``verb``, and the thing that each of its parameters stands for.

    ``body``: who is to do it, empty if that does not matter.
    """

    verb: str
    things: dict[str, str]
    option: Option[D]
    body: str = ""


@runtime_checkable
class Controllable(Protocol[S_contra, D]):
    """A person can play the world with keys and clicks instead of words."""

    @property
    def verbs(self) -> Mapping[str, Sequence[str]]:
        """Every action by name, with its parameters."""

    @property
    def controls(self) -> Controls:
        """The keys and clicks that come with the world."""

    def commands(self, state: S_contra, seat: Seat) -> Sequence[Command[D]]:
        """The actions on the seat's menu, in the world's order."""

    def together(self, decisions: Sequence[D]) -> D:
        """One decision made of those for several bodies of a seat."""


@runtime_checkable
class Typable(Protocol):
    """A line that a person types stands for a whole answer, where answers have more to them."""

    @property
    def typing_help(self) -> str:
        """How to write a line, in a few sentences."""

    def typed(self, line: str) -> str:
        """The answer, for ``parse`` to read, that a line stands for. Never raises."""


@runtime_checkable
class Unfolding(Protocol[S, D_contra]):
    """Time passes within a step, and the world can show what it passes through."""

    def between(
        self, state: S, decisions: Mapping[Seat, D_contra | Refusal]
    ) -> Sequence[tuple[int | float, S]]:
        """(time, state) for each moment of ``step(state, decisions)`` worth looking at, in order of time.

        They are for looking only: nobody is asked in them.
        """


@runtime_checkable
class Hiding(Protocol[S]):
    """The world can show, for its tests, that a seat does not see what it may not know."""

    def hidden_variants(self, state: S, seat: Seat) -> Sequence[S]:
        """States that differ from ``state`` only in what ``seat`` may not know."""

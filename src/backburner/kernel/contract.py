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

**Capabilities.** What not every world can do is one of eleven optional protocols: ``Menus`` (``menu``),
``Text`` (``text``), ``Tools`` (``tools``), ``Background`` (``background``), ``Examples`` (``text``), ``View``
(``view``), ``Schedulable`` (``schedule``), ``Searchable`` (``exact``), ``Timed`` and ``Clocked`` (``clock``),
and ``Reported`` (``reported``). A world that
subclasses one writes what has no default there. Ask with ``isinstance(world, Menus)``, never by a world's
name. What metrics say of a world's decisions, plans and records is an ``Assessment`` (``assessment``), which
``registry.assessment(world)`` makes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Protocol, TypeVar, runtime_checkable

import msgspec

from backburner.kernel.values import Outcome, Refusal, Seat, Step, writable

S = TypeVar("S")
D_contra = TypeVar("D_contra", contravariant=True)
O_co = TypeVar("O_co", covariant=True)


@runtime_checkable
class World(Protocol[S, D_contra, O_co]):
    """One scenario compiled under one Rules and one Limits value; see the module's text."""

    @property
    def id(self) -> str:
        """The scenario's id, such as ``timearena/cooking1+cooking2``."""

    @property
    def version(self) -> int:
        """Of the world's rules; raised whenever a recorded score would change. Records keep it."""

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
def subclasses(kind: type, capability: type) -> bool:
    """Whether a world's class subclasses a capability.

    For what is asked at every turn: to look up a protocol's members takes longer than many a step.
    """
    return capability in kind.__mro__


def rules_of(world: World[Any, Any, Any]) -> str:
    """What a world's rules are called; empty where they have no name, as others' worlds may leave it out."""
    return str(getattr(world.rules, "name", ""))


def decision_of(world: World[Any, Any, Any], written: Any) -> Any:
    """The decision that a JSON value stands for; what is none comes back for the world to refuse."""
    plain = _writable(written)
    try:
        return msgspec.convert(plain, world.decision_type)
    except msgspec.ValidationError:
        return written if plain == written else plain  # who asks may know it again


def _writable(written: Any) -> Any:
    """A JSON value with a question mark for each half of a surrogate pair, which no file can hold."""
    if isinstance(written, str):
        return writable(written)
    if isinstance(written, dict):
        return {_writable(name): _writable(value) for name, value in written.items()}
    return [_writable(value) for value in written] if isinstance(written, list) else written

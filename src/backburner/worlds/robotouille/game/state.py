"""Robotouille's values in play: facts as bits, the kitchen, decisions, what limits count, what a player sees.

Time is counted in steps. The facts that hold are the bits of one integer. For example, over ``robot1`` and
``stove1`` bit 1 may stand for ``istable(stove1)`` and bit 2 for ``loc(robot1,stove1)``; a kitchen whose
``facts`` are ``0b100`` then holds the second alone. The bits are numbered by the last thing that a fact is
about. So a thing made in play adds its bits behind the others, and no bit is ever renumbered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any, Literal

from msgspec import Struct

from backburner.kernel.values import Refusal

Atom = tuple[int, tuple[int, ...]]
"""A predicate's index and the indices of the things it is about."""

MOST_FACTS = 14_000
"""The most bits of a state: its JSON holds them as one number, and Python writes at most 4300 digits."""


REMEMBERED = 256
"""Kitchens of which is kept what was worked out: a menu, an observation and an answer ask for the same."""


class Predicate(Struct, frozen=True):
    """A predicate and the types of its arguments.

    ``sentences``: how a fact reads in the list of one of its things, by the argument that the thing
    is (``"0"``, ``"1"`` ...).
    """

    index: int
    name: str
    types: tuple[str, ...]
    sentences: dict[str, str]


class Object(Struct, frozen=True):
    """A thing: its numbered name, its type and its kind, such as ``stove1``, ``station``, ``stove``."""

    name: str
    type: str
    kind: str


class Layout:
    """The bits of all facts over these objects.

    ``atoms[n]`` is the fact of bit ``1 << n``, and ``bits`` is the way back. Three tables of masks
    select facts: ``of_predicate[p]`` all facts of a predicate, ``about[thing]`` all facts about a
    thing, ``rows[p, n, thing]`` the facts of a predicate whose argument ``n`` is that thing.
    ``known`` is a cache for whoever works something out over this layout.
    """

    def __init__(self, predicates: Sequence[Predicate], objects: Sequence[Object]) -> None:
        self.predicates = tuple(predicates)
        self.objects: tuple[Object, ...] = ()
        self.atoms: list[Atom] = []
        self.bits: dict[Atom, int] = {}
        self.indices: dict[str, int] = {}
        self.of_predicate = [0] * len(predicates)
        self.about: list[int] = []
        self.rows: dict[tuple[int, int, int], int] = {}
        self.known: dict[Any, Any] = {}
        self._add((predicate.index, ()) for predicate in predicates if not predicate.types)
        for thing in objects:
            self._append(thing)

    def extended(self, thing: Object) -> Layout:
        """A new layout with this thing behind the others."""
        other = Layout.__new__(Layout)
        other.predicates, other.objects = self.predicates, self.objects
        other.atoms, other.bits, other.indices = self.atoms.copy(), self.bits.copy(), self.indices.copy()
        other.of_predicate, other.about = self.of_predicate.copy(), self.about.copy()
        other.rows, other.known = self.rows.copy(), {}
        other._append(thing)
        return other

    def _append(self, thing: Object) -> None:
        self.indices[thing.name] = len(self.objects)
        self.objects += (thing,)
        self.about.append(0)
        self._add(self._new_atoms())

    def _new_atoms(self) -> Iterator[Atom]:
        """The facts about the last object and those before it; a fact is about different things."""
        last = len(self.objects) - 1
        of_type = self.by_type(range(len(self.objects)))
        for predicate in self.predicates:
            if self.objects[last].type not in predicate.types:
                continue
            for args in product(*(of_type.get(type, ()) for type in predicate.types)):
                if last in args and len(set(args)) == len(args):
                    yield predicate.index, args

    def _add(self, atoms: Iterator[Atom]) -> None:
        for atom in atoms:
            bit = 1 << len(self.atoms)
            self.bits[atom] = bit
            self.atoms.append(atom)
            predicate, args = atom
            self.of_predicate[predicate] |= bit
            for index, thing in enumerate(args):
                self.about[thing] |= bit
                self.rows[predicate, index, thing] = self.rows.get((predicate, index, thing), 0) | bit

    def by_type(self, things: Iterable[int]) -> dict[str, list[int]]:
        """These things by their types."""
        of_type: dict[str, list[int]] = {}
        for thing in things:
            of_type.setdefault(self.objects[thing].type, []).append(thing)
        return of_type

    def next_name(self, kind: str, gone: int) -> str:
        """The name of one more thing of this kind: one above the highest number in use."""
        numbers = (
            int(thing.name.removeprefix(kind))
            for index, thing in enumerate(self.objects)
            if thing.kind == kind and not gone >> index & 1
        )
        return f"{kind}{max(numbers, default=0) + 1}"

    def bit(self, predicate: int, args: tuple[int, ...]) -> int:
        """The bit of a fact; 0 for one that cannot be, such as a thing on top of itself."""
        return self.bits.get((predicate, args), 0)

    def true_atoms(self, facts: int) -> Iterator[Atom]:
        """The facts whose bits are set, in the order of their bits."""
        while facts:
            low = facts & -facts
            yield self.atoms[low.bit_length() - 1]
            facts ^= low

    def words(self, atom: Atom) -> str:
        """Such as ``item_on(patty1,stove1)``."""
        predicate, args = atom
        return f"{self.predicates[predicate].name}({','.join(self.objects[arg].name for arg in args)})"


class Running(Struct, frozen=True):
    """A special effect at work: its index in the domain, and its things (-1: not made yet).

    ``counts`` has a number for each node of its tree: the ticks or pushes so far, or 1 where a node
    that counts nothing is complete. Example: lettuce cut twice, on a board that asks for three cuts,
    has the counts ``(2,)``.
    """

    effect: int
    args: tuple[int, ...]
    counts: tuple[int, ...]


class Kitchen(Struct, frozen=True, cache_hash=True):
    """What is true, the things made in play, those that are gone, and the effects at work in their order.

    ``facts`` and ``gone`` are bit sets: of facts, and of the indices of things (``0b100``: thing 2 is
    gone).
    """

    facts: int
    made: tuple[Object, ...] = ()
    gone: int = 0
    effects: tuple[Running, ...] = ()


class Feedback(Struct, frozen=True, omit_defaults=True):
    """What became of the last decisions: the names of the actions carried out, and what was refused."""

    done: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()


class Process(Struct, frozen=True):
    """An effect that takes time and goes on by itself; ``key`` is that of its activity in the log.

    ``label`` is what a person calls it, such as ``cook patty1``.
    """

    key: str
    label: str
    effect: int
    args: tuple[int, ...]
    paused: bool


Ended = Literal["", "completed", "finish", "step_limit", "attempts"]


class State(Struct, frozen=True):
    """The kitchen, whose turn it is (an index of robots), and what the limits count.

    ``jobs`` are the processes that are not complete. So many ``steps`` have passed, so many
    ``attempts`` were refused in a row, and so many ``failed_calls`` were used up by refused attempts.
    """

    kitchen: Kitchen
    jobs: tuple[Process, ...] = ()
    turn: int = 0
    steps: int = 0
    feedback: Feedback = Feedback()
    attempts: int = 0
    failed_calls: int = 0
    ended: Ended = ""


class Seen(Struct, frozen=True, cache_hash=True):
    """A thing and all that holds of it, each a sentence about it."""

    name: str
    type: str
    facts: tuple[str, ...]


class Observation(Struct, frozen=True):
    """What a player sees: every thing, the applicable actions, the robots it decides for.

    ``refusals`` are those of its own last decision, ``done`` the actions of it that were carried out.
    As in the release, timers, the grid and the steps that are left are not shown.
    """

    things: tuple[Seen, ...]
    possible: tuple[str, ...]
    goal: str
    robots: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()


class Acts(Struct, frozen=True, omit_defaults=True):
    """A decision: ground actions by name, such as ``move(p1=robot1,s1=table1,s2=stove1)``, in their order.

    A robot's seat names one at most, a dispatcher one for each robot. With no action a step passes.
    ``finish`` ends the episode. ``silent``: nothing was decided yet, for so many steps.
    """

    acts: tuple[str, ...] = ()
    finish: bool = False
    silent: int = 0

    @property
    def is_silence(self) -> bool:
        """Whether a seat may be silent so: with nothing else, and not for too long at once."""
        return 1 <= self.silent <= LONGEST_SILENCE and not self.acts and not self.finish


LONGEST_SILENCE = 1000
"""Steps of one silence, longer than any published task; a longer one is made of several."""

IDLE = Acts()


FINISH = Acts(finish=True)

"""What a planning task is written in, and facts as bits.

Schemas of actions and of delayed effects are about predicates and typed objects; their literals and triggers
are about positions in the arguments. What an effect may bring about is a tree of nodes. Over certain objects
a fact is a bit, and ground actions and nodes are read in bits. For example, if bit 0 stands for
at(truck1,depot1) and bit 1 for at(truck1,depot2), driving from depot1 to depot2 needs and deletes ``0b01``
and adds ``0b10``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal as OneOf
from typing import NamedTuple


class Predicate(NamedTuple):
    """A predicate and the types of its arguments."""

    name: str
    types: tuple[str, ...]


class Object(NamedTuple):
    """``kind`` is a finer type, on which the duration of effects and goals may depend."""

    name: str
    type: str
    kind: str


class Literal(NamedTuple):
    """A predicate over positions in the arguments of a schema, positive or negative."""

    predicate: int
    positions: tuple[int, ...]
    is_true: bool = True


class Trigger(NamedTuple):
    """An effect schema, and the positions of the action's arguments that it is given."""

    effect: int
    positions: tuple[int, ...]


class ActionSchema(NamedTuple):
    """A lifted action. ``effects`` are immediate; delayed ones are triggered. Arguments are all different."""

    name: str
    parameters: tuple[str, ...]
    types: tuple[str, ...]
    preconditions: tuple[Literal, ...] = ()
    effects: tuple[Literal, ...] = ()
    triggers: tuple[Trigger, ...] = ()


class EffectNode(NamedTuple):
    """A node of a delayed effect.

    ``delayed`` counts ticks, ``repetitive`` counts triggers, and brings its ``effects`` about when the count
    is full. ``conditional`` keeps them true while its conditions hold, and false while they do not.
    ``creation`` makes an object, ``deletion`` removes the owner, with all atoms about it. Nested nodes have
    their turn when this one has done its part. ``owner`` is the position of the object that it belongs to,
    ``created`` that of the one that it makes, -1 if it makes none. ``number`` counts nodes depth first.
    """

    number: int
    type: OneOf["conditional", "delayed", "repetitive", "creation", "deletion"]
    owner: int
    conditions: tuple[Literal, ...] = ()
    effects: tuple[Literal, ...] = ()
    nested: tuple[EffectNode, ...] = ()
    created: int = -1
    created_kind: str = ""
    created_type: str = ""

    def walk(self) -> Iterator[EffectNode]:
        """This node and those below it, in the order of their numbers."""
        yield self
        for node in self.nested:
            yield from node.walk()


class EffectSchema(NamedTuple):
    """A tree of nodes. Its arguments are ``n_given`` by the action, then the ``n_created`` objects."""

    root: EffectNode
    n_given: int
    n_created: int = 0


# --- facts as bits ---------------------------------------------------------------------------------------

Atom = tuple[int, tuple[int, ...]]
"""A predicate's index and the indices of the objects it is about."""


class FactTable:
    """Which bit of a state stands for which atom: bit i for ``atoms[i]``.

    ``of_predicate[p]`` and ``about[o]`` are the bits of all atoms of a predicate or about an object,
    ``rows[p, i, o]`` those in which object o is argument i of predicate p. An atom about a created object
    comes behind all atoms about the objects before it, so that creating objects never renumbers a bit.
    ``operators``, ``by_name`` and ``ground_nodes`` keep what ``Task`` has made over these objects.
    """

    def __init__(
        self, predicates: Sequence[Predicate], objects: Sequence[Object], atoms: Sequence[Atom]
    ) -> None:
        self.predicates = tuple(predicates)
        self.objects = tuple(objects)
        self.atoms = tuple(atoms)
        self.indices = {thing.name: index for index, thing in enumerate(objects)}
        self.bits = {atom: 1 << place for place, atom in enumerate(atoms)}
        self.of_predicate = [0] * len(predicates)
        self.about = [0] * len(objects)
        self.rows: dict[tuple[int, int, int], int] = {}
        self.operators: dict[tuple[int, tuple[int, ...]], Operator] = {}
        self.by_name: dict[str, Operator | None] = {}
        self.ground_nodes: dict[tuple[int, tuple[int, ...]], tuple[GroundNode, ...]] = {}
        for (predicate, args), bit in self.bits.items():
            self.of_predicate[predicate] |= bit
            for position, thing in enumerate(args):
                self.about[thing] |= bit
                self.rows[predicate, position, thing] = self.rows.get((predicate, position, thing), 0) | bit

    def bit(self, predicate: int, args: tuple[int, ...]) -> int:
        """The bit of an atom; 0 for one that cannot be, such as a thing on top of itself."""
        return self.bits.get((predicate, args), 0)

    def atom(self, bit: int) -> Atom:
        """The atom of a bit."""
        return self.atoms[bit.bit_length() - 1]

    def true_atoms(self, facts: int) -> Iterator[Atom]:
        """The atoms whose bits are set, in the order of their bits."""
        return (self.atom(bit) for bit in bits(facts))

    def words(self, atom: Atom) -> str:
        """Such as ``at(truck1,depot2)``."""
        predicate, args = atom
        return f"{self.predicates[predicate].name}({','.join(self.objects[one].name for one in args)})"

    def masks(self, literals: Iterable[Literal], args: tuple[int, ...]) -> tuple[int, int]:
        """(bits to be set, bits to be clear) of literals over arguments; the later literal wins."""
        on = off = 0
        for literal in literals:
            bit = self.bit(literal.predicate, tuple(args[position] for position in literal.positions))
            on, off = (on | bit, off & ~bit) if literal.is_true else (on & ~bit, off | bit)
        return on, off


class Operator:
    """A ground action, as bit sets: applicable where all of ``pre`` is set and nothing of ``neg``; it sets
    ``adds`` and clears ``deletes`` at once, and triggers effects (schema, arguments)."""

    __slots__ = ("adds", "agents", "args", "deletes", "name", "neg", "pre", "schema", "triggers")

    def __init__(
        self, schema: int, action: ActionSchema, args: tuple[int, ...], table: FactTable, agent_type: str
    ) -> None:
        self.schema = schema
        self.args = args
        self.pre, self.neg = table.masks(action.preconditions, args)
        self.adds, self.deletes = table.masks(action.effects, args)
        self.triggers = tuple(
            (one.effect, tuple(args[position] for position in one.positions)) for one in action.triggers
        )
        self.agents = tuple(arg for arg in args if table.objects[arg].type == agent_type)
        pairs = zip(action.parameters, args, strict=True)
        self.name = f"{action.name}({','.join(f'{name}={table.objects[arg].name}' for name, arg in pairs)})"

    @property
    def agent(self) -> int:
        """The first agent in it; -1 if there is none."""
        return self.agents[0] if self.agents else -1

    @property
    def is_no_op(self) -> bool:
        """Whether it changes and triggers nothing, such as waiting."""
        return not (self.adds or self.deletes or self.triggers)


class GroundNode(NamedTuple):
    """A node over certain objects: its conditions and effects as bit sets, and the ``full`` count."""

    pre: int
    neg: int
    adds: int
    deletes: int
    full: int


def bits(mask: int) -> Iterator[int]:
    """The bits of a mask, lowest first: 6 is 2, 4."""
    while mask:
        low = mask & -mask
        yield low
        mask ^= low

"""Facts as bits, and what is read in bits: ground actions, and the nodes of effects over certain objects.

For example, if bit 0 stands for at(truck1,depot1) and bit 1 for at(truck1,depot2), driving from depot1 to
depot2 needs and deletes ``0b01`` and adds ``0b10``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from backburner.planning.schemas import ActionSchema, Literal, Object, Predicate

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

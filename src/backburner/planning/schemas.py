"""What a planning task is written in: predicates, typed objects, schemas of actions and of delayed effects.

Literals and triggers are about positions in the arguments of a schema. What an effect may bring about is a
tree of nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
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

"""Tasks without delayed effects, stated in words: the classical planning problem.

    plain_task(
        objects={"truck1": "truck", "home": "place", "shop": "place"},
        actions={"drive": ("t:truck from:place to:place", ["at t from"], ["not at t from", "at t to"])},
        start=["at truck1 home"],
        goal=["at truck1 shop"],
    )

Predicates are those that actions name, over the types that they name there. One decision is a step, and the
objects that an action takes are all different.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import TypeVar

from backburner.kernel.errors import Refused, UnknownName
from backburner.planning.facts import (
    ActionSchema,
    Atom,
    EffectNode,
    FactTable,
    Literal,
    Object,
    Operator,
    Predicate,
)
from backburner.planning.task import Goal, GoalLiteral, GoalVariable, Semantics, State, Task, Turns

T = TypeVar("T")

Action = tuple[str, Sequence[str], Sequence[str]]
"""Parameters with their types, preconditions, effects: ``not`` before what is false."""


class Plain(Semantics):
    """Nothing happens by itself. ``goal``: atoms, and whether they are true in the end. ``atoms``: by default
    all over different objects of the right types."""

    def __init__(
        self,
        predicates: Sequence[Predicate],
        objects: Sequence[Object],
        goal: Iterable[tuple[Atom, bool]],
        atoms: Sequence[Atom] | None = None,
    ) -> None:
        self._objects = objects
        self._atoms = atoms or [
            (number, args)
            for number, predicate in enumerate(predicates)
            for args in permutations(range(len(objects)), len(predicate.types))
            if tuple(objects[arg].type for arg in args) == predicate.types
        ]
        self.table = FactTable(predicates, objects, self._atoms)
        self._goal = [sum({self.table.bits[a] for a, true in goal if true is sign}) for sign in (True, False)]

    def atoms(self, created: tuple[Object, ...]) -> tuple[Sequence[Object], Sequence[Atom]]:
        """Of the objects that there are; none is created."""
        return self._objects, self._atoms

    def full_count(self, effect: int, node: EffectNode, kind: str) -> int:
        """Nothing is counted."""
        return 1

    def trigger(self, state: State, effect: int, args: tuple[int, ...]) -> State:
        """Nothing is triggered."""
        return state

    def tick(self, state: State) -> State:
        """Nothing takes a tick."""
        return state

    def blocks(self, state: State, operator: Operator) -> bool:
        """Nothing is at work."""
        return False

    def is_goal(self, state: State) -> bool:
        """Whether the goal is reached."""
        true, false = self._goal
        return not (true & ~state.facts or false & state.facts)


def plain_task(
    objects: Mapping[str, str], actions: Mapping[str, Action], start: Iterable[str], goal: Iterable[str]
) -> Task:
    """The task, which ``planner.Planner`` takes; raises ``UnknownName`` for a word that nothing stands for,
    and ``Refused`` for what is said of the wrong type."""
    kinds: dict[str, tuple[str, ...]] = {}
    schemas = []
    for name, (written, before, after) in actions.items():
        types = dict(pair.partition(":")[::2] for pair in written.split())
        for words in (*before, *after):
            predicate, *args = words.removeprefix("not ").split()
            kinds.setdefault(predicate, tuple(_known(arg, types) for arg in args))
        schemas.append((name, types, before, after))
    numbers = {name: number for number, name in enumerate(kinds)}
    predicates = [Predicate(name, types) for name, types in kinds.items()]

    def literals(words: Sequence[str], places: Sequence[str]) -> tuple[Literal, ...]:
        split = ((each, *each.removeprefix("not ").split()) for each in words)
        return tuple(
            Literal(numbers[predicate], tuple(places.index(arg) for arg in args), not each.startswith("not "))
            for each, predicate, *args in split
        )

    things = [Object(name, type, type) for name, type in objects.items()]
    places = {name: number for number, name in enumerate(objects)}

    def atom(words: str) -> Atom:
        predicate, *args = words.split()
        found = (_known(predicate, numbers), tuple(_known(arg, places) for arg in args))
        if tuple(things[arg].type for arg in found[1]) != predicates[found[0]].types:
            raise Refused(f"{words!r}: {predicate} is about {', '.join(predicates[found[0]].types)}")
        return found

    wanted = [atom(words) for words in goal]
    semantics = Plain(predicates, things, [(each, True) for each in wanted])
    named = list(dict.fromkeys(arg for _, args in wanted for arg in args))
    return Task(
        predicates,
        [
            ActionSchema(
                name, (*types,), (*types.values(),), literals(before, [*types]), literals(after, [*types])
            )
            for name, types, before, after in schemas
        ],
        [],
        Goal(
            [GoalLiteral(predicate, tuple(map(named.index, args))) for predicate, args in wanted],
            [GoalVariable("", things[arg].name) for arg in named],
        ),
        Turns("alternating", (), any_agent=True),
        semantics,
        State(sum({semantics.table.bits[atom(words)] for words in start})),
    )


def _known(name: str, table: Mapping[str, T]) -> T:
    if name not in table:
        raise UnknownName("word", name, table)
    return table[name]

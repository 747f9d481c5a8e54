"""A planning task that is no kitchen: robots take shirts from baskets, dry them on lines, fold them.

A shirt dries while it hangs: two ticks, not counted while it is off the line, and not begun anew when it
comes back. Robots walk from place to place, each of which has room for one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product
from typing import Any

from backburner.planning.facts import (
    ActionSchema,
    Atom,
    EffectNode,
    EffectSchema,
    Literal,
    Object,
    Operator,
    Predicate,
    Trigger,
)
from backburner.planning.task import ActiveEffect, Goal, GoalLiteral, GoalVariable, State, Task, Turns

PREDICATES = (
    Predicate("at", ("robot", "place")),
    Predicate("empty", ("place",)),
    Predicate("idle", ("robot",)),
    Predicate("holds", ("robot", "shirt")),
    Predicate("lies", ("shirt", "place")),
    Predicate("dry", ("shirt",)),
    Predicate("folded", ("shirt",)),
    Predicate("line", ("place",)),
    Predicate("table", ("place",)),
)
INDEX = {predicate.name: index for index, predicate in enumerate(PREDICATES)}
DRYING_TICKS = 2


def literals(*words: str) -> tuple[Literal, ...]:
    """``at 0 1``: at(first argument, second argument); ``not at 0 1``: that is false."""
    split = [one.removeprefix("not ").split() for one in words]
    return tuple(
        Literal(INDEX[name], tuple(map(int, places)), not one.startswith("not "))
        for one, (name, *places) in zip(words, split, strict=True)
    )


ACTIONS = (
    ActionSchema(
        "walk",
        ("r", "from", "to"),
        ("robot", "place", "place"),
        literals("at 0 1", "empty 2"),
        literals("not at 0 1", "at 0 2", "empty 1", "not empty 2"),
    ),
    ActionSchema(
        "take",
        ("r", "s", "p"),
        ("robot", "shirt", "place"),
        literals("at 0 2", "idle 0", "lies 1 2"),
        literals("not idle 0", "holds 0 1", "not lies 1 2"),
    ),
    ActionSchema(
        "hang",
        ("r", "s", "p"),
        ("robot", "shirt", "place"),
        literals("at 0 2", "holds 0 1", "line 2"),
        literals("idle 0", "not holds 0 1", "lies 1 2"),
        (Trigger(0, (1, 2)),),
    ),
    ActionSchema(
        "lay",
        ("r", "s", "p"),
        ("robot", "shirt", "place"),
        literals("at 0 2", "holds 0 1", "not line 2"),
        literals("idle 0", "not holds 0 1", "lies 1 2"),
    ),
    ActionSchema(
        "fold",
        ("r", "s", "p"),
        ("robot", "shirt", "place"),
        literals("at 0 2", "idle 0", "lies 1 2", "dry 1", "table 2"),
        literals("folded 1"),
    ),
)
DRYING = EffectSchema(
    EffectNode(
        0,
        "conditional",
        0,
        conditions=literals("lies 0 1", "not dry 0"),
        nested=(EffectNode(1, "delayed", 0, effects=literals("dry 0")),),
    ),
    n_given=2,
)


class LaundrySemantics:
    """How shirts dry, and when the laundry is done."""

    def __init__(self, objects: Sequence[Object], n_folded: int) -> None:
        self.objects = objects
        self.n_folded = n_folded
        self.bits = {atom: 1 << place for place, atom in enumerate(self.atoms(())[1])}

    def atoms(self, created: tuple[Object, ...]) -> tuple[Sequence[Object], Sequence[Atom]]:
        """All atoms over objects of the right types; nothing is created."""
        indices = range(len(self.objects))
        atoms = [
            (number, args)
            for number, predicate in enumerate(PREDICATES)
            for args in permutations(indices, len(predicate.types))
            if tuple(self.objects[arg].type for arg in args) == predicate.types
        ]
        return self.objects, atoms

    def full_count(self, effect: int, node: EffectNode, kind: str) -> int:
        """The ticks that a shirt hangs."""
        return DRYING_TICKS

    def trigger(self, state: State, effect: int, args: tuple[int, ...]) -> State:
        """Drying begins, or goes on where it stopped, on whichever line."""
        counts = next((one.counts for one in state.active if one.args[0] == args[0]), (0, 0))
        if state.facts & self.bits[INDEX["dry"], (args[0],)]:
            return state
        others = tuple(one for one in state.active if one.args[0] != args[0])
        return state._replace(active=(*others, ActiveEffect(effect, args, counts)))

    def tick(self, state: State) -> State:
        """Shirts on their lines dry."""
        facts, active = state.facts, []
        for one in state.active:
            shirt, line = one.args
            count = one.counts[1] + bool(facts & self.bits[INDEX["lies"], (shirt, line)])
            if count < DRYING_TICKS:
                active.append(one._replace(counts=(0, count)))
            else:
                facts |= self.bits[INDEX["dry"], (shirt,)]
        return state._replace(facts=facts, active=tuple(active))

    def blocks(self, state: State, operator: Operator) -> bool:
        """Nothing is blocked."""
        return False

    def is_goal(self, state: State) -> bool:
        """Whether enough shirts are folded and lie on one table."""
        lying = {atom[1] for atom, bit in self.bits.items() if atom[0] == INDEX["lies"] and state.facts & bit}
        folded = {s for s, _ in lying if state.facts & self.bits[INDEX["folded"], (s,)]}
        tables = [place for place, thing in enumerate(self.objects) if thing.kind == "table"]
        return any(sum((shirt, one) in lying for shirt in folded) >= self.n_folded for one in tables)


def laundry(
    robots: int = 1,
    shirts: int = 1,
    lines: int = 1,
    tables: int = 1,
    n_folded: int = 1,
    **turns: Any,
) -> Task:
    """Wet shirts in the basket; the robots stand at the places in their order. The goal: so many dry, folded
    and on the same table. ``turns``: ``order`` and ``any_agent`` of ``Turns``."""
    kinds = ["basket"] + ["line"] * lines + ["table"] * tables
    objects = [Object(f"robot{n + 1}", "robot", "robot") for n in range(robots)]
    objects += [Object(f"shirt{n + 1}", "shirt", "shirt") for n in range(shirts)]
    numbers = (kinds[: n + 1].count(kind) for n, kind in enumerate(kinds))
    objects += [Object(f"{kind}{number}", "place", kind) for kind, number in zip(kinds, numbers, strict=True)]
    semantics = LaundrySemantics(objects, n_folded)
    first_place = robots + shirts
    facts = 0

    def make_true(name: str, *args: int) -> None:
        nonlocal facts
        facts |= semantics.bits[INDEX[name], args]

    for robot in range(robots):
        make_true("at", robot, first_place + robot)
        make_true("idle", robot)
    for shirt in range(robots, first_place):
        make_true("lies", shirt, first_place)
    for place, kind in enumerate(kinds, first_place):
        if kind != "basket":
            make_true(kind, place)
        if place - first_place >= robots:
            make_true("empty", place)
    folded = [
        literal
        for shirt, table in product(range(n_folded), [n_folded])
        for literal in (
            GoalLiteral(INDEX["dry"], (shirt,)),
            GoalLiteral(INDEX["folded"], (shirt,)),
            GoalLiteral(INDEX["lies"], (shirt, table)),
        )
    ]
    variables = [*[GoalVariable("shirt")] * n_folded, GoalVariable("table")]
    return Task(
        PREDICATES,
        ACTIONS,
        [DRYING],
        Goal(folded, variables),
        Turns(turns.pop("order", "alternating"), tuple(range(robots)), **turns),
        semantics,
        State(facts),
        agent_type="robot",
    )

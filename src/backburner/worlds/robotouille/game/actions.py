"""Decisions, ground actions, and which ground actions are applicable in a kitchen."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from backburner.kernel.menu import Option
from backburner.worlds.robotouille.game.domain import Action, LiftedLiteral
from backburner.worlds.robotouille.game.layout import Layout
from backburner.worlds.robotouille.game.schema import PLAYER


class Acts(Struct, frozen=True, omit_defaults=True):
    """A decision: ground actions by name, such as ``move(p1=robot1,s1=table1,s2=stove1)``, in their order.

    A robot's seat names one at most, a dispatcher one for each robot. With no action a step passes.
    ``finish`` ends the episode.
    """

    acts: tuple[str, ...] = ()
    finish: bool = False


IDLE = Acts()
FINISH = Acts(finish=True)


class GroundAction:
    """An action over certain things, as masks over the bits of a layout.

    It is applicable where all bits of ``needs`` are set and none of ``forbids`` is. It sets the bits of
    ``adds``, clears those of ``deletes``, and starts special effects: ``starts`` has the index and
    the arguments of each. ``robots`` are the players among its arguments.

    Example: if ``has_item(robot1,patty1)`` is bit 5 and ``nothing(robot1)`` is bit 6, then picking up
    the patty has ``needs = 1 << 6 | ...``, ``adds = 1 << 5 | ...``, ``deletes = 1 << 6 | ...``.
    """

    __slots__ = (
        "action", "adds", "args", "deletes", "forbids", "name", "needs", "option", "robots", "starts", "text",
    )  # fmt: skip

    def __init__(self, action: Action, args: tuple[int, ...], layout: Layout) -> None:
        names = [layout.objects[arg].name for arg in args]
        self.action = action.name
        self.args = args
        self.needs, self.forbids = masks(action.preconditions, args, layout)
        self.adds, self.deletes = masks(action.effects, args, layout)
        self.starts = tuple(
            (start.effect, tuple(args[param] for param in start.params)) for start in action.starts
        )
        self.robots = tuple(arg for arg in args if layout.objects[arg].type == PLAYER)
        pairs = zip(action.params, names, strict=True)
        self.name = f"{action.name}({','.join(f'{param}={name}' for param, name in pairs)})"
        self.text = filled(action.text, dict(zip(action.params, names, strict=True))) or self.name
        self.option = Option(
            Acts((self.name,)),
            self.text,
            passes=not self.does_something,
            body=layout.objects[self.robots[0]].name if self.robots else "",
            verb=action.name,
            things=tuple(names),
        )

    @property
    def does_something(self) -> bool:
        """Whether it changes or starts anything; waiting does not."""
        return bool(self.adds or self.deletes or self.starts)

    def label(self, layout: Layout) -> str:
        """The action and its things without the robot, such as ``cook patty1 stove1``."""
        things = (layout.objects[arg].name for arg in self.args if arg not in self.robots)
        return " ".join((self.action, *things))

    def applicable(self, facts: int) -> bool:
        """Whether its preconditions hold."""
        return facts & self.needs == self.needs and not facts & self.forbids


def masks(literals: Sequence[LiftedLiteral], args: tuple[int, ...], layout: Layout) -> tuple[int, int]:
    """(bits of the positive literals, bits of the negative ones); of two about one fact the later counts."""
    positive = negative = 0
    for literal in literals:
        bit = layout.bit(literal.predicate, tuple(args[param] for param in literal.params))
        if literal.is_true:
            positive, negative = positive | bit, negative & ~bit
        else:
            positive, negative = positive & ~bit, negative | bit
    return positive, negative


def filled(template: str, names: dict[str, str]) -> str:
    """A sentence with ``{param}`` replaced by names; nothing else in it is interpreted."""
    for param, name in names.items():
        template = template.replace(f"{{{param}}}", name)
    return template


_JoinStep = tuple[LiftedLiteral | None, tuple[int, ...], tuple[LiftedLiteral, ...]]
"""A precondition to read bindings from, the parameters it binds, the preconditions to check after it.

For ``cook`` the first step may read ``loc(p1, s1)``, bind ``p1`` and ``s1``, and check ``nothing(p1)``.
"""


class Join:
    """Finds the arguments with which an action is applicable, by a join of its preconditions.

    Bindings are read from the facts that hold, the most selective precondition first, so that the
    work depends on where the robots are and not on how many things there are. ``facts`` are typical
    ones; they decide the order of the join.
    """

    def __init__(self, action: Action, layout: Layout, facts: int) -> None:
        self.types = action.types
        self._steps = _join_order(action, layout, facts)

    def bindings(self, layout: Layout, facts: int, gone: int) -> list[tuple[int, ...]]:
        """All arguments with which the preconditions hold, sorted."""
        found: list[tuple[int, ...]] = []
        self._bind(0, [-1] * len(self.types), layout, facts, gone, found)
        found.sort()
        return found

    def _bind(
        self, depth: int, args: list[int], layout: Layout, facts: int, gone: int, found: list[tuple[int, ...]]
    ) -> None:
        """Makes step ``depth`` of the join, and for each binding that passes its checks the next steps."""
        if depth == len(self._steps):
            found.append(tuple(args))
            return
        source, free, checks = self._steps[depth]
        for values in self._values(source, free, args, layout, facts, gone):
            for param, value in zip(free, values, strict=True):
                args[param] = value
            if all(
                bool(facts & layout.bit(c.predicate, tuple([args[p] for p in c.params]))) == c.is_true
                for c in checks
            ):
                self._bind(depth + 1, args, layout, facts, gone, found)
        for param in free:
            args[param] = -1

    def _values(
        self,
        source: LiftedLiteral | None,
        free: Sequence[int],
        args: list[int],
        layout: Layout,
        facts: int,
        gone: int,
    ) -> list[Sequence[int]]:
        """Values of the free parameters: different from each other and from those already bound."""
        if source is None:
            if not free:
                return [()]
            type = self.types[free[0]]
            return [
                (index,)
                for index, thing in enumerate(layout.objects)
                if thing.type == type and index not in args and not gone >> index & 1
            ]
        row = facts & layout.of_predicate[source.predicate]
        for argument, param in enumerate(source.params):
            if args[param] >= 0:
                row &= layout.rows.get((source.predicate, argument, args[param]), 0)
        arguments = [source.params.index(param) for param in free]
        values = ([things[argument] for argument in arguments] for _, things in layout.true_atoms(row))
        return [value for value in values if not any(thing in args for thing in value)]


def _join_order(action: Action, layout: Layout, facts: int) -> list[_JoinStep]:
    """The preconditions in the order in which they leave the fewest bindings to try."""
    n_facts = [(facts & mask).bit_count() for mask in layout.of_predicate]
    n_of_type = {type: sum(thing.type == type for thing in layout.objects) for type in action.types}
    steps: list[_JoinStep] = []
    bound: set[int] = set()
    unread = list(action.preconditions)

    def expected(literal: LiftedLiteral) -> float:
        size = float(n_facts[literal.predicate])
        for param in literal.params:
            if param in bound:
                size /= max(1, n_of_type[action.types[param]])
        return size

    def checkable() -> tuple[LiftedLiteral, ...]:
        checks = tuple(literal for literal in unread if bound.issuperset(literal.params))
        unread[:] = [literal for literal in unread if literal not in checks]
        return checks

    if checks := checkable():
        steps.append((None, (), checks))
    while len(bound) < len(action.params):
        readable = [literal for literal in unread if literal.is_true]
        source = min(readable, key=expected) if readable else None
        if source is None:
            free: tuple[int, ...] = (next(p for p in range(len(action.params)) if p not in bound),)
        else:
            unread.remove(source)
            free = tuple(param for param in source.params if param not in bound)
        bound.update(free)
        steps.append((source, free, checkable()))
    return steps

"""Ground actions: which of them are applicable in a kitchen, and why a decision is refused.

Which predicate means *hands are empty* or *the station is free*, the domain's ``placement`` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import NamedTuple

from backburner.kernel.errors import shorten
from backburner.kernel.menu import Option
from backburner.kernel.values import Fault, Refusal
from backburner.worlds.robotouille.game.domain import Action, Domain, LiftedLiteral
from backburner.worlds.robotouille.game.schema import PLAYER
from backburner.worlds.robotouille.game.state import Acts, Atom, Layout


class GroundAction:
    """An action over certain things, as masks over the bits of a layout.

    It is applicable where all bits of ``needs`` are set and none of ``forbids`` is. It sets the bits of
    ``adds``, clears those of ``deletes``, and starts special effects: ``starts`` has the index and
    the arguments of each. ``robots`` are the players among its arguments; ``label`` names the action and its
    things without them, such as ``cook patty1 stove1``.

    Example: if ``has_item(robot1,patty1)`` is bit 5 and ``nothing(robot1)`` is bit 6, then picking up
    the patty has ``needs = 1 << 6 | ...``, ``adds = 1 << 5 | ...``, ``deletes = 1 << 6 | ...``.
    """

    __slots__ = (
        "action", "adds", "args", "deletes", "forbids", "label", "name", "needs", "option", "robots",
        "starts", "text",
    )  # fmt: skip

    def __init__(self, action: Action, args: tuple[int, ...], layout: Layout) -> None:
        things = [layout.objects[arg] for arg in args]
        names = [thing.name for thing in things]
        players = [thing.type == PLAYER for thing in things]
        self.action = action.name
        self.args = args
        self.needs, self.forbids = masks(action.preconditions, args, layout)
        self.adds, self.deletes = masks(action.effects, args, layout)
        self.starts = tuple(
            [(start.effect, tuple([args[param] for param in start.params])) for start in action.starts]
        )
        self.robots = tuple(compress(args, players))
        self.label = " ".join((action.name, *[thing.name for thing in things if thing.type != PLAYER]))
        pairs = ",".join([f"{param}={name}" for param, name in zip(action.params, names, strict=True)])
        self.name = f"{action.name}({pairs})"
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

    def applicable(self, facts: int) -> bool:
        """Whether its preconditions hold."""
        return facts & self.needs == self.needs and not facts & self.forbids

    def n_violated(self, facts: int) -> int:
        """How many preconditions do not hold."""
        return (self.needs & ~facts | self.forbids & facts).bit_count()


def masks(literals: Sequence[LiftedLiteral], args: tuple[int, ...], layout: Layout) -> tuple[int, int]:
    """(bits of the positive literals, bits of the negative ones); of two about one fact the later counts."""
    positive = negative = 0
    for literal in literals:
        bit = layout.bit(literal.predicate, tuple([args[param] for param in literal.params]))
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


class _JoinStep(NamedTuple):
    """A precondition to read bindings from, what it binds, the preconditions to check after it.

    For ``cook`` the first step may read ``loc(p1, s1)``, bind ``p1`` and ``s1``, and check ``nothing(p1)``.
    ``bound`` and ``free``: (argument of the precondition, parameter), by whether it is bound before.
    """

    source: LiftedLiteral | None
    bound: tuple[tuple[int, int], ...]
    free: tuple[tuple[int, int], ...]
    checks: tuple[LiftedLiteral, ...]


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
        step = self._steps[depth]
        for values in self._values(step, args, layout, facts, gone):
            for (_, param), value in zip(step.free, values, strict=True):
                args[param] = value
            for check in step.checks:
                bit = layout.bit(check.predicate, tuple([args[param] for param in check.params]))
                if bool(facts & bit) != check.is_true:
                    break
            else:
                self._bind(depth + 1, args, layout, facts, gone, found)
        for _, param in step.free:
            args[param] = -1

    def _values(
        self, step: _JoinStep, args: list[int], layout: Layout, facts: int, gone: int
    ) -> list[Sequence[int]]:
        """Values of the free parameters: different from each other and from those already bound."""
        if step.source is None:
            if not step.free:
                return [()]
            type = self.types[step.free[0][1]]
            return [
                (index,)
                for index, thing in enumerate(layout.objects)
                if thing.type == type and index not in args and not gone >> index & 1
            ]
        predicate = step.source.predicate
        row = facts & layout.of_predicate[predicate]
        for argument, param in step.bound:
            row &= layout.rows.get((predicate, argument, args[param]), 0)
        found: list[Sequence[int]] = []
        while row:
            low = row & -row
            row ^= low
            things = layout.atoms[low.bit_length() - 1][1]
            values = [things[argument] for argument, _ in step.free]
            for value in values:
                if value in args:
                    break
            else:
                found.append(values)
        return found


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
        steps.append(_JoinStep(None, (), (), checks))
    while len(bound) < len(action.params):
        readable = [literal for literal in unread if literal.is_true]
        source = min(readable, key=expected) if readable else None
        if source is None:
            before: tuple[tuple[int, int], ...] = ()
            free: tuple[tuple[int, int], ...] = (
                (0, next(p for p in range(len(action.params)) if p not in bound)),
            )
        else:
            unread.remove(source)
            params = source.params
            before = tuple((argument, param) for argument, param in enumerate(params) if param in bound)
            free = tuple((params.index(param), param) for param in params if param not in bound)
        bound.update(param for _, param in free)
        steps.append(_JoinStep(source, before, free, checkable()))
    return steps


NO_ACTION = Refusal("no_action", Fault.UNREADABLE)
"""No action could be found in the answer."""

MOST_SAID = 200
"""Characters that a refusal keeps of a text that names no action."""


def unknown_action(text: str) -> Refusal:
    """There is no action of that name over those things."""
    return Refusal("unknown_action", Fault.UNKNOWN_THING, (("said", shorten(text, MOST_SAID)),))


def ambiguous(text: str) -> Refusal:
    """Several actions are written so (see ``Rules.exact_text_only``)."""
    return Refusal("ambiguous", Fault.UNREADABLE, (("said", shorten(text, MOST_SAID)),))


def several(names: Sequence[str]) -> Refusal:
    """An answer that holds different actions, of which nobody knows which is meant."""
    return Refusal("several", Fault.UNREADABLE, (("said", shorten("; ".join(names), MOST_SAID)),))


def too_many(n_given: int, n_robots: int) -> Refusal:
    """More actions than robots to do them."""
    return Refusal("too_many", Fault.CAPACITY, (("given", n_given), ("robots", n_robots)))


def other_robot(action: GroundAction, robot: str) -> Refusal:
    """The action is for a robot that another seat commands."""
    return Refusal("other_robot", Fault.ROLE, (*_names(action), ("robot", robot)))


def twice(action: GroundAction, robot: str) -> Refusal:
    """The robot has an action in this step already."""
    return Refusal("twice", Fault.CAPACITY, (*_names(action), ("robot", robot)))


def runs_already(action: GroundAction) -> Refusal:
    """All that the action would start is at work already."""
    return Refusal("runs_already", Fault.ALREADY_DONE, _names(action))


def inapplicable(action: GroundAction, domain: Domain, layout: Layout, facts: int) -> Refusal:
    """A precondition does not hold: facts that are ``missing``, and facts that hold and bar the action."""
    missing = tuple(layout.true_atoms(action.needs & ~facts))
    barred = tuple(layout.true_atoms(action.forbids & facts))
    detail = (
        ("missing", tuple(layout.words(atom) for atom in missing)),
        ("barred", tuple(layout.words(atom) for atom in barred)),
    )
    return Refusal("impossible", _fault(domain, layout, facts, missing), (*_names(action), *detail))


def _names(action: GroundAction) -> tuple[tuple[str, str], ...]:
    """The name of the action, and its sentence."""
    return ("action", action.name), ("said", action.text)


def _fault(domain: Domain, layout: Layout, facts: int, missing: Sequence[Atom]) -> Fault:
    """The family of the first rule that is broken: hands, then room, then presence, then all others."""
    placement = domain.file.placement
    names = {layout.predicates[predicate].name for predicate, _ in missing}
    if not names:
        return Fault.ALREADY_DONE
    if placement.holds_nothing in names:
        return Fault.CAPACITY
    if {placement.station_empty, placement.station_free, placement.item_clear} & names:
        return Fault.OCCUPIED
    if placement.player_at in names:
        return Fault.REACH
    if any(_in_a_stack(domain, layout, facts, atom) for atom in missing):
        return Fault.OCCUPIED
    return Fault.MISSING_PREREQUISITE


def _in_a_stack(domain: Domain, layout: Layout, facts: int, missing: Atom) -> bool:
    """Whether the missing fact is that an item lies on a station, and the item is there, but in a stack."""
    placement, (predicate, args) = domain.file.placement, missing
    item_at = domain.by_name.get(placement.item_at)
    is_item_on = layout.predicates[predicate].name == placement.item_on
    return is_item_on and item_at is not None and bool(facts & layout.bit(item_at.index, args))

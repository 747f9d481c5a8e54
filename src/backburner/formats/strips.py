"""Classical PDDL of others as planning tasks: typed STRIPS with negative literals, read by unified-planning.

Tasks of ours take different objects for an action's parameters, of one type each. So the type of a parameter
is a fact that never changes, and an action is written once more for each way in which its parameters may
stand for the same object.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from backburner.formats.coding import MOST_BYTES
from backburner.kernel.errors import BadFile, Refused, needs_extra, one_line, shorten_inside
from backburner.kernel.files import read_text
from backburner.planning.facts import ActionSchema, Literal, Object, Predicate
from backburner.planning.plain import Plain
from backburner.planning.task import Goal, GoalLiteral, GoalVariable, State, Task, Turns

MOST_ATOMS = 20_000
"""Facts about the objects of a problem."""

MOST_SCHEMAS = 1_000
"""Ways to write one action."""

MOST_DEPTH = 100
"""Of brackets in a file."""

THING = "thing"

SAYABLE = frozenset({"ACTION_BASED", "FLAT_TYPING", "HIERARCHICAL_TYPING", "NEGATIVE_CONDITIONS"})
"""What a task of ours can say, in the words of unified-planning."""


def read_task(domain: Path, problem: Path) -> Task:
    """The task in a domain and its problem, for ``planning.planner.Planner``; raises ``BadFile``,
    ``MissingExtra``, and ``Refused`` for what a task of ours cannot say."""
    with needs_extra("formats", "reading PDDL"):
        from unified_planning.io import PDDLReader
    texts = [_bounded(file) for file in (domain, problem)]
    try:
        stated = PDDLReader().parse_problem_string(*texts)
    except Exception as error:  # the reader raises whatever its parts raise
        raise BadFile(domain, "", f"not read: {shorten_inside(one_line(str(error)), 200)}") from error
    if lacking := sorted(stated.kind.features - SAYABLE):
        what = ", ".join(word.lower().replace("_", " ") for word in lacking)
        raise Refused(f"{domain}: only typed STRIPS is read, and this has {what}")
    return _Reading(stated).task()


def _bounded(file: Path) -> str:
    text, depth = read_text(file, MOST_BYTES), 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if depth > MOST_DEPTH:
            raise BadFile(file, "", f"more than {MOST_DEPTH} brackets in each other")
    return text


class _Reading:
    def __init__(self, stated: Any) -> None:
        self.stated = stated
        self.objects = list(stated.all_objects)
        self.places = {thing.name: n for n, thing in enumerate(self.objects)}
        self.types = {type.name: type for type in stated.user_types}
        names = [fluent.name for fluent in stated.fluents]
        self.predicates = {name: n for n, name in enumerate([*names, *(f"is {type}" for type in self.types)])}
        kinds = [tuple(one.type for one in fluent.signature) for fluent in stated.fluents]
        self.about = [*kinds, *((type,) for type in self.types.values())]

    def members(self, type: Any) -> list[int]:
        """The objects of a type and of those below it."""
        return [self.places[thing.name] for thing in self.stated.objects(type)]

    def task(self) -> Task:
        """The whole task; its actions are named as they are."""
        if sum(prod(len(self.members(type)) for type in types) for types in self.about) > MOST_ATOMS:
            raise Refused(f"more than {MOST_ATOMS} facts about {len(self.objects)} objects")
        predicates = [Predicate(name, (THING,) * len(self.about[n])) for name, n in self.predicates.items()]
        every = range(len(self.objects))
        atoms = [
            (n, args)
            for n, types in enumerate(self.about)
            for args in product(
                *(every if n >= len(self.stated.fluents) else self.members(one) for one in types)
            )
        ]
        true = [
            self.atom(fact) for fact, value in self.stated.explicit_initial_values.items() if value.is_true()
        ]
        true += [
            (self.predicates[f"is {name}"], (one,))
            for name, type in self.types.items()
            for one in self.members(type)
        ]
        schemas = [schema for action in self.stated.actions for schema in self.schemas(action)]
        wanted = [
            (self.atom(fact), is_true) for goal in self.stated.goals for fact, is_true in _literals(goal)
        ]
        things = [Object(thing.name, THING, THING) for thing in self.objects]
        semantics = Plain(predicates, things, wanted, atoms)
        named = list(dict.fromkeys(arg for (_, args), _ in wanted for arg in args))
        goal = {
            sign: [
                GoalLiteral(p, tuple(map(named.index, args)))
                for (p, args), is_true in wanted
                if is_true == sign
            ]
            for sign in (True, False)
        }
        return Task(
            predicates,
            schemas,
            [],
            Goal(goal[True], [GoalVariable("", things[arg].name) for arg in named], negative=goal[False]),
            Turns("alternating", (), any_agent=True),
            semantics,
            State(sum({semantics.table.bits[atom] for atom in true})),
        )

    def atom(self, fact: Any) -> tuple[int, tuple[int, ...]]:
        return self.predicates[fact.fluent().name], tuple(self.places[arg.object().name] for arg in fact.args)

    def schemas(self, action: Any) -> Iterator[ActionSchema]:
        """An action for each way in which its parameters, and constants that it names, may be one object."""
        parameters = list(action.parameters)
        literals = [pair for one in action.preconditions for pair in _literals(one)]
        changes = sorted(
            ((each.fluent, each.value.is_true()) for each in action.effects), key=lambda one: one[1]
        )
        constants = dict.fromkeys(
            arg.object().name for fact, _ in (*literals, *changes) for arg in fact.args if arg.is_object_exp()
        )
        if constants:
            raise Refused(f"action {action.name} names {next(iter(constants))}: only parameters are read")
        for number, groups in enumerate(_partitions(len(parameters)), 1):
            if number > MOST_SCHEMAS:
                raise Refused(f"action {action.name} has too many parameters")
            members = [
                [one for n, one in enumerate(parameters) if groups[n] == g]
                for g in range(max(groups, default=-1) + 1)
            ]
            if any(not set.intersection(*(set(self.members(one.type)) for one in same)) for same in members):
                continue
            place = {one.name: g for g, same in enumerate(members) for one in same}
            types = [
                Literal(self.predicates[f"is {one.type.name}"], (place[one.name],)) for one in parameters
            ]

            def placed(
                pairs: Sequence[tuple[Any, bool]], place: Mapping[str, int] = place
            ) -> Iterator[Literal]:
                for fact, is_true in pairs:
                    args = tuple(place[arg.parameter().name] for arg in fact.args)
                    yield Literal(self.predicates[fact.fluent().name], args, is_true)

            before = list(dict.fromkeys([*types, *placed(literals)]))
            if any(one._replace(is_true=not one.is_true) in before for one in before):
                continue
            yield ActionSchema(
                action.name,
                tuple("/".join(one.name for one in same) for same in members),
                (THING,) * len(members),
                tuple(before),
                tuple(placed(changes)),
            )


def _literals(said: Any) -> Iterator[tuple[Any, bool]]:
    if said.is_and():
        for part in said.args:
            yield from _literals(part)
    elif said.is_not() and said.args[0].is_fluent_exp():
        yield said.args[0], False
    elif said.is_fluent_exp():
        yield said, True
    elif not said.is_true():
        raise Refused(f"only literals are read, and not {shorten_inside(one_line(str(said)), 100)}")


def _partitions(n: int) -> Iterator[tuple[int, ...]]:
    """For each way to put n things into groups the group of each: of two (0, 0) and (0, 1)."""
    if not n:
        yield ()
        return
    for before in _partitions(n - 1):
        for group in range(max(before, default=-1) + 2):
            yield (*before, group)

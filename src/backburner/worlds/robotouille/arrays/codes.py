"""Codes of what a robot does: ground actions without the things that follow from where it is.

A robot stands at one station and holds one thing at most; a station has one thing lying on it, a thing one
thing below it, a container one meal. So ``place-item(i1=patty1,p1=robot1,s1=table1)`` is the code
``place-item`` of a robot that holds the patty at the table, and ``move(p1=robot1,s1=table1,s2=stove1)`` is
``move stove1`` wherever it comes from. What is left are some forty codes for each robot of a published
kitchen, out of thousands of ground actions.

Which predicates say these things the domain's ``placement`` tells; nothing here knows a certain domain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from backburner.kernel.errors import Refused
from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.domain import Action
from backburner.worlds.robotouille.game.legality import GroundAction
from backburner.worlds.robotouille.game.schema import PLAYER
from backburner.worlds.robotouille.game.state import Kitchen, Layout

FOLLOWS: Mapping[str, tuple[int, int]] = {
    "player_at": (0, 1),
    "holds_item": (0, 1),
    "holds_container": (0, 1),
    "item_on": (1, 0),
    "container_at": (1, 0),
    "item_atop": (0, 1),
    "meal_in": (1, 0),
}
"""By the role of a predicate: of which argument which other one follows. A robot is at one station, so the
second argument of ``player_at`` follows from the first."""

MOST_CODES = 5000

NOBODY = "nothing"
"""Stands in the name of an action for a thing that there is not, such as what empty hands hold."""


class Following(NamedTuple):
    """A parameter that follows: from which other one, by which predicate, and where both stand in it."""

    param: int
    known: int
    predicate: int
    place: int
    known_place: int


class Verb(NamedTuple):
    """An action with its robot's parameter, those that a code has to name, and those that follow, in the
    order in which they do."""

    action: Action
    robot: int
    free: tuple[int, ...]
    following: tuple[Following, ...]


class Codes:
    """The codes of one kitchen. Code 0 waits; ``names`` has what each code does.

    ``full`` is the layout of all things that there may ever be. Raises ``Refused`` for more codes than
    ``MOST_CODES``.
    """

    def __init__(self, compiled: Compiled, full: Layout) -> None:
        self._compiled = compiled
        self.verbs = tuple(
            verb
            for verb in (_verb(compiled, action) for action in compiled.domain.actions)
            if verb is not None
        )
        self._of_action = {verb.action.name: number for number, verb in enumerate(self.verbs)}
        self.things: list[tuple[int, tuple[int, ...]]] = [(-1, ())]
        """The verb and the named things of each code; code 0 has no verb."""
        for number, verb in enumerate(self.verbs):
            self.things += [(number, named) for named in _named(compiled, full, verb)]
            if len(self.things) > MOST_CODES:
                raise Refused(f"this kitchen has more than {MOST_CODES} actions for a robot")
        self.codes = {things: code for code, things in enumerate(self.things)}
        self.names = (
            "wait",
            *(
                " ".join((self.verbs[verb].action.name, *(full.objects[thing].name for thing in named)))
                for verb, named in self.things[1:]
            ),
        )

    def code_of(self, action: GroundAction) -> int:
        """The code of a ground action; 0 for one without a robot, such as waiting."""
        number = self._of_action.get(action.action)
        if number is None:
            return 0
        named = tuple(action.args[param] for param in self.verbs[number].free)
        return self.codes.get((number, named), 0)

    def possible(self, kitchen: Kitchen, robot: int) -> dict[int, str]:
        """The codes that a robot could carry out now, with the names of the ground actions."""
        found: dict[int, str] = {}
        for action in self._compiled.applicable(kitchen):
            if action.robots and action.robots[0] == robot:
                found.setdefault(self.code_of(action), action.name)
        return found

    def name_of(self, kitchen: Kitchen, robot: int, code: int) -> str:
        """The ground action that a code other than 0 stands for now, possible or not.

        Where a thing that should follow is not there, the name is that of no action.
        """
        number, named = self.things[code]
        verb, layout = self.verbs[number], self._compiled.layout(kitchen)
        args = [-1] * len(verb.action.params)
        args[verb.robot] = robot
        for param, thing in zip(verb.free, named, strict=True):
            args[param] = thing
        for param, known, predicate, place, known_place in verb.following:
            row = layout.of_predicate[predicate]
            row &= layout.rows.get((predicate, known_place, args[known]), 0) & kitchen.facts
            args[param] = next((things[place] for _, things in layout.true_atoms(row)), -1)
        there = range(len(layout.objects))
        names = (layout.objects[arg].name if arg in there else NOBODY for arg in args)
        pairs = (f"{param}={name}" for param, name in zip(verb.action.params, names, strict=True))
        return f"{verb.action.name}({','.join(pairs)})"


def _verb(compiled: Compiled, action: Action) -> Verb | None:
    """How an action is coded; ``None`` where no robot does it."""
    if PLAYER not in action.types:
        return None
    robot = action.types.index(PLAYER)
    roles = {index: FOLLOWS[role] for role, index in compiled.domain.placement.items() if role in FOLLOWS}
    known, free, following = {robot}, list[int](), list[Following]()

    def follow() -> None:
        found = True
        while found:
            found = False
            for literal in action.preconditions:
                if not literal.is_true or literal.predicate not in roles:
                    continue
                source, target = roles[literal.predicate]
                if literal.params[source] in known and literal.params[target] not in known:
                    param = literal.params[target]
                    following.append(
                        Following(param, literal.params[source], literal.predicate, target, source)
                    )
                    known.add(param)
                    found = True

    follow()
    for param in range(len(action.params)):
        if param not in known:
            free.append(param)
            known.add(param)
            follow()
    return Verb(action, robot, tuple(free), tuple(following))


def _named(compiled: Compiled, full: Layout, verb: Verb) -> Iterator[tuple[int, ...]]:
    """The things that a code of the verb may name: those of which nothing that never changes keeps it."""
    action, free = verb.action, verb.free
    of_type: list[Sequence[int]] = [
        [index for index, thing in enumerate(full.objects) if thing.type == action.types[param]]
        for param in free
    ]
    fixed = [
        literal
        for literal in action.preconditions
        if literal.predicate not in compiled.domain.changing and set(literal.params) <= set(free)
    ]
    facts = compiled.start.facts
    for things in product(*of_type):
        bound = dict(zip(free, things, strict=True))
        if len(set(things)) == len(things) and all(
            bool(facts & full.bit(literal.predicate, tuple(bound[param] for param in literal.params)))
            == literal.is_true
            for literal in fixed
        ):
            yield things

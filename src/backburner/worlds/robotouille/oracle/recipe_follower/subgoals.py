"""What one robot can bring about next, and the shortest operators to it.

Subgoals are work to be begun, relations to be made, and things to be made. A breadth-first search with few
things finds the way to one, undoing nothing that is done.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from backburner.worlds.robotouille.game.achievers import Achiever
from backburner.worlds.robotouille.game.legality import GroundAction
from backburner.worlds.robotouille.game.schema import PLAYER, STATION
from backburner.worlds.robotouille.game.state import Atom
from backburner.worlds.robotouille.oracle.recipe_follower.achievers import DEEPEST, Fixed
from backburner.worlds.robotouille.oracle.recipe_follower.situation import Situation

Kind = Literal["timed", "worked", "related"]

CANDIDATES = 4
"""Operators kept of those that bring the same about."""


class Subgoal(NamedTuple):
    """One of these operators is to be done, so that something comes to hold of certain things.

    ``timed``: it starts what goes on by itself, or is needed for that. ``worked``: other work.
    """

    kind: Kind
    about: frozenset[int]
    operators: tuple[GroundAction, ...]


class Subgoals:
    """The subgoals that are open in a situation, for a robot that leaves to others what they have
    ``reserved``, and undoes nothing of what is ``kept``."""

    def __init__(self, situation: Situation, robot: int, kept: int, reserved: frozenset[int]) -> None:
        self._situation = situation
        self._achievers = situation.achievers
        self._layout = situation.layout
        self._facts = situation.kitchen.facts
        self._kept = kept
        self._reserved = reserved
        gone = situation.kitchen.gone
        free = (n for n in range(len(self._layout.objects)) if n not in reserved and not gone >> n & 1)
        self._things = self._layout.by_type(free) | {PLAYER: [robot]}

    def all(self) -> list[Subgoal]:
        """What is open, each once; for every one of them the operators that lack the least come first."""
        found = [*self._makings(), *self._works(), *self._relations()]
        found = [subgoal for subgoal in found if subgoal.operators and not self._reserved & subgoal.about]
        found.sort(key=lambda subgoal: subgoal.kind != "timed")
        return list({subgoal.operators: subgoal for subgoal in reversed(found)}.values())

    def _makings(self) -> Iterator[Subgoal]:
        """Things that the goal speaks of, and that have yet to be made."""
        for kind, missing in self._situation.missing().items():
            if missing > self._situation.being_made(kind):
                for way in self._achievers.making.get(kind, ()):
                    yield self._subgoal("timed" if self._takes_time(way) else "worked", (), way, {})

    def _works(self) -> Iterator[Subgoal]:
        """Work that is not done and does not go on by itself."""
        for term in sorted(self._situation.assembly.work - self._situation.held):
            atom = self._situation.atom(term)
            if atom is not None:
                yield from self._work(atom, "worked", DEEPEST)

    def _work(self, atom: Atom, kind: Kind, depth: int) -> Iterator[Subgoal]:
        """Work for a fact, or for what must come before it."""
        if self._situation.goes_on(atom):
            return
        for way, fixed in self._achievers.by_work(self._layout, self._facts, atom):
            now: Kind = "timed" if self._takes_time(way) else kind
            before = self._achievers.before(self._layout, self._facts, way, fixed)
            if not before:
                yield self._subgoal(now, atom[1], way, fixed)
            for one in before if depth else ():
                yield from self._work(one, now, depth - 1)

    def _takes_time(self, way: Achiever) -> bool:
        effects = self._achievers.compiled.domain.special_effects
        return any(effects[use.effect].takes_time for use in way.action.starts)

    def _relations(self) -> Iterator[Subgoal]:
        """Relations that may be made next; where all are made, looks."""
        situation, assembly = self._situation, self._situation.assembly
        literals = assembly.following(situation.held, situation.unready)
        if not assembly.relations - situation.sound:
            literals = assembly.looks - situation.held
        for term in sorted(literals):
            atom = situation.atom(term)
            if atom is not None:
                ways = self._achievers.by_hand(self._layout, self._facts, atom)
                misplaced = situation.misplaced() - set(atom[1])
                operators = [
                    operator
                    for way, fixed in ways
                    for operator in self._operators(way, fixed)
                    if not misplaced.intersection(operator.args)
                ]
                yield Subgoal("related", frozenset(atom[1]), self._best(operators))

    def _subgoal(self, kind: Kind, about: Iterable[int], way: Achiever, fixed: Fixed) -> Subgoal:
        return Subgoal(kind, frozenset(about), self._best(self._operators(way, fixed)))

    def _operators(self, way: Achiever, fixed: Fixed) -> list[GroundAction]:
        """An achiever's operators that undo nothing that is kept, and start nothing that goes on already."""
        compiled, kitchen = self._achievers.compiled, self._situation.kitchen
        operators = self._achievers.operators(self._layout, self._facts, way.action, fixed, self._things)
        return [
            operator
            for operator in operators
            if not operator.deletes & self._kept
            and not compiled.runs_already(self._layout, kitchen, operator)
        ]

    def _best(self, operators: list[GroundAction]) -> tuple[GroundAction, ...]:
        """The operators that lack the fewest preconditions."""
        return tuple(sorted(operators, key=lambda operator: operator.n_violated(self._facts))[:CANDIDATES])


def shortest_to(
    facts: int, targets: Sequence[GroundAction], operators: Sequence[GroundAction], most: int
) -> tuple[GroundAction, ...] | None:
    """The fewest of ``operators`` that make one of the targets possible, and that one behind them.

    Effects are left out of account. ``None`` if there is no way, or none among ``most`` different facts.
    """
    first = _possible(facts, targets)
    if first is not None:
        return (first,)
    moves = [
        (operator.needs, operator.forbids, operator.deletes, operator.adds, operator)
        for operator in operators
    ]
    came: dict[int, tuple[int, GroundAction] | None] = {facts: None}
    frontier = [facts]
    while frontier and len(came) < most:
        reached: list[int] = []
        for before in frontier:
            for needs, forbids, deletes, adds, operator in moves:
                if before & needs == needs and not before & forbids:
                    after = before & ~deletes | adds
                    if after not in came:
                        came[after] = before, operator
                        target = _possible(after, targets)
                        if target is not None:
                            return (*_way(came, after), target)
                        reached.append(after)
        frontier = reached
    return None


def _possible(facts: int, targets: Sequence[GroundAction]) -> GroundAction | None:
    return next((operator for operator in targets if operator.applicable(facts)), None)


def _way(came: dict[int, tuple[int, GroundAction] | None], facts: int) -> list[GroundAction]:
    operators: list[GroundAction] = []
    while (step := came[facts]) is not None:
        facts, operator = step
        operators.append(operator)
    return operators[::-1]


class Breadth(NamedTuple):
    """How far a search goes: stations where something may be put aside, different facts that are looked
    at, and whether a thing may be put on or into one that is still needed."""

    stations: int
    facts: int
    anywhere: bool


NARROW, WIDE = Breadth(2, 1500, anywhere=False), Breadth(5, 20_000, anywhere=True)


class RobotSearch:
    """What a robot can do in a situation without the things that others have ``reserved``."""

    def __init__(self, situation: Situation, robot: int, reserved: frozenset[int]) -> None:
        self._situation = situation
        self._achievers = situation.achievers
        self._robot = robot
        self._reserved = reserved
        self._layout = situation.layout
        self._facts = situation.kitchen.facts
        self._kept = situation.kept()
        self.subgoals = Subgoals(situation, robot, self._kept, reserved).all()

    def to(self, subgoal: Subgoal, breadth: Breadth) -> tuple[GroundAction, ...] | None:
        """The shortest way to a subgoal, its own operator last; ``None`` if there is none."""
        operators = self._operators(self._things(subgoal, breadth.stations), breadth.anywhere)
        return shortest_to(self._facts, subgoal.operators, operators, breadth.facts)

    def _things(self, subgoal: Subgoal, n_stations: int) -> list[int]:
        """What the way may have to do with: the subgoal, what is near it, and where there is room."""
        near = {arg for operator in subgoal.operators for arg in operator.args} | {self._robot}
        near |= {other for thing in near for other in self._situation.neighbours(thing)}
        near |= {
            other
            for thing in near
            if not self._is(thing, STATION, PLAYER)
            for other in self._situation.neighbours(thing)
            if self._is(other, STATION)
        }
        for station in self._roomy_stations()[:n_stations]:
            near |= {station} | self._situation.neighbours(station)
        others = {thing for thing in near if self._is(thing, PLAYER)} - {self._robot}
        return sorted(near - others - self._reserved)

    def _roomy_stations(self) -> list[int]:
        """The stations where nobody else is, the emptiest first, and of those such as the dishes and the
        work have no use for."""
        wanted = set(self._situation.choice)
        workplaces = self._achievers.workplaces(self._layout)
        stations: list[tuple[int, bool, bool, bool, int]] = []
        for index, thing in enumerate(self._layout.objects):
            if thing.type == STATION:
                there = self._situation.neighbours(index)
                here = self._robot in there
                if not any(self._is(other, PLAYER) for other in there - {self._robot}):
                    full = len(there) - here
                    stations.append((full, index in wanted, index in workplaces, not here, index))
        return [station[-1] for station in sorted(stations)]

    def _operators(self, things: Iterable[int], anywhere: bool) -> list[GroundAction]:
        """All operators over these things that may be on the way."""
        of_type = self._layout.by_type(things)
        barred = self._barred(anywhere)
        return [
            operator
            for action in self._achievers.compiled.domain.actions
            if action.effects
            for operator in self._achievers.operators(self._layout, self._facts, action, {}, of_type)
            if not operator.deletes & self._kept and not operator.adds & barred
        ]

    def _barred(self, anywhere: bool) -> int:
        """What is not to become true on the way: what can never be undone, relations to what is finished, and
        usually relations to what is needed, other than its place."""
        relations = self._achievers.relations(self._layout)
        barred = (
            self._achievers.irreversible(self._layout) | self._about(self._situation.finished()) & relations
        )
        if not anywhere:
            things = range(len(self._layout.objects))
            places = self._about(thing for thing in things if self._is(thing, STATION, PLAYER))
            needed = {thing for thing in self._situation.choice if thing >= 0}
            barred |= self._about(needed) & relations & ~places
        return barred

    def _about(self, things: Iterable[int]) -> int:
        """The facts about any of these things."""
        facts = 0
        for thing in things:
            facts |= self._layout.about[thing]
        return facts

    def _is(self, thing: int, *types: str) -> bool:
        return self._layout.objects[thing].type in types

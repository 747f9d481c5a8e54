"""A problem's initial state: its things in order, their ids, and what is true of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import prod

from msgspec import Struct

from backburner.worlds.robotouille.game.domain import Domain
from backburner.worlds.robotouille.game.schema import (
    CONTAINER,
    ITEM,
    MEAL,
    PLAYER,
    STATION,
    ActionDef,
    Container,
    DomainFile,
    Item,
    Meal,
    Player,
    PredicateDef,
    ProblemFile,
    Station,
    Thing,
)
from backburner.worlds.robotouille.game.state import Atom, Layout, Object

Entity = Station | Item | Container | Meal | Player | Thing
Cell = tuple[int, int]

FIELDS = ("stations", "items", "containers", "meals", "players", "objects")
"""The fields of a problem file that list its things."""


WIDEST = 100
"""Cells of a grid, from side to side."""

MOST_THINGS = 500

MOST_FACTS = 13_000
"""Facts that may be true or false in the beginning; a published kitchen has 1,535 at most. A thousand more
are left to things made in play (see ``layout``)."""

MOST_WAYS = 2_000_000
"""Ways to fill the parameters of all actions with things of the right types; published are up to 51,493."""


class Placed(Struct, frozen=True):
    """An entity of the file, and the index of the thing that it describes."""

    index: int
    entity: Entity

    @property
    def cell(self) -> Cell | None:
        """Its cell, if it is on the grid."""
        return None if isinstance(self.entity, Thing) else (self.entity.x, self.entity.y)


class InitialState:
    """The initial state of a problem over a domain.

    ``layout`` numbers the facts, ``facts`` has the bits of those that hold, ``names`` the names of
    the things that have ids, by id.
    """

    def __init__(self, domain: Domain, problem: ProblemFile) -> None:
        self.domain = domain
        self.things: dict[str, list[Placed]] = {}
        objects: list[Object] = []
        self.names: dict[str, str] = {}
        for index, (entity, thing) in enumerate(numbered(problem, domain.types)):
            self.things.setdefault(thing.type, []).append(Placed(index, entity))
            objects.append(thing)
            if entity.id != "":
                self.names[str(entity.id)] = thing.name
        self.layout = Layout(domain.predicates, objects)
        self.facts = 0
        for atom in (*self._atoms(), *self._further(problem)):
            self.facts |= self.layout.bits[atom]

    def _atoms(self) -> Iterator[Atom]:
        """What is true of each thing because of its kind, what its file adds, then what its cell implies."""
        for placed in (placed for group in self.things.values() for placed in group):
            kind = self.domain.by_name.get(f"is{placed.entity.name}")
            if kind is not None:
                yield kind.index, (placed.index,)
            for name in placed.entity.predicates:
                yield self.domain.by_name[name].index, (placed.index,)
        for role, args in self._placing():
            predicate = self.domain.by_name.get(getattr(self.domain.file.placement, role))
            if predicate is not None:
                yield predicate.index, args

    def _placing(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Where things are: fields of ``Placement``, each with the things that its predicate is about."""
        for station in self._of(STATION):
            yield from self._at_station(station)
        for player in self._of(PLAYER):
            yield from self._in_hand(player)
        for container in self._of(CONTAINER):
            meals = self._on(MEAL, container.cell)
            yield from (("meal_in", (meal.index, container.index)) for meal in meals)
            if not meals:
                yield "container_empty", (container.index,)

    def _at_station(self, station: Placed) -> Iterator[tuple[str, tuple[int, ...]]]:
        players = [player for player in self._of(PLAYER) if station.cell and _faced(player) == station.cell]
        yield from (("player_at", (player.index, station.index)) for player in players)
        if not players:
            yield "station_free", (station.index,)
        items = sorted(self._on(ITEM, station.cell), key=_level)
        containers = self._on(CONTAINER, station.cell)
        yield from (("item_at", (item.index, station.index)) for item in items)
        yield from (("container_at", (container.index, station.index)) for container in containers)
        if not items and not containers:
            yield "station_empty", (station.index,)
        if items:
            yield "item_on", (items[0].index, station.index)
            yield "item_clear", (items[-1].index,)
        yield from (("item_atop", (upper.index, lower.index)) for lower, upper in pairwise(items))

    def _in_hand(self, player: Placed) -> Iterator[tuple[str, tuple[int, ...]]]:
        items, containers = self._on(ITEM, player.cell), self._on(CONTAINER, player.cell)
        if items:
            yield "holds_item", (player.index, items[0].index)
        elif containers:
            yield "holds_container", (player.index, containers[0].index)
        else:
            yield "holds_nothing", (player.index,)

    def _further(self, problem: ProblemFile) -> Iterator[Atom]:
        for fact in problem.facts:
            args = tuple(self.layout.indices[self.names.get(arg, arg)] for arg in fact.args)
            yield self.domain.by_name[fact.predicate].index, args

    def _of(self, type: str) -> Sequence[Placed]:
        return self.things.get(type, ())

    def _on(self, type: str, cell: Cell | None) -> list[Placed]:
        return [placed for placed in self._of(type) if placed.cell == cell and cell is not None]


def type_of(entity: Entity) -> str:
    """The type of an entity of a problem file."""
    return entity.type if isinstance(entity, Thing) else type(entity).__name__.lower()


def listed(problem: ProblemFile) -> Iterator[tuple[str, int, Entity]]:
    """(field, index, entity) of everything in the file."""
    for field in FIELDS:
        for index, entity in enumerate(getattr(problem, field)):
            yield field, index, entity


def numbered(problem: ProblemFile, types: Sequence[str]) -> Iterator[tuple[Entity, Object]]:
    """The entities in the order of things, each with its thing, such as ``table1`` or ``table2``."""
    numbers: Counter[str] = Counter()
    for type in types:
        for entity in entities(problem, type):
            numbers[entity.name] += 1
            yield entity, Object(f"{entity.name}{numbers[entity.name]}", type, entity.name)


def entities(problem: ProblemFile, type: str) -> Sequence[Entity]:
    """The entities of a type in the order of their numbers: by x, then y, then those without a cell."""
    placed: dict[str, Sequence[Station | Item | Container | Meal | Player]] = {
        STATION: problem.stations,
        ITEM: problem.items,
        CONTAINER: problem.containers,
        MEAL: problem.meals,
        PLAYER: problem.players,
    }
    unplaced = [thing for thing in problem.objects if thing.type == type]
    return [*sorted(placed.get(type, ()), key=lambda entity: (entity.x, entity.y)), *unplaced]


def _faced(player: Placed) -> Cell | None:
    """The cell that a player faces."""
    entity = player.entity
    if not isinstance(entity, Player):
        return None
    return entity.x + entity.direction[0], entity.y + entity.direction[1]


def _level(item: Placed) -> int:
    return item.entity.stack_level if isinstance(item.entity, Item) else 0


def too_large(problem: ProblemFile, domain: DomainFile) -> str:
    """Why a problem is too large to be played; empty if it is not. The domain is a checked one.

    Nothing that would take long is looked at where there is too much of it.
    """
    n_things = sum(len(getattr(problem, field)) for field in FIELDS)
    if n_things > MOST_THINGS:
        return f"too many things: there are {n_things}; {MOST_THINGS} are the most"
    for side in ("width", "height"):
        if getattr(problem, side) > WIDEST:
            return f"the grid is too large: {side} {getattr(problem, side)}; {WIDEST} cells are the most"
    n_of_type = Counter(type_of(entity) for _, _, entity in listed(problem))
    facts = sum(_n_choices(one.param_types, n_of_type) for one in domain.predicate_defs)
    if facts > MOST_FACTS:
        return f"too many things: {facts} facts could be true or false; {MOST_FACTS} at most can be"
    predicates = {predicate.name: predicate for predicate in domain.predicate_defs}
    ways = sum(prod(n_of_type[type] for type in _types(one, predicates)) for one in domain.action_defs)
    if ways > MOST_WAYS:
        return f"too many things: there are {ways} ways to do something; {MOST_WAYS} are the most"
    return ""


def _types(action: ActionDef, predicates: dict[str, PredicateDef]) -> Sequence[str]:
    """The types of an action's parameters."""
    types: dict[str, str] = {}
    for term in (*action.precons, *action.immediate_fx):
        types |= zip(term.params, predicates[term.predicate].param_types, strict=True)
    return list(types.values())


def _n_choices(types: Sequence[str], n_of_type: Counter[str]) -> int:
    """Ways to choose different things of these types."""
    return prod(max(0, n_of_type[type] - types[:index].count(type)) for index, type in enumerate(types))

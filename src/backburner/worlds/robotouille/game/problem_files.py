"""Problem files: read, wildcards drawn, and checked once, so that everything after that can trust them.

A mistake raises one ``BadFile`` that names entry, field and reason, such as ``items[2] 'lettuce':
neither a station nor a player is at (4, 1)``. The domain is a checked one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

from msgspec.structs import replace

from backburner.worlds.robotouille.game.domain_files import (
    Place,
    a,
    check_arguments,
    check_kind,
    check_unary,
    read_part,
)
from backburner.worlds.robotouille.game.goal import ids_of_kinds
from backburner.worlds.robotouille.game.scenarios import too_large
from backburner.worlds.robotouille.game.schema import (
    FIELDS,
    PLAYER,
    Cell,
    DomainFile,
    Entity,
    Fact,
    GoalTerm,
    OnCell,
    Player,
    ProblemFile,
    listed,
    numbered,
    type_of,
)
from backburner.worlds.robotouille.game.state import Object

DIRECTIONS = ((0, 1), (0, -1), (1, 0), (-1, 0))


def read_problem(file: Path) -> ProblemFile:
    """The problem in a file, not checked yet; raises ``BadFile``."""
    return read_part(file, ProblemFile)


def draw_kinds(problem: ProblemFile, domain: DomainFile, seed: int, place: Place) -> ProblemFile:
    """The problem with a kind for every thing that is called after its type alone.

    An item called ``item`` is any kind of item. The released program draws another kind whenever it
    loads the level; here the seed decides. Raises ``BadFile`` if the domain does not list the kinds of
    such a type.
    """
    draw = Random(seed)

    def drawn(entities: Sequence[Entity], field: str) -> tuple[Entity, ...]:
        found = []
        for index, entity in enumerate(entities):
            type = type_of(entity)
            if entity.name == type and type in domain.object_types:
                if not domain.kinds.get(type):
                    why = f"{type!r} stands for any kind of {type}, and the domain lists none under 'kinds'"
                    raise place.entry(field, index, type).field("name").wrong(why)
                entity = replace(entity, name=draw.choice(domain.kinds[type]))
            found.append(entity)
        return tuple(found)

    return replace(problem, **{field: drawn(getattr(problem, field), field) for field in FIELDS})


def check_problem(
    problem: ProblemFile, domain: DomainFile, place: Place, *, goal_in_reach: bool = True
) -> None:
    """Raises ``BadFile`` for the first mistake in a problem without wildcards (see ``draw_kinds``).

    ``goal_in_reach``: whether it is a mistake if things that the goal asks for can never be there. Levels of
    the released program may be such.
    """
    _ProblemCheck(problem, domain, place).all(goal_in_reach)


class _ProblemCheck:
    """The checks of one problem; each raises ``BadFile``."""

    def __init__(self, problem: ProblemFile, domain: DomainFile, place: Place) -> None:
        self.problem = problem
        self.domain = domain
        self.place = place
        self.signatures = domain.signatures

    def all(self, goal_in_reach: bool) -> None:
        if why := too_large(self.problem, self.domain):
            raise self.place.wrong(why)
        kinds: dict[str, tuple[str, str]] = {
            made.name.casefold(): (made.name, made.type) for made in self.domain.created
        }
        for field, index, entity in listed(self.problem):
            at = self.place.entry(field, index, entity.name)
            self.entity(entity, at)
            kind = (entity.name, type_of(entity))
            other = kinds.setdefault(entity.name.casefold(), kind)
            if other != kind:
                why = f"there is {a(other[1])} called {other[0]!r}; kinds need names of their own"
                raise at.field("name").wrong(why)
        if not any(type_of(entity) == PLAYER for _, _, entity in listed(self.problem)):
            raise self.place.field("players").wrong("at least one player is needed")
        self.objects = list(numbered(self.problem, self.domain.object_types))
        self.named = self.ids()
        moves = self.domain.placement.player_at in self.signatures
        _CellCheck(self.problem, moves, self.place).all()
        self.config()
        known = {thing.name: thing for _, thing in self.objects} | dict(self.named)
        for at, fact in self.place.entries("facts", self.problem.facts):
            self.fact(fact, known, at)
        self.goals(goal_in_reach)

    def entity(self, entity: Entity, at: Place) -> None:
        """A thing by itself: its kind, and what holds of it."""
        type = type_of(entity)
        if type not in self.domain.object_types:
            raise at.unknown("type", type, self.domain.object_types)
        check_kind(entity.name, type, self.domain, at.field("name"))
        check_unary(entity.predicates, type, self.signatures, at.field("predicates"))

    def ids(self) -> Mapping[str, Object]:
        """The things that have ids. An id is that of one thing, and no other thing has it as its name."""
        names = {thing.name: thing for _, thing in self.objects}
        by_id: dict[str, Object] = {}
        for entity, thing in self.objects:
            id = str(entity.id)
            if id in by_id:
                raise self.place.wrong(f"{thing.name} and {by_id[id].name} have one id: {id!r}")
            if names.get(id, thing) != thing:
                raise self.place.wrong(f"the id of {thing.name} is the name of another thing: {id!r}")
            if id:
                by_id[id] = thing
        return by_id

    def config(self) -> None:
        """Tables from which effects read their counts, and kinds that there may be."""
        least = self.least_counts()
        kinds = dict.fromkeys(self.kinds())
        for table, counts in self.problem.config.items():
            at = self.place.field("config")
            if table not in least:
                raise at.unknown("table", table, least)
            at = at.at(f"table {table!r}")
            for kind, count in counts.items():
                if kinds and kind != "default" and kind not in kinds:
                    raise at.unknown("kind", kind, ["default", *kinds])
                if count < least[table]:
                    raise at.wrong(f"{kind!r} is {count}; {least[table]} is the least")

    def least_counts(self) -> Mapping[str, int]:
        """The least count in each table there may be: 1 push of a repetitive effect, 0 steps of a delay."""
        least: dict[str, int] = {}
        for action in self.domain.action_defs:
            for effect in action.special_effects:
                table = effect.table(action.name)
                least[table] = max(least.get(table, 0), int(effect.type == "repetitive"))
        return {table: count for table, count in least.items() if table}

    def kinds(self) -> Sequence[str]:
        """What things may be called; empty if things of some type may be called anything."""
        of_types = [self.domain.kinds_of(type) for type in self.domain.object_types]
        made = [one.name for one in self.domain.created]
        return [*(kind for kinds in of_types for kind in kinds), *made] if all(of_types) else []

    def fact(self, fact: Fact, known: Mapping[str, Object], at: Place) -> None:
        """A predicate over different things that there are, of the types that it takes."""
        types = check_arguments(fact.predicate, self.signatures, at, args=fact.args)
        at = at.field("args")
        for arg, type in zip(fact.args, types, strict=True):
            if arg not in known:
                raise at.unknown("thing", arg, known)
            if known[arg].type != type:
                raise at.wrong(f"{arg!r} is {a(known[arg].type)}; {fact.predicate!r} is about {a(type)}")
        if len({known[arg].name for arg in fact.args}) < len(types):
            raise at.wrong("a fact is about different things")

    def goals(self, in_reach: bool) -> None:
        """There is a goal; it and the released one can be meant (see ``GoalCheck``)."""
        if not self.problem.goal:
            raise self.place.field("goal").wrong("at least one fact to be reached is needed")
        things = [thing for _, thing in self.objects]
        for field, in_part in (("goal", False), ("goal_released", True)):
            check = GoalCheck(self.domain, things, self.named, in_part)
            check.all(getattr(self.problem, field), field, self.place, in_reach)


class _CellCheck:
    """Whether things can be where they are: a cell has room for one station, one player or one pile.

    ``moves``: whether the domain says at which station a player stands.
    """

    def __init__(self, problem: ProblemFile, moves: bool, place: Place) -> None:
        self.problem = problem
        self.moves = moves
        self.place = place

    def all(self) -> None:
        problem = self.problem
        self.stations = self.alone(problem.stations, "stations")
        self.players = self.alone(problem.players, "players")
        containers = self.alone(problem.containers, "containers")
        for at, player in self.place.entries("players", problem.players):
            self.player(player, at)
        self.supported(problem.items, "items")
        self.supported(problem.containers, "containers")
        self.items(containers)
        for at, meal in self.place.entries("meals", problem.meals):
            if self.cell(meal, at) not in containers:
                raise at.wrong(f"no container is at {_cell(meal)}; a meal is in one")

    def cell(self, thing: OnCell, at: Place) -> Cell:
        """The cell of a thing, which is on the grid."""
        width, height = self.problem.width, self.problem.height
        if not (0 <= thing.x < width and 0 <= thing.y < height):
            raise at.wrong(
                f"{_cell(thing)} is off the grid of {width} by {height} cells, counted from (0, 0)"
            )
        return thing.x, thing.y

    def alone(self, things: Sequence[OnCell], field: str) -> Mapping[Cell, str]:
        """The names of these things by their cells, of which no two are the same."""
        by_cell: dict[Cell, str] = {}
        for at, thing in self.place.entries(field, things):
            cell = self.cell(thing, at)
            if cell in by_cell:
                raise at.wrong(f"{field[:-1]} {by_cell[cell]!r} is at {_cell(thing)} already")
            by_cell[cell] = thing.name
        return by_cell

    def player(self, player: Player, at: Place) -> None:
        """A player is on a cell without a station, and faces one where players stand at stations."""
        if (player.x, player.y) in self.stations:
            raise at.wrong(f"{_cell(player)} is taken by a station; players stand on free cells")
        if not self.moves:
            return
        if player.direction not in DIRECTIONS:
            raise at.field("direction").wrong("is one of [0, 1], [0, -1], [1, 0] and [-1, 0]")
        x, y = player.x + player.direction[0], player.y + player.direction[1]
        if (x, y) not in self.stations:
            why = f"no station is at ({x}, {y}); who faces none can never move"
            raise at.field("direction").wrong(why)

    def supported(self, things: Sequence[OnCell], field: str) -> None:
        """These things are on stations or in players' hands."""
        places = {**self.stations, **self.players}
        for at, thing in self.place.entries(field, things):
            if self.cell(thing, at) not in places:
                raise at.wrong(f"neither a station nor a player is at {_cell(thing)}")

    def items(self, containers: Mapping[Cell, str]) -> None:
        """Items on a cell are a stack of different levels, without a container; hands hold one at most."""
        levels: dict[Cell, list[int]] = {}
        for at, item in self.place.entries("items", self.problem.items):
            cell = (item.x, item.y)
            if cell in containers:
                raise at.wrong(f"container {containers[cell]!r} is at {_cell(item)} already")
            if cell in levels and cell in self.players:
                raise at.wrong(f"the player at {_cell(item)} has an item already, and holds one at most")
            if item.stack_level in levels.setdefault(cell, []):
                why = f"another item at {_cell(item)} has level {item.stack_level} too"
                raise at.field("stack-level").wrong(f"{why}; which is on top?")
            levels[cell].append(item.stack_level)


def _cell(thing: OnCell) -> str:
    return f"({thing.x}, {thing.y})"


class GoalCheck:
    """The checks of a goal over the things that are there (``objects``) or can be created.

    ``named`` has the things by their ids. ``in_part``: a kind fits everything whose name contains it,
    as in the released program. An id that stands with several kinds is of the first; one that names a
    thing is that thing, whatever kind it stands with. Released goals need both.
    """

    def __init__(
        self, domain: DomainFile, objects: Sequence[Object], named: Mapping[str, Object], in_part: bool
    ) -> None:
        self.signatures = domain.signatures
        self.objects = objects
        self.made = [Object(f"{one.name}1", one.type, one.name) for one in domain.created]
        self.named = named
        self.in_part = in_part
        kinds = ((type, kind) for type in domain.object_types for kind in domain.kinds_of(type))
        self.known = (*objects, *self.made, *(Object(f"{kind}1", type, kind) for type, kind in kinds))
        self.type_of: dict[str, str] = {}

    def all(self, terms: Sequence[GoalTerm], field: str, place: Place, in_reach: bool) -> None:
        """Raises ``BadFile`` for the first mistake; ``in_reach``: whether too few things are one."""
        for index, term in enumerate(terms):
            at = place.entry(field, index)
            ids = [str(id) for id in term.ids]
            types = check_arguments(term.predicate, self.signatures, at, args=term.args, ids=ids)
            for id in ids:
                if ids.count(id) > 1:
                    raise at.field("ids").wrong(f"{id!r} stands twice; a fact is about different things")
            for arg, id, type in zip(term.args, ids, types, strict=True):
                self.kind(arg, type, term.predicate, at.field("args"))
                self.id(id, type, at.field("ids"))
        self.negative_terms(terms, field, place)
        if in_reach:
            self.enough(terms, place.field(field))

    def kind(self, arg: str, type: str, predicate: str, at: Place) -> None:
        """There is such a kind, and it is of the type that the predicate is about."""
        types = {thing.type for thing in self.known if self.fits(arg, thing)}
        if not types:
            names = {name for thing in self.known for name in (thing.type, thing.kind)}
            raise at.unknown("kind", arg, sorted(names))
        if type not in types:
            raise at.wrong(f"{arg!r} is {a(' or '.join(sorted(types)))}; {predicate!r} is about {a(type)}")

    def id(self, id: str, type: str, at: Place) -> None:
        """An id is of one type; one that is no number names a thing."""
        if id.isdigit():
            other = self.type_of.setdefault(id, type)
            if other != type:
                raise at.wrong(f"{id!r} is {a(type)} here and {a(other)} in another term")
        elif id not in self.named:
            why = "an id that is no number is that of a certain thing"
            raise at.unknown("id", id, self.named, why)
        elif self.named[id].type != type:
            raise at.wrong(f"{id!r} is {a(self.named[id].type)}, not {a(type)}")

    def fits(self, arg: str, thing: Object) -> bool:
        """Whether a thing is of a kind."""
        return arg in (thing.kind, thing.type) or (self.in_part and arg in thing.name)

    def negative_terms(self, terms: Sequence[GoalTerm], field: str, place: Place) -> None:
        """A term that must not hold is about things of which something has to hold."""
        wanted = {str(id) for term in terms if term.is_true for id in term.ids}
        for index, term in enumerate(terms):
            for id in term.ids:
                if str(id) not in wanted:
                    why = f"no term that is true has id {id!r}; what must not hold is about such things"
                    raise place.entry(field, index).field("ids").wrong(why)

    def enough(self, terms: Sequence[GoalTerm], at: Place) -> None:
        """Different ids are different things: there are as many of a kind, unless more can be created."""
        kind_of: dict[str, str] = {}
        for kind, ids in ids_of_kinds(terms).items():
            for id in ids:
                kind_of.setdefault(id, kind)
        for kind, n in Counter(kind for id, kind in kind_of.items() if id.isdigit()).items():
            there = sum(self.fits(kind, thing) for thing in self.objects)
            if there < n and not any(self.fits(kind, thing) for thing in self.made):
                there_are = f"there {'is' if there == 1 else 'are'} {there or 'none'}"
                raise at.wrong(f"asks for {n} of {kind!r}; {there_are}, and nothing makes more")

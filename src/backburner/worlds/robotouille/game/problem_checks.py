"""Whether a problem makes sense over a domain: checked once when it is read, trusted after that.

A mistake is one ``BadFile`` that names entry, field and reason. Where things stand is checked in
``cell_checks``, what is to be reached in ``goal_checks``. The domain is a checked one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import prod

from backburner.worlds.robotouille.game.cell_checks import check_cells
from backburner.worlds.robotouille.game.domain import special_effects, table_of
from backburner.worlds.robotouille.game.domain_checks import check_own
from backburner.worlds.robotouille.game.goal_checks import GoalCheck
from backburner.worlds.robotouille.game.kinds import check_kind, created, kinds_of, type_of
from backburner.worlds.robotouille.game.layout import Object
from backburner.worlds.robotouille.game.places import Place, a
from backburner.worlds.robotouille.game.problem import Entity, numbered
from backburner.worlds.robotouille.game.schema import PLAYER, ActionDef, DomainFile, Fact, ProblemFile

FIELDS = ("stations", "items", "containers", "meals", "players", "objects")

MOST_FACTS = 10_000
"""Facts that may be true or false in the beginning; a published kitchen has 1,580 at most."""

MOST_WAYS = 10_000_000
"""Ways to do an action, over things of the right types."""


def check_problem(problem: ProblemFile, domain: DomainFile, place: Place) -> None:
    """Raises ``BadFile`` for the first mistake in a problem without wildcards (see ``draw_kinds``)."""
    _Check(problem, domain, place).all()


def listed(problem: ProblemFile) -> Iterator[tuple[str, int, Entity]]:
    """(field, index, entity) of everything there is."""
    for field in FIELDS:
        for index, entity in enumerate(getattr(problem, field)):
            yield field, index, entity


class _Check:
    """The checks of one problem; each raises ``BadFile``."""

    def __init__(self, problem: ProblemFile, domain: DomainFile, place: Place) -> None:
        self.problem = problem
        self.domain = domain
        self.place = place
        self.predicates = {one.name: one for one in domain.predicate_defs}

    def all(self) -> None:
        kinds: dict[str, tuple[str, str]] = {
            one.name.casefold(): (one.name, one.type) for one in created(self.domain)
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
        check_cells(self.problem, self.domain, self.place)
        self.size()
        self.config()
        for index, fact in enumerate(self.problem.facts):
            self.fact(fact, self.place.entry("facts", index))
        self.goals()

    def entity(self, entity: Entity, at: Place) -> None:
        """A thing by itself."""
        type = type_of(entity)
        if type not in self.domain.object_types:
            raise at.unknown("type", type, self.domain.object_types)
        check_kind(entity.name, type, self.domain, at.field("name"))
        check_own(entity.predicates, type, self.predicates, at.field("predicates"))

    def ids(self) -> Mapping[str, Object]:
        """The things that have ids; an id is that of one thing, and no other thing is called so."""
        names = {thing.name: thing for _, thing in self.objects}
        found: dict[str, Object] = {}
        for entity, thing in self.objects:
            id = str(entity.id)
            if id in found:
                raise self.place.wrong(f"{thing.name} and {found[id].name} have one id: {id!r}")
            if names.get(id, thing) != thing:
                raise self.place.wrong(f"the id of {thing.name} is the name of another thing: {id!r}")
            if id:
                found[id] = thing
        return found

    def size(self) -> None:
        """No more facts than a state can hold, no more actions than can be looked at."""
        number = Counter(thing.type for _, thing in self.objects)
        facts = sum(_ways(one.param_types, number) for one in self.domain.predicate_defs)
        if facts > MOST_FACTS:
            why = f"{facts} facts could be true or false; {MOST_FACTS} at most can be"
            raise self.place.wrong(f"too many things: {why}")
        for action in self.domain.action_defs:
            ways = prod(number[type] for type in self.types(action).values())
            if ways > MOST_WAYS:
                why = f"there are {ways} ways to do {action.name!r}; {MOST_WAYS} are the most"
                raise self.place.wrong(f"too many things: {why}")

    def types(self, action: ActionDef) -> Mapping[str, str]:
        """The parameters of an action and their types."""
        terms = (*action.precons, *action.immediate_fx)
        pairs = (zip(term.params, self.predicates[term.predicate].param_types, strict=True) for term in terms)
        return {param: type for pair in pairs for param, type in pair}

    def config(self) -> None:
        """Tables that effects look into, with counts of kinds that there may be."""
        least = self.least_counts()
        kinds = self.kinds()
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
        """The tables there may be: what is done again and again is done once at the least."""
        least: dict[str, int] = {}
        for action in self.domain.action_defs:
            for root in action.sfx:
                for effect in special_effects(root):
                    table = table_of(effect, action.name)
                    least[table] = max(least.get(table, 0), int(effect.type == "repetitive"))
        return {table: count for table, count in least.items() if table}

    def kinds(self) -> Sequence[str]:
        """What things may be called; empty if things of some type may be called anything."""
        of_types = [kinds_of(self.domain, type) for type in self.domain.object_types]
        made = [one.name for one in created(self.domain)]
        return [*(kind for kinds in of_types for kind in kinds), *made] if all(of_types) else []

    def fact(self, fact: Fact, at: Place) -> None:
        """A predicate over different things that there are, of the types that it takes."""
        if fact.predicate not in self.predicates:
            raise at.field("predicate").unknown("predicate", fact.predicate, self.predicates)
        types, at = self.predicates[fact.predicate].param_types, at.field("args")
        if len(fact.args) != len(types):
            why = f"{fact.predicate!r} is about ({', '.join(types)}), not about {len(fact.args)} things"
            raise at.wrong(why)
        known = {thing.name: thing for _, thing in self.objects} | dict(self.named)
        for arg, type in zip(fact.args, types, strict=True):
            if arg not in known:
                raise at.unknown("thing", arg, known)
            if known[arg].type != type:
                raise at.wrong(f"{arg!r} is {a(known[arg].type)}; {fact.predicate!r} is about {a(type)}")
        if len({known[arg].name for arg in fact.args}) < len(types):
            raise at.wrong("a fact is about different things")

    def goals(self) -> None:
        """There is a goal, and it and the released one can be meant."""
        self.place.field("goal_description").one_line(self.problem.goal_description)
        if not self.problem.goal:
            raise self.place.field("goal").wrong("at least one fact to be reached is needed")
        things = [thing for _, thing in self.objects]
        for field, in_part in (("goal", False), ("goal_released", True)):
            check = GoalCheck(self.domain, things, self.named, in_part)
            check.all(getattr(self.problem, field), field, self.place)


def _ways(types: Sequence[str], number: Mapping[str, int]) -> int:
    """Ways to choose different things of these types."""
    return prod(max(0, number[type] - types[:place].count(type)) for place, type in enumerate(types))

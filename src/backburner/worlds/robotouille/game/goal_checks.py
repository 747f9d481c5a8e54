"""Whether a goal can be meant: it names predicates, kinds and ids that there are, and enough things."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from backburner.worlds.robotouille.game.domain_files import created, kinds_of
from backburner.worlds.robotouille.game.goal import ids_of_kinds
from backburner.worlds.robotouille.game.layout import Object
from backburner.worlds.robotouille.game.places import Place, a
from backburner.worlds.robotouille.game.schema import DomainFile, GoalTerm


class GoalCheck:
    """The checks of a goal over the things that are there (``objects``) or can be created.

    ``named`` has the things by their ids. ``in_part``: a kind fits everything whose name contains it,
    as in the released program. An id that stands with several kinds is of the first; one that names a
    thing is that thing, whatever kind it stands with. Released goals need both.
    """

    def __init__(
        self, domain: DomainFile, objects: Sequence[Object], named: Mapping[str, Object], in_part: bool
    ) -> None:
        self.predicates = {predicate.name: predicate.param_types for predicate in domain.predicate_defs}
        self.objects = objects
        self.made = [Object(f"{one.name}1", one.type, one.name) for one in created(domain)]
        self.named = named
        self.in_part = in_part
        kinds = ((type, kind) for type in domain.object_types for kind in kinds_of(domain, type))
        self.known = (*objects, *self.made, *(Object(f"{kind}1", type, kind) for type, kind in kinds))
        self.type_of: dict[str, str] = {}

    def all(self, terms: Sequence[GoalTerm], field: str, place: Place, in_reach: bool) -> None:
        """Raises ``BadFile`` for the first mistake; ``in_reach``: whether too few things are one."""
        for index, term in enumerate(terms):
            at = place.entry(field, index)
            self.shape(term, at)
            for arg, id, type in zip(term.args, term.ids, self.predicates[term.predicate], strict=True):
                self.kind(arg, type, term.predicate, at.field("args"))
                self.id(str(id), type, at.field("ids"))
        self.negative_terms(terms, field, place)
        if in_reach:
            self.enough(terms, place.field(field))

    def shape(self, term: GoalTerm, at: Place) -> None:
        """The predicate is known, and has as many kinds and ids as it takes."""
        if term.predicate not in self.predicates:
            raise at.field("predicate").unknown("predicate", term.predicate, self.predicates)
        types = self.predicates[term.predicate]
        for field in ("args", "ids"):
            given: Sequence[str | int] = getattr(term, field)
            if len(given) != len(types):
                why = f"{term.predicate!r} is about ({', '.join(types)}), not about {len(given)} things"
                raise at.field(field).wrong(why)
        ids = [str(id) for id in term.ids]
        for id in ids:
            if ids.count(id) > 1:
                raise at.field("ids").wrong(f"{id!r} stands twice; a fact is about different things")

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

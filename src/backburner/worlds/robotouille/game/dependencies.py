"""What a goal takes, and what has to come before what: the task dependency graphs (article, appendix A.7).

It is regression over the goal: a literal is brought about by an action, which needs literals that others
bring about, and so on. Where things are and who holds them is left out, as it is a matter of moment: what is
left are pieces of work (``cut onion``, ``boil-water``), and the putting together of each dish, in the order
that the goal asks for, if it asks for any. Nothing here knows a certain domain; see ``schema.Placement``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from backburner.kernel.schedule import Activity, Problem, Resource
from backburner.worlds.robotouille.game.achievers import Achiever, achievers
from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.domain import LiftedLiteral
from backburner.worlds.robotouille.game.schema import ITEM, MEAL, PLAYER, STATION

MOST_LITERALS = 120
"""Of a goal that has graphs; the article's largest has 17."""

Literal = tuple[int, tuple[int, ...]]
"""A predicate and the things it is about, by their indices in ``_Things``."""

PLACES = ("item_on", "item_atop", "item_at")
"""The roles of predicates by which an item is part of a dish, the most exact first."""


class _Work(Struct):
    """A node: ``things`` are those it is about but robots and stations; ``after``: what comes before it."""

    name: str
    duration: int
    by_hand: int
    things: frozenset[int]
    station: str = ""
    needs: frozenset[Literal] = frozenset()
    ends: frozenset[Literal] = frozenset()
    consumes: int = -1
    after: tuple[str, ...] = ()


def dependency_graphs(compiled: Compiled) -> Mapping[str, Problem]:
    """The graph of each dish of the goal, by a name such as ``dish 1 (bread, cheese, bread)``.

    There is none of a goal of more than ``MOST_LITERALS`` literals.
    """
    return _Graphs(compiled).problems() if len(compiled.goal.positive) <= MOST_LITERALS else {}


def needed(compiled: Compiled) -> Mapping[str, int]:
    """How many things of each kind the goal is about or its work is done with; of stations, whether any."""
    graphs = _Graphs(compiled)
    found = graphs.problems() if len(compiled.goal.positive) <= MOST_LITERALS else {}
    stations = {resource.name: 1 for problem in found.values() for resource in problem.resources}
    return {**stations, **Counter(graphs.kinds)}


class _Graphs:
    """The graphs of one problem while they are made; ``kinds`` and ``labels`` are of the things in them."""

    def __init__(self, compiled: Compiled) -> None:
        goal, domain = compiled.goal, compiled.domain
        self._compiled = compiled
        self._layout = compiled.layout(compiled.start)
        self._roles = {predicate: role for role, predicate in domain.placement.items()}
        self._makers: dict[int, list[Achiever]] = {}
        for maker in achievers(domain):
            self._makers.setdefault(maker.predicate, []).append(maker)
        self.kinds = [variable.kind for variable in goal.variables]
        self._labels = list(_labels(self.kinds, [variable.name for variable in goal.variables]))
        self._shared: dict[tuple[str, int], int] = {}
        self._work: dict[str, _Work] = {}
        self._made: dict[Literal, str | None] = {}

    def problems(self) -> Mapping[str, Problem]:
        literals = [(each.predicate, each.variables) for each in self._compiled.goal.positive]
        found: dict[str, Problem] = {}
        for number, dish in enumerate(_apart(literals), 1):
            self._work, self._made = {}, {}
            for literal in dish:
                self._regress(literal)
            self._assemble(dish)
            self._put_in_order()
            found[f"dish {number} ({', '.join(self._ingredients(dish))})"] = self._problem()
        return found

    # --- work -------------------------------------------------------------------------------------

    def _regress(self, literal: Literal) -> str | None:
        """The node that brings a literal about, with all before it; ``None`` where it takes no work."""
        if literal not in self._made:
            self._made[literal] = None  # whoever needs it on the way to itself waits for nothing
            self._made[literal] = self._brought_about(*literal)
        return self._made[literal]

    def _brought_about(self, predicate: int, things: Sequence[int]) -> str | None:
        if not self._is_work(predicate) or self._holds(predicate, things):
            return None
        for maker in self._makers.get(predicate, ()):
            bound = dict(zip(maker.arguments, things, strict=True))
            if len(set(bound.values())) == len(bound) and self._allowed(maker, bound):
                return self._worked(maker, self._completed(maker, bound))
        return None

    def _is_work(self, predicate: int) -> bool:
        """Whether a literal is about more than where things are."""
        role = self._roles.get(predicate)
        types = self._layout.predicates[predicate].types
        return (role is None or role == "meal_in") and not {PLAYER, STATION}.intersection(types)

    def _holds(self, predicate: int, things: Sequence[int]) -> bool:
        """Whether a literal about one thing holds of everything of its kind from the start."""
        candidates = self._of_kind(self.kinds[things[0]]) if len(things) == 1 else []
        facts = self._compiled.start.facts
        return bool(candidates) and all(facts & self._layout.bit(predicate, (each,)) for each in candidates)

    def _of_kind(self, kind: str) -> list[int]:
        return [index for index, thing in enumerate(self._layout.objects) if thing.kind == kind]

    def _allowed(self, maker: Achiever, bound: Mapping[int, int]) -> bool:
        """Whether what never changes lets some things of these kinds take these places."""
        facts = self._compiled.start.facts
        for literal in _static(self._compiled, maker.conditions):
            if (place := literal.params[0]) in bound:
                candidates = self._of_kind(self.kinds[bound[place]])
                if candidates and not any(
                    facts & self._layout.bit(literal.predicate, (c,)) for c in candidates
                ):
                    return False
        return True

    def _completed(self, maker: Achiever, bound: Mapping[int, int]) -> dict[int, int]:
        """The things at all places but those of robots and stations: a meal has one pot for everything."""
        full = dict(bound)
        for literal in (*maker.needs, *maker.beside):
            if len(literal.params) != 2 or not self._is_work(literal.predicate):
                continue
            for place, other in (literal.params, literal.params[::-1]):
                if place not in full and other in full:
                    full[place] = self._partner(maker, place, full[other])
        return full

    def _partner(self, maker: Achiever, place: int, other: int) -> int:
        kind = self._kind_at(maker, place)
        key = (kind, other)
        if key not in self._shared:
            self._shared[key] = len(self.kinds)
            self.kinds.append(kind)
            self._labels.append(kind)
        return self._shared[key]

    def _kind_at(self, maker: Achiever, place: int) -> str:
        """The kind that what never changes asks for at a place; the type where it asks for none."""
        facts, wanted = self._compiled.start.facts, maker.action.types[place]
        for literal in _static(self._compiled, maker.conditions):
            if literal.params == (place,):
                for thing in self._layout.objects:
                    index = self._layout.indices[thing.name]
                    if thing.type == wanted and facts & self._layout.bit(literal.predicate, (index,)):
                        return thing.kind
        return wanted

    def _worked(self, maker: Achiever, bound: Mapping[int, int]) -> str:
        """The node of an action with these things, and before it the nodes of what it needs."""
        types = (*maker.action.types, *[MEAL] * len(bound))
        places = sorted(bound, key=lambda place: (types[place] != ITEM, types[place] != MEAL, place))
        things = [bound[place] for place in places]
        named = (self._labels[thing] for thing in things if thing not in self._shared.values())
        name = " ".join((maker.action.name, *named))
        needs, ends = (
            frozenset(each for each in _bound(literals, bound) if self._is_work(each[0]))
            for literals in (maker.needs, maker.ended)
        )
        if name not in self._work:
            by_hand, duration = self._times(maker, bound)
            self._work[name] = _Work(
                name,
                duration,
                by_hand,
                frozenset(things),
                self._station(maker),
                needs,
                ends,
                self._consumed(maker, bound),
            )
        for literal in sorted(needs):
            before = self._regress(literal)
            if before is not None:
                self._order(before, name)
        return name

    def _times(self, maker: Achiever, bound: Mapping[int, int]) -> tuple[int, int]:
        """(steps by hand, steps until it is done), for things that do not lie about in between."""
        by_hand, waited = 1, 0
        for node, owner in maker.counts:
            count = self._compiled.count_of(node, self.kinds[bound[owner]] if owner in bound else "")
            if node.type == "repetitive":
                by_hand = max(by_hand, count)
            else:
                waited += count
        return by_hand, max(by_hand, waited)

    def _station(self, maker: Achiever) -> str:
        places = [place for place, type in enumerate(maker.action.types) if type == STATION]
        kinds = (self._kind_at(maker, place) for place in places)
        return next((kind for kind in kinds if kind != STATION), "")

    def _consumed(self, maker: Achiever, bound: Mapping[int, int]) -> int:
        """The thing that an action takes out of the robot's hand and puts nowhere; -1 if there is none."""
        holds, action = self._compiled.domain.placement.get("holds_item"), maker.action
        placed = {
            literal.params[0]
            for literal in action.effects
            if literal.is_true and self._roles.get(literal.predicate) in PLACES
        }
        for literal in maker.needs:
            if literal.predicate == holds and literal.params[-1] not in placed:
                return bound.get(literal.params[-1], -1)
        return -1

    # --- dishes -----------------------------------------------------------------------------------

    def _assemble(self, dish: Sequence[Literal]) -> None:
        """The nodes that put items where the goal wants them, in the order that it asks for."""
        by_role: dict[str, list[tuple[int, ...]]] = {}
        for predicate, things in dish:
            by_role.setdefault(self._roles.get(predicate, ""), []).append(things)
        put: dict[int, str] = {}
        for role in PLACES:
            for things in by_role.get(role, []):
                if len(things) == 2 and things[0] not in put and (name := self._put(role, things)):
                    put[things[0]] = name
        preparing = [work for work in self._work.values() if work.name not in put.values()]
        for thing, name in put.items():
            for work in preparing:
                if thing in work.things:
                    self._order(work.name, name)
        for before, after in _layers(by_role, put):
            self._order(put[before], put[after])

    def _put(self, role: str, things: Sequence[int]) -> str:
        """The node of putting an item somewhere: on a station, on another one, or anywhere on a dish."""
        wanted = "item_atop" if role == "item_at" else role
        predicate = self._compiled.domain.placement.get(wanted, -1)
        maker = next(iter(self._makers.get(predicate, ())), None)
        if maker is None:
            return ""
        where = f" on {self._labels[things[1]]}" if role != "item_at" else ""
        name = f"{maker.action.name} {self._labels[things[0]]}{where}"
        self._work.setdefault(name, _Work(name, 1, 1, frozenset(things[:1])))
        return name

    def _put_in_order(self) -> None:
        """What ends something comes after all that need it; what is used up was worked on before."""
        for work in [*self._work.values()]:
            for other in [*self._work.values()]:
                if work.ends & other.needs or (work.consumes in other.things and not other.consumes >= 0):
                    self._order(other.name, work.name)

    def _order(self, before: str, after: str) -> None:
        """``before`` comes before ``after``, unless that would lead in a circle."""
        if before != after and before not in self._work[after].after and not self._leads(after, before):
            self._work[after].after += (before,)

    def _leads(self, one: str, other: str) -> bool:
        """Whether one node must come before another already."""
        waiting, seen = [other], {other}
        while waiting:
            found = self._work[waiting.pop()].after
            if one in found:
                return True
            waiting += [name for name in found if name not in seen]
            seen.update(found)
        return False

    # --- values -----------------------------------------------------------------------------------

    def _ingredients(self, dish: Sequence[Literal]) -> list[str]:
        things = dict.fromkeys(thing for _, things in dish for thing in things)
        stations = {thing.kind for thing in self._layout.objects if thing.type in (STATION, PLAYER)}
        return [self.kinds[thing] for thing in things if self.kinds[thing] not in stations]

    def _problem(self) -> Problem:
        """The nodes with their direct predecessors alone, and the stations that work is done at."""
        stations = Counter(thing.kind for thing in self._layout.objects if thing.type == STATION)
        used = dict.fromkeys(work.station for work in self._work.values() if work.station)
        activities = [
            Activity(
                work.name,
                work.duration,
                work.by_hand,
                tuple(self._direct(work)),
                (work.station,) if work.station else (),
            )
            for work in self._work.values()
        ]
        resources = tuple(Resource(kind, max(1, stations[kind])) for kind in used)
        space = "pieces of work, without the ways between them"
        return Problem("steps", tuple(activities), resources, space, complete=False)

    def _direct(self, work: _Work) -> Iterator[str]:
        """What comes before a node and before nothing else that comes before it."""
        return (one for one in work.after if not any(self._leads(one, other) for other in work.after))


def _layers(
    by_role: Mapping[str, Sequence[Sequence[int]]], put: Collection[int]
) -> Iterator[tuple[int, int]]:
    """(what is put before, what after it): what lies on what, what lies lowest, what nothing lies on."""
    under = {things[0]: things[-1] for things in by_role.get("item_atop", []) if things}
    yield from ((below, above) for above, below in under.items() if above in put and below in put)
    lowest, highest = (
        [things[0] for things in by_role.get(role, []) if things] for role in ("item_on", "item_clear")
    )
    yield from ((base, thing) for base in lowest if base in put for thing in put)
    yield from ((thing, top) for top in highest if top in put for thing in put if under.get(thing) != top)


def _labels(kinds: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    """A thing's name; its kind, with a number where there are several."""
    total, so_far = Counter(kinds), Counter[str]()
    for kind, name in zip(kinds, names, strict=True):
        so_far[kind] += 1
        yield name or (f"{kind} {so_far[kind]}" if total[kind] > 1 else kind)


def _apart(literals: Sequence[Literal]) -> list[list[Literal]]:
    """The literals that hang together by the things they are about, each group in its order."""
    groups: list[tuple[set[int], list[int]]] = []
    for index, (_, things) in enumerate(literals):
        mine, members = set(things), [index]
        for other in [group for group in groups if group[0] & mine]:
            groups.remove(other)
            mine |= other[0]
            members += other[1]
        groups.append((mine, sorted(members)))
    return [[literals[index] for index in members] for _, members in sorted(groups, key=lambda g: g[1])]


def _static(compiled: Compiled, literals: Sequence[LiftedLiteral]) -> Iterator[LiftedLiteral]:
    """Those about one thing that nothing changes."""
    changing = compiled.domain.assigned
    return (
        each for each in literals if each.is_true and len(each.params) == 1 and each.predicate not in changing
    )


def _bound(literals: Sequence[LiftedLiteral], bound: Mapping[int, int]) -> Iterator[Literal]:
    """The literals over things, as far as these are settled."""
    for each in literals:
        if all(place in bound for place in each.params):
            yield each.predicate, tuple(bound[place] for place in each.params)

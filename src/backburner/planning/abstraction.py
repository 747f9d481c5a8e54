"""What a projection keeps of a state: the facts of its pattern, and delayed effects as sets of outcomes.

Facts of a pattern have bits of their own. Of the pattern's objects it keeps what relates them to locations
and what is true of them alone. Other portables are not told apart: of the facts that differ by them only, one
*abstract fact* says that at least one is true. Of objects created in play it keeps the one that the goal will
name, whichever that is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from backburner.planning.facts import Atom, EffectNode, FactTable, bits
from backburner.planning.grounding import GroundTask
from backburner.planning.task import ActiveEffect

SOME_PORTABLE = -1
SOME_CREATED = -2


class Relevance:
    """Which facts matter for the goal, and where effects are triggered; ``goal_facts``: all it may ask for.

    ``locations``: for an object those where it has to be for the effects that it owns. ``relevant`` facts:
    all but those that only effects change and that lead to nothing that the goal asks of the object.
    ``coarse`` ones are what is kept of an object of the context: what the goal asks for or effects change,
    and what operators that trigger effects need of the object at a location.
    """

    def __init__(self, ground: GroundTask, goal_facts: int) -> None:
        self._ground = ground
        self._by_effects = 0
        self.locations: dict[int, set[int]] = {}
        self._changes: dict[int, list[tuple[int, int]]] = {}
        triggering = 0
        for operator in ground.operators:
            for effect, args in operator.triggers:
                owner = args[ground.task.effects[effect].root.owner]
                changed = 0
                for adds, deletes in ground.effect_changes(effect, args):
                    changed |= adds | deletes
                pre = operator.pre & ground.facts_of[owner]
                self._by_effects |= changed
                self._changes.setdefault(owner, []).append((pre, changed))
                triggering |= self._at_locations(owner, pre)
        irrelevant = self._by_effects & ~goal_facts
        for thing in ground.portables:
            if ground.is_created(thing):
                irrelevant &= ~ground.facts_of[thing]
            else:
                irrelevant &= ~self._leading_to(thing, goal_facts)
        self.relevant = ~irrelevant
        self.coarse = self._by_effects & self.relevant | triggering | goal_facts & ~self._changed_at_once()

    def _at_locations(self, thing: int, facts: int) -> int:
        """Those of the facts that may change and relate the object to a location."""
        ground, at = self._ground, 0
        for bit in bits(facts):
            predicate, args = ground.atom(bit)
            locations = ground.locations.intersection(args)
            if locations and predicate in ground.task.fluents:
                self.locations.setdefault(thing, set()).update(locations)
                at |= bit
        return at

    def _leading_to(self, thing: int, goal_facts: int) -> int:
        """Facts of an object that help to bring about by effects what the goal asks of it."""
        before, facts = 0, goal_facts & self._ground.facts_of[thing]
        while before != facts:
            before = facts
            for pre, changed in self._changes.get(thing, ()):
                if changed & facts:
                    facts |= pre
        return facts

    def _changed_at_once(self) -> int:
        """Facts about one object that operators change at once, such as being clear."""
        ground, facts = self._ground, 0
        for operator in ground.operators:
            facts |= operator.adds | operator.deletes
        return sum(bit for bit in bits(facts) if len(ground.atom(bit)[1]) == 1)


class Pattern:
    """The objects of a projection, and the abstract facts kept of them.

    Operators whose cost owner is one of ``owners`` cost something here; objects of the ``context`` cost
    nothing, and are kept more coarsely. Four sets of abstract facts: ``exact`` ones stand for one fact each;
    ``ambiguous`` ones for several that may be true together, so that deleting one of them may leave another;
    ``created`` ones are about the created object that is followed; ``at_position[p]`` are those that relate
    an owner to the location of an agent in position p. For the owner box1, "box1 holds ball1" and "box1 holds
    ball2" are one ambiguous fact; "box1 at room2" is exact, and in ``at_position`` of an agent at room2.
    """

    def __init__(
        self,
        ground: GroundTask,
        relevance: Relevance,
        are_pairwise_mutex: Callable[[Sequence[int]], bool],
        owners: Sequence[int],
        context: Sequence[int] = (),
    ) -> None:
        self.ground = ground
        self.owners = tuple(owners)
        self.context = tuple(context)
        self.objects = frozenset((*owners, *context))
        self._relevance = relevance
        types = {ground.table.objects[thing].type for thing in self.objects}
        self._created_types = types & ground.created_types
        members = self._members()
        self._bits = {key: 1 << place for place, key in enumerate(members)}
        self._abstract = {bit: self._bits[key] for key, facts in members.items() for bit in facts}
        self._kept = sum(self._abstract)
        self._exactly: dict[int, int] = {}
        self.ambiguous = self.created = 0
        for key, facts in members.items():
            if all(arg >= 0 for arg in key[1]):
                self._exactly[facts[0]] = self._bits[key]
            elif SOME_CREATED in key[1] and ground.goal_names_one_created:
                self.created |= self._bits[key]
                self.ambiguous |= self._bits[key] if SOME_PORTABLE in key[1] else 0
            elif SOME_CREATED in key[1] or not are_pairwise_mutex(facts):
                self.ambiguous |= self._bits[key]
        self.exact = sum(self._exactly.values())
        at: dict[int, int] = {}
        for (_, args), bit in self._bits.items():
            for location in ground.locations.intersection(args) if args[0] in self.owners else ():
                at[location] = at.get(location, 0) | bit
        positions = (position for agent in ground.agents for position in bits(ground.position[agent]))
        self.at_position = {position: at.get(ground.location_of(position), 0) for position in positions}

    def _members(self) -> dict[Atom, list[int]]:
        """The facts behind each abstract fact."""
        ground, members = self.ground, dict[Atom, list[int]]()
        context = self.objects.difference(self.owners)
        for place, atom in enumerate(ground.table.atoms):
            key = self._key(ground.table, atom)
            if key is not None:
                is_context = key[1][0] in context
                kept = self._relevance.coarse if is_context else self._relevance.relevant
                if kept >> place & 1:
                    members.setdefault(key, []).append(1 << place)
        if len(self.objects) > 1:
            return members
        # What operators of other owners change at will says nothing of an object alone.
        others = 0
        for operator in ground.operators:
            if ground.cost_owner[operator] not in self.owners:
                others |= operator.adds | operator.deletes
        return {key: facts for key, facts in members.items() if not sum(facts) & others}

    def _key(self, table: FactTable, atom: Atom) -> Atom | None:
        predicate, args = atom
        ground = self.ground
        if predicate not in ground.task.fluents or not args or any(arg in ground.agents for arg in args):
            return None
        types = [table.objects[arg].type for arg in args]
        if args[0] not in self.objects and types[0] not in self._created_types:
            return None
        return predicate, tuple(self._name(arg, type) for arg, type in zip(args, types, strict=True))

    def _name(self, arg: int, type: str) -> int:
        if type in self.ground.created_types:
            return SOME_CREATED
        return arg if arg in self.objects or arg in self.ground.locations else SOME_PORTABLE

    def read(self, table: FactTable, facts: int) -> int:
        """The abstract facts that are true with facts of any table of the task."""
        abstract = 0
        for bit in bits(facts):
            key = self._key(table, table.atom(bit))
            if key is not None:
                abstract |= self._bits.get(key, 0)
        return abstract

    def project(self, facts: int) -> int:
        """The abstract facts of facts of the ground task's table."""
        abstract = 0
        for bit in bits(facts & self._kept):
            abstract |= self._abstract[bit]
        return abstract

    def project_exact(self, facts: int) -> int:
        """The abstract facts of those of these facts that are kept exactly."""
        return self.project(sum(bit for bit in bits(facts & self._kept) if bit in self._exactly))

    def keeps_exactly(self, facts: int) -> bool:
        """Whether all these facts are kept exactly."""
        return all(bit in self._exactly for bit in bits(facts))

    def project_each(self, facts: Iterable[int]) -> set[int]:
        """The abstract fact of each of these facts; 0 where one is left out."""
        return {self._abstract.get(fact, 0) for fact in facts}


class Outcome(NamedTuple):
    """Something that an effect may bring about, in abstract facts.

    ``creates`` the object that the pattern follows. ``late``: not in the step in which it is triggered.
    """

    pre: int
    adds: int
    deletes: int
    creates: bool = False
    late: bool = False

    def about_another(self, facts: int) -> Outcome:
        """The outcome where it is about another object than these facts are."""
        return self._replace(
            pre=self.pre & ~facts, adds=self.adds & ~facts, deletes=self.deletes & ~facts, creates=False
        )


class AbstractEffect(NamedTuple):
    """An effect at work: any of its outcomes may happen at any time, and it may be over at any time.

    One that only counts triggers has so many ``done``, and happens when the count is ``full``. ``identity``:
    what is one effect, which goes on where it stopped when it is triggered again. ``is_fresh``: the agent
    that is with it has applied nothing since it was triggered.
    """

    outcomes: tuple[Outcome, ...]
    identity: tuple[int, bool, int]
    done: int = 0
    full: int = 0
    is_fresh: bool = False

    def possible(self, facts: int, created: int) -> Iterator[Outcome]:
        """What it may bring about now; ``created`` facts are about the one created object."""
        for outcome in self.outcomes:
            too_early = self.is_fresh and outcome.late
            if not (outcome.pre & ~facts or too_early or (outcome.creates and facts & created)):
                yield outcome

    def with_freshness(self, is_fresh: bool) -> AbstractEffect:
        """The effect, fresh or no longer so, as far as that makes a difference."""
        return self._replace(is_fresh=is_fresh and any(outcome.late for outcome in self.outcomes))

    def about_another(self, facts: int) -> AbstractEffect | None:
        """The effect on another object than these facts are about; ``None`` if it then changes nothing."""
        outcomes = (outcome.about_another(facts) for outcome in self.outcomes)
        kept = tuple(outcome for outcome in outcomes if outcome.adds or outcome.deletes)
        return self._replace(outcomes=kept) if kept else None


Active = frozenset[AbstractEffect]


class EffectReader:
    """Reads effects for a pattern; those that change nothing in it are left out.

    Triggers are counted for the pattern's owners. If ``unconditional``, what effects bring about needs no
    condition: a coarser abstraction, in which more of them are alike.
    """

    def __init__(self, pattern: Pattern, unconditional: bool) -> None:
        self._pattern = pattern
        self._owners: Collection[int] = pattern.owners
        self._unconditional = unconditional
        self._known: dict[tuple[int, tuple[int, ...]], AbstractEffect | None] = {}

    def active(self, effects: Iterable[ActiveEffect]) -> Active:
        """The effects at work in a state."""
        found = set()
        for one in effects:
            effect = self.triggered(one.effect, one.args)
            if effect is not None and not effect.full:
                found.add(effect)
            elif effect is not None and one.counts[0] < effect.full:
                found.add(effect._replace(done=one.counts[0]))
        return frozenset(found)

    def triggered(self, effect: int, args: tuple[int, ...]) -> AbstractEffect | None:
        """An effect as an operator triggers it; ``None`` if it changes nothing here."""
        key = (effect, args)
        if key not in self._known:
            self._known[key] = self._read(effect, self._pattern.ground.with_placeholders(effect, args))
        return self._known[key]

    def _read(self, effect: int, args: tuple[int, ...]) -> AbstractEffect | None:
        ground, project = self._pattern.ground, self._pattern.project
        one_agent = len(ground.agents) == 1
        schema = ground.task.effects[effect]
        nodes = ground.task.ground_nodes(ground.table, effect, args)
        outcomes: list[Outcome] = []

        def walk(node: EffectNode, pre: int, late: bool, created: bool) -> None:
            ground_node = nodes[node.number]
            adds, deletes = project(ground_node.adds), project(ground_node.deletes)
            late |= one_agent and node.type == "delayed" and ground_node.full > 1
            created |= node.type == "creation"
            if node.type == "conditional":
                pre |= 0 if self._unconditional else project(ground_node.pre)
                if adds or deletes:
                    outcomes.append(Outcome(0, deletes, adds))
            if adds or deletes:
                outcome = Outcome(pre, adds, deletes, node.type == "creation", late)
                outcomes.append(outcome)
                if created:
                    outcomes.append(outcome.about_another(self._pattern.created))
            for below in node.nested:
                walk(below, pre, late, created)

        walk(schema.root, 0, False, False)
        if not outcomes:
            return None
        owner = args[schema.root.owner]
        # Only for an effect of one object is it certain which triggers are counted together.
        counts = schema.root.type == "repetitive" and not schema.root.nested and schema.n_given == 1
        counts &= args[0] in self._owners
        is_created = ground.is_created(owner)
        identity = (effect, is_created, 0 if is_created else owner)
        return AbstractEffect(tuple(outcomes), identity, full=nodes[0].full if counts else 0)


def trigger(
    facts: int, active: Active, effects: Sequence[AbstractEffect], is_fresh: bool
) -> tuple[int, Active]:
    """Abstract facts and effects after these have been triggered once more."""
    for effect in effects:
        old = {one for one in active if effect.full and one.outcomes == effect.outcomes}
        done = max((one.done for one in old), default=0) + 1
        if not effect.full:
            anew = all(one.identity != effect.identity for one in active)
            active |= {effect.with_freshness(is_fresh and anew)}
        elif done < effect.full:
            active = active - old | {effect._replace(done=done)}
        else:
            active -= old
            for outcome in effect.outcomes:
                facts = facts & ~outcome.deletes | outcome.adds
    return facts, active


def with_freshness(active: Active, is_fresh: bool) -> Active:
    """The effects, those of them fresh that can be."""
    return frozenset(one.with_freshness(is_fresh) for one in active)

"""Special effects at work: how each takes an action's push and a step's tick (article, section 2).

A *conditional* effect keeps its facts true while its conditions hold, and false while they do not;
then what is nested in it pauses. A *delayed* one counts ticks, a *repetitive* one pushes, and brings
its facts about when the count is full. A *creation* makes a thing, a *deletion* removes one. What is
nested in one of these four has its turn when that one has done its part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from backburner.worlds.robotouille.game.domain import Domain, Node
from backburner.worlds.robotouille.game.ground import masks
from backburner.worlds.robotouille.game.layout import MOST_FACTS, Layout, Object
from backburner.worlds.robotouille.game.rule_set import Rules
from backburner.worlds.robotouille.game.state import Kitchen, Running

Args = tuple[int, ...]


class Part(Struct, frozen=True):
    """A node over certain things: its conditions and its facts as masks, and its full count."""

    on: int
    off: int
    adds: int
    clears: int
    full: int

    def holds(self, facts: int) -> bool:
        """Whether its conditions hold."""
        return facts & self.on == self.on and not facts & self.off


class Effects:
    """The special effects of a domain under one rule set.

    ``count_of`` gives the full count of a delayed or repetitive node for a thing of some kind.
    """

    def __init__(
        self,
        domain: Domain,
        rules: Rules,
        count_of: Callable[[Node, str], int],
        layout_of: Callable[[tuple[Object, ...]], Layout],
    ) -> None:
        self.effects = domain.effects
        self.rules = rules
        self.count_of = count_of
        self.layout_of = layout_of

    def push(self, kitchen: Kitchen, effect: int, args: Args) -> Kitchen:
        """An action starts this effect, or pushes the one that is at work already."""
        whole = self.effects[effect]
        live = list(kitchen.effects)
        place = self.find(kitchen, effect, args)
        if place is None:
            place = len(live)
            live.append(Running(effect, args + (-1,) * whole.n_made, (0,) * whole.n_nodes))
        else:
            live[place] = Running(effect, args + live[place].args[len(args) :], live[place].counts)
        work = _Work(self, kitchen)
        live[place] = work.update(live[place], pushed=True)
        return work.kitchen(live)

    def find(self, kitchen: Kitchen, effect: int, args: Args) -> int | None:
        """Where in the list this effect is at work already."""
        wanted = self.identity(effect, args)
        for place, one in enumerate(kitchen.effects):
            if self.identity(one.effect, one.args) == wanted:
                return place
        return None

    def tick(self, kitchen: Kitchen) -> Kitchen:
        """A step has passed: each effect takes its tick in order, and leaves the list when complete."""
        if not kitchen.effects:
            return kitchen
        work = _Work(self, kitchen)
        live = list(kitchen.effects)
        place = 0
        while place < len(live):
            live[place] = work.update(live[place], pushed=False)
            if self.complete(work.layout, live[place]):
                del live[place]
                place += self.rules.skipped_ticks
            else:
                place += 1
        return work.kitchen(live)

    def identity(self, effect: int, args: Args) -> tuple[int, Args]:
        """What makes two effects the same one: the things that an action gives them, or their owner."""
        whole = self.effects[effect]
        if self.rules.timers_stay_at_station:
            return effect, args[: whole.n_given]
        return effect, (args[whole.root.owner],)

    def runs(self, layout: Layout, kitchen: Kitchen, effect: int, args: Args) -> bool:
        """Whether this effect takes time, is at work on these things, and another push would do nothing."""
        whole = self.effects[effect]
        for one in kitchen.effects:
            if one.effect == effect and one.args[: len(args)] == args and whole.takes_time:
                parts = self.parts(layout, effect, one.args)
                return (
                    parts[0].holds(kitchen.facts)
                    and not self.complete(layout, one)
                    and not self._takes_push(whole.root, one.counts, parts, kitchen.facts)
                )
        return False

    def _takes_push(self, node: Node, counts: Sequence[int], parts: Sequence[Part], facts: int) -> bool:
        """Whether a push would count for a node or for what is nested in it."""
        part, count = parts[node.index], counts[node.index]
        if node.type == "conditional":
            reached = not count and part.holds(facts)
        elif count < part.full:
            return node.type == "repetitive"
        else:
            reached = not self.rules.nested_once
        return reached and any(self._takes_push(below, counts, parts, facts) for below in node.nested)

    def complete(self, layout: Layout, one: Running) -> bool:
        """Whether the whole effect is complete."""
        root = self.effects[one.effect].root
        return self.done(root, one.counts, self.parts(layout, one.effect, one.args))

    def done(self, node: Node, counts: Sequence[int], parts: Sequence[Part]) -> bool:
        """Whether a node and what is nested in it are complete."""
        if counts[node.index] < parts[node.index].full:
            return False
        if node.type == "conditional" or self.rules.nested_once:
            return True
        return all(self.done(below, counts, parts) for below in node.nested)

    def parts(self, layout: Layout, effect: int, args: Args) -> tuple[Part, ...]:
        """The nodes of an effect over these things, in the order of their indices."""
        known: tuple[Part, ...] | None = layout.known.get((effect, args))
        if known is None:
            nodes = self.effects[effect].root.walk()
            known = layout.known[effect, args] = tuple(self._part(layout, node, args) for node in nodes)
        return known

    def _part(self, layout: Layout, node: Node, args: Args) -> Part:
        counted = node.type in ("delayed", "repetitive")
        full = self.count_of(node, layout.objects[args[node.owner]].kind) if counted else 1
        return Part(*masks(node.conditions, args, layout), *masks(node.fx, args, layout), full)


class _Work:
    """A kitchen while its effects change it."""

    def __init__(self, effects: Effects, kitchen: Kitchen) -> None:
        self.effects = effects
        self.facts, self.made, self.gone = kitchen.facts, kitchen.made, kitchen.gone
        self.layout = effects.layout_of(kitchen.made)

    def kitchen(self, live: Sequence[Running]) -> Kitchen:
        """The kitchen now. Things that are gone leave no fact and no effect behind."""
        if self.gone:
            live = [one for one in live if not any(arg >= 0 and self.gone >> arg & 1 for arg in one.args)]
            for thing, about in enumerate(self.layout.about):
                if self.gone >> thing & 1:
                    self.facts &= ~about
        return Kitchen(self.facts, self.made, self.gone, tuple(live))

    def update(self, one: Running, *, pushed: bool) -> Running:
        """A push or a tick for one effect."""
        self.effect, self.args, self.counts = one.effect, one.args, list(one.counts)
        self._visit(self.effects.effects[one.effect].root, pushed)
        return Running(one.effect, self.args, tuple(self.counts))

    @property
    def parts(self) -> tuple[Part, ...]:
        """The nodes of the effect in hand, over the things it has now."""
        return self.effects.parts(self.layout, self.effect, self.args)

    def _visit(self, node: Node, pushed: bool) -> None:
        part = self.parts[node.index]
        if node.type == "conditional":
            self._conditional(node, part, pushed)
        elif self.counts[node.index] >= part.full:
            if not self.effects.rules.nested_once:
                self._below(node, pushed)
        elif node.type not in ("delayed", "repetitive") or pushed == (node.type == "repetitive"):
            self._count(node, part.full, pushed)

    def _conditional(self, node: Node, part: Part, pushed: bool) -> None:
        if self.counts[node.index]:
            return
        if not part.holds(self.facts):
            self.facts = self.facts & ~part.adds | part.clears
            return
        self.facts = self.facts & ~part.clears | part.adds
        self._below(node, pushed)
        done, parts = self.effects.done, self.parts
        self.counts[node.index] = int(all(done(below, self.counts, parts) for below in node.nested))

    def _count(self, node: Node, full: int, pushed: bool) -> None:
        if node.type == "creation" and not self._create(node):
            return
        self.counts[node.index] += 1
        if self.counts[node.index] < full:
            return
        part = self.parts[node.index]
        self.facts = self.facts & ~part.clears | part.adds
        if node.type == "deletion":
            self.gone |= 1 << self.args[node.owner]
        self._below(node, pushed)

    def _below(self, node: Node, pushed: bool) -> None:
        for below in node.nested:
            self._visit(below, pushed)

    def _create(self, node: Node) -> bool:
        """A new thing behind all others, called after its kind and one more than the highest number.

        It has to wait while there are so many things that a state could not be written down.
        """
        name = self.layout.next_name(node.made_name, self.gone)
        made = (*self.made, Object(name, node.made_type, node.made_name))
        layout = self.effects.layout_of(made)
        if len(layout.atoms) > MOST_FACTS:
            return False
        self.args = (*self.args[: node.made], len(self.layout.objects), *self.args[node.made + 1 :])
        self.made, self.layout = made, layout
        return True

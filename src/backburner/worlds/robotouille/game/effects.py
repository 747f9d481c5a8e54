"""Special effects at work: what an action's push and a step's tick do to each (article, section 2).

* A *conditional* effect keeps its facts true while its conditions hold, and false while they do not.
  While they do not, the effects nested in it pause.
* A *delayed* effect counts ticks, a *repetitive* one pushes. It brings its facts about when the count
  is full.
* A *creation* makes a thing, a *deletion* removes one.

What is nested in one of the last four has its turn when that one has done its part. Example: ``cook``
starts a conditional effect (while the item lies on the stove, it *is cooking*) with a delayed one
nested in it (after four ticks, it *is cooked*).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from backburner.worlds.robotouille.game.domain import Domain, EffectNode
from backburner.worlds.robotouille.game.legality import masks
from backburner.worlds.robotouille.game.rule_set import Rules
from backburner.worlds.robotouille.game.state import MOST_FACTS, Kitchen, Layout, Object, Running

Args = tuple[int, ...]


class GroundNode(Struct, frozen=True):
    """A node over certain things: conditions and effects as masks, and its full count.

    Its conditions hold where all bits of ``needs`` are set and none of ``forbids`` is; it sets the
    bits of ``adds`` and clears those of ``deletes``.
    """

    needs: int
    forbids: int
    adds: int
    deletes: int
    full: int

    def holds(self, facts: int) -> bool:
        """Whether its conditions hold."""
        return facts & self.needs == self.needs and not facts & self.forbids


class Effects:
    """The special effects of a domain under one rule set.

    ``count_of`` gives the full count of a delayed or repetitive node for a thing of some kind.
    """

    def __init__(
        self,
        domain: Domain,
        rules: Rules,
        count_of: Callable[[EffectNode, str], int],
        layout_of: Callable[[tuple[Object, ...]], Layout],
    ) -> None:
        self.effects = domain.special_effects
        self.rules = rules
        self.count_of = count_of
        self.layout_of = layout_of

    def push(self, kitchen: Kitchen, effect: int, args: Args) -> Kitchen:
        """An action starts this effect, or pushes the one that is at work already."""
        tree = self.effects[effect]
        running = list(kitchen.effects)
        index = self.find(kitchen, effect, args)
        if index is None:
            index = len(running)
            running.append(Running(effect, args + (-1,) * tree.n_made, (0,) * tree.n_nodes))
        else:
            old = running[index]
            running[index] = Running(effect, args + old.args[len(args) :], old.counts)
        update = _Update(self, kitchen)
        running[index] = update.of(running[index], pushed=True)
        return update.kitchen(running)

    def find(self, kitchen: Kitchen, effect: int, args: Args) -> int | None:
        """The index of this effect in the list of those at work; ``None`` if it is not among them."""
        wanted = self.identity(effect, args)
        for index, running in enumerate(kitchen.effects):
            if self.identity(running.effect, running.args) == wanted:
                return index
        return None

    def tick(self, kitchen: Kitchen) -> Kitchen:
        """A step has passed: each effect takes its tick in order, and leaves the list when complete."""
        if not kitchen.effects:
            return kitchen
        update = _Update(self, kitchen)
        running = list(kitchen.effects)
        index = 0
        while index < len(running):
            running[index] = update.of(running[index], pushed=False)
            if self.complete(update.layout, running[index]):
                del running[index]
                index += self.rules.skipped_ticks
            else:
                index += 1
        return update.kitchen(running)

    def identity(self, effect: int, args: Args) -> tuple[int, Args]:
        """Two effects of one identity are one effect: by the things that an action gives it, or its owner."""
        tree = self.effects[effect]
        if self.rules.timers_stay_at_station:
            return effect, args[: tree.n_given]
        return effect, (args[tree.root.owner],)

    def runs(self, layout: Layout, kitchen: Kitchen, effect: int, args: Args) -> bool:
        """Whether this effect takes time, is at work on these things, and another push would do nothing."""
        tree = self.effects[effect]
        for running in kitchen.effects:
            if running.effect == effect and running.args[: len(args)] == args and tree.takes_time:
                nodes = self.ground_nodes(layout, effect, running.args)
                return (
                    nodes[0].holds(kitchen.facts)
                    and not self.complete(layout, running)
                    and not self._takes_push(tree.root, running.counts, nodes, kitchen.facts)
                )
        return False

    def _takes_push(
        self, node: EffectNode, counts: Sequence[int], ground: Sequence[GroundNode], facts: int
    ) -> bool:
        """Whether a push would count for a node or for what is nested in it."""
        count, full = counts[node.index], ground[node.index].full
        if node.type == "conditional":
            reached = not count and ground[node.index].holds(facts)
        elif count < full:
            return node.type == "repetitive"
        else:
            reached = not self.rules.nested_once
        return reached and any(self._takes_push(nested, counts, ground, facts) for nested in node.nested)

    def complete(self, layout: Layout, running: Running) -> bool:
        """Whether the whole effect is complete."""
        root = self.effects[running.effect].root
        return self.done(root, running.counts, self.ground_nodes(layout, running.effect, running.args))

    def done(self, node: EffectNode, counts: Sequence[int], ground: Sequence[GroundNode]) -> bool:
        """Whether a node and what is nested in it are complete."""
        if counts[node.index] < ground[node.index].full:
            return False
        if node.type == "conditional" or self.rules.nested_once:
            return True
        return all(self.done(nested, counts, ground) for nested in node.nested)

    def ground_nodes(self, layout: Layout, effect: int, args: Args) -> tuple[GroundNode, ...]:
        """The nodes of an effect over these things, in the order of their indices."""
        known: tuple[GroundNode, ...] | None = layout.known.get((effect, args))
        if known is None:
            nodes = self.effects[effect].root.walk()
            known = layout.known[effect, args] = tuple(self._grounded(layout, node, args) for node in nodes)
        return known

    def _grounded(self, layout: Layout, node: EffectNode, args: Args) -> GroundNode:
        counts = node.type in ("delayed", "repetitive")
        full = self.count_of(node, layout.objects[args[node.owner]].kind) if counts else 1
        return GroundNode(*masks(node.conditions, args, layout), *masks(node.effects, args, layout), full)


class _Update:
    """A kitchen while its special effects change it."""

    def __init__(self, effects: Effects, kitchen: Kitchen) -> None:
        self.effects = effects
        self.facts, self.made, self.gone = kitchen.facts, kitchen.made, kitchen.gone
        self.layout = effects.layout_of(kitchen.made)

    def kitchen(self, running: Sequence[Running]) -> Kitchen:
        """The kitchen now. Things that are gone leave no fact and no effect behind."""
        if self.gone:
            running = [
                one for one in running if not any(arg >= 0 and self.gone >> arg & 1 for arg in one.args)
            ]
            for thing, about in enumerate(self.layout.about):
                if self.gone >> thing & 1:
                    self.facts &= ~about
        return Kitchen(self.facts, self.made, self.gone, tuple(running))

    def of(self, running: Running, *, pushed: bool) -> Running:
        """An effect after a push, or after a tick."""
        self.effect, self.args, self.counts = running.effect, running.args, list(running.counts)
        self._visit(self.effects.effects[running.effect].root, pushed)
        return Running(running.effect, self.args, tuple(self.counts))

    @property
    def ground(self) -> tuple[GroundNode, ...]:
        """The nodes of the effect in hand, over the things it has now."""
        return self.effects.ground_nodes(self.layout, self.effect, self.args)

    def _visit(self, node: EffectNode, pushed: bool) -> None:
        ground = self.ground[node.index]
        if node.type == "conditional":
            self._conditional(node, ground, pushed)
        elif self.counts[node.index] >= ground.full:
            if not self.effects.rules.nested_once:
                self._below(node, pushed)
        elif node.type not in ("delayed", "repetitive") or pushed == (node.type == "repetitive"):
            self._count(node, ground.full, pushed)

    def _conditional(self, node: EffectNode, ground: GroundNode, pushed: bool) -> None:
        if self.counts[node.index]:
            return
        if not ground.holds(self.facts):
            self.facts = self.facts & ~ground.adds | ground.deletes
            return
        self.facts = self.facts & ~ground.deletes | ground.adds
        self._below(node, pushed)
        done, nodes = self.effects.done, self.ground
        self.counts[node.index] = int(all(done(nested, self.counts, nodes) for nested in node.nested))

    def _count(self, node: EffectNode, full: int, pushed: bool) -> None:
        if node.type == "creation" and not self._create(node):
            return
        self.counts[node.index] += 1
        if self.counts[node.index] < full:
            return
        ground = self.ground[node.index]
        self.facts = self.facts & ~ground.deletes | ground.adds
        if node.type == "deletion":
            self.gone |= 1 << self.args[node.owner]
        self._below(node, pushed)

    def _below(self, node: EffectNode, pushed: bool) -> None:
        for nested in node.nested:
            self._visit(nested, pushed)

    def _create(self, node: EffectNode) -> bool:
        """Makes a new thing behind all others; ``False`` where a state would have too many facts for that.

        The creation then waits until things are gone.
        """
        name = self.layout.next_name(node.made_name, self.gone)
        made = (*self.made, Object(name, node.made_type, node.made_name))
        layout = self.effects.layout_of(made)
        if len(layout.atoms) > MOST_FACTS:
            return False
        self.args = (*self.args[: node.made], len(self.layout.objects), *self.args[node.made + 1 :])
        self.made, self.layout = made, layout
        return True

"""What is done to things: where, and which facts tell how far they are."""

from __future__ import annotations

from backburner.planning.mutexes import Mutexes
from backburner.planning.overview import Overview, bits
from backburner.planning.wants import Wants


class Work:
    """The deeds that start effects, by the things that these belong to.

    ``where``: the anchors that a thing has to be at for them. ``useful`` facts: all but those that only
    effects change and that lead to nothing that the goal wants of the thing. ``telling`` are of them what
    is kept of a thing that is seen roughly: what the goal wants or effects change, and what deeds that
    start effects need of the thing and an anchor.
    """

    def __init__(self, overview: Overview, mutexes: Mutexes, wants: Wants) -> None:
        self._overview = overview
        self._by_effects = 0
        self.where: dict[int, set[int]] = {}
        self._steps: dict[int, list[tuple[int, int]]] = {}
        started = 0
        for deed in overview.deeds:
            for effect, args in deed.starts:
                owner = args[overview.engine.domain.special_effects[effect].root.owner]
                changed = 0
                for adds, clears in mutexes.parts(effect, args):
                    changed |= adds | clears
                needs = deed.needs & overview.own_facts[owner]
                self._by_effects |= changed
                self._steps.setdefault(owner, []).append((needs, changed))
                started |= self._at_anchors(owner, needs)
        wanted = self._wanted(wants)
        useless = self._by_effects & ~wanted
        for thing in overview.movers:
            if not overview.is_foreseen(thing):
                useless &= ~self._leading_to(thing, wanted)
            else:
                useless &= ~overview.own_facts[thing]
        self.useful = ~useless
        self.telling = (self._by_effects & self.useful) | started | wanted & ~self._changed_alone()

    def _at_anchors(self, thing: int, needs: int) -> int:
        """Those of the facts that change and relate the thing to an anchor."""
        overview, found = self._overview, 0
        for bit in bits(needs):
            predicate, args = overview.atom(bit)
            anchors = overview.anchors.intersection(args)
            if anchors and predicate in overview.changing:
                self.where.setdefault(thing, set()).update(anchors)
                found |= bit
        return found

    def _wanted(self, wants: Wants) -> int:
        """All facts that may stand for a wish."""
        overview, found = self._overview, 0
        for wish in wants.wishes:
            for thing in wants.things[wish.variables[0]] if wish.variables else ():
                found |= overview.own_facts[thing] & overview.layout.of_predicate[wish.predicate]
        return found

    def _leading_to(self, thing: int, wanted: int) -> int:
        """Facts of a thing that help to bring about what is wanted of it, by effects."""
        known, found = 0, wanted & self._overview.own_facts[thing]
        while known != found:
            known = found
            for needs, changed in self._steps.get(thing, ()):
                if changed & found:
                    found |= needs
        return found

    def _changed_alone(self) -> int:
        """Facts about one thing that deeds change at once, such as being clear."""
        overview, found = self._overview, 0
        for deed in overview.deeds:
            found |= deed.adds | deed.deletes
        return sum(bit for bit in bits(found) if len(overview.atom(bit)[1]) == 1)

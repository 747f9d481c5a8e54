"""How long it takes to deal with one thing, where each robot has its turn.

Between two deeds of a robot all others have their turns. No two robots are in one place; so whoever does
the next thing to something has either done the last one, too, or has to come when the other one has gone:
what is done to one thing is done in that rhythm, whoever does it. What is to come onto it at last comes
later still. Turns, idleness included, are counted as deeds are.
"""

from __future__ import annotations

from functools import cache, cached_property, reduce
from operator import or_

import numpy as np
from numpy.typing import NDArray

from backburner.planning.following import Following
from backburner.planning.overview import bits
from backburner.planning.parts import Key, Parts
from backburner.planning.phases import Phases
from backburner.worlds.robotouille.game.actions import GroundAction


class Chains:
    """From deeds charged to a projection to turns that pass."""

    def __init__(self, parts: Parts, following: Following, phases: Phases) -> None:
        self._parts = parts
        self._overview = parts.overview
        self._following = following
        self._mutexes = following.mutexes
        self._rhythm = 1 if phases.any_robot else len(phases.robots)
        # A dispatcher may give a robot the last turn of a step and the first of the next one.
        self._early = self._rhythm - 1 if phases.play == "dispatcher" else 0
        self.tell_more = self._rhythm > 1 and following.places_are_exclusive and self._robots_go_themselves()
        """Whether they say more than the number of deeds does."""
        self._is_serial = cache(self._find_serial)
        self._after_deeds_on = cache(self._find_after)

    def turns(self, key: Key, deeds: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """For numbers of deeds the turns that pass until the goal, at least: 0 where there is no chain."""
        payers = self._parts.projections[key[0]].payers
        if len(payers) > 1 or not self._is_serial(payers[0]):
            return np.zeros_like(deeds)
        wide = deeds.astype(np.int64)
        turns = 1 + (wide - 1) * self._rhythm + self._behind(payers[0], key[1][0]) - self._early
        return np.where(wide > 0, np.clip(turns, 0, 255), 0).astype(np.uint8)

    def _behind(self, thing: int, variable: int | None, seen: frozenset[int] = frozenset()) -> int:
        """Turns from the last deed on a thing, as what a variable stands for, to the goal."""
        if variable is None or variable in seen:
            return 0
        wants, seen = self._parts.wants, seen | {variable}
        behind = [0]
        for wish in wants.wishes:
            if len(wish.variables) == 2 and wish.variables[1] == variable:
                above = wish.variables[0]
                things = [other for other in wants.things[above] if other != thing]
                gaps = [self._after_deeds_on(thing, other, wish.predicate) for other in things]
                if things and all(gaps) and all(map(self._is_serial, things)):
                    behind.append(min(gaps) + min(self._behind(other, above, seen) for other in things))
        return max(behind)

    @cached_property
    def _paid(self) -> dict[int, list[GroundAction]]:
        """For each thing the deeds of an actor that it pays for."""
        found: dict[int, list[GroundAction]] = {}
        for deed, payer in self._overview.payers.items():
            if payer is not None and self._overview.actors_only(deed):
                found.setdefault(payer, []).append(deed)
        return found

    def _robots_go_themselves(self) -> bool:
        """Whether no effect changes where a robot is, and what it holds."""
        own = (self._overview.places[one] | self._overview.hands[one] for one in self._overview.players)
        return not any(self._following.by_effects & facts for facts in own)

    def _stays_put(self, thing: int) -> bool:
        """Whether a thing is only moved by deeds that it pays for."""
        overview = self._overview
        where = sum(
            bit
            for bit in bits(overview.own_facts[thing])
            if overview.anchors.intersection(overview.atom(bit)[1])
        )
        moved = [deed for deed in overview.deeds if (deed.adds | deed.deletes) & where]
        return not self._following.by_effects & where and all(overview.payers[one] == thing for one in moved)

    def _find_serial(self, thing: int) -> bool:
        """Whether deeds on a thing are done by whoever holds it or is where it is, and leave it so."""
        deeds = self._paid.get(thing, [])
        return (
            not self._overview.is_foreseen(thing)
            and self._stays_put(thing)
            and all(
                len(deed.robots) == 1
                and self._has(deed, thing, deed.needs)
                and (
                    self._has(deed, thing, deed.needs & ~deed.deletes | deed.adds)
                    or self._is_last(deed, deeds)
                )
                for deed in deeds
            )
        )

    def _has(self, deed: GroundAction, thing: int, facts: int) -> bool:
        """Whether by these facts the robot of a deed holds a thing, or is where it is."""
        overview, robot = self._overview, deed.robots[0]
        place = facts & overview.places[robot]
        anchor = overview.anchor_of(place)
        near = (bit for bit in bits(facts & overview.own_facts[thing]) if anchor in overview.atom(bit)[1])
        return bool(facts & overview.held_of(robot, [thing])) or (anchor >= 0 and any(near))

    def _is_last(self, deed: GroundAction, others: list[GroundAction]) -> bool:
        """Whether none of these deeds can ever be done after it."""
        lasting = deed.adds & ~self._cleared
        excluded = self._mutexes.excluded_by(lasting)
        return all(other.needs & excluded for other in others)

    @cached_property
    def _cleared(self) -> int:
        """All facts that something may make false."""
        return reduce(or_, (deed.deletes for deed in self._overview.deeds), self._following.by_effects)

    def _find_after(self, thing: int, other: int, predicate: int) -> int:
        """Turns at least between the last deed on a thing and that which relates another one to it, so that
        the relation lasts; 0 if that may come first."""
        overview = self._overview
        fact = overview.layout.bit(predicate, (other, thing))
        excluded = self._mutexes.excluded_by(fact)
        before = self._paid.get(thing, [])
        relating = [deed for deed in self._paid.get(other, []) if deed.adds & fact]
        everywhere = [deed for deed in overview.deeds if deed.adds & fact]
        apart = (
            not fact
            or not relating
            or fact & self._following.by_effects
            or any(overview.payers[deed] != other for deed in everywhere)
            or not all(deed.needs & excluded for deed in before)
            or not all(self._has(deed, thing, deed.needs) for deed in relating)
        )
        if apart:
            return 0
        return self._rhythm if self._may_follow(before, relating) else 2 * self._rhythm

    def _may_follow(self, before: list[GroundAction], after: list[GroundAction]) -> bool:
        """Whether a robot may do one of the first deeds, then one of the second."""
        return any(
            one.robots == two.robots and self._stays(one, two) and not self._following.barred(one, two)
            for one in before
            for two in after
        )

    def _stays(self, one: GroundAction, two: GroundAction) -> bool:
        """Whether the second deed may be in the place where the first leaves its robot."""
        here = self._following.place_after(one)
        return not here or two.needs & self._overview.places[two.robots[0]] == here

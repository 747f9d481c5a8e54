"""Pairs of facts that never hold together, by reachability of pairs (the heuristic h2 of planning).

Besides single facts there are *joint* ones: two facts about a thing that some action needs together,
such as being clear and being at a station. That two things are never clear at one station then is a pair.
Where one robot stands for all, each may begin where any of them does.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from backburner.planning.overview import Overview, bits


class _Event(NamedTuple):
    """What happens: ``completes`` are joint facts of which it makes one part true, with the other part."""

    needs: int
    adds: int
    clears: int
    completes: tuple[tuple[int, int], ...] = ()


class Mutexes:
    """``never[bit]``: the facts that do not hold with this one. Joint facts have bits behind the others."""

    def __init__(self, overview: Overview) -> None:
        self._overview = overview
        self._first_joint = len(overview.layout.atoms)
        self.joints = self._joint_facts()
        self._excluded: dict[int, int] = {}
        self._joint_of: dict[int, list[int]] = {}
        for joint, parts in self.joints.items():
            for part in bits(parts):
                self._joint_of.setdefault(part, []).append(joint)

    def _joint_facts(self) -> dict[int, int]:
        """The bit of each joint fact and those of its two parts."""
        overview, found = self._overview, dict[int, None]()
        for deed in overview.deeds:
            needs = [bit for bit in bits(deed.needs) if overview.atom(bit)[0] in overview.changing]
            for one in needs:
                args = overview.atom(one)[1]
                if len(args) != 1 or args[0] not in overview.movers or overview.is_foreseen(args[0]):
                    continue
                for two in needs:
                    others = overview.atom(two)[1]
                    if len(others) == 2 and others[0] == args[0] and others[1] in overview.anchors:
                        found[one | two] = None
        return {1 << self._first_joint + place: parts for place, parts in enumerate(found)}

    def with_joints(self, facts: int) -> int:
        """Facts and the joint ones that are among them."""
        return facts | sum(joint for joint, parts in self.joints.items() if facts & parts == parts)

    def excluded_by(self, facts: int) -> int:
        """Facts, joint ones among them, that never hold together with all these."""
        known = self._excluded.get(facts)
        if known is None:
            known = 0
            for fact in bits(self.with_joints(facts)):
                known |= self.never.get(fact, 0)
            self._excluded[facts] = known
        return known

    def exclude_each_other(self, facts: Sequence[int]) -> bool:
        """Whether at most one of these facts holds at a time."""
        return all(
            self.never.get(one, -1) & two
            for place, one in enumerate(facts)
            for two in facts[:place]
            if two in self.never
        )

    @cached_property
    def never(self) -> dict[int, int]:
        """For each fact those it is never seen with."""
        together = self._together()
        everything = 0
        for bit in together:
            everything |= bit
        return {bit: everything & ~mask for bit, mask in together.items()}

    def _together(self) -> dict[int, int]:
        """For each fact that can hold those that can hold with it; facts that never change left out."""
        overview = self._overview
        changing = 0
        for predicate in overview.changing:
            changing |= overview.layout.of_predicate[predicate]
        together: dict[int, int] = {}
        for facts in overview.starts:
            start = self.with_joints(facts & changing)
            for bit in bits(start):
                together[bit] = together.get(bit, 0) | start
        events = self._events(changing)
        grown = True
        while grown:
            grown = False
            for event in events:
                grown |= self._happen(together, event)
        return together

    def _happen(self, together: dict[int, int], event: _Event) -> bool:
        """Takes in what holds after an event, if it is possible by what is known so far."""
        before = -1
        for need in bits(event.needs):
            if need not in together:
                return False
            before &= together[need]
        if event.needs & ~before:
            return False
        if before == -1:
            before = sum(together)
        after = before & ~event.clears | event.adds
        grown = self._add(together, event.adds, after)
        for joint, missing in event.completes:
            if missing & before:
                beside = before & together[missing]
                more = sum(other for other, lacks in event.completes if lacks & (beside | missing))
                grown |= self._add(
                    together, joint, beside & ~event.clears | event.adds | missing | more | joint
                )
        return grown

    def _add(self, together: dict[int, int], adds: int, now: int) -> bool:
        grown = False
        for add in bits(adds):
            before = together.get(add, 0)
            if now & ~before:
                together[add] = before | now
                for other in bits(now & ~before):
                    together[other] = together.get(other, other) | add
                grown = True
        return grown

    def _events(self, changing: int) -> list[_Event]:
        """Deeds and what effects bring about, at any time, with each joint fact that they complete."""
        overview = self._overview
        foreseen = sum(
            {
                bit
                for thing in overview.movers
                if overview.is_foreseen(thing)
                for bit in bits(overview.layout.about[thing])
            }
        )
        plain = [_Event(deed.needs & changing, deed.adds, deed.deletes) for deed in overview.deeds]
        for deed in overview.deeds:
            for effect, args in deed.starts:
                for part in self.parts(effect, args):
                    plain.append(_Event(0, part[0], part[1]))
                    plain.append(_Event(0, part[1], part[0]))
        events: dict[_Event, None] = {}
        for needs, adds, clears, _ in plain:
            # Of things that are not told apart another one may still be so.
            clears &= ~foreseen
            ended = sum({joint for bit in bits(clears) for joint in self._joint_of.get(bit, ())})
            begun = {joint for bit in bits(adds) for joint in self._joint_of.get(bit, ())}
            whole = {joint for joint in begun if not self.joints[joint] & (~adds | clears)}
            missing = {joint: self.joints[joint] & ~adds for joint in begun - whole}
            completes = tuple((joint, other) for joint, other in missing.items() if not other & clears)
            events[_Event(self.with_joints(needs), adds | sum(whole), clears | ended, completes)] = None
        return list(events)

    def parts(self, effect: int, args: tuple[int, ...]) -> list[tuple[int, int]]:
        """What the nodes of an effect make true and false; a thing yet to be made is the foreseen one."""
        overview = self._overview
        engine = overview.engine
        filled = filled_args(overview, effect, args)
        parts = engine.effects.ground_nodes(overview.layout, effect, filled)
        return [(part.adds, part.deletes) for part in parts if part.adds or part.deletes]


def filled_args(overview: Overview, effect: int, args: tuple[int, ...]) -> tuple[int, ...]:
    """An effect's arguments with the foreseen thing where one is yet to be made, or came after it."""
    whole = overview.engine.domain.special_effects[effect]
    objects = overview.layout.objects
    filled = list(args) + [-1] * (whole.n_given + whole.n_made - len(args))
    types = {node.made: node.made_type for node in whole.root.walk() if node.made >= 0}
    for place, arg in enumerate(filled):
        if arg < 0 or arg >= len(objects):
            filled[place] = next(
                thing
                for thing in range(overview.n_things, len(objects))
                if types.get(place, objects[thing].type) == objects[thing].type
            )
    return tuple(filled)

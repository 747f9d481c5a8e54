"""Groups of facts about a thing of which exactly one holds, read off a domain's actions.

A *slot* is a predicate with one of its arguments, such as (has_item, its player). A set of slots is a
group for a type if every action that makes a fact of it true about some thing needs and ends exactly one
other. It then holds for each thing of which exactly one fact holds in the beginning.
"""

from __future__ import annotations

from collections.abc import Iterator

from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.domain import Action, LiftedLiteral

Slot = tuple[int, int]
Group = frozenset[Slot]
MOST_SLOTS = 5


def exactly_one_groups(engine: Compiled, type: str) -> list[Group]:
    """The smallest groups for a type; predicates that special effects change are in none."""
    by_effects = {
        claim.predicate
        for effect in engine.domain.special_effects
        for node in effect.root.walk()
        for claim in node.effects
    }
    usable = engine.domain.changing - by_effects
    slots = {
        (predicate.index, place)
        for predicate in engine.domain.predicates
        if predicate.index in usable
        for place, of_type in enumerate(predicate.types)
        if of_type == type
    }
    found: list[Group] = []
    tried: set[Group] = set()
    waiting = [frozenset([slot]) for slot in sorted(slots)]
    while waiting:
        group = waiting.pop(0)
        if group in tried or len(group) > MOST_SLOTS or any(known <= group for known in found):
            continue
        tried.add(group)
        repairs = _repairs(engine.domain.actions, type, group, slots)
        if repairs is None:
            found.append(group)
        else:
            waiting.extend(group | {slot} for slot in sorted(repairs - group))
    return found


def _repairs(actions: tuple[Action, ...], type: str, group: Group, slots: set[Slot]) -> set[Slot] | None:
    """Slots one of which the group may lack; ``None`` if it lacks none, empty if there is no help."""
    for action in actions:
        needed = {(claim.predicate, claim.params) for claim in action.preconditions if claim.is_true}
        for thing, of_type in enumerate(action.types):
            if of_type != type:
                continue
            begins = [c for c in action.effects if c.is_true and _slots(c, thing) & group]
            ends = [c for c in action.effects if not c.is_true and _slots(c, thing) & group]
            swapped = [c for c in ends if (c.predicate, c.params) in needed]
            if len(begins) > 1 or len(swapped) > 1:
                return set()
            if begins and not swapped:
                lost = (c for c in action.effects if not c.is_true and (c.predicate, c.params) in needed)
                return _of(lost, thing) & slots
            if ends and not begins:
                return _of((c for c in action.effects if c.is_true), thing) & slots
    return None


def _slots(claim: LiftedLiteral, thing: int) -> set[Slot]:
    return {(claim.predicate, place) for place, param in enumerate(claim.params) if param == thing}


def _of(claims: Iterator[LiftedLiteral], thing: int) -> set[Slot]:
    return {slot for claim in claims for slot in _slots(claim, thing)}

"""Why a decision is refused: the codes of refusals, and which rule an inapplicable action breaks.

Which predicate means *hands are empty* or *the station is free*, the domain's ``placement`` says.
"""

from __future__ import annotations

from collections.abc import Sequence

from backburner.kernel.errors import shorten
from backburner.kernel.values import Fault, Refusal
from backburner.worlds.robotouille.game.actions import GroundAction
from backburner.worlds.robotouille.game.domain import Domain
from backburner.worlds.robotouille.game.layout import Atom, Layout

NO_ACTION = Refusal("no_action", Fault.UNREADABLE)
"""No action could be found in the answer."""

MOST_SAID = 200
"""Characters that a refusal keeps of a text that names no action."""


def unknown_action(text: str) -> Refusal:
    """There is no action of that name over those things."""
    return Refusal("unknown_action", Fault.UNKNOWN_THING, (("said", shorten(text, MOST_SAID)),))


def ambiguous(text: str) -> Refusal:
    """Several actions are written so (see ``Rules.exact_text_only``)."""
    return Refusal("ambiguous", Fault.UNREADABLE, (("said", shorten(text, MOST_SAID)),))


def several(names: Sequence[str]) -> Refusal:
    """An answer that holds different actions, of which nobody knows which is meant."""
    return Refusal("several", Fault.UNREADABLE, (("said", shorten("; ".join(names), MOST_SAID)),))


def too_many(n_given: int, n_robots: int) -> Refusal:
    """More actions than robots to do them."""
    return Refusal("too_many", Fault.CAPACITY, (("given", n_given), ("robots", n_robots)))


def other_robot(action: GroundAction, robot: str) -> Refusal:
    """The action is for a robot that another seat commands."""
    return Refusal("other_robot", Fault.ROLE, (*_names(action), ("robot", robot)))


def twice(action: GroundAction, robot: str) -> Refusal:
    """The robot has an action in this step already."""
    return Refusal("twice", Fault.CAPACITY, (*_names(action), ("robot", robot)))


def runs_already(action: GroundAction) -> Refusal:
    """All that the action would start is at work already."""
    return Refusal("runs_already", Fault.ALREADY_DONE, _names(action))


def inapplicable(action: GroundAction, domain: Domain, layout: Layout, facts: int) -> Refusal:
    """A precondition does not hold: facts that are ``missing``, and facts that hold and bar the action."""
    missing = tuple(layout.true_atoms(action.needs & ~facts))
    barred = tuple(layout.true_atoms(action.forbids & facts))
    detail = (
        ("missing", tuple(layout.words(atom) for atom in missing)),
        ("barred", tuple(layout.words(atom) for atom in barred)),
    )
    return Refusal("impossible", _fault(domain, layout, facts, missing), (*_names(action), *detail))


def _names(action: GroundAction) -> tuple[tuple[str, str], ...]:
    """The name of the action, and its sentence."""
    return ("action", action.name), ("said", action.text)


def _fault(domain: Domain, layout: Layout, facts: int, missing: Sequence[Atom]) -> Fault:
    """The family of the first rule that is broken: hands, then room, then presence, then all others."""
    placement = domain.file.placement
    names = {layout.predicates[predicate].name for predicate, _ in missing}
    if not names:
        return Fault.ALREADY_DONE
    if placement.holds_nothing in names:
        return Fault.CAPACITY
    if {placement.station_empty, placement.station_free, placement.item_clear} & names:
        return Fault.OCCUPIED
    if placement.player_at in names:
        return Fault.REACH
    if any(_in_a_stack(domain, layout, facts, atom) for atom in missing):
        return Fault.OCCUPIED
    return Fault.MISSING_PREREQUISITE


def _in_a_stack(domain: Domain, layout: Layout, facts: int, missing: Atom) -> bool:
    """Whether the missing fact is that an item lies on a station, and the item is there, but in a stack."""
    placement, (predicate, args) = domain.file.placement, missing
    item_at = domain.by_name.get(placement.item_at)
    is_item_on = layout.predicates[predicate].name == placement.item_on
    return is_item_on and item_at is not None and bool(facts & layout.bit(item_at.index, args))

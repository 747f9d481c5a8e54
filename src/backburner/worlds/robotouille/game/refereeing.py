"""Why an action is impossible: the facts that it lacks, and what kind of fault that is.

Which predicate means *hands full* or *station taken* is the domain's ``placement`` to say.
"""

from __future__ import annotations

from collections.abc import Sequence

from backburner.kernel.values import Fault, Refusal
from backburner.worlds.robotouille.game import actions
from backburner.worlds.robotouille.game.engine import Engine
from backburner.worlds.robotouille.game.ground import Deed
from backburner.worlds.robotouille.game.layout import Atom, Layout
from backburner.worlds.robotouille.game.state import Kitchen


def refusal(engine: Engine, kitchen: Kitchen, deed: Deed) -> Refusal | None:
    """Why a deed cannot be done now; ``None`` if it can."""
    if engine.can(kitchen, deed):
        return None
    if any(kitchen.gone >> arg & 1 for arg in deed.args):
        return actions.unknown_action(deed.text)
    layout = engine.layout(kitchen)
    if deed.possible(kitchen.facts):
        return actions.runs_already(deed.name, deed.text)
    missing = tuple(layout.true_atoms(deed.needs & ~kitchen.facts))
    barred = tuple(layout.true_atoms(deed.forbids & kitchen.facts))
    return actions.impossible(
        deed.name,
        deed.text,
        _fault(engine, kitchen, missing),
        tuple(layout.words(atom) for atom in missing),
        tuple(layout.words(atom) for atom in barred),
    )


def _fault(engine: Engine, kitchen: Kitchen, missing: Sequence[Atom]) -> Fault:
    """The family of the first rule that is broken: hands, room, place, and all others."""
    words, layout = engine.domain.file.placement, engine.layout(kitchen)
    names = {layout.predicates[predicate].name for predicate, _ in missing}
    if not names:
        return Fault.ALREADY_DONE
    if words.holds_nothing in names:
        return Fault.CAPACITY
    if {words.station_empty, words.station_free, words.item_clear} & names:
        return Fault.OCCUPIED
    if words.player_at in names:
        return Fault.REACH
    if any(_in_a_stack(engine, layout, kitchen.facts, atom) for atom in missing):
        return Fault.OCCUPIED
    return Fault.MISSING_PREREQUISITE


def _in_a_stack(engine: Engine, layout: Layout, facts: int, missing: Atom) -> bool:
    """Whether an item does not lie on a station itself, although it is there."""
    words, (predicate, args) = engine.domain.file.placement, missing
    at = engine.domain.by_name.get(words.item_at)
    on_itself = layout.predicates[predicate].name == words.item_on
    return on_itself and at is not None and bool(facts & layout.bit(at.index, args))

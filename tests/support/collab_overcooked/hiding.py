"""States that look the same to a cook: they differ only in what it may not know."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from backburner.kernel.values import Seat
from backburner.worlds.collab_overcooked.game.calls import refused
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.state import LoggedCall, Lying, State, cook_of
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked


def hidden_variants(world: CollabOvercooked, state: State, seat: Seat) -> Sequence[State]:
    """Another seed, other deeds and troubles of the partner, other things on its own counters."""
    cook = cook_of(seat)
    return [
        replace(state, seed=state.seed + 1),
        _other_past(state, cook),
        *_other_counters(world.compiled, state, cook),
    ]


def _other_past(state: State, cook: int) -> State:
    partner = state.cooks[1 - cook]
    past = replace(
        partner, recent=(*partner.recent, LoggedCall(0, "wait(1)")), refusal=refused("way_blocked")
    )
    if past == partner:
        past = replace(past, refusal=None)
    cooks = (state.cooks[0], past) if cook == 0 else (past, state.cooks[1])
    return replace(state, cooks=cooks)


def _other_counters(compiled: Compiled, state: State, cook: int) -> list[State]:
    """The partner's own counters with one thing more or less on them."""
    kitchen = state.kitchen
    mine, its = compiled.grid.reach[cook], compiled.grid.reach[1 - cook]
    found = []
    for cell in compiled.grid.counters:
        if cell in its and cell not in mine:
            lying = tuple(one for one in kitchen.lying if one.cell != cell)
            if lying == kitchen.lying:
                lying = (*lying, Lying(cell, compiled.layout.ingredients[0]))
            found.append(replace(state, kitchen=replace(kitchen, lying=lying)))
    return found

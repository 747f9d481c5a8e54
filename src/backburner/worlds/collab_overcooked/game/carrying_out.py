"""A call carried out: the next move towards it, and whether it is done."""

from __future__ import annotations

from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import Call
from backburner.worlds.collab_overcooked.game.cookbook import Cookbook
from backburner.worlds.collab_overcooked.game.grid import INTERACT, Grid
from backburner.worlds.collab_overcooked.game.moves import START, Move
from backburner.worlds.collab_overcooked.game.rule_set import Rules
from backburner.worlds.collab_overcooked.game.state import Kitchen
from backburner.worlds.collab_overcooked.game.targets import Targets

HAND_EMPTYING = frozenset((calls.PUT, calls.PLACE, calls.DELIVER))


class Carrier:
    """Carries out calls in kitchens of one layout. Waits are counted elsewhere."""

    def __init__(self, grid: Grid, cookbook: Cookbook, targets: Targets, rules: Rules) -> None:
        self._grid = grid
        self._cookbook = cookbook
        self._targets = targets
        self._rules = rules

    def move(self, kitchen: Kitchen, cook: int, call: Call) -> Move | None:
        """The next move of the cheapest way to do this; ``None`` if there is no way now."""
        body, other = kitchen.bodies[cook], kitchen.bodies[1 - cook]
        tiles = self._targets.of(kitchen, cook, call)
        action = self._grid.next_move(body.cell, body.facing, other.cell, tiles)
        if action is None:
            return None
        if action != INTERACT:
            return action, ""
        if call.verb == calls.PICKUP:
            return action, call.item
        return action, "" if call.verb in HAND_EMPTYING or call.verb == calls.FILL else START

    def done(self, kitchen: Kitchen, cook: int, call: Call) -> bool:
        """Whether the kitchen is as it is when this has been done."""
        body = kitchen.bodies[cook]
        if call.verb == calls.PICKUP:
            return body.held == call.item
        if call.verb in HAND_EMPTYING:
            return not body.held
        if call.verb == calls.FILL:
            return self._filled(kitchen, cook)
        if kitchen.ruined and self._rules.ruin_ends_operations:
            return True
        utensil = self._grid.utensil_named[call.place]
        content = kitchen.content(utensil)
        return utensil in kitchen.ruined or (content is not None and content.timer > 0)

    def _filled(self, kitchen: Kitchen, cook: int) -> bool:
        body = kitchen.bodies[cook]
        if self._rules.dish_asked_of_order and kitchen.orders:
            return kitchen.orders[0] in body.held
        return body.plated

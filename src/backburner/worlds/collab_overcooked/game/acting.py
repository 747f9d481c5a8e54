"""What the cooks' acts do in a step, one after the other: taking, putting, filling, starting, serving."""

from __future__ import annotations

from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game import layout as letters
from backburner.worlds.collab_overcooked.game.cookbook import Cookbook
from backburner.worlds.collab_overcooked.game.grid import Grid
from backburner.worlds.collab_overcooked.game.layout import DISH
from backburner.worlds.collab_overcooked.game.moves import START
from backburner.worlds.collab_overcooked.game.rule_set import Rules
from backburner.worlds.collab_overcooked.game.state import Body, Content, Kitchen, Lying

POT = "pot"
"""The kind whose fillings the released program logs as such; see ``Rules.filling_logged_as_putting``."""


class Acts:
    """A kitchen while the cooks act in it, one after the other."""

    def __init__(self, grid: Grid, cookbook: Cookbook, rules: Rules, kitchen: Kitchen) -> None:
        self._grid = grid
        self._rules = rules
        self._cookbook = cookbook
        self.bodies = list(kitchen.bodies)
        self.contents = list(kitchen.contents)
        self.lying = list(kitchen.lying)
        self.orders = list(kitchen.orders)
        self.logged = ["", ""]
        self.met = ["", ""]
        self.started: list[int] = []
        self.ruined: list[int] = []

    def act(self, cook: int, parameter: str) -> None:
        """What a cook's act does to the tile that it faces."""
        body = self.bodies[cook]
        cell = body.cell + self._grid.deltas[body.facing]
        tile = self._grid.tiles[cell]
        utensil = self._grid.utensil_at.get(cell)
        if utensil is not None:
            self._at_utensil(cook, utensil, parameter)
        elif tile == letters.COUNTER:
            self._at_counter(cook, cell)
        elif tile == letters.DISHES and not body.held:
            self._take(cook, DISH, False, calls.DISH_DISPENSER)
        elif tile == letters.INGREDIENTS and not body.held:
            self._take(cook, parameter, False, calls.INGREDIENT_DISPENSER)
        elif tile == letters.SERVING and body.held and not body.holds_dish:
            self._serve(cook)

    def _take(self, cook: int, item: str, plated: bool, source: str) -> None:
        body = self.bodies[cook]
        self.bodies[cook] = Body(body.cell, body.facing, item, plated)
        self.logged[cook] = f"{calls.PICKUP}({item},{source})"

    def _empty_hands(self, cook: int) -> None:
        body = self.bodies[cook]
        self.bodies[cook] = Body(body.cell, body.facing)

    def _at_counter(self, cook: int, cell: int) -> None:
        body = self.bodies[cook]
        there = next((place for place, one in enumerate(self.lying) if one.cell == cell), None)
        if body.held and there is None:
            self.lying.append(Lying(cell, body.held, body.plated))
            self._empty_hands(cook)
            self.logged[cook] = f"{calls.PLACE}()"
        elif not body.held and there is not None:
            one = self.lying.pop(there)
            self._take(cook, one.item, one.plated, calls.COUNTER)

    def _at_utensil(self, cook: int, utensil: int, parameter: str) -> None:
        body, found = self.bodies[cook], self._grid.utensils[utensil]
        place = next((p for p, one in enumerate(self.contents) if one.utensil == utensil), None)
        content = None if place is None else self.contents[place]
        if parameter == START and content is not None and not content.timer:
            if utensil not in self.started:
                self.started.append(utensil)
            self.logged[cook] = f"{found.verb}({found.name})"
        elif body.holds_dish:
            if place is not None and content is not None and content.ready:
                del self.contents[place]
                self.bodies[cook] = Body(body.cell, body.facing, content.output, True)
                as_putting = self._rules.filling_logged_as_putting and found.kind != POT
                self.logged[cook] = f"{calls.PUT if as_putting else calls.FILL}({found.name})"
        elif body.held:
            self._put(cook, utensil, place)
        elif place is not None and content is not None and content.ready:
            del self.contents[place]
            self._take(cook, content.output, False, found.name)

    def _put(self, cook: int, utensil: int, place: int | None) -> None:
        item = self.bodies[cook].held
        if place is None:
            self.contents.append(Content(utensil, (item,)))
        else:
            content = self.contents[place]
            if content.timer:
                return
            if len(content.items) >= self._cookbook.capacity:
                if self._rules.full_utensils_accept:
                    self.logged[cook] = f"{calls.PUT}({self._grid.utensils[utensil].name})"
                return
            self.contents[place] = Content(utensil, (*content.items, item))
        self._empty_hands(cook)
        self.logged[cook] = f"{calls.PUT}({self._grid.utensils[utensil].name})"

    def _serve(self, cook: int) -> None:
        body = self.bodies[cook]
        wanted = self.orders[:1] if self._rules.first_order_only else self.orders
        met = body.held in wanted and self._cookbook.needs_dish[body.held] == body.plated
        if not met and not self._rules.food_is_lost:
            return
        if met:
            self.orders.remove(body.held)
            self.met[cook] = body.held
        self._empty_hands(cook)
        self.logged[cook] = f"{calls.DELIVER}()"

"""A kitchen as a scene: the grid with its fittings, both cooks, what they hold and say, what cooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from backburner.kernel.scene import Body, Place, Progress, Scene, Thing
from backburner.worlds.collab_overcooked.game import calls, talking
from backburner.worlds.collab_overcooked.game import layout as letters
from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.game.scenarios import ROLES
from backburner.worlds.collab_overcooked.game.state import Content, State
from backburner.worlds.collab_overcooked.game.targets import SERVING

WAYS = ((0, -1), (0, 1), (1, 0), (-1, 0))
"""The directions of ``grid`` as steps (column, row)."""

FITTINGS: Mapping[str, str] = {
    letters.COUNTER: calls.COUNTER,
    letters.INGREDIENTS: calls.INGREDIENT_DISPENSER,
    letters.DISHES: calls.DISH_DISPENSER,
    letters.SERVING: SERVING,
}
"""What stands on a tile, by its letter, but for utensils."""

READY, ON_A_DISH, LOST = "ready", "on a dish", "matched no recipe"


class Scenes:
    """The scenes of one kitchen."""

    def __init__(self, ware: Kitchenware) -> None:
        self._ware = ware
        self.places = _named(ware)

    def of(self, state: State, cook: int | None) -> Scene:
        """The scene to an onlooker, or without what lies on counters that this cook knows nothing of.

        Cooks, utensils and what is said are known to both.
        """
        names, grid = _Names((*(name for name, _ in self.places.values()), *ROLES)), self._ware.grid
        places = tuple(self._place(state, cell, cook, names) for cell in self.places)
        bodies = tuple(self._body(state, one, names) for one in (0, 1))
        return Scene(grid.width, grid.height, places, bodies, caption=_caption(state))

    def _place(self, state: State, cell: int, cook: int | None, names: _Names) -> Place:
        name, kind = self.places[cell]
        at, kitchen = self._ware.grid.at(cell), state.kitchen
        utensil = self._ware.grid.utensil_at.get(cell)
        if utensil is None:
            lying = kitchen.on_counter(cell)
            shown = lying is not None and self.is_shown(cell, cook)
            stack = (names.thing(lying.item, lying.plated),) if lying is not None and shown else ()
            return Place(name, kind, at, stack=stack)
        marks = (LOST,) if utensil in kitchen.ruined else ()
        content = kitchen.content(utensil)
        if content is None:
            return Place(name, kind, at, marks)
        return Place(name, kind, at, marks, stack=_inside(content, names), progress=_progress(content))

    def is_shown(self, cell: int, cook: int | None) -> bool:
        """Whether an onlooker (``None``) or a cook is told what lies on a counter."""
        if cook is None:
            return True
        mine, its = (self._ware.grid.reach[one] for one in (cook, 1 - cook))
        return cell in mine and (cell in its or not self._ware.rules.private_counters_unseen)

    def _body(self, state: State, cook: int, names: _Names) -> Body:
        body, grid = state.kitchen.bodies[cook], self._ware.grid
        faced = self.places.get(body.cell + grid.deltas[body.facing])
        call = state.cooks[cook].call
        return Body(
            ROLES[cook],
            "cook",
            grid.at(body.cell),
            WAYS[body.facing],
            faced[0] if faced else "",
            (names.thing(body.held, body.plated),) if body.held else (),
            marks=(call,) if call else (),
            says=_says(state, cook),
        )


class _Names:
    """Names for the things of one scene; a name that is ``taken`` is numbered."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._count = dict.fromkeys(taken, 1)

    def thing(self, item: str, plated: bool = False, marks: tuple[str, ...] = ()) -> Thing:
        number = self._count[item] = self._count.get(item, 0) + 1
        name = item if number == 1 else f"{item} {number}"
        return Thing(name, item, (*marks, *([ON_A_DISH] if plated else [])))


def _inside(content: Content, names: _Names) -> tuple[Thing, ...]:
    if content.ready:
        return (names.thing(content.output, marks=(READY,)),)
    return tuple(names.thing(item) for item in content.items)


def _progress(content: Content) -> tuple[Progress, ...]:
    return (Progress(content.output, content.timer, content.steps),) if content.cooking else ()


def _says(state: State, cook: int) -> str:
    """The last words of a cook in the talk that goes on."""
    lines = state.talk.lines if state.talk is not None else ()
    said = [line.said for line in lines if line.cook == cook]
    return said[-1].strip() if said and talking.says_something(said[-1]) else ""


def _caption(state: State) -> str:
    orders = ", ".join(state.kitchen.orders) or "none"
    return f"step {state.kitchen.steps} · orders: {orders} · delivered: {state.delivered}"


def _named(ware: Kitchenware) -> dict[int, tuple[str, str]]:
    """(name, kind) of whatever stands on each tile, in reading order.

    Counters are numbered, other fittings only where there are several of a kind.
    """
    grid = ware.grid
    found: dict[int, tuple[str, str]] = {}
    for cell, tile in enumerate(grid.tiles):
        if tile in FITTINGS:
            kind = FITTINGS[tile]
            alone = tile != letters.COUNTER and grid.tiles.count(tile) == 1
            found[cell] = (kind if alone else f"{kind}-{grid.tiles[:cell].count(tile)}", kind)
        elif cell in grid.utensil_at:
            utensil = grid.utensils[grid.utensil_at[cell]]
            found[cell] = (utensil.name, utensil.kind)
    return found

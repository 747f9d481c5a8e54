"""A kitchen as a scene: places in two rows, bodies between them, orders beside."""

from __future__ import annotations

from backburner.kernel.scene import Body, Cell, Place, Progress, Scene, Thing
from backburner.kernel.values import Seat
from backburner.worlds.cuisineworld.game.kitchen import Kitchen
from backburner.worlds.cuisineworld.game.scenarios import Scenario
from backburner.worlds.cuisineworld.game.seats import body_name
from backburner.worlds.cuisineworld.game.sight import Sight
from backburner.worlds.cuisineworld.game.state import NOTHING, Order, State

ROWS = 4
OCCUPIED = "occupied"


class Scenes:
    """The scenes of one scenario."""

    def __init__(self, scenario: Scenario, kitchen: Kitchen, sight: Sight) -> None:
        self.scenario = scenario
        self.kitchen = kitchen
        self.sight = sight
        self.width = (len(kitchen.places) + 1) // 2
        self.cells = tuple(self._cell(place) for place in range(len(kitchen.places)))

    def _cell(self, place: int) -> Cell:
        row = 0 if place < self.width else ROWS - 1
        return place % self.width, row

    def of(self, state: State, seat: Seat | None) -> Scene:
        """The scene to an onlooker, or as far as a seat may know: no timers, only orders that it has seen."""
        orders = state.orders if seat is None else self.sight.known_orders(state, seat)
        names = _Names()
        return Scene(
            self.width,
            ROWS,
            tuple(self._place(state, place, seat is None, names) for place in range(len(self.cells))),
            tuple(self._body(state, body, names) for body in range(len(state.at))),
            tuple(self._order(order) for order in orders),
            f"{len(state.served)} served, {state.failed} failed",
        )

    def _place(self, state: State, place: int, timers: bool, names: _Names) -> Place:
        kitchen, busy = self.kitchen, state.busy[place]
        things = state.inside[place]
        progress: tuple[Progress, ...] = ()
        if busy and timers:
            full = kitchen.busy_steps[place]
            progress = (Progress(kitchen.things[things[0]], full - busy, full),)
        return Place(
            kitchen.places[place],
            kitchen.kinds[place].name,
            self.cells[place],
            marks=(OCCUPIED,) if busy else (),
            stack=tuple(names.thing(kitchen.things[thing]) for thing in things),
            progress=progress,
        )

    def _body(self, state: State, body: int, names: _Names) -> Body:
        place, held = state.at[body], state.held[body]
        column, row = self.cells[place]
        down = 1 if row == 0 else -1
        return Body(
            body_name(body),
            "agent",
            (column, row + down),
            (0, -down),
            self.kitchen.places[place],
            () if held == NOTHING else (names.thing(self.kitchen.things[held]),),
            marks=(OCCUPIED,) if state.hands_busy[body] else (),
        )

    def _order(self, order: Order) -> Thing:
        full = self.scenario.lifetimes[order.dish]
        waited = Progress("waiting", full - order.left, full)
        dish = self.kitchen.dishes[order.dish]
        return Thing(f"{dish}, order {order.number}", dish, progress=(waited,))


class _Names:
    """Names for things that have none: kinds, numbered from the second of a kind on."""

    def __init__(self) -> None:
        self._count: dict[str, int] = {}

    def thing(self, kind: str) -> Thing:
        """The next thing of a kind."""
        number = self._count[kind] = self._count.get(kind, 0) + 1
        return Thing(kind if number == 1 else f"{kind} {number}", kind)

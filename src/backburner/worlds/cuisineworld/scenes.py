"""A kitchen as a scene: places in two rows, bodies between them, orders beside."""

from __future__ import annotations

from backburner.kernel.scene import Body, Cell, Place, Progress, Scene, Thing
from backburner.kernel.values import Seat
from backburner.worlds.cuisineworld.kitchen import Kitchen
from backburner.worlds.cuisineworld.scenarios import Scenario
from backburner.worlds.cuisineworld.seats import body_name
from backburner.worlds.cuisineworld.sight import Sight
from backburner.worlds.cuisineworld.state import NOTHING, Order, State

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
        return Scene(
            self.width,
            ROWS,
            tuple(self._place(state, place, seat is None) for place in range(len(self.cells))),
            tuple(self._body(state, body) for body in range(len(state.at))),
            tuple(self._order(order) for order in orders),
            f"{len(state.served)} served, {state.failed} failed",
        )

    def _place(self, state: State, place: int, timers: bool) -> Place:
        kitchen = self.kitchen
        name, busy = kitchen.places[place], state.busy[place]
        things = state.inside[place]
        progress: tuple[Progress, ...] = ()
        if busy and timers:
            full = kitchen.busy_steps[place]
            progress = (Progress(kitchen.things[things[0]], full - busy, full),)
        return Place(
            name,
            kitchen.kinds[place].name,
            self.cells[place],
            marks=(OCCUPIED,) if busy else (),
            stack=tuple(
                Thing(f"{name}.{index} {kitchen.things[thing]}", kitchen.things[thing])
                for index, thing in enumerate(things)
            ),
            progress=progress,
        )

    def _body(self, state: State, body: int) -> Body:
        name, place, held = body_name(body), state.at[body], state.held[body]
        column, row = self.cells[place]
        down = 1 if row == 0 else -1
        things = self.kitchen.things
        return Body(
            name,
            "agent",
            (column, row + down),
            (0, -down),
            self.kitchen.places[place],
            () if held == NOTHING else (Thing(f"{name} {things[held]}", things[held]),),
            marks=(OCCUPIED,) if state.hands_busy[body] else (),
        )

    def _order(self, order: Order) -> Thing:
        full = self.scenario.lifetimes[order.dish]
        waited = Progress("waiting", full - order.left, full)
        return Thing(f"order {order.number}", self.kitchen.dishes[order.dish], ("ordered",), (), (waited,))

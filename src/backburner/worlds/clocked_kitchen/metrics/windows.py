"""From when to when each order of a record waited, and when it was served."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from backburner.kernel.assessment import Assessment, Window, WindowState
from backburner.kernel.episode import Episode
from backburner.kernel.replay import decisions_in, trajectory
from backburner.kernel.values import Event
from backburner.worlds.clocked_kitchen.game.scenarios import TICKS_A_SECOND, seconds
from backburner.worlds.clocked_kitchen.game.state import Order
from backburner.worlds.clocked_kitchen.game.transition import Transition
from backburner.worlds.clocked_kitchen.game.world import ClockedKitchen


def assessment(world: ClockedKitchen) -> Assessment:
    """The windows of a record's orders."""
    return Assessment(windows=lambda episode: tuple(_windows(world, episode)))


class _Tracker:
    """Looks at the orders after each tick: which there were, and in which tick each was there last."""

    def __init__(self, orders: Iterable[Order]) -> None:
        self.orders = {order.number: order for order in orders}
        self.last = dict.fromkeys(self.orders, 0)

    def look(self, transition: Transition) -> None:
        """Note the open orders."""
        for order in transition.orders:
            self.orders.setdefault(order.number, order)
            self.last[order.number] = transition.tick


def _windows(world: ClockedKitchen, episode: Episode) -> Iterator[Window]:
    """On the lane of the first serving table, the order that came first before all others."""
    state = world.start(episode.header.seed)
    tracker, served = _Tracker(state.orders), dict[str, Event]()
    for before, entry, step in trajectory(episode, world):
        world.rulebook.step(before, decisions_in(world, entry), tracker.look)
        served |= {event.key: event for event in step.events if event.what == "delivered"}
        state = step.state
    found = []
    for number, order in tracker.orders.items():
        met = served.pop(f"order {number}", None)
        missed: WindowState = "open" if tracker.last[number] == state.tick else "missed"
        came = order.due - world.compiled.lifetimes[order.dish]
        found.append(_window(world, order.dish, came, missed if met is None else "kept", met))
    for met in served.values():  # what was ordered lay on the table when the order came
        dish = world.compiled.kitchen.dishes.index(met.label)
        found.append(_window(world, dish, round(met.time * TICKS_A_SECOND), "kept", met))
    yield from sorted(found, key=lambda window: window.opens)


def _window(world: ClockedKitchen, dish: int, came: int, state: WindowState, met: Event | None) -> Window:
    kitchen = world.compiled.kitchen
    return Window(
        kitchen.places[kitchen.start],
        kitchen.dishes[dish],
        seconds(came),
        seconds(came + world.compiled.lifetimes[dish]),
        state,
        None if met is None else met.time,
    )

"""What a step tells: what each body did, tools at work, orders served and expired, the score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from backburner.kernel.values import Event, Seat
from backburner.worlds.cuisineworld.game.actions import ACTIVATE, NOOP, Command
from backburner.worlds.cuisineworld.game.kitchen import Kitchen
from backburner.worlds.cuisineworld.game.seats import body_name
from backburner.worlds.cuisineworld.game.serving import Checked
from backburner.worlds.cuisineworld.game.state import State

Bound = Literal["start", "end"]
Kind = Literal["work", "refused"]

ORDERS = "orders"
"""The lane of orders that expire."""


class Teller:
    """Makes the events of one kitchen's steps. A body's command lasts a step, a tool's work as long as it is
    busy, which may be no time at all; bodies that stand still tell nothing."""

    def __init__(self, kitchen: Kitchen, bodies: int) -> None:
        self.kitchen = kitchen
        self.names = tuple(body_name(body) for body in range(bodies))

    def events(
        self,
        old: State,
        new: State,
        checked: Checked,
        given: Sequence[tuple[Command, Seat, int]],
        failures: Sequence[Command],
    ) -> tuple[Event, ...]:
        """Everything from the beginning of the step to its end, in order."""
        now, then, names = old.steps, new.steps, self.names
        told: list[Event] = []
        ends: list[Event] = []
        for command, _, _ in given:
            if command.verb == NOOP:
                continue
            name = names[command.body]
            key = f"{name} {now}"
            kind: Kind = "refused" if failures and command in failures else "work"
            told.append(Event(now, "start", name, command.label, key, kind))
            ends.append(Event(then, "end", name, command.label, key, kind))
        for deed in new.feedback.done:
            if deed.verb == ACTIVATE:
                told.append(self._work("start", now, now, deed.place, deed.thing))
                if not self.kitchen.busy_steps[deed.place]:
                    told.append(self._work("end", now, now, deed.place, deed.thing))
        told += ends
        for place in new.feedback.finished:
            if busy := self.kitchen.busy_steps[place]:
                told.append(self._work("end", then, then - busy, place, new.inside[place][0]))
        if checked.served or checked.expired:
            told += self._orders(new, checked)
        return tuple(told)

    def _work(self, what: Bound, time: int, since: int, place: int, made: int) -> Event:
        name = self.kitchen.places[place]
        return Event(time, what, name, self.kitchen.things[made], f"{name} {since}")

    def _orders(self, new: State, checked: Checked) -> list[Event]:
        dishes, places = self.kitchen.dishes, self.kitchen.places
        told = [
            Event(new.steps, "delivered", places[table], dishes[order.dish], f"order {order.number}")
            for order, table in checked.served
        ]
        told += [
            Event(new.steps, "expired", ORDERS, dishes[order.dish], f"order {order.number}")
            for order in checked.expired
        ]
        if checked.served:
            told.append(Event(new.steps, "score", ORDERS, value=len(new.served)))
        return told

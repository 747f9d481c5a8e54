"""Ticks in progress: the state in lists that each tick changes, and what happened in them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal

from msgspec.structs import replace

from backburner.kernel.values import Event, Refusal, Seat
from backburner.worlds.clocked_kitchen.game import floor, legality
from backburner.worlds.clocked_kitchen.game.compiled import Compiled
from backburner.worlds.clocked_kitchen.game.floor import Target
from backburner.worlds.clocked_kitchen.game.inverse_model import Glimpse, inferred
from backburner.worlds.clocked_kitchen.game.rule_set import Rules
from backburner.worlds.clocked_kitchen.game.scenarios import seconds
from backburner.worlds.clocked_kitchen.game.state import (
    GET,
    GOTO,
    MOVE,
    NOOP,
    NOTHING,
    PUT,
    WAIT,
    Command,
    Deed,
    Ended,
    Errand,
    Order,
    State,
    refused,
)
from backburner.worlds.cuisineworld.game.compiled import STORAGE, TABLE
from backburner.worlds.dispatch.orders import draw

ORDERS = "orders"
"""The lane of orders that expire."""

MOST_DEEDS = 12
"""Deeds that are kept to be told."""

Bound = Literal["start", "end"]
BOUNDS: tuple[Bound, Bound] = ("start", "end")

MOST_WALKED = 3000
"""Ticks after which somebody who has not arrived gives up: only where bodies do not give way."""


class Transition:
    """The kitchen in the middle of a step of one tick or more."""

    def __init__(self, compiled: Compiled, rules: Rules, limit: int | None, state: State) -> None:
        self.compiled, self.rules, self.limit = compiled, rules, limit
        self.kitchen, self.floor, self.clock = compiled.kitchen, compiled.floor, compiled.clock
        self.state = state
        self.tick = state.tick
        self.at, self.facing = list(state.at), list(state.facing)
        self.held, self.free_at = list(state.held), list(state.free_at)
        self.errands = list(state.errands)
        self.inside, self.until = list(state.inside), list(state.until)
        self.ready = state.ready
        self.orders, self.arrived = state.orders, state.arrived
        self.served, self.expired = state.served, state.expired
        self.deeds, self.feedback, self.untold = state.deeds, state.feedback, state.untold
        self.silent: Collection[Seat] = ()
        """Seats that are told later what comes to nothing now."""
        self.ended: Ended = state.ended
        self.events: list[Event] = []
        self.changed = False
        """Whether the last tick moved a body or changed what is held or inside."""
        self._before: Glimpse | None = None
        """What there was to see before the first hands were used in this tick."""

    @property
    def now(self) -> State:
        """The state as it is between two ticks."""
        return State(
            tick=self.tick,
            at=tuple(self.at),
            facing=tuple(self.facing),
            held=tuple(self.held),
            free_at=tuple(self.free_at),
            errands=tuple(self.errands),
            inside=tuple(self.inside),
            until=tuple(self.until),
            ready=self.ready,
            orders=self.orders,
            arrived=self.arrived,
            served=self.served,
            expired=self.expired,
            stream=self.state.stream,
            deeds=self.deeds,
            feedback=self.feedback,
            ended=self.ended,
            untold=self.untold,
        )

    # --- what is commanded --------------------------------------------------------------------------------

    def tell(self, seat: Seat, refusals: Iterable[Refusal]) -> None:
        """Tell a seat what is refused of its commands, and what came to nothing while it was silent."""
        others = tuple(told for told in self.feedback if told.seat != seat)
        late = tuple(told for told in self.untold if told.seat == seat)
        self.feedback = (*others, *late, *refusals)
        if late:
            self.untold = tuple(told for told in self.untold if told.seat != seat)

    def begin(self, command: Command) -> None:
        """Put a command in the place of what its body had under way."""
        body = command.body
        self._end_errand(body)
        if command.verb == NOOP:
            return
        self.errands[body] = Errand(command.verb, command.target, command.item, self.tick)
        if command.verb != MOVE:
            self._tell("start", body, self.tick)

    def wait(self, body: int, ticks: int) -> None:
        """Let a body with nothing under way wait from when it is free."""
        self.errands[body] = Errand(WAIT, max(self.tick, self.free_at[body]) + ticks)

    def lose(self, body: int, label: str, how: Literal["refused", "late"]) -> None:
        """Note that a command of a body came to nothing, at once or when the body was there."""
        name, time = self.compiled.names[body], seconds(self.tick)
        key = f"{name} {self.tick} {how}"
        for what in BOUNDS:
            self.events.append(Event(time, what, name, label, key, "refused"))

    def _end_errand(self, body: int) -> None:
        errand = self.errands[body]
        if errand is not None:
            if errand.verb not in (MOVE, WAIT):
                self._tell("end", body, errand.since)
            self.errands[body] = None

    def _tell(self, what: Bound, body: int, since: int) -> None:
        errand, name = self.errands[body], self.compiled.names[body]
        assert errand is not None  # noqa: S101
        label = self.compiled.label(errand.verb, errand.target, errand.item)
        self.events.append(Event(seconds(self.tick), what, name, label, f"{name} {since}"))

    # --- a tick -------------------------------------------------------------------------------------------

    def pass_tick(self) -> None:
        """Everybody who is free goes on; then a tenth of a second has passed."""
        self.changed, self._before = False, None
        now, free_at, waits = self.tick, self.free_at, False
        for body, errand in enumerate(self.errands):
            if errand is not None:
                if errand.verb == WAIT:
                    waits = True
                elif free_at[body] <= now:
                    self._go_on(body, errand)
        if now in free_at:  # somebody has come to rest
            self._look()
        self.tick = now = now + 1
        if self._before is not None:
            self._note(self._before)
        if waits:
            for body, errand in enumerate(self.errands):
                if errand is not None and errand.verb == WAIT and errand.target <= now:
                    self.errands[body] = None
        if now in self.until:
            self._finish()
        if self.orders and self.orders[0].due <= now:
            self._expire()
        if not now % self.compiled.interval:
            self._arrive()
        if now == self.limit:
            self.ended = "horizon"

    def _look(self) -> None:
        """Remember how things are before the first of them changes in this tick."""
        if self._before is None:
            self._before = self._glimpse()

    def _glimpse(self) -> Glimpse:
        faced = tuple(map(self.compiled.faced, self.at, self.facing))
        rests = tuple([free < self.tick for free in self.free_at])
        return Glimpse(faced, rests, tuple(self.held), tuple(self.inside), tuple(self.until))

    def _note(self, before: Glimpse) -> None:
        """Remember what can be seen to have been done in this tick. Who goes on at the place of its last deed
        has not gone there again."""
        done = inferred(self.compiled, before, self._glimpse())
        if done:
            last = {deed.body: deed.place for deed in self.deeds}
            new = [deed for deed in done if deed[1] != GOTO or last.get(deed[0]) != deed[2]]
            self.deeds = (*self.deeds, *[Deed(*deed, self.tick) for deed in new])[-MOST_DEEDS:]

    def _go_on(self, body: int, errand: Errand) -> None:
        if errand.verb == MOVE:
            self._move(body, errand.target)
            return
        target = self.floor.targets[errand.target]
        if target.distance[self.at[body]]:
            self._walk(body, errand)
            return
        look = target.looks[self.at[body]]
        faces = self.floor.faced[self.at[body]][self.facing[body]]
        if faces < 0 or not self._serves(faces, errand):
            self._look()
            self.facing[body] = look
            self.changed = True
        self._act(body, errand, target.place)

    def _serves(self, spot: int, errand: Errand) -> bool:
        """Whether the errand can be done at a spot: one of its place, on a shelf for what it wants."""
        there, target = self.floor.spots[spot], self.floor.targets[errand.target]
        return there.place == target.place and self.floor.target_of[there.place, NOTHING] == errand.target

    # --- walking ------------------------------------------------------------------------------------------

    def _move(self, body: int, way: int) -> None:
        """Turn, and go to the next cell if nobody who does not give way stands there."""
        self.errands[body] = None
        if self.facing[body] != way:
            self.facing[body] = way
            self.changed = True
        cell = next((cell for direction, cell in self.floor.ways[self.at[body]] if direction == way), NOTHING)
        if cell == NOTHING or not (self._step(body, way, cell) or self._squeeze(body, way, cell)):
            self.free_at[body] = self.tick + 1

    def _walk(self, body: int, errand: Errand) -> None:
        """A step nearer, or on a way around others, or past somebody; else the body waits."""
        target, cell = self.floor.targets[errand.target], self.at[body]
        if errand.detours and self._go_around(body, errand, target):
            return
        steps = floor.nearer(self.floor, target, cell, self.facing[body])
        for way, beside in steps:
            if self._step(body, way, beside):
                return
        if not errand.detours and self._go_around(body, errand, target):
            return
        for way, beside in steps:
            if self._squeeze(body, way, beside):
                return
        if self.tick - errand.since >= MOST_WALKED:
            self._end_errand(body)
            self._fail(body, errand, "way_blocked")

    def _go_around(self, body: int, errand: Errand, target: Target) -> bool:
        if errand.detours >= floor.MOST_DETOURS:
            return False
        cell = self.at[body]
        far, worth = target.distance[cell], self.clock.squeeze_ticks // self.clock.cell_ticks
        others = [at for other, at in enumerate(self.at) if other != body]
        around = floor.way_around(self.floor, target, cell, others, far + max(2, worth))
        if around is None or not self._step(body, *around):
            return False
        if target.distance[around[1]] >= far:
            self.errands[body] = replace(errand, detours=errand.detours + 1)
        return True

    def _step(self, body: int, way: int, cell: int) -> bool:
        """Go to a cell if it is free."""
        if cell in self.at:
            return False
        self.at[body], self.facing[body] = cell, way
        self.free_at[body] = self.tick + self.clock.cell_ticks
        self.changed = True
        return True

    def _squeeze(self, body: int, way: int, cell: int) -> bool:
        """Change places with who stands on a cell, if it gives way."""
        other = self.at.index(cell) if cell in self.at else NOTHING
        if self.rules.blocking or other == NOTHING or self.free_at[other] > self.tick:
            return False
        if not floor.gives_way(self.floor, body, other, self.errands, self.at):
            return False
        self.at[body], self.at[other] = cell, self.at[body]
        self.facing[body] = way
        self.free_at[body] = self.free_at[other] = self.tick + self.clock.squeeze_ticks
        self.changed = True
        return True

    # --- hands --------------------------------------------------------------------------------------------

    def obstacle(self, body: int, verb: int, place: int, item: int) -> str:
        """The code of why a body that stands there could not do this now, empty if it could."""
        busy = {place: self.until[place] > self.tick}
        hands = legality.Hands(self.kitchen, self.held, self.inside, self.ready, busy)
        return hands.obstacle(body, verb, place, item)

    def _act(self, body: int, errand: Errand, place: int) -> None:
        """Do at a place what one has come for; whoever comes for what is not ready waits for it."""
        verb = errand.verb
        if verb == GOTO:
            self._end_errand(body)
            return
        code = self.obstacle(body, verb, place, errand.item)
        if code == legality.OCCUPIED and verb == GET:
            return
        self._end_errand(body)
        if code:
            self._fail(body, errand, code)
            return
        self.changed = True
        self._look()
        self.free_at[body] = self.tick + self.clock.hand_ticks
        if verb == GET:
            self._get(body, place, errand.item)
        elif verb == PUT:
            self._put(body, place)
        else:
            self._activate(body, place)

    def _fail(self, body: int, errand: Errand, code: str) -> None:
        label = self.compiled.label(errand.verb, errand.target, errand.item)
        name = self.compiled.names[body]
        self.lose(body, label, "late")
        seat = self.compiled.seating.owner[body]
        late = refused(code, f"{name}: {label}", seat, 0, self.holding(body), late=True)
        if seat in self.silent:
            self.untold = (*self.untold, late)
        else:
            self.feedback = (*self.feedback, late)

    def holding(self, body: int) -> dict[str, str]:
        """The detail of refusals that says what a body holds, if anything."""
        held = self.held[body]
        return {} if held == NOTHING else {"thing": self.kitchen.things[held]}

    def _get(self, body: int, place: int, item: int) -> None:
        if self.kitchen.roles[place] == STORAGE:
            self.held[body] = item
            return
        content = self.inside[place]
        self.held[body], self.inside[place] = content[0], content[1:]
        self.ready &= ~(1 << place)

    def _put(self, body: int, place: int) -> None:
        held, role = self.held[body], self.kitchen.roles[place]
        self.held[body] = NOTHING
        if role != STORAGE:
            self.inside[place] = (*self.inside[place], held)
        if role == TABLE:
            self._serve()

    def _activate(self, body: int, place: int) -> None:
        product = self.kitchen.product(place, self.inside[place])
        self.inside[place] = (product,)
        self.ready |= 1 << place
        ticks = self.compiled.work_ticks[place]
        name, label = self.kitchen.places[place], self.kitchen.things[product]
        if not ticks:  # others may start it again in the same tick
            key = f"{name} {self.tick} {self.compiled.names[body]}"
            for what in BOUNDS:
                self.events.append(Event(seconds(self.tick), what, name, label, key))
            return
        self.events.append(Event(seconds(self.tick), "start", name, label, f"{name} {self.tick}"))
        self.until[place] = self.tick + ticks
        if self.kitchen.holds_body[place]:
            self.free_at[body] = max(self.free_at[body], self.until[place])

    def _finish(self) -> None:
        """The tools whose work ends now."""
        for place, until in enumerate(self.until):
            if until == self.tick:
                name, product = self.kitchen.places[place], self.kitchen.things[self.inside[place][0]]
                key = f"{name} {until - self.compiled.work_ticks[place]}"
                self.events.append(Event(seconds(until), "end", name, product, key))

    # --- orders -------------------------------------------------------------------------------------------

    def _serve(self) -> None:
        """Serve the most urgent orders with what lies on the tables, the first table first."""
        for order in self.orders:
            dish = self.kitchen.dish_things[order.dish]
            for table in self.kitchen.tables:
                content = self.inside[table]
                if dish in content:
                    index = content.index(dish)
                    self.inside[table] = content[:index] + content[index + 1 :]
                    self._close(order)
                    self.served = (*self.served, order.dish)
                    self._tell_order("delivered", self.kitchen.places[table], order)
                    score = Event(seconds(self.tick), "score", ORDERS, value=len(self.served))
                    self.events.append(score)
                    break

    def _close(self, order: Order) -> None:
        self.orders = tuple([each for each in self.orders if each is not order])

    def _tell_order(self, what: Literal["delivered", "expired"], lane: str, order: Order) -> None:
        dish, key = self.kitchen.dishes[order.dish], f"order {order.number}"
        self.events.append(Event(seconds(self.tick), what, lane, dish, key))

    def _expire(self) -> None:
        for order in self.orders:
            if order.due > self.tick:
                break
            self._close(order)
            self.expired += 1
            self._tell_order("expired", ORDERS, order)

    def _arrive(self) -> None:
        """One more order, unless so many are open; it is served at once if its dish is there."""
        kitchen = self.compiled.scenario.kitchen
        if len(self.orders) >= kitchen.most_open:
            return
        order = drawn(self.compiled, self.state.stream, self.arrived, self.tick)
        self.arrived += 1
        self.orders = by_urgency(self.compiled, (*self.orders, order))
        self._serve()


def drawn(compiled: Compiled, stream: int, number: int, tick: int) -> Order:
    """The order of this number, as it comes."""
    dish = draw(stream, len(compiled.lifetimes), compiled.scenario.kitchen.first_draw + number)
    return Order(dish, tick + compiled.lifetimes[dish], number)


def by_urgency(compiled: Compiled, orders: Iterable[Order]) -> tuple[Order, ...]:
    """The most urgent first; of equals the one whose dish comes first by name."""
    return tuple(sorted(orders, key=lambda order: (order.due, compiled.rank[order.dish], order.number)))

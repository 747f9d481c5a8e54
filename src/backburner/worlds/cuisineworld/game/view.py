"""What is seen of a state: by a seat, as values, and as a scene; keys and clicks for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from backburner.kernel.errors import shorten
from backburner.kernel.values import Event, Refusal, Seat
from backburner.kernel.view import Body, Cell, Place, Progress, Scene, Thing
from backburner.worlds.cuisineworld.game.compiled import Compiled
from backburner.worlds.cuisineworld.game.reading import MOST_READ, CommandReader
from backburner.worlds.cuisineworld.game.rule_set import Rules
from backburner.worlds.cuisineworld.game.scenarios import HEAD_CHEF, Scenario, body_name
from backburner.worlds.cuisineworld.game.state import (
    MOST_SAID,
    NOOP,
    NOTHING,
    SILENT,
    VERBS,
    Act,
    Command,
    Decided,
    Observation,
    SeenAct,
    SeenBody,
    SeenOrder,
    SeenPlace,
    State,
)
from backburner.worlds.dispatch.instructor import harmless
from backburner.worlds.dispatch.orders import Order
from backburner.worlds.dispatch.seating import Seating
from backburner.worlds.dispatch.words import ThingNames, waiting

Successes = tuple[tuple[SeenAct, ...], tuple[tuple[str, str], ...], tuple[str, ...]]
"""What was done, (place, product) of what was finished, the dishes that were served."""

Failures = tuple[tuple[Refusal, ...], bool]
"""What was refused, and whether idling is complained about."""

ROWS = 4
OCCUPIED = "occupied"
ORDER = "order {}"
"""The key of an order's events."""


@dataclass(frozen=True, eq=False)
class Sight:
    """What the seats of a scenario see."""

    scenario: Scenario
    rules: Rules
    compiled: Compiled
    seating: Seating
    reader: CommandReader

    def known_orders(self, state: State, seat: Seat) -> tuple[Order, ...]:
        """The open orders that one of the seat's bodies has seen; all of them where none is hidden.

        A head chef stands where the orders hang.
        """
        if not self.scenario.hidden_orders or seat == HEAD_CHEF:
            return state.orders
        seen = 0
        for body in self.seating.bodies_of[seat]:
            seen |= state.seen[body]
        return tuple(order for order in state.orders if seen >> order.number & 1)

    def known_events(
        self, seat: Seat, before: State, events: Sequence[Event], after: State
    ) -> tuple[Event, ...]:
        """What happens in the kitchen, which everybody sees, and the end of orders that the seat knew of.

        That a command was refused is told to its own seat, if anybody is told.
        """
        orders = {ORDER.format(order.number) for order in self.known_orders(before, seat)}
        orders |= {ORDER.format(order.number) for order in self.known_orders(after, seat)}
        own = {body_name(body) for body in self.seating.bodies_of.get(seat, ())}
        told = own if self.scenario.feedback != "none" else set()
        return tuple(
            event
            for event in events
            if (event.kind != "refused" or event.lane in told)
            and (event.what != "expired" or event.key in orders)
        )

    def observe(self, state: State, seat: Seat) -> Observation:
        """What a seat perceives now."""
        compiled = self.compiled
        (done, finished, just_served), (refusals, idle) = self.told(state, seat)
        return Observation(
            level=self.scenario.level,
            step=state.steps,
            steps=self.scenario.steps,
            own=tuple(body_name(body) for body in self.seating.bodies_of[seat]),
            bodies=tuple(self._body(state, body) for body in range(len(state.at))),
            places=tuple(
                SeenPlace(name, tuple(compiled.things[thing] for thing in inside), busy > 0)
                for name, inside, busy in zip(compiled.places, state.inside, state.busy, strict=True)
            ),
            orders=tuple(SeenOrder(compiled.dishes[o.dish], o.left) for o in self.known_orders(state, seat)),
            served=tuple(compiled.dishes[dish] for dish in state.served),
            done=done,
            finished=finished,
            just_served=just_served,
            refusals=refusals,
            idle=idle,
            instruction="" if state.instruction is None else state.instruction.text,
            instructed=0 if state.instruction is None else state.instruction.since,
            decided=self._decided(state, seat) if state.decided else (),
        )

    def _decided(self, state: State, seat: Seat) -> tuple[tuple[Seat, tuple[str, ...]], ...]:
        """The commands for their own bodies that other seats have given for this step."""
        return tuple(
            (told.seat, tuple(self._own(told)))
            for told in state.decided
            if told.seat not in (seat, HEAD_CHEF) and not told.silent
        )

    def _own(self, told: Decided) -> Iterator[str]:
        """The commands of a seat that can be read and are for its bodies."""
        bodies = set(self.seating.bodies_of[told.seat])
        for text in told.commands[:MOST_READ]:
            command = self.reader.read(text)
            if isinstance(command, Command) and command.body in bodies:
                bodies.remove(command.body)
                yield shorten(harmless(command.text), MOST_SAID)

    def told(self, state: State, seat: Seat) -> tuple[Successes, Failures]:
        """The feedback that a seat is given."""
        return self._successes(state, seat), self._failures(state, seat)

    def _successes(self, state: State, seat: Seat) -> Successes:
        """What was done, finished and served: the half of feedback that the release leaves out."""
        if self.scenario.feedback != "full":
            return (), (), ()
        compiled, told = self.compiled, state.told_to(seat)
        feedback, served = told.feedback, len(state.served) - told.news.served
        places = feedback.finished
        made = (*feedback.made, *map(state.made, places[len(feedback.made) :]))
        return (
            tuple(self._act(act) for act in feedback.done if act.verb != NOOP),
            tuple((compiled.places[p], compiled.things[t]) for p, t in zip(places, made, strict=True)),
            tuple(compiled.dishes[dish] for dish in state.served[served - feedback.served : served]),
        )

    def _failures(self, state: State, seat: Seat) -> Failures:
        """What of the seat's commands was refused, and whether idling is complained about."""
        if self.scenario.feedback == "none":
            return (), False
        if seat == HEAD_CHEF:
            return (() if state.instruction is None else state.instruction.refusals), False
        feedback = state.told_to(seat).feedback
        spoke = (told.refusals for told in state.decided if told.seat == seat and not told.silent)
        given = next(spoke, feedback.refusals)
        refusals = tuple(r for r in given if r.seat == seat and SILENT not in r.detail)
        return refusals, feedback.idle and self.rules.idling_complaint

    def _body(self, state: State, body: int) -> SeenBody:
        compiled, held = self.compiled, state.held[body]
        return SeenBody(
            body_name(body),
            compiled.places[state.at[body]],
            "" if held == NOTHING else compiled.things[held],
            state.hands_busy[body] > 0,
        )

    def _act(self, act: Act) -> SeenAct:
        thing = "" if act.thing == NOTHING else self.compiled.things[act.thing]
        return SeenAct(body_name(act.body), VERBS[act.verb], self.compiled.places[act.place], thing)


class Scenes:
    """The scenes of one scenario."""

    def __init__(self, scenario: Scenario, compiled: Compiled, sight: Sight) -> None:
        self.scenario = scenario
        self.compiled = compiled
        self.sight = sight
        self.width = (len(compiled.places) + 1) // 2
        self.cells = tuple(self._cell(place) for place in range(len(compiled.places)))

    def _cell(self, place: int) -> Cell:
        row = 0 if place < self.width else ROWS - 1
        return place % self.width, row

    def of(self, state: State, seat: Seat | None) -> Scene:
        """The scene to an onlooker, or as far as a seat may know: no timers, only orders that it has seen."""
        orders = state.orders if seat is None else self.sight.known_orders(state, seat)
        names = ThingNames()
        return Scene(
            self.width,
            ROWS,
            tuple(self._place(state, place, seat is None, names) for place in range(len(self.cells))),
            (*self._chef(state), *(self._body(state, body, names) for body in range(len(state.at)))),
            tuple(self._order(order) for order in orders),
            f"step {state.steps} of {self.scenario.steps} · "
            f"{len(state.served)} served, {state.failed} failed",
        )

    def _place(self, state: State, place: int, timers: bool, names: ThingNames) -> Place:
        compiled, busy = self.compiled, state.busy[place]
        things = state.inside[place]
        progress: tuple[Progress, ...] = ()
        if busy and timers:
            full = compiled.busy_steps[place]
            progress = (Progress(compiled.things[things[0]], full - busy, full),)
        return Place(
            compiled.places[place],
            compiled.kinds[place].name,
            self.cells[place],
            marks=(OCCUPIED,) if busy else (),
            stack=tuple(names.thing(compiled.things[thing]) for thing in things),
            progress=progress,
        )

    def _body(self, state: State, body: int, names: ThingNames) -> Body:
        place, held = state.at[body], state.held[body]
        column, row = self.cells[place]
        down = 1 if row == 0 else -1
        return Body(
            body_name(body),
            "agent",
            (column, row + down),
            (0, -down),
            self.compiled.places[place],
            () if held == NOTHING else (names.thing(self.compiled.things[held]),),
            marks=(OCCUPIED,) if state.hands_busy[body] else (),
        )

    def _chef(self, state: State) -> tuple[Body, ...]:
        """The head chef, with what holds of its words."""
        if not self.scenario.head_chef:
            return ()
        return (Body(HEAD_CHEF, "agent", None, says=state.instruction.text if state.instruction else ""),)

    def _order(self, order: Order) -> Thing:
        full = self.scenario.lifetimes[order.dish]
        return waiting(self.compiled.dishes[order.dish], order.number, order.left, full)

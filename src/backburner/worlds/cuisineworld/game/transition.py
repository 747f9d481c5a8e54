"""CuisineWorld's rules: the decisions of all seats in, the next state, events and refusals out.

In a step the commands are carried out in the order given (seats in theirs), then everything busy is so
for one step less, orders are served or expire, the clock of the orders ticks, and one more may arrive.

What a command needs ``legality`` says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.values import Event, Refusal, Seat, Step
from backburner.worlds.cuisineworld.game.compiled import STORAGE, TABLE, Compiled
from backburner.worlds.cuisineworld.game.legality import Codes, activate_codes, get_codes, put_codes
from backburner.worlds.cuisineworld.game.reading import Given, JointAction, JointReader
from backburner.worlds.cuisineworld.game.rule_set import Limits, Rules
from backburner.worlds.cuisineworld.game.scenarios import Scenario, body_name
from backburner.worlds.cuisineworld.game.state import (
    ACTIVATE,
    FIRST_ANSWER,
    GET,
    GOTO,
    NO_COMMAND,
    NOOP,
    NOTHING,
    PUT,
    Act,
    Command,
    Ended,
    Feedback,
    State,
    Told,
    failed,
)
from backburner.worlds.dispatch.orders import Order, OrderClock

T = TypeVar("T")


class CheckedOrders(Struct, frozen=True, gc=False):
    """What a check of the orders found: those still open, those served (with the table), those expired."""

    left: tuple[Order, ...]
    served: tuple[tuple[Order, int], ...]
    expired: tuple[Order, ...]


class Transition:
    """The kitchen in the middle of a step: the rows of ``State``, each replaced by another when it changes.

    ``activated``: the places that were activated in this step.
    """

    def __init__(self, compiled: Compiled, rules: Rules, table_room: int | None, state: State) -> None:
        self.compiled = compiled
        self.rules = rules
        self.table_room = table_room
        self.state = state
        self.orders = state.orders
        self.at = state.at
        self.held = state.held
        self.hands_busy = state.hands_busy
        self.inside = state.inside
        self.busy = state.busy
        self.ready = state.ready
        self.since = state.since
        self.activated: list[int] = []

    def do(self, command: Command) -> Act | Codes:
        """Carry a command out; where it cannot be, nothing changes and the codes of why are returned."""
        verb, body, place = command.verb, command.body, command.place
        if verb == NOOP:
            return Act(body, NOOP)
        if verb == GOTO:
            if self.hands_busy[body]:
                return ("agent_occupied",)
            self.at = _with(self.at, body, place)
            return Act(body, GOTO, place)
        if self.at[body] != place:
            return ("not_at_location",)
        if verb == GET:
            return self._get(command)
        return self._put(command) if verb == PUT else self._activate(command)

    def _get(self, command: Command) -> Act | Codes:
        codes = get_codes(self, command.body, command.place, command.item)
        if codes:
            return codes
        body, place, item = command.body, command.place, command.item
        if self.compiled.roles[place] == STORAGE:
            self.held = _with(self.held, body, item)
            return Act(body, GET, place, item)
        content = self.inside[place]
        self.held = _with(self.held, body, content[0])
        self.inside = _with(self.inside, place, content[1:])
        self.ready &= ~(1 << place)
        return Act(body, GET, place, content[0])

    def _put(self, command: Command) -> Act | Codes:
        codes = put_codes(self, command.body, command.place, command.item)
        if codes:
            return codes
        body, place = command.body, command.place
        held = self.held[body]
        self.held = _with(self.held, body, NOTHING)
        role = self.compiled.roles[place]
        if role == TABLE or (role != STORAGE and held not in self.inside[place]):
            self.inside = _with(self.inside, place, (*self.inside[place], held))
        return Act(body, PUT, place, held)

    def _activate(self, command: Command) -> Act | Codes:
        codes = activate_codes(self, command.body, command.place, command.item)
        if codes:
            return codes
        body, place = command.body, command.place
        product = self.compiled.product(place, self.inside[place])
        self.inside = _with(self.inside, place, (product,))
        self.ready |= 1 << place
        steps = self.compiled.busy_steps[place]
        self.busy = _with(self.busy, place, steps)
        if self.compiled.holds_body[place]:
            self.hands_busy = _with(self.hands_busy, body, steps)
        self.activated.append(place)
        return Act(body, ACTIVATE, place, product)

    def check_orders(self) -> CheckedOrders:
        """Look at each order, the most urgent first; what is served leaves its table, the oldest dish first.

        An order with no step left expires, even if its dish is on the table now. The first table that holds
        the dish serves it, and one dish serves one order.
        """
        tables, dish_things = self.compiled.tables, self.compiled.dish_things
        left, served, expired = [], [], []
        for order in self.state.orders:
            if not order.left:
                expired.append(order)
                continue
            thing = dish_things[order.dish]
            for table in tables:
                if thing in self.inside[table]:
                    self._take_off(table, self.inside[table].index(thing))
                    served.append((order, table))
                    break
            else:
                left.append(order)
        return CheckedOrders(tuple(left), tuple(served), tuple(expired))

    def _take_off(self, table: int, index: int) -> None:
        self.inside = _with(self.inside, table, _without(self.inside[table], index))
        if self.since:
            self.since = _with(self.since, table, _without(self.since[table], index))

    def note_dishes(self) -> None:
        """Where dishes spoil, remember of those that are new on a table that they came in this step."""
        for table in self.compiled.tables:
            new = len(self.inside[table]) - len(self.since[table])
            self.since = _with(self.since, table, self.since[table] + (self.state.steps + 1,) * new)

    def spoil(self, spoil_steps: int | None) -> int:
        """Take away the dishes that were put on a table so many steps ago; returns how many."""
        if spoil_steps is None:
            return 0
        count, before = 0, self.state.steps + 1 - spoil_steps
        for table, put in enumerate(self.since):
            gone = sum(time <= before for time in put)
            if gone:
                self.inside = _with(self.inside, table, self.inside[table][gone:])
                self.since = _with(self.since, table, put[gone:])
                count += gone
        return count


def _with(row: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*row[:index], value, *row[index + 1 :])


def _without(row: tuple[int, ...], index: int) -> tuple[int, ...]:
    return row[:index] + row[index + 1 :]


Bound = Literal["start", "end"]
Kind = Literal["work", "refused"]

ORDERS = "orders"
"""The lane of orders that expire."""


@dataclass(eq=False)
class Rulebook:
    """The rules of one scenario."""

    scenario: Scenario
    rules: Rules
    limits: Limits
    compiled: Compiled
    reader: JointReader

    def __post_init__(self) -> None:
        scenario = self.scenario
        self.event_writer = EventWriter(self.compiled, scenario.bodies)
        self.clock = OrderClock(
            scenario.dishes,
            scenario.lifetimes,
            scenario.interval,
            scenario.most_open,
            first_draw=scenario.first_draw,
        )

    def start(self, seed: int) -> State:
        """Everybody stands at the first serving table, with one order open."""
        scenario, compiled = self.scenario, self.compiled
        bodies, places = scenario.bodies, len(compiled.places)
        stream = seed if scenario.seed is None else scenario.seed
        return State(
            at=(compiled.start,) * bodies,
            held=(NOTHING,) * bodies,
            hands_busy=(0,) * bodies,
            inside=((),) * places,
            busy=(0,) * places,
            orders=(self.clock.drawn(stream, 0),),
            arrived=1,
            stream=stream,
            since=((),) * places if scenario.spoil_steps is not None else (),
            seen=(1,) * bodies if scenario.hidden_orders else (),
        )

    def step(self, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        """What follows from these decisions."""
        if state.ended:
            return Step(state)
        joint = self.reader.read(decisions)
        step = self._step(state, joint)
        if not (joint.thinking or state.told):
            return step
        step = self._with_told(state, step, joint)
        events = step.events
        for _ in range(joint.steps - 1):  # everybody thinks on
            if step.state.ended:
                break
            step = self._with_told(step.state, self._step(step.state, joint), joint)
            events += step.events
        return replace(step, events=events)

    def _with_told(self, old: State, step: Step[State], joint: JointAction) -> Step[State]:
        """The step, with what is told in place of its feedback to seats that are silent or were until now.

        To who is silent nothing is told, and what is done is kept until its decision; then it is all told.
        """
        state = step.state
        fresh, made = state.feedback, tuple(map(state.made, state.feedback.finished))
        told = []
        for seat in self.reader.seating.seats:
            before = old.told_to(seat)
            news, last = before.news, before.feedback
            done, finished = news.done + fresh.done, news.finished + fresh.finished
            served = news.served + fresh.served
            if seat in joint.thinking:
                rest = map(old.made, last.finished[len(last.made) :])
                news = Feedback(done, (), False, finished, served, news.made + made)
                now = Told(seat, replace(last, made=(*last.made, *rest)), news)
            else:
                now = Told(seat, Feedback(done, fresh.refusals, fresh.idle, finished, served, news.made))
            if now != Told(seat, fresh):
                told.append(now)
        return replace(step, state=replace(state, told=tuple(told)))

    def _step(self, state: State, joint: JointAction) -> Step[State]:
        if joint.silent and self.rules.silence_freezes_time:
            return self._frozen(state, joint.refusals)
        transition = Transition(self.compiled, self.rules, self.scenario.table_room, state)
        done, refusals, failures = self._carried_out(joint, transition)
        idle = not refusals and {act.verb for act in done} == {NOOP}
        feedback = Feedback(tuple(done), tuple(refusals), idle)
        return self._passed(transition, feedback, failures, joint.commands)

    def foreseen(self, state: State, decisions: Mapping[Seat, Any]) -> list[Refusal]:
        """What would be refused of these decisions if the step began with them."""
        transition = Transition(self.compiled, self.rules, self.scenario.table_room, state)
        return self._carried_out(self.reader.read(decisions), transition)[1]

    def _carried_out(
        self, joint: JointAction, transition: Transition
    ) -> tuple[list[Act], list[Refusal], list[Command]]:
        """What was done, what was refused at sight or when it was tried, and which commands failed."""
        done: list[Act] = []
        refusals = list(joint.refusals)
        failures: list[Command] = []
        for command, seat, index in joint.commands:
            result = transition.do(command)
            if isinstance(result, Act):
                done.append(result)
            else:
                failures.append(command)
                refusals += self._refusals(command, seat, index, result, transition)
        return done, refusals, failures

    def _refusals(
        self, command: Command, seat: Seat, index: int, codes: tuple[str, ...], transition: Transition
    ) -> list[Refusal]:
        silent = self.rules.silent_refusals and command.verb == GOTO
        held = transition.held[command.body]
        thing = "" if held == NOTHING else self.compiled.things[held]
        return [failed(code, command, seat, index, thing, silent) for code in codes]

    def _frozen(self, state: State, refusals: tuple[Refusal, ...]) -> Step[State]:
        """The step in which a turn goes by, and no time."""
        turns = state.turns + 1
        feedback = Feedback(refusals=refusals)
        if self.rules.silence_repeats_errors:
            feedback = self.errors(state)
            if not state.turns and not self.scenario.first_draw:
                refusals = tuple(_marked(refusal) for refusal in refusals)
        after = replace(state, turns=turns, feedback=feedback, ended=self._ended(turns))
        return Step(after, (), refusals)

    def errors(self, state: State) -> Feedback:
        """What went wrong in the last step that was made, be it in the episode before."""
        before = self.scenario.before
        if state.steps or before is None:
            by_seat = {seat: state.told_to(seat).feedback for seat in self.reader.seating.workers}
            refusals = (each for seat, told in by_seat.items() for each in told.refusals if each.seat == seat)
            return Feedback(refusals=tuple(refusals), idle=any(told.idle for told in by_seat.values()))
        return Feedback(refusals=before.refusals, idle=before.idle)

    def _ended(self, turns: int) -> Ended:
        return "horizon" if self.limits.turns is not None and turns >= self.limits.turns else ""

    def _passed(
        self, transition: Transition, feedback: Feedback, failures: list[Command], given: list[Given]
    ) -> Step[State]:
        """The step in which these commands were carried out."""
        old = transition.state
        steps, turns, spoilt, served = old.steps + 1, old.turns + 1, old.spoilt, old.served
        if transition.since:
            transition.note_dishes()
        checked = transition.check_orders()
        if transition.since:
            spoilt += transition.spoil(self.scenario.spoil_steps)
        orders, arrived = self.clock.tick(checked.left, old.stream, old.arrived, steps)
        at, busy, hands_busy = transition.at, transition.busy, transition.hands_busy
        finished: tuple[int, ...] = ()
        if any(busy) or transition.activated:
            busy = _less(busy)
            finished = _finished(old.busy, busy, transition.activated)
        if finished or checked.served:
            feedback = replace(feedback, finished=finished, served=len(checked.served))
            served = (*served, *[order.dish for order, _ in checked.served])
        expired = failed = len(checked.expired)
        if expired and self.rules.expiries_count_once:
            failed = 1
        if any(hands_busy):
            hands_busy = _less(hands_busy)
        seen = self._looked(old.seen, at, orders) if old.seen else ()
        # All fields in their order: so many take five times as long by their names.
        after = State(
            at, transition.held, hands_busy, transition.inside, busy, transition.ready,
            orders, arrived, served, old.expired + expired, old.failed + failed,
            steps, turns, old.stream, transition.since, spoilt, seen,
            feedback, self._ended(turns), (), old.instruction,
        )  # fmt: skip
        events = self.event_writer.events(old, after, checked, given, failures)
        return Step(after, events, feedback.refusals)

    def _looked(
        self, seen: tuple[int, ...], at: tuple[int, ...], orders: tuple[Order, ...]
    ) -> tuple[int, ...]:
        """What each body has seen, once those at a serving table have looked."""
        shown = sum(1 << order.number for order in orders)
        tables = self.compiled.tables
        return tuple(old | shown if place in tables else old for old, place in zip(seen, at, strict=True))


def _marked(refusal: Refusal) -> Refusal:
    marked = refusal.code == NO_COMMAND.code and FIRST_ANSWER not in refusal.detail
    return replace(refusal, detail=(*refusal.detail, FIRST_ANSWER)) if marked else refusal


def _finished(was: tuple[int, ...], busy: tuple[int, ...], activated: list[int]) -> tuple[int, ...]:
    """The places whose work ends with this step; an activation that takes no time is one."""
    return tuple([p for p, left in enumerate(busy) if not left and (was[p] or p in activated)])


def _less(counters: tuple[int, ...]) -> tuple[int, ...]:
    """One step less, not below 0."""
    return tuple([count - 1 if count else 0 for count in counters])


class EventWriter:
    """Makes the events of a step: acts, tools at work, orders served and expired, the score.

    A body's command lasts a step, a tool's work as long as it is busy, which may be no time at all. Bodies
    that stand still have no events.
    """

    def __init__(self, compiled: Compiled, bodies: int) -> None:
        self.compiled = compiled
        self.names = tuple(body_name(body) for body in range(bodies))

    def events(
        self,
        old: State,
        new: State,
        checked: CheckedOrders,
        given: Sequence[Given],
        failures: Sequence[Command],
    ) -> tuple[Event, ...]:
        """Everything from the beginning of the step to its end, in order."""
        now, then, names = old.steps, new.steps, self.names
        events: list[Event] = []
        ends: list[Event] = []
        for command, _, _ in given:
            if command.verb == NOOP:
                continue
            name = names[command.body]
            key = f"{name} {now}"
            if command.number < 0:  # a body may have a second command, by this number
                key = f"{key} as {command.number}"
            kind: Kind = "refused" if failures and command in failures else "work"
            events.append(Event(now, "start", name, command.label, key, kind))
            ends.append(Event(then, "end", name, command.label, key, kind))
        for act in new.feedback.done:
            if act.verb == ACTIVATE:
                events.append(self._work("start", now, now, act.place, act.thing))
                if not self.compiled.busy_steps[act.place]:
                    events.append(self._work("end", now, now, act.place, act.thing))
        events += ends
        for place in new.feedback.finished:
            if busy := self.compiled.busy_steps[place]:
                events.append(self._work("end", then, then - busy, place, new.inside[place][0]))
        if checked.served or checked.expired:
            events += self._orders(new, checked)
        return tuple(events)

    def _work(self, what: Bound, time: int, since: int, place: int, product: int) -> Event:
        name = self.compiled.places[place]
        return Event(time, what, name, self.compiled.things[product], f"{name} {since}")

    def _orders(self, new: State, checked: CheckedOrders) -> list[Event]:
        dishes, places = self.compiled.dishes, self.compiled.places
        events = [
            Event(new.steps, "delivered", places[table], dishes[order.dish], f"order {order.number}")
            for order, table in checked.served
        ]
        events += [
            Event(new.steps, "expired", ORDERS, dishes[order.dish], f"order {order.number}")
            for order in checked.expired
        ]
        if checked.served:
            events.append(Event(new.steps, "score", ORDERS, value=len(new.served)))
        return events

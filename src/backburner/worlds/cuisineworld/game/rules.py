"""CuisineWorld's rules: the decisions of all seats in, the next state, events and refusals out.

In a step the commands are carried out in the order given (seats in theirs), then everything busy is so
for one step less, orders are served or expire, the clock of the orders ticks, and one more may arrive.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from msgspec.structs import replace

from backburner.kernel.values import Event, Refusal, Seat, Step
from backburner.worlds.cuisineworld.game.actions import (
    ACTIVATE,
    FIRST_ANSWER,
    GOTO,
    NO_COMMAND,
    NOOP,
    Command,
    failed,
)
from backburner.worlds.cuisineworld.game.compiled import Compiled
from backburner.worlds.cuisineworld.game.reading import Given, JointAction, JointReader
from backburner.worlds.cuisineworld.game.rule_set import Limits, Rules
from backburner.worlds.cuisineworld.game.scenarios import Scenario, body_name
from backburner.worlds.cuisineworld.game.state import NOTHING, Act, Ended, Feedback, State
from backburner.worlds.cuisineworld.game.transition import CheckedOrders, Transition
from backburner.worlds.orders import Order, OrderClock

Bound = Literal["start", "end"]
Kind = Literal["work", "refused"]

ORDERS = "orders"
"""The lane of orders that expire."""


class Rulebook:
    """The rules of one scenario."""

    def __init__(
        self,
        scenario: Scenario,
        rules: Rules,
        limits: Limits,
        compiled: Compiled,
        reader: JointReader,
    ) -> None:
        self.scenario = scenario
        self.rules = rules
        self.limits = limits
        self.compiled = compiled
        self.reader = reader
        self.event_writer = EventWriter(compiled, scenario.bodies)
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
            return Feedback(refusals=state.feedback.refusals, idle=state.feedback.idle)
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

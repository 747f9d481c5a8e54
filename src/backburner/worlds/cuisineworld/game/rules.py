"""CuisineWorld's transition: commands in, the next state, events and refusals out.

In a step the commands are carried out in the order given (seats in theirs), then everything busy is so
for one step less, orders are served or expire, the clock of the orders ticks, and one more may arrive.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from backburner.kernel.values import Refusal, Seat, Step
from backburner.worlds.cuisineworld.game.acting import Moment
from backburner.worlds.cuisineworld.game.actions import GOTO, NOOP, Command, failed
from backburner.worlds.cuisineworld.game.command_reading import CommandReader
from backburner.worlds.cuisineworld.game.events import Teller
from backburner.worlds.cuisineworld.game.gathering import Gatherer
from backburner.worlds.cuisineworld.game.kitchen import Kitchen
from backburner.worlds.cuisineworld.game.orders import draw
from backburner.worlds.cuisineworld.game.rule_set import Limits, Rules
from backburner.worlds.cuisineworld.game.scenarios import Scenario
from backburner.worlds.cuisineworld.game.seats import Seating
from backburner.worlds.cuisineworld.game.serving import Checked, check_orders, spoil
from backburner.worlds.cuisineworld.game.state import NOTHING, Act, Ended, Feedback, Order, State


class Rulebook:
    """The rules of one scenario."""

    def __init__(
        self,
        scenario: Scenario,
        rules: Rules,
        limits: Limits,
        kitchen: Kitchen,
        seating: Seating,
        reader: CommandReader,
    ) -> None:
        self.scenario = scenario
        self.rules = rules
        self.limits = limits
        self.kitchen = kitchen
        self.seating = seating
        self.gatherer = Gatherer(rules, seating, reader)
        self.teller = Teller(kitchen, scenario.bodies)
        self._first_draw = scenario.episode * scenario.orders_per_episode

    def start(self, seed: int) -> State:
        """Everybody stands at the first serving table, with one order open."""
        scenario, kitchen = self.scenario, self.kitchen
        bodies, places = scenario.bodies, len(kitchen.places)
        stream = seed if scenario.seed is None else scenario.seed
        return State(
            at=(kitchen.start,) * bodies,
            held=(NOTHING,) * bodies,
            hands_busy=(0,) * bodies,
            inside=((),) * places,
            busy=(0,) * places,
            orders=(self._drawn(stream, 0),),
            arrived=1,
            stream=stream,
            since=((),) * places if scenario.spoil_steps is not None else (),
            seen=(1,) * bodies if scenario.hidden_orders else (),
        )

    def _drawn(self, stream: int, number: int) -> Order:
        dish = draw(stream, len(self.kitchen.dishes), self._first_draw + number)
        return Order(dish, self.scenario.lifetimes[dish], number)

    def step(self, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        """What follows from these decisions."""
        if state.ended:
            return Step(state)
        given = self.gatherer.gather(decisions)
        if given.silent and self.rules.silence_freezes_time:
            return self._frozen(state, given.refusals)
        moment = Moment(self.kitchen, self.rules, self.scenario.table_room, state)
        done: list[Act] = []
        refusals = list(given.refusals)
        failures: list[Command] = []
        for command, seat, index in given.commands:
            result = moment.do(command)
            if isinstance(result, Act):
                done.append(result)
            else:
                failures.append(command)
                refusals += self._refusals(command, seat, index, result, moment)
        idle = bool(done) and not refusals and all(deed.verb == NOOP for deed in done)
        return self._passed(moment, Feedback(tuple(done), tuple(refusals), idle), failures, given.commands)

    def _refusals(
        self, command: Command, seat: Seat, index: int, codes: tuple[str, ...], moment: Moment
    ) -> list[Refusal]:
        silent = self.rules.silent_refusals and command.verb == GOTO
        held = moment.held[command.body]
        thing = "" if held == NOTHING else self.kitchen.things[held]
        return [failed(code, command, seat, index, thing, silent) for code in codes]

    def _frozen(self, state: State, refusals: tuple[Refusal, ...]) -> Step[State]:
        """A turn went by, and no time."""
        turns = state.turns + 1
        feedback = Feedback(refusals=refusals)
        after = replace(state, turns=turns, feedback=feedback, ended=self._ended(turns))
        return Step(after, (), refusals)

    def _ended(self, turns: int) -> Ended:
        return "horizon" if self.limits.turns is not None and turns >= self.limits.turns else ""

    def _passed(
        self,
        moment: Moment,
        feedback: Feedback,
        failures: list[Command],
        given: list[tuple[Command, Seat, int]],
    ) -> Step[State]:
        """A step has passed."""
        old, inside, steps = moment.state, moment.inside, moment.state.steps + 1
        since = self._noted(moment)
        checked = check_orders(self.kitchen, old.orders, inside, since)
        spoilt = spoil(inside, since, self.scenario.spoil_steps, steps)
        orders, arrived = self._tick(old, checked, steps)
        at, busy = tuple(moment.at), _less(moment.busy)
        finished = _finished(old.busy, busy, moment.activated)
        if finished or checked.served:
            feedback = replace(feedback, finished=finished, served=len(checked.served))
        expired = len(checked.expired)
        after = State(
            at=at,
            held=tuple(moment.held),
            hands_busy=_less(moment.hands_busy),
            inside=tuple(inside),
            busy=busy,
            ready=moment.ready,
            orders=orders,
            arrived=arrived,
            served=(*old.served, *[order.dish for order, _ in checked.served]),
            expired=old.expired + expired,
            failed=old.failed + (min(1, expired) if self.rules.expiries_count_once else expired),
            steps=steps,
            turns=old.turns + 1,
            stream=old.stream,
            since=tuple(since),
            spoilt=old.spoilt + spoilt,
            seen=self._looked(old.seen, at, orders) if old.seen else (),
            feedback=feedback,
            ended=self._ended(old.turns + 1),
        )
        events = self.teller.events(old, after, checked, given, failures)
        return Step(after, events, feedback.refusals)

    def _noted(self, moment: Moment) -> list[tuple[int, ...]]:
        """When the dishes on the tables were put there, if that matters."""
        since = list(moment.state.since)
        if since:
            for table in self.kitchen.tables:
                new = len(moment.inside[table]) - len(since[table])
                since[table] += (moment.state.steps + 1,) * new
        return since

    def _tick(self, old: State, checked: Checked, steps: int) -> tuple[tuple[Order, ...], int]:
        """The orders after the clock, with one more if it is time and the list is not full."""
        orders = tuple([Order(order.dish, order.left - 1, order.number) for order in checked.left])
        scenario = self.scenario
        if steps % scenario.interval or len(orders) >= scenario.most_open:
            return orders, old.arrived
        orders = (*orders, self._drawn(old.stream, old.arrived))
        rank = self.kitchen.dish_rank
        return tuple(sorted(orders, key=lambda o: (o.left, rank[o.dish], o.number))), old.arrived + 1

    def _looked(
        self, seen: tuple[int, ...], at: tuple[int, ...], orders: tuple[Order, ...]
    ) -> tuple[int, ...]:
        """What each body has seen, once those at a serving table have looked."""
        shown = sum(1 << order.number for order in orders)
        tables = self.kitchen.tables
        return tuple(old | shown if place in tables else old for old, place in zip(seen, at, strict=True))


def _finished(was: tuple[int, ...], busy: tuple[int, ...], activated: list[int]) -> tuple[int, ...]:
    """The places whose work ends with this step; an activation that takes no time is one."""
    if not activated and not any(was):
        return ()
    return tuple([p for p, left in enumerate(busy) if not left and (was[p] or p in activated)])


def _less(counters: list[int]) -> tuple[int, ...]:
    """One step less, not below 0."""
    return tuple([count - 1 if count else 0 for count in counters])

"""Minecraft's rules: the decisions of all seats in, the next state, events and refusals out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from backburner.kernel.values import Event, Refusal, Seat, Step
from backburner.worlds.minecraft.game.actions import CHAT, MOST_TICKS, UNTOLD, failed
from backburner.worlds.minecraft.game.compiled import Compiled
from backburner.worlds.minecraft.game.order_book import Closed, OrderBook, arriving
from backburner.worlds.minecraft.game.physics import CHEST, FURNACE
from backburner.worlds.minecraft.game.reading import CallReader, Joint, read_joint
from backburner.worlds.minecraft.game.rule_set import Limits, Rules
from backburner.worlds.minecraft.game.state import Ended, Feedback, State, seconds
from backburner.worlds.minecraft.game.transition import Transition

ORDERS = "orders"
"""The lane of orders that run out."""


class Rulebook:
    """The rules of one scenario."""

    def __init__(self, compiled: Compiled, rules: Rules, limits: Limits, reader: CallReader) -> None:
        self.compiled = compiled
        self.rules = rules
        self.limits = limits
        self.reader = reader

    def start(self, seed: int) -> State:
        """Everybody where it begins, with nothing; one order open."""
        scenario = self.compiled.scenario
        stream = seed if scenario.seed is None else scenario.seed
        return State(
            at=scenario.spawns,
            carried=((),) * scenario.bodies,
            failed=(0,) * scenario.bodies,
            orders=(arriving(self.compiled, stream, 0, 0),),
            arrived=1,
            stream=stream,
        )

    def step(self, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        """What follows from these decisions."""
        if state.ended:
            return Step(state)
        joint = read_joint(self.compiled, self.rules, self.reader, decisions)
        book = OrderBook(self.compiled, state, self.limits.ticks)
        transition = Transition(self.compiled, state, book)
        transition.play([given.call for given in joint.given])
        refusals = (*joint.refusals, *self._failures(joint, transition))
        steps, ticks = state.steps + 1, transition.tick
        book.end_step(steps, ticks)
        after = replace(
            _passed(state, transition, book),
            failed=tuple(transition.failed),
            gone=transition.gone,
            steps=steps,
            last=joint.written,
            feedback=self._feedback(state, joint, transition, refusals),
            ended=self.ended(steps, ticks),
            heard=False,
            given=(),
            ground=None,
            unheard=(),
        )
        events = [*transition.events, *self.order_events(state, book.closed)]
        events.sort(key=lambda event: event.time)
        return Step(after, tuple(events), refusals)

    def silence(self, state: State, ticks: int) -> Step[State]:
        """Time passes for so many ticks, or until play is over, and nobody is told or counted anything."""
        limit = self.limits.ticks
        ticks = min(ticks, MOST_TICKS, MOST_TICKS if limit is None else limit - state.ticks)
        step = self.rest(state, ticks)
        return replace(step, state=replace(step.state, ended=self.ended(state.steps, step.state.ticks)))

    def rest(self, state: State, ticks: int) -> Step[State]:
        """What so many ticks bring about, in which nobody begins anything: furnace, orders, errands."""
        book = OrderBook(self.compiled, state, self.limits.ticks)
        transition = Transition(self.compiled, state, book)
        transition.rest(state.ticks + ticks)
        after = replace(
            _passed(state, transition, book),
            gone=tuple(sorted({*state.gone, *transition.gone})),
            unheard=(*state.unheard, *transition.killed),
        )
        events = [*transition.events, *self.order_events(state, book.closed)]
        events.sort(key=_when)
        return Step(after, tuple(events))

    def _failures(self, joint: Joint, transition: Transition) -> list[Refusal]:
        """What came to nothing, in the order of the calls."""
        by_body = {failure.call.body: failure for failure in transition.failures}
        refusals = []
        for call, seat, index in joint.given:
            if failure := by_body.get(call.body):
                bot = self.compiled.names[call.body]
                refusal = failed(failure.code, call, bot, self.rules.errors_untold)
                refusals.append(refusal.at(seat, index))
        return refusals

    def _feedback(
        self, state: State, joint: Joint, transition: Transition, refusals: tuple[Refusal, ...]
    ) -> Feedback:
        if joint.voided and self.rules.voided_step_repeats_chat:
            chat = tuple(refusal for refusal in state.feedback.refusals if refusal.code in CHAT)
            return Feedback((*state.feedback.killed, *state.unheard), (*refusals, *chat))
        repeated = self.rules.repetition_complaint and bool(joint.written) and joint.written == state.last
        told = tuple(refusal for refusal in refusals if UNTOLD not in refusal.detail)
        return Feedback((*state.unheard, *transition.killed), told, repeated)

    def ended(self, steps: int, ticks: int) -> Ended:
        """Whether play is over after so many steps, or ticks."""
        limits = self.limits
        over = limits.steps is not None and steps >= limits.steps
        return "horizon" if over or (limits.ticks is not None and ticks >= limits.ticks) else ""

    def order_events(self, state: State, closed: list[Closed]) -> list[Event]:
        """Which orders were served or ran out in the step after ``state``."""
        events: list[Event] = []
        served = len(state.served)
        for tick, order, was_served in closed:
            dish, key, now = self.compiled.dishes[order.dish], f"order {order.number}", seconds(tick)
            if was_served:
                served += 1
                events.append(Event(now, "delivered", CHEST, dish, key))
                events.append(Event(now, "score", ORDERS, value=served))
            else:
                events.append(Event(now, "expired", ORDERS, dish, key))
        return events


def _passed(state: State, transition: Transition, book: OrderBook) -> State:
    """The state as time and bodies have changed it."""
    return replace(
        state,
        at=tuple(transition.at),
        carried=tuple(transition.carried),
        errands=tuple(errand for _, errand in sorted(transition.errands.items())),
        furnace=transition.furnace,
        chest=transition.chest,
        kills=transition.kills,
        orders=book.sorted(),
        arrived=book.arrived,
        served=tuple(book.served),
        expired=state.expired + sum(not closed.served for closed in book.closed),
        ticks=transition.tick,
        smelting=transition.smelting,
    )


def _when(event: Event) -> tuple[float, int]:
    """Of what happens in one tick: a furnace begins when all else is done, and orders have then run out."""
    begins = event.what == "start" and event.lane == FURNACE
    return event.time, 2 if event.what == "expired" else int(begins)

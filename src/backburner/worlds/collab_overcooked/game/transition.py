"""Collab-Overcooked's transition: an answer in, the next state, events and refusals out.

The world moves on by itself as long as both cooks have something to do. Orders that are drawn come in where
others were met.

Play may begin where one more call of the partner's is due, and end when one exchange about it is over. That
is what the article's Experiments A to C ask about (section C.3.1): "the assistant has fetched the potato and
put it on the board; what does the chef ask for now, and what does the assistant answer?" In such an opening
the cook with the recipe asks for one call after the other, the other one does each, and nobody does anything
else.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from msgspec import UNSET, Struct
from msgspec.structs import replace

from backburner.kernel.errors import Refused
from backburner.kernel.values import Outcome, Seat, Step
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import ONE_WAIT
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.kitchen_step import SILENT, GridStep, Journal, Listener
from backburner.worlds.collab_overcooked.game.reading import END, NOTHING, reply_of
from backburner.worlds.collab_overcooked.game.rule_set import Limits
from backburner.worlds.collab_overcooked.game.scenarios import Scenario
from backburner.worlds.collab_overcooked.game.state import (
    MOST_SILENT,
    SEATS,
    Cook,
    Ended,
    Kitchen,
    LoggedCall,
    Reply,
    State,
    cook_of,
)
from backburner.worlds.collab_overcooked.game.turns import Turns

MOST_RECENT = 6
"""How many logged calls of a cook the state keeps, as many as an observation may need."""

MOST_DECISIONS = 40
"""Decisions for each call of an opening, and as many to let the utensils come to an end."""


class Rulebook:
    """The rules of a scenario under its limits. ``listener``: is told what happens in play."""

    def __init__(
        self, compiled: Compiled, scenario: Scenario, limits: Limits, listener: Listener = SILENT
    ) -> None:
        self.compiled = compiled
        self.scenario = scenario
        self.limits = limits
        self._listener = listener

    def with_listener(self, listener: Listener) -> Rulebook:
        """These rules, with another listener."""
        return Rulebook(self.compiled, self.scenario, self.limits, listener)

    def start(self, seed: int) -> State:
        """The beginning: everybody at its place, nothing begun, the first cook is asked for a plan.

        With an opening, what it leads to. Raises ``Refused`` if it leads nowhere.
        """
        state = self._first(seed)
        return state if not self.scenario.exchange else self._opened(state)

    def _opened(self, state: State) -> State:
        opening = Opening(leader_of(self.scenario), self.scenario.opening)
        for _ in range(MOST_DECISIONS * (1 + len(self.scenario.opening))):
            if opening.over(state):
                return state
            if state.ended or state.ask == "correct":
                break
            state = self._passed(state, {SEATS[state.asked]: opening.answer(state)}).state
        stuck = opening.calls[max(0, opening.asked - 1)] if opening.calls else "nothing"
        raise Refused(f"the opening comes no further than {stuck}")

    def _first(self, seed: int) -> State:
        orders = first_orders(self.scenario, seed)
        drawn = len(orders) - len(self.scenario.orders)
        kitchen = self.compiled.stepper.start(orders)
        state = State(kitchen, (Cook(), Cook()), drawn=drawn, seed=seed)
        turns = self._turns(state, Journal(self.compiled.grid))
        turns.begin_step()
        return _result(state, turns)

    def _turns(self, state: State, journal: Journal) -> Turns:
        return Turns(self.compiled, self.limits.rounds, state, journal, self._listener)

    def step(self, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        """What follows from the answer of the cook that is asked."""
        step = self._passed(state, decisions)
        if not self.scenario.exchange or step.state.ended or silent_steps(decisions.get(SEATS[state.asked])):
            return step
        if not answered(self.scenario, state, step.state):
            return step
        return replace(step, state=replace(step.state, ask="", ended="answered"))

    def _passed(self, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        if state.ended:
            return Step(state)
        seat = SEATS[state.asked]
        journal = Journal(self.compiled.grid)
        turns = self._turns(state, journal)
        given = decisions.get(seat)
        silent = silent_steps(given)
        if silent:
            turns.be_silent(silent, both=bool(self.scenario.exchange))
        else:
            turns.answer(given)
        seen: set[tuple[Kitchen, Cook, Cook]] = set()
        while turns.decided:
            state = self._pass_time(state, turns, journal)
            may_be_stuck = self.limits.steps is None and not silent
            if may_be_stuck and not state.ended and _repeats(turns, seen):
                state = replace(state, ended="stuck")
            if state.ended:
                journal.over(turns.kitchen, (turns.cooks[0], turns.cooks[1]), state.operations)
                break
            turns.begin_step()
        refusals = tuple([refusal.at(seat, refusal.index) for refusal in turns.refusals])
        return Step(_result(state, turns), tuple(journal.events), refusals)

    def passed(self, state: State, decisions: Mapping[Seat, Any]) -> Sequence[State]:
        """The state after each step of the kitchen until a cook must answer again, the last one included."""
        recorder = _Recorder()
        self.with_listener(recorder).step(state, decisions)
        return recorder.states

    def _pass_time(self, state: State, turns: Turns, journal: Journal) -> State:
        """Both cooks have decided: a step of the kitchen, what it logs, the orders it meets."""
        step = self.compiled.stepper.step(turns.kitchen, (turns.moves[0], turns.moves[1]))
        met = [order for order in step.met if order]
        operations = journal.passed(turns.kitchen, state.operations, step)
        kitchen, drawn = with_new_orders(self.scenario, step.kitchen, state.seed, state.drawn, len(met))
        turns.kitchen = kitchen
        self._remember(turns, step)
        if step.collided and not self.compiled.rules.calls_never_end:
            turns.cooks[1] = replace(turns.cooks[1], bumped=True)
        after = replace(
            state,
            kitchen=kitchen,
            operations=operations,
            delivered=state.delivered + len(met),
            drawn=drawn,
            ended=ended_by(kitchen, self.limits.steps),
        )
        if self._listener is not SILENT:
            self._listener.passed(_result(after, turns))
        return after

    def _remember(self, turns: Turns, step: GridStep) -> None:
        """Keep what was done, and strike out what was done as requested."""
        now = step.kitchen.steps
        for cook, logged in enumerate(step.logged):
            if logged:
                self._listener.acted(cook, now, logged)
                current = turns.cooks[cook]
                recent = (*current.recent, LoggedCall(now, logged))[-MOST_RECENT:]
                turns.cooks[cook] = replace(current, recent=recent)
                partner = turns.cooks[1 - cook]
                if logged in partner.requests:
                    turns.cooks[1 - cook] = replace(partner, requests=_without(partner.requests, logged))


def ended_by(kitchen: Kitchen, last_step: int | None) -> Literal["", "completed", "step_limit"]:
    """Whether all orders are delivered, or time is up; ``last_step``: ``None`` is no limit."""
    if not kitchen.orders:
        return "completed"
    return "step_limit" if last_step is not None and kitchen.steps >= last_step else ""


def outcome_of(kitchen: Kitchen, ended: Ended, delivered: int, reward: int) -> Outcome:
    """``ended`` when every order is delivered or nothing can happen any more, else ``cut off``.

    ``steps`` that have passed, ``completed`` (1 or 0), orders ``delivered``, their ``reward``.
    """
    numbers: dict[str, int | float] = {
        "steps": kitchen.steps,
        "completed": int(ended == "completed"),
        "delivered": delivered,
        "reward": delivered * reward,
    }
    if not ended:
        return Outcome("running", "", numbers)
    return Outcome("cut off" if ended == "step_limit" else "ended", ended, numbers)


class _Recorder(Listener):
    """Keeps the state after each step of the kitchen."""

    def __init__(self) -> None:
        self.states: list[State] = []

    def passed(self, state: State) -> None:
        self.states.append(state)


def _result(state: State, turns: Turns) -> State:
    """The state that the turns have come to."""
    return State(
        turns.kitchen,
        (turns.cooks[0], turns.cooks[1]),
        turns.asked,
        "" if state.ended else turns.ask,
        tuple(turns.moves),
        turns.talk,
        turns.corrected,
        turns.repair,
        state.operations,
        state.delivered,
        state.drawn,
        state.seed,
        state.ended,
        turns.keeps_wait or UNSET,
        (turns.pending[0], turns.pending[1]) if any(turns.pending) else UNSET,
    )


def silent_steps(given: Any) -> int:
    """For how many steps a decision is to say nothing; 0 for an answer and anything else."""
    steps = given.silent if isinstance(given, Reply) else 0
    return min(steps, MOST_SILENT) if isinstance(steps, int) and steps > 0 else 0


def _repeats(turns: Turns, seen: set[tuple[Kitchen, Cook, Cook]]) -> bool:
    """Whether everything is as it was earlier in this decision point, so that nothing new will come."""
    if turns.drew:
        seen.clear()
        turns.drew = False
    first, second = (replace(cook, recent=()) for cook in turns.cooks)
    now = (replace(turns.kitchen, steps=0), first, second)
    if now in seen:
        return True
    seen.add(now)
    return False


def _without(requests: tuple[str, ...], done: str) -> tuple[str, ...]:
    """The requests that are left when one of them has been done."""
    index = requests.index(done)
    return requests[:index] + requests[index + 1 :]


# --- orders ----------------------------------------------------------------------------------------------


def first_orders(scenario: Scenario, seed: int) -> tuple[str, ...]:
    """The orders that are open at the beginning: the scenario's own, then those that are drawn."""
    orders = scenario.orders
    while scenario.order_weights and len(orders) < scenario.open_orders:
        orders = (*orders, drawn_order(scenario, seed, len(orders) - len(scenario.orders)))
    return orders


def with_new_orders(
    scenario: Scenario, kitchen: Kitchen, seed: int, drawn: int, met: int
) -> tuple[Kitchen, int]:
    """The kitchen after so many orders were met, with one drawn for each, and how many were drawn by then;
    ``drawn`` were before."""
    if not met or not scenario.order_weights:
        return kitchen, drawn
    new = tuple(drawn_order(scenario, seed, drawn + index) for index in range(met))
    return replace(kitchen, orders=(*kitchen.orders, *new)), drawn + met


def drawn_order(scenario: Scenario, seed: int, number: int) -> str:
    """The order that is drawn when so many have been drawn before it."""
    names, weights = zip(*sorted(scenario.order_weights.items()), strict=True)
    return str(random.Random(f"order/{seed}/{number}").choices(names, weights)[0])


# --- an opening, and one exchange after it --------------------------------------------------------------


def leader_of(scenario: Scenario) -> int:
    """The cook that has the recipes, or else the chef."""
    return cook_of(scenario.informed[0]) if len(scenario.informed) == 1 else 0


class Opening(Struct):
    """The answers that lead to where play begins.

    ``asked``: so many calls were asked for, the last at step ``since``.
    """

    leader: int
    calls: tuple[str, ...]
    asked: int = 0
    since: int = -1

    def over(self, state: State) -> bool:
        """Whether all calls are done, and the leader is asked for a plan while nothing else goes on."""
        return self._leads(state) and self.asked == len(self.calls) and self._at_rest(state)

    def answer(self, state: State) -> Reply:
        """What the cook that is asked answers."""
        call = self.calls[self.asked - 1] if self.asked else ONE_WAIT
        if state.ask == "answer":
            return reply_of(call, say=f"I do {call}. {END}")
        if not self._leads(state) or self.asked == len(self.calls) or not self._at_rest(state):
            return reply_of(ONE_WAIT)
        self.asked, self.since = self.asked + 1, state.kitchen.steps
        call = self.calls[self.asked - 1]
        return Reply(NOTHING, (f"{calls.REQUEST}('{call}')", ONE_WAIT), f"Please do {call}. {END}")

    def _leads(self, state: State) -> bool:
        return state.asked == self.leader and state.ask == "plan" and state.repair is None

    def _at_rest(self, state: State) -> bool:
        """Whether the partner has done what it was asked for, and no utensil is at work."""
        done = state.cooks[1 - self.leader].recent
        caught_up = self.since < 0 or bool(done and done[-1].steps > self.since)
        return caught_up and not any(content.cooking for content in state.kitchen.contents)


def answered(scenario: Scenario, before: State, after: State) -> bool:
    """Whether the exchange that began with ``before`` is over.

    It goes on while the leader is asked for its plan, and its partner for its answer or, if nothing was said
    to it, for its plan; as long as no time passes. Answers that have to be repaired are asked for again.
    """
    if after.kitchen.steps != before.kitchen.steps:
        return True
    leads = after.asked == leader_of(scenario)
    return after.ask not in (("plan",) if leads else ("plan", "answer"))

"""Robotouille's transition: decisions in, the next state, events and refusals out.

A step of the kitchen passes when somebody acts or chooses to idle: the actions are done in the order
of the seats, then every effect takes its tick, then the goal is looked at. A decision of which
nothing can be done takes no time; what it costs is a matter of the limits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from msgspec.structs import replace

from backburner.kernel.values import Event, Refusal, Seat, Step
from backburner.worlds.robotouille.game import actions, refereeing
from backburner.worlds.robotouille.game.actions import IDLE, Acts
from backburner.worlds.robotouille.game.engine import Engine
from backburner.worlds.robotouille.game.ground import Deed
from backburner.worlds.robotouille.game.jobs import job_events, jobs_of
from backburner.worlds.robotouille.game.layout import Layout
from backburner.worlds.robotouille.game.rule_set import Limits
from backburner.worlds.robotouille.game.seats import DISPATCHER, Seating
from backburner.worlds.robotouille.game.state import Ended, Feedback, Job, State


class Rulebook:
    """The rules of a problem, its seats and limits."""

    def __init__(self, engine: Engine, seating: Seating, limits: Limits) -> None:
        self.engine = engine
        self.rules = engine.rules
        self.seating = seating
        self.limits = limits

    def start(self) -> State:
        """The beginning; a goal that holds already ends play at once."""
        reached = self.engine.reached(self.engine.start)
        return State(self.engine.start, ended="completed" if reached else "")

    def step(self, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        """What follows from these decisions."""
        if state.ended:
            return Step(state)
        turn = _Turn(self, state)
        for seat in self.seating.deciders(state.turn):
            turn.decide(seat, decisions.get(seat, actions.NO_ACTION))
        return turn.result()

    def may_idle(self, seat: Seat) -> bool:
        """Whether a seat may let time pass without an action: a robot waits in the domain's own way."""
        return seat == DISPATCHER or not self.engine.has_wait

    def lost_attempt(self, state: State) -> tuple[int, int, Ended]:
        """(attempts in a row, failed calls, why play ends) after one more refused decision."""
        attempts, failed = state.attempts + 1, state.failed_calls
        if self.limits.attempts is None or self.limits.failed_calls is None:
            return attempts, failed, ""
        if attempts < self.limits.attempts:
            return attempts, failed, ""
        return 0, failed + 1, "attempts" if failed + 1 >= self.limits.failed_calls else ""


class _Turn:
    """One decision point while its actions are tried, one after the other."""

    def __init__(self, book: Rulebook, state: State) -> None:
        self.book = book
        self.engine = book.engine
        self.state = state
        self.kitchen = state.kitchen
        self.done: list[tuple[Seat, Deed]] = []
        self.refusals: list[Refusal] = []
        self.idle = False
        self.finish = False
        self.broken_off = False

    def decide(self, seat: Seat, decision: Any) -> None:
        """Tries what one seat decides."""
        if not isinstance(decision, Acts):
            refusal = decision if isinstance(decision, Refusal) else actions.NO_ACTION
            self._refuse(refusal, seat, 0)
            return
        n_robots = len(self.book.seating.robots_of(seat))
        if len(decision.acts) > n_robots:
            self._refuse(actions.too_many(len(decision.acts), n_robots), seat, 0)
            return
        if decision == IDLE and not self.book.may_idle(seat):
            self._refuse(actions.NO_ACTION, seat, 0)
            return
        self.finish |= decision.finish
        self.idle |= decision == IDLE
        for index, name in enumerate(decision.acts):
            if not self.broken_off:
                self._try(seat, index, name)

    def _try(self, seat: Seat, index: int, name: str) -> None:
        deed = self.engine.find(self.engine.layout(self.kitchen), name)
        if deed is None:
            self._refuse(actions.unknown_action(name), seat, index)
            return
        refusal = self._not_its_own(seat, deed) or refereeing.refusal(self.engine, self.kitchen, deed)
        if refusal is not None:
            self._refuse(refusal, seat, index)
            return
        self.kitchen = self.engine.do(self.kitchen, deed)
        self.done.append((seat, deed))

    def _not_its_own(self, seat: Seat, deed: Deed) -> Refusal | None:
        """Whether a robot of the deed is another's to command, or has acted in this step."""
        if self.book.rules.any_robot:
            return None
        own = self.book.seating.robots_of(seat)
        acted = {robot for _, done in self.done for robot in done.robots}
        for robot in deed.robots:
            name = self.engine.layout(self.kitchen).objects[robot].name
            if robot not in own:
                return actions.other_robot(deed.name, deed.text, name)
            if robot in acted:
                return actions.twice(deed.name, deed.text, name)
        return None

    def _refuse(self, refusal: Refusal, seat: Seat, index: int) -> None:
        self.refusals.append(Refusal(refusal.code, refusal.fault, refusal.detail, seat, index))
        self.broken_off |= self.book.rules.joint_step_breaks_off

    def result(self) -> Step[State]:
        """The state after this decision point."""
        begun = jobs_of(self.engine, self.state.jobs, self.kitchen, self.state.steps)
        passes = bool(self.done or self.idle) and not self.broken_off
        state = self._passed(begun) if passes else self._stood_still(begun)
        if self.finish and not state.ended:
            state = replace(state, ended="finish")
        return Step(state, tuple(self._events(begun, state)), tuple(self.refusals))

    def _feedback(self) -> Feedback:
        return Feedback(tuple(deed.name for _, deed in self.done), tuple(self.refusals))

    def _passed(self, begun: tuple[Job, ...]) -> State:
        """A step of the kitchen has passed."""
        book, old = self.book, self.state
        kitchen = self.engine.effects.tick(self.kitchen)
        steps = old.steps + 1
        ended: Ended = ""
        if self.engine.reached(kitchen):
            ended = "completed"
        elif book.limits.steps is not None and steps >= book.limits.steps:
            ended = "step_limit"
        jobs = jobs_of(self.engine, begun, kitchen, steps)
        turn = old.turn if ended == "completed" else book.seating.next_turn(old.turn)
        return State(kitchen, jobs, turn, steps, self._feedback(), 0, old.failed_calls, ended)

    def _stood_still(self, begun: tuple[Job, ...]) -> State:
        """Nothing could be done, or the step broke off: no time has passed."""
        old = self.state
        counted = (
            self.book.lost_attempt(old) if self.refusals else (old.attempts, old.failed_calls, old.ended)
        )
        return State(self.kitchen, begun, old.turn, old.steps, self._feedback(), *counted)

    def _events(self, begun: tuple[Job, ...], after: State) -> Iterator[Event]:
        """Each action from the beginning of the step to its end, and what became of the jobs at both."""
        layout, old = self.engine.layout(after.kitchen), self.state
        acted = list(self._acted(layout, old))
        yield from (Event(old.steps, "start", *rest) for rest in acted)
        yield from job_events(self.engine, after.kitchen, old.jobs, begun, old.steps)
        yield from (Event(after.steps, "end", *rest) for rest in acted)
        yield from job_events(self.engine, after.kitchen, begun, after.jobs, after.steps)

    def _acted(self, layout: Layout, old: State) -> Iterator[tuple[str, str, str, Literal["work", "wait"]]]:
        """Lane, label, key and kind for each robot of each action that was carried out."""
        # No time passes where a step breaks off: what counts the attempts tells the actions apart.
        moment = f"{old.steps}.{old.failed_calls}.{old.attempts}"
        taken = {robot for _, deed in self.done for robot in deed.robots}
        for place, (seat, deed) in enumerate(self.done):
            label, robots = deed.label(layout), deed.robots
            kind: Literal["work", "wait"] = "work" if deed.does_something else "wait"
            if not robots:  # such as waiting: the next robot of the seat that has nothing else to do
                own = self.book.seating.robots_of(seat)
                robots = (next((robot for robot in own if robot not in taken), own[0]),)
                taken.update(robots)
            for robot in robots:
                lane = layout.objects[robot].name
                yield lane, label, f"{lane} {moment}.{place} {label}", kind

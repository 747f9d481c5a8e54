"""Robotouille's transition: decisions in, the next state, events and refusals out.

A step of the kitchen passes when somebody acts or chooses to idle, and while everybody is silent. The
actions are done in the order of the seats, then every special effect takes its tick, then the goal is tested.
A decision of which nothing can be done takes no time; what it costs is a matter of the limits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, Literal

from msgspec.structs import replace

from backburner.kernel.values import Event, Refusal, Seat, Step
from backburner.worlds.robotouille.game import legality
from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.legality import GroundAction
from backburner.worlds.robotouille.game.rule_set import Limits
from backburner.worlds.robotouille.game.scenarios import DISPATCHER, Seating
from backburner.worlds.robotouille.game.schema import STATION
from backburner.worlds.robotouille.game.state import (
    IDLE,
    Acts,
    Ended,
    Feedback,
    Kitchen,
    Layout,
    Process,
    Running,
    State,
)


class Rulebook:
    """The rules of a problem, its seats and its limits."""

    def __init__(self, compiled: Compiled, seating: Seating, limits: Limits) -> None:
        self.compiled = compiled
        self.rules = compiled.rules
        self.seating = seating
        self.limits = limits

    def start(self) -> State:
        """The beginning. An episode whose goal holds from the start is over at once."""
        reached = self.compiled.reached(self.compiled.start)
        return State(self.compiled.start, ended="completed" if reached else "")

    def step(self, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        """What follows from these decisions."""
        if state.ended:
            return Step(state)
        transition = _Transition(self, state)
        seats = self.seating.deciders(state.turn)
        for seat in seats:
            transition.decide(seat, decisions.get(seat, legality.NO_ACTION))
        if transition.silent and len(transition.silent) == len(seats):
            return self._silence(state, min(transition.silent.values()))
        return transition.result()

    def _silence(self, state: State, steps: int) -> Step[State]:
        """So many steps in which nobody decides anything, or fewer where it is another's turn then."""
        events: list[Event] = []
        turn = state.turn
        for _ in range(steps):
            passed = _Transition(self, state).nobody_decides()
            state = passed.state
            events += passed.events
            if state.ended or state.turn != turn:
                break
        return Step(state, tuple(events))

    def may_idle(self, seat: Seat) -> bool:
        """Whether a seat may let a step pass without an action; not where the domain has one for waiting."""
        return seat == DISPATCHER or not self.compiled.waiting

    def lost_attempt(self, state: State) -> tuple[int, int, Ended]:
        """(attempts in a row, failed calls, why play ends) after one more refused decision."""
        attempts, failed = state.attempts + 1, state.failed_calls
        if self.limits.attempts is None or self.limits.failed_calls is None:
            return attempts, failed, ""
        if attempts < self.limits.attempts:
            return attempts, failed, ""
        return 0, failed + 1, "attempts" if failed + 1 >= self.limits.failed_calls else ""


class _Transition:
    """The step in progress: decisions are tried one after the other, and change ``kitchen``."""

    silent: Mapping[Seat, int] = {}
    """Who is silent, for how many steps."""

    def __init__(self, book: Rulebook, state: State) -> None:
        self.book = book
        self.compiled = book.compiled
        self.state = state
        self.kitchen = state.kitchen
        self.done: list[tuple[Seat, GroundAction]] = []
        self.refusals: list[Refusal] = []
        self.idle = False
        self.finish = False
        self.broken_off = False

    def decide(self, seat: Seat, decision: Any) -> None:
        """Tries what one seat decides."""
        if not isinstance(decision, Acts):
            refusal = decision if isinstance(decision, Refusal) else legality.NO_ACTION
            self._refuse(refusal, seat, 0)
            return
        if decision.silent:
            if decision.is_silence:
                self.silent = {**self.silent, seat: decision.silent}
            else:
                self._refuse(legality.NO_ACTION, seat, 0)
            return
        n_robots = len(self.book.seating.robots_of(seat))
        if len(decision.acts) > n_robots:
            self._refuse(legality.too_many(len(decision.acts), n_robots), seat, 0)
            return
        idle = decision == IDLE
        if idle and not self.book.may_idle(seat):
            self._refuse(legality.NO_ACTION, seat, 0)
            return
        self.finish |= decision.finish
        self.idle |= idle
        for index, name in enumerate(decision.acts):
            if not self.broken_off:
                self._try(seat, index, name)

    def _try(self, seat: Seat, index: int, name: str) -> None:
        action = self.compiled.find(self.compiled.layout(self.kitchen), name)
        if action is None:
            self._refuse(legality.unknown_action(name), seat, index)
            return
        refusal = self._not_its_own(seat, action) or self.compiled.refusal(self.kitchen, action)
        if refusal is not None:
            self._refuse(refusal, seat, index)
            return
        self.kitchen = self.compiled.apply(self.kitchen, action)
        self.done.append((seat, action))

    def _not_its_own(self, seat: Seat, action: GroundAction) -> Refusal | None:
        """A refusal if a robot of the action is another seat's to command, or has acted in this step."""
        if self.book.rules.any_robot:
            return None
        own = self.book.seating.robots_of(seat)
        acted = {robot for _, done in self.done for robot in done.robots}
        for robot in action.robots:
            name = self.compiled.layout(self.kitchen).objects[robot].name
            if robot not in own:
                return legality.other_robot(action, name)
            if robot in acted:
                return legality.twice(action, name)
        return None

    def _refuse(self, refusal: Refusal, seat: Seat, index: int) -> None:
        self.refusals.append(refusal.at(seat, index))
        self.broken_off |= self.book.rules.joint_step_breaks_off

    def result(self) -> Step[State]:
        """The state after this decision point."""
        begun = processes(self.compiled, self.state.jobs, self.kitchen, self.state.steps)
        passes = bool(self.done or self.idle) and not self.broken_off
        state = self._passed(begun, self._feedback(), 0) if passes else self._stood_still(begun)
        if self.finish and not state.ended:
            state = replace(state, ended="finish")
        return Step(state, tuple(self._events(begun, state)), tuple(self.refusals))

    def nobody_decides(self) -> Step[State]:
        """A step of the kitchen, in which nothing else changes."""
        old = self.state
        begun = processes(self.compiled, old.jobs, self.kitchen, old.steps)
        state = self._passed(begun, old.feedback, old.attempts)
        return Step(state, tuple(self._events(begun, state)))

    def _feedback(self) -> Feedback:
        """What became of the decisions; whoever is silent keeps what it was told."""
        kept = [refusal for refusal in self.state.feedback.refusals if refusal.seat in self.silent]
        return Feedback(tuple([action.name for _, action in self.done]), (*kept, *self.refusals))

    def _passed(self, begun: tuple[Process, ...], feedback: Feedback, attempts: int) -> State:
        """The state after a step of the kitchen."""
        book, old = self.book, self.state
        kitchen = self.compiled.effects.tick(self.kitchen)
        steps = old.steps + 1
        ended: Ended = ""
        if self.compiled.reached(kitchen):
            ended = "completed"
        elif book.limits.steps is not None and steps >= book.limits.steps:
            ended = "step_limit"
        jobs = processes(self.compiled, begun, kitchen, steps)
        turn = old.turn if ended == "completed" else book.seating.next_turn(old.turn)
        return State(kitchen, jobs, turn, steps, feedback, attempts, old.failed_calls, ended)

    def _stood_still(self, begun: tuple[Process, ...]) -> State:
        """The state where nothing could be done, or the step broke off: no time has passed."""
        old = self.state
        counted = (
            self.book.lost_attempt(old) if self.refusals else (old.attempts, old.failed_calls, old.ended)
        )
        return State(self.kitchen, begun, old.turn, old.steps, self._feedback(), *counted)

    def _events(self, begun: tuple[Process, ...], after: State) -> list[Event]:
        """Starts and ends of the actions, and what became of the processes at the start and at the end."""
        layout, old = self.compiled.layout(after.kitchen), self.state
        acted = list(self._acted(layout, old))
        events = [Event(old.steps, "start", *rest) for rest in acted]
        if old.jobs != begun:
            events += process_events(layout, after.kitchen, old.jobs, begun, old.steps)
        events += [Event(after.steps, "end", *rest) for rest in acted]
        if begun != after.jobs:
            events += process_events(layout, after.kitchen, begun, after.jobs, after.steps)
        return events

    def _acted(self, layout: Layout, old: State) -> Iterator[tuple[str, str, str, Literal["work", "wait"]]]:
        """Lane, label, key and kind for each robot of each action that was carried out."""
        # Where a step breaks off no time passes, and the attempts tell its actions from later ones.
        moment = f"{old.steps}.{old.failed_calls}.{old.attempts}"
        taken = {robot for _, action in self.done for robot in action.robots}
        for index, (seat, action) in enumerate(self.done):
            label, robots = action.label, action.robots
            kind: Literal["work", "wait"] = "work" if action.does_something else "wait"
            if not robots:  # such as waiting: the next robot of the seat that has nothing else to do
                own = self.book.seating.robots_of(seat)
                robots = (next((robot for robot in own if robot not in taken), own[0]),)
                taken.update(robots)
            for robot in robots:
                lane = layout.objects[robot].name
                yield lane, label, f"{lane} {moment}.{index} {label}", kind


def processes(
    compiled: Compiled, before: Iterable[Process], kitchen: Kitchen, step: int
) -> tuple[Process, ...]:
    """The effects that take time and are not complete, with the keys that they had ``before``.

    An effect whose condition has not held yet has not started and is left out.
    """
    if not kitchen.effects:
        return ()
    effects = compiled.effects
    keys = {effects.identity(process.effect, process.args): process.key for process in before}
    layout = compiled.layout(kitchen)
    found: list[Process] = []
    for running in kitchen.effects:
        if not compiled.domain.special_effects[running.effect].takes_time or effects.complete(
            layout, running
        ):
            continue
        paused = not effects.ground_nodes(layout, running.effect, running.args)[0].holds(kitchen.facts)
        label = _label(compiled, layout, running)
        key = keys.get(effects.identity(running.effect, running.args))
        if key is None and paused:
            continue
        if key is None:
            key = _new_key(f"{label} from {step}", [*keys.values(), *(process.key for process in found)])
        found.append(Process(key, label, running.effect, running.args, paused))
    return tuple(found)


def _new_key(key: str, taken: Sequence[str]) -> str:
    """The key, with a number where one action has started several processes of one thing."""
    numbered = (f"{key} ({n})" for n in count(2))
    return key if key not in taken else next(other for other in numbered if other not in taken)


def _label(compiled: Compiled, layout: Layout, running: Running) -> str:
    """The action that starts an effect and the thing that it belongs to, such as ``cook patty1``."""
    action = next(
        action.name
        for action in compiled.domain.actions
        if any(start.effect == running.effect for start in action.starts)
    )
    owner = running.args[compiled.domain.special_effects[running.effect].root.owner]
    return f"{action} {layout.objects[owner].name}"


def process_events(
    layout: Layout, kitchen: Kitchen, before: Sequence[Process], after: Sequence[Process], time: int
) -> Iterator[Event]:
    """What has happened to the processes at this time.

    A process that is paused when one of its things is deleted never ends.
    """
    old, new = {process.key: process for process in before}, {process.key: process for process in after}
    for key, process in new.items():
        if key not in old:
            yield _event(layout, process, time, "start")
        elif process.paused != old[key].paused:
            yield _event(layout, process, time, "pause" if process.paused else "resume")
    for process in (process for key, process in old.items() if key not in new):
        if not process.paused:
            yield _event(layout, process, time, "end")
        elif not any(kitchen.gone >> arg & 1 for arg in process.args if arg >= 0):
            yield _event(layout, process, time, "resume")
            yield _event(layout, process, time, "end")


def _event(
    layout: Layout, process: Process, time: int, what: Literal["start", "pause", "resume", "end"]
) -> Event:
    """The lane is the station where the process goes on, or else its first thing."""
    things = [layout.objects[arg] for arg in process.args if arg >= 0]
    lane = next((thing.name for thing in things if thing.type == STATION), things[0].name)
    return Event(time, what, lane, process.label, process.key)

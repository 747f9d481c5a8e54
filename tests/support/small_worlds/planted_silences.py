"""Small worlds in which silence is not what it has to be; each names the check that must catch it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from backburner.kernel.menu import Menu, Option
from backburner.kernel.values import Event, Refusal, Seat, Step
from support.small_worlds.bench import JOINER, Do
from support.small_worlds.bench import State as BenchState
from support.small_worlds.quiet_bench import PassingBench, QuietBench
from support.small_worlds.relay import NOT_YOURS, UNREADABLE, Relay, Say, Silence, State

FAULTS: list[tuple[type[Any], str]] = []


def caught_by(check: str) -> Callable[[type[Any]], type[Any]]:
    """The decorated world breaks a rule of silence, and this check must say so."""

    def plant(world: type[Any]) -> type[Any]:
        FAULTS.append((world, check))
        return world

    return plant


class Thinking(Relay):
    """The relay, with a fault where everybody who must decide is silent."""

    def step(self, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        asked = self.deciders(state)
        step = super().step(state, decisions)
        silent = asked and all(isinstance(decisions.get(seat), Silence) for seat in asked)
        return self.faulty(state, step) if silent else step

    def faulty(self, before: State, step: Step[State]) -> Step[State]:
        return step


# --- a decision of its own ---------------------------------------------------------------------------------


@caught_by("silence_is_a_decision_of_its_own")
class RefusesSilence(Relay):
    def obstacle(self, state: State, seat: Seat, decision: Any) -> Refusal | None:
        return UNREADABLE if isinstance(decision, Silence) else super().obstacle(state, seat, decision)


@caught_by("silence_is_a_decision_of_its_own")
class RefusesSilenceWhereAnAnswerIsDue(Relay):
    def obstacle(self, state: State, seat: Seat, decision: Any) -> Refusal | None:
        waits = state.asking and isinstance(decision, Silence)
        return NOT_YOURS if waits else super().obstacle(state, seat, decision)


@caught_by("silence_is_a_decision_of_its_own")
class ReadsSilence(Relay):
    def parse(self, state: State, seat: Seat, text: str) -> Any:
        return Silence(1) if text == self.words(Silence(1)) else super().parse(state, seat, text)


@caught_by("silence_is_a_decision_of_its_own")
class ListsSilence(ReadsSilence):
    def menu(self, state: State, seat: Seat) -> Menu[Any]:
        menu = super().menu(state, seat)
        return replace(menu, options=(*menu.options, Option(Silence(1), self.words(Silence(1)))))


@caught_by("silence_is_a_decision_of_its_own")
class IsSilentInAWayThatCannotBeWrittenDown(Relay):
    def silence(self, state: State, seat: Seat, ticks: int) -> Any:
        return Say(ticks)  # type: ignore[arg-type]


# --- time --------------------------------------------------------------------------------------------------


@caught_by("silence_takes_time")
class TimeStands(Thinking):
    def faulty(self, before: State, step: Step[State]) -> Step[State]:
        return Step(before)


@caught_by("silence_takes_time")
class LastsTooLong(Relay):
    def silence(self, state: State, seat: Seat, ticks: int) -> Silence:
        return Silence(ticks + 1)


@caught_by("silence_takes_time")
class LastsAsLongAsTheLongest(Relay):
    def step(self, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        asked = [decisions.get(seat) for seat in self.deciders(state)]
        lengths = [decision.ticks for decision in asked if isinstance(decision, Silence)]
        if lengths and len(lengths) == len(asked):
            decisions = dict.fromkeys(decisions, Silence(max(lengths)))
        return super().step(state, decisions)


@caught_by("silence_takes_time")
class KeepsInMindWhoIsSilentForLong(Relay):
    def begin(self, state: State, seat: Seat, decision: Any, events: list[Event]) -> State:
        long = isinstance(decision, Silence) and decision.ticks > 5
        return super().begin(replace(state, luck=0) if long else state, seat, decision, events)


@caught_by("silences_add_up")
class CountsSilences(Thinking):
    def faulty(self, before: State, step: Step[State]) -> Step[State]:
        return replace(step, state=replace(step.state, luck=step.state.luck + 1))


@caught_by("silence_takes_time")
class TicksInSeconds(QuietBench):
    """Its minutes are seconds to whoever asks."""

    tick_microseconds = 1_000_000


# --- what stays as it is -----------------------------------------------------------------------------------


@caught_by("silence_leaves_the_rest_as_it_is")
class ForgetsWhatItTold(Thinking):
    def faulty(self, before: State, step: Step[State]) -> Step[State]:
        return replace(step, state=replace(step.state, told=("", "")))


@caught_by("silence_leaves_the_rest_as_it_is")
class CountsTurns(Thinking):
    def faulty(self, before: State, step: Step[State]) -> Step[State]:
        passed = step.state.time - before.time
        return replace(step, state=replace(step.state, sayings=step.state.sayings + passed))


@caught_by("silence_forgives_nothing")
class ForgivesErrors(Thinking):
    """It does not say that it counts them."""

    def unmoved(self, state: State, seat: Seat) -> Any:
        return ()

    def faulty(self, before: State, step: Step[State]) -> Step[State]:
        return step if step.state.ended else replace(step, state=replace(step.state, refusals=0))


@caught_by("silence_leaves_the_rest_as_it_is")
class WaitsByMistake(PassingBench):
    """To wait counts as a mistake there, and so would to think."""

    def step(self, state: BenchState, decisions: Mapping[Seat, Do | Refusal]) -> Step[BenchState]:
        step = super().step(state, decisions)
        waited = decisions.get(JOINER) == Do("") and self.deciders(state)
        return replace(step, state=replace(step.state, refusals=state.refusals + 1)) if waited else step


# --- what time breaks --------------------------------------------------------------------------------------


@caught_by("silence_breaks_what_time_breaks")
class HoldsWhatIsUnderWay(Thinking):
    """What others are in the middle of takes as much longer."""

    def faulty(self, before: State, step: Step[State]) -> Step[State]:
        passed = step.state.time - before.time
        held = [doing and replace(doing, ends=doing.ends + passed) for doing in before.doing]
        return Step(replace(before, time=step.state.time, doing=(held[0], held[1]), ended=step.state.ended))


@caught_by("silence_breaks_what_time_breaks")
class PlaysOnAfterTheLastStep(Thinking):
    def faulty(self, before: State, step: Step[State]) -> Step[State]:
        on = step.state.ended == "steps"
        return replace(step, state=replace(step.state, ended="")) if on else step


@caught_by("silence_breaks_what_time_breaks")
class OrdersDoNotExpire(QuietBench):
    def think(self, state: BenchState, minutes: int) -> Step[BenchState]:
        return replace(super().think(state, minutes), events=())


@caught_by("silence_breaks_what_time_breaks")
class MissesADueJob(QuietBench):
    ends_when_one_expires = True

    def think(self, state: BenchState, minutes: int) -> Step[BenchState]:
        step = super().think(state, minutes)
        return replace(
            step, state=replace(step.state, minute=state.minute + minutes, refusals=state.refusals)
        )

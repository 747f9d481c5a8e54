"""The bench, whose joiner may think: jobs that are due expire meanwhile, or end play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from backburner.kernel.clock import PassingIsSilence, Timed
from backburner.kernel.values import Event, Refusal, Seat, Step
from support.small_worlds.bench import JOINER, Bench, Do, State

MINUTE = 60_000_000
SILENT = "(silent) "


class QuietBench(Bench, Timed[State, Do]):
    """Silence is a job with a name that nobody can say."""

    id = "bench/quiet"
    tick_microseconds: ClassVar = MINUTE
    ends_when_one_expires = False

    def now(self, state: State) -> int:
        return state.minute

    def silence(self, state: State, seat: Seat, ticks: int) -> Do:
        return Do(f"{SILENT}{ticks}")

    def unmoved(self, state: State, seat: Seat) -> Any:
        return state.done, state.refusals

    def step(self, state: State, decisions: Mapping[Seat, Do | Refusal]) -> Step[State]:
        decision = decisions.get(JOINER)
        if isinstance(decision, Do) and decision.job.startswith(SILENT) and self.deciders(state):
            return self.think(state, int(decision.job.removeprefix(SILENT)))
        step = super().step(state, decisions)
        expired = tuple(self.expired(state, step.state))
        events = sorted((*step.events, *expired), key=lambda event: event.time)
        return replace(step, state=self.over(step.state, expired), events=tuple(events))

    def think(self, state: State, minutes: int) -> Step[State]:
        events: tuple[Event, ...] = ()
        for _ in range(minutes):
            if self.deciders(state):
                after = replace(state, minute=state.minute + 1)
                expired = tuple(self.expired(state, after))
                state, events = self.over(after, expired), (*events, *expired)
        return Step(state, events)

    def expired(self, before: State, after: State) -> Iterator[Event]:
        for job in self.jobs.values():
            if job.due is not None and before.minute < job.due <= after.minute and job.name not in after.done:
                yield Event(job.due, "expired", "bench", job.name)

    def over(self, state: State, expired: tuple[Event, ...]) -> State:
        ends = expired and self.ends_when_one_expires
        return replace(state, refusals=self.limits.refusals) if ends else state


class PassingBench(Bench, PassingIsSilence):
    """Silence is to wait for a minute, as anybody may."""

    id = "bench/passing"
    tick_microseconds: ClassVar = MINUTE

    def now(self, state: State) -> int:
        return state.minute

    def unmoved(self, state: State, seat: Seat) -> Any:
        return state.done, state.refusals

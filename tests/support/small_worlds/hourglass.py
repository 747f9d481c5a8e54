"""A small world with a clock: sand runs whether or not anybody decides, and the glass may be turned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec import Struct

from backburner.kernel.clock import Clocked
from backburner.kernel.values import Event, Fault, Outcome, Refusal, Seat, Step

SAND, LAST = 5, 60


class Turned(Struct, frozen=True, forbid_unknown_fields=True):
    """Turn the glass, or not, and let so many ticks pass."""

    turn: bool
    ticks: int


class Glass(Struct, frozen=True):
    """Ticks that have passed; grains above; how often it has run out."""

    tick: int = 0
    above: int = SAND
    runs: int = 0


class Named(Struct, frozen=True):
    """Scenario, rules and limits of a world that has no choice in them."""

    name: str = "usual"


class Hourglass(Clocked[Glass, Turned]):
    """One grain falls in each tick; whoever watches sees when it has run out."""

    id, version, time_unit, seats = "hourglass/small", 1, "seconds", ("watcher",)
    scenario = rules = limits = Named()
    state_type: ClassVar = Glass
    decision_type: ClassVar = Turned

    tick_microseconds: ClassVar = 500_000

    @property
    def tick_seconds(self) -> float | None:
        return 0.5

    def now(self, state: Glass) -> int:
        return state.tick

    def silence(self, state: Glass, seat: Seat, ticks: int) -> Turned:
        return Turned(turn=False, ticks=ticks)

    def occupied(self, state: Glass, seat: Seat) -> bool:
        return state.above > 0

    def start(self, seed: int = 0) -> Glass:
        return Glass()

    def deciders(self, state: Glass) -> tuple[Seat, ...]:
        return self.seats if state.tick < LAST else ()

    def step(self, state: Glass, decisions: Mapping[Seat, Any]) -> Step[Glass]:
        if state.tick >= LAST:
            return Step(state)
        decision = decisions.get("watcher")
        refusals: tuple[Refusal, ...] = ()
        if not isinstance(decision, Turned) or not 0 < decision.ticks <= LAST:
            why = decision if isinstance(decision, Refusal) else Refusal("odd", Fault.UNREADABLE)
            refusals, decision = (Refusal(why.code, why.fault, why.detail, "watcher"),), Turned(False, 1)
        if decision.turn:
            state = Glass(state.tick, SAND - state.above, state.runs)
        events: list[Event] = []
        for _ in range(min(decision.ticks, LAST - state.tick)):
            state = self.fall(state, events)
        return Step(state, tuple(events), refusals)

    def fall(self, state: Glass, events: list[Event]) -> Glass:
        """A tick in which a grain falls, if there is one."""
        tick, above = state.tick + 1, max(0, state.above - 1)
        ran_out = state.above == 1
        if ran_out:
            events.append(Event(tick / 2, "score", "glass", value=state.runs + 1))
        return Glass(tick, above, state.runs + ran_out)

    def observe(self, state: Glass, seat: Seat) -> Glass:
        return state

    def outcome(self, state: Glass) -> Outcome:
        status = "running" if state.tick < LAST else "ended"
        return Outcome(status, "", {"seconds": state.tick / 2, "completed": 1})


class Stopped(Hourglass):
    """No time at all is a tick of it."""

    @property
    def tick_seconds(self) -> float | None:
        return 0.0


class Hasty(Hourglass):
    """Of several ticks at once a grain falls in the first alone."""

    def step(self, state: Glass, decisions: Mapping[Seat, Any]) -> Step[Glass]:
        decision = decisions.get("watcher")
        if isinstance(decision, Turned) and decision.ticks > 2:
            after = (step := super().step(state, {"watcher": Turned(decision.turn, 1)})).state
            return Step(
                Glass(min(after.tick + decision.ticks - 1, LAST), after.above, after.runs), step.events
            )
        return super().step(state, {"watcher": decision})


class Silent(Hourglass):
    """What happens within several ticks at once is not told."""

    def step(self, state: Glass, decisions: Mapping[Seat, Any]) -> Step[Glass]:
        step = super().step(state, decisions)
        return Step(step.state, step.events if step.state.tick == state.tick + 1 else (), step.refusals)


CLOCK_FAULTS = (
    (Stopped, "silence_takes_time"),
    (Hasty, "silences_add_up"),
    (Silent, "silences_add_up"),
)

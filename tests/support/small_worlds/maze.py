"""A small world for searches: somebody, or two, walk along ways that take some time, and find coins on them.

Every position of the walkers has an estimate of its own, if the maze has any; whoever knows it may be wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from msgspec import Struct

from backburner.kernel.exact import Searchable
from backburner.kernel.menu import Menu, Menus, Option
from backburner.kernel.text import Part, Text
from backburner.kernel.values import Fault, Outcome, Refusal, Seat, Step


class Way(Struct, frozen=True):
    """From a place to another; ``coins`` lie on it, and lie there again."""

    start: int
    end: int
    steps: int
    coins: int = 0


class State(Struct, frozen=True):
    """Where the walkers are, and what they have come to."""

    places: tuple[int, ...]
    time: int = 0
    coins: int = 0


class Maze(Menus[State, Way], Text[State, Way, State], Searchable[State]):
    """All walkers go at the same time and wait for the slowest; three never go to one place. Play is over
    where all are at the ``goal``, or the time is up; with ``maximised`` only then."""

    id, version, time_unit = "maze/one", 1, "steps"
    rules: Any = None
    state_type: ClassVar[Any] = State
    decision_type: ClassVar[Any] = Way

    def __init__(
        self,
        ways: Sequence[Way],
        goal: int,
        limit: int = 12,
        walkers: int = 1,
        maximised: str = "",
        estimates: Mapping[State, int] | None = None,
        complete: bool = True,
    ) -> None:
        self.scenario, self.limits = tuple(ways), limit
        self.goal, self.complete, self.estimates = goal, complete, estimates
        self.seats: tuple[Seat, ...] = tuple(f"walker {number}" for number in range(walkers))
        self.maximised = maximised  # type: ignore[misc]  # as it is tried both ways

    def start(self, seed: int = 0) -> State:
        return State((0,) * len(self.seats))

    def deciders(self, state: State) -> tuple[Seat, ...]:
        return () if self._there(state) or state.time >= self.limits else self.seats

    def _there(self, state: State) -> bool:
        return not self.maximised and set(state.places) == {self.goal}

    def step(self, state: State, decisions: Mapping[Seat, Way | Refusal]) -> Step[State]:
        ways = [decisions[seat] for seat in self.deciders(state)]
        going = [way for way in ways if isinstance(way, Way)]
        if len({way.end for way in going}) < len(going) and len(going) > 2:
            return Step(state, refusals=(Refusal("crowded", Fault.CAPACITY),))
        time = state.time + max(way.steps for way in going)
        if time > self.limits:
            return Step(State(state.places, self.limits, state.coins))
        coins = state.coins + sum(way.coins for way in going)
        return Step(State(tuple(way.end for way in going), time, coins))

    def observe(self, state: State, seat: Seat) -> State:
        return state

    def outcome(self, state: State) -> Outcome:
        numbers = {"completed": int(self._there(state)), "steps": state.time, "coins": state.coins}
        return Outcome("running" if self.deciders(state) else "ended", "", numbers)

    def menu(self, state: State, seat: Seat) -> Menu[Way]:
        here = state.places[self.seats.index(seat)]
        ways = [way for way in self.scenario if way.start == here]
        return Menu(tuple(Option(way, self.words(way)) for way in ways), self.complete)

    def estimate(self, state: State) -> int | None:
        return None if self.estimates is None else self.estimates.get(state)

    def briefing_parts(self, seat: Seat) -> Sequence[Part]:
        return ()

    def description_parts(self, observation: State) -> Sequence[Part]:
        return ()

    def parse(self, state: State, seat: Seat, answer: str) -> Way | Refusal:
        known = {self.words(way): way for way in self.scenario}
        return known.get(answer, Refusal("unreadable", Fault.UNREADABLE))

    def words(self, decision: Way, seat: Seat = "") -> str:
        return " ".join(map(str, (decision.start, decision.end, decision.steps, decision.coins)))

"""Scheduling problems as plain values, the worlds that state them, and schedules played in such a world.

Times are whole numbers in the world's unit. The problem is to choose a start for every activity so
that the last end (the makespan) is as early as possible.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol, TypeVar, runtime_checkable

from msgspec import Struct

from backburner.kernel.contract import World
from backburner.kernel.errors import Refused, ReplayMismatch
from backburner.kernel.text import Text
from backburner.kernel.values import Outcome

D_co = TypeVar("D_co", covariant=True)


class Resource(Struct, frozen=True):
    """``capacity`` interchangeable units; at most that many activities hold one at a time."""

    name: str
    capacity: int = 1


class Lag(Struct, frozen=True):
    """A maximum lag: no start later than ``at_most`` after the end of the activity ``after``."""

    after: str
    at_most: int


class Level(Struct, frozen=True):
    """A value to which a resource of one unit can be set, such as an oven's temperature."""

    resource: str
    value: int


class Activity(Struct, frozen=True):
    """Something to be done once; without a break, unless it is ``splittable``.

    ``duration``: how long it runs and holds its ``resources``. ``attention``: how long, from its
    start, it holds the agent; all of ``duration`` if the agent does it with its own hands, less if
    it runs alone. One of no attention starts when the agent is at no other activity: between two,
    not within one. ``after``: names of activities that must have ended before it starts. ``lags``:
    these hold for the start of every piece. ``splittable``: it may be done in pieces, which hold
    agent and resources each for itself; only where ``attention`` is all of ``duration``, and nothing
    is set or needed.

    ``sets``: from its start on, a resource it holds is at this level, until another activity sets
    it. ``needs``: a level at which that resource must be when it starts; at first it is at none. An
    activity may share what it holds with one of the same start and end that sets the level at which
    the resource is already: because the first sets the same, or (if it sets nothing and takes no
    attention) because it was so before.
    """

    name: str
    duration: int
    attention: int
    after: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    lags: tuple[Lag, ...] = ()
    sets: Level | None = None
    needs: Level | None = None
    splittable: bool = False


class Problem(Struct, frozen=True):
    """Activities of one agent with precedence, maximum lags and resources.

    ``space`` names the decisions that the problem stands for. ``complete``: no decision outside it
    could do better, for the reason that ``space`` gives; otherwise only what holds for every
    decision is proven: that each activity needs its attention. ``forbidden``: activities that the
    rules do not let happen in this space; if there is one, it holds no plan. ``impossible``:
    activities that no decision at all can finish.

    ``grid`` divides all durations, attentions and lags, and pieces begin and end at its multiples.
    It leaves out nothing unless something is ``splittable``; then a plan with finer pieces may be
    shorter than what is proven.
    """

    unit: Literal["minutes", "seconds", "steps"]
    activities: tuple[Activity, ...]
    resources: tuple[Resource, ...]
    space: str
    forbidden: tuple[str, ...] = ()
    impossible: tuple[str, ...] = ()
    complete: bool = True
    grid: int = 1


@runtime_checkable
class Schedulable(Protocol[D_co]):
    """The world states scheduling problems.

    Where the whole scenario is one problem, that stands under the scenario's id, and ``plan`` turns its
    schedules into decisions. The outcome's numbers then hold ``completed`` (1 or 0) and, under the name of
    the world's unit of time, when everything was completed: the oracle takes its objective from them.
    """

    @abstractmethod
    def problems(self) -> Mapping[str, Problem]:
        """Problems by name: one for the whole scenario under its id, or the task graph of each thing that
        may be asked for in it (what is asked for, and when, is no part of a graph)."""

    def plan(self, starts: Mapping[str, int]) -> Sequence[D_co]:
        """The decisions that start each activity of the scenario at its time, with waits in between.

        Raises ``Refused`` for starts that are no schedule of the scenario, or where no problem stands for
        the whole scenario.
        """
        raise Refused("no problem stands for the whole scenario, so that no schedule is a plan for it")


def problem_of(world: World[Any, Any, Any]) -> Problem:
    """The problem that stands for the whole scenario; raises ``Refused`` if there is none."""
    problem = world.problems().get(world.id) if isinstance(world, Schedulable) else None
    if problem is None:
        raise Refused(f"{world.id}: this world does not state its scenario as a scheduling problem")
    return problem


class Performance(NamedTuple):
    """A schedule as it was played: each decision with the state it was taken in, and the outcome."""

    states: tuple[Any, ...]
    decisions: tuple[Any, ...]
    words: tuple[str, ...]
    outcome: Outcome

    def finished_at(self, unit: str) -> int | None:
        """When everything was completed, in the world's figures; ``None`` if it was not."""
        numbers = self.outcome.numbers
        return int(numbers[unit]) if numbers.get("completed") else None


def perform(world: World[Any, Any, Any], starts: Mapping[str, int]) -> Performance:
    """Play the decisions that give these starts, until they or the episode are over.

    Raises ``ReplayMismatch`` if they make no plan, and at the first decision that the world refuses.
    """
    state = world.start()
    states: list[Any] = []
    decisions: list[Any] = []
    for decision in _plan(world, starts):
        seats = world.deciders(state)
        if not seats:
            break
        step = world.step(state, dict.fromkeys(seats, decision))
        if step.refusals:
            raise ReplayMismatch(
                f"{world.id}: the oracle's plan is refused at decision {len(states) + 1}, "
                f"{_words(world, decision)!r}: {step.refusals[0].code}"
            )
        states.append(state)
        decisions.append(decision)
        state = step.state
    spoken = tuple(_words(world, decision) for decision in decisions)
    return Performance(tuple(states), tuple(decisions), spoken, world.outcome(state))


def _plan(world: World[Any, Any, Any], starts: Mapping[str, int]) -> Sequence[Any]:
    try:
        problem_of(world)
        return world.plan(starts) if isinstance(world, Schedulable) else ()
    except Refused as error:
        raise ReplayMismatch(f"{world.id}: the oracle's plan cannot be played: {error}") from error


def _words(world: World[Any, Any, Any], decision: Any) -> str:
    """The decision in the world's words, or as the value it is if the world has none."""
    return world.words(decision) if isinstance(world, Text) else str(decision)

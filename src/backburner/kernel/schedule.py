"""Scheduling problems as plain values, the worlds that state them, and schedules played in such a world.

Times are whole numbers in the world's unit. The problem is to choose a start for every activity so
that the last end (the makespan) is as early as possible.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, Protocol, TypeVar, runtime_checkable

from msgspec import Meta, Struct

from backburner.kernel.checks import ONE_LINE, in_all, no_circle, refers_to, unique
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused, ReplayMismatch
from backburner.kernel.files import Place, check
from backburner.kernel.text import Text
from backburner.kernel.values import Outcome, Seat

D_co = TypeVar("D_co", covariant=True)

# What files of problems may hold (see ``check_problem``); what worlds state is never looked at.
Name = Annotated[str, Meta(min_length=1, max_length=200), ONE_LINE]
Time = Annotated[int, Meta(ge=0, le=10_000_000)]
ActivityName = Annotated[Name, refers_to("activity", "activities.name")]
ResourceName = Annotated[Name, refers_to("resource", "kinds_of_resources")]


class Resource(Struct, frozen=True, forbid_unknown_fields=True):
    """``capacity`` interchangeable units; at most that many activities hold one at a time."""

    name: Name
    capacity: Annotated[int, Meta(ge=1, le=10_000)] = 1


class MaxLag(Struct, frozen=True, forbid_unknown_fields=True):
    """A maximum lag: no start later than ``at_most`` after the end of the activity ``after``."""

    after: ActivityName
    at_most: Time


class MachineState(Struct, frozen=True, forbid_unknown_fields=True):
    """A state of a machine, which is a resource of one unit: such as an oven at 350 degrees Fahrenheit."""

    resource: ResourceName
    value: Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]


class Activity(Struct, frozen=True, forbid_unknown_fields=True):
    """Something to be done once; without interruption, unless it is ``preemptive``.

    ``duration``: how long it runs and holds its ``resources``; a resource named twice is held twice.
    ``operator_time``: how long, from its start, it holds the operator, of whom there is one. That is all of
    ``duration`` for work by hand, less for what runs on alone. An activity of no operator time starts
    when the operator is at no other one: between two, not within one.

    ``predecessors``: activities that must have ended before it starts. ``max_lags`` bind its start.

    ``preemptive``: it may be interrupted, and its parts hold operator and resources each for itself. A
    maximum lag binds the start of every part. Only an activity that holds the operator throughout, and
    neither sets nor requires a machine state, can be preemptive.

    ``sets``: it is a setup; from its start on, a machine that it holds is in this state, until another
    setup. ``requires``: the state in which a machine must be when it starts; at first a machine is in none.
    An activity may share a machine with a setup of the same start and end if the machine is in that
    state already: because the activity is a setup to that state, or because it was so before and the activity
    is no setup and has no operator time.

    ``release``: it starts no earlier. ``deadline``: it ends no later, all its parts if it is preemptive.
    """

    name: Name
    duration: Time
    operator_time: Time
    predecessors: tuple[ActivityName, ...] = ()
    resources: tuple[ResourceName, ...] = ()
    max_lags: tuple[MaxLag, ...] = ()
    sets: MachineState | None = None
    requires: MachineState | None = None
    preemptive: bool = False
    release: Time = 0
    deadline: Time | None = None


class Problem(Struct, frozen=True, forbid_unknown_fields=True):
    """Activities of one operator with precedence, maximum lags and resources.

    ``space`` names the decisions that the problem stands for. ``complete``: no decision outside it
    could do better, for the reason that ``space`` gives; otherwise only what holds for every
    decision is proven: that the operator's load bounds the makespan. ``forbidden``: activities that the
    rules do not let happen in this space; if there is one, it holds no plan. ``impossible``:
    activities that no decision at all can finish.

    ``grid`` divides all durations, operator times, lags, releases and deadlines; interruptions begin and end
    at its multiples.
    It leaves out nothing unless something is ``preemptive``; then a plan with finer parts may be
    shorter than what is proven.

    ``decision_ticks``: how long the operator thinks, and is at nothing else, right before each start, while
    other things run on; the grid divides it as well. A part that continues the one before needs no thought.
    """

    unit: Literal["minutes", "seconds", "steps"]
    activities: Annotated[
        tuple[Activity, ...],
        Meta(min_length=1, max_length=5_000),
        unique("name"),
        no_circle("name", "predecessors"),
        in_all({"predecessors": 200_000, "resources": 200_000, "max_lags": 50_000}),
    ]
    resources: Annotated[tuple[Resource, ...], Meta(max_length=1_000), unique("name")]
    space: Annotated[str, Meta(max_length=1_000), ONE_LINE]
    forbidden: tuple[ActivityName, ...] = ()
    impossible: tuple[ActivityName, ...] = ()
    complete: bool = True
    grid: Annotated[int, Meta(ge=1, le=10_000_000)] = 1
    decision_ticks: Time = 0

    @property
    def kinds_of_resources(self) -> tuple[str, ...]:
        """The names of its resources."""
        return tuple(resource.name for resource in self.resources)


def check_problem(problem: Problem, place: Place) -> Problem:
    """The problem, of which everything holds that is declared and said above; raises ``BadFile``."""
    check(problem, place)
    capacities = {resource.name: resource.capacity for resource in problem.resources}
    for where, activity in place.entries("activities", problem.activities):
        for field, why in _mistakes(activity, capacities, problem.grid):
            raise where.field(field).wrong(why)
    if problem.decision_ticks % problem.grid:
        raise place.field("decision_ticks").wrong(f"is no multiple of the grid of {problem.grid}")
    return problem


def _mistakes(activity: Activity, capacities: Mapping[str, int], grid: int) -> Iterator[tuple[str, str]]:
    """(field, what is wrong with it) of an activity."""
    if activity.operator_time > activity.duration:
        yield "operator_time", f"{activity.operator_time}; its duration is {activity.duration}"
    for name, n in Counter(activity.resources).items():
        if n > capacities[name]:
            yield "resources", f"{n} of {name!r}, which has {capacities[name]}"
    for field in ("sets", "requires"):
        state: MachineState | None = getattr(activity, field)
        if state is not None and capacities[state.resource] != 1:
            yield field, f"{state.resource!r} has {capacities[state.resource]} units; a machine has one"
    if activity.sets is not None and activity.sets.resource not in activity.resources:
        yield "sets", f"it does not hold {activity.sets.resource!r}"
    by_hand = activity.duration == activity.operator_time > 0
    if activity.preemptive and (activity.sets or activity.requires or not by_hand):
        yield "preemptive", "only work by hand that neither sets nor requires a state can be"
    times = {
        field: getattr(activity, field) for field in ("duration", "operator_time", "release", "deadline")
    }
    for field, time in (*times.items(), *(("max_lags", lag.at_most) for lag in activity.max_lags)):
        if (time or 0) % grid:
            yield field, f"{time} is no multiple of the grid of {grid}"


class Remaining(Struct, frozen=True):
    """What is left of a schedule in a state: the ``problem`` of what is under way and what is not begun.

    All times count from the beginning. ``now``: when the operator decides next; what is not in ``begun``
    starts then or later. ``begun``: the start of everything in the problem that is begun already. What is
    over and binds nothing any more need not be in the problem.
    """

    problem: Problem
    begun: Mapping[str, int]
    now: int


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

    def is_told(self, seat: Seat) -> bool:
        """Whether what the problems say is no secret to a seat that plays, as its recipes say as much. By
        default it is one."""
        return False

    def remaining(self, state: Any) -> Remaining:
        """What is left to be done in a state in which somebody must decide.

        Raises ``Refused`` for a state, or under rules, of which this cannot be told.
        """
        raise Refused("this world does not say what is left to be done in a state")

    def plan(self, starts: Mapping[str, int]) -> Sequence[D_co]:
        """The decisions that start each activity of the scenario at its time, with waits in between.

        Raises ``Refused`` for starts that are no schedule of the scenario, or where no problem stands for
        the whole scenario.
        """
        raise Refused("no problem stands for the whole scenario, so that no schedule is a plan for it")

    def begins(self, decision: Any) -> tuple[str, ...]:
        """The activities of the scenario's problem that a decision begins, whenever it is taken."""
        return ()

    def beginning(self, activity: str) -> Any:
        """A decision that begins an activity of the scenario's problem; of an attempt that is made again, the
        same each time. Raises ``Refused`` where no problem stands for the whole scenario."""
        raise Refused("no problem stands for the whole scenario")

    def at(self, decision: Any, start: int, duration: int | None = None, *, ends: bool = True) -> Any:
        """The decision for an activity that is to start then, and to go on for so long, if not for all of its
        time; ``ends``: it is done then, and not to be interrupted. By default itself, for decisions that name
        no time."""
        return decision

    def waiting(self, time: int) -> Any:
        """The decision that lets so much time go by, or less; ``None`` where none does."""
        return None


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
    # Asked once: to look up the members of a protocol takes longer than a step.
    in_words: Callable[[Any], str] = world.words if isinstance(world, Text) else str
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
                f"{in_words(decision)!r}: {step.refusals[0].code}"
            )
        states.append(state)
        decisions.append(decision)
        state = step.state
    return Performance(tuple(states), tuple(decisions), tuple(map(in_words, decisions)), world.outcome(state))


def _plan(world: World[Any, Any, Any], starts: Mapping[str, int]) -> Sequence[Any]:
    try:
        if isinstance(world, Schedulable):
            return world.plan(starts)
        raise Refused("this world states no scheduling problem")
    except Refused as error:
        raise ReplayMismatch(f"{world.id}: the oracle's plan cannot be played: {error}") from error

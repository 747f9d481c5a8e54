"""A scheduling problem as a model writes it: read strictly, made a ``Problem``, scheduled, and relaxed.

Times are whole numbers in the world's unit. Nothing in it is believed: it is what its author thinks.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping
from statistics import median_low
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from backburner.kernel.contract import World
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.oracle import Solution
from backburner.kernel.schedule import (
    Activity,
    MachineState,
    MaxLag,
    Problem,
    Resource,
    problem_of,
)
from backburner.kernel.text import speaking
from backburner.kernel.values import Refusal
from backburner.scheduling.makespan import solve_problem

EFFORT = 2.0
"""Of each search for a schedule, in the solver's deterministic time."""

MOST_ACTIVITIES = 200
MOST_STEPS = 5_000
LONGEST_BYTES = 200_000
LONGEST_TIME = 1_000_000

Time = Annotated[int, Meta(ge=0, le=LONGEST_TIME)]
# Not tuple[Time, Time]: of a union with that, msgspec 0.22 makes values that crash the collector of garbage.
Range = Annotated[tuple[Time, ...], Meta(min_length=2, max_length=2)]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
Words = Annotated[str, Meta(max_length=2000)]


class Believed(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An activity as its author sees it.

    ``start``: the decision that starts it, in the world's words; with ``ask``, parts of it will be known only
    when it is time. ``duration``: how long it runs, or (at least, at most); ``None``: unknown. ``hands``: how
    long, from its start, it keeps whoever starts it busy; ``None``: throughout. ``within``: how long after
    the end of another it starts at the latest. ``sets``, ``needs``: states of machines. ``parts``: it may be
    interrupted. ``release``, ``deadline``: it starts no earlier, and ends no later.
    """

    name: Name
    start: Words
    duration: Time | Range | None = None
    hands: Time | None = None
    after: tuple[Name, ...] = ()
    uses: tuple[Name, ...] = ()
    within: dict[Name, Time] = {}
    sets: dict[Name, Time] = {}
    needs: dict[Name, Time] = {}
    parts: bool = False
    release: Time = 0
    deadline: Time | None = None
    ask: bool = False


class Formalisation(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Everything that is to be done, and the resources of more than one unit."""

    activities: Annotated[tuple[Believed, ...], Meta(min_length=1, max_length=MOST_ACTIVITIES)]
    resources: dict[Name, Annotated[int, Meta(ge=1, le=1000)]] = {}

    @property
    def written(self) -> str:
        """As JSON."""
        return msgspec.json.encode(self).decode()


class Patch(Struct, frozen=True, forbid_unknown_fields=True):
    """What changes: activities that are new, or take the place of the one of their name; names that go."""

    set: Annotated[tuple[Believed, ...], Meta(max_length=MOST_ACTIVITIES)] = ()
    drop: tuple[Name, ...] = ()
    resources: dict[Name, Annotated[int, Meta(ge=1, le=1000)]] = {}


FENCE = re.compile(r"^[ \t]{0,8}```[^\n]{0,40}$", re.MULTILINE)


def read_formalisation(text: str, before: Formalisation | None = None) -> Formalisation:
    """The formalisation in an answer: all between the first and the last brace; a patch, where it has no
    ``activities`` and there is one before.

    Raises ``Refused`` with the path of the field that is wrong.
    """
    begin, end = text.find("{"), text.rfind("}")
    if begin < 0 or end < begin:
        raise Refused("there is no JSON object in the answer")
    content = FENCE.sub("", text[begin : end + 1]).encode(errors="replace")
    if len(content) > LONGEST_BYTES:
        raise Refused(f"{len(content)} bytes; at most {LONGEST_BYTES} are read")
    try:
        told = msgspec.json.decode(content, type=dict[str, msgspec.Raw])
        if before is not None and "activities" not in told:
            found = _patched(before, msgspec.json.decode(content, type=Patch))
        else:
            found = msgspec.json.decode(content, type=Formalisation)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise Refused(str(error) or "nested too deeply") from None
    _check(found)
    return found


def _patched(before: Formalisation, patch: Patch) -> Formalisation:
    known = {each.name: each for each in before.activities}
    for name in patch.drop:
        if known.pop(name, None) is None:
            raise Refused(f"drop: {UnknownName('activity', name, list(known), 'the problem')}")
    known.update({each.name: each for each in patch.set})
    return Formalisation(tuple(known.values()), {**before.resources, **patch.resources})


def _check(found: Formalisation) -> None:
    names = [each.name for each in found.activities]
    for number, each in enumerate(found.activities):
        path = f"activities[{number}] ({each.name!r})"
        if each.name in names[:number]:
            raise Refused(f"{path}: the name is there twice")
        whole, _, done = each.name.rpartition("+")
        if done.isdecimal() and any(other.parts and other.name == whole for other in found.activities):
            raise Refused(f"{path}: this is the name of a piece of {whole!r}")
        for field in ("after", "within"):
            for other in getattr(each, field):
                if other not in names or other == each.name:
                    raise Refused(f"{path}.{field}: {UnknownName('activity', other, names, 'the problem')}")
        if isinstance(each.duration, tuple) and each.duration[0] > each.duration[1]:
            raise Refused(f"{path}.duration: the lower end is above the upper")
        for field in ("sets", "needs"):
            for machine in getattr(each, field):
                if machine not in each.uses:
                    raise Refused(f"{path}.{field}: {machine!r} is none of what it uses")
                if found.resources.get(machine, 1) > 1:
                    raise Refused(f"{path}.{field}: {machine!r} has several units, and no state")
        if len(each.sets) > 1 or len(each.needs) > 1:
            raise Refused(f"{path}: one state at most is set, and one needed")


# --- as a scheduling problem -------------------------------------------------------------------------------


def problem_in(found: Formalisation, unit: Any, grid: int = 1) -> Problem:
    """The problem that is meant. A duration that is a range counts as its middle, an unknown one as the
    median of those that are known; hands are never longer than the duration. Nothing is interrupted where
    it could be after more than ``MOST_STEPS`` steps of the grid."""
    known = [_middle(each.duration) for each in found.activities if each.duration is not None]
    usual = median_low(known) if known else 1
    splits = sum(_duration(each, usual) for each in found.activities if each.parts) <= MOST_STEPS * grid
    used = dict.fromkeys(name for each in found.activities for name in each.uses)
    return Problem(
        unit,
        tuple(_activity(each, usual, splits) for each in found.activities),
        tuple(Resource(name, found.resources.get(name, 1)) for name in used),
        "what is stated",
        grid=grid,
    )


def _middle(duration: int | tuple[int, ...]) -> int:
    return duration if isinstance(duration, int) else sum(duration) // 2


def _duration(each: Believed, usual: int) -> int:
    return usual if each.duration is None else _middle(each.duration)


def _activity(each: Believed, usual: int, splits: bool) -> Activity:
    duration = _duration(each, usual)
    hands = duration if each.hands is None else min(each.hands, duration)
    lags = tuple(MaxLag(after, limit) for after, limit in each.within.items())
    return Activity(
        each.name,
        duration,
        hands,
        tuple(dict.fromkeys((*each.after, *each.within))),
        each.uses,
        lags,
        _state(each.sets),
        _state(each.needs),
        each.parts and splits and hands == duration > 0 and not (each.sets or each.needs),
        each.release,
        each.deadline,
    )


def _state(of: Mapping[str, int]) -> MachineState | None:
    return next((MachineState(*state) for state in of.items()), None)


def grid_of(found: Formalisation, most: int = 30) -> int:
    """The coarsest grid, up to ``most``, on which interruptions are planned."""
    if not any(each.parts for each in found.activities):
        return 1
    times = [time for each in problem_in(found, "steps").activities for time in _times(each)]
    return next(grid for grid in range(most, 0, -1) if not any(time % grid for time in times))


def _times(each: Activity) -> Iterator[int]:
    yield from (each.duration, each.operator_time, each.release, each.deadline or 0)
    yield from (lag.at_most for lag in each.max_lags)


# --- scheduled ---------------------------------------------------------------------------------------------


def scheduled(problem: Problem) -> Solution:
    """The best schedule that the effort finds. Raises ``MissingExtra``."""
    return solve_problem(problem, effort=EFFORT)


class Constraint(Struct, frozen=True):
    """A part of a problem that can be left out: of which activity, which, and in words."""

    kind: str
    activity: str
    other: str
    words: str


def constraints(problem: Problem) -> list[Constraint]:
    """All that can be left out, in the order in which it is: maximum lags, deadlines, needs, precedence."""
    of_kind: dict[str, list[Constraint]] = {"lag": [], "deadline": [], "need": [], "edge": []}
    for each in problem.activities:
        name = each.name
        for lag in each.max_lags:
            words = f"{name} within {lag.at_most} {problem.unit} of {lag.after}"
            of_kind["lag"].append(Constraint("lag", name, lag.after, words))
        if each.deadline is not None:
            of_kind["deadline"].append(Constraint("deadline", name, "", f"{name} by {each.deadline}"))
        if each.requires is not None:
            state = f"{each.requires.resource} at {each.requires.value}"
            of_kind["need"].append(Constraint("need", name, "", f"{name} with {state}"))
        edges = [Constraint("edge", name, before, f"{name} after {before}") for before in each.predecessors]
        of_kind["edge"] += edges
    return [constraint for kind in of_kind.values() for constraint in kind]


def without(problem: Problem, left_out: Collection[Constraint]) -> Problem:
    """The problem without these constraints."""
    gone = {(each.kind, each.activity, each.other) for each in left_out}

    def kept(each: Activity) -> Activity:
        name = each.name
        lags = tuple(lag for lag in each.max_lags if ("lag", name, lag.after) not in gone)
        before = tuple(other for other in each.predecessors if ("edge", name, other) not in gone)
        return replace(
            each,
            max_lags=tuple(lag for lag in lags if lag.after in before),
            predecessors=before,
            deadline=None if ("deadline", name, "") in gone else each.deadline,
            requires=None if ("need", name, "") in gone else each.requires,
        )

    return replace(problem, activities=tuple(map(kept, problem.activities)))


def in_conflict(problem: Problem) -> list[Constraint]:
    """A least set of constraints without which a problem that no schedule keeps has one: left out one after
    the other until there is one, then each is taken back that need not be left out. Empty where even that
    does not help."""
    found = constraints(problem)
    if not _holds(without(problem, found)):
        return []
    first = bisect_left(range(len(found)), True, key=lambda n: _holds(without(problem, found[: n + 1])))
    last = found[first]
    return [*_needed(problem, found[:first], [last]), last]


def _needed(problem: Problem, some: list[Constraint], others: list[Constraint]) -> list[Constraint]:
    """Those that must be left out beside the others: one after the other, many at once where none must."""
    if not some or _holds(without(problem, others)):
        return []
    if len(some) == 1:
        return some
    half = len(some) // 2
    needed = _needed(problem, some[:half], [*some[half:], *others])
    return [*needed, *_needed(problem, some[half:], [*needed, *others])]


def _holds(problem: Problem) -> bool:
    return solve_problem(problem, effort=EFFORT / 10).starts is not None


# --- beside the truth --------------------------------------------------------------------------------------


def stated(world: World[Any, Any, Any]) -> Formalisation:
    """The scenario's own problem as an author would write it who knows all."""
    problem, true = problem_of(world), speaking(world)
    several = {each.name: each.capacity for each in problem.resources if each.capacity > 1}
    return Formalisation(tuple(_stated(each, true) for each in problem.activities), several)


def _stated(each: Activity, world: Any) -> Believed:
    return Believed(
        each.name,
        world.words(world.beginning(each.name), world.seats[0]),
        each.duration,
        None if each.operator_time == each.duration else each.operator_time,
        each.predecessors,
        each.resources,
        {lag.after: lag.at_most for lag in each.max_lags},
        {} if each.sets is None else {each.sets.resource: each.sets.value},
        {} if each.requires is None else {each.requires.resource: each.requires.value},
        each.preemptive,
        each.release,
        each.deadline,
    )


def matched(world: World[Any, Any, Any], found: Formalisation) -> dict[str, str]:
    """The activities of the scenario's own problem by the names of those that start with the same decision.

    The world reads it as at the beginning. Each is matched once.
    """
    state, seat = world.start(), world.seats[0]
    true = {each.name for each in problem_of(world).activities}
    match: dict[str, str] = {}
    for each in found.activities:
        names = set(begun_by(world, state, seat, each.start)) & true - set(match.values())
        if names:  # of attempts that are made again the one of its name, or the last
            match[each.name] = (
                each.name if each.name in names else min(names, key=lambda name: (len(name), name))
            )
    return match


def begun_by(world: Any, state: Any, seat: str, words: str) -> tuple[str, ...]:
    """The activities that a decision in words begins; none where it is no decision."""
    decision = world.parse(state, seat, words)
    return () if isinstance(decision, Refusal) else tuple(world.begins(decision))

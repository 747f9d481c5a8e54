"""Scheduling problems of unified-planning: there and back, and its plans back as starts.

``to_up`` states a problem with all that it has: activities take operator and resources and give them back,
and everything else is a constraint on starts. What may be interrupted is a chain of parts of one step of the
grid. A file is unified-planning's own (protocol buffers); its name is our JSON of the problem, which is
believed where all the rest of the file is what we write for it. Of files of others, activities, resources and
delays between starts and ends are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import combinations
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from backburner.formats.coding import ALL_STARTS, MOST_BYTES, MOST_UNITS, Coded, Head, Table, coded, restored
from backburner.formats.lags import BEGINNING, StartLags
from backburner.kernel.errors import BackburnerError, BadFile, Refused, needs_extra
from backburner.kernel.files import Place, converted, decoded, read_regular
from backburner.kernel.schedule import Activity, MachineState, Problem, Resource, check_problem
from backburner.scheduling.model import shared_setups, users_of
from backburner.scheduling.preemption import Discretised, merged, with_preemption

MOST_ALTERNATIVES = 5_000
"""Pairs of activities of which one goes first, in a problem; to state them takes about a millisecond each."""

MOST_JOINED = 400
"""So many activities and parts a problem may have for ways through several delays to be looked at."""

OPERATOR = "operator"
"""The resource that stands for the operator."""


class Stated(NamedTuple):
    """A problem as unified-planning has it, and what its plans mean.

    ``up``: a ``SchedulingProblem`` of least makespan. Its activities are ``a1``, ``a2`` ... in the problem's
    order; ``a1+2`` is the part of the first one before which two steps of the grid are done.
    """

    up: Any
    problem: Problem
    discretised: Discretised

    def starts(self, plan: Any) -> dict[str, int]:
        """The starts of a plan (a ``Schedule``), by the names of the problem, as ``Solution.starts``."""
        of = {
            each.name: plan.get(self.up.get_activity(each.name).start)
            for each in self.discretised.problem.activities
        }
        thought = self.problem.decision_ticks
        starts = {name: int(value.constant_value()) + thought for name, value in of.items()}
        own = coded(self.problem)
        if self.discretised.part_before:
            starts = merged(own.problem, starts)
        names = {name: "+".join([own.names[name.partition("+")[0]], *name.split("+")[1:]]) for name in starts}
        return {names[name]: start for name, start in starts.items()}


def to_up(problem: Problem, name: str = "project") -> Stated:
    """A problem as unified-planning has it; raises ``MissingExtra``, and ``Refused`` for thoughts before what
    may be interrupted."""
    with needs_extra("formats", "unified-planning"):
        import unified_planning.model.scheduling  # noqa: F401
    own = coded(problem).problem
    splits = any(each.preemptive for each in own.activities)
    if splits and own.decision_ticks:
        raise Refused("unified-planning has no way to say thoughts before parts of what may be interrupted")
    discretised = with_preemption(own) if splits else Discretised(own, {})
    return Stated(_Model(discretised, name).up, problem, discretised)


class _Model:
    """The statement of a problem without interruptions: S(i) is the start of i, and all times are whole.

    Where the operator thinks before each start, i begins with its thought here, and S(i) is when that begins.
    What windows and order decide already is left out of alternatives, again and again until nothing more is
    decided: some planners stumble over an alternative that is none.
    """

    def __init__(self, discretised: Discretised, name: str) -> None:
        from unified_planning.environment import get_environment
        from unified_planning.model.metrics import MinimizeMakespan
        from unified_planning.model.scheduling import SchedulingProblem

        self.problem, self.part_before = discretised
        self.up = SchedulingProblem(name)
        self.says = get_environment().expression_manager
        self.by_name = {each.name: each for each in self.problem.activities}
        if (number := self._n_alternatives()) > MOST_ALTERNATIVES:
            raise Refused(
                f"{number} pairs of activities of which one goes first; at most {MOST_ALTERNATIVES}"
            )
        for each in self.problem.activities:
            self.up.add_activity(each.name, each.duration + self.problem.decision_ticks)
        self._use_operator()
        self._use_resources()
        self.up.add_quality_metric(MinimizeMakespan())
        self._gaps: dict[Any, tuple[str, str, int]] = {}
        self._decided = _Gaps(self.by_name)
        stated = dict.fromkeys((*self._windows(), *self._order()))
        while True:
            self._decided.add(self._gaps[each] for each in stated if each in self._gaps)
            found = dict.fromkeys((*self._lags(), *self._turns(), *self._machines(), *self._states()))
            found = {each: None for each in found if not each.is_true()}
            if not any(each in self._gaps and each not in stated for each in found):
                break
            stated |= {each: None for each in found if each in self._gaps}
        for constraint in stated | found:
            self.up.add_constraint(constraint)

    def _n_alternatives(self) -> int:
        """As many pairs as turns and shared machines may have."""
        problem, activities = self.problem, self.problem.activities
        free = 0 if problem.decision_ticks else sum(not each.operator_time for each in activities)
        shared = (len(users_of(problem, each.name)) for each in filter(self._shares, problem.resources))
        states = sum(each.requires is not None for each in activities)
        setups = sum(each.sets is not None for each in activities)
        works = sum(each.operator_time > 1 for each in activities)
        return free * works + sum(users**2 for users in shared) + states * setups**2

    # --- expressions

    def _at(self, name: str, later: int = 0) -> Any:
        from unified_planning.model.timing import Timing

        return Timing(later, self.up.get_activity(name).start)

    def _before(self, i: str, plus: int, j: str, least: int = 0) -> Any:
        """S(i) + plus <= S(j) + least; of no activity S is 0."""
        one = self._at(i, plus) if i else plus
        other = self._at(j, least) if j else least
        said = self.says.LE(one, other)
        self._gaps[said] = (i, j, plus - least)
        return said

    def _ends_before(self, i: str, j: str) -> Any:
        """C(i) <= S(j); where starts need thoughts, i's work and j's thought are apart as well."""
        one, thought = self.by_name[i], self.problem.decision_ticks
        return self._before(i, max(one.duration, one.operator_time + thought if thought else 0), j)

    def _either(self, *options: Any) -> Any:
        left = [each for each in options if not self._decided.excludes(self._gaps.get(each))]
        if any(each.is_true() or self._decided.entails(self._gaps.get(each)) for each in left):
            return self.says.TRUE()
        return self.says.Or(*left) if left else self._never()

    def _all(self, *parts: Any) -> Any:
        if any(self._decided.excludes(self._gaps.get(each)) for each in parts):
            return self._never()
        return self.says.And(
            *(e for e in parts if not (e.is_true() or self._decided.entails(self._gaps.get(e))))
        )

    def _never(self) -> Any:
        return self._before(first := self.problem.activities[0].name, 1, first)

    # --- what is taken and given back

    def _use_operator(self) -> None:
        """He is taken for the thought before a start and the work behind it."""
        thought, operator = self.problem.decision_ticks, self.up.add_resource(OPERATOR, 1)
        for each in self.problem.activities:
            if each.operator_time + thought:
                activity = self.up.get_activity(each.name)
                activity.add_decrease_effect(activity.start, operator, 1)
                activity.add_increase_effect(self._at(each.name, thought + each.operator_time), operator, 1)

    def _use_resources(self) -> None:
        for resource in self.problem.resources:
            fluent = self.up.add_resource(resource.name, resource.capacity)
            for each in () if self._shares(resource) else users_of(self.problem, resource.name):
                if each.duration:
                    activity, units = self.up.get_activity(each.name), each.resources.count(resource.name)
                    activity.add_decrease_effect(
                        self._at(each.name, self.problem.decision_ticks), fluent, units
                    )
                    activity.add_increase_effect(activity.end, fluent, units)

    def _shares(self, resource: Resource) -> bool:
        """Whether users of a resource are kept apart pair by pair: where two may hold it together, or where
        one holds it for no time."""
        pointed = resource.capacity == 1 and not all(
            a.duration for a in users_of(self.problem, resource.name)
        )
        return pointed or bool(shared_setups(self.problem, resource.name))

    # --- constraints

    def _windows(self) -> Iterator[Any]:
        for each in self.problem.activities:
            thought = self.problem.decision_ticks
            if each.release > thought:
                yield self._before("", each.release - thought, each.name)
            if each.deadline is not None:
                yield self._before(each.name, thought + each.duration, "", each.deadline)

    def _order(self) -> Iterator[Any]:
        for each in self.problem.activities:
            yield from (self._ends_before(before, each.name) for before in each.predecessors)

    def _lags(self) -> Iterator[Any]:
        for each in self.problem.activities:
            for lag in each.max_lags:
                kept = self._before(each.name, 0, lag.after, self.by_name[lag.after].duration + lag.at_most)
                part = self.part_before.get(each.name)
                yield self._either(kept, self._goes_on(part, each.name)) if part else kept

    def _goes_on(self, before: str, part: str) -> Any:
        """The part starts when the one before it ends, and nothing without an operator starts just then."""
        alone = (each.name for each in self.problem.activities if not each.operator_time)
        elsewhere = (self._either(self._before(z, 1, part), self._before(part, 1, z)) for z in alone)
        return self._all(self._before(part, 0, before, 1), *elsewhere)

    def _turns(self) -> Iterator[Any]:
        """What needs neither work nor thought starts when the operator is at nothing else."""
        works = [each for each in self.problem.activities if each.operator_time > 1]
        for each in () if self.problem.decision_ticks else self.problem.activities:
            for other in () if each.operator_time else works:
                behind = self._before(other.name, other.operator_time, each.name)
                yield self._either(self._before(each.name, 0, other.name), behind)

    def _machines(self) -> Iterator[Any]:
        for resource in filter(self._shares, self.problem.resources):
            pairs = [(user.name, setup.name) for user, setup in shared_setups(self.problem, resource.name)]
            for one, other in combinations([each.name for each in users_of(self.problem, resource.name)], 2):
                share = [self._share(*each) for each in pairs if {*each} == {one, other}]
                yield self._either(self._ends_before(one, other), self._ends_before(other, one), *share)

    def _share(self, user: str, setup: str) -> Any:
        """Both start together; where the user is no setup to the same state, the machine is in it before."""
        state = self.by_name[setup].sets
        together = [self._before(user, 0, setup), self._before(setup, 0, user)]
        if state is not None and self.by_name[user].sets != state:
            together.append(self._in_state(user, state))
        return self._all(*together)

    def _states(self) -> Iterator[Any]:
        for each in self.problem.activities:
            if each.requires is not None:
                yield self._in_state(each.name, each.requires)

    def _in_state(self, name: str, state: MachineState) -> Any:
        """Some setup to the state precedes the activity, and no setup to another one comes between."""
        setups = [each for each in self.problem.activities if each.sets and each.name != name]
        others = [h.name for h in setups if h.sets and h.sets.resource == state.resource and h.sets != state]
        return self._either(
            *(
                self._all(
                    self._ends_before(h.name, name),
                    *(self._either(self._ends_before(c, h.name), self._ends_before(name, c)) for c in others),
                )
                for h in setups
                if h.sets == state
            )
        )


class _Gaps:
    """What is known of S(j) - S(i) for all pairs: the longest ways through all S(j) >= S(i) + d."""

    def __init__(self, names: Iterable[str]) -> None:
        self._number = {name: n for n, name in enumerate(("", *names))}
        self._least = [[-inf] * len(self._number) for _ in self._number]
        for n, row in enumerate(self._least):
            self._least[0][n] = row[n] = 0

    def add(self, gaps: Iterable[tuple[str, str, int]]) -> None:
        """More is known."""
        for i, j, d in gaps:
            self._least[self._number[i]][self._number[j]] = max(d, self.between(i, j))
        for k, via in enumerate(self._least if len(self._least) <= MOST_JOINED else ()):
            for row in self._least:
                if (first := row[k]) > -inf:
                    row[:] = [max(known, first + more) for known, more in zip(row, via, strict=True)]

    def between(self, i: str, j: str) -> float:
        """The least difference from i to j."""
        return self._least[self._number[i]][self._number[j]]

    def entails(self, gap: tuple[str, str, int] | None) -> bool:
        """Whether it holds in every schedule."""
        return gap is not None and self.between(gap[0], gap[1]) >= gap[2]

    def excludes(self, gap: tuple[str, str, int] | None) -> bool:
        """Whether it holds in none."""
        return gap is not None and self.between(gap[1], gap[0]) > -gap[2]


# --- files -------------------------------------------------------------------------------------------------


def _named(problem: Problem) -> str:
    return msgspec.json.encode(problem).decode()


def write_up(own: Coded) -> bytes:
    """A problem as a file of unified-planning's."""
    stated = to_up(own.original, _named(own.original))
    with needs_extra("formats", "a file of unified-planning"):
        from unified_planning.grpc.proto_writer import ProtobufWriter

    content: bytes = ProtobufWriter().convert(stated.up).SerializeToString(deterministic=True)
    return content


def read_up(path: Path, item: str = "") -> Problem:
    """The problem in a file of unified-planning's; raises ``BadFile``, ``Refused`` for what ours is not."""
    with needs_extra("formats", f"a file of unified-planning ({path})"):
        import unified_planning.engines  # noqa: F401  # the reader names it without importing it
        import unified_planning.grpc.generated.unified_planning_pb2 as layout
        from unified_planning.grpc.proto_reader import ProtobufReader
    message = layout.Problem()
    try:
        message.ParseFromString(read_regular(path, MOST_BYTES))
        up = ProtobufReader().convert(message)
    except BackburnerError:
        raise
    except Exception as error:  # of a reader that trusts its files
        raise BadFile(path, "", f"no problem of unified-planning: {error}") from error
    with suppress(BadFile, Refused):
        place = Place(str(path))
        problem = check_problem(converted(decoded((up.name or "").encode(), path), Problem, place), place)
        parts = sum(e.duration // problem.grid if e.preemptive else 1 for e in problem.activities)
        if parts == len(getattr(up, "activities", ())) and to_up(problem, _named(problem)).up == up:
            return problem
    return _foreign(up, path)


def _foreign(up: Any, path: Path) -> Problem:
    """A problem of somebody else: activities of fixed length, resources, delays between starts and ends."""
    if not hasattr(up, "activities") or up.base_effects or up.all_conditions() or up.base_variables:
        raise Refused(f"{path}: more than activities, resources and delays, which is all that is read")
    capacities = {fluent.name: fluent.type.upper_bound for fluent in up.fluents if fluent.type.is_int_type()}
    activities = [_activity(each, capacities, path) for each in up.activities]
    durations = {each.name: each.duration for each in activities}
    if sum(len(each.resources) for each in activities) > MOST_UNITS:
        raise BadFile(path, "effects", f"more than {MOST_UNITS} units of resources")
    lags = StartLags(activities)
    for constraint, _ in up.all_constraints():
        for part in constraint.args if constraint.is_and() else [constraint]:
            if not (part.is_le() or part.is_lt()):
                raise Refused(f"{path}: no delay between starts and ends: {part}")
            (i, plus), (j, least) = (_time(each, durations, path) for each in part.args)
            lags.not_before(i, j, plus - least + (1 if part.is_lt() else 0))
    resources = tuple(Resource(name, capacity) for name, capacity in capacities.items())
    return restored(Problem("steps", lags.stated(), resources, ALL_STARTS), Table(Head(), {}), path)


def _time(node: Any, durations: Mapping[str, int], path: Path) -> tuple[str, int]:
    """(activity, how long after its start) of a time; the beginning for a number."""
    if node.is_int_constant():
        return BEGINNING, node.constant_value()
    if node.is_plus() and len(node.args) == 2:
        (one, later), (other, more) = (_time(each, durations, path) for each in node.args)
        if BEGINNING in (one, other):
            return one or other, later + more
    if node.is_timing_exp():
        at, point = node.timing(), node.timing().timepoint
        if point.container in durations and int(at.delay) == at.delay:
            return point.container, int(at.delay) + (0 if at.is_from_start() else durations[point.container])
    raise Refused(f"{path}: no time of an activity: {node}")


def _activity(each: Any, capacities: Mapping[str, int], path: Path) -> Activity:
    least, most = each.duration.lower, each.duration.upper
    if not least.is_int_constant() or least != most or each.parameters:
        raise Refused(f"{path}: activity {each.name} has no fixed duration, or parameters")
    duration, held = least.constant_value(), dict[tuple[str, bool], int]()
    for at, effects in each.effects.items():
        ends = at.timepoint == each.end or (at.timepoint == each.start and at.delay == duration > 0)
        for effect in effects:
            name, takes = effect.fluent.fluent().name, effect.is_decrease()
            fits = takes != ends and not (at.delay and not ends) and effect.value.is_int_constant()
            if name not in capacities or effect.is_assignment() or effect.is_conditional() or not fits:
                raise Refused(
                    f"{path}: activity {each.name} does more than to hold resources throughout: {effect}"
                )
            held[name, takes] = held.get((name, takes), 0) + effect.value.constant_value()
    taken = {name: amount for (name, takes), amount in held.items() if takes}
    if taken != {name: amount for (name, takes), amount in held.items() if not takes}:
        raise Refused(f"{path}: activity {each.name} does not give back what it takes")
    if sum(taken.values()) > MOST_UNITS:
        raise BadFile(path, each.name, f"more than {MOST_UNITS} units of resources")
    return Activity(each.name, duration, 0, (), tuple(name for name, n in taken.items() for _ in range(n)))

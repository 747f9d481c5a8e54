"""Why something cannot be started now: the scheduling model of ``kernel.schedule``, at one moment of play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from backburner.kernel.errors import nearest
from backburner.kernel.schedule import Activity, MachineState, Problem
from backburner.kernel.values import Fault, Refusal
from backburner.worlds.projects.game.state import LONGEST_WAIT, Silence, Start, State, Wait

UNREADABLE = Refusal("unreadable", Fault.UNREADABLE)


def unknown(name: str, known: Iterable[str]) -> Refusal:
    """There is no activity of this name; what is most like it is told."""
    told = (("activity", name[:100]), ("nearest", ", ".join(nearest(name, known)) or "none"))
    return Refusal("unknown_activity", Fault.UNKNOWN_THING, told)


class Legality:
    """The rules of one problem. It holds nothing that changes."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.activities = problem.activities
        self.index = {activity.name: index for index, activity in enumerate(self.activities)}
        self.capacity = {resource.name: resource.capacity for resource in problem.resources}
        self.users = {
            name: [index for index, activity in enumerate(self.activities) if name in activity.resources]
            for name in self.capacity
        }
        self.before = [[self.index[name] for name in a.predecessors] for a in self.activities]
        self.lags = [[(self.index[lag.after], lag.at_most) for lag in a.max_lags] for a in self.activities]

    def obstacle(self, state: State, decision: object) -> Refusal | None:
        """Why a decision is impossible; ``None`` if it is possible."""
        match decision:
            case Refusal() | None:
                return decision or UNREADABLE
            case Silence():
                return None
            case Wait(None):
                return None if self.next_moment(state) else Refusal("nothing_to_wait_for", Fault.TIMING)
            case Wait(int(ticks)) if not 1 <= ticks <= LONGEST_WAIT:
                return Refusal("no_such_time", Fault.MISMATCH, (("longest", LONGEST_WAIT),))
            case Wait(int()):
                return None
            case Start(str(activity)) if activity not in self.index:
                return unknown(activity, self.index)
            case Start(str(activity), int() | None as ticks):
                index = self.index[activity]
                return self.not_startable(state, index) or self._no_piece(state, index, ticks)
        return UNREADABLE

    def _no_piece(self, state: State, index: int, ticks: int | None) -> Refusal | None:
        """Why an activity cannot be done for so long; only what is preemptive has pieces."""
        activity, left = self.activities[index], state.works[index].left
        if ticks is None or (activity.preemptive and 1 <= ticks < left):
            return None
        code = "no_such_piece" if activity.preemptive else "not_interrupted"
        return Refusal(code, Fault.MISMATCH, (("activity", activity.name), ("left", left)))

    def not_startable(self, state: State, index: int) -> Refusal | None:
        """Why an activity, or what is left of it, cannot be started now."""
        activity, work, now = self.activities[index], state.works[index], state.time
        name = ("activity", activity.name)
        if state.runs(index):
            return Refusal("under_way", Fault.ALREADY_DONE, (name, ("until", work.end)))
        if not work.is_open:
            return Refusal("already_done", Fault.ALREADY_DONE, (name,))
        if now < activity.release:
            return Refusal("not_released", Fault.TIMING, (name, ("until", activity.release)))
        if (latest := self.latest(state, index)) is not None and now > latest:
            return Refusal("too_late", Fault.TIMING, (name, ("latest", latest)))
        first = ", ".join(self.activities[b].name for b in self.before[index] if not state.finished(b))
        if first:
            return Refusal("predecessor_missing", Fault.MISSING_PREREQUISITE, (name, ("first", first)))
        if activity.requires is not None and not self.is_in(state, activity.requires, index):
            machine = (("machine", activity.requires.resource), ("value", activity.requires.value))
            return Refusal("wrong_state", Fault.MISSING_PREREQUISITE, (name, *machine))
        for resource in dict.fromkeys(activity.resources):
            if not self._is_free(state, index, resource):
                return Refusal("resource_busy", Fault.OCCUPIED, (name, ("resource", resource)))
        return None

    def latest(self, state: State, index: int) -> int | None:
        """The last moment at which what is left of an activity can start, as far as that is settled."""
        activity = self.activities[index]
        times = [] if activity.deadline is None else [activity.deadline - state.works[index].left]
        for after, at_most in self.lags[index]:
            if not state.works[after].is_open:
                times.append(state.works[after].end + at_most)
        return min(times, default=None)

    # Resources and the states of machines

    def _is_free(self, state: State, index: int, resource: str) -> bool:
        """Whether enough of a resource is free, or its users let the activity share it."""
        held = [user for user in self.users[resource] if state.runs(user)]
        in_use = sum(self.activities[user].resources.count(resource) for user in held)
        if in_use + self.activities[index].resources.count(resource) <= self.capacity[resource]:
            return True
        return self.capacity[resource] == 1 and all(self._share(state, index, u, resource) for u in held)

    def _share(self, state: State, index: int, user: int, machine: str) -> bool:
        """Whether two activities may hold a machine together; see ``Activity.sets``."""
        one, other = self.activities[index], self.activities[user]
        if state.works[user].start != state.time or one.duration != other.duration:
            return False
        return self._rides_on(state, index, user, machine) or self._rides_on(state, user, index, machine)

    def _rides_on(self, state: State, index: int, setup: int, machine: str) -> bool:
        """Whether an activity needs nothing but what a setup of the same time sets the machine to."""
        activity, to = self.activities[index], self.activities[setup].sets
        if to is None or to.resource != machine:
            return False
        if activity.sets is not None and activity.sets.resource == machine:
            return activity.sets == to
        return activity.operator_time == 0 and self.is_in(state, to, index)

    def is_in(self, state: State, wanted: MachineState, index: int) -> bool:
        """Whether a machine was set to a state, by another activity that is over, and to no other since."""
        over, since = -1, -1
        for user in self.users[wanted.resource]:
            sets, work = self.activities[user].sets, state.works[user]
            if user == index or sets is None or sets.resource != wanted.resource or work.start < 0:
                continue
            if sets != wanted:
                since = max(since, work.end)
            elif work.end <= state.time:
                over = max(over, work.start)
        return 0 <= over >= since

    # Moments

    def next_moment(self, state: State) -> int | None:
        """When something under way ends, or something is released, next."""
        return min((moment for moment in self.moments(state) if moment > state.time), default=None)

    def moments(self, state: State) -> Iterator[int]:
        """All ends and releases that are to come, and some that were."""
        for activity, work in zip(self.activities, state.works, strict=True):
            yield work.end
            if work.is_open:
                yield activity.release

    def misses(self, state: State) -> Iterator[int]:
        """For each activity of which something is open, the first moment at which it is missed, if there is
        one: what is under way then is missed at its end."""
        for index, work in enumerate(state.works):
            if work.is_open and (latest := self.latest(state, index)) is not None:
                yield max(latest + 1, work.end)

    def startable(self, state: State) -> Iterator[Activity]:
        """What can be started now, in the order of the problem."""
        for index, activity in enumerate(self.activities):
            if self.not_startable(state, index) is None:
                yield activity

    def over(self, state: State, *, goes_on: bool, limit: int | None) -> str:
        """Why play is over in a state; empty if it is not."""
        if all(map(state.finished, range(len(self.activities)))):
            return "completed"
        if not goes_on and any(missed <= state.time for missed in self.misses(state)):
            return "missed"
        if limit is not None and state.time >= limit:
            return "time"
        if self.next_moment(state) is None and next(self.startable(state), None) is None:
            return "stuck"
        return ""

    def begun(self, state: State, index: int, ticks: int | None) -> State:
        """The state with an activity, or so many ticks of it, started."""
        left = state.works[index].left
        ticks = left if ticks is None else ticks
        work = replace(state.works[index], left=left - ticks, start=state.time, end=state.time + ticks)
        return replace(state, works=(*state.works[:index], work, *state.works[index + 1 :]), refusal=None)

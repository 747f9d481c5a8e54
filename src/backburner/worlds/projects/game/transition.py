"""What follows from a decision."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from backburner.kernel.schedule import Activity
from backburner.kernel.values import Event, Refusal, Step
from backburner.worlds.projects.game.legality import Legality
from backburner.worlds.projects.game.rule_set import Limits, Rules
from backburner.worlds.projects.game.state import AGENT, Decision, Start, State, Wait, Work


class Rulebook:
    """The rules of one scenario; a step is over when the operator is free again."""

    def __init__(self, legality: Legality, rules: Rules, limits: Limits) -> None:
        self.legality, self.rules, self.limits = legality, rules, limits

    def start(self) -> State:
        """Nothing is begun."""
        return State(0, tuple(Work(activity.duration) for activity in self.legality.activities))

    def step(self, state: State, decision: Decision | object) -> Step[State]:
        """What follows; a refused decision costs time."""
        if state.ended:
            return Step(state)
        refusal = self.legality.obstacle(state, decision)
        now = state.time
        if refusal is not None:
            refusal = refusal.at(AGENT)
            event = Event(now, "start", AGENT, refusal.code.replace("_", " "), f"refused  {now}", "refused")
            until = now + self.rules.refusal_ticks
            return self._pass(replace(state, refusal=refusal), until, event, refusals=(refusal,))
        if isinstance(decision, Start):
            return self._start(state, decision)
        if isinstance(decision, Wait):
            state = replace(state, refusal=None)
        ticks: int | None = getattr(decision, "ticks", None)
        moment = self.legality.next_moment(state) if ticks is None else now + ticks
        return self._pass(state, moment or now)

    def _start(self, state: State, start: Start) -> Step[State]:
        index, now = self.legality.index[start.activity], state.time
        activity, before = self.legality.activities[index], state.works[index]
        after = self.legality.begun(state, index, start.ticks)
        piece = after.works[index].end - now
        first = Event(now, "start", lane_of(activity), activity.name, activity.name)
        begun = [first if before.start < 0 else replace(first, what="resume")]
        if 0 < activity.operator_time < activity.duration:
            label = f"start {activity.name}"
            # No name has two blanks in a row.
            begun.insert(0, Event(now, "start", AGENT, label, f"start  {activity.name}"))
        until = now + min(activity.operator_time, piece)
        if not any(work.is_open for work in after.works):  # nothing is left to be decided
            until = max(work.end for work in after.works)
        return self._pass(after, until, *begun, started=index)

    def _pass(
        self,
        state: State,
        until: int,
        *begun: Event,
        started: int = -1,
        refusals: tuple[Refusal, ...] = (),
    ) -> Step[State]:
        """Let time pass, until play is over at the latest."""
        now, ended = self._until(state, until)
        after = replace(state, time=now, ended=ended)
        ends = [*self._by_hand(state, begun, started, now), *self._ends(state, started, now)]
        return Step(after, (*begun, *sorted(ends, key=lambda event: event.time)), refusals)

    def _until(self, state: State, until: int) -> tuple[int, str]:
        """When time stops: at the latest then, and where play is over before; and why it is over."""
        limit = self.limits.time
        moments = {until, limit or until, *self.legality.moments(state), *self.legality.misses(state)}
        for time in sorted(moment for moment in moments if state.time <= moment <= until):
            over = replace(state, time=time)
            if why := self.legality.over(over, goes_on=self.rules.goes_on_after_a_miss, limit=limit):
                return time, why
        return until, ""

    def _by_hand(self, state: State, begun: tuple[Event, ...], started: int, now: int) -> Iterator[Event]:
        """The ends of what the operator does beside activities: setting them going, and being refused."""
        for event in begun:
            if event.kind == "refused":
                yield replace(event, time=now, what="end")
            elif event.lane == AGENT and event.key != self.legality.activities[started].name:
                over = event.time + self.legality.activities[started].operator_time
                if over <= now:
                    yield replace(event, time=over, what="end")

    def _ends(self, state: State, started: int, now: int) -> Iterator[Event]:
        """What ends or pauses, and how much is completed then."""
        done: set[int] = set()
        for index, work in enumerate(state.works):
            if (state.runs(index) or index == started) and work.end <= now:
                activity = self.legality.activities[index]
                end = Event(work.end, "end", lane_of(activity), activity.name, activity.name)
                yield replace(end, what="pause") if work.left else end
                done |= set() if work.left else {work.end}
        for time in sorted(done):
            yield Event(time, "score", value=self.score(replace(state, time=time)))

    def score(self, state: State) -> float:
        """Per cent of the activities that are completed."""
        finished = sum(map(state.finished, range(len(state.works))))
        return round(100 * finished / len(state.works), 4)


def lane_of(activity: Activity) -> str:
    """Where an activity is drawn: with the operator if it is done by hand, else on its first resource."""
    if 0 < activity.duration == activity.operator_time:
        return AGENT
    return activity.resources[0] if activity.resources else "by itself"

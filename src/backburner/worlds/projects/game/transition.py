"""What follows from a decision."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from backburner.kernel.schedule import Activity
from backburner.kernel.values import Event, Step
from backburner.worlds.projects.game.legality import Legality
from backburner.worlds.projects.game.rule_set import Limits, Rules
from backburner.worlds.projects.game.state import AGENT, Start, State, Wait, Work


class Rulebook:
    """The rules of one scenario; a step is over when the operator is free again."""

    def __init__(self, legality: Legality, rules: Rules, limits: Limits) -> None:
        self.legality, self.rules, self.limits = legality, rules, limits

    def start(self) -> State:
        """Nothing is begun."""
        return State(0, tuple(Work(activity.duration) for activity in self.legality.activities))

    def step(self, state: State, decision: object) -> Step[State]:
        """What follows; a refused decision costs time."""
        if state.ended:
            return Step(state)
        now, refusal = state.time, self.legality.obstacle(state, decision)
        if refusal is not None:
            refusal, ticks = refusal.at(AGENT), self.rules.refusal_ticks
            event = Event(now, "start", AGENT, refusal.code.replace("_", " "), f"refused  {now}", "refused")
            passed = self._pass(replace(state, refusal=refusal), now + ticks, event, by_hand=ticks)
            return replace(passed, refusals=(refusal,))
        if isinstance(decision, Start):
            return self._start(state, decision)
        if isinstance(decision, Wait):
            state = replace(state, refusal=None)
        own: int | None = getattr(decision, "ticks", None)
        return self._pass(state, (self.legality.next_moment(state) or now) if own is None else now + own)

    def _start(self, state: State, start: Start) -> Step[State]:
        index, now = self.legality.index[start.activity], state.time
        activity, after = self.legality.activities[index], self.legality.begun(state, index, start.ticks)
        begun = [_event(activity, now, "start" if state.works[index].start < 0 else "resume")]
        if 0 < activity.operator_time < activity.duration:
            label, key = (
                f"start {activity.name}",
                f"start  {activity.name}",
            )  # no name has two blanks in a row
            begun.insert(0, Event(now, "start", AGENT, label, key))
        by_hand = min(activity.operator_time, after.works[index].end - now)
        until = now + by_hand
        if not any(work.is_open for work in after.works):  # nothing is left to be decided
            until = max(work.end for work in after.works)
        return self._pass(after, until, *begun, started=index, by_hand=by_hand)

    def _pass(
        self, state: State, until: int, *begun: Event, started: int = -1, by_hand: int = 0
    ) -> Step[State]:
        """Let time pass, until play is over at the latest. What begins and is no activity ends after the
        operator's time."""
        now, ended = self._until(state, until)
        aside = (event for event in begun if event.key not in self.legality.index)
        ends = [replace(event, time=state.time + by_hand, what="end") for event in aside]
        for index, (activity, work) in enumerate(zip(self.legality.activities, state.works, strict=True)):
            if state.runs(index) or index == started:
                ends.append(_event(activity, work.end, "pause" if work.left else "end"))
        past = [event for event in ends if event.time <= now]
        done = {int(event.time) for event in past if event.what == "end" and event.key in self.legality.index}
        past += [Event(t, "score", value=self.score(replace(state, time=t))) for t in sorted(done)]
        events = (*begun, *sorted(past, key=lambda event: event.time))
        return Step(replace(state, time=now, ended=ended), events)

    def _until(self, state: State, until: int) -> tuple[int, str]:
        """When time stops: at the latest then, and where play is over before; and why it is over."""
        limit = self.limits.time
        moments = {until, limit or until, *self.legality.moments(state), *self.legality.misses(state)}
        for time in sorted(moment for moment in moments if state.time <= moment <= until):
            over = replace(state, time=time)
            if why := self.legality.over(over, goes_on=self.rules.goes_on_after_a_miss, limit=limit):
                return time, why
        return until, ""

    def score(self, state: State) -> float:
        """Per cent of the activities that are completed."""
        finished = sum(map(state.finished, range(len(state.works))))
        return round(100 * finished / len(state.works), 4)


def _event(activity: Activity, time: int, what: Literal["start", "resume", "pause", "end"]) -> Event:
    """With the operator if it is done by hand, else on its first resource."""
    by_hand = 0 < activity.duration == activity.operator_time
    lane = AGENT if by_hand else (*activity.resources, "by itself")[0]
    return Event(time, what, lane, activity.name, activity.name)

"""How an episode went, call by call: what was asked and waited for in vain, forgotten, lured to."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median

from backburner.kernel.contract import decision_of
from backburner.kernel.episode import Episode
from backburner.kernel.replay import trajectory, world_of
from backburner.kernel.values import Refusal
from backburner.worlds.desk.game.legality import startable
from backburner.worlds.desk.game.state import Cancel, Check, Idle, Reply, Start, State, Telling, Wait
from backburner.worlds.desk.game.transition import AGENT
from backburner.worlds.desk.game.world import Desk

IGNORED_AFTER = 15
"""Minutes for which something can be begun and is not, until it counts as ignored."""


class Course:
    """The counts of one episode; ``final``: the state in which it stopped."""

    def __init__(self, episode: Episode) -> None:
        world = world_of(episode)
        assert isinstance(world, Desk)  # noqa: S101  # by the record's header
        self.world, self.compiled = world, world.compiled
        self.final: State = world.start(episode.header.seed)
        self.refusals: list[Refusal] = []
        self.checks = self.wasted = self.check_minutes = self.refused_minutes = 0
        self.idle_minutes = self.lured = self.switches = self.wrong = self.calls = 0
        self.ignored: set[str] = set()
        self._since: dict[str, int] = {}
        self._waiting: list[Telling] = [*self.final.news]
        self._reactions: list[int] = []
        self._last = ""
        for before, entry, step in trajectory(episode, world):
            decision = entry.answers[AGENT].decision if AGENT in entry.answers else None
            self.refusals += step.refusals
            self._step(before, decision_of(world, decision), step.state, bool(step.refusals))
            self.final = step.state

    def _step(self, before: State, decision: object, after: State, refused: bool) -> None:
        minutes = after.free_at - before.minute
        if before.held:
            self._waiting += after.news[len(before.news) :]
            return
        self._look(before)
        if isinstance(decision, Idle):
            return
        self.calls += 1
        if refused:
            self.refused_minutes += minutes
        elif isinstance(decision, Check):
            self.checks += 1
            self.check_minutes += minutes
            self.wasted += after.feedback.kind == "wasted"
        elif isinstance(decision, Wait):
            self.idle_minutes += self._idle(before, after.minute)
        about = self._about(decision)
        if about and not refused:
            self.wrong += self._is_wrong(about, after) and isinstance(decision, Start | Reply)
            self.lured += self._is_lure(about)
            self.switches += bool(self._last) and about != self._last
            self._last = about
            self._react(about, before.minute)
        self._waiting += after.news

    def _look(self, state: State) -> None:
        """Notes what can be begun, and since when."""
        seen = self.world.legality.seen(state)
        names = set(startable(self.compiled, seen)) & self.compiled.required
        self._since = {name: self._since.get(name, state.minute) for name in names}
        self.ignored |= {name for name, since in self._since.items() if state.minute - since > IGNORED_AFTER}

    def _about(self, decision: object) -> str:
        """The job or request that a call is about."""
        match decision:
            case Start(tool, subject):
                return self.compiled.subjects.get((tool, subject), "")
            case Check(job) | Cancel(job):
                return job
            case Reply(to):
                return to
        return ""

    def _is_wrong(self, about: str, after: State) -> bool:
        run = self.world.legality.run(after, about)
        return any(d.name == about and not d.right for d in after.answered) or (
            run is not None and not run.right
        )

    def _is_lure(self, about: str) -> bool:
        request = self.compiled.requests.get(about)
        return not request.weight if request is not None else about not in self.compiled.required

    def _react(self, about: str, minute: int) -> None:
        """Whatever was told of the job or request, or of what it needs, is reacted to."""
        job = self.compiled.jobs.get(about)
        names = {about, *(job.needs if job is not None else ())}
        self._reactions += [minute - told.minute for told in self._waiting if told.name in names]
        self._waiting = [told for told in self._waiting if told.name not in names]

    @property
    def reaction(self) -> float | None:
        """The median of minutes between something told and the first call about it, or what waits for it."""
        return float(median(self._reactions)) if self._reactions else None

    def _idle(self, state: State, until: int) -> int:
        """Minutes waited in which a required call would have been accepted."""
        idle = 0
        while state.minute < until and not state.closed:
            possible = self._possible(state)
            after = self.world.rulebook.step(state, Idle(self._next(state, until) - state.minute)).state
            idle += possible * (after.minute - state.minute)
            state = after
        return idle

    def _next(self, state: State, until: int) -> int:
        """The next minute at which something else may be possible."""
        ends = [run.end for run in state.runs if run.phase == "running"]
        late = [each.at + each.window - each.hands + 1 for each in self.compiled.requests.values()]
        coming = (minute for minute in (*ends, *late, *self.compiled.moments) if minute > state.minute)
        return min((*coming, until))

    def _possible(self, state: State) -> bool:
        calls: Iterable[Start | Reply] = (
            *(self._start(name) for name in self.compiled.required),
            *(
                Reply(name, right)
                for name, right in self.compiled.right_answers.items()
                if not self._is_lure(name)
            ),
        )
        return any(self.world.legality.obstacle(state, call) is None for call in calls)

    def _start(self, name: str) -> Start:
        job = self.compiled.jobs[name]
        inputs = () if self.world.scenario.content == "off" else self.compiled.right_inputs[name]
        return Start(job.tool, job.subject, inputs)

    @property
    def lost(self) -> int:
        """Requests of weight that passed."""
        answered = {done.name for done in self.final.answered}
        return sum(
            bool(request.weight) and name not in answered and request.at + request.window <= self.final.minute
            for name, request in self.compiled.requests.items()
        )

    @property
    def left(self) -> tuple[str, ...]:
        """Required jobs that are not done."""
        return self.world.legality.missing(self.final, self.compiled.in_order(self.compiled.required))

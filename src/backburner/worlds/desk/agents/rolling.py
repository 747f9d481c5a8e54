"""Solves what is left again at each call, with the times that are told in place of the true ones.

It knows no failure before it is told, no request before it comes, and no true end. Needs the extra ``solve``.
"""

from __future__ import annotations

from collections.abc import Iterator

from backburner.kernel.schedule import Activity, Problem
from backburner.kernel.schedule import Resource as Units
from backburner.worlds.desk.agents.scripts import UNKNOWN_MINUTES, Critical
from backburner.worlds.desk.game.state import NEXT_NOTICE, Check, Decision, Observation, Seen, Wait
from backburner.worlds.desk.game.state import Reply as Answer
from backburner.worlds.desk.game.world import Desk

EFFORT = 0.5
"""Of each search, in seconds of an undisturbed core."""


class Rolling(Critical):
    """The first call of the best plan, as far as is known."""

    name = "rolling"

    def __init__(self, world: Desk) -> None:
        super().__init__(world)
        self.settings = {"effort": EFFORT}

    def reply(self, seen: Observation) -> Decision | None:
        """Nothing before the plan is made: answers are part of it."""
        return None

    def begin(self, seen: Observation) -> Decision | None:
        """The call that the plan begins with now."""
        from backburner.scheduling.makespan import solve_problem

        problem = Problem("minutes", tuple(self._activities(seen)), self._units(), "what is told")
        starts = solve_problem(problem, effort=EFFORT).starts
        if starts is None:
            return super().reply(seen) or super().begin(seen)
        calls = [(start, name) for name, start in starts.items() if not name.startswith("under way: ")]
        for start, name in sorted(calls):
            return self._call(name) if start == 0 else Wait(start)
        return None

    def meanwhile(self, seen: Observation, checked: str | None) -> Decision:
        """A wait for whatever is told next."""
        return NEXT_NOTICE

    def _units(self) -> tuple[Units, ...]:
        return tuple(Units(each.name, each.capacity) for each in self.compiled.scenario.resources)

    # --- what is left, from now on --------------------------------------------------------------------------

    def _activities(self, seen: Observation) -> Iterator[Activity]:
        """Everything wanted that is not done, by the names that ``_call`` reads."""
        known = {job.job: job for job in seen.jobs}
        wanted = self.wanted(seen)
        tells: dict[str, str] = {}
        for name in self.compiled.in_order(wanted):
            silent = self.compiled.jobs[name].silent
            tells[name] = f"check: {name}" if silent else f"start: {name}"
            at = known.get(name)
            if at is not None and at.phase in ("running", "paused") and not silent:
                tells[name] = f"{'under way' if at.phase == 'running' else 'reply'}: {name}"
        running = {job.job for job in seen.jobs if job.phase == "running"}
        for name in self.compiled.in_order(wanted | running):
            at = known.get(name)
            if at is None or at.phase != "ok":
                yield from self._of(seen, name, at, tells, known)
        for name in seen.open:
            request = self.compiled.requests[name]
            left = request.at + request.window - seen.minute
            needs = self._before(self.compiled.reply_needs(name), tells, known)
            if left >= request.hands:
                yield Activity(f"reply: {name}", request.hands, request.hands, needs, deadline=left)

    def _of(
        self, seen: Observation, name: str, at: Seen | None, tells: dict[str, str], known: dict[str, Seen]
    ) -> Iterator[Activity]:
        job, tool, told = self.compiled.jobs[name], self.compiled.tool(name), self.compiled.told(name)
        holds = (tool.resource,) if tool.resource else ()
        run = UNKNOWN_MINUTES if told is None else -(-(told.least + told.most) // 2)
        before: tuple[str, ...] = ()
        if at is not None and at.phase == "running":
            left = self._left(seen, at)
            if left > 0 or not job.silent:
                before = (f"under way: {name}",)
                yield Activity(before[0], max(1, left), 0, (), holds, deadline=max(1, left))
        elif at is not None and at.phase == "paused" and job.pause is not None:
            before = (f"reply: {name}",)
            needs = self._before(self.compiled.reply_needs(name), tells, known)
            whole = job.pause.hands + max(1, run - job.pause.after)
            yield Activity(before[0], whole, job.pause.hands, needs, holds)
        else:
            before = (f"start: {name}",)
            needs = self._before(job.needs, tells, known)
            yield Activity(before[0], tool.hands + run, tool.hands, needs, holds)
        if job.silent:
            minutes = self.compiled.scenario.check_minutes
            yield Activity(f"check: {name}", minutes, minutes, before, () if before else holds)

    def _left(self, seen: Observation, at: Seen) -> int:
        """Minutes that a run is still taken to need."""
        if self.compiled.jobs[at.job].silent or at.most is None or at.least is None:
            return self.due(at) - seen.minute
        return -(-(max(at.least, seen.minute) + at.most) // 2) - seen.minute

    def _before(
        self, needs: tuple[str, ...], tells: dict[str, str], known: dict[str, Seen]
    ) -> tuple[str, ...]:
        done = {name for name, job in known.items() if job.phase == "ok"}
        return tuple(tells[need] for need in needs if need not in done)

    def _call(self, name: str) -> Decision:
        """The call that an activity begins with."""
        what, _, job = name.partition(": ")
        if what == "check":
            return Check(job)
        if what == "reply":
            return Answer(job, self.compiled.right_answers[job])
        return self.start(job)

"""The desk: an office in which waiting, asking, forgetting and adding up are measured against an optimum.

One seat, ``agent``, one body, one attention. The clock counts minutes from 0. Every call but a wait holds the
attention for some minutes, and a step is over when they are. Jobs run on by themselves, hold their resource,
and end well, fail, or pause with a question. Calls are written ``export(subject=orders)``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from msgspec.structs import replace

from backburner.kernel.background import Background, Deed, Job
from backburner.kernel.clock import SECOND, Clocked
from backburner.kernel.errors import Refused
from backburner.kernel.menu import Menu, Menus, Option
from backburner.kernel.schedule import Problem, Remaining, Schedulable
from backburner.kernel.text import Examples, Part, Suggestion, Text
from backburner.kernel.tools import Tool, ToolCall, Tools
from backburner.kernel.values import Event, Outcome, Refusal, Seat, Step
from backburner.kernel.view import Controls, Scene, View
from backburner.worlds.desk.game import calls, problem, text, view
from backburner.worlds.desk.game.compiled import Compiled
from backburner.worlds.desk.game.legality import Legality, free_as_told, startable
from backburner.worlds.desk.game.reading import Reader
from backburner.worlds.desk.game.rule_set import NO_LIMITS, Limits, Rules
from backburner.worlds.desk.game.scenarios import LEVELS, Scenario
from backburner.worlds.desk.game.shipped import demonstration
from backburner.worlds.desk.game.state import (
    A_MINUTE,
    NEXT_NOTICE,
    Cancel,
    Check,
    Decision,
    Finish,
    Idle,
    Observation,
    Reply,
    Seen,
    Start,
    State,
    Wait,
)
from backburner.worlds.desk.game.transition import AGENT, Rulebook

WAITS = (NEXT_NOTICE, A_MINUTE, Wait(5), Wait(15))
"""Waits that a menu lists."""

TICK_SECONDS = 2.0
"""So long a minute at the desk lasts for people who play by the clock."""


class Desk(
    Menus[State, Decision],
    Text[State, Decision, Observation],
    View[State, Decision],
    Tools[Observation],
    Examples,
    Schedulable[Decision],
    Clocked[State, Decision],
    Background[Observation],
):
    """One scenario under its rules and limits."""

    version = 1
    time_unit = "minutes"
    tick_microseconds = 60 * SECOND
    beat_ticks = 2
    clock_option = ("asks", "always")
    seats: tuple[Seat, ...] = (AGENT,)
    state_type: ClassVar = State
    decision_type: ClassVar = Decision

    def __init__(self, id: str, scenario: Scenario, rules: Rules, limits: Limits) -> None:
        self.id, self.scenario, self.rules, self.limits = id, scenario, rules, limits
        self.compiled = Compiled(scenario)
        self.legality = Legality(self.compiled)
        self.rulebook = Rulebook(self.legality, rules, limits)
        self.teller = text.Teller(self.compiled)

    # World

    def start(self, seed: int = 0) -> State:
        """Nothing is begun. The seed draws attempts where the scenario has them drawn."""
        return self.rulebook.start(seed)

    def deciders(self, state: State) -> tuple[Seat, ...]:
        """The agent, until play is over."""
        return () if state.closed else self.seats

    def step(self, state: State, decisions: Mapping[Seat, Decision | Refusal]) -> Step[State]:
        """What follows; see ``transition``."""
        return self.rulebook.step(state, decisions.get(AGENT))

    def observe(self, state: State, seat: Seat) -> Observation:
        """All that was told so far."""
        requests = [request for request in self.scenario.requests if request.at <= state.minute]
        answered = [done.name for done in state.answered]
        opened = [request.name for request in self.legality.open_requests(state)]
        lost = [each.name for each in requests if each.name not in answered and each.name not in opened]
        news = (*state.news, *state.unshown)
        known = (tuple(answered), tuple(opened), tuple(lost))
        feedback = replace(state.feedback, kind="") if state.checking else state.feedback
        until = state.free_at if state.held else None
        return Observation(state.minute, feedback, news, self.legality.seen(state), *known, until)

    def outcome(self, state: State) -> Outcome:
        """``ended`` when all is done or the agent has left, ``cut off`` by a limit."""
        numbers: dict[str, int | float] = {
            "minutes": state.minute,
            "score": round(100 * self.rulebook.served(state) / self.compiled.weight, 4),
            "completed": int(self.rulebook.completed(state)),
        }
        if not state.closed:
            return Outcome("running", "", numbers)
        return Outcome("ended" if state.closed in ("done", "left") else "cut off", state.closed, numbers)

    # Clocked

    @property
    def tick_seconds(self) -> float | None:
        """Two seconds, where the seat is asked every minute."""
        return TICK_SECONDS if self.compiled.always else None

    def now(self, state: State) -> int:
        """The minute."""
        return state.minute

    def silence(self, state: State, seat: Seat, ticks: int) -> Decision:
        """To say nothing. What is told meanwhile still wakes a wait that comes after it."""
        return Idle(ticks)

    def unmoved(self, state: State, seat: Seat) -> object:
        """What was told last, and how many calls were made. What comes while a call holds the attention is
        told with what became of it."""
        return state.feedback, () if self.compiled.always else state.news, state.decisions

    def occupied(self, state: State, seat: Seat) -> bool:
        """Whether a call holds the attention."""
        return state.held

    # Menus

    @cached_property
    def verbs(self) -> Mapping[str, Sequence[str]]:
        """The tools, and what is done with jobs that are under way."""
        tools = {tool.name: (tool.subject,) if tool.subject else () for tool in self.scenario.tools}
        return {**tools, "check": ("job",), "cancel": ("job",), "reply": ("to", "value"), "wait": ("wait",)}

    @property
    def wording(self) -> Mapping[str, str]:
        """What the desk itself offers; tools are said as they are called."""
        own = {"check": "look at {job}", "cancel": "cancel {job}", "reply": "answer {to}: {value}"}
        return {**own, "wait": "wait: {wait}"}

    def menu(self, state: State, seat: Seat) -> Menu[Decision]:
        """What can be begun as far as the seat is told, but for jobs with inputs; replies with choices;
        checks of what ends in silence; cancels; waits."""
        seen = self.legality.seen(state)
        under_way = [each.job for each in seen if each.phase in ("running", "paused")]
        waits = (A_MINUTE,) if self.compiled.always else WAITS
        passing = [self._option(wait, "wait", _how_long(wait), passes=True) for wait in waits]
        if state.held:
            return Menu(tuple(passing), False, tuple(under_way))
        options = [
            self._start_option(name) for name in startable(self.compiled, seen) if not self._inputs(name)
        ]
        options += self._replies(state, seen)
        for job in under_way:
            if self.compiled.jobs[job].silent:
                options.append(self._option(Check(job), "check", job))
        options += [self._option(Cancel(job), "cancel", job) for job in under_way]
        return Menu((*options, *passing), False, tuple(under_way))

    def _inputs(self, job: str) -> bool:
        return self.scenario.content == "on" and bool(self.compiled.tool(job).inputs)

    def _start_option(self, name: str) -> Option[Decision]:
        job = self.compiled.jobs[name]
        things = (job.subject,) if job.subject else ()
        return self._option(Start(job.tool, job.subject), job.tool, *things)

    def _replies(self, state: State, seen: Sequence[Seen]) -> list[Option[Decision]]:
        """Replies that can be given now without anything worked out."""
        found = []
        for name, wanted in self.compiled.asking.items():
            values = wanted.choices if self.scenario.content == "on" else ("",)
            for value in values:
                reply = Reply(name, value)
                resource = self.compiled.tool(name).resource if name in self.compiled.jobs else None
                free = free_as_told(self.compiled, seen, resource)
                if free and self.legality.obstacle(state, reply) is None:
                    found.append(self._option(reply, "reply", name, value or "right"))
        return found

    def _option(self, decision: Decision, verb: str, *things: str, passes: bool = False) -> Option[Decision]:
        return Option(decision, self.words(decision), passes=passes, body=AGENT, verb=verb, things=things)

    # Text

    def briefing_parts(self, seat: Seat) -> Sequence[Part]:
        """What counts, the jobs, the rules; see ``text``."""
        return text.briefing_parts(self.compiled)

    def goal(self, seat: Seat) -> str:
        """What the day is about."""
        return text.goal(self.compiled)

    def description_parts(self, observation: Observation) -> Sequence[Part]:
        """What became of the last call, news, how things stand; see ``text.Teller``."""
        return self.teller.tell(observation)

    @cached_property
    def _reader(self) -> Reader:
        return Reader(self.compiled)

    def parse(self, state: State, seat: Seat, answer: str) -> Decision | Refusal:
        """The one call in an answer; see ``reading``."""
        return self._reader.read(answer, state.minute)

    def words(self, decision: Decision, seat: Seat = "") -> str:
        """The call as ``parse`` reads it."""
        return text.words(self.compiled, decision)

    @property
    def plan_form(self) -> str:
        """A call on each line."""
        return text.PLAN_FORM

    def gives_up(self, state: State, decision: Decision) -> bool:
        """To leave the desk before all is done."""
        return isinstance(decision, Finish)

    def suggestions(self, observation: Observation) -> Sequence[Suggestion]:
        """Beginnings of calls that need something worked out, of jobs that are not done."""
        begun = {seen.job for seen in observation.jobs if seen.phase in ("running", "paused", "ok")}
        lines = []
        for name, job in self.compiled.jobs.items():
            if self._inputs(name) and name not in begun:
                tool = self.compiled.tool(name)
                given = [f"{tool.subject}={job.subject}"] if tool.subject else []
                lines.append(
                    Suggestion(f"{tool.name}({', '.join([*given, tool.inputs[0].name])}= ", tool.says)
                )
        asks = [name for name in observation.open if not self.compiled.requests[name].choices]
        asks += [seen.job for seen in observation.jobs if seen.phase == "paused"]
        return [*lines, *(Suggestion(f"reply(to={name}, value= ", "answers") for name in asks)]

    # Tools

    @cached_property
    def _tools(self) -> Sequence[Tool]:
        return calls.tools(self.compiled)

    def tools(self, seat: Seat) -> Sequence[Tool]:
        """Those of the scenario, and to check, cancel, reply, wait and finish."""
        return self._tools

    def call_text(self, seat: Seat, name: str, arguments: Mapping[str, Any]) -> str:
        """The call as ``parse`` reads it."""
        return calls.text(name, arguments)

    def call_of(self, seat: Seat, option: Option[Decision]) -> ToolCall | None:
        """A wait has up to three arguments; all else is as usual."""
        if isinstance(option.decision, Wait):
            return calls.of_wait(self.compiled, option.decision)
        return super().call_of(seat, option)

    def interrupts(self, observation: Observation) -> bool:
        """Whether something urgent has been told since the last decision."""
        urgent = len(LEVELS) - 1
        return any(self.legality.level(telling) >= urgent for telling in observation.news)

    def result(self, observation: Observation) -> Mapping[str, Any]:
        """The time, and until when a job that was begun is said to run."""
        return calls.result(self.teller, observation)

    # View

    def scene(self, state: State, seat: Seat | None = None) -> Scene:
        """Resources, in-tray and shelf; an onlooker sees when jobs end."""
        ends = {run.job: run.end for run in state.runs} if seat is None else {}
        return view.scene(self.compiled, self.observe(state, AGENT), ends)

    def known(self, seat: Seat, before: State, events: Sequence[Event], after: State) -> Sequence[Event]:
        """All but the score, what would tell whether a job that ends in silence has ended, and the beginning
        of a check that goes on, as that tells whether it is in vain."""
        silent = {job.name for job in self.scenario.jobs if job.silent}
        hidden = {(what, name) for what in ("end", "delivered", "expired", "pause") for name in silent}
        asking = {("pause", run.job) for run in after.runs if run.phase == "paused"}
        hidden |= {("start", f"check {after.checking}")}
        return tuple(e for e in events if e.what != "score" and (e.what, e.label) not in hidden - asking)

    @property
    def controls(self) -> Controls:
        """A click on a job checks it."""
        return view.CONTROLS

    # Examples

    def demonstration(self, seat: Seat, bodies: int | None = None, single: bool = False) -> tuple[Desk, Seat]:
        """A short day at another desk."""
        if bodies not in (None, 1):
            raise Refused("one sits at a desk")
        return Desk("desk/demonstration", demonstration(self.scenario), self.rules, NO_LIMITS), AGENT

    # Background

    def jobs(self, observation: Observation) -> Mapping[str, Job]:
        """Every job that was begun, with the table that came of it."""
        return {seen.run: self._job(seen) for seen in observation.jobs}

    def _job(self, seen: Seen) -> Job:
        job = self.compiled.jobs[seen.job]
        match seen.phase:
            case "running":
                return Job("working", job.silent, self.teller.running(seen))
            case "paused":
                question, asked = self.teller.question(seen.job), self.compiled.asking.get(seen.job)
                return Job("asking", job.silent, question, asked.choices if asked else ())
            case "ok":
                table = self.compiled.results.get(seen.job) if self.scenario.content == "on" else None
                rows = [] if table is None else [list(row) for row in table.rows]
                told = {} if table is None else {"columns": list(table.columns), "rows": rows}
                return Job("done", job.silent, result=told)
            case "cancelled":
                return Job("cancelled", job.silent)
        return Job("failed", job.silent, seen.phase)

    def job_text(self, deed: Deed, job: str, value: str = "") -> str:
        """The call that is meant."""
        name = job.rpartition("#")[0]
        decisions: Mapping[str, Decision] = {
            "await": Wait(wakes=(name,)),
            "check": Check(name),
            "reply": Reply(name, value),
            "cancel": Cancel(name),
        }
        return self.words(decisions[deed])

    # Schedulable

    def problems(self) -> Mapping[str, Problem]:
        """The whole day as one problem; see ``problem``. Where attempts are drawn, those of seed 0."""
        return {self.id: problem.problem(self.compiled)}

    def remaining(self, state: State) -> Remaining:
        """What runs and what is not begun, when the attention is free."""
        if state.held:
            state = self.rulebook.step(state, Idle(state.free_at - state.minute)).state
        return problem.remaining(self.legality, state)

    def plan(self, starts: Mapping[str, int]) -> Sequence[Decision]:
        """Calls and waits, in the order of the starts."""
        return problem.plan(self.compiled, starts)

    def begins(self, decision: Decision) -> tuple[str, ...]:
        """All attempts of a job, the answer to its question or to a request, or a check."""
        return problem.begins(self.compiled, decision)

    def beginning(self, activity: str) -> Decision:
        """The call, with the right values."""
        return problem.beginning(self.compiled, activity)

    def waiting(self, time: int) -> Decision:
        """What nothing ends, no longer than one may wait."""
        return Wait(min(time, self.compiled.scenario.longest_wait), wakes=())


def _how_long(wait: Wait) -> str:
    return "next notice" if wait.minutes is None else f"{wait.minutes} min"

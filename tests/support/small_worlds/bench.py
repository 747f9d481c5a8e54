"""A small world with one seat and every capability: a joiner does jobs at a bench, one after the other.

A job takes its minutes, and perhaps comes after another. Jobs may be due.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.assessment import Assessment, Judgement, Window
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.menu import Menu, Menus, Option
from backburner.kernel.replay import trajectory
from backburner.kernel.schedule import Activity, MaxLag, Problem, Resource, Schedulable
from backburner.kernel.text import Examples, Part, Question, Text, WorkedPlan, parted
from backburner.kernel.tools import Tool, Tools, verb_tools
from backburner.kernel.values import Event, Fault, Outcome, Refusal, Seat, Step
from backburner.kernel.view import Body, Click, ClickAction, Controls, Place, Scene, View

JOINER = "joiner"
UNREADABLE = Refusal("unreadable", Fault.UNREADABLE)


class Job(Struct, frozen=True):
    name: str
    minutes: int
    after: tuple[str, ...] = ()
    due: int | None = None


class Scenario(Struct, frozen=True):
    jobs: tuple[Job, ...] = (Job("saw", 3), Job("plane", 2, ("saw",), 6), Job("sweep", 1))


class Rules(Struct, frozen=True):
    name: str = "standard"


class Limits(Struct, frozen=True):
    refusals: int = 8


class Do(Struct, frozen=True):
    """A job; one without a name: a minute of waiting."""

    job: str


class State(Struct, frozen=True):
    minute: int = 0
    done: tuple[str, ...] = ()
    refusals: int = 0


class Bench(
    Menus[State, Do], Text[State, Do, State], Tools[State], Examples, View[State, Do], Schedulable[Do]
):
    id = "bench/shelf"
    version = 1
    time_unit = "minutes"
    seats: tuple[Seat, ...] = (JOINER,)
    state_type: ClassVar[Any] = State
    decision_type: ClassVar[Any] = Do
    verbs: Mapping[str, Sequence[str]] = {"do": ("job",)}
    controls: Controls = Controls((ClickAction("do", Click("job")),), ())

    def __init__(self, scenario: Scenario | None = None) -> None:
        self.scenario = scenario or Scenario()
        self.rules = Rules()
        self.limits = Limits()
        self.jobs = {job.name: job for job in self.scenario.jobs}

    def start(self, seed: int = 0) -> State:
        return State()

    def deciders(self, state: State) -> tuple[Seat, ...]:
        over = len(state.done) == len(self.jobs) or state.refusals >= self.limits.refusals
        return () if over else self.seats

    def step(self, state: State, decisions: Mapping[Seat, Do | Refusal]) -> Step[State]:
        if not self.deciders(state):
            return Step(state)
        decision = decisions.get(JOINER, UNREADABLE)
        why = self.obstacle(state, decision)
        if why is not None:
            refused = replace(state, minute=state.minute + 1, refusals=state.refusals + 1)
            return Step(refused, self.busy(state, 1, why.code, "refused"), (replace(why, seat=JOINER),))
        assert isinstance(decision, Do)
        if not decision.job:
            return Step(replace(state, minute=state.minute + 1), self.busy(state, 1, "wait", "wait"))
        minutes = self.jobs[decision.job].minutes
        after = replace(state, minute=state.minute + minutes, done=(*state.done, decision.job))
        return Step(after, self.busy(state, minutes, decision.job, "work"))

    def obstacle(self, state: State, decision: Any) -> Refusal | None:
        if isinstance(decision, Refusal):
            return decision
        if not isinstance(decision, Do):
            return UNREADABLE
        if not decision.job:
            return None
        if decision.job not in self.jobs:
            return Refusal("no_such_job", Fault.UNKNOWN_THING)
        if decision.job in state.done:
            return Refusal("done", Fault.ALREADY_DONE)
        ready = set(self.jobs[decision.job].after) <= set(state.done)
        return None if ready else Refusal("too_early", Fault.MISSING_PREREQUISITE)

    def busy(self, state: State, minutes: int, label: str, kind: Any) -> tuple[Event, ...]:
        key = f"{label}@{state.minute}"
        return tuple(
            Event(state.minute + passed, what, JOINER, label, key, kind)
            for what, passed in (("start", 0), ("end", minutes))
        )  # type: ignore[arg-type]

    def observe(self, state: State, seat: Seat) -> State:
        return state

    def outcome(self, state: State) -> Outcome:
        numbers: dict[str, int | float] = {
            "minutes": state.minute,
            "completed": int(len(state.done) == len(self.jobs)),
        }
        if self.deciders(state):
            return Outcome("running", "", numbers)
        return Outcome("ended" if numbers["completed"] else "cut off", "over", numbers)

    # --- menus and text

    def menu(self, state: State, seat: Seat) -> Menu[Do]:
        ready = [name for name in self.jobs if self.obstacle(state, Do(name)) is None]
        options = [Option(Do(name), name, body=JOINER, verb="do", things=(name,)) for name in ready]
        return Menu((*options, Option(Do(""), "wait", passes=True)), complete=True)

    def briefing_parts(self, seat: Seat) -> Sequence[Part]:
        return parted([("task", f"Do {', '.join(self.jobs)}."), ("answering", "Answer with a job, or wait.")])

    def description_parts(self, observation: State) -> Sequence[Part]:
        done = ", ".join(observation.done) or "nothing"
        return parted([("state", f"Minute {observation.minute}. Done: {done}."), ("question", "What next?")])

    def parse(self, state: State, seat: Seat, answer: str) -> Do | Refusal:
        said = answer.strip()
        return Do("") if said == "wait" else Do(said) if said in self.jobs else UNREADABLE

    def words(self, decision: Do, seat: Seat = "") -> str:
        return decision.job or "wait"

    def tools(self, seat: Seat) -> Sequence[Tool]:
        return verb_tools(self.verbs, {"do": "do a job", "wait": "wait a minute"})

    def call_text(self, seat: Seat, name: str, arguments: Mapping[str, Any]) -> str:
        return str(arguments.get("job", "wait"))

    def question(self, observation: State) -> Question | None:
        return Question("first job") if not observation.done else None

    # --- examples

    def demonstration(
        self, seat: Seat, bodies: int | None = None, single: bool = False
    ) -> tuple[World[Any, Any, Any], Seat]:
        if bodies not in (None, 1):
            raise Refused("one joiner")
        return Bench(Scenario((Job("drill", 2), Job("glue", 1))[: 1 if single else None])), JOINER

    def worked_plan(self, single: bool = False) -> WorkedPlan:
        return (
            WorkedPlan("drill", "", "drill") if single else WorkedPlan("drill, glue", "", "1. drill\n2. glue")
        )

    # --- view

    def scene(self, state: State, seat: Seat | None = None) -> Scene:
        return Scene(2, 1, (Place("bench", "bench", (0, 0)),), (Body(JOINER, "person", (1, 0)),))

    def between(
        self, state: State, decisions: Mapping[Seat, Do | Refusal]
    ) -> Sequence[tuple[int | float, State]]:
        after = self.step(state, decisions).state.minute
        return [(minute, replace(state, minute=minute)) for minute in range(state.minute + 1, after)]

    # --- a scheduling problem

    def problems(self) -> Mapping[str, Problem]:
        activities = tuple(
            Activity(job.name, job.minutes, job.minutes, job.after, ("bench",), self.lags(job))
            for job in self.scenario.jobs
        )
        return {self.id: Problem("minutes", activities, (Resource("bench"),), "every order of the jobs")}

    def lags(self, job: Job) -> tuple[MaxLag, ...]:
        return tuple(MaxLag(name, 60) for name in job.after)

    def plan(self, starts: Mapping[str, int]) -> Sequence[Do]:
        if starts.keys() != self.jobs.keys():
            raise Refused("these are not the jobs")
        found: list[Do] = []
        minute = 0
        for name in sorted(self.jobs, key=lambda name: starts[name]):
            found += [*[Do("")] * (starts[name] - minute), Do(name)]
            minute = starts[name] + self.jobs[name].minutes
        return found


# --- what metrics would say


class Missing(Struct, frozen=True):
    family: str
    job: str


class Said(Struct, frozen=True):
    violations: tuple[Missing, ...]
    finish: int
    idle: tuple[tuple[int, int], ...] = ()


class Critics:
    """Of plans with a job on each line."""

    def __init__(self, world: Bench) -> None:
        self.world = world

    def jobs(self, plan: Any) -> list[str]:
        if isinstance(plan, Episode):
            answers = [a.decision for entry in plan.entries for a in entry.answers.values()]
            return [a.job for a in answers if isinstance(a, Do) and a.job in self.world.jobs]
        if isinstance(plan, str):
            return [line for line in self.world.answers_in(plan) if line in self.world.jobs]
        return msgspec.convert(plan, list[str])

    def criticise(self, plan: Any) -> Said | Refusal:
        jobs = self.jobs(plan)
        if not jobs and isinstance(plan, str):
            return UNREADABLE
        missing = tuple(Missing("completeness", name) for name in self.world.jobs if name not in jobs)
        return Said(missing, sum(self.world.jobs[name].minutes for name in jobs if name in self.world.jobs))

    def as_decision(self, plan: Any) -> Do | Refusal:
        jobs = self.jobs(plan)
        return UNREADABLE if not jobs and isinstance(plan, str) else Do(jobs[0] if jobs else "")

    def complaint(self, violation: Missing) -> str:
        return f"{violation.job} is missing."

    def moment(self, time: int) -> str:
        return f"minute {time}"


def worth(past: Any, state: State, seat: Seat, decision: Any) -> Sequence[Judgement]:
    works = isinstance(decision, Do) and bool(decision.job)
    return [Judgement("works", float(works), "" if works else "idle")]


def windows(world: Bench, episode: Episode) -> tuple[Window, ...]:
    """Each job that is due, from the beginning."""
    events = [event for _, _, step in trajectory(episode, world) for event in step.events]
    ended = {event.label: event.time for event in events if event.what == "end"}
    found = []
    for job in world.scenario.jobs:
        if job.due is not None:
            met = ended.get(job.name)
            state: Any = "open" if met is None else "kept" if met <= job.due else "missed"
            found.append(Window("bench", job.name, 0, job.due, state, met))
    return tuple(found)


def assessment(world: Bench) -> Assessment:
    return Assessment(worth, Critics(world), lambda episode: windows(world, episode))

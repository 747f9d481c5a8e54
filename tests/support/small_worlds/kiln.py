"""A small world with jobs that go on by themselves: a potter fires things in as many kilns as there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.background import Background, Deed, Job
from backburner.kernel.clock import Timed
from backburner.kernel.text import Part, Text, parted
from backburner.kernel.tools import Tool, Tools, verb_tools
from backburner.kernel.values import Event, Fault, Outcome, Refusal, Seat, Step

POTTER = "potter"
CHECK_MINUTES = 2
HORIZON = 60


class Firing(Struct, frozen=True):
    """``asks``: after how many of its minutes it asks for a glaze, if it does."""

    minutes: int
    silent: bool = False
    asks: int = 0
    breaks: bool = False


class Shelf(Struct, frozen=True):
    vase: Firing = Firing(10)
    bowl: Firing = Firing(4)
    tile: Firing = Firing(5, silent=True)
    urn: Firing = Firing(6, asks=2)
    plate: Firing = Firing(3, breaks=True)


class Run(Struct, frozen=True):
    """``end``: of what goes on. ``status``: as it is told."""

    name: str
    end: int
    status: Any = "working"
    glaze: str = ""


class Kiln(Struct, frozen=True):
    minute: int = 0
    runs: tuple[Run, ...] = ()
    news: tuple[str, ...] = ()


class Named(Struct, frozen=True):
    name: str = "usual"


class Deciding(Struct, frozen=True):
    deed: str
    name: str = ""
    value: str = ""


UNREADABLE = Refusal("unreadable", Fault.UNREADABLE)


class Pottery(Text[Kiln, Deciding, Kiln], Tools[Kiln], Background[Kiln], Timed[Kiln, Deciding]):
    """Each begins in a minute; a check takes two; an await ends with its job, or at the horizon."""

    id, version, time_unit = "pottery/shelf", 1, "minutes"
    seats: tuple[Seat, ...] = (POTTER,)
    state_type: ClassVar[Any] = Kiln
    decision_type: ClassVar[Any] = Deciding
    tick_microseconds = 60_000_000
    scenario, rules, limits = Shelf(), Named(), Named()

    def start(self, seed: int = 0) -> Kiln:
        return Kiln()

    def deciders(self, state: Kiln) -> tuple[Seat, ...]:
        return () if state.minute >= HORIZON else self.seats

    def step(self, state: Kiln, decisions: Mapping[Seat, Any]) -> Step[Kiln]:
        if not self.deciders(state):
            return Step(state)
        decision, state = decisions.get(POTTER, UNREADABLE), replace(state, news=())
        refusal = decision if isinstance(decision, Refusal) else self.obstacle(state, decision)
        if refusal is not None:
            after = self.at(state, state.minute + 1, "")
            return Step(after, (), (replace(refusal, seat=POTTER),))
        if decision.deed == "fire":
            firing = getattr(self.scenario, decision.name)
            begun = Run(decision.name, state.minute + 1 + (firing.asks or firing.minutes))
            return self.told(self.at(replace(state, runs=(*state.runs, begun)), state.minute + 1, ""))
        run = self.run(state, decision.name)
        if decision.deed == "await":
            end = HORIZON if run.status == "asking" else min(HORIZON, max(run.end, state.minute))
            return self.told(self.at(state, end, ""))
        if decision.deed == "check":
            sure = run.name if run.end <= state.minute else ""
            return self.told(self.at(state, state.minute + CHECK_MINUTES, sure))
        if decision.deed == "reply":
            firing = getattr(self.scenario, run.name)
            end = state.minute + 1 + firing.minutes - firing.asks
            state = self.with_run(state, replace(run, status="working", glaze=decision.value, end=end))
        else:
            state = self.with_run(state, replace(run, status="cancelled"))
        return self.told(self.at(state, state.minute + 1, ""))

    def told(self, state: Kiln) -> Step[Kiln]:
        return Step(state, (Event(state.minute, "said", POTTER, "; ".join(state.news), f"{state.minute}"),))

    def run(self, state: Kiln, name: str) -> Run:
        return next(run for run in reversed(state.runs) if run.name == name)

    def with_run(self, state: Kiln, run: Run) -> Kiln:
        old = self.run(state, run.name)
        return replace(state, runs=tuple(run if each is old else each for each in state.runs))

    def obstacle(self, state: Kiln, decision: Deciding) -> Refusal | None:
        if decision.name not in Shelf.__struct_fields__:
            return Refusal("unknown", Fault.UNKNOWN_THING)
        going_on = [run.name for run in state.runs if run.status in ("working", "asking")]
        if (decision.deed == "fire") == (decision.name in going_on):
            return Refusal("not_now", Fault.OCCUPIED)
        if decision.deed == "reply" and decision.value not in ("red", "blue"):
            return Refusal("no_glaze", Fault.MISMATCH)
        return None

    def at(self, state: Kiln, minute: int, sure: str) -> Kiln:
        """The state at a minute; the silent end of ``sure`` is told as well."""
        runs, news = [], []
        for run in state.runs:
            firing = getattr(self.scenario, run.name)
            if run.status == "working" and run.end <= minute and (not firing.silent or run.name == sure):
                asks = firing.asks and not run.glaze
                run = replace(run, status="asking" if asks else "failed" if firing.breaks else "done")
                news.append(f"{run.name}: {run.status}")
            runs.append(run)
        return Kiln(minute, tuple(runs), tuple(news))

    def observe(self, state: Kiln, seat: Seat) -> Kiln:
        return state

    def outcome(self, state: Kiln) -> Outcome:
        return Outcome("running" if self.deciders(state) else "ended", "", {"minutes": state.minute})

    # --- time, words, calls

    def now(self, state: Kiln) -> int:
        return state.minute

    def silence(self, state: Kiln, seat: Seat, ticks: int) -> Deciding:
        return Deciding("idle", value=str(ticks))

    def briefing_parts(self, seat: Seat) -> Sequence[Part]:
        return parted([("task", "Fire all."), ("answering", "Answer: fire vase.")])

    def description_parts(self, observation: Kiln) -> Sequence[Part]:
        return parted([("feedback", self.news(observation)), ("state", f"Minute {observation.minute}.")])

    def news(self, observation: Kiln) -> str:
        return "\n".join(observation.news)

    def parse(self, state: Kiln, seat: Seat, answer: str) -> Deciding | Refusal:
        words = answer.split()
        known = words and words[0] in ("fire", "await", "check", "reply", "cancel") and len(words) in (2, 3)
        return Deciding(*words) if known else UNREADABLE

    def words(self, decision: Deciding, seat: Seat = "") -> str:
        return f"{decision.deed} {decision.name} {decision.value}".strip()

    def tools(self, seat: Seat) -> Sequence[Tool]:
        return verb_tools({"fire": ("thing",)}, {"fire": "fire a thing"})

    def call_text(self, seat: Seat, name: str, arguments: Mapping[str, Any]) -> str:
        return f"fire {arguments['thing']}"

    def jobs(self, observation: Kiln) -> Mapping[str, Job]:
        names = [run.name for run in observation.runs]
        return {
            f"{run.name}#{names[: place + 1].count(run.name)}": Job(
                run.status,
                getattr(self.scenario, run.name).silent,
                "Which glaze?" if run.status == "asking" else "",
                ("red", "blue") if run.status == "asking" else (),
                {"glaze": run.glaze} if run.status == "done" else {},
            )
            for place, run in enumerate(observation.runs)
        }

    def job_text(self, deed: Deed, job: str, value: str = "") -> str:
        return f"{deed} {job.partition('#')[0]} {value}".strip()

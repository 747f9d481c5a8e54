"""The dials of a scenario: what it asks of a player, measured on its structure, on the record of its proven
plan, and on play without much thought.

A is the set of required activities, p(i) the duration of one, B the number of bodies, T* the time at which
the last required work of the proven plan ends; in worlds of orders, of its last delivery. Values have four
decimals. Example: boil takes 5 minutes, of which starting it takes 1; chop takes 3 by hand; fry 4, after
chop, of which starting it takes 1. Best is boil at 0, chop from 1 to 4, fry from 4 to 8. Then T* = 8,
``width`` (5 + 3 + 4) / 8 = 1.5, ``attention`` (1 + 3 + 1) / 8 = .625, ``chain`` (3 + 4) / 8 = .875; who
chops, fries and boils then needs 9 minutes, which is a ``gap`` of .125.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from statistics import fmean, median
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.planned import plan_policy
from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.kernel import packs
from backburner.kernel.activities import activities, finished_work
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.generating import Generator, Result, Structure, Work, regret
from backburner.kernel.menu import lists
from backburner.kernel.oracle import Solution, oracle_of
from backburner.kernel.play import play_now
from backburner.kernel.policy import PlanPolicy, Policy
from backburner.kernel.replay import decisions_in, final_state, trajectory
from backburner.scheduling.makespan import critical_path

AnyWorld = World[Any, Any, Any]

DECIMALS = 4

SEEDS = range(8)
"""Of plays that draw. The shipped reference of ``busy`` has others, as what is chosen by a few regresses."""

LIMIT_FACTOR = 2
"""Play of a scenario that is built ends after so many times what ``serial`` takes."""

DRAWING = ("busy", "random")
"""Scripts that draw."""

GAP, HIDDEN, CHOICE = "gap", "hidden", "choice"

WHOLE = ("length", "decisions", "depth")
"""Dials that are whole numbers."""


# --- of the structure alone --------------------------------------------------------------------------------


class Graph:
    """The precedence of activities; before and after are sets of bits, in the order of the activities."""

    def __init__(self, works: Sequence[Work]) -> None:
        self.works = [work.activity for work in works]
        self.number = {activity.name: number for number, activity in enumerate(self.works)}
        self._before: dict[int, int] = {}

    def direct(self, number: int) -> list[int]:
        """The predecessors of an activity, those that are not there left out."""
        return [self.number[name] for name in self.works[number].predecessors if name in self.number]

    def before(self, number: int) -> int:
        """All that must end before it, direct or not."""
        waiting = [number]
        while number not in self._before:
            here = waiting[-1]
            direct = self.direct(here)
            if later := [each for each in direct if each not in self._before]:
                waiting += later
                continue
            found = 0
            for each in direct:
                found |= self._before[each] | 1 << each
            self._before[waiting.pop()] = found
        return self._before[number]

    def longest(self, length: Callable[[int], int]) -> int:
        """The longest path, by the length of each activity."""
        numbers = range(len(self.works))
        return critical_path(
            {number: length(number) for number in numbers},
            {number: self.direct(number) for number in numbers},
        )

    def joins(self) -> int:
        """How many activities have several predecessors in the transitive reduction."""
        found = 0
        for number in range(len(self.works)):
            direct = self.direct(number)
            implied = 0
            for each in direct:
                implied |= self.before(each)
            found += sum(not implied >> each & 1 for each in set(direct)) > 1
        return found

    def unordered(self, numbers: Sequence[int]) -> bool:
        """Whether precedence leaves the order of two of them open."""
        by_depth = sorted(numbers, key=lambda each: self.before(each).bit_count())
        return any(not self.before(late) >> early & 1 for early, late in pairwise(by_depth))

    @property
    def durations(self) -> Callable[[int], int]:
        """How long each takes."""
        return lambda number: self.works[number].duration


def _jobs(structure: Structure) -> list[Graph]:
    """The graph of each order; one of all, where there are none."""
    by_job: dict[str, list[Work]] = {}
    for work in structure.activities:
        by_job.setdefault(work.job if structure.horizon is not None else "", []).append(work)
    return [Graph(works) for works in by_job.values()]


def of_structure(structure: Structure) -> dict[str, float]:
    """The dials that need no plan, by name; those that say nothing of this scenario are left out."""
    works, jobs = structure.activities, _jobs(structure)
    every = len(works) or 1
    found: dict[str, float] = {
        "length": median(len(job.works) for job in jobs) if jobs else 0,
        "depth": median(job.longest(lambda number: 1) for job in jobs) if jobs else 0,
        "joins": sum(job.joins() for job in jobs) / every,
        "lags": sum(bool(work.activity.max_lags) for work in works) / every,
        "rooms": sum(len(work.by) == 1 for work in works) / every,
    }
    if structure.objects:
        found["distractors"] = 1 - sum(structure.objects.values()) / len(structure.objects)
    if facts := sum(there for there, _ in structure.told.values()):
        found[HIDDEN] = sum(hidden for _, hidden in structure.told.values()) / facts
        found |= {
            f"{HIDDEN}:{name}": hidden / there for name, (there, hidden) in structure.told.items() if there
        }
    if structure.alone[0]:
        found["asymmetry"] = structure.alone[1] / structure.alone[0]
    due = [(job.due - job.release) / job.alone for job in structure.jobs if job.due is not None and job.alone]
    if due:
        found["slack"] = median(due)
    if structure.horizon:
        body_time = sum(job.body_time for job in structure.jobs)
        found["pressure"] = body_time / (max(len(structure.bodies), 1) * structure.horizon)
    return found


def contention(structure: Structure, time: int) -> float:
    """How full the fullest resource is that several activities contend for."""
    graph = Graph(structure.activities)
    users: dict[str, list[int]] = {}
    for number, activity in enumerate(graph.works):
        for resource in dict.fromkeys(activity.resources):
            users.setdefault(resource, []).append(number)
    shares = [
        sum(graph.works[number].duration for number in users[resource.name]) / (resource.capacity * time)
        for resource in structure.resources
        if len(users.get(resource.name, ())) > 1 and graph.unordered(users[resource.name])
    ]
    return max(shares, default=0.0)


# --- of the proven plan ------------------------------------------------------------------------------------


class Planned:
    """A scenario with its best plan, as the world has played it; ``policy``: who plays it, where the solution
    does not tell."""

    def __init__(
        self,
        world: AnyWorld,
        generator: Generator,
        structure: Structure,
        solution: Solution,
        policy: Policy | None = None,
    ) -> None:
        self.world = world
        self.generator = generator
        self.structure = structure
        self.solution = solution
        if policy is None:
            plan = generator.plan(world, solution)
            policy = plan_policy(world, solution) if plan is None else PlanPolicy("plan", plan, informed=True)
        self.episode: Episode = play_now(world, policy)
        self.steps = list(trajectory(self.episode, world))
        self.events = tuple(self.episode.events())
        if (scale := generator.scale) != 1:
            self.events = tuple(replace(each, time=round(each.time * scale)) for each in self.events)

    @cached_property
    def time(self) -> int:
        """T*: at least 1."""
        events = self.events
        if self.generator.sense == "min" and self.solution.objective:
            return self.solution.objective
        delivered = [event.time for event in events if event.what == "delivered"]
        ended = [activity.end for activity in finished_work(events)]
        return max(1, round(max(delivered or ended, default=1)))

    @cached_property
    def required(self) -> Structure:
        """What is done in the plan: of orders the activities of those that it serves, by the keys of
        events."""
        served = {event.key for event in self.events if event.what == "delivered"}
        works = tuple(work for work in self.structure.activities if work.job in served)
        if self.structure.horizon is None or not works:
            return self.structure
        return replace(self.structure, activities=works)

    def dials(self, names: Iterable[str]) -> dict[str, float]:
        """The dials of the plan, those of these names."""
        names = set(names)
        found = {
            "width": sum(done.end - done.start for done in self._finished()) / self.time,
            "attention": self._held() / (max(len(self.structure.bodies), 1) * self.time),
            "chain": median(job.longest(job.durations) for job in _jobs(self.required) or [Graph(())])
            / self.time,
            "contention": contention(self.required, self.time),
        }
        if {"decisions", "lures", CHOICE} & names and lists(self.world):
            found |= self._of_menus()
        decisions = [decisions_in(self.world, entry) for _, entry, _ in self.steps]
        return found | dict(self.generator.own(self.world, self.solution, decisions))

    def _finished(self) -> list[Any]:
        return [done for done in finished_work(self.events) if done.end <= self.time]

    def _held(self) -> int | float:
        held = [
            (each.start, min(each.end, self.time))
            for each in activities(self.events)
            if each.lane in self.structure.bodies and each.kind == "work"
        ]
        return sum(end - start for start, end in held if end > start)

    def _of_menus(self) -> dict[str, float]:
        """How many decisions do something, and how many of those on menus nobody needs."""
        doing, lures = 0, []
        world: Any = self.world
        for state, entry, _ in self.steps:
            for seat, decision in decisions_in(self.world, entry).items():
                menu = world.menu(state, seat)
                passing = [option.decision for option in menu.options if option.passes or option.waits]
                doing += decision not in passing
                active = [option for option in menu.options if not (option.passes or option.waits)]
                if active:
                    idle = sum(not self.generator.is_needed(world, option.decision) for option in active)
                    lures.append(idle / len(active))
        return {"decisions": doing, "lures": fmean(lures) if lures else 0.0}

    def choice(self, effort: float) -> float:
        """At what share of the decisions some other that does something makes the best worse that is still
        possible. Raises ``Refused`` where the oracle finds plans from the beginning only."""
        world: Any = self.world
        oracle, worse, points = oracle_of(self.world), 0, 0
        for state, entry, step in self.steps:
            for seat, decision in decisions_in(self.world, entry).items():
                others = [
                    option.decision
                    for option in world.menu(state, seat).options
                    if not (option.passes or option.waits) and option.decision != decision
                ]
                if not world.deciders(step.state):
                    continue
                points += 1
                best = oracle.onward(world, state, effort).finish
                worse += any(self._finish_after(state, seat, each, oracle, effort) != best for each in others)
        return worse / points if points else 0.0

    def _finish_after(self, state: Any, seat: str, decision: Any, oracle: Any, effort: float) -> int | None:
        after = self.world.step(state, {seat: decision}).state
        if not self.world.deciders(after):
            return None
        finish: int | None = oracle.onward(self.world, after, effort).finish
        return finish


# --- of play without much thought --------------------------------------------------------------------------


class Gap(Struct, frozen=True):
    """The mean regret of a script, how often it did not finish, of how many plays."""

    regret: float
    unfinished: int
    plays: int


def played(world: AnyWorld, generator: Generator, script: str, seed: int) -> Result:
    """What a script comes to in a scenario."""
    episode = play_now(world, make_policies(AgentSpec(script), world), seed)
    result = generator.result(world, world.outcome(final_state(episode, world)))
    return replace(result, complete=result.complete and not episode.failed)


def limit_of(world: AnyWorld, generator: Generator) -> int | None:
    """When play of a scenario ends: what it says itself, or twice what ``serial`` takes, or would take if it
    broke no maximum lag; ``None`` in worlds whose scenarios have no such limit."""
    if not generator.limit:
        return None
    own: int | None = getattr(world.scenario, generator.limit, None)
    if own:
        return own
    serial = played(world, generator, "serial", 0)
    if serial.complete:
        return LIMIT_FACTOR * serial.value
    return LIMIT_FACTOR * sum(work.activity.duration for work in generator.structure(world).activities)


def gap(world: AnyWorld, generator: Generator, script: str, best: int, limit: int | None) -> Gap:
    """The regret of a script against the best, over eight seeds where it draws."""
    seeds: Sequence[int] = SEEDS if script in DRAWING else (0,)
    results = [played(world, generator, script, seed) for seed in seeds]
    mean = fmean(regret(result, best, generator.sense, limit) for result in results)
    return Gap(round(mean, DECIMALS), sum(not result.complete for result in results), len(results))


def scripts_of(generator: Generator, world: AnyWorld) -> tuple[str, ...]:
    """The scripts whose regret is measured: those of the generator that the world has."""
    own = packs.pack_of(world).agents
    return tuple(name for name in generator.scripts if name != "greedy" or name in own)


def rounded(dials: Mapping[str, float]) -> dict[str, float]:
    """Values as they are kept and compared."""
    return {name: round(float(value), DECIMALS) for name, value in dials.items()}

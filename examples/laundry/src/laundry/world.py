"""The world: rules, menu, words, picture, examples and scheduling problem under one face."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from backburner.kernel.clock import Timed
from backburner.kernel.errors import Refused
from backburner.kernel.exact import Searchable
from backburner.kernel.menu import Menu, Menus, Option
from backburner.kernel.schedule import Activity, Problem, Resource, Schedulable
from backburner.kernel.text import Examples, Part, Text, WorkedPlan, parted
from backburner.kernel.values import Fault, Outcome, Refusal, Seat, Step
from backburner.kernel.view import Body, Click, ClickAction, Controls, Place, Progress, Scene, Thing, View
from laundry.rules import LONGEST_WAIT, MACHINES, YOU, Rulebook, decisions
from laundry.search import bound
from laundry.state import (
    VERBS,
    Basket,
    Decision,
    Do,
    Limits,
    Load,
    Rules,
    Scenario,
    Seen,
    State,
    Wait,
)

DONE = ("dirty", "washed", "dry", "folded")
"""What a load is after so many parts of its way."""

RUNNING = ("being washed", "being dried")

SPOKEN = re.compile(
    r"\s*(?:(wash|dry|fold)\s+(\S.{0,40}?)|wait(?:\s+(\d{1,4})(?:\s+minutes?)?)?)\s*\.?\s*", re.IGNORECASE
)

EXAMPLE = Scenario((Load("sheets", 30, 40, 6),))


class Laundry(
    Menus[State, Decision],
    Text[State, Decision, Seen],
    View[State, Decision],
    Examples,
    Schedulable[Decision],
    Timed[State, Decision],
    Searchable[State],
):
    """One day's laundry under its rules and limits."""

    version = 1
    time_unit = "minutes"
    tick_microseconds = 60_000_000
    beat_ticks = 15
    silence_is_passing = True
    menus_suffice = True
    seats: tuple[Seat, ...] = (YOU,)
    state_type: ClassVar[Any] = State
    decision_type: ClassVar[Any] = Decision

    def __init__(self, id: str, scenario: Scenario, rules: Rules, limits: Limits) -> None:
        self.id, self.scenario, self.rules, self.limits = id, scenario, rules, limits
        self.book = Rulebook(scenario, rules, limits)

    # World

    def start(self, seed: int = 0) -> State:
        """Every day begins alike."""
        return self.book.start()

    def deciders(self, state: State) -> tuple[Seat, ...]:
        """You, until everything is folded or the room closes."""
        return () if state.finished or state.closed else self.seats

    def step(self, state: State, decisions: Mapping[Seat, Decision | Refusal]) -> Step[State]:
        """What follows from your decision; none at all is refused like one that cannot be read."""
        if not self.deciders(state):
            return Step(state)
        return self.book.step(state, decisions.get(YOU))

    def observe(self, state: State, seat: Seat) -> Seen:
        """Everything: nothing is hidden in a laundry room."""
        names = (load.name for load in self.scenario.loads)
        return Seen(state.minute, tuple(zip(names, state.baskets, strict=True)))

    def outcome(self, state: State) -> Outcome:
        """``minutes``: when everything was folded, or the time that has passed."""
        score = self.book.score(state.baskets)
        numbers = {"completed": int(state.finished), "minutes": state.minute, "score": score}
        if state.finished:
            return Outcome("ended", "everything is folded", numbers)
        return Outcome("cut off" if state.closed else "running", "closing time" * state.closed, numbers)

    # Timed

    def now(self, state: State) -> int:
        """The minute."""
        return state.minute

    def silence(self, state: State, seat: Seat, ticks: int) -> Decision:
        """To wait: nothing comes of it but time."""
        return Wait(min(ticks, LONGEST_WAIT))

    # Searchable

    def estimate(self, state: State) -> int:
        """A minute before which not everything can be folded."""
        return bound(self.book, state)

    # Menus

    @property
    def verbs(self) -> Mapping[str, Sequence[str]]:
        """Everything is done to one load."""
        return dict.fromkeys(VERBS, ("load",))

    def menu(self, state: State, seat: Seat) -> Menu[Decision]:
        """What can be begun now, and waiting for the next machine; other waits are possible as well."""
        running = [
            f"{VERBS[basket.done]} {load.name}"
            for load, basket in zip(self.scenario.loads, state.baskets, strict=True)
            if basket.running
        ]
        options = tuple(map(self._option, decisions(self.book, state)))
        return Menu(options, complete=False, under_way=tuple(running))

    def _option(self, decision: Decision) -> Option[Decision]:
        if isinstance(decision, Do):
            label = self.words(decision)
            return Option(decision, label, body=YOU, verb=decision.verb, things=(decision.load,))
        return Option(decision, "wait for the next machine", passes=True)

    # Text

    def briefing_parts(self, seat: Seat) -> Sequence[Part]:
        """Who you are, what is to be done, what the rules are, how to answer."""
        loads = ", ".join(load.name for load in self.scenario.loads)
        washers, dryers = (f"{n} {MACHINES[verb]}" + "s" * (n > 1) for verb, n in self.book.machines.items())
        return parted(
            [
                ("role", "You do the laundry of a whole house."),
                ("task", f"Wash, dry and fold everything, as early as you can: {loads}."),
                (
                    "instructions",
                    f"You have {washers} and {dryers}. A machine takes one load and runs by itself once it "
                    "is filled; folding keeps your hands busy. Each load is washed, then dried, then folded.",
                ),
                (
                    "answering",
                    "Answer with one decision: wash LOAD, dry LOAD, fold LOAD, wait (until the next machine "
                    "stops), or wait N minutes.",
                ),
            ]
        )

    def description_parts(self, observation: Seen) -> Sequence[Part]:
        """The clock, and how far each load is."""
        lines = [f"- {name}: {_how_far(basket)}" for name, basket in observation.baskets]
        state = "\n".join([f"Minute {observation.minute}.", *lines])
        return parted([("state", state), ("question", "What do you do?")])

    def parse(self, state: State, seat: Seat, answer: str) -> Decision | Refusal:
        """Reads ``wash LOAD``, ``dry LOAD``, ``fold LOAD``, ``wait`` and ``wait N minutes``."""
        match = SPOKEN.fullmatch(answer[:200])
        if match is None:
            return Refusal("not understood", Fault.UNREADABLE)
        said, load, minutes = match.groups()
        for verb in VERBS:
            if said and said.lower() == verb:
                known = {each.name.lower(): each.name for each in self.scenario.loads}
                return Do(verb, known.get(load.lower(), load))
        return Wait(int(minutes) if minutes else None)

    def words(self, decision: Decision, seat: Seat = "") -> str:
        """The decision as ``parse`` reads it."""
        if isinstance(decision, Do):
            return f"{decision.verb} {decision.load}"
        return "wait" if decision.minutes is None else f"wait {decision.minutes} minutes"

    # View

    def scene(self, state: State, seat: Seat | None = None) -> Scene:
        """Washers above, dryers below, then the table with everything that is in no machine."""
        things: dict[tuple[str, int], tuple[Thing, ...]] = {}
        progress: dict[tuple[str, int], tuple[Progress, ...]] = {}
        lying: list[Thing] = []
        for index, (load, basket) in enumerate(zip(self.scenario.loads, state.baskets, strict=True)):
            thing = Thing(load.name, "laundry", marks=(DONE[basket.done],))
            if not basket.running:
                lying.append(thing)
                continue
            verb = VERBS[basket.done]
            full = self.book.minutes(index, verb)
            at = MACHINES[verb], basket.machine
            things[at] = (thing,)
            progress[at] = (Progress(verb, full - (basket.until - state.minute), full),)
        places: list[Place] = []
        for row, (verb, kind) in enumerate(MACHINES.items()):
            for n in range(1, self.book.machines[verb] + 1):
                stack, turning = things.get((kind, n), ()), progress.get((kind, n), ())
                places.append(Place(f"{kind} {n}", kind, (n - 1, row), stack=stack, progress=turning))
        places.append(Place("table", "table", (0, 2), stack=tuple(lying)))
        width = max(2, *self.book.machines.values())
        body = Body(YOU, "person", (1, 2), place="table")
        return Scene(width, 3, tuple(places), (body,), caption=f"minute {state.minute}")

    @property
    def controls(self) -> Controls:
        """A click on a load does with it what comes next."""
        return Controls(tuple(ClickAction(verb, Click("load")) for verb in VERBS))

    # Examples

    def demonstration(
        self, seat: Seat, bodies: int | None = None, single: bool = False
    ) -> tuple[Laundry, Seat]:
        """A day with nothing but sheets."""
        return Laundry("laundry/sheets", EXAMPLE, self.rules, Limits()), YOU

    def worked_plan(self, single: bool = False) -> WorkedPlan:
        """The sheets again, as a whole plan."""
        plan = "\n".join(("wash sheets", "wait", "dry sheets", "wait", "fold sheets"))
        return WorkedPlan("Wash, dry and fold the sheets.", "Nothing else goes on meanwhile.", plan)

    # Schedulable

    def problems(self) -> Mapping[str, Problem]:
        """The whole day: three activities for each load, machines and hands."""
        activities: list[Activity] = []
        for index, load in enumerate(self.scenario.loads):
            before: tuple[str, ...] = ()
            for verb in VERBS:
                name = f"{verb} {load.name}"
                minutes, hands = self.book.minutes(index, verb), self.book.hands(index, verb)
                machine = (MACHINES[verb],) if verb in MACHINES else ()
                activities.append(Activity(name, minutes, hands, before, machine))
                before = (name,)
        machines = tuple(Resource(MACHINES[verb], n) for verb, n in self.book.machines.items())
        return {self.id: Problem("minutes", tuple(activities), machines, "every decision")}

    def plan(self, starts: Mapping[str, int]) -> Sequence[Decision]:
        """The decisions that begin each activity in its minute; raises ``Refused`` for other activities."""
        if starts.keys() != {activity.name for activity in self.problems()[self.id].activities}:
            raise Refused(f"{self.id}: a schedule has a start for each activity, and no other")
        plan: list[Decision] = []
        now = 0
        for name, minute in sorted(starts.items(), key=lambda start: start[1]):
            verb, _, load = name.partition(" ")
            if minute > now:
                plan.append(Wait(minute - now))
            decision = Do(verb, load)  # type: ignore[arg-type]  # as ``problems`` named it
            plan.append(decision)
            index = [each.name for each in self.scenario.loads].index(load)
            now = minute + self.book.hands(index, decision.verb)
        return plan


def _how_far(basket: Basket) -> str:
    if basket.running:
        return f"{RUNNING[basket.done]} until minute {basket.until}"
    return DONE[basket.done]

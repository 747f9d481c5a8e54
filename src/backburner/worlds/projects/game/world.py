"""Projects: any scheduling problem of ``kernel.schedule``, played.

One seat, ``agent``, the operator. A decision starts an activity, or lets time pass; a step is over when the
operator is free again. What needs no operator takes no time to start, so that any number of such activities
start at one time. Nothing is hidden and nothing is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from msgspec import convert
from msgspec.structs import replace

from backburner.kernel.clock import SECOND, Timed
from backburner.kernel.menu import Menu, Menus, Option
from backburner.kernel.schedule import Problem, Remaining, Schedulable
from backburner.kernel.text import Examples, Part, Text, WorkedPlan
from backburner.kernel.values import Outcome, Refusal, Seat, Step
from backburner.kernel.view import Controls, Scene, View
from backburner.worlds.projects.game import problem, text, view
from backburner.worlds.projects.game.legality import Legality
from backburner.worlds.projects.game.rule_set import NO_LIMITS, Limits, Rules
from backburner.worlds.projects.game.scenarios import OwnActivity, OwnProblem, Scenario
from backburner.worlds.projects.game.state import AGENT, LONGEST_WAIT, Decision, Silence, Start, State, Wait
from backburner.worlds.projects.game.transition import Rulebook

SPACE = "every decision: to start activities, whole or in pieces on the grid, or to wait, is all there is"

BOIL = OwnActivity(name="boil water", duration=6, operator_time=1)
LAY = OwnActivity(name="lay the table", duration=4, operator_time=4)
BREW = OwnActivity(name="brew tea", duration=3, operator_time=1, predecessors=("boil water",))
EXAMPLE = Scenario(problem=OwnProblem(activities=(BOIL, LAY, BREW)), name="a pot of tea")
"""What is shown to somebody who has never played."""


class Projects(
    Menus[State, Decision],
    Text[State, Decision, State],
    View[State, Decision],
    Examples,
    Schedulable[Decision],
    Timed[State, Decision],
):
    """One problem under its rules and limits."""

    version = 1
    tick_microseconds: int = SECOND  # type: ignore[misc]  # by the problem's unit
    beat_ticks: int = 1  # type: ignore[misc]  # by the time that the scenario takes
    nominal: bool = False  # type: ignore[misc]  # where the unit is a step
    seats: tuple[Seat, ...] = (AGENT,)
    state_type: ClassVar = State
    decision_type: ClassVar = Decision

    def __init__(self, id: str, scenario: Scenario, rules: Rules, limits: Limits) -> None:
        self.id, self.scenario, self.rules, self.limits = id, scenario, rules, limits
        self.time_unit = scenario.problem.unit
        self.tick_microseconds = 60 * SECOND if self.time_unit == "minutes" else SECOND
        self.nominal = self.time_unit == "steps"
        activities = scenario.problem.activities
        least = scenario.optimum or sum(activity.duration for activity in activities) // 2
        self.beat_ticks = max(1, least // len(activities))
        own = replace(scenario.problem, space=SPACE, complete=True)
        self.problem = convert(own, Problem, from_attributes=True)  # whose JSON has all that it needs
        self.legality = Legality(self.problem)
        self.rulebook = Rulebook(self.legality, rules, limits)
        self._reader = text.Reader(self.problem)
        lags = any(activity.max_lags for activity in self.problem.activities)
        self._waits = (Wait(), Wait(1)) if lags else (Wait(),)

    # World

    def start(self, seed: int = 0) -> State:
        """Nothing is begun. There is no chance; the seed has no effect."""
        return self.rulebook.start()

    def deciders(self, state: State) -> tuple[Seat, ...]:
        """The operator, until play is over."""
        return () if state.ended else self.seats

    def step(self, state: State, decisions: Mapping[Seat, Decision | Refusal]) -> Step[State]:
        """What follows; see ``transition``."""
        return self.rulebook.step(state, decisions.get(AGENT))

    def observe(self, state: State, seat: Seat) -> State:
        """Everything."""
        return state

    def outcome(self, state: State) -> Outcome:
        """``ended`` when all is completed or can no longer be, ``cut off`` by the limit. The time stands
        under the name of its unit; ``score``: per cent of the activities that are completed."""
        done = state.ended == "completed"
        numbers = {"completed": int(done), self.time_unit: state.time, "score": self.rulebook.score(state)}
        if not state.ended:
            return Outcome("running", "", numbers)
        return Outcome("cut off" if state.ended == "time" else "ended", state.ended, numbers)

    # Timed

    def now(self, state: State) -> int:
        """The time."""
        return state.time

    def silence(self, state: State, seat: Seat, ticks: int) -> Decision:
        """Time without a decision; what was refused last is still told."""
        return Silence(min(ticks, LONGEST_WAIT))

    def unmoved(self, state: State, seat: Seat) -> object:
        """What was refused last."""
        return state.refusal

    # Menus

    @property
    def verbs(self) -> Mapping[str, Sequence[str]]:
        """Activities are started."""
        return {"start": ("activity",)}

    def menu(self, state: State, seat: Seat) -> Menu[Decision]:
        """What can be started, also up to the next moment if it may be interrupted then; waits last. Longer
        waits and other pieces are possible as well."""
        running = (a.name for index, a in enumerate(self.problem.activities) if state.runs(index))
        return Menu(tuple(self._options(state)), complete=False, under_way=tuple(running))

    def _options(self, state: State) -> Iterator[Option[Decision]]:
        after = self.legality.next_moment(state)
        for activity in self.legality.startable(state):
            starts = [Start(activity.name)]
            if activity.preemptive and after is not None:
                starts.append(Start(activity.name, after - state.time))
            for start in starts:
                if self.legality.obstacle(state, start) is None:
                    things = (activity.name,)
                    yield Option(start, self.words(start), body=AGENT, verb="start", things=things)
        for wait in self._waits:
            if self.legality.obstacle(state, wait) is None:
                yield Option(wait, self.words(wait), passes=True)

    # Text

    def briefing_parts(self, seat: Seat) -> tuple[Part, ...]:
        """The whole problem."""
        return text.briefing_parts(self.scenario, self.rules.goes_on_after_a_miss)

    def description_parts(self, observation: State) -> tuple[Part, ...]:
        """The time, and how far everything is."""
        return text.description_parts(self.legality, observation)

    def parse(self, state: State, seat: Seat, answer: str) -> Decision | Refusal:
        """The decision in the answer; see ``text.Reader``."""
        return self._reader.read(answer)

    def words(self, decision: Decision, seat: Seat = "") -> str:
        """The text that ``parse`` reads as this decision."""
        return text.words(decision)

    def phrases(self, seat: Seat) -> Iterable[str]:
        """A start of each activity."""
        return (self.words(Start(activity.name)) for activity in self.problem.activities)

    # View

    def scene(self, state: State, seat: Seat | None = None) -> Scene:
        """Resources, what is to be done, and what is done."""
        return view.scene(self.legality, state)

    @property
    def controls(self) -> Controls:
        """A click starts an activity."""
        return view.CONTROLS

    # Examples

    def demonstration(
        self, seat: Seat, bodies: int | None = None, single: bool = False
    ) -> tuple[Projects, Seat]:
        """A pot of tea."""
        return Projects("projects/tea", EXAMPLE, self.rules, NO_LIMITS), AGENT

    def worked_plan(self, single: bool = False) -> WorkedPlan:
        """The same as a whole plan."""
        plan = "start boil water\nstart lay the table\nwait\nstart brew tea"
        parts = text.briefing_parts(EXAMPLE, self.rules.goes_on_after_a_miss)
        task = next(part.text for part in parts if part.kind == "task").strip()
        return WorkedPlan(task, "The table is laid while the water boils.", plan)

    # Schedulable

    def problems(self) -> Mapping[str, Problem]:
        """The problem."""
        return {self.id: self.problem}

    def is_told(self, seat: Seat) -> bool:
        """All of it is."""
        return True

    def remaining(self, state: State) -> Remaining:
        """What is begun, and what is left; see ``problem``."""
        return problem.remaining(self.problem, state)

    def plan(self, starts: Mapping[str, int]) -> Sequence[Any]:
        """The decisions that start each activity, or piece of it, at its time."""
        return problem.plan(self.problem, starts)

    def begins(self, decision: Decision) -> tuple[str, ...]:
        """The activity that is started, or gone on with."""
        return (decision.activity,) if isinstance(decision, Start) else ()

    def beginning(self, activity: str) -> Decision:
        """It is started, to its end."""
        return Start(activity)

    def at(
        self, decision: Decision, start: int, duration: int | None = None, *, ends: bool = True
    ) -> Decision:
        """To its end, or for so long."""
        return Start(decision.activity, duration) if isinstance(decision, Start) and not ends else decision

    def waiting(self, time: int) -> Decision:
        """All of the time."""
        return Wait(time)

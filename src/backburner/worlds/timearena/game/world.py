"""TimeArena (Zhang et al., ACL 2024, arXiv 2402.05733) as a world.

One seat, ``agent``, with one body. The clock counts minutes from 0. A decision is one action, or a
wait of one minute, or giving up. Actions that occupy the agent run to their end within one step;
the others run in the background and keep their things occupied. Actions are written as the
scenario's verbs say: ``wash cup``, ``cook rice in pot``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from msgspec import UNSET
from msgspec.structs import replace

from backburner.kernel.clock import SECOND, Timed
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.menu import Menu, Menus, Option
from backburner.kernel.schedule import Activity, Problem, Remaining, Resource, Schedulable
from backburner.kernel.text import Part, Question, Text
from backburner.kernel.tools import WAIT as WAITING
from backburner.kernel.tools import Tool, Tools, tool_name, verb_tools
from backburner.kernel.values import Outcome, Refusal, Seat, Step
from backburner.kernel.view import Scene, View
from backburner.worlds.timearena.game import text, view
from backburner.worlds.timearena.game.compiled import Compiled, Required
from backburner.worlds.timearena.game.legality import Attempt, Legality
from backburner.worlds.timearena.game.rule_set import Limits, Rules
from backburner.worlds.timearena.game.scenarios import Scenario
from backburner.worlds.timearena.game.second_try import SecondTries
from backburner.worlds.timearena.game.state import WAIT, Act, Decision, Driver, Observation, Silence, State
from backburner.worlds.timearena.game.transition import AGENT, Rulebook

TABLES_KEPT = 128
"""Scenarios under a rule set whose tables are kept: the published sets are 90."""


class TimeArena(
    Menus[State, Decision],
    Text[State, Decision, Observation],
    Tools[Observation],
    Schedulable[Decision],
    Timed[State, Decision],
    View[State, Decision],
):
    """One combination of tasks under one rule set and one set of limits."""

    version = 3
    time_unit = "minutes"
    seats: tuple[Seat, ...] = (AGENT,)
    state_type: ClassVar = State
    decision_type: ClassVar = Decision
    tick_microseconds = 60 * SECOND
    beat_ticks = 2

    def __init__(self, id: str, scenario: Scenario, rules: Rules, limits: Limits) -> None:
        self.id = id
        self.scenario = scenario
        self.rules = rules
        self.limits = limits
        legality, self._reader, self._teller = tables(scenario, rules)
        self.compiled = legality.compiled
        self.rulebook = (SecondTries if rules.second_try else Rulebook)(legality, limits)

    def start(self, seed: int = 0) -> State:
        """The first minute. There is no chance in TimeArena; the seed has no effect."""
        return State(driver=Driver()) if self.rules.second_try else State()

    def deciders(self, state: State) -> tuple[Seat, ...]:
        """The agent, until the episode is over."""
        return () if state.ended else self.seats

    def step(self, state: State, decisions: Mapping[Seat, Decision | Refusal]) -> Step[State]:
        """What follows; see ``transition``."""
        return self.rulebook.step(state, decisions.get(AGENT))

    def observe(self, state: State, seat: Seat) -> Observation:
        """The minute, what became of the last decision, what has changed since."""
        if not state.driver:
            return Observation(state.minute, state.feedback, state.reports)
        instead = state.driver.own is not None
        return Observation(state.minute, state.feedback, state.reports, instead, state.driver.told)

    def now(self, state: State) -> int:
        """The minute."""
        return state.minute

    def silence(self, state: State, seat: Seat, ticks: int) -> Decision:
        """Minutes without a decision: background work goes on, and what it reports is told later."""
        return Silence(ticks)

    def unmoved(self, state: State, seat: Seat) -> object:
        """What was told last, errors in a row, what was paired, the second tries."""
        return state.feedback, state.reports, state.errors_in_a_row, state.paired_with_itself, state.driver

    def outcome(self, state: State) -> Outcome:
        """``ended`` when completed or given up, ``cut off`` by the time or error limit."""
        numbers: dict[str, int | float] = {
            "minutes": state.minute,
            "score": state.score,
            "completed": int(self.completed(state)),
        }
        if not state.ended:
            return Outcome("running", "", numbers)
        ended = state.ended in ("completed", "quit")
        return Outcome("ended" if ended else "cut off", state.ended, numbers)

    def scene(self, state: State, seat: Seat | None = None) -> Scene:
        """All things and what has become of them; a seat sees what it has been told."""
        return view.scene(self.rulebook.legality, state, told=seat is not None)

    def completed(self, state: State) -> bool:
        """Whether every required action is finished, as the released program would note it.

        It notes nothing in a step whose action was malformed, and giving up leaves what was noted. What the
        agent thinks through to the end is noted.
        """
        refusal = state.feedback.refusal
        noted = refusal is None or bool(state.untold) or not self.rulebook.freezes(refusal)
        return not self.compiled.everything & ~state.finished and noted

    @property
    def verbs(self) -> Mapping[str, Sequence[str]]:
        """The scenario's verbs; they take one thing or two."""
        return self.compiled.params

    def menu(self, state: State, seat: Seat) -> Menu[Decision]:
        """Every action that would be accepted, the tasks' own first, and a wait last."""
        options = (attempt.option for attempt in self.rulebook.legality.startable(state))
        under_way = tuple(self.words(running.act) for running in state.running)
        return Menu((*options, TO_WAIT), True, under_way)

    def briefing_parts(self, seat: Seat) -> tuple[Part, ...]:
        """Goals, actions, things and their initial states; never durations or requirements."""
        return text.briefing_parts(self.compiled)

    def goal(self, seat: Seat) -> str:
        """The goals of all tasks."""
        return text.goals(self.compiled)

    def description_parts(self, observation: Observation) -> tuple[Part, ...]:
        """The result of the last decision, changes, and the minute."""
        return self._teller.tell(observation)

    @property
    def tells_changes(self) -> bool:
        """As in the article: nobody is told how all things are."""
        return True

    @property
    def corrects(self) -> bool:
        """Only the released Reflexion loop asks for something else in place of what was refused."""
        return self.rules.second_try

    def question(self, observation: Observation) -> Question | None:
        """The next action, or one in place of what was refused, in the same minute."""
        if not (self.corrects and observation.instead and observation.feedback.refusal):
            return None
        complaint = text.refusal_text(observation.feedback.refusal)
        return Question("action", correction=True, complaint=complaint)

    @property
    def reads_thoughts(self) -> bool:
        """As the released program reads them: it takes the whole text for the action."""
        return self.rules.exact_text_only

    def parse(self, state: State, seat: Seat, answer: str) -> Decision | Refusal:
        """The action in the answer; see ``text.Reader``."""
        return self._reader.read(answer)

    @property
    def plan_form(self) -> str:
        """An action on each line; a wait takes one minute."""
        return text.PLAN_FORM

    def words(self, decision: Decision, seat: Seat = "") -> str:
        """The text that ``parse`` reads as this decision."""
        return text.words(self.compiled, decision)

    def tools(self, seat: Seat) -> Sequence[Tool]:
        """One for each verb, and one to wait."""
        says = {verb.name: f"{verb.form}: {verb.gloss}" for verb in self.compiled.verbs.values()}
        return verb_tools(self.verbs, {**says, WAITING: text.TO_WAIT}, (), text.THINGS)

    def call_text(self, seat: Seat, name: str, arguments: Mapping[str, Any]) -> str:
        """The verb's form with the things in it."""
        verb = next((verb for verb in self.compiled.verbs.values() if tool_name(verb.name) == name), None)
        return WAITING if verb is None else verb.words(*arguments.values())

    def phrases(self, seat: Seat) -> Iterable[str]:
        """The tasks' actions, in any way in which they may be done."""
        return (self.words(act) for action in self.compiled.actions for act in action.acts)

    def problems(self) -> Mapping[str, Problem]:
        """The scenario as one scheduling problem; see ``problem``."""
        return {self.id: problem(self.compiled)}

    def remaining(self, state: State) -> Remaining:
        """The actions under way and those that are not begun."""
        return remaining(self.compiled, state)

    def plan(self, starts: Mapping[str, int]) -> list[Decision]:
        """The decisions that start each required action at its minute, with waits in between."""
        return plan(self.compiled, starts)

    def begins(self, decision: Decision) -> tuple[str, ...]:
        """The required action that an act is."""
        return tuple(required.name for required in self.compiled.required if decision in required.acts)

    def beginning(self, activity: str) -> Decision:
        """The act, with the first of several kits."""
        return next(required.acts[0] for required in self.compiled.required if required.name == activity)

    def waiting(self, time: int) -> Decision:
        """A minute."""
        return WAIT


@lru_cache(maxsize=TABLES_KEPT)
def tables(scenario: Scenario, rules: Rules) -> tuple[Legality, text.Reader, text.Teller]:
    """What depends on nothing else: worlds of one scenario and rule set share it, and what it remembers."""
    legality = Legality(Compiled(scenario, rules))
    return legality, text.Reader(legality), text.Teller(legality.compiled)


# --- the scenario as a scheduling problem, and a schedule as decisions -------------------------------------
# The agent is the operator: an action that occupies it holds it for all its minutes, a background action
# for the minute in which it is started. Both hold their things; pots, fryers and ovens of one kind are
# interchangeable.

OWN_PAIRS = (
    "every decision: under these rules an action counts only with the things its task asks for, "
    "a refused decision changes nothing but the clock, and starting or waiting is all there is"
)
LOOSE_PAIRS = (
    "the tasks' own pairs of things: these rules also accept other pairs (another task's container, "
    "a thing paired with itself), which are left out; a shorter plan with them is not excluded"
)


def problem(compiled: Compiled) -> Problem:
    """The makespan problem of the required actions under the bound rules."""
    kit = {item.base for item in compiled.items if item.kit}
    resources = [Resource(item.name) for item in compiled.items if not item.kit]
    resources += [Resource(base, sum(i.base == base for i in compiled.items)) for base in sorted(kit)]
    forbidden = tuple(
        required.name
        for required in compiled.required
        if all(act.second and compiled.kept_apart(act.first, act.second) for act in required.acts)
    )
    return Problem(
        unit="minutes",
        activities=tuple(_activity(required) for required in compiled.required),
        resources=tuple(resources),
        space=LOOSE_PAIRS if compiled.rules.any_pair_counts else OWN_PAIRS,
        forbidden=forbidden,
        impossible=_impossible(compiled),
        complete=not compiled.rules.any_pair_counts,
    )


def remaining(compiled: Compiled, state: State) -> Remaining:
    """What is left to be done: actions under way, and those that are not begun.

    What waits for a thing that spare work is using is released when that ends. Raises ``Refused`` where one
    of several of a kind is used so, and under rules by which the agent's clock is not the world's.
    """
    if compiled.rules.any_pair_counts or state.lost_minutes or state.driver is not UNSET:
        raise Refused("under these rules more, or something else, can be done than the problem says")
    attempts = Legality(compiled).attempts
    over = {r.name for r in compiled.required if attempts[r.acts[0]].bit & state.finished}
    running = {one.act: one.ends for one in state.running}
    begun = {r.name: running[act] - r.minutes for r in compiled.required for act in r.acts if act in running}
    whole = problem(compiled)
    spare = [attempts[act] for act in running if not attempts[act].earns]
    free_from = _in_spare_use(whole, compiled, spare, running)
    left = tuple(
        replace(
            activity,
            predecessors=tuple(name for name in activity.predecessors if name not in over),
            release=max((free_from.get(name, 0) for name in activity.resources), default=0),
        )
        for activity in whole.activities
        if activity.name not in over
    )
    return Remaining(replace(whole, activities=left), begun, state.minute)


def _in_spare_use(
    whole: Problem, compiled: Compiled, spare: Iterable[Attempt], ends: Mapping[Act, int]
) -> dict[str, int]:
    """Until when resources are in use by spare work under way."""
    capacity = {resource.name: resource.capacity for resource in whole.resources}
    until: dict[str, int] = {}
    for attempt in spare:
        for item in (compiled.item[name] for name in attempt.names):
            resource = item.base if item.kit else item.name
            until[resource] = ends[attempt.act]
            if capacity[resource] > 1:
                raise Refused(f"{attempt.words} is under way, which nobody requires, in one of several")
    return until


def _impossible(compiled: Compiled) -> tuple[str, ...]:
    """What stays unfinished in whatever order everything is done."""
    legality = Legality(compiled)
    attempts, reachable = legality.attempts, legality.reachable
    return tuple(r.name for r in compiled.required if not attempts[r.acts[0]].bit & reachable)


def _activity(required: Required) -> Activity:
    act = required.acts[0]
    second = required.kit or act.second
    return Activity(
        name=required.name,
        duration=required.minutes,
        operator_time=required.minutes if required.occupies_agent else 1,
        predecessors=required.after,
        resources=tuple(filter(None, (act.first, second))),
    )


def plan(compiled: Compiled, starts: Mapping[str, int]) -> list[Decision]:
    """Decisions in order of their minutes.

    Raises ``Refused`` if ``starts`` does not name just the required actions, if the agent would be
    in two places, or if no kit is free.
    """
    _check_names(compiled, starts)
    decisions: list[Decision] = []
    minute = 0
    free_from: dict[str, int] = {}
    for required in sorted(compiled.required, key=lambda r: starts[r.name]):
        start = starts[required.name]
        if start < minute:
            raise Refused(
                f"the schedule starts {required.name!r} at {start}; the agent is busy until {minute}"
            )
        decisions += [WAIT] * (start - minute)
        decisions.append(_with_free_kit(required, start, free_from))
        minute = start + (required.minutes if required.occupies_agent else 1)
    last = max((starts[r.name] + r.minutes for r in compiled.required), default=0)
    return decisions + [WAIT] * (last - minute)


def _check_names(compiled: Compiled, starts: Mapping[str, int]) -> None:
    names = [required.name for required in compiled.required]
    for name in starts:
        if name not in names:
            raise Refused(str(UnknownName("action", name, names, "the schedule")))
    for name in names:
        if name not in starts:
            raise Refused(f"the schedule does not start {name!r}")


def _with_free_kit(required: Required, start: int, free_from: dict[str, int]) -> Act:
    for act in required.acts:
        if free_from.get(act.second, 0) <= start:
            if required.kit:
                free_from[act.second] = start + required.minutes
            return act
    raise Refused(f"the schedule starts {required.name!r} at {start}; no {required.kit} is free then")


TO_WAIT: Option[Decision] = Option(WAIT, "wait", passes=True)

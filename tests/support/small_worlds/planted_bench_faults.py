"""The bench with one thing done wrong in a capability; each names the check that must catch it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from msgspec.structs import replace

from backburner.kernel.assessment import Assessment, Judgement, Window
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.menu import Menu
from backburner.kernel.schedule import Activity, MaxLag, Problem, Resource
from backburner.kernel.text import Part, Question, WorkedPlan
from backburner.kernel.tools import UNREADABLE_CALL, Answered, Tool, ToolCall, tool
from backburner.kernel.values import Event, Refusal, Seat, Step
from backburner.kernel.view import Controls, Key, KeyAction
from support.small_worlds.bench import (
    JOINER,
    UNREADABLE,
    Bench,
    Critics,
    Do,
    Job,
    Rules,
    Scenario,
    State,
    windows,
    worth,
)

FAULTS: list[tuple[type[Bench], str]] = []
"""Worlds, each with the check that catches it."""

ASSESSED: list[tuple[str, Any, str]] = []
"""(what is wrong, a maker of an assessment, the check that catches it)."""


def caught_by(check: str) -> Any:
    def plant(world: type[Bench]) -> type[Bench]:
        FAULTS.append((world, check))
        return world

    return plant


def wrong(check: str) -> Any:
    def plant(maker: Any) -> Any:
        ASSESSED.append((maker.__name__, maker, check))
        return maker

    return plant


# --- menus


@caught_by("bodies_are_in_the_scene")
class LetsAnApprenticeWork(Bench):
    def menu(self, state: State, seat: Seat) -> Menu[Do]:
        menu = super().menu(state, seat)
        return replace(menu, options=tuple(replace(option, body="apprentice") for option in menu.options))


@caught_by("decisions_are_put_together")
class PutsTogetherNothing(Bench):
    def together(self, decisions: Sequence[Do]) -> Do:
        return Do("")


# --- tools


@caught_by("tools_are_what_strict_servers_take")
class HasATwin(Bench):
    def tools(self, seat: Seat) -> Sequence[Tool]:
        return (*super().tools(seat), tool("DO", "do it all"))


@caught_by("calls_never_raise")
class ForgetsACall(Bench):
    def answers(self, seat: Seat, calls: Sequence[ToolCall]) -> Sequence[Answered]:
        return super().answers(seat, calls)[1:]


@caught_by("calls_are_read_as_their_options")
class MishearsCalls(Bench):
    def call_text(self, seat: Seat, name: str, arguments: Mapping[str, Any]) -> str:
        return "saw"


@caught_by("calls_are_read_as_their_options")
class HasNoToolForItsVerb(Bench):
    def tools(self, seat: Seat) -> Sequence[Tool]:
        return super().tools(seat)[1:]


@caught_by("unreadable_calls_are_refused")
class ChargesNothingForCalls(Bench):
    def step(self, state: State, decisions: Mapping[Seat, Do | Refusal]) -> Step[State]:
        decided = decisions.get(JOINER)
        if not isinstance(decided, Refusal) or decided.code != UNREADABLE_CALL:
            return super().step(state, decisions)
        return Step(state, (), (decided.at(JOINER),))


# --- text


@caught_by("parts_make_the_whole")
class TellsMoreThanItsParts(Bench):
    def describe(self, observation: State) -> str:
        return f"{super().describe(observation)} And hurry."


@caught_by("parts_make_the_whole")
class HasAPartOfNoKind(Bench):
    def description_parts(self, observation: State) -> Sequence[Part]:
        return (*super().description_parts(observation), Part("gossip", "They say."))  # type: ignore[arg-type]


@caught_by("briefings_never_change")
class BriefsInOtherParts(Bench):
    def briefing(self, seat: Seat) -> str:
        return f"{super().briefing(seat)} Good luck."


@caught_by("questions_need_the_observation_alone")
class AsksSomethingNewEveryTime(Bench):
    asked = count()

    def question(self, observation: State) -> Question | None:
        return Question(f"question {next(self.asked)}")


@caught_by("questions_need_the_observation_alone")
class AsksForNothing(Bench):
    def question(self, observation: State) -> Question | None:
        return Question("", parts=0)


@caught_by("plans_are_read_from_any_text")
class FormatsPlans(Bench):
    def answers_in(self, plan: str) -> tuple[str, ...]:
        plan.format()
        return super().answers_in(plan)


@caught_by("plans_are_read_from_any_text")
class FindsAnswersInNothing(Bench):
    def answers_in(self, plan: str) -> tuple[str, ...]:
        return super().answers_in(plan) or ("wait",)


@caught_by("a_plan_of_one_decision_is_that_decision")
class ReadsPlansBackwards(Bench):
    def answers_in(self, plan: str) -> tuple[str, ...]:
        return tuple(answer[::-1] for answer in super().answers_in(plan))


@caught_by("a_plan_of_one_decision_is_that_decision")
class ReadsPlansThatNobodyCanWrite(Bench):
    plan_form = ""


@caught_by("typed_lines_are_answers")
class TypesInCapitals(Bench):
    def typed(self, line: str, seat: Seat = "") -> str:
        return line.upper()


# --- examples


@caught_by("demonstrations_are_of_other_scenarios")
class ShowsItself(Bench):
    def demonstration(
        self, seat: Seat, bodies: int | None = None, single: bool = False
    ) -> tuple[World[Any, Any, Any], Seat]:
        return Bench(), JOINER


@caught_by("demonstrations_are_of_other_scenarios")
class ShowsOtherRules(Bench):
    def demonstration(
        self, seat: Seat, bodies: int | None = None, single: bool = False
    ) -> tuple[World[Any, Any, Any], Seat]:
        shown = Bench(Scenario((Job("drill", 2),)))
        shown.rules = Rules("strict")
        return shown, JOINER


@caught_by("demonstrations_are_of_other_scenarios")
class ShowsItToNobody(Bench):
    def demonstration(
        self, seat: Seat, bodies: int | None = None, single: bool = False
    ) -> tuple[World[Any, Any, Any], Seat]:
        return Bench(Scenario((Job("drill", 2),))), "onlooker"


@caught_by("demonstrations_are_of_other_scenarios")
class ShowsSomethingElseEveryTime(Bench):
    minutes = count(1)

    def demonstration(
        self, seat: Seat, bodies: int | None = None, single: bool = False
    ) -> tuple[World[Any, Any, Any], Seat]:
        return Bench(Scenario((Job("drill", next(self.minutes)),))), JOINER


@caught_by("worked_plans_are_read")
class CannotReadItsOwnPlan(Bench):
    def worked_plan(self, single: bool = False) -> WorkedPlan:
        return WorkedPlan("drill", "", "First I drill, then I glue.")


@caught_by("worked_plans_are_read")
class HasAnEmptyPlan(Bench):
    def worked_plan(self, single: bool = False) -> WorkedPlan:
        return WorkedPlan("drill", "", " ")


# --- views


@caught_by("moments_lie_within_the_step")
class ShowsMomentsAfterTheEnd(Bench):
    def between(
        self, state: State, decisions: Mapping[Seat, Do | Refusal]
    ) -> Sequence[tuple[int | float, State]]:
        return [*super().between(state, decisions), (state.minute + 100, state)]


@caught_by("moments_lie_within_the_step")
class ShowsMomentsBackwards(Bench):
    def between(
        self, state: State, decisions: Mapping[Seat, Do | Refusal]
    ) -> Sequence[tuple[int | float, State]]:
        return super().between(state, decisions)[::-1]


@caught_by("known_events_are_of_the_step")
class TellsEventsBackwards(Bench):
    def known(self, seat: Seat, before: State, events: Sequence[Event], after: State) -> Sequence[Event]:
        return [*events, *events][::-1]


@caught_by("controls_are_for_verbs")
class HasAKeyForNothing(Bench):
    controls = Controls((), (KeyAction("dance", Key("d")),))


# --- schedules


class Restated(Bench):
    """The bench with another activity for its first job."""

    def problems(self) -> Mapping[str, Problem]:
        problem = super().problems()[self.id]
        first, *others = problem.activities
        return {self.id: replace(problem, activities=(self.restated(first), *others))}

    def restated(self, first: Activity) -> Activity:
        return first


@caught_by("problems_are_well_formed")
class NamesAnActivityTwice(Restated):
    def restated(self, first: Activity) -> Activity:
        return replace(first, name="sweep")


@caught_by("problems_are_well_formed")
class WaitsForItself(Restated):
    def restated(self, first: Activity) -> Activity:
        return replace(first, after=("plane",))


@caught_by("problems_are_well_formed")
class ComesAfterNothingThatThereIs(Restated):
    def restated(self, first: Activity) -> Activity:
        return replace(first, max_lags=(MaxLag("varnish", 3),))


@caught_by("problems_are_well_formed")
class HoldsNothingThatThereIs(Restated):
    def restated(self, first: Activity) -> Activity:
        return replace(first, resources=("vice",))


@caught_by("problems_are_well_formed")
class PaysMoreAttentionThanThereIsTime(Restated):
    def restated(self, first: Activity) -> Activity:
        return replace(first, operator_time=first.duration + 1)


@caught_by("problems_are_well_formed")
class CountsInSeconds(Bench):
    def problems(self) -> Mapping[str, Problem]:
        return {self.id: replace(super().problems()[self.id], unit="seconds")}


@caught_by("problems_are_well_formed")
class HasABenchWithoutRoom(Bench):
    def problems(self) -> Mapping[str, Problem]:
        return {self.id: replace(super().problems()[self.id], resources=(Resource("bench", 0),))}


@caught_by("schedules_are_plans")
class PlansBackwards(Bench):
    def plan(self, starts: Mapping[str, int]) -> Sequence[Do]:
        return super().plan(starts)[::-1]


@caught_by("schedules_are_plans")
class PlansWhatIsNoSchedule(Bench):
    def plan(self, starts: Mapping[str, int]) -> Sequence[Do]:
        return super().plan(starts) if starts.keys() == self.jobs.keys() else []


@caught_by("schedules_are_plans")
class ForgetsTheLastJob(Bench):
    def plan(self, starts: Mapping[str, int]) -> Sequence[Do]:
        return super().plan(starts)[:-1]


# --- assessments


@wrong("judgements_are_the_same_every_time")
def judges_by_mood(world: Bench) -> Assessment:
    mood = count()
    return Assessment(worth=lambda past, state, seat, decision: [Judgement("mood", next(mood))])


@wrong("judgements_are_the_same_every_time")
def judges_without_measure(world: Bench) -> Assessment:
    return Assessment(worth=lambda past, state, seat, decision: [Judgement("works", float("nan"))])


@wrong("judgements_are_the_same_every_time")
def judges_each_by_its_own(world: Bench) -> Assessment:
    return Assessment(worth=lambda past, state, seat, decision: [Judgement(repr(decision), 1.0)])


class Fussy(Critics):
    """Raises at what it cannot read."""

    def criticise(self, plan: Any) -> Any:
        said = super().criticise(plan)
        if isinstance(said, Refusal):
            raise ValueError("this is no plan")
        return said


class TwoMinds(Critics):
    """Criticises what it takes for no plan."""

    def as_decision(self, plan: Any) -> Do | Refusal:
        return UNREADABLE if isinstance(plan, Episode) else super().as_decision(plan)


class Speechless(Critics):
    def complaint(self, violation: Any) -> str:
        return ""


@wrong("critics_read_any_plan")
def raises_at_nonsense(world: Bench) -> Assessment:
    return Assessment(critics=Fussy(world))


@wrong("critics_read_any_plan")
def is_of_two_minds(world: Bench) -> Assessment:
    return Assessment(critics=TwoMinds(world))


@wrong("critics_read_any_plan")
def has_no_words_for_it(world: Bench) -> Assessment:
    return Assessment(critics=Speechless(world))


def with_windows(world: Bench, change: Any) -> Assessment:
    return Assessment(worth, Critics(world), lambda episode: change(windows(world, episode)))


@wrong("windows_open_before_they_close")
def closes_before_it_opens(world: Bench) -> Assessment:
    return with_windows(world, lambda found: [replace(one, opens=one.closes + 1) for one in found])


@wrong("windows_open_before_they_close")
def keeps_what_never_happened(world: Bench) -> Assessment:
    return with_windows(world, lambda found: [replace(one, state="kept", met=None) for one in found])


@wrong("windows_open_before_they_close")
def opens_in_no_order(world: Bench) -> Assessment:
    late = Window("bench", "lunch", 12, 13, "open")
    return with_windows(world, lambda found: [late, *found])

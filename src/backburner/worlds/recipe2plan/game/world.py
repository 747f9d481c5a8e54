"""Recipe2Plan (Wu et al., 2025, arXiv 2503.02238) as a world.

One seat, ``cook``, with one body. The clock counts seconds from 0. A decision is one or more
actions, each a step for so long from then on, or the cook's word that it has done. Actions are
written as ``Action: Step(0, Tacos, 00:05:00, 00:00:00)``: number, recipe, duration, start. Where the
scenario asks what the cook believes of the recipes, its first decision is to say so; see ``beliefs``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from msgspec import UNSET
from msgspec.structs import replace

from backburner.kernel.clock import SECOND, Timed
from backburner.kernel.errors import Refused
from backburner.kernel.menu import Menu, Menus, Option
from backburner.kernel.schedule import Problem, Remaining, Schedulable
from backburner.kernel.text import Examples, Part, Question, Text, WorkedPlan
from backburner.kernel.tools import Tool, ToolCall, Tools
from backburner.kernel.values import Outcome, Refusal, Seat, Step
from backburner.kernel.view import Scene, View
from backburner.worlds.recipe2plan.game import text, view
from backburner.worlds.recipe2plan.game.beliefs import Beliefs, gold
from backburner.worlds.recipe2plan.game.compiled import COOK, Compiled, plan, problem, remaining
from backburner.worlds.recipe2plan.game.reading import Reader
from backburner.worlds.recipe2plan.game.rule_set import NO_LIMITS, Limits, Rules
from backburner.worlds.recipe2plan.game.scenarios import Scenario
from backburner.worlds.recipe2plan.game.state import (
    FINISH,
    Appliance,
    Cook,
    Missed,
    Observation,
    Piece,
    Ready,
    State,
    UnderWay,
)
from backburner.worlds.recipe2plan.game.text import example_scenario, worked_plan
from backburner.worlds.recipe2plan.game.transition import Rulebook

DO, DONE = "do", "finish"
VERBS: Mapping[str, Sequence[str]] = {DO: ("recipe", "step"), DONE: ()}
"""What options of a menu do: a step of a recipe, or to finish."""

HINTED = ("opening", "started", "cooked", "several", "stated")
"""The kinds of feedback that come with a hint, the first moment first."""

TO_FINISH, TO_FINISH_LATER = (Option(FINISH, DONE, waits=waits, verb=DONE) for waits in (False, True))


class Recipe2Plan(
    Menus[State, Cook],
    Text[State, Cook, Observation],
    Tools[Observation],
    Examples,
    Schedulable[Cook],
    Timed[State, Cook],
    View[State, Cook],
):
    """Recipes to be cooked together under one rule set and one set of limits."""

    version = 3
    time_unit = "seconds"
    seats: tuple[Seat, ...] = (COOK,)
    state_type: ClassVar = State
    decision_type: ClassVar = Cook
    tick_microseconds = SECOND
    beat_ticks = 200
    verbs: Mapping[str, Sequence[str]] = VERBS
    wording: Mapping[str, str] = {DO: "{recipe}, step {step}"}
    typing_help = text.TYPING

    def __init__(self, id: str, scenario: Scenario, rules: Rules, limits: Limits) -> None:
        self.id = id
        self.scenario = scenario
        self.rules = rules
        self.limits = limits
        self.compiled = Compiled(scenario)
        self.rulebook = Rulebook(self.compiled, rules, limits)
        self.reader = Reader(self.compiled, rules)

    def start(self, seed: int = 0) -> State:
        """The first second. There is no chance in Recipe2Plan; the seed has no effect."""
        return self.rulebook.start()

    def deciders(self, state: State) -> tuple[Seat, ...]:
        """The cook, until the episode is over."""
        return () if state.ended else self.seats

    def step(self, state: State, decisions: Mapping[Seat, Cook | Refusal]) -> Step[State]:
        """What follows; see ``transition``."""
        return self.rulebook.step(state, decisions.get(COOK))

    def observe(self, state: State, seat: Seat) -> Observation:
        """The clock, what became of the last decision, appliances, and what runs by itself; what can
        be started and what the cook believes, if the scenario has that.

        Complete steps are not listed, as in the release.
        """
        kitchen, jobs = state.kitchen, self.compiled.jobs
        missed = ((jobs[lag.job], lag) for lag in self.rulebook.termination.missed(kitchen))
        return Observation(
            kitchen.clock,
            state.feedback,
            tuple(
                Appliance(name, any(begun <= kitchen.clock < over for begun, over in busy), fahrenheit)
                for name, busy, fahrenheit in zip(
                    self.compiled.appliances, kitchen.busy, kitchen.fahrenheit, strict=True
                )
            ),
            self._under_way(state),
            tuple(Missed(job.recipe, job.number, lag.after, lag.seconds) for job, lag in missed),
            self._ready(state),
            None if state.beliefs is UNSET else state.beliefs,
        )

    def _ready(self, state: State) -> tuple[Ready, ...] | None:
        """The hint, which comes before the first action and after actions that were carried out, as in the
        release; after a refusal not before something succeeds, and not before beliefs that are asked for."""
        told = HINTED if state.beliefs is UNSET else HINTED[1:]
        if not self.scenario.hints or state.feedback.kind not in told or state.alike:
            return None
        hint = self.rulebook.legality.hint(state.kitchen)
        return tuple(Ready(time, tuple((p.recipe, p.step) for p in pieces)) for time, pieces in hint)

    def _under_way(self, state: State) -> tuple[UnderWay, ...]:
        """What runs, in the order of the recipes; zero more seconds of it hide it (see ``Rules``)."""
        kitchen, jobs = state.kitchen, self.compiled.jobs
        seen = {one.job: one.ends for one in kitchen.running if kitchen.ends[one.job] == one.ends}
        return tuple(UnderWay(jobs[job].recipe, jobs[job].number, seen[job]) for job in sorted(seen))

    def now(self, state: State) -> int:
        """The second."""
        return state.kitchen.clock

    def silence(self, state: State, seat: Seat, ticks: int) -> Cook:
        """Seconds without a decision: what runs by itself goes on, and lags may be broken."""
        return Cook(silent=ticks)

    def unmoved(self, state: State, seat: Seat) -> object:
        """What was told last, turns, revisions, equal failures, beliefs."""
        return state.feedback, state.turns, state.revisions, state.failure, state.alike, state.beliefs

    def outcome(self, state: State) -> Outcome:
        """``ended`` when complete or when the cook says so, ``cut off`` by a limit.

        ``seconds``: when the last accepted action ends. ``work_seconds``: how long they take
        together; ``autonomous_seconds``: the complete steps among them that run by themselves.
        """
        kitchen = state.kitchen
        numbers: dict[str, int | float] = {
            "seconds": kitchen.finish,
            "progress_percent": self.rulebook.percent(kitchen.done),
            "completed": int(kitchen.done == len(self.compiled.jobs)),
            "actions": kitchen.actions,
            "work_seconds": kitchen.worked,
            "autonomous_seconds": self.compiled.autonomous_seconds(kitchen.left),
        }
        if not state.ended:
            return Outcome("running", "", numbers)
        ended = state.ended in ("completed", "finish")
        return Outcome("ended" if ended else "cut off", state.ended, numbers)

    def scene(self, state: State, seat: Seat | None = None) -> Scene:
        """The appliances and all steps, as the cook knows them."""
        return view.scene(self.compiled, state.kitchen, self.observe(state, COOK))

    def menu(self, state: State, seat: Seat) -> Menu[Cook]:
        """Each incomplete step as early as it can start, done in one go; by start.

        A later start is the only way to wait, so that no option ``passes``. What ``waits`` is each step
        that can start when all that runs has ended; if none can, it is to finish. There are many more
        decisions: other starts, pieces of splittable steps, several actions at once. Where no step can
        ever start, the menu is to finish. Where the cook is asked for its beliefs, it is to state none.
        """
        if state.feedback.kind == "opening" and state.beliefs is not UNSET:
            nothing = tuple(Beliefs(recipe.name) for recipe in self.scenario.recipes)
            return Menu((Option(Cook(beliefs=nothing), "state no beliefs"),), False)
        kitchen, legality = state.kitchen, self.rulebook.legality
        last = legality.possible_at_last(kitchen)
        pieces = sorted(dict.fromkeys([*legality.possible(kitchen), *last]), key=lambda piece: piece.start)
        options = [self._option(piece, waits=piece in last) for piece in pieces]
        if not last and (kitchen.running or not options):
            options.append(TO_FINISH_LATER if kitchen.running else TO_FINISH)
        under_way = tuple(f"{running.recipe} {running.step}" for running in self._under_way(state))
        return Menu(tuple(options), False, under_way)

    def _option(self, piece: Piece, waits: bool) -> Option[Cook]:
        things = (piece.recipe, str(piece.step))
        step = self.compiled.jobs_of[piece.recipe][piece.step].step.text
        gloss = f"{step} {text.length(piece.seconds)}, from {text.clock(piece.start)} on."
        return Option(
            Cook((piece,)), text.piece_words(piece), waits=waits, verb=DO, things=things, gloss=gloss
        )

    def briefing_parts(self, seat: Seat) -> tuple[Part, ...]:
        """The recipes as they are written, with the truth about them if the scenario tells it, and how
        to answer."""
        return text.briefing_parts(self.scenario, self.rules)

    def goal(self, seat: Seat) -> str:
        """The names of the recipes."""
        names = " and ".join(recipe.name for recipe in self.scenario.recipes)
        return f"Complete {names} as early as you can."

    def gives_up(self, state: State, decision: Cook) -> bool:
        """To finish while steps are left."""
        return decision.finish and not decision.actions and state.kitchen.done < len(self.compiled.jobs)

    def description_parts(self, observation: Observation) -> tuple[Part, ...]:
        """The result of the last decision, the clock, the kitchen."""
        return text.description_parts(observation, self.compiled, self.rules)

    def question(self, observation: Observation) -> Question | None:
        """Before the first second the cook may be asked for its beliefs: three things of each recipe."""
        if observation.beliefs is None or observation.feedback.kind != "opening":
            return None
        return Question("beliefs", move=False, parts=3 * len(self.scenario.recipes))

    @property
    def reads_thoughts(self) -> bool:
        """As the released loop does; see ``reading``."""
        return self.rules.thoughts_are_read

    def reads_reasoning(self, model: str) -> bool:
        """As the released client for DeepSeek's reasoner lets it be read."""
        return self.rules.reasoning_is_read and "deepseek" in model.lower()

    def parse(self, state: State, seat: Seat, answer: str) -> Cook | Refusal:
        """The actions in one answer; see ``reading``. A plan may be an answer."""
        return self.reader.read(answer)

    @property
    def plan_form(self) -> str:
        """All actions with their starts, one on a line."""
        return text.PLAN_FORM

    def answers_in(self, plan: str) -> tuple[str, ...]:
        """All actions of a plan as one answer."""
        actions = self.reader.plan_actions(plan, self.reader.plan_reading)
        return (self.words(Cook(actions)),) if actions else ()

    def words(self, decision: Cook, seat: Seat = "") -> str:
        """The text that ``parse`` reads as this decision."""
        return text.words(decision, self.rules)

    def tools(self, seat: Seat) -> Sequence[Tool]:
        """To do a step, or to finish."""
        return text.TOOLS

    def call_text(self, seat: Seat, name: str, arguments: Mapping[str, Any]) -> str:
        """The action; its times as they are written."""
        return text.call_text(name, arguments)

    def call_of(self, seat: Seat, option: Option[Cook]) -> ToolCall | None:
        """With the times of the step, which tell options of one step apart."""
        if not option.decision.actions:
            return super().call_of(seat, option)
        return text.call_of(option.decision.actions[0])

    def problems(self) -> Mapping[str, Problem]:
        """The scenario as one scheduling problem; see ``compiled``."""
        return {self.id: problem(self.compiled, self.rules)}

    def remaining(self, state: State) -> Remaining:
        """The steps under way and those that are not begun."""
        return remaining(self.compiled, self.rules, state.kitchen)

    def plan(self, starts: Mapping[str, int]) -> list[Cook]:
        """The whole schedule as one decision, after a true statement of beliefs where one is asked for."""
        true = tuple(map(gold, self.scenario.recipes))
        opening = [Cook(beliefs=true)] if self.scenario.knowledge == "beliefs" else []
        return [*opening, *plan(self.compiled, self.rules, starts)]

    def begins(self, decision: Cook) -> tuple[str, ...]:
        """The steps of all its actions."""
        jobs = map(self.compiled.job_of, decision.actions)
        return tuple(job.label for job in jobs if not isinstance(job, Refusal))

    def beginning(self, activity: str) -> Cook:
        """The step in one go, at the beginning."""
        job = next(job for job in self.compiled.jobs if job.label == activity)
        return Cook((Piece(job.number, job.recipe, job.step.seconds, 0),))

    def at(self, decision: Cook, start: int, duration: int | None = None, *, ends: bool = True) -> Cook:
        """All its actions then, and for so long."""
        actions = tuple(
            replace(piece, start=start, seconds=piece.seconds if duration is None else duration)
            for piece in decision.actions
        )
        return replace(decision, actions=actions)

    def demonstration(
        self, seat: Seat, bodies: int | None = None, single: bool = False
    ) -> tuple[Recipe2Plan, Seat]:
        """The recipes of the worked plan, cooked step by step. Raises ``Refused`` for several cooks."""
        if bodies not in (None, 1):
            raise Refused(f"{self.id}: there is one cook, not {bodies}")
        shown = example_scenario(self.scenario, single)
        return Recipe2Plan("recipe2plan/example", shown, self.rules, NO_LIMITS), COOK

    def worked_plan(self, single: bool = False) -> WorkedPlan:
        """A plan for two recipes of our own, or for one of them; see ``example``."""
        return worked_plan(self.scenario, single, self.rules)

"""Robotouille (2025, arXiv 2502.05227) as a world.

Robots in a kitchen that a JSON domain and a JSON problem describe. Time is counted in steps. A
decision is an action (or one for each robot), written in the domain's own sentences, such as
``Action: robot1 goes from table1 to stove1``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, ClassVar, NamedTuple

from msgspec.structs import replace

from backburner.kernel.clock import SECOND, Timed
from backburner.kernel.errors import Refused
from backburner.kernel.menu import Menu, Menus, Option
from backburner.kernel.schedule import Problem, Schedulable
from backburner.kernel.text import Examples, Part, Text, answers_by_step, answers_on_lines, bare
from backburner.kernel.tools import WAIT, Tool, Tools, tool, tool_name
from backburner.kernel.values import Event, Outcome, Refusal, Seat, Step
from backburner.kernel.view import Controls, Scene, View
from backburner.worlds.robotouille.game import text
from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.dependencies import dependency_graphs
from backburner.worlds.robotouille.game.legality import GroundAction
from backburner.worlds.robotouille.game.reading import Reader
from backburner.worlds.robotouille.game.rule_set import NO_LIMITS, Limits, Rules
from backburner.worlds.robotouille.game.scenarios import (
    DISPATCHER,
    Scenario,
    Seating,
    domain_of,
    goal_sentence,
    training_scenario,
)
from backburner.worlds.robotouille.game.state import (
    IDLE,
    LONGEST_SILENCE,
    REMEMBERED,
    Acts,
    Feedback,
    Kitchen,
    Observation,
    Seen,
    State,
)
from backburner.worlds.robotouille.game.text import Sentences
from backburner.worlds.robotouille.game.transition import Rulebook
from backburner.worlds.robotouille.game.view import Scenes, shipped_controls

FINISH = "finish"
"""The tool that ends all work."""

TO_IDLE = Option(IDLE, text.IDLE, passes=True)


class Sight(NamedTuple):
    """What a seat can do in a kitchen, as options of its menu and by their labels, and what it sees there."""

    options: tuple[Option[Acts], ...]
    labels: tuple[str, ...]
    things: tuple[Seen, ...]


class Robotouille(
    Menus[State, Acts],
    Text[State, Acts, Observation],
    Tools[Observation],
    Examples,
    View[State, Acts],
    Schedulable[Acts],
    Timed[State, Acts],
):
    """A kitchen under one rule set and one set of limits."""

    version = 2
    time_unit = "steps"
    tick_microseconds = SECOND
    nominal = True
    state_type: ClassVar = State
    decision_type: ClassVar = Acts

    def __init__(self, id: str, scenario: Scenario, rules: Rules, limits: Limits) -> None:
        self.id = id
        self.scenario = scenario
        self.rules = rules
        self.limits = limits
        self.compiled = Compiled(domain_of(scenario), scenario.problem, rules)
        objects = self.compiled.layout(self.compiled.start).objects
        self.robots = tuple(objects[robot].name for robot in self.compiled.robots)
        self.seating = Seating(scenario.play, self.compiled.robots, self.robots)
        self.rulebook = Rulebook(self.compiled, self.seating, limits)
        self.reader = Reader(self.compiled)
        self.goal_sentence = goal_sentence(scenario)
        self._sight = lru_cache(maxsize=REMEMBERED)(self._sight_of)

    def __reduce__(self) -> tuple[Any, ...]:
        """Built anew in another process, as what is remembered here cannot go there."""
        return Robotouille, (self.id, self.scenario, self.rules, self.limits)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """A robot each, or the dispatcher."""
        return self.seating.seats

    def start(self, seed: int = 0) -> State:
        """The kitchen as the problem describes it. There is no chance in play; the seed has no effect."""
        return self.rulebook.start()

    def deciders(self, state: State) -> tuple[Seat, ...]:
        """Whose turn it is, until the episode is over."""
        return () if state.ended else self.seating.deciders(state.turn)

    def step(self, state: State, decisions: Mapping[Seat, Acts | Refusal]) -> Step[State]:
        """What follows; see ``transition``."""
        return self.rulebook.step(state, decisions)

    def now(self, state: State) -> int:
        """The steps that have passed."""
        return state.steps

    def silence(self, state: State, seat: Seat, ticks: int) -> Acts:
        """The robots stand. Where turns are taken, the step of this turn passes."""
        return Acts(silent=min(ticks, LONGEST_SILENCE))

    def unmoved(self, state: State, seat: Seat) -> tuple[Feedback, int, int]:
        """What was told last, the attempts and the failed calls."""
        return state.feedback, state.attempts, state.failed_calls

    def observe(self, state: State, seat: Seat) -> Observation:
        """Everything that is there, and what the seat can do now."""
        feedback, done = state.feedback, []
        if seat == DISPATCHER:
            layout = self.compiled.layout(state.kitchen)
            done = [self.compiled.find(layout, name) for name in feedback.done]
        _, labels, things = self._sight(state.kitchen, seat)
        return Observation(
            things,
            labels,
            self.goal_sentence,
            self.robots if seat == DISPATCHER else (seat,),
            tuple([action.text for action in done if action is not None]),
            tuple([refusal for refusal in feedback.refusals if refusal.seat == seat]),
        )

    def outcome(self, state: State) -> Outcome:
        """``ended`` when the goal is reached or a player finishes, ``cut off`` by a limit.

        Its numbers are the ``steps`` that have passed, and ``completed`` (1 or 0).
        """
        numbers: dict[str, int | float] = {
            "steps": state.steps,
            "completed": int(state.ended == "completed"),
        }
        if not state.ended:
            return Outcome("running", "", numbers)
        ended = state.ended in ("completed", "finish")
        return Outcome("ended" if ended else "cut off", state.ended, numbers)

    def menu(self, state: State, seat: Seat) -> Menu[Acts]:
        """The applicable actions, one by one; a dispatcher may combine them, one for each robot."""
        under_way = tuple(process.label for process in state.jobs if not process.paused)
        return Menu(self._sight(state.kitchen, seat).options, seat != DISPATCHER, under_way)

    def _sight_of(self, kitchen: Kitchen, seat: Seat) -> Sight:
        """An action is called by its name where another has the same sentence."""
        actions = self._actions(kitchen, seat)
        n_alike = Counter(action.text for action in actions)
        options = [
            action.option if n_alike[action.text] == 1 else replace(action.option, label=action.name)
            for action in actions
        ]
        if not self.compiled.waiting:
            options.append(TO_IDLE)
        things = text.things_seen(self.compiled.layout(kitchen), kitchen)
        return Sight(tuple(options), tuple([option.label for option in options]), things)

    def _actions(self, kitchen: Kitchen, seat: Seat) -> list[GroundAction]:
        """The actions that a seat may order: those of its own robots, unless every robot is anybody's."""
        applicable = self.compiled.applicable(kitchen)
        if self.rules.any_robot:
            return list(applicable)
        own = set(self.seating.robots_of(seat))
        return [action for action in applicable if own.issuperset(action.robots)]

    def problems(self) -> Mapping[str, Problem]:
        """The task graph of each dish of the goal; see ``dependencies``."""
        return dependency_graphs(self.compiled)

    def briefing_parts(self, seat: Seat) -> tuple[Part, ...]:
        """The domain's guide, its actions, the goal, and how to answer."""
        kitchen = text.Briefed(
            self.robots,
            self.goal_sentence,
            self.limits.steps is not None,
            self.scenario.told,
            self.compiled.count_words(),
        )
        return text.briefing_parts(self.compiled.domain, kitchen, seat)

    def goal(self, seat: Seat) -> str:
        """The goal as the scenario says it, or as its terms do."""
        return self.goal_sentence

    def gives_up(self, state: State, decision: Acts) -> bool:
        """To finish: play goes on by itself to the goal."""
        return decision.finish

    def wanting(self, refusal: Refusal) -> Sequence[str]:
        """The preconditions that do not hold: everybody sees everything here."""
        return text.wanting(self.compiled.domain, refusal)

    def description_parts(self, observation: Observation) -> tuple[Part, ...]:
        """The last result, everything there is, the possible actions, the goal."""
        return text.description_parts(observation)

    @property
    def reads_thoughts(self) -> bool:
        """As the released program does, which looks for an action on any line."""
        return self.rules.exact_text_only

    def parse(self, state: State, seat: Seat, answer: str) -> Acts | Refusal:
        """The action in one answer; see ``reading``."""
        return self.reader.read(state.kitchen, seat, answer)

    @property
    def plan_form(self) -> str:
        """A line for each action, or for each step one for each robot."""
        return text.plan_form(self.seating.play == "dispatcher")

    def phrases(self, seat: Seat) -> Iterable[str]:
        """The sentences of all actions over the kitchen's things, by robots of the seat."""
        layout = self.compiled.layout(self.compiled.start)
        return self.compiled.sentences(layout, frozenset(self.seating.robots_of(seat)))

    def answers_in(self, plan: str) -> tuple[str, ...]:
        """A line of a plan for each decision; of a dispatcher's plan the lines of each step."""
        if self.seating.play == "dispatcher":
            return tuple(self._labelled(step) for step in answers_by_step(plan, self._robots_in))
        return answers_on_lines(plan)

    def _robots_in(self, line: str) -> tuple[Seat, ...]:
        """The robots that a line of a dispatcher's plan is about; all of them where it lets them wait."""
        named = tuple(robot for robot in self.robots if robot in re.split(r"\W+", line.casefold()))
        return named or (self.robots if bare(line).casefold() in text.IDLE_WORDS else ())

    @staticmethod
    def _labelled(step: str) -> str:
        return "\n".join(f"Action: {line}" for line in step.splitlines())

    def demonstration(
        self, seat: Seat, bodies: int | None = None, single: bool = False
    ) -> tuple[Robotouille, Seat]:
        """The training task of the article that goes with this kitchen, always for one robot.

        Synchronous tasks have the synchronous one, all others the asynchronous one. Raises ``Refused``
        for another number of bodies, and for kitchens in a domain of somebody's own.
        """
        if bodies not in (None, 1):
            raise Refused(f"{self.id}: the training tasks are for one robot, not for {bodies}")
        return self._training_task, self._training_task.seats[0]

    @cached_property
    def _training_task(self) -> Robotouille:
        id, scenario = training_scenario(self.id, self.scenario)
        return Robotouille(id, scenario, self.rules, NO_LIMITS)

    def words(self, decision: Acts, seat: Seat = "") -> str:
        """The text that ``parse`` reads as this decision; of a silence, one that it does not read."""
        if decision.silent:
            return text.SILENT
        lines = [f"Action: {self._sentences.of(name)}" for name in decision.acts]
        if decision.finish:
            lines.append(f"Action: {text.FINISH}")
        return "\n".join(lines) or f"Action: {text.IDLE}"

    def tools(self, seat: Seat) -> Sequence[Tool]:
        """One for each action of the domain, and those of all domains that it has not: to wait, to finish."""
        actions = {action.name: text.tool_of(action) for action in self.compiled.domain.actions}
        usual = {WAIT: tool(WAIT, text.TO_WAIT), FINISH: tool(FINISH, text.TO_FINISH)}
        return tuple({**usual, **actions}.values())

    def call_text(self, seat: Seat, name: str, arguments: Mapping[str, Any]) -> str:
        """The action in the domain's sentence."""
        action = next((each for each in self.compiled.domain.actions if tool_name(each.name) == name), None)
        if action is None:
            return f"Action: {text.FINISH if name == FINISH else text.IDLE}"
        return f"Action: {self._sentences.of(text.name_of(action, arguments))}"

    def acting(self, arguments: Mapping[str, Any]) -> str:
        """The robot among the things."""
        return next((str(thing) for thing in arguments.values() if thing in self.robots), "")

    @cached_property
    def _sentences(self) -> Sentences:
        return Sentences(self.compiled.domain)

    @cached_property
    def _scenes(self) -> Scenes:
        return Scenes(self.compiled, self.scenario.problem)

    def scene(self, state: State, seat: Seat | None = None) -> Scene:
        """The kitchen. Only an onlooker is shown how far the work under way has come."""
        return self._scenes.of(state.kitchen, timers=seat is None)

    def known(self, seat: Seat, before: State, events: Sequence[Event], after: State) -> Sequence[Event]:
        """All: everybody sees the whole kitchen."""
        return events

    @cached_property
    def verbs(self) -> Mapping[str, Sequence[str]]:
        """The domain's actions with their parameters."""
        return {action.name: action.params for action in self.compiled.domain.actions}

    @cached_property
    def controls(self) -> Controls:
        """The shipped keys and clicks, as far as the domain has those actions."""
        return shipped_controls().known(self.verbs)

    def together(self, decisions: Sequence[Acts]) -> Acts:
        """The actions of several robots in one step."""
        acts = tuple(act for decision in decisions for act in decision.acts)
        return Acts(acts, any(decision.finish for decision in decisions))

"""CuisineWorld (MindAgent, 2023, arXiv 2309.09971) as a world.

Bodies in a kitchen to which orders keep coming. Time is counted in steps; in each, every body can do one
thing. A decision is a list of commands such as ``get_agent0_salmon_storage0``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from msgspec.structs import replace

from backburner.kernel.clock import SECOND, Timed
from backburner.kernel.schedule import Problem
from backburner.kernel.text import Part, Suggestion, answers_by_step
from backburner.kernel.values import Event, Outcome, Refusal, Seat, Step
from backburner.kernel.view import Scene
from backburner.worlds.cuisineworld.game import text
from backburner.worlds.cuisineworld.game.compiled import Compiled
from backburner.worlds.cuisineworld.game.legality import FETCH, PARAMETERS, Choices
from backburner.worlds.cuisineworld.game.phases import Phases, heard
from backburner.worlds.cuisineworld.game.reading import CommandReader, JointReader, TextReader
from backburner.worlds.cuisineworld.game.rule_set import Limits, Rules
from backburner.worlds.cuisineworld.game.scenarios import (
    HEAD_CHEF,
    Scenario,
    body_name,
    dish_graph,
    seating_of,
)
from backburner.worlds.cuisineworld.game.state import MOST_SILENT, SPEAKER, Commands, Observation, State
from backburner.worlds.cuisineworld.game.transition import Rulebook
from backburner.worlds.cuisineworld.game.view import Scenes, Sight
from backburner.worlds.dispatch.instructor import suggestions
from backburner.worlds.dispatch.world import Dispatched


class CuisineWorld(Dispatched[State, Commands, Observation], Timed[State, Commands]):
    """A kitchen under one rule set and one set of limits."""

    version = 2
    time_unit = "steps"
    tick_microseconds = SECOND
    nominal = True
    state_type: ClassVar = State
    decision_type: ClassVar = Commands
    room = "backburner.worlds.cuisineworld"
    commands = text.TOOLS
    params = PARAMETERS
    things = text.THINGS
    instructor = SPEAKER
    rulebook: Rulebook
    sight: Sight
    reader: TextReader

    def __init__(self, id: str, scenario: Scenario, rules: Rules, limits: Limits) -> None:
        self.id = id
        self.scenario = scenario
        self.rules = rules
        self.limits = limits
        self.compiled = Compiled(scenario, rules)
        self.seating = seating_of(scenario)
        self.command_reader = CommandReader(self.compiled, scenario.bodies, rules)
        joint_reader = JointReader(rules, self.seating, self.command_reader)
        self.rulebook = Rulebook(scenario, rules, limits, self.compiled, joint_reader)
        self.phases = Phases(self.rulebook, self.seating)
        self.choices = Choices(self.compiled, scenario.bodies, scenario.table_room)
        self.reader = TextReader(self.compiled, rules, self.command_reader.usual)
        self.sight = Sight(scenario, rules, self.compiled, self.seating, self.command_reader)

    def deciders(self, state: State) -> tuple[Seat, ...]:
        """Every seat in every step, at once or one after the other, until the episode is over."""
        return self.phases.deciders(state)

    def step(self, state: State, decisions: Mapping[Seat, Commands | Refusal]) -> Step[State]:
        """What follows; see ``phases`` and ``transition``."""
        return self.phases.step(state, decisions)

    def outcome(self, state: State) -> Outcome:
        """``ended`` at the horizon, the end of every episode.

        ``steps`` and ``turns`` that have passed; orders ``completed``, ``failed`` as the rules count,
        ``expired``, and still ``open``.
        """
        numbers: dict[str, int | float] = {
            "steps": state.steps,
            "turns": state.turns,
            "completed": len(state.served),
            "failed": state.failed,
            "expired": state.expired,
            "open": len(state.orders),
        }
        return Outcome("ended" if state.ended else "running", state.ended, numbers)

    def now(self, state: State) -> int:
        """Steps."""
        return state.steps

    def silence(self, state: State, seat: Seat, ticks: int) -> Commands:
        """No decision yet, at most for ``state.MOST_SILENT`` steps: the seat's bodies stand."""
        return Commands((), silent=min(ticks, MOST_SILENT))

    def unmoved(self, state: State, seat: Seat) -> Any:
        """The feedback on its last decision, and what holds of the head chef's words."""
        return self.sight.told(state, seat), state.instruction

    def between(
        self, state: State, decisions: Mapping[Seat, Commands | Refusal]
    ) -> Sequence[tuple[int | float, State]]:
        """Each step of a silence but the last."""
        moments = self.singly(state, self.step(state, decisions))
        return [(moment.steps, moment) for moment, _ in moments][1:]

    def singly(self, state: State, step: Step[State]) -> Iterator[tuple[State, Step[State]]]:
        """The step, with the state before it; each of a silence of several steps by itself."""
        last = step.state.steps
        if last <= state.steps + 1:
            yield state, step
            return
        silences = {seat: self.silence(state, seat, 1) for seat in self.deciders(state)}
        while state.steps < last:
            step = self.step(state, silences)
            yield state, step
            state = step.state

    def problems(self) -> Mapping[str, Problem]:
        """The task graph of each dish; see ``scenarios.dish_graph``."""
        return {dish: dish_graph(self.scenario.book, dish) for dish in self.scenario.dishes}

    def briefing_parts(self, seat: Seat) -> tuple[Part, ...]:
        """Rules, verbs, hints, recipes, things, places, and how to answer."""
        return text.briefing_parts(self.scenario, self.compiled, self.seating, seat)

    def goal(self, seat: Seat) -> str:
        """To serve what is ordered."""
        return "Have as many orders served as you can, each before its lifetime has run out."

    def description_parts(self, observation: Observation) -> tuple[Part, ...]:
        """Feedback on the last commands, then everything that the seat sees and hears."""
        return text.description_parts(observation)

    def news(self, observation: Observation) -> str:
        """Feedback, what the head chef says, and what others have decided for this step."""
        return "\n".join(filter(None, (super().news(observation), *heard(observation))))

    def suggestions(self, observation: Observation) -> Sequence[Suggestion]:
        """Instructions that a head chef may give."""
        if observation.own:
            return ()
        return tuple(suggestions(f"Make {order.dish} first." for order in observation.orders))

    def demonstration(
        self, seat: Seat, bodies: int | None = None, single: bool = False
    ) -> tuple[CuisineWorld, Seat]:
        """An order for a dish that nobody orders here; see ``text.example_dish``.

        Nobody instructs in it, unless it is the head chef to whom it is shown.
        """
        scenario = text.example_scenario(self.scenario, bodies)
        scenario = replace(scenario, head_chef=seat == HEAD_CHEF)
        shown = CuisineWorld(f"cuisineworld/{scenario.level}", scenario, self.rules, Limits(scenario.steps))
        return shown, seat if seat in shown.seats else shown.seats[0]

    @property
    def reads_thoughts(self) -> bool:
        """As the released program does, which takes commands from anywhere in a text."""
        return self.rules.exact_text

    def remembered(self, seat: Seat, answer: str) -> str | None:
        """All of it, or as the rules may have it the first commands that are read, one on a line."""
        if not self.rules.history_shows_commands or seat == HEAD_CHEF:
            return None
        read = self.reader.read(answer)
        commands = read.commands[: len(self.seating.bodies_of[seat])] if isinstance(read, Commands) else ()
        return "".join(f"{command}\n" for command in commands)

    @property
    def plan_form(self) -> str:
        """The commands of each step, with an empty line between steps."""
        return text.PLAN_FORM

    def answers_in(self, plan: str) -> tuple[str, ...]:
        """The commands of each step of a plan."""
        return answers_by_step(plan, self._bodies_in)

    def _bodies_in(self, line: str) -> list[str]:
        answer = self.reader.read(line)
        return [] if isinstance(answer, Refusal) else re.findall("agent[0-9]+", " ".join(answer.commands))

    def words(self, decision: Commands, seat: Seat = "") -> str:
        """The commands, one on a line, or what a head chef says."""
        if decision.silent:
            return f"(silent for {decision.silent} step{'' if decision.silent == 1 else 's'})"
        if seat == HEAD_CHEF or decision.instruction is not None:
            return SPEAKER.words(decision)
        return "\n".join(decision.commands)

    def _name(self, body: int) -> str:
        return body_name(body)

    def command(self, verb: str, body: str, *things: str) -> str:
        """Verb, agent, item if any, and place."""
        return "_".join(("get" if verb == FETCH else verb, body, *things))

    @cached_property
    def _scenes(self) -> Scenes:
        return Scenes(self.scenario, self.compiled, self.sight)

    def scene(self, state: State, seat: Seat | None = None) -> Scene:
        """The kitchen; how long tools take yet is shown to onlookers only."""
        return self._scenes.of(state, seat)

    def known(self, seat: Seat, before: State, events: Sequence[Event], after: State) -> tuple[Event, ...]:
        """What everybody sees; see ``Sight.known_events``."""
        return self.sight.known_events(seat, before, events, after)

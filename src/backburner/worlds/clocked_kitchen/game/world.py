"""The clocked kitchen (MindAgent, 2023, arXiv 2309.09971, Appendix E.2) as a world.

CuisineWorld's levels in real time: bodies walk cell by cell, tools work in seconds, orders come and run out
by the clock. Time is counted in ticks of a tenth of a second; a decision is a list of commands such as
``get_agent0_salmon_storage0``, which the body carries out by walking there, or ``move_agent0_left``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace

from backburner.kernel.clock import Clocked, Walking
from backburner.kernel.menu import Option
from backburner.kernel.schedule import Problem
from backburner.kernel.text import Part, answers_by_step
from backburner.kernel.tools import Tool, tool
from backburner.kernel.values import Outcome, Refusal, Seat, Step
from backburner.kernel.view import Scene
from backburner.worlds.clocked_kitchen.game import text
from backburner.worlds.clocked_kitchen.game.compiled import Compiled
from backburner.worlds.clocked_kitchen.game.floor import FLOOR, WALL
from backburner.worlds.clocked_kitchen.game.legality import PARAMETERS, Choices
from backburner.worlds.clocked_kitchen.game.reading import KEEP, Reader
from backburner.worlds.clocked_kitchen.game.rule_set import TEXT_RULES, Limits, Rules
from backburner.worlds.clocked_kitchen.game.rules import Rulebook
from backburner.worlds.clocked_kitchen.game.scenarios import Scenario, made_plan, seconds
from backburner.worlds.clocked_kitchen.game.state import LATE, MOST_TICKS, WAYS, Input, Observation, State
from backburner.worlds.clocked_kitchen.game.view import Sight
from backburner.worlds.cuisineworld.game.compiled import Compiled as Kitchen
from backburner.worlds.cuisineworld.game.legality import FETCH
from backburner.worlds.cuisineworld.game.scenarios import dish_graph
from backburner.worlds.cuisineworld.game.text import THINGS, example_scenario
from backburner.worlds.dispatch.world import Dispatched

EXAMPLE_SEED = 0
"""Of the plan on which an example is shown."""


class ClockedKitchen(Dispatched[State, Input, Observation], Clocked[State, Input]):
    """A kitchen with a clock under one rule set and one set of limits."""

    version = 1
    time_unit = "seconds"
    clock_option = ("asks", "always")
    tick_microseconds = 100_000
    beat_ticks = 13
    silence_is_passing = True
    state_type: ClassVar = State
    decision_type: ClassVar = Input
    room = "backburner.worlds.clocked_kitchen"
    commands = text.TOOLS
    params = PARAMETERS
    things = THINGS
    typing_help = text.TYPING
    rulebook: Rulebook
    choices: Choices
    sight: Sight
    reader: Reader

    def __init__(self, id: str, scenario: Scenario, rules: Rules, limits: Limits) -> None:
        self.id = id
        self.scenario = scenario
        self.rules = rules
        self.limits = limits
        self.compiled = Compiled(scenario)
        self.seating = self.compiled.seating
        self.reader = Reader(self.compiled)
        self.rulebook = Rulebook(self.compiled, rules, limits, self.reader)
        self.choices = Choices(self.compiled)
        self.sight = Sight(self.compiled)

    def deciders(self, state: State) -> tuple[Seat, ...]:
        """Every seat, or those that have a body with nothing under way; see ``Scenario.asks``."""
        return self.rulebook.deciders(state)

    def step(self, state: State, decisions: Mapping[Seat, Input | Refusal]) -> Step[State]:
        """The ticks until somebody is asked again; see ``rules``."""
        return self.rulebook.step(state, decisions)

    def outcome(self, state: State) -> Outcome:
        """``ended`` at the horizon, the end of every episode.

        ``seconds`` that have passed; orders ``completed``, ``failed`` (they ran out), and still ``open``.
        """
        numbers: dict[str, int | float] = {
            "seconds": seconds(state.tick),
            "completed": len(state.served),
            "failed": state.expired,
            "open": len(state.orders),
        }
        return Outcome("ended" if state.ended else "running", state.ended, numbers)

    def vocabulary(self, seat: Seat) -> Sequence[Option[Input]]:
        """Every command for each body of the seat, and letting everybody go on."""
        return tuple(self.choices.vocabulary(self.seating.bodies_of.get(seat, ())))

    def together(self, decisions: Sequence[Input]) -> Input:
        """One command for each of several bodies, for the shortest of their times."""
        commands = tuple(command for decision in decisions for command in decision.commands)
        return Input(commands, min(decision.ticks for decision in decisions))

    def demonstration(
        self, seat: Seat, bodies: int | None = None, single: bool = False
    ) -> tuple[ClockedKitchen, Seat]:
        """An order for a dish that nobody orders here, on a floor made for it; seats are asked when free.

        Raises ``Refused`` as the text game does where it has no such dish.
        """
        kitchen = replace(example_scenario(self.scenario.kitchen, bodies), table_room=None)
        legend = self.scenario.legend
        plan = made_plan(Kitchen(kitchen, TEXT_RULES), legend, kitchen.bodies, EXAMPLE_SEED)
        scenario = replace(self.scenario, kitchen=kitchen, plan=plan, asks="free")
        id = f"clocked_kitchen/{kitchen.level}"
        shown = ClockedKitchen(id, scenario, self.rules, Limits(scenario.ticks))
        return shown, seat if seat in shown.seats else shown.seats[0]

    @property
    def tick_seconds(self) -> float | None:
        """A tenth, where every seat is always asked."""
        return seconds(1) if self.rulebook.always else None

    @property
    def walking(self) -> Walking | None:
        """By its floor and its clock."""
        floor, width = self.compiled.floor, self.compiled.floor.width
        signs = "".join(FLOOR if free else WALL for free in floor.walkable)
        rows = tuple(signs[start : start + width] for start in range(0, len(signs), width))
        return Walking(rows, self.compiled.clock.cell_ticks)

    def free_from(self, state: State) -> Mapping[str, int]:
        """Where a step, hands or a tool keep a body."""
        names = zip(self.compiled.names, state.free_at, strict=True)
        return {name: until for name, until in names if until > state.tick}

    def now(self, state: State) -> int:
        """Tenths of a second."""
        return state.tick

    def silence(self, state: State, seat: Seat, ticks: int) -> Input:
        """Nothing new for so many ticks, at most ``state.MOST_TICKS``. Where everybody is always asked, that
        is to keep; else bodies that are free stand, and are so still."""
        if self.rulebook.always:
            return Input(ticks=0 if ticks == 1 else min(ticks, MOST_TICKS))
        return Input(ticks=min(ticks, MOST_TICKS), silent=True)

    def occupied(self, state: State, seat: Seat) -> bool:
        """Whether each of its bodies has something under way or cannot act yet."""
        return self.rulebook.occupied(state, seat)

    def unmoved(self, state: State, seat: Seat) -> tuple[Refusal, ...]:
        """What was refused of its last commands."""
        return tuple(told for told in state.feedback if told.seat == seat and LATE not in told.detail)

    def problems(self) -> Mapping[str, Problem]:
        """The task graph of each dish, with the text game's steps in whole seconds."""
        kitchen = self.scenario.kitchen
        return {dish: self._in_seconds(dish_graph(kitchen.book, dish)) for dish in kitchen.dishes}

    def _in_seconds(self, problem: Problem) -> Problem:
        step = self.scenario.clock.step_ticks
        activities = tuple(
            replace(
                activity,
                duration=math.ceil(seconds(activity.duration * step)),
                operator_time=math.ceil(seconds(activity.operator_time * step)),
            )
            for activity in problem.activities
        )
        return replace(problem, unit="seconds", activities=activities)

    def briefing_parts(self, seat: Seat) -> tuple[Part, ...]:
        """Rules, commands, hints, recipes, places, and how to answer."""
        return text.briefing_parts(self.compiled, seat)

    def description_parts(self, observation: Observation) -> tuple[Part, ...]:
        """Feedback on the last commands, then everything that the seat sees."""
        return text.description_parts(observation)

    def words(self, decision: Input, seat: Seat = "") -> str:
        """The commands, one on a line; ``keep`` where there is none."""
        if decision.silent:
            return f"(silent for {decision.ticks} ticks)"
        if not decision.commands:
            return f"{KEEP} {decision.ticks}" if decision.ticks else KEEP
        return "\n".join(decision.commands)

    def tools(self, seat: Seat) -> Sequence[Tool]:
        """One for each command, and one to let everybody go on."""
        return (*super().tools(seat), tool(KEEP, text.TO_KEEP))

    def _name(self, body: int) -> str:
        return self.compiled.names[body]

    def command(self, verb: str, body: str, *things: str) -> str:
        """Verb, agent, item if any, and place, of which scenes have several names; or a step, or ``keep``."""
        if verb == KEEP:
            return KEEP
        if verb in WAYS:
            return f"move_{body}_{verb}"
        known = self.compiled.kitchen.places
        named = (each if each in known else each.partition("-")[0] for each in things)
        return "_".join(("get" if verb == FETCH else verb, body, *named))

    def typed(self, line: str, seat: Seat = "") -> str:
        """What a line stands for: a verb and names are enough for who has one body."""
        own = self.seating.bodies_of.get(seat, ())
        return self.reader.typed(line, own[0]) if len(own) == 1 else line

    @property
    def plan_form(self) -> str:
        """The commands of each decision, with an empty line between them."""
        return text.PLAN_FORM

    def answers_in(self, plan: str) -> tuple[str, ...]:
        """The commands of each decision of a plan."""
        return answers_by_step(plan, self._bodies_in)

    def _bodies_in(self, line: str) -> list[str]:
        answer = self.reader.read(line)
        return [] if isinstance(answer, Refusal) else re.findall("agent[0-9]+", " ".join(answer.commands))

    def scene(self, state: State, seat: Seat | None = None) -> Scene:
        """The kitchen from above, the same for everybody."""
        return self.sight.scene(state)

    def between(
        self, state: State, decisions: Mapping[Seat, Input | Refusal]
    ) -> Sequence[tuple[int | float, State]]:
        """Each moment within a step in which somebody has moved or done something."""
        return [(seconds(tick), moment) for tick, moment in self.rulebook.between(state, decisions)]

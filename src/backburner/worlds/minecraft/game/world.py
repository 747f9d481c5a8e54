"""Minecraft as MindAgent plays it (2023, arXiv 2309.09971, section 7 and Appendix F), as a world.

Bots cook meat and bring it into a chest while orders keep coming. Time is counted in ticks of a twentieth of
a second; a step is one decision, a list of calls such as ``goto(alex, chicken)``, and lasts until all of them
have come to their end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.clock import Timed
from backburner.kernel.menu import Menu, Option
from backburner.kernel.reported import Reported
from backburner.kernel.schedule import Problem
from backburner.kernel.text import Part, Suggestion
from backburner.kernel.tools import WAIT, Tool, ToolCall, tool
from backburner.kernel.values import Outcome, Refusal, Seat, Step
from backburner.kernel.view import Scene
from backburner.worlds.dispatch.instructor import suggestions
from backburner.worlds.dispatch.world import Dispatched
from backburner.worlds.minecraft.game import server, text
from backburner.worlds.minecraft.game.actions import NO_CALL, PARAMETERS, SPEAKER, Calls, silent_ticks
from backburner.worlds.minecraft.game.compiled import Compiled
from backburner.worlds.minecraft.game.legality import Choices
from backburner.worlds.minecraft.game.reading import CallReader, TextReader
from backburner.worlds.minecraft.game.rule_set import Limits, Rules
from backburner.worlds.minecraft.game.rules import Rulebook
from backburner.worlds.minecraft.game.scenarios import INSTRUCTOR, SERVER, Scenario, dish_graph
from backburner.worlds.minecraft.game.state import Observation, State, seconds
from backburner.worlds.minecraft.game.view import Sight


class Minecraft(Dispatched[State, Calls, Observation], Reported, Timed[State, Calls]):
    """A farm under one rule set and one set of limits."""

    version = 1
    time_unit = "seconds"
    tick_microseconds = 50_000
    beat_ticks = 88
    live_option = ("live", "yes")
    state_type: ClassVar = State
    decision_type: ClassVar = Calls
    room = "backburner.worlds.minecraft"
    commands = text.ACTIONS
    params = PARAMETERS
    things = text.THINGS
    instructor = SPEAKER
    rulebook: Rulebook
    choices: Choices
    sight: Sight

    def __init__(self, id: str, scenario: Scenario, rules: Rules, limits: Limits) -> None:
        self.id = id
        self.scenario = scenario
        self.rules = rules
        self.limits = limits
        self.turns_count = rules.orders_by_step or limits.steps is not None
        self.compiled = Compiled(scenario, rules)
        self.seating = self.compiled.seating
        self.call_reader = CallReader(self.compiled)
        self.reader = TextReader(self.compiled)
        self.rulebook = Rulebook(self.compiled, rules, limits, self.call_reader)
        self.choices = Choices(self.compiled)
        self.sight = Sight(self.compiled)

    def with_server(self, *, live: bool) -> Minecraft:
        """The same game with the seat that reports what was seen on a server, or without it."""
        if self.scenario.live == live:
            return self
        name, path, options = registry.split(self.id)
        options = {key: value for key, value in options.items() if key != "live"}
        if live and not path.startswith(f"{registry.USER}/"):
            options["live"] = "yes"
        id = registry.join(name, path, options)
        return Minecraft(id, replace(self.scenario, live=live), self.rules, self.limits)

    @property
    def reporter(self) -> Seat:
        """The seat ``server``, if there is one."""
        return SERVER if self.scenario.live else ""

    @property
    def speaker(self) -> Seat:
        """The seat ``instructor``, if there is one."""
        return INSTRUCTOR if self.scenario.instructor else ""

    def deciders(self, state: State) -> tuple[Seat, ...]:
        """Every seat with bodies in every step, the instructor before them, the server after them, until the
        episode is over."""
        if state.ended:
            return ()
        if state.given:
            return self.seating.last
        return self.seating.phases[int(state.heard)]

    def step(self, state: State, decisions: Mapping[Seat, Calls | Refusal]) -> Step[State]:
        """What follows. No time passes between the words of an instructor and what bodies decide, nor between
        that and the report of a server."""
        deciders = self.deciders(state)
        silences = [silent_ticks(decisions.get(seat)) for seat in deciders]
        if silences and all(silences) and deciders != (INSTRUCTOR,):
            return self.rulebook.silence(state, min(silences))
        if deciders == (INSTRUCTOR,):
            if silences[0]:
                return Step(replace(state, heard=True))
            decision = decisions.get(INSTRUCTOR, NO_CALL)
            now = seconds(state.ticks)
            held, events, refusals = SPEAKER.after(state.instruction, decision, state.steps, now)
            return Step(replace(state, heard=True, instruction=held), events, refusals)
        if deciders == (SERVER,):
            return server.after(self.rulebook, state, decisions.get(SERVER, NO_CALL))
        if deciders and self.seating.last:
            return server.given(self.rulebook, state, decisions)
        return self.rulebook.step(state, decisions)

    def now(self, state: State) -> int:
        """Ticks that have passed."""
        return state.ticks

    def silence(self, state: State, seat: Seat, ticks: int) -> Calls:
        """No calls, no words, no report; whoever is silent beside others waits for their calls to end."""
        return Calls((), silent=ticks)

    def unmoved(self, state: State, seat: Seat) -> Any:
        """Steps, feedback and failures in a row; what an instructor has said, and was refused."""
        return state.steps, state.feedback, state.last, state.failed, state.instruction

    def outcome(self, state: State) -> Outcome:
        """``ended`` at the horizon, the end of every episode.

        ``steps`` and ``seconds`` that have passed; orders ``completed``, ``failed`` as they ran out, and
        still ``open``.
        """
        numbers: dict[str, int | float] = {
            "steps": state.steps,
            "seconds": seconds(state.ticks),
            "completed": len(state.served),
            "failed": state.expired,
            "open": len(state.orders),
        }
        return Outcome("ended" if state.ended else "running", state.ended, numbers)

    def menu(self, state: State, seat: Seat) -> Menu[Calls]:
        """What each of the seat's bodies can do, one call each; see ``legality``, ``actions``, ``server``."""
        return server.menu() if seat == SERVER else super().menu(state, seat)

    def problems(self) -> Mapping[str, Problem]:
        """The task graph of each dish; see ``scenarios.dish_graph``."""
        return {dish: dish_graph(dish) for dish in self.compiled.dishes}

    def briefing_parts(self, seat: Seat) -> tuple[Part, ...]:
        """Rules, actions, hints, recipes, and how to answer."""
        return text.briefing_parts(self.compiled, seat)

    def goal(self, seat: Seat) -> str:
        """To serve what is ordered."""
        return "Have as many dishes as you can in the chest, each before its order has run out."

    def description_parts(self, observation: Observation) -> tuple[Part, ...]:
        """Feedback on the last calls, then everything that the seat sees and hears."""
        return text.description_parts(observation)

    def news(self, observation: Observation) -> str:
        """Feedback, and what the instructor says."""
        return "\n".join(filter(None, (super().news(observation), *text.heard(observation))))

    def suggestions(self, observation: Observation) -> Sequence[Suggestion]:
        """Instructions that an instructor may give."""
        if observation.seat != INSTRUCTOR:
            return ()
        return tuple(suggestions(f"Put a {order.dish} into the chest." for order in observation.orders))

    def demonstration(
        self, seat: Seat, bodies: int | None = None, single: bool = False
    ) -> tuple[Minecraft, Seat]:
        """One order on a small farm; see ``text.example_scenario``. Nobody instructs in it, unless it is the
        instructor to whom it is shown."""
        scenario = text.example_scenario(self.scenario, bodies)
        scenario = replace(scenario, instructor=seat == INSTRUCTOR, live=seat == SERVER)
        shown = Minecraft(f"minecraft/{scenario.level}", scenario, self.rules, Limits(scenario.steps))
        return shown, seat if seat in shown.seats else shown.seats[0]

    def parse(self, state: State, seat: Seat, answer: str) -> Calls | Refusal:
        """All calls in an answer, the words of an instructor, the report of a server."""
        return server.read(answer) if seat == SERVER else super().parse(state, seat, answer)

    @property
    def plan_form(self) -> str:
        """A list of calls for each step."""
        return text.PLAN_FORM

    def words(self, decision: Calls, seat: Seat = "") -> str:
        """The calls as a Python list, or what an instructor says, or a server reports."""
        if ticks := silent_ticks(decision):
            return f"silent for {ticks} ticks"
        if seat == SERVER or decision.report is not None:
            return server.words(decision, seat)
        if seat == INSTRUCTOR or decision.instruction is not None:
            return SPEAKER.words(decision)
        return f"[{', '.join(map(repr, decision.calls))}]"

    def tools(self, seat: Seat) -> Sequence[Tool]:
        """One for each action, and one to wait."""
        own = super().tools(seat)
        return (*own, tool(WAIT, text.TO_WAIT)) if self._bodies(seat) else own

    def _name(self, body: int) -> str:
        return self.compiled.names[body]

    def command(self, verb: str, body: str, *things: str) -> str:
        """A call; nothing to wait."""
        return "" if verb == WAIT else f"{verb}({', '.join((body, *things))})"

    def in_one(self, texts: Sequence[str]) -> str:
        """The calls as a Python list."""
        return self.words(Calls(tuple(filter(None, texts))))

    def call_of(self, seat: Seat, option: Option[Calls]) -> ToolCall | None:
        """As ``Tools.call_of``, with the things as calls name them and not as scenes do."""
        verb, _, given = "".join(option.decision.calls).rstrip(")").partition("(")
        named = tuple(given.split(", ")[1:])
        return super().call_of(seat, replace(option, things=named) if verb == option.verb else option)

    def scene(self, state: State, seat: Seat | None = None) -> Scene:
        """The farm from above; nothing in it is hidden."""
        return self.sight.scene(state)

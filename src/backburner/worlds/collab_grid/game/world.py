"""Collab-Overcooked's grid (EMNLP 2025, arXiv 2502.20073) as a world.

The kitchen that Collab-Overcooked's calls are carried out in, decided move by move: in every step both cooks,
the chef and the assistant, go, turn, interact or stay at the same time. Nobody speaks. Time is counted in
steps. A decision is an action such as ``north``, ``interact`` or ``interact(egg)``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from msgspec import UNSET

from backburner.kernel.clock import SECOND, Timed
from backburner.kernel.files import shipped
from backburner.kernel.menu import Menu, Menus
from backburner.kernel.text import Part, Text
from backburner.kernel.tools import Tool, Tools, verb_tools
from backburner.kernel.values import Event, Outcome, Refusal, Seat, Step
from backburner.kernel.view import Controls, Scene, View
from backburner.worlds.collab_grid.game import legality, text
from backburner.worlds.collab_grid.game.legality import (
    DIRECTIONS,
    FETCH,
    INTERACT,
    Action,
    Legality,
    read,
)
from backburner.worlds.collab_grid.game.state import Limits, Observation, Rules, SeenCook, SeenThing, State
from backburner.worlds.collab_grid.game.transition import Rulebook
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import START
from backburner.worlds.collab_overcooked.game.scenarios import Scenario, layout_of
from backburner.worlds.collab_overcooked.game.state import ROLES, SEATS, cook_of
from backburner.worlds.collab_overcooked.game.transition import outcome_of
from backburner.worlds.collab_overcooked.game.view import Scenes
from backburner.worlds.collab_overcooked.game.world import seen_utensils


class CollabGrid(
    Menus[State, Action],
    Text[State, Action, Observation],
    Tools[Observation],
    View[State, Action],
    Timed[State, Action],
):
    """A kitchen with its orders under one rule set and one set of limits."""

    version = 2
    time_unit = "steps"
    tick_microseconds = SECOND
    nominal = True
    seats: tuple[Seat, ...] = SEATS
    state_type: ClassVar = State
    decision_type: ClassVar = Action
    verbs: Mapping[str, Sequence[str]] = legality.PARAMETERS
    wording: Mapping[str, str] = legality.WORDING
    typing_help = text.TYPING_HELP
    plan_form = text.PLAN_FORM

    def __init__(self, id: str, scenario: Scenario, rules: Rules, limits: Limits) -> None:
        self.id = id
        self.scenario = scenario
        self.rules = rules
        self.limits = limits
        informed = (cook_of(role) for role in scenario.informed)
        self.compiled = Compiled(layout_of(scenario), rules.of_the_kitchen, informed)
        self._scenes = Scenes(self.compiled)
        places = {cell: name for cell, (name, _) in self._scenes.places.items()}
        self.places: Mapping[int, str] = places
        self.legality = Legality(self.compiled, places)
        self.rulebook = Rulebook(self.compiled, scenario, limits, self.legality)

    def start(self, seed: int = 0) -> State:
        """Empty hands, empty utensils, both cooks facing north; ``seed`` draws orders, if any are drawn."""
        return self.rulebook.start(seed)

    def deciders(self, state: State) -> tuple[Seat, ...]:
        """Both cooks, until the episode is over."""
        return () if state.ended else SEATS

    def step(self, state: State, decisions: Mapping[Seat, Action | Refusal]) -> Step[State]:
        """One step of the kitchen; see ``transition``."""
        return self.rulebook.step(state, decisions)

    def now(self, state: State) -> int:
        """The kitchen's steps."""
        return state.kitchen.steps

    def silence(self, state: State, seat: Seat, ticks: int) -> Action:
        """The cook stays, and its partner goes on."""
        return legality.silence(ticks)

    def unmoved(self, state: State, seat: Seat) -> Refusal | None:
        """Why the last action was refused."""
        return state.refusals[cook_of(seat)]

    def observe(self, state: State, seat: Seat) -> Observation:
        """The kitchen, without what lies on counters that are hidden from this cook."""
        compiled, kitchen, cook = self.compiled, state.kitchen, cook_of(seat)
        late = () if state.late is UNSET else state.late[cook].told
        visible, partners = compiled.targets.visible[cook], compiled.grid.reach[1 - cook]
        return Observation(
            kitchen.steps,
            self.limits.steps,
            kitchen.orders,
            state.delivered,
            self._cook(state, cook),
            self._cook(state, 1 - cook),
            seen_utensils(compiled, kitchen),
            tuple(
                SeenThing(self.places[lying.cell], lying.item, lying.plated, lying.cell in partners)
                for lying in kitchen.lying
                if lying.cell in visible
            ),
            tuple(
                compiled.grid.utensils[utensil].name for utensil in dict.fromkeys((*late, *kitchen.ruined))
            ),
            state.refusals[cook],
        )

    def _cook(self, state: State, cook: int) -> SeenCook:
        body, grid = state.kitchen.bodies[cook], self.compiled.grid
        faces = self.places.get(body.cell + grid.deltas[body.facing], "")
        facing = DIRECTIONS[body.facing]
        return SeenCook(ROLES[cook], grid.at(body.cell), facing, faces, body.held, body.plated)

    def outcome(self, state: State) -> Outcome:
        """See ``transition.outcome_of``."""
        reward = self.compiled.layout.delivery_reward
        return outcome_of(state.kitchen, state.ended, state.delivered, reward)

    def menu(self, state: State, seat: Seat) -> Menu[Action]:
        """Everything that this cook may do now; see ``legality``."""
        return self.legality.menu(state, cook_of(seat))

    def briefing_parts(self, seat: Seat) -> tuple[Part, ...]:
        """The kitchen, the actions, how to answer; the recipes for who has them."""
        return text.briefing_parts(self.compiled, self.scenario, self._scenes.places, cook_of(seat))

    def goal(self, seat: Seat) -> str:
        """The orders."""
        return text.goal(self.scenario)

    def description_parts(self, observation: Observation) -> tuple[Part, ...]:
        """The orders, both cooks, the utensils, the counters."""
        return text.description_parts(observation)

    def parse(self, state: State, seat: Seat, answer: str) -> Action | Refusal:
        """The action in an answer."""
        return read(answer)

    def words(self, decision: Action, seat: Seat = "") -> str:
        """The text that ``parse`` reads as this action."""
        return decision.text

    def tools(self, seat: Seat) -> Sequence[Tool]:
        """One for each verb; what a cook faces need not be named."""
        return verb_tools(text.TAKES, text.TOOLS, (), text.TAKES_IN_WORDS)

    def call_text(self, seat: Seat, name: str, arguments: Mapping[str, Any]) -> str:
        """The action."""
        if name in (FETCH, START):
            return Action(INTERACT, arguments.get("item", START)).text
        return name

    def scene(self, state: State, seat: Seat | None = None) -> Scene:
        """The kitchen from above."""
        return self._scenes.drawn(state.kitchen, None if seat is None else cook_of(seat), state.delivered)

    def known(self, seat: Seat, before: State, events: Sequence[Event], after: State) -> Sequence[Event]:
        """All but what became of the partner's actions that were refused."""
        return tuple(event for event in events if event.kind != "refused" or event.lane == seat)

    @property
    def controls(self) -> Controls:
        """Arrow keys, the space bar and e; clicks on places."""
        return shipped("backburner.worlds.collab_grid", "input", Controls)

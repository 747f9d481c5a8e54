"""Collab-Overcooked (EMNLP 2025, arXiv 2502.20073) as a world.

Two cooks, the chef and the assistant, in rooms that share some counters; usually only the chef has the
recipe of what is ordered. A seat is a cook. Time is counted in steps of the grid. A decision is an answer
in three fields: an analysis, a plan of calls such as ``pickup(apple,ingredient_dispenser)``, and words to
the partner. The calls are carried out step by step, and a cook is asked again when it has nothing left to
do, when it is spoken to, or when a call of it is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from msgspec import UnsetType

from backburner.kernel.clock import SECOND, Timed
from backburner.kernel.files import shipped
from backburner.kernel.menu import Menu, Menus
from backburner.kernel.text import Part, Question, Suggestion, Text, joined
from backburner.kernel.values import Event, Outcome, Refusal, Seat, Step
from backburner.kernel.view import Controls, Scene, View
from backburner.worlds.collab_overcooked.game import text, view
from backburner.worlds.collab_overcooked.game.calls import refused, shown
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import PACKAGE, Cookbook, Utensil
from backburner.worlds.collab_overcooked.game.reading import (
    NOTHING,
    NOTHING_FOUND,
    read,
    read_exactly,
    reply_of,
    shortened,
    written,
)
from backburner.worlds.collab_overcooked.game.rule_set import Limits, Rules
from backburner.worlds.collab_overcooked.game.scenarios import Scenario, layout_of
from backburner.worlds.collab_overcooked.game.state import (
    MOST_SHOWN,
    MOST_SILENT,
    ROLES,
    SEATS,
    SHOWN_OF_MANY,
    Content,
    Kitchen,
    Observation,
    Pending,
    Reply,
    SeenCook,
    SeenThing,
    SeenUtensil,
    State,
    cook_of,
)
from backburner.worlds.collab_overcooked.game.text import briefing_parts
from backburner.worlds.collab_overcooked.game.transition import Rulebook, outcome_of
from backburner.worlds.collab_overcooked.game.view import (
    TYPING_HELP,
    Choices,
    Scenes,
    answer_typed_as,
    requests,
)


class CollabOvercooked(
    Menus[State, Reply], Text[State, Reply, Observation], View[State, Reply], Timed[State, Reply]
):
    """A kitchen with its orders under one rule set and one set of limits."""

    version = 4
    time_unit = "steps"
    seats: tuple[Seat, ...] = SEATS
    state_type: ClassVar = State
    decision_type: ClassVar = Reply
    verbs: Mapping[str, Sequence[str]] = view.PARAMS
    wording: Mapping[str, str] = view.WORDING
    typing_help = TYPING_HELP
    tick_microseconds = SECOND
    nominal = True

    def __init__(self, id: str, scenario: Scenario, rules: Rules, limits: Limits) -> None:
        self.id = id
        self.scenario = scenario
        self.rules = rules
        self.limits = limits
        self.turns_count = bool(scenario.exchange)
        informed = (cook_of(role) for role in scenario.informed)
        self.compiled = Compiled(layout_of(scenario), rules, informed)
        self.rulebook = Rulebook(self.compiled, scenario, limits)

    def start(self, seed: int = 0) -> State:
        """Empty hands, empty utensils; the chef is asked for a plan.

        The seed decides which orders are drawn later, if any are, and under ``released`` rules what
        becomes of calls that lead nowhere.
        """
        return self.rulebook.start(seed)

    def deciders(self, state: State) -> tuple[Seat, ...]:
        """The cook whose answer is awaited, until the episode is over."""
        return () if state.ended else (SEATS[state.asked],)

    def step(self, state: State, decisions: Mapping[Seat, Reply | Refusal]) -> Step[State]:
        """What follows; see ``transition``."""
        return self.rulebook.step(state, decisions)

    def observe(self, state: State, seat: Seat) -> Observation:
        """What this cook may know; see ``observed``."""
        return observed(self.compiled, state, cook_of(seat))

    def outcome(self, state: State) -> Outcome:
        """See ``transition.outcome_of``."""
        reward = self.compiled.layout.delivery_reward
        return outcome_of(state.kitchen, state.ended, state.delivered, reward)

    def now(self, state: State) -> int:
        """The steps of the grid that have passed."""
        return state.kitchen.steps

    def silence(self, state: State, seat: Seat, ticks: int) -> Reply:
        """The cook stands and keeps its plan; in a talk, or where play is of one exchange, both do."""
        return Reply(silent=min(ticks, MOST_SILENT))

    def unmoved(self, state: State, seat: Seat) -> Any:
        """What the cook is asked, within what, what it plans and what was refused."""
        cook = cook_of(seat)
        asked = Pending(state.ask, state.repair, state.talk, state.corrected, state.keeps_wait is True)
        pending = (None, None) if isinstance(state.pending, UnsetType) else state.pending
        mine = state.cooks[cook]
        return pending[cook] or (state.asked == cook and asked), mine.call, mine.queue, mine.refusal

    def talks(self, seat: Seat) -> bool:
        """Both cooks do."""
        return True

    def shortened(self, decision: Any, words: int) -> Any:
        """A reply without the end of its say; without any word that is ``[NOTHING]``."""
        return shortened(decision, words) if isinstance(decision, Reply) else decision

    def menu(self, state: State, seat: Seat) -> Menu[Reply]:
        """The calls that this cook could begin now, one by one."""
        return self._choices.menu(state, cook_of(seat))

    @cached_property
    def _choices(self) -> Choices:
        return Choices(self.compiled, {cell: name for cell, (name, _) in self._scenes.places.items()})

    def briefing_parts(self, seat: Seat) -> tuple[Part, ...]:
        """The kitchen, the calls, how to answer; the recipes for who has them."""
        return self._briefings[seat]

    @cached_property
    def _briefings(self) -> Mapping[Seat, tuple[Part, ...]]:
        return {seat: briefing_parts(self.compiled, self.scenario, cook_of(seat)) for seat in SEATS}

    def briefing(self, seat: Seat) -> str:
        """All parts as one text, which is long and sent with every prompt: it is joined once."""
        return self._briefing_texts[seat]

    @cached_property
    def _briefing_texts(self) -> Mapping[Seat, str]:
        return {seat: joined(parts) for seat, parts in self._briefings.items()}

    def goal(self, seat: Seat) -> str:
        """The orders."""
        return f"Deliver {', '.join(self.scenario.orders)}, in as few steps as you can."

    def news(self, observation: Observation) -> str:
        """What was refused, what was said in the talk, what the partner asks for."""
        return text.news(observation)

    def suggestions(self, observation: Observation) -> Sequence[Suggestion]:
        """Words to the partner, and requests for what only the partner can do; see ``view.requests``."""
        return requests(self.compiled, self.scenario, observation)

    def description_parts(self, observation: Observation) -> tuple[Part, ...]:
        """The orders, both cooks, the utensils, the counters, the talk."""
        return text.description_parts(observation, self.scenario.told)

    @property
    def plan_form(self) -> str:
        """Empty: answers have several parts, and it is nowhere said how a whole plan of them is written."""
        return ""

    def answers_in(self, plan: str) -> tuple[str, ...]:
        """None; see ``plan_form``."""
        return ()

    @property
    def corrects(self) -> bool:
        """What was refused is asked for again, as a correction."""
        return True

    def question(self, observation: Observation) -> Question:
        """A plan, an answer, something more to say, or a correction."""
        return text.question(observation)

    @property
    def reads_thoughts(self) -> bool:
        """As the released program does, which looks for its fields anywhere."""
        return self.rules.exact_text

    def parse(self, state: State, seat: Seat, answer: str) -> Reply | Refusal:
        """The reply in an answer; see ``reading``."""
        if not self.rules.exact_text:
            return read(answer, self.compiled.reader)
        kept = state.repair.kept if state.repair is not None else None
        reads_on = kept is not None and NOTHING in ";".join(kept.plan)
        found = read_exactly(answer, ROLES[cook_of(seat)], reads_on)
        return refused("no_plan") if found == NOTHING_FOUND else found

    def words(self, decision: Reply, seat: Seat = "") -> str:
        """The text that ``parse`` reads as this decision."""
        return written(decision, self._role(seat))

    def _role(self, seat: Seat) -> str:
        """The role that must stand before each field of a seat's answer."""
        return seat if self.rules.exact_text else ""

    def between(self, state: State, decisions: Mapping[Seat, Reply | Refusal]) -> Sequence[tuple[int, State]]:
        """(time, state) after each step of the grid but the last before somebody is asked again."""
        return [(passed.kitchen.steps, passed) for passed in self.rulebook.passed(state, decisions)[:-1]]

    def scene(self, state: State, seat: Seat | None = None) -> Scene:
        """The kitchen from above; see ``view``."""
        return self._scenes.of(state, None if seat is None else cook_of(seat))

    @cached_property
    def _scenes(self) -> Scenes:
        return Scenes(self.compiled)

    def known(self, seat: Seat, before: State, events: Sequence[Event], after: State) -> tuple[Event, ...]:
        """All but what was refused of the partner's plan: cooks see each other's plans and hear each
        other."""
        return tuple(event for event in events if event.kind != "refused" or event.lane == seat)

    @property
    def controls(self) -> Controls:
        """The shipped keys and clicks."""
        return shipped(PACKAGE, "input", Controls)

    def together(self, decisions: Sequence[Reply]) -> Reply:
        """The calls of several decisions, one after the other."""
        return reply_of(*(call for decision in decisions for call in decision.plan))

    def phrases(self, seat: Seat) -> Iterable[str]:
        """The calls that are made in this kitchen, by either cook."""
        return (call.text for call in view.every_call(self.compiled))

    def typed(self, line: str, seat: Seat = "") -> str:
        """A person's line as an answer; see ``view``."""
        return answer_typed_as(line, self._role(seat))


def observed(compiled: Compiled, state: State, cook: int) -> Observation:
    """What a cook perceives in a state."""
    kitchen, utensils = state.kitchen, compiled.grid.utensils
    partner_reach, visible = compiled.grid.reach[1 - cook], compiled.targets.visible[cook]
    recent = state.cooks[cook].recent
    return Observation(
        state.ask if state.asked == cook else "",
        state.repair is not None and state.asked == cook,
        kitchen.steps,
        kitchen.orders,
        _seen_cook(state, cook),
        _seen_cook(state, 1 - cook),
        state.cooks[1 - cook].requests,
        compiled.targets.space(cook),
        seen_utensils(compiled, kitchen),
        len(compiled.grid.shared_counters),
        tuple(
            [
                SeenThing(lying.item, lying.plated, lying.cell in partner_reach)
                for lying in kitchen.lying
                if lying.cell in visible
            ]
        ),
        tuple([utensils[utensil].name for utensil in kitchen.ruined]),
        tuple((ROLES[line.cook], line.said) for line in state.talk.lines) if state.talk else (),
        recent if len(recent) <= MOST_SHOWN else recent[-SHOWN_OF_MANY:],
        state.cooks[cook].refusal,
    )


def _seen_cook(state: State, cook: int) -> SeenCook:
    body = state.kitchen.bodies[cook]
    return SeenCook(ROLES[cook], body.held, body.plated, shown(state.cooks[cook]))


def seen_utensils(compiled: Compiled, kitchen: Kitchen) -> tuple[SeenUtensil, ...]:
    """The utensils as everybody perceives them."""
    contents = {content.utensil: content for content in kitchen.contents}
    return tuple(
        [
            _seen_utensil(compiled.cookbook, utensil, contents[index])
            if index in contents
            else SeenUtensil(utensil.name, utensil.verb, (), "", 0)
            for index, utensil in enumerate(compiled.grid.utensils)
        ]
    )


def _seen_utensil(cookbook: Cookbook, utensil: Utensil, content: Content) -> SeenUtensil:
    if content.output:
        left = content.steps - content.timer
        return SeenUtensil(utensil.name, utensil.verb, content.items, content.output, left)
    made = cookbook.made_of(utensil.kind, content.items)
    return SeenUtensil(
        utensil.name,
        utensil.verb,
        content.items,
        output="",
        steps_left=0,
        enough_for="" if made is None else made.output,
        part_of=cookbook.part_of(utensil.kind, content.items),
    )

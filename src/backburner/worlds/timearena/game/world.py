"""TimeArena (Zhang et al., ACL 2024, arXiv 2402.05733) as a world.

One seat, ``agent``, with one body. The clock counts minutes from 0. A decision is one action, or a
wait of one minute, or giving up. Actions that occupy the agent run to their end within one step;
the others run in the background and keep their things occupied. Actions are written as the
scenario's verbs say: ``wash cup``, ``cook rice in pot``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import ClassVar

from backburner.kernel.menu import Menu, Menus, Option
from backburner.kernel.schedule import Problem, Remaining, Schedulable
from backburner.kernel.text import Part, Question, Text
from backburner.kernel.values import Outcome, Refusal, Seat, Step
from backburner.worlds.timearena.game import schedule, text
from backburner.worlds.timearena.game.compiled import Compiled
from backburner.worlds.timearena.game.legality import Legality
from backburner.worlds.timearena.game.rule_set import Limits, Rules
from backburner.worlds.timearena.game.scenarios import Scenario
from backburner.worlds.timearena.game.second_try import SecondTries
from backburner.worlds.timearena.game.state import WAIT, Decision, Driver, Observation, State
from backburner.worlds.timearena.game.transition import AGENT, Rulebook

TABLES_KEPT = 128
"""Scenarios under a rule set whose tables are kept: the published sets are 90."""

TO_WAIT: Option[Decision] = Option(WAIT, "wait", passes=True)


class TimeArena(Menus[State, Decision], Text[State, Decision, Observation], Schedulable[Decision]):
    """One combination of tasks under one rule set and one set of limits."""

    version = 3
    time_unit = "minutes"
    seats: tuple[Seat, ...] = (AGENT,)
    state_type: ClassVar = State
    decision_type: ClassVar = Decision

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

    def completed(self, state: State) -> bool:
        """Whether every required action is finished, as the released program would note it.

        It notes nothing in a step whose action was malformed, and giving up leaves what was noted.
        """
        refusal = state.feedback.refusal
        noted = refusal is None or not self.rulebook.freezes(refusal)
        return state.finished == self.compiled.everything and noted

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

    def phrases(self, seat: Seat) -> Iterable[str]:
        """The tasks' actions, in any way in which they may be done."""
        return (self.words(act) for required in self.compiled.required for act in required.acts)

    def problems(self) -> Mapping[str, Problem]:
        """The scenario as one scheduling problem; see ``schedule``."""
        return {self.id: schedule.problem(self.compiled)}

    def remaining(self, state: State) -> Remaining:
        """The actions under way and those that are not begun; see ``schedule``."""
        return schedule.remaining(self.compiled, state)

    def plan(self, starts: Mapping[str, int]) -> list[Decision]:
        """The decisions that start each required action at its minute, with waits in between."""
        return schedule.plan(self.compiled, starts)


@lru_cache(maxsize=TABLES_KEPT)
def tables(scenario: Scenario, rules: Rules) -> tuple[Legality, text.Reader, text.Teller]:
    """What depends on nothing else: worlds of one scenario and rule set share it, and what it remembers."""
    legality = Legality(Compiled(scenario, rules))
    return legality, text.Reader(legality), text.Teller(legality.compiled)

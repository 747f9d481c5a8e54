"""The grid's transition: both cooks' actions in, the next state, events and refusals out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from backburner.kernel.values import Event, Refusal, Seat, Step
from backburner.worlds.collab_grid.game.legality import IDLE, SILENCE, Action, Legality
from backburner.worlds.collab_grid.game.state import NOTHING_LATE, Late, Limits, State
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.kitchen_step import Journal, Kind
from backburner.worlds.collab_overcooked.game.scenarios import Scenario
from backburner.worlds.collab_overcooked.game.state import SEATS
from backburner.worlds.collab_overcooked.game.transition import ended_by, first_orders, with_new_orders


class Rulebook:
    """The rules of a scenario under its limits."""

    def __init__(self, compiled: Compiled, scenario: Scenario, limits: Limits, legality: Legality) -> None:
        self.compiled = compiled
        self.scenario = scenario
        self.limits = limits
        self.legality = legality

    def start(self, seed: int) -> State:
        """Empty hands, empty utensils, both cooks facing north; ``seed`` draws orders, if any are drawn."""
        orders = first_orders(self.scenario, seed)
        kitchen = self.compiled.stepper.start(orders)
        return State(kitchen, drawn=len(orders) - len(self.scenario.orders), seed=seed)

    def step(self, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        """One step of the kitchen. A cook whose action is refused, or that has none, stays."""
        if state.ended:
            return Step(state)
        kitchen = state.kitchen
        wanted: list[Any] = [decisions.get(seat) for seat in SEATS]
        refusals = [self.legality.refusal(kitchen, cook, wanted[cook]) for cook in (0, 1)]
        actions: list[Action] = [IDLE if refusals[cook] else wanted[cook] for cook in (0, 1)]
        if actions[0].silent and actions[1].silent:
            return self._silence(state, min(actions[0].silent, actions[1].silent))
        return self._step(state, actions, refusals)

    def _silence(self, state: State, steps: int) -> Step[State]:
        """So many steps in which both cooks stay and say nothing."""
        events: list[Event] = []
        for _ in range(steps):
            if not state.ended:
                step = self._step(state, (SILENCE, SILENCE), (None, None))
                state = step.state
                events += step.events
        return Step(state, tuple(events))

    def _step(
        self, state: State, actions: Sequence[Action], refusals: Sequence[Refusal | None]
    ) -> Step[State]:
        kitchen = state.kitchen
        step = self.compiled.stepper.step(kitchen, (actions[0].move, actions[1].move))
        journal = Journal(self.compiled.grid)
        labels = [step.logged[cook] or actions[cook].text for cook in (0, 1)]
        kinds = [_kind(action, refusal) for action, refusal in zip(actions, refusals, strict=True)]
        now = kitchen.steps
        heard = [cook for cook in (0, 1) if not actions[cook].silent]
        for cook in heard:
            journal.events.append(_event(cook, now, "start", now, labels[cook], kinds[cook]))
        operations = journal.passed(kitchen, state.operations, step)
        for cook in heard:
            journal.events.append(_event(cook, now, "end", now + 1, labels[cook], kinds[cook]))
        met = sum(map(bool, step.met))
        after, drawn = with_new_orders(self.scenario, step.kitchen, state.seed, state.drawn, met)
        ended = ended_by(after, self.limits.steps)
        if ended:
            journal.over(after, (), operations)
        first, second = (
            None if refusal is None else refusal.at(seat, refusal.index)
            for refusal, seat in zip(refusals, SEATS, strict=True)
        )
        refused = tuple(refusal for refusal in (first, second) if refusal is not None)
        told = (
            first if 0 in heard else state.refusals[0],
            second if 1 in heard else state.refusals[1],
        )
        delivered = state.delivered + met
        late = UNSET if len(heard) == 2 and state.late is UNSET else _late(state, heard, after.ruined)
        new = State(after, operations, delivered, drawn, state.seed, told, ended, late)
        return Step(new, tuple(journal.events), refused)


def _late(state: State, heard: Sequence[int], ruined: tuple[int, ...]) -> tuple[Late, Late] | UnsetType:
    """What is kept for cooks that are silent, and told to those that are no longer."""
    before = (NOTHING_LATE, NOTHING_LATE) if state.late is UNSET else state.late
    first, second = (
        Late((), late.coming) if cook in heard else Late((*late.coming, *ruined), late.told)
        for cook, late in enumerate(before)
    )
    return UNSET if first == second == NOTHING_LATE else (first, second)


def _kind(action: Action, refusal: Refusal | None) -> Kind:
    if refusal is not None:
        return "refused"
    return "wait" if action == IDLE else "work"


def _event(cook: int, since: int, what: Any, time: int, label: str, kind: Kind) -> Event:
    """The beginning or the end of what a cook does in the step that begins at ``since``."""
    return Event(time, what, SEATS[cook], label, f"{SEATS[cook]}@{since}", kind)

"""When play is over: turns, revisions and equal failures are counted as in the released program's loop."""

from __future__ import annotations

import sys
from typing import Any

from msgspec.structs import astuple

from backburner.kernel.values import Refusal
from backburner.worlds.recipe2plan.game.actions import Cook
from backburner.worlds.recipe2plan.game.compiled import Compiled, LagOf
from backburner.worlds.recipe2plan.game.rule_set import Limits, Rules
from backburner.worlds.recipe2plan.game.state import Ended, Feedback, Kitchen, State

FACTS_IN_MESSAGE = {
    "unknown_recipe": ("recipe",),
    "unknown_step": ("step", "recipe"),
    "past_time": ("clock", "step", "recipe", "start"),
    "object_occupied": ("step", "recipe", "start", "object"),
    "object_property": ("step", "recipe", "start", "object", "property", "have", "need"),
    "time_constraint": ("step", "recipe", "after", "limit"),
    "already_done": ("step", "recipe"),
    "already_running": ("step", "recipe", "finish"),
    "duration_exceeds": ("given", "left", "step", "recipe"),
    "not_interruptible": ("step", "recipe", "left"),
    "dep_incomplete": ("step", "needs", "recipe"),
    "dep_unfinished": ("step", "needs", "recipe", "finish"),
}
"""The facts that the released program's message tells, by kind of refusal."""

LENGTHS = ("given", "left")
"""Facts that it prints cut down to whole hours or minutes."""


class Termination:
    """Counts the decisions of one scenario against its limits."""

    def __init__(self, compiled: Compiled, rules: Rules, limits: Limits) -> None:
        self.compiled = compiled
        self.rules = rules
        self.limits = limits
        self._most_turns = sys.maxsize if limits.turns is None else limits.turns
        self._most_revisions = sys.maxsize if limits.revisions is None else limits.revisions
        self._most_alike = sys.maxsize if limits.same_failure is None else limits.same_failure
        self._n_jobs = len(compiled.jobs)

    def after(self, before: State, decision: Cook | Refusal, kitchen: Kitchen, feedback: Feedback) -> State:
        """The state after the decision. A refusal costs a revision only when play goes on.

        A decision that only states beliefs is neither a failure nor a success; at the opening, where
        it is asked for, it is no turn either.
        """
        finish = isinstance(decision, Cook) and decision.finish
        refusal, stated = feedback.refusal, feedback.kind == "stated"
        asked = stated and before.feedback.kind == "opening"
        turns = before.turns + (not finish and not asked)
        revisions = before.revisions + (before.feedback.kind == "refused")
        failure, alike = (before.failure, before.alike) if stated else ("", 0)
        if refusal is not None:
            failure = self._failure(decision, refusal)
            alike = before.alike + 1 if failure == before.failure else 1
        ended = self._ended(kitchen, refusal, turns, revisions, alike, finish)
        return State(kitchen, feedback, turns, revisions, failure, alike, ended, before.beliefs)

    def _ended(
        self, kitchen: Kitchen, refusal: Refusal | None, turns: int, revisions: int, alike: int, finish: bool
    ) -> Ended:
        if kitchen.done == self._n_jobs and not self.rules.goes_on_when_complete:
            return "completed"
        if finish:
            return "finish"
        if turns >= self._most_turns:
            return "turn_limit"
        if revisions >= self._most_revisions and (refusal is not None or self.rules.last_revision_ends_play):
            return "revision_limit"
        if self.limits.lag_violation_ends and self._lag_violated(kitchen, refusal):
            return "time_constraint"
        return "stuck" if alike >= self._most_alike else ""

    def _lag_violated(self, kitchen: Kitchen, refusal: Refusal | None) -> bool:
        if refusal is not None and refusal.code == "time_constraint":
            return True
        return bool(self.missed(kitchen))

    def missed(self, kitchen: Kitchen) -> list[LagOf]:
        """The lags that can no longer be kept; none where the rules do not notice."""
        if self.rules.expired_lags_unnoticed:
            return []
        begun = self.rules.lags_bind_first_piece
        return [
            lag
            for lag in self.compiled.lags
            if _expired(kitchen, lag) and not (begun and kitchen.ends[lag.job] is not None)
        ]

    def _failure(self, decision: Cook | Refusal, refusal: Refusal) -> str:
        """What the stuck rule compares, as text: the refused action, or what the release's message tells."""
        actions = decision.actions if isinstance(decision, Cook) else ()
        if not self.rules.stuck_by_message:
            return " ".join(map(str, astuple(actions[refusal.index]) if actions else (refusal.code,)))
        told = [_printed(name, refusal.get(name)) for name in FACTS_IN_MESSAGE.get(refusal.code, ())]
        return " ".join(map(str, (refusal.code, *told, *((refusal.index,) if len(actions) > 1 else ()))))


def _printed(name: str, value: Any) -> Any:
    if name not in LENGTHS or value < 60:
        return value
    return f"{value // 3600} hours" if value >= 3600 else f"{value // 60} minutes"


def _expired(kitchen: Kitchen, lag: LagOf) -> bool:
    ended = kitchen.ends[lag.earlier]
    open_ = bool(kitchen.left[lag.job]) and not kitchen.left[lag.earlier]
    return open_ and ended is not None and kitchen.clock > ended + lag.seconds

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
        self._noticed = () if rules.expired_lags_unnoticed else compiled.lags
        self._done_at = sys.maxsize if rules.goes_on_when_complete else len(compiled.jobs)

    def after(self, before: State, decision: Cook | Refusal, kitchen: Kitchen, feedback: Feedback) -> State:
        """The state after the decision. A refusal costs a revision only when play goes on.

        A decision that only states beliefs is neither a failure nor a success; at the opening, where
        it is asked for, it is no turn either.
        """
        finish = isinstance(decision, Cook) and decision.finish
        refusal, kind, last = feedback.refusal, feedback.kind, before.feedback.kind
        turns, revisions = before.turns, before.revisions
        if not finish and (kind != "stated" or last != "opening"):
            turns += 1
        if last == "refused":
            revisions += 1
        failure, alike = (before.failure, before.alike) if kind == "stated" else ("", 0)
        if refusal is not None:
            failure = self._failure(decision, refusal)
            alike = before.alike + 1 if failure == before.failure else 1
        ended: Ended = ""
        if kitchen.done == self._done_at:
            ended = "completed"
        elif finish:
            ended = "finish"
        elif turns >= self._most_turns:
            ended = "turn_limit"
        elif revisions >= self._most_revisions and (
            refusal is not None or self.rules.last_revision_ends_play
        ):
            ended = "revision_limit"
        elif self.limits.lag_violation_ends and self._lag_violated(kitchen, refusal):
            ended = "time_constraint"
        elif alike >= self._most_alike:
            ended = "stuck"
        return State(kitchen, feedback, turns, revisions, failure, alike, ended, before.beliefs)

    def _lag_violated(self, kitchen: Kitchen, refusal: Refusal | None) -> bool:
        if refusal is not None and refusal.code == "time_constraint":
            return True
        return bool(self.missed(kitchen))

    def missed(self, kitchen: Kitchen) -> list[LagOf]:
        """The lags that can no longer be kept: those of steps that are still to be done, or begun where that
        is enough. None where the rules do not notice."""
        late: list[LagOf] = []
        clock, left, ends = kitchen.clock, kitchen.left, kitchen.ends
        for lag in self._noticed:
            ended = ends[lag.earlier]
            if ended is None or clock <= ended + lag.seconds or left[lag.earlier] or not left[lag.job]:
                continue
            if ends[lag.job] is None or not self.rules.lags_bind_first_piece:
                late.append(lag)
        return late

    def _failure(self, decision: Cook | Refusal, refusal: Refusal) -> str:
        """What the stuck rule compares, as text: the refused action, or what the release's message tells."""
        actions = decision.actions if isinstance(decision, Cook) else ()
        if not self.rules.stuck_by_message:
            facts = astuple(actions[refusal.index]) if actions else (refusal.code,)
        else:
            told = dict(refusal.detail)
            facts = (refusal.code, *[_printed(name, told[name]) for name in _told(refusal.code)])
            facts = (*facts, refusal.index) if len(actions) > 1 else facts
        return " ".join([str(fact) for fact in facts])


def _told(code: str) -> tuple[str, ...]:
    return FACTS_IN_MESSAGE.get(code, ())


def _printed(name: str, value: Any) -> Any:
    if name not in LENGTHS or value < 60:
        return value
    return f"{value // 3600} hours" if value >= 3600 else f"{value // 60} minutes"

"""When play is over: turns, revisions and equal failures are counted as in the released program's loop."""

from __future__ import annotations

import sys
from typing import Any

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
        lags = () if rules.expired_lags_unnoticed else compiled.lags
        self._noticed = tuple([(lag.job, lag.earlier, lag.seconds, lag) for lag in lags])
        self._violation_ends = limits.lag_violation_ends and bool(compiled.lags)
        self._done_at = sys.maxsize if rules.goes_on_when_complete else len(compiled.jobs)

    def after(self, before: State, decision: Cook | Refusal, kitchen: Kitchen, feedback: Feedback) -> State:
        """The state after the decision. A refusal costs a revision only when play goes on.

        A decision that only states beliefs is neither a failure nor a success; at the opening, where
        it is asked for, it is no turn either.
        """
        finish = isinstance(decision, Cook) and decision.finish
        refusal, kind, last = feedback.refusal, feedback.kind, before.feedback.kind
        turns, revisions, failure, alike = before.turns, before.revisions, "", 0
        if not finish and (kind != "stated" or last != "opening"):
            turns += 1
        if last == "refused":
            revisions += 1
        if refusal is not None:
            failure = self._failure(decision, refusal)
            alike = before.alike + 1 if failure == before.failure else 1
        elif kind == "stated":
            failure, alike = before.failure, before.alike
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
        elif self._violation_ends and self._lag_violated(before, kitchen, refusal):
            ended = "time_constraint"
        elif alike >= self._most_alike:
            ended = "stuck"
        return State(kitchen, feedback, turns, revisions, failure, alike, ended, before.beliefs)

    def _lag_violated(self, before: State, kitchen: Kitchen, refusal: Refusal | None) -> bool:
        """By trying, or as the clock has moved past it; what is as late as before has been noticed then."""
        if refusal is not None and refusal.code == "time_constraint":
            return True
        if kitchen.clock == before.kitchen.clock:
            return False
        clock, left, ends = kitchen.clock, kitchen.left, kitchen.ends
        for job, earlier, seconds, _ in self._noticed:
            if left[job] and not left[earlier] and clock > (ends[earlier] or 0) + seconds:
                return bool(self.missed(kitchen))
        return False

    def missed(self, kitchen: Kitchen) -> list[LagOf]:
        """The lags that can no longer be kept: those of steps that are still to be done, or begun where that
        is enough. None where the rules do not notice."""
        late: list[LagOf] = []
        clock, left, ends = kitchen.clock, kitchen.left, kitchen.ends
        for job, earlier, seconds, lag in self._noticed:
            ended = ends[earlier]
            passed = ended is not None and clock > ended + seconds
            if not passed or not left[job] or left[earlier]:
                continue
            if ends[job] is None or not self.rules.lags_bind_first_piece:
                late.append(lag)
        return late

    def _failure(self, decision: Cook | Refusal, refusal: Refusal) -> str:
        """What the stuck rule compares, as text: the refused action, or what the release's message tells."""
        actions = decision.actions if isinstance(decision, Cook) else ()
        if not self.rules.stuck_by_message:
            if not actions:
                return refusal.code
            piece = actions[refusal.index]
            return f"{piece.step} {piece.recipe} {piece.seconds} {piece.start}"
        told, facts = [refusal.code], dict(refusal.detail)
        for name in FACTS_IN_MESSAGE.get(refusal.code, ()):
            told.append(_printed(facts[name]) if name in LENGTHS else str(facts[name]))
        if len(actions) > 1:
            told.append(str(refusal.index))
        return " ".join(told)


def _printed(seconds: Any) -> str:
    if seconds < 60:
        return str(seconds)
    return f"{seconds // 3600} hours" if seconds >= 3600 else f"{seconds // 60} minutes"

"""How early everything can be complete at best, and what no longer can: a bound, cheap and proven."""

from __future__ import annotations

from typing import NamedTuple

from backburner.worlds.recipe2plan.game.compiled import Compiled
from backburner.worlds.recipe2plan.game.rule_set import Rules
from backburner.worlds.recipe2plan.game.state import Kitchen


class Job(NamedTuple):
    """What the bound takes into account of a job.

    ``tail``: the seconds of the longest chain of jobs that can only be begun when this one has ended.
    ``last``: whether the cook's hands are needed for none of these, nor for what follows them, so that it
    may be what the cook does last.
    """

    seconds: int
    by_hand: bool
    tail: int
    last: bool


class Outlook:
    """The jobs of one scenario under its rules, and what is left of them in a kitchen."""

    def __init__(self, compiled: Compiled, rules: Rules) -> None:
        jobs = compiled.jobs
        tails, hands = [0] * len(jobs), [False] * len(jobs)
        for job in reversed(jobs):  # what a job needs stands before it
            for need in job.after:
                tails[need] = max(tails[need], job.step.seconds + tails[job.index])
                hands[need] |= hands[job.index] or not job.autonomous
        self.jobs = tuple(
            Job(job.step.seconds, not job.autonomous, tails[job.index], not hands[job.index]) for job in jobs
        )
        self.lags = compiled.lags
        self.work_seconds = sum(job.step.seconds for job in jobs)
        self.autonomous_seconds = sum(job.step.seconds for job in jobs if job.autonomous)
        self.cuts_short = rules.zero_length_actions
        """Zero seconds of a complete step end it for those that wait for it, and restart its lags."""
        self.first_piece_is_enough = rules.lags_bind_first_piece

    def earliest_finish(self, kitchen: Kitchen) -> int:
        """No play from here completes everything earlier than in this second.

        That is when the cook's work and what must follow it have been done, or the longest chain of jobs.
        """
        clock, hands, after_hands, chain = kitchen.clock, 0, -1, 0
        for job, left, ends in zip(self.jobs, kitchen.left, kitchen.ends, strict=True):
            if left:
                chain = max(chain, left + job.tail)
                if job.by_hand:
                    hands += left
                    if job.last and not 0 <= after_hands <= job.tail:
                        after_hands = job.tail
            elif ends is not None and ends > clock:
                chain = max(chain, ends - clock + job.tail)
        if self.cuts_short:
            return max(kitchen.finish, clock + hands)
        return max(kitchen.finish, clock + hands + max(after_hands, 0), clock + chain)

    def too_late(self, kitchen: Kitchen) -> bool:
        """Whether a step can never be completed, as it can no longer begin soon enough after another one."""
        if self.cuts_short:
            return False
        left, ends = kitchen.left, kitchen.ends
        for lag in self.lags:
            ended = ends[lag.earlier]
            if left[lag.earlier] or not left[lag.job] or ended is None:
                continue
            begun = self.first_piece_is_enough and ends[lag.job] is not None
            if kitchen.clock - ended > lag.seconds and not begun:
                return True
        return False

"""What is seen of a row of Recipe2Plan, as ``encoding`` has it: masks, features, score, a bound."""

from __future__ import annotations

from typing import Any, NamedTuple

from backburner.arrays.jit import compiled
from backburner.worlds.recipe2plan.arrays.step import (
    ACCEPTED,
    GOES_ON,
    HOTTEST,
    NO_ACTION,
    NONE,
    OPENING,
    Rows,
    Tables,
    early,
    obstacle,
    running,
    too_late,
)
from backburner.worlds.recipe2plan.game.compiled import Compiled
from backburner.worlds.recipe2plan.game.rule_set import Rules
from backburner.worlds.recipe2plan.game.state import Kitchen


@compiled
def mask(t: Tables, r: Rows, e: int, body: int, out: Any) -> None:
    """See ``encoding.Recipe2PlanEncoding.mask``."""
    n = t.n_jobs
    out[:] = 0
    if r.ended[e] != GOES_ON or (t.asks and r.kind[e] == OPENING):
        out[0] = 1
        return
    clock = r.clock[e]
    first, last = running(t, r, e)
    at_last = anything = False
    for job in range(n):
        left = r.left[e, job]
        if not left:
            continue
        if early(t, r, e, job) != NONE:
            out[2 + job] = 1
            anything = True
        if last != NONE and obstacle(t, r, e, job, left, last)[0] == ACCEPTED:
            out[2 + n + job] = 1
            at_last = anything = True
    out[1] = 1 if not at_last and (last != NONE or not anything) else 0
    if last == NONE:
        return
    for index in range(t.split_jobs.shape[0]):
        job, seconds = t.split_jobs[index], first - clock
        if seconds < r.left[e, job] and obstacle(t, r, e, job, seconds, clock)[0] == ACCEPTED:
            out[2 + 2 * n + index] = 1


@compiled
def _share(value: int, most: int) -> float:
    return min(max(value, 0) / most, 1.0)


@compiled
def features(t: Tables, r: Rows, e: int, body: int, out: Any) -> None:
    """See ``encoding.Recipe2PlanEncoding.feature_names``."""
    clock = r.clock[e]
    out[0] = _share(clock, t.work_seconds)
    out[1] = _share(r.turns[e], t.usual_turns)
    out[2] = _share(r.revisions[e], t.usual_revisions)
    out[3] = _share(r.alike[e], t.usual_alike)
    for why in range(ACCEPTED + 1, NO_ACTION + 1):
        out[3 + why] = 1.0 if r.refused[e] == why else 0.0
    at = 4 + NO_ACTION
    out[at] = 0.0  # no code is refused for anything else
    at += 1
    for place in range(t.n_appliances):
        in_use = r.busy_from[e, place] <= clock < r.busy_until[e, place]
        out[at + place] = 1.0 if in_use else 0.0
        out[at + t.n_appliances + place] = _share(r.heat[e, place], HOTTEST)
    at += 2 * t.n_appliances
    for job in range(t.n_jobs):
        out[at + job] = r.left[e, job] / t.seconds[job]
        runs = r.ends[e, job] - clock if t.autonomous[job] else 0
        out[at + t.n_jobs + job] = _share(runs, t.seconds[job])
    at += 2 * t.n_jobs
    for lag in range(t.n_lags):
        out[at + lag] = _time_left(t, r, e, lag)
    if t.asks:
        out[at + t.n_lags] = 1.0 if r.kind[e] == OPENING else 0.0


@compiled
def _time_left(t: Tables, r: Rows, e: int, lag: int) -> float:
    job, earlier, seconds = t.lag_job[lag], t.lag_earlier[lag], t.lag_seconds[lag]
    begun = t.first_piece and r.ends[e, job] != NONE
    if r.left[e, earlier] or not r.left[e, job] or begun:
        return 1.0
    passed: int = r.clock[e] - r.ends[e, earlier]
    if passed <= 0:
        return 1.0
    return max(1.0 - passed / seconds, -1.0) if seconds else -1.0


@compiled
def score(t: Tables, r: Rows, e: int) -> float:
    """See ``encoding.Recipe2PlanEncoding.score``."""
    done: int = r.done[e]
    if done < t.n_jobs:
        return done / t.n_jobs
    return 1.0 + _saved(t, r.finish[e])


@compiled
def _saved(t: Tables, finish: int) -> float:
    if not t.autonomous_seconds:
        return 0.0
    return max(t.work_seconds - finish, 0) / t.autonomous_seconds


@compiled
def potential(t: Tables, r: Rows, e: int) -> float:
    """See ``encoding.Recipe2PlanEncoding.potential``."""
    done: int = r.done[e]
    if r.ended[e] != GOES_ON or done == t.n_jobs:
        return 0.0
    if not t.cuts_short and too_late(t, r, e):
        return (t.n_jobs - 1 - done) / t.n_jobs
    return (t.n_jobs - done) / t.n_jobs + _saved(t, earliest_finish(t, r, e))


@compiled
def earliest_finish(t: Tables, r: Rows, e: int) -> int:
    """See ``Outlook.earliest_finish``."""
    clock: int = r.clock[e]
    finish: int = r.finish[e]
    hands = chain = 0
    after_hands = NONE
    for job in range(t.n_jobs):
        left, ends = r.left[e, job], r.ends[e, job]
        if left:
            chain = max(chain, left + t.tail[job])
            if not t.autonomous[job]:
                hands += left
                if t.last[job] and not 0 <= after_hands <= t.tail[job]:
                    after_hands = t.tail[job]
        elif ends > clock:
            chain = max(chain, ends - clock + t.tail[job])
    if t.cuts_short:
        return max(finish, clock + hands)
    return max(finish, clock + hands + max(after_hands, 0), clock + chain)


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

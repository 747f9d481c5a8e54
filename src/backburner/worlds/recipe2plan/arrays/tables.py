"""A scenario of Recipe2Plan compiled into tables; see ``step`` for what they mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import Any

import numpy as np
from msgspec import UNSET

from backburner.arrays.batch import Batch, compiled_batch
from backburner.arrays.jit import FOREVER, limit, no_draws, numbers
from backburner.worlds.recipe2plan.arrays import sight
from backburner.worlds.recipe2plan.arrays import step as steps
from backburner.worlds.recipe2plan.arrays.encoding import REFUSED, Recipe2PlanEncoding
from backburner.worlds.recipe2plan.arrays.step import NO_HEAT, NONE, Ints, Rows, Tables
from backburner.worlds.recipe2plan.game import Recipe2Plan
from backburner.worlds.recipe2plan.game.state import State

ENDED = ("", "completed", "finish", "turn_limit", "revision_limit", "time_constraint", "stuck", "time_limit")
"""How an episode stands, by its number in ``step``."""

KINDS = {"opening": 0, "started": 1, "cooked": 1, "refused": 2, "stated": 3, "finish": 4}
"""What became of a code, by its number in ``step``."""


def batch(world: Recipe2Plan) -> Batch:
    """The batch of a world; every scenario has one, under all rules."""
    return compiled_batch(
        Compiler(world),
        steps,
        draws=no_draws,
        mask=sight.mask,
        features=sight.features,
        score=sight.score,
        potential=sight.potential,
    )


class Compiler:
    """Makes the tables of one world, and says what the row of a state of it holds."""

    def __init__(self, world: Recipe2Plan) -> None:
        self.world = world
        self.encoding = Recipe2PlanEncoding(world)

    def tables(self) -> Tables:
        """The tables; see ``step.Tables``."""
        compiled, rules, limits = self.world.compiled, self.world.rules, self.world.limits
        encoding, outlook, jobs = self.encoding, self.encoding.outlook, compiled.jobs
        return Tables(
            n_jobs=len(jobs),
            n_lags=len(compiled.lags),
            n_appliances=len(compiled.appliances),
            most_turns=limit(limits.turns),
            most_revisions=limit(limits.revisions),
            most_alike=limit(limits.same_failure),
            latest=limit(None if limits.seconds is UNSET else limits.seconds),
            usual_turns=encoding.most_turns,
            usual_revisions=encoding.most_revisions,
            usual_alike=encoding.most_alike,
            done_at=FOREVER if rules.goes_on_when_complete else len(jobs),
            work_seconds=outlook.work_seconds,
            autonomous_seconds=outlook.autonomous_seconds,
            asks=int(self.world.scenario.knowledge == "beliefs"),
            refused_move_clock=int(rules.refused_actions_move_clock),
            cuts_short=int(rules.zero_length_actions),
            lags_first=int(rules.lags_checked_first),
            lags_unnoticed=int(rules.expired_lags_unnoticed),
            mixed_up=int(rules.running_mixed_up),
            second_0_forgotten=int(rules.second_0_forgotten),
            last_revision_ends=int(rules.last_revision_ends_play),
            stuck_by_message=int(rules.stuck_by_message),
            first_piece=int(rules.lags_bind_first_piece),
            violation_ends=int(limits.lag_violation_ends and bool(compiled.lags)),
            seconds=numbers(job.step.seconds for job in jobs),
            autonomous=numbers(job.autonomous for job in jobs),
            splittable=numbers(job.step.splittable for job in jobs),
            appliance=numbers(NONE if job.appliance is None else job.appliance for job in jobs),
            sets=numbers(_heat(job.step.sets_fahrenheit) for job in jobs),
            wants=numbers(_heat(job.step.needs_fahrenheit) for job in jobs),
            tail=numbers(job.tail for job in outlook.jobs),
            last=numbers(job.last for job in outlook.jobs),
            needs_from=_begins(len(job.after) for job in jobs),
            needs=numbers(need for job in jobs for need in job.after),
            lags_from=_begins(len(job.lags) for job in jobs),
            lag_job=numbers(lag.job for lag in compiled.lags),
            lag_earlier=numbers(lag.earlier for lag in compiled.lags),
            lag_seconds=numbers(lag.seconds for lag in compiled.lags),
            split_jobs=numbers(job.index for job in encoding.splittable),
        )

    def rows(self, count: int) -> Rows:
        """So many rows, of zeros."""
        n_jobs, n_appliances = len(self.world.compiled.jobs), len(self.world.compiled.appliances)

        def zeros(*shape: int) -> Ints:
            return np.zeros((count, *shape), np.int64)

        return Rows(
            clock=zeros(),
            left=zeros(n_jobs),
            ends=zeros(n_jobs),
            busy_from=zeros(n_appliances),
            busy_until=zeros(n_appliances),
            heat=zeros(n_appliances),
            done=zeros(),
            actions=zeros(),
            worked=zeros(),
            finish=zeros(),
            turns=zeros(),
            revisions=zeros(),
            alike=zeros(),
            failure=zeros(4),
            kind=zeros(),
            refused=zeros(),
            ended=zeros(),
        )

    def fields(self, state: State) -> Mapping[str, Any]:
        """What the row of a state holds that codes have led to; ``failure`` has no counterpart there."""
        kitchen, refusal = state.kitchen, state.feedback.refusal
        busy = [intervals[-1] if intervals else (0, 0) for intervals in kitchen.busy]
        return {
            "clock": kitchen.clock,
            "left": kitchen.left,
            "ends": [NONE if ends is None else ends for ends in kitchen.ends],
            "busy_from": [begun for begun, _ in busy],
            "busy_until": [over for _, over in busy],
            "heat": [_heat(heat) for heat in kitchen.fahrenheit],
            "done": kitchen.done,
            "actions": kitchen.actions,
            "worked": kitchen.worked,
            "finish": kitchen.finish,
            "turns": state.turns,
            "revisions": state.revisions,
            "alike": state.alike,
            "kind": KINDS[state.feedback.kind],
            "refused": 0 if refusal is None else 1 + REFUSED.index(refusal.code),
            "ended": ENDED.index(state.ended),
        }


def _begins(lengths: Iterable[int]) -> Ints:
    """Where each of several lists begins that stand one behind the other, and where the last one ends."""
    return numbers(accumulate(lengths, initial=0))


def _heat(fahrenheit: int | None) -> int:
    return NO_HEAT if fahrenheit is None else fahrenheit

"""May an action start? The conditions in the released program's order (article, section 3.2)."""

from __future__ import annotations

from collections.abc import Iterable

from backburner.kernel.values import Refusal
from backburner.worlds.recipe2plan.actions import (
    LATEST,
    Piece,
    already_done,
    already_running,
    beyond_time,
    dep_incomplete,
    dep_unfinished,
    duration_exceeds,
    no_duration,
    not_interruptible,
    object_occupied,
    object_property,
    past_time,
    time_constraint,
)
from backburner.worlds.recipe2plan.cookbook import Cookbook, Job, LagOf
from backburner.worlds.recipe2plan.rule_set import Rules
from backburner.worlds.recipe2plan.state import Kitchen


class Checks:
    """The conditions of one cookbook under its rules."""

    def __init__(self, cookbook: Cookbook, rules: Rules) -> None:
        self.cookbook = cookbook
        self.rules = rules

    def obstacle(self, kitchen: Kitchen, job: Job, piece: Piece) -> Refusal | None:
        """Why the piece of this job is refused, or ``None`` if it is accepted."""
        if not kitchen.clock <= piece.start <= LATEST:
            early = piece.start < kitchen.clock
            return past_time(piece, kitchen.clock) if early else beyond_time(piece)
        if piece.seconds < (0 if self.rules.zero_length_actions else 1):
            return no_duration(piece)
        refusal = None if job.appliance is None else self._appliance(kitchen, job, job.appliance, piece)
        if refusal is None and self.rules.lags_checked_first:
            refusal = self._lag(kitchen, job, piece)
        if refusal is None:
            refusal = self._length(kitchen, job, piece) or self._prerequisites(kitchen, job, piece)
        if refusal is None and not self.rules.lags_checked_first:
            refusal = self._lag(kitchen, job, piece)
        return refusal

    def _appliance(self, kitchen: Kitchen, job: Job, place: int, piece: Piece) -> Refusal | None:
        """It is free, and at the right temperature. Recipes may preheat it together."""
        name, now = self.cookbook.appliances[place], kitchen.fahrenheit[place]
        for begun, over in kitchen.busy[place]:
            if max(begun, piece.start) < min(over, piece.stop) or begun < piece.start == piece.stop < over:
                together = (begun, over) == (piece.start, piece.stop)
                if not (
                    together and job.step.sets_fahrenheit is not None and job.step.sets_fahrenheit == now
                ):
                    return object_occupied(piece, name)
        need = job.step.needs_fahrenheit
        return None if need is None or need == now else object_property(piece, name, now, need)

    def _lag(self, kitchen: Kitchen, job: Job, piece: Piece) -> Refusal | None:
        """A lag binds every piece of a split step; it counts from the last piece of the earlier one."""
        for lag in job.lags:
            ended = kitchen.ends[lag.earlier]
            if ended is not None and piece.start - ended > lag.seconds:
                return time_constraint(piece, lag.after, lag.seconds)
        return None

    def _length(self, kitchen: Kitchen, job: Job, piece: Piece) -> Refusal | None:
        """No more than is left, and all of it unless the step can be split."""
        left, ended = kitchen.left[job.index], kitchen.ends[job.index]
        if piece.seconds == left or (piece.seconds < left and job.step.splittable):
            return None
        if piece.seconds < left:
            return not_interruptible(piece, left)
        mixed_up = self.rules.running_mixed_up
        if not left:
            runs = ended is not None and ended > piece.start and not mixed_up
            return already_running(piece, ended or 0) if runs else already_done(piece)
        if mixed_up and ended is not None and ended < piece.start:
            return already_running(piece, ended)
        return duration_exceeds(piece, left)

    def _prerequisites(self, kitchen: Kitchen, job: Job, piece: Piece) -> Refusal | None:
        for need in job.after:
            ended = kitchen.ends[need]
            if kitchen.left[need] or ended is None:
                return dep_incomplete(piece, self.cookbook.jobs[need].number)
            if ended > piece.start:
                return dep_unfinished(piece, self.cookbook.jobs[need].number, ended)
        return None

    # --- looking ahead ---------------------------------------------------------------------------

    def possible(self, kitchen: Kitchen) -> list[Piece]:
        """Each incomplete step, whole, at the first second at which it is accepted; by start.

        It is enough to try now and every end of what runs: only an end lets an action in.
        """
        times = sorted({kitchen.clock, *(running.ends for running in kitchen.running)})
        found = (self._first(kitchen, job, times) for job in self.cookbook.jobs if kitchen.left[job.index])
        return sorted((piece for piece in found if piece is not None), key=_start)

    def _first(self, kitchen: Kitchen, job: Job, times: Iterable[int]) -> Piece | None:
        for time in times:
            piece = Piece(job.number, job.recipe, kitchen.left[job.index], time)
            if self.obstacle(kitchen, job, piece) is None:
                return piece
        return None

    def hint(self, kitchen: Kitchen) -> list[tuple[int, list[Piece]]]:
        """The released program's hint (article, Table 15): steps by the first second given for them.

        A step that is too late for its lag stands in it too.
        """
        times = sorted({kitchen.clock, *(end for end in kitchen.ends if end and end > kitchen.clock)})
        listed: dict[int, list[Piece]] = {}
        for job in self.cookbook.jobs:
            left = kitchen.left[job.index]
            for piece in (Piece(job.number, job.recipe, left, time) for time in times if left):
                refusal = self.obstacle(kitchen, job, piece)
                if refusal is None or refusal.code == "time_constraint":
                    listed.setdefault(piece.start, []).append(piece)
                    break
        return sorted(listed.items())

    def missed(self, kitchen: Kitchen) -> list[LagOf]:
        """The lags that can no longer be kept; none where the rules do not notice."""
        if self.rules.expired_lags_unnoticed:
            return []
        return [lag for lag in self.cookbook.lags if _expired(kitchen, lag)]


def _expired(kitchen: Kitchen, lag: LagOf) -> bool:
    ended = kitchen.ends[lag.earlier]
    open_ = bool(kitchen.left[lag.job]) and not kitchen.left[lag.earlier]
    return open_ and ended is not None and kitchen.clock > ended + lag.seconds


def _start(piece: Piece) -> int:
    return piece.start

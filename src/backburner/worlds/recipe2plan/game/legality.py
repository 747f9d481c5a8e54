"""Why an action cannot start, and which actions can (article, section 3.2).

The conditions are looked at in the released program's order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from backburner.kernel.values import Refusal
from backburner.worlds.recipe2plan.game.compiled import Compiled, Job
from backburner.worlds.recipe2plan.game.rule_set import Rules
from backburner.worlds.recipe2plan.game.scenarios import LATEST
from backburner.worlds.recipe2plan.game.state import (
    Kitchen,
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

Check = Callable[[Kitchen, Job, Piece], Refusal | None]


class Legality:
    """What can start in one scenario under its rules, and why anything else cannot."""

    def __init__(self, compiled: Compiled, rules: Rules) -> None:
        self.compiled = compiled
        self.rules = rules
        self._shortest = 0 if rules.zero_length_actions else 1
        self._checks = tuple([tuple(self._checks_of(job)) for job in compiled.jobs])

    def _checks_of(self, job: Job) -> Iterator[Check]:
        """What is looked at for this job besides the time, in order; what it has nothing of is left out."""
        lag = [self._lag] if job.lags else []
        yield from [self._appliance] if job.appliance is not None else []
        yield from lag if self.rules.lags_checked_first else []
        yield self._progress
        yield from [] if self.rules.lags_checked_first else lag

    def obstacle(self, kitchen: Kitchen, job: Job, piece: Piece) -> Refusal | None:
        """Why the piece of this job is refused, or ``None`` if it is accepted."""
        if not kitchen.clock <= piece.start <= LATEST or piece.seconds < self._shortest:
            return self._wrong_time(kitchen, piece)
        for check in self._checks[job.index]:
            refusal = check(kitchen, job, piece)
            if refusal is not None:
                return refusal
        return None

    def _wrong_time(self, kitchen: Kitchen, piece: Piece) -> Refusal:
        """It starts before now, which is when the cook is free, or beyond all time, or takes none."""
        if piece.start < kitchen.clock:
            return past_time(piece, kitchen.clock)
        return beyond_time(piece) if piece.start > LATEST else no_duration(piece)

    def _appliance(self, kitchen: Kitchen, job: Job, piece: Piece) -> Refusal | None:
        """It is free, and at the right temperature. Recipes may preheat it together."""
        appliance, start, stop = job.appliance, piece.start, piece.start + piece.seconds
        if appliance is None:
            return None
        sets, needs, now = job.step.sets_fahrenheit, job.step.needs_fahrenheit, kitchen.fahrenheit[appliance]
        for begun, over in kitchen.busy[appliance]:
            together = begun == start and over == stop and sets is not None and sets == now
            if begun < stop and start < over and not together:
                return object_occupied(piece, self.compiled.appliances[appliance])
        if needs is not None and needs != now:
            return object_property(piece, self.compiled.appliances[appliance], now, needs)
        return None

    def _lag(self, kitchen: Kitchen, job: Job, piece: Piece) -> Refusal | None:
        """A lag binds every piece of a split step, or the first; it counts from the last piece of the earlier
        step."""
        if self.rules.lags_bind_first_piece and kitchen.ends[job.index] is not None:
            return None
        for lag in job.lags:
            ended = kitchen.ends[lag.earlier]
            if ended is not None and piece.start - ended > lag.seconds:
                return time_constraint(piece, lag.after, lag.seconds)
        return None

    def _progress(self, kitchen: Kitchen, job: Job, piece: Piece) -> Refusal | None:
        """No more than is left, and all of it unless the step can be split; what it needs is over."""
        left, seconds = kitchen.left, piece.seconds
        remains = left[job.index]
        if seconds != remains and (seconds > remains or not job.step.splittable):
            return self._wrong_length(kitchen, job, piece)
        for need in job.after:
            ended = kitchen.ends[need]
            if left[need] or ended is None:
                return dep_incomplete(piece, self.compiled.jobs[need].number)
            if ended > piece.start:
                return dep_unfinished(piece, self.compiled.jobs[need].number, ended)
        return None

    def _wrong_length(self, kitchen: Kitchen, job: Job, piece: Piece) -> Refusal:
        left, ended = kitchen.left[job.index], kitchen.ends[job.index]
        if piece.seconds < left:
            return not_interruptible(piece, left)
        mixed_up = self.rules.running_mixed_up
        if not left:
            runs = ended is not None and ended > piece.start and not mixed_up
            return already_running(piece, ended or 0) if runs else already_done(piece)
        known = ended or not self.rules.second_0_forgotten
        if mixed_up and known and ended is not None and ended < piece.start:
            return already_running(piece, ended)
        return duration_exceeds(piece, left)

    # --- looking ahead ---------------------------------------------------------------------------

    def possible(self, kitchen: Kitchen) -> list[Piece]:
        """Each incomplete step, whole, at the first second at which it is accepted; by start.

        It is enough to try now and every end of what runs: only an end lets an action in.
        """
        times = sorted({kitchen.clock, *(running.ends for running in kitchen.running)})
        return sorted(self._whole(kitchen, times), key=lambda piece: piece.start)

    def possible_at_last(self, kitchen: Kitchen) -> list[Piece]:
        """Each incomplete step, whole, that is accepted when all that runs has ended; begun then.

        Empty if nothing runs.
        """
        last = [max(running.ends for running in kitchen.running)] if kitchen.running else []
        return self._whole(kitchen, last)

    def _whole(self, kitchen: Kitchen, times: Sequence[int]) -> list[Piece]:
        """Each incomplete step, whole, at the first of these times at which it is accepted, if any."""
        pieces: list[Piece] = []
        for job in self.compiled.jobs:
            left = kitchen.left[job.index]
            for time in times if left else ():
                piece = Piece(job.number, job.recipe, left, time)
                if self.obstacle(kitchen, job, piece) is None:
                    pieces.append(piece)
                    break
        return pieces

    def hint(self, kitchen: Kitchen) -> list[tuple[int, list[Piece]]]:
        """The executable steps (article, Table 15) by the first second at which each, whole, is accepted.

        Where a lag is broken only by trying, as released, a step that is too late for it is listed too.
        """
        times = sorted({kitchen.clock, *(end for end in kitchen.ends if end and end > kitchen.clock)})
        listed: dict[int, list[Piece]] = {}
        for job in self.compiled.jobs:
            left = kitchen.left[job.index]
            for piece in (Piece(job.number, job.recipe, left, time) for time in times if left):
                refusal = self.obstacle(kitchen, job, piece)
                late = refusal is not None and refusal.code == "time_constraint"
                if refusal is None or (late and self.rules.expired_lags_unnoticed):
                    listed.setdefault(piece.start, []).append(piece)
                    break
        return sorted(listed.items())

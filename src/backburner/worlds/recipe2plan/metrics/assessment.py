"""What metrics say beyond scores: critics of plans, and the windows that maximum lags leave in an episode.

A window is open from an earlier step's end to the latest start of the later one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from backburner.kernel.assessment import Assessment, Window
from backburner.kernel.episode import Episode
from backburner.kernel.replay import final_state
from backburner.worlds.recipe2plan.game.actions import Piece
from backburner.worlds.recipe2plan.game.compiled import Compiled, Job, LagOf
from backburner.worlds.recipe2plan.game.state import Kitchen, State
from backburner.worlds.recipe2plan.game.text import length
from backburner.worlds.recipe2plan.game.world import Recipe2Plan
from backburner.worlds.recipe2plan.metrics.critics import Critics, accepted


def assessment(world: Recipe2Plan) -> Assessment:
    """The critics of the world's plans, and the windows of its lags."""

    def windows(episode: Episode) -> tuple[Window, ...]:
        found = lag_windows(world.compiled, accepted(episode), final_state(episode, world))
        return pictured(world.compiled, found)

    return Assessment(critics=Critics(world.scenario, world.reader), windows=windows)


class LagWindow(Struct, frozen=True):
    """The earlier step of ``lag`` ended, or will end, at second ``ended``.

    ``met``: when the last piece of the later step began; ``None`` if that step is not complete.
    ``missed``: it can no longer be in time, or play ended because it was tried too late.
    """

    lag: LagOf
    ended: int
    met: int | None
    missed: bool

    @property
    def closes(self) -> int:
        """The latest start."""
        return self.ended + self.lag.seconds


def lag_windows(compiled: Compiled, pieces: Sequence[Piece], state: State) -> Iterator[LagWindow]:
    """One for each lag in force whose earlier step is complete.

    ``pieces`` are the actions that were carried out on the way to ``state``.
    """
    kitchen, tried_too_late = state.kitchen, violated(compiled, state)
    for lag in compiled.lags:
        if kitchen.left[lag.earlier]:
            continue
        ended, met = _ended_and_met(compiled, lag, pieces)
        complete = not kitchen.left[lag.job]
        late = _ready(compiled, kitchen, lag) > ended + lag.seconds or lag == tried_too_late
        yield LagWindow(lag, ended, met if complete else None, late and not complete)


def _ready(compiled: Compiled, kitchen: Kitchen, lag: LagOf) -> int:
    """No start of the later step is possible before: now, or when all that runs and is needed has ended."""
    needs = compiled.jobs[lag.job].after
    return max((kitchen.clock, *(kitchen.ends[need] or 0 for need in needs if not kitchen.left[need])))


def violated(compiled: Compiled, state: State) -> LagOf | None:
    """The lag whose late step was tried, where play ended because of that."""
    refusal = state.feedback.refusal
    if state.ended != "time_constraint" or refusal is None or refusal.code != "time_constraint":
        return None
    jobs = compiled.jobs_of[str(refusal.get("recipe"))]
    tried = (lag for job in jobs if job.number == refusal.get("step") for lag in job.lags)
    return next(lag for lag in tried if lag.after == refusal.get("after"))


def _ended_and_met(compiled: Compiled, lag: LagOf, pieces: Sequence[Piece]) -> tuple[int, int | None]:
    """When the earlier step ended, as it was known when the later one began last."""
    ended, met, left = 0, None, compiled.jobs[lag.job].step.seconds
    for piece in pieces:
        job = compiled.job_of(piece)
        index = job.index if isinstance(job, Job) else None
        if index == lag.earlier and left:  # zero more seconds of a complete step count as its end too
            ended = piece.stop
        elif index == lag.job and piece.seconds:
            met, left = piece.start, left - piece.seconds
    return ended, met


def pictured(compiled: Compiled, found: Iterator[LagWindow]) -> tuple[Window, ...]:
    """The windows as every timeline draws them, on the lanes of the later steps."""
    windows = (
        Window(
            lane=compiled.jobs[window.lag.job].lane,
            label=label(compiled, window.lag),
            opens=window.ended,
            closes=window.closes,
            state="missed" if window.missed else "open" if window.met is None else "kept",
            met=window.met,
        )
        for window in found
    )
    return tuple(sorted(windows, key=lambda window: (window.opens, window.closes, window.label)))


def label(compiled: Compiled, lag: LagOf) -> str:
    """``Vada 7 within 2 min of 5``."""
    return f"{compiled.jobs[lag.job].label} within {length(lag.seconds)} of {lag.after}"

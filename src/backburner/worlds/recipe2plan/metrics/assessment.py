"""What metrics say beyond scores: critics of plans, and the windows that maximum lags leave in an episode.

A window is open from an earlier step's end to the latest start of the later one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.assessment import Assessment, Window
from backburner.kernel.episode import Entry, Episode
from backburner.kernel.replay import final_state
from backburner.kernel.values import Refusal
from backburner.worlds.recipe2plan.game.compiled import Compiled, Job, LagOf
from backburner.worlds.recipe2plan.game.reading import Reader
from backburner.worlds.recipe2plan.game.scenarios import Scenario
from backburner.worlds.recipe2plan.game.state import NO_ACTION, Cook, Kitchen, Piece, State
from backburner.worlds.recipe2plan.game.text import length
from backburner.worlds.recipe2plan.game.world import Recipe2Plan
from backburner.worlds.recipe2plan.metrics.critics import (
    Critique,
    Violation,
    clock_words,
    criticise,
    describe,
    in_order,
)


def assessment(world: Recipe2Plan) -> Assessment:
    """The critics of the world's plans, and the windows of its lags."""

    def windows(episode: Episode) -> tuple[Window, ...]:
        found = lag_windows(world.compiled, accepted(episode), final_state(episode, world))
        return pictured(world.compiled, found)

    return Assessment(critics=Critics(world.scenario, world.reader), windows=windows)


# --- critics of plans as they are written ----------------------------------------------------------------


class Critics:
    """The critics of one scenario, with the reader of the answers to it."""

    def __init__(self, scenario: Scenario, reader: Reader) -> None:
        self.scenario = scenario
        self.reader = reader

    def criticise(self, plan: str | Sequence[Any] | Episode) -> Critique | Refusal:
        """What is wrong with a plan: a text, rows ``[step, recipe, seconds, start]``, or a record,
        whose plan is what was accepted in it. A text without any action comes back as a refusal.

        Raises ``msgspec.ValidationError`` for rows that are none.
        """
        pieces = self._pieces(plan)
        return NO_ACTION if pieces is None else criticise(self.scenario, pieces)

    def as_decision(self, plan: str | Sequence[Any] | Episode) -> Cook | Refusal:
        """The plan as one decision, its actions ``in_order``."""
        pieces = self._pieces(plan)
        return NO_ACTION if pieces is None else Cook(in_order(self.scenario, pieces))

    def _pieces(self, plan: str | Sequence[Any] | Episode) -> Sequence[Piece] | None:
        """The actions of a plan; ``None`` for a text without any."""
        if isinstance(plan, Episode):
            return accepted(plan)
        if not isinstance(plan, str):
            return [Piece(*row) for row in msgspec.convert(plan, tuple[tuple[int, str, int, int], ...])]
        decision = self.reader.read_plan(plan)
        return decision.actions if isinstance(decision, Cook) else None

    def complaint(self, violation: Violation) -> str:
        """The violation as a sentence."""
        return describe(violation)

    def moment(self, time: int) -> str:
        """A second of the clock as HH:MM:SS."""
        return clock_words(time)


def accepted(episode: Episode) -> tuple[Piece, ...]:
    """The actions of a record that were carried out, in that order."""
    return tuple(piece for entry in episode.entries for piece in _carried_out(entry))


def _carried_out(entry: Entry) -> tuple[Piece, ...]:
    """Those before the refused one, with the starts that they had; none of what was no decision."""
    pieces: list[Piece] = []
    for answer in entry.answers.values():
        try:
            decision = msgspec.convert(answer.decision, Cook)
        except msgspec.ValidationError:
            continue
        pieces += decision.actions[: entry.refusals[0].index] if entry.refusals else decision.actions
    works = (event.time for event in entry.events if event.what == "start" and event.kind == "work")
    late = int(next(works, pieces[0].start)) - pieces[0].start if pieces else 0
    return tuple([replace(piece, start=piece.start + late) for piece in pieces] if late else pieces)


# --- windows of maximum lags ------------------------------------------------------------------------------


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

"""Bots follow a record: its decisions are carried out on the server, and what is seen there is compared.

The record stays what the world makes of these decisions, so that it replays without any server; what was
observed after each step stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.replay import decisions_in, trajectory
from backburner.live.messages import (
    Act,
    Acted,
    Cell,
    Change,
    LiveError,
    Observation,
    Observe,
    Prepare,
    Prepared,
    Restore,
    Restored,
)
from backburner.live.stage import Stage
from backburner.live.worker import Worker

SECONDS_TO_ANSWER = 60.0
SECONDS_A_TICK = 0.05
SLACK = 4.0
"""A step may take so many times as long as its ticks, on a server that is late."""


class Observed(Struct, frozen=True):
    """A step, counted from 1, as it went on the server. ``predicted``: what the world has in the chest after
    it."""

    step: int
    acted: Acted
    seen: Observation
    predicted: dict[str, int]

    @property
    def agrees(self) -> bool:
        """Whether the chest holds what the world says."""
        return self.seen.chest == self.predicted


async def changes_for(worker: Worker, stage: Stage, corner: Cell) -> tuple[Change, ...]:
    """Everything that would be changed on the server; nothing is."""
    return (await worker.ask(stage.farm(corner), Prepared, SECONDS_TO_ANSWER)).changes


async def follow(
    worker: Worker,
    world: World[Any, Any, Any],
    stage: Stage,
    episode: Episode,
    corner: Cell,
    *,
    steps: int | None = None,
    tell: Callable[[Observed], object] = lambda observed: None,
) -> list[Observed]:
    """Build the farm, carry out the decisions of a record, and put back what was changed, whatever happens.

    ``tell`` hears of each step at once. Raises ``LiveError`` if the farm cannot be built, or a bot is gone or
    kicked; what was observed before was told.
    """
    wanted: Prepare = replace(stage.farm(corner), dry_run=False)
    await worker.ask(wanted, Prepared, SECONDS_TO_ANSWER)
    found: list[Observed] = []
    try:
        for _, entry, step in trajectory(episode, world):
            act = stage.act(decisions_in(world, entry))
            if act is None:  # no time passes
                continue
            if steps is not None and len(found) >= steps:
                break
            observed = await _step(worker, stage, len(found) + 1, act, stage.chest(step.state))
            found.append(observed)
            tell(observed)
            _check(observed)
    finally:
        if worker.alive:
            await _put_back(worker)
    return found


async def _step(worker: Worker, stage: Stage, number: int, act: Act, chest: dict[str, int]) -> Observed:
    longest = (act.before + act.after + act.timeout_ticks) * SECONDS_A_TICK * SLACK
    acted = await worker.ask(act, Acted, SECONDS_TO_ANSWER + longest)
    seen = await worker.ask(Observe(stage.kinds), Observation, SECONDS_TO_ANSWER)
    return Observed(number, acted, seen, chest)


def _check(observed: Observed) -> None:
    """A bot that is gone ends the play."""
    for call in observed.acted.calls:
        if call.kind in ("gone", "kicked"):
            raise LiveError(call.kind, call.error or f"{call.bot} is {call.kind}")


async def _put_back(worker: Worker) -> None:
    try:
        await worker.ask(Restore(), Restored, SECONDS_TO_ANSWER)
    except LiveError as error:
        if error.kind not in ("gone", "kicked", "worker"):  # then there is nobody who could
            raise


def write_observed(steps: Sequence[Observed], file: Path) -> None:
    """One line a step: what bots did, what was seen, what was predicted."""
    file.write_bytes(b"".join(msgspec.json.encode(step) + b"\n" for step in steps))

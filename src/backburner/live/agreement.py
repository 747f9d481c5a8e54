"""Whether a server and the rules agree: the chest after each step of a record, as it was seen and as it was
predicted from the step before.

What else differs in a step, its events of the kind ``differs`` tell in words.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from backburner.kernel.episode import Episode
from backburner.kernel.replay import trajectory
from backburner.live.stage import Stage


class Compared(Struct, frozen=True):
    """A step, counted from 1: what was in the chest after it, what was predicted, and all that differs."""

    step: int
    seen: dict[str, int]
    predicted: dict[str, int]
    differs: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Whether the chest holds what was predicted."""
        return self.seen == self.predicted


def compared(episode: Episode, stage: Stage) -> Iterator[Compared]:
    """Each step of a record that was seen on a server."""
    number = 0
    for state, entry, step in trajectory(episode, stage.world):
        if stage.seat not in entry.answers:
            continue
        number += 1
        predicted = stage.world.step(state, {stage.seat: stage.as_predicted}).state
        differs = tuple(event.label for event in step.events if event.kind == "differs")
        yield Compared(number, stage.chest(step.state), stage.chest(predicted), differs)

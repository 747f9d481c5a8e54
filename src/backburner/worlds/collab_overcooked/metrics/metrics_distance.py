"""A score without references: how much nearer to completion each action brought the kitchen.

The exact steps to go come from a search; here they are only compared. An action of an optimal plan
brings the kitchen nearer by as many steps as it takes.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from backburner.kernel.scoring import mean


class Advance(Struct, frozen=True):
    """One action: the least steps to completion before it began and when it was over, and its length.

    Steps to go are ``None`` where the order cannot be completed any more.
    """

    call: str
    before_steps: int | None
    after_steps: int | None
    elapsed_steps: int

    @property
    def change_steps(self) -> int | None:
        """Steps to go before less those after, at most ``elapsed_steps``; ``None`` if either is unknown."""
        if self.before_steps is None or self.after_steps is None:
            return None
        return self.before_steps - self.after_steps

    @property
    def lost_steps(self) -> int | None:
        """The steps it took less the change: 0 for an action of an optimal plan."""
        return None if self.change_steps is None else self.elapsed_steps - self.change_steps


class Distance(Struct, frozen=True):
    """The changes of an episode's actions, and their means over the actions where they are defined."""

    changes_steps: tuple[int | None, ...]
    mean_change_steps: float | None
    mean_lost_steps: float | None


def distance(advances: Sequence[Advance]) -> Distance:
    """The change of each action and the means; a mean is ``None`` if it is defined for no action."""
    changes = tuple(advance.change_steps for advance in advances)
    return Distance(changes, mean(changes), mean([advance.lost_steps for advance in advances]))

"""Criticism of whole plans: everything that is wrong at once, where a world stops at the first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from backburner.kernel.episode import Episode
from backburner.kernel.values import Refusal


class Violated(Protocol):
    """One thing that is wrong with a plan."""

    @property
    def family(self) -> str:
        """The kind of constraint that is violated, in the article's words."""


class Criticism(Protocol):
    """What is wrong with a plan; where nothing is, what could be better. Times in the world's unit."""

    @property
    def violations(self) -> Sequence[Violated]:
        """All of them, family by family."""

    @property
    def finish(self) -> int:
        """When the last action ends."""

    @property
    def idle(self) -> Sequence[tuple[int, int]]:
        """From when to when nobody has anything to do, in a plan without violations."""


@runtime_checkable
class Criticisable(Protocol):
    """The world can say everything that is wrong with a whole plan at once."""

    def criticise(self, plan: str | Sequence[Any] | Episode) -> Criticism | Refusal:
        """What is wrong with a plan given as a text, as rows of JSON values, or as what was accepted
        in a record. A text that holds no plan comes back as a refusal.

        Raises ``msgspec.ValidationError`` for rows that are no plan.
        """

    def complaint(self, violation: Any) -> str:
        """The violation as a sentence."""

    def moment(self, time: int) -> str:
        """A time of a plan as plans write it."""

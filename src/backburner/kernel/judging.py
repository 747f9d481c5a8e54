"""What a single decision is worth where it is taken: for probes, which ask for it again and again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

from msgspec import Struct

from backburner.kernel.values import Refusal, Seat

S_contra = TypeVar("S_contra", contravariant=True)
D_contra = TypeVar("D_contra", contravariant=True)


class Judgement(Struct, frozen=True):
    """A decision by one ``criterion``: it is good if the score is above 0; ``note`` says why it is not."""

    criterion: str
    score: float
    note: str = ""


@runtime_checkable
class Judging(Protocol[S_contra, D_contra]):
    """The world can tell what one decision is worth."""

    def judge(
        self,
        past: Sequence[tuple[S_contra, Mapping[Seat, Any]]],
        state: S_contra,
        seat: Seat,
        decision: D_contra | Refusal,
    ) -> Sequence[Judgement]:
        """A decision of a seat that must decide in ``state``, by the same criteria every time.

        ``past``: the (state, decisions) that have led there from the start. A refusal is what could not
        be read. Raises ``Refused`` where the scenario has nothing to compare with.
        """

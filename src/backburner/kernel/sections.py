"""What a seat is told, in its parts: for whoever leaves some of them out, as ablations do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, Protocol, TypeVar, runtime_checkable

from msgspec import Struct

from backburner.kernel.values import Seat

Kind = Literal[
    "role", "task", "instructions", "hints", "recipes", "answering", "feedback", "state", "question"
]
"""Who one is; what is to be done; rules, actions, things and places; advice that could be found out by
thinking; how things are made; how to answer. Of a moment: what became of the last decision; how things
stand; what is asked."""

O_contra = TypeVar("O_contra", contravariant=True)


class Part(Struct, frozen=True):
    """A part of a text, with what stands between it and the next."""

    kind: Kind
    text: str


@runtime_checkable
class Sectioned(Protocol[O_contra]):
    """The world tells what it tells in parts. Put together as they stand they are the whole text.

    There may be several parts of a kind, and none.
    """

    def briefing_parts(self, seat: Seat) -> Sequence[Part]:
        """The parts of ``briefing(seat)``."""

    def description_parts(self, observation: O_contra) -> Sequence[Part]:
        """The parts of ``describe(observation)``."""


def parted(parts: Iterable[tuple[Kind, str]], between: str = "\n\n") -> tuple[Part, ...]:
    """The parts that say something, with what stands between them."""
    said = [(kind, text) for kind, text in parts if text]
    return tuple(
        Part(kind, text if number == len(said) else text + between)
        for number, (kind, text) in enumerate(said, 1)
    )


def joined(parts: Iterable[Part]) -> str:
    """The whole text."""
    return "".join(part.text for part in parts)


def only(parts: Iterable[Part], *kinds: Kind) -> str:
    """The text of the parts of these kinds, in their order; empty if there are none."""
    return joined(part for part in parts if part.kind in kinds).strip()


def without(parts: Iterable[Part], *kinds: Kind) -> str:
    """The text of all other parts, in their order."""
    return joined(part for part in parts if part.kind not in kinds).strip()

"""Inquiries: decisions for which a world wants to be told something, and no move is made."""

from __future__ import annotations

from typing import Protocol, TypeVar, runtime_checkable

from msgspec import Struct

O_contra = TypeVar("O_contra", contravariant=True)


class Inquiry(Struct, frozen=True):
    """What is to be told: its ``kind``, such as ``beliefs``, and how many ``parts`` an answer has."""

    kind: str
    parts: int = 1


@runtime_checkable
class Inquiring(Protocol[O_contra]):
    """Before some of its decisions the world wants to be told something.

    Its texts say what, and in which form, and tell whatever was answered again wherever it matters later:
    nobody needs to remember it.
    """

    def inquiry(self, observation: O_contra) -> Inquiry | None:
        """What the seat is to tell now; ``None`` where it is to make a move."""

"""What an answer is wanted for, in worlds that ask for more than the next decision.

Where they inquire no move is made; where seats talk, answers are made in several rounds.
"""

from __future__ import annotations

from typing import Literal, Protocol, TypeVar, runtime_checkable

from msgspec import Struct

O_contra = TypeVar("O_contra", contravariant=True)


class Question(Struct, frozen=True):
    """What is asked.

    ``plan``: what to do; ``answer``: what the partner said; ``continue``: what the partner answered;
    ``correct``: something else in place of what was refused. ``repair``: the last answer could not be
    read, and is asked for again. ``complaint``: what was refused last, in words; empty for nothing.
    """

    wants: Literal["plan", "answer", "continue", "correct"]
    repair: bool = False
    complaint: str = ""


@runtime_checkable
class Conversing(Protocol[O_contra]):
    """The world lets seats talk and correct what they planned, and says what each answer is for."""

    def question(self, observation: O_contra) -> Question:
        """What is wanted of a seat that must decide and sees this."""


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

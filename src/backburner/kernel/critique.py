"""Criticism of whole plans: everything that is wrong at once, where a world stops at the first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from backburner.kernel.episode import Episode
from backburner.kernel.policy import Thought
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

    def as_decision(self, plan: str | Sequence[Any] | Episode) -> Any | Refusal:
        """The plan, given in the same ways, as the one decision that is tried as the critics saw it: with
        actions that start together in the order that serves the plan.

        Raises ``msgspec.ValidationError`` for rows that are no plan.
        """

    def complaint(self, violation: Any) -> str:
        """The violation as a sentence."""

    def moment(self, time: int) -> str:
        """A time of a plan as plans write it."""


# --- rounds of plans and critique, as a policy leaves them among its thoughts ---------------------------

PLAN, REFORMATTED, CRITIQUE = "plan", "reformatted", "critique"
"""Purposes of thoughts, each with the round's number behind it: what was proposed, the same in a form that
can be read where it could not be, and what the critics said. Round 0 is a plan to start from."""


def rounds_of(thoughts: Sequence[Thought]) -> dict[int, str]:
    """The plan of each round as it was criticised; empty without such thoughts."""
    said = {thought.purpose: thought.text for thought in thoughts}
    numbers = [purpose.removeprefix(f"{PLAN} ") for purpose in said if purpose.startswith(f"{PLAN} ")]
    criticised = [number for number in numbers if number.isdecimal() and f"{CRITIQUE} {number}" in said]
    return {
        int(number): said.get(f"{REFORMATTED} {number}", said[f"{PLAN} {number}"]) for number in criticised
    }

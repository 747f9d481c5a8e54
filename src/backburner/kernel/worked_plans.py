"""Worked examples of whole plans, for prompts that show how one is made."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from msgspec import Struct


class WorkedPlan(Struct, frozen=True):
    """A plan for another scenario: the ``task`` as the world tells it, in ``outline`` what goes on at the
    same time, and the ``plan`` as the world reads it."""

    task: str
    outline: str
    plan: str


@runtime_checkable
class Exemplary(Protocol):
    """The world has an example of a whole plan for a scenario that is none of those that are played."""

    def worked_plan(self, single: bool = False) -> WorkedPlan:
        """The example, of which is told as much as this world tells of its own scenario.

        ``single``: a task with one part only, where nothing of another part is done in between.
        """

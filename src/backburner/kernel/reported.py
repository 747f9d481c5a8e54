"""Worlds that can be played elsewhere as well: a seat reports what was seen there of each step.

Nobody sits at that seat. It decides after all others, without any time between, and what it says is what
there is after the step. On its menu stands one option that passes: all is as the rules predict.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Protocol, runtime_checkable

from backburner.kernel.contract import World
from backburner.kernel.values import Seat


@runtime_checkable
class Reported(Protocol):
    """The world's scenarios may have a seat that reports.

    ``live_option``: the option of an id, and its value, with which a scenario has it.
    """

    live_option: tuple[str, str]

    @property
    @abstractmethod
    def reporter(self) -> Seat:
        """The seat; empty where the scenario has none."""

    @property
    @abstractmethod
    def speaker(self) -> Seat:
        """The seat whose words persons there may say; empty where the scenario has none."""


def reporter_of(world: World[Any, Any, Any]) -> Seat:
    """The seat of a world that reports; empty if there is none."""
    return world.reporter if isinstance(world, Reported) else ""


def speaker_of(world: World[Any, Any, Any]) -> Seat:
    """The seat whose words persons may say where a game is reported from; empty if there is none."""
    return world.speaker if isinstance(world, Reported) else ""

"""Agents of a user's own, as somebody writes them in a module: good ones, and every mistake."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backburner.kernel.errors import PolicyFailure, Refused
from backburner.kernel.policy import Reply, Turn

A_NUMBER = 7


class Patient:
    """Rests always. Knows the world it was made for."""

    informed = False

    def __init__(self, world: Any) -> None:
        self.name = "patient"
        self.settings: Mapping[str, Any] = {"made_for": world.id}

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        return Reply("rest", memory)


class Plain:
    """Needs no world to be made."""

    name = "plain"
    informed = False
    settings: Mapping[str, Any] = {}

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        return Reply(turn.menu.options[0].decision)


def patient_by_function(world: Any) -> Patient:
    return Patient(world)


class Nameless:
    """Forgot two of the four members of an agent."""

    informed = False

    def __init__(self, world: Any) -> None:
        pass

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        return Reply("rest")


class Numbered(Plain):
    name = 7  # type: ignore[assignment]


class Unwritable(Plain):
    settings = {"how": object()}  # noqa: RUF012


class Choosy(Plain):
    def __init__(self, world: Any) -> None:
        raise Refused(f"{world.id} is not for me")


class Broken(Plain):
    def __init__(self, world: Any) -> None:
        raise KeyError("no such door")


class Demanding(Plain):
    def __init__(self, world: Any, courage: int) -> None:
        self.courage = courage


class Crashing(Plain):
    async def decide(self, turn: Turn, memory: Any) -> Reply:
        raise ZeroDivisionError("counted wrong")


class Leaving(Plain):
    def __init__(self, world: Any) -> None:
        raise SystemExit(3)


class Failing(Plain):
    async def decide(self, turn: Turn, memory: Any) -> Reply:
        raise PolicyFailure("telephone", "nobody answers")


class Talkative(Plain):
    async def decide(self, turn: Turn, memory: Any) -> Reply:
        return "rest"  # type: ignore[return-value]


class Hasty(Plain):
    def decide(self, turn: Turn, memory: Any) -> Reply:  # type: ignore[override]
        return Reply("rest")

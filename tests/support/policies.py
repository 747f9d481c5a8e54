"""Policies for tests of the kernel: they answer what they are told to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from backburner.kernel.policy import Reply, Turn


class Answers:
    """Gives these answers in turn, and the last one from then on."""

    informed = False
    settings: Mapping[str, Any] = {}

    def __init__(self, *answers: Any, name: str = "answers") -> None:
        self.answers = answers
        self.name = name

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        given = memory or 0
        return Reply(self.answers[min(given, len(self.answers) - 1)], memory=given + 1)


class Calls:
    """Answers whatever a function of the turn comes to."""

    name = "calls"
    settings: Mapping[str, Any] = {}

    def __init__(self, answer: Callable[[Turn], Awaitable[Any]], *, informed: bool = False) -> None:
        self.answer = answer
        self.informed = informed

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        return Reply(await self.answer(turn))


class FirstOnMenu:
    """Takes the first decision on the menu."""

    name = "first"
    informed = False
    settings: Mapping[str, Any] = {"order": "menu"}

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        return Reply(turn.menu.options[0].decision)

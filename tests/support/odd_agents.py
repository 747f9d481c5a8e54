"""Agents of one's own that do what agents should not."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from typing import Any

from backburner.kernel.policy import Reply, Turn


class Counting:
    """Remembers how often it was asked, and tells in a thought; prints as it likes."""

    name = "counting"
    informed = False
    settings: Mapping[str, Any] = {}

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        from backburner.kernel.values import Thought

        print("I print what I like")
        asked = int(memory or 0) + 1
        return Reply(turn.menu.options[-1].decision, asked, thoughts=(Thought("count", str(asked)),))


class Sleeping(Counting):
    """Thinks for ever at its third turn."""

    name = "sleeping"

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        if turn.index == 2:
            time.sleep(3600)
        return await super().decide(turn, memory)


class Dying(Counting):
    """Takes its process with it at its third turn, the first time."""

    name = "dying"

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        if turn.index == 2 and not os.path.exists(os.environ["ODD_MARK"]):  # noqa: PTH110
            with open(os.environ["ODD_MARK"], "w"):  # noqa: PTH123
                os._exit(3)
        return await super().decide(turn, memory)


class Raising(Counting):
    """Makes a mistake in every turn."""

    name = "raising"

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        sys.stdout.write("before I fail\n")
        raise ValueError("a mistake")

"""An agent that now and then says what nobody can read, or what is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backburner.kernel.policy import Reply, Turn


class Blunderer:
    """Takes the menu's first option, but at each third decision what is no action or was done before."""

    name = "blunderer"
    informed = False
    settings: Mapping[str, Any] = {}

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """``memory``: its first decision."""
        first = memory or turn.menu.options[0].decision
        if turn.index % 6 == 2:
            return Reply("sing", first)
        return Reply(first if turn.index % 6 == 5 else turn.menu.options[0].decision, first)

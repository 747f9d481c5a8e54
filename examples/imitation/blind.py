"""A baseline that knows what a language model knows and understands none of it: any verb with any things.

``backburner run SCENARIOS --agent blind:Blind``, from this folder. The package's own ``random`` draws from
the menu, where only what can be done stands.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from backburner.kernel.policy import Reply, Turn


class Blind:
    """Draws a form of the briefing and things for it, each as likely as the other."""

    name = "blind"
    informed = False
    settings: Mapping[str, Any] = {}

    def __init__(self, world: Any) -> None:
        self._verbs = list(world.compiled.verbs.values())
        self._things = [item.name for item in world.compiled.items]

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """Some action in words."""
        draw = random.Random(f"{turn.seed}/{turn.index}")
        verb = draw.choice(self._verbs)
        return Reply(verb.words(*(draw.choice(self._things) for _ in range(1 + verb.takes_two))))

"""An agent that says known texts."""

from __future__ import annotations

from backburner.kernel.policy import Reply
from backburner.kernel.values import Thought


class Scripted:
    """Says its texts one after the other, then gives up; thinks before each."""

    name, informed, settings = "scripted", False, {}

    def __init__(self, texts):
        self.texts = texts

    async def decide(self, turn, memory):
        at = memory or 0
        text = self.texts[at] if at < len(self.texts) else "quit"
        return Reply(text, at + 1, (Thought("plan", f"thought {at}"),))

"""Starts whatever stands first on the menu."""

import backburner


class Agent:
    name, informed, settings = "first", False, {}

    async def decide(self, turn, memory):
        return backburner.Reply(turn.menu.options[0].decision)

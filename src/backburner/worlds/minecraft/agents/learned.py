"""Learned play: a network that weighs what each bot can do; numpy alone.

How it was trained stands beside the weights (``data/learned``). Beside what its seat is told it knows how
often orders come, and when the episode ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from backburner.arrays.entities import Glance
from backburner.arrays.network import Network, read_network
from backburner.arrays.player import check_reads, shipped
from backburner.kernel.policy import Reply, Turn
from backburner.worlds.minecraft.arrays.outlook import READS, Step
from backburner.worlds.minecraft.game.world import Minecraft


class LearnedDispatcher:
    """Plays the bodies of its seat by a network; of other seats it knows what they are at.

    Raises ``Refused`` for a network that reads other numbers.
    """

    informed = True

    def __init__(self, world: Minecraft, name: str, network: Network) -> None:
        check_reads(name, network, "minecraft", READS, training="minecraft")
        self.name = name
        self.settings: Mapping[str, Any] = network.settings
        self._world, self._network = world, network

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """For each body what the network scores highest; nothing new from a seat without bodies."""
        seen, menu = turn.observation, turn.menu
        if not seen.own and (nothing_new := menu.passing):
            return Reply(nothing_new.decision, memory)
        step: Glance = Step(self._world, seen, menu)
        for body in range(len(seen.own)):
            context, codes = step.look(body)
            step.take(body, int(self._network.scores(context, codes).argmax()))
        return Reply(step.decision, memory)


def learned(world: Minecraft) -> LearnedDispatcher:
    """Who plays by the network that ships."""
    return LearnedDispatcher(
        world, "learned", shipped("backburner.worlds.minecraft", "data/learned/policy.safetensors")
    )


def player(world: Minecraft, file: Path) -> LearnedDispatcher:
    """Whoever plays by the weights of a file; raises ``BadFile``, ``Refused``."""
    return LearnedDispatcher(world, f"weights:{file}", read_network(file))

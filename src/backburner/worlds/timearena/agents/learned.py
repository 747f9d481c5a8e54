"""Learned play: a network that scores every act by what the rules know of it; numpy alone.

How it was trained stands beside the weights (``data/learned``). It knows more than the agent is told, as the
order of the released oracle script does: how long everything takes, and what needs it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from backburner.arrays.network import Network, read_network
from backburner.arrays.player import Player
from backburner.kernel.policy import Reply, Turn
from backburner.worlds.timearena.arrays.entities import entities
from backburner.worlds.timearena.game import TimeArena

WORLD = "timearena"


class LearnedAgent:
    """Starts, in each minute, what the network scores highest; raises ``Refused`` for another network."""

    informed = True

    def __init__(self, world: TimeArena, network: Network, name: str = "learned") -> None:
        made = entities(world)
        self._player = Player(name, WORLD, made, network)
        self._encoding = made.batch.encoding
        self.name = name
        self.settings: Mapping[str, Any] = self._player.settings

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The act, or to wait a minute."""
        codes = self._player.codes(turn.state, turn.seat)
        return Reply(self._encoding.decision(turn.state, turn.seat, codes))


@cache
def shipped() -> Network:
    """The network that ships."""
    with as_file(files("backburner.worlds.timearena") / "data" / "learned" / "policy.safetensors") as file:
        return read_network(file)


def learned(world: TimeArena) -> LearnedAgent:
    """The network that ships."""
    return LearnedAgent(world, shipped())


def player(world: TimeArena, file: Path) -> LearnedAgent:
    """Whoever plays by the weights of a file; raises ``BadFile``, ``Refused``."""
    return LearnedAgent(world, read_network(file), f"weights:{file}")

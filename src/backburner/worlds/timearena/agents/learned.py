"""Learned play: a network that scores every act by what the rules know of it; numpy alone.

How it was trained stands beside the weights (``data/learned``). It knows more than the agent is told, as the
order of the released oracle script does: how long everything takes, and what needs it.
"""

from __future__ import annotations

from pathlib import Path

from backburner.arrays.network import Network, read_network
from backburner.arrays.player import InformedPlayer, shipped
from backburner.worlds.timearena.arrays.entities import entities
from backburner.worlds.timearena.game import TimeArena


def learned(world: TimeArena) -> InformedPlayer:
    """Who starts, in each minute, what the network that ships scores highest."""
    network = shipped("backburner.worlds.timearena", "data/learned/policy.safetensors")
    return _player(world, network, "learned")


def player(world: TimeArena, file: Path) -> InformedPlayer:
    """Whoever plays by the weights of a file; raises ``BadFile``, ``Refused``."""
    return _player(world, read_network(file), f"weights:{file}")


def _player(world: TimeArena, network: Network, name: str) -> InformedPlayer:
    return InformedPlayer(name, "timearena", entities(world), network)

"""Learned play: a network that scores every move by the jobs there are; numpy alone.

How it was trained stands beside the weights (``data/learned``). Either cook goes by the whole kitchen and by
the recipes, whoever has them, as the greedy cooks do: nobody speaks here. The assistant expects of the chef
what it would do in its place.
"""

from __future__ import annotations

from pathlib import Path

from backburner.arrays.network import Network, read_network
from backburner.arrays.player import InformedPlayer, shipped
from backburner.worlds.collab_grid.arrays.entities import entities
from backburner.worlds.collab_grid.game.world import CollabGrid


def learned(world: CollabGrid) -> InformedPlayer:
    """Play by the best network."""
    return _player(world, _shipped("high"), "learned")


def learned_low(world: CollabGrid) -> InformedPlayer:
    """Play by the network as it was when its training had just begun to deliver."""
    return _player(world, _shipped("low"), "learned-low")


def player(world: CollabGrid, file: Path) -> InformedPlayer:
    """Whoever plays by the weights of a file; raises ``BadFile``, ``Refused``."""
    return _player(world, read_network(file), f"weights:{file}")


def _shipped(skill: str) -> Network:
    return shipped("backburner.worlds.collab_grid", f"data/learned/{skill}.safetensors")


def _player(world: CollabGrid, network: Network, name: str) -> InformedPlayer:
    return InformedPlayer(name, "collab_grid", entities(world), network)

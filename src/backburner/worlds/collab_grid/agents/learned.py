"""Learned play: a network that scores every move by the jobs there are; numpy alone.

How it was trained stands beside the weights (``data/learned``). Either cook goes by the whole kitchen and by
the recipes, whoever has them, as the greedy cooks do: nobody speaks here.
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
from backburner.worlds.collab_grid.arrays.entities import entities
from backburner.worlds.collab_grid.game.world import CollabGrid

WORLD = "collab_grid"


class LearnedCooks:
    """Plays either cook by a network; the assistant expects of the chef what it would do in its place.

    Raises ``Refused`` where the network reads other numbers than this package has, or the scenario has none.
    """

    informed = True

    def __init__(self, world: CollabGrid, network: Network, name: str = "learned") -> None:
        made = entities(world)
        self._player = Player(name, WORLD, made, network)
        self._encoding = made.batch.encoding
        self.name = name
        self.settings: Mapping[str, Any] = self._player.settings

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The next move; nothing is remembered."""
        codes = self._player.codes(turn.state, turn.seat)
        return Reply(self._encoding.decision(turn.state, turn.seat, codes))


# --- the networks that ship ----------------------------------------------------------------------------


@cache
def shipped(skill: str) -> Network:
    """The network of this skill."""
    with as_file(
        files("backburner.worlds.collab_grid") / "data" / "learned" / f"{skill}.safetensors"
    ) as file:
        return read_network(file)


def learned(world: CollabGrid) -> LearnedCooks:
    """The best network."""
    return LearnedCooks(world, shipped("high"))


def learned_low(world: CollabGrid) -> LearnedCooks:
    """The same training, stopped when it had just begun to deliver."""
    return LearnedCooks(world, shipped("low"), "learned-low")


def player(world: CollabGrid, file: Path) -> LearnedCooks:
    """Whoever plays by the weights of a file; raises ``BadFile``, ``Refused``."""
    return LearnedCooks(world, read_network(file), f"weights:{file}")

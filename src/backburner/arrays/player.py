"""Play by a network that reads entities: from an exact state to the codes of bodies, by numpy alone."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import as_file, files
from typing import Any

import numpy as np

from backburner.arrays.entities import UNDECIDED, Entities
from backburner.arrays.network import Network, read_network
from backburner.kernel.errors import Refused
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.values import Seat


def check_reads(name: str, network: Network, world: str, reads: str, training: str) -> None:
    """Raises ``Refused`` for a network that does not read the entities of a world whose digest is ``reads``.

    ``name``: the agent's. ``training``: what ``backburner train`` is given to train one that does.
    """
    header = network.header
    if header.world != world or header.reads != reads or header.shape.kind != "entities":
        raise Refused(
            f"{name}: a {header.shape.kind} network for {header.world or 'no world'}, which reads other"
            f" numbers than {world} has here; train one: backburner train {training}"
        )


class Player:
    """Chooses codes by a network.

    ``own``: each seat's bodies on the axis of all bodies. ``settings`` tell the network in records. Raises
    ``Refused`` for a network that reads other numbers than these entities have.
    """

    def __init__(self, name: str, world: str, entities: Entities, network: Network) -> None:
        check_reads(name, network, world, entities.reads, f"{world}/...")
        self.own = _axes(entities.batch.encoding.bodies)
        self.settings: Mapping[str, Any] = network.settings
        self._entities, self._network = entities, network

    def codes(self, state: Any, seat: Seat) -> list[int]:
        """A code for each body of the seat. Those of seats before it are expected to do what it would do."""
        batch, own = self._entities.batch, self.own[seat]
        rows = batch.rows(1)
        for name, value in batch.fields(state).items():
            getattr(rows, name)[0] = value
        bodies = sum(map(len, self.own.values()))
        chosen = np.full(bodies, UNDECIDED, np.int64)
        mask = np.zeros(len(batch.encoding.actions), np.uint8)
        context = np.zeros(len(self._entities.context_names), np.float32)
        codes = np.zeros((len(mask), len(self._entities.code_names)), np.float32)
        for body in range(own.stop):
            self._entities.look(
                *(batch.tables, self._entities.tables, rows, 0, body, chosen, mask, context, codes)
            )
            chosen[body] = self._network.choose(mask, context, codes)
        return [int(chosen[body]) for body in own]


class InformedPlayer:
    """A policy that looks at the state and remembers nothing. Raises ``Refused`` as ``Player`` does."""

    informed = True

    def __init__(self, name: str, world: str, entities: Entities, network: Network) -> None:
        self._player = Player(name, world, entities, network)
        self._encoding = entities.batch.encoding
        self.name = name
        self.settings: Mapping[str, Any] = self._player.settings

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """What the network scores highest, for each body of the seat."""
        codes = self._player.codes(turn.state, turn.seat)
        return Reply(self._encoding.decision(turn.state, turn.seat, codes))


@cache
def shipped(package: str, path: str) -> Network:
    """The network that ships with a world's package, such as ``data/learned/high.safetensors``."""
    with as_file(files(package).joinpath(path)) as file:
        return read_network(file)


def _axes(bodies: Mapping[Seat, tuple[str, ...]]) -> dict[Seat, range]:
    axes, first = {}, 0
    for seat, names in bodies.items():
        axes[seat] = range(first, first + len(names))
        first += len(names)
    return axes

"""Play by a network in numpy alone: from an exact state to the codes of bodies.

The network reads entities, or the features of one list of codes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import as_file, files
from typing import Any

import numpy as np

from backburner.arrays.encoding import Encoding
from backburner.arrays.entities import UNDECIDED, Entities
from backburner.arrays.network import Network, Numbers, read_network, reading_digest
from backburner.kernel.errors import Refused
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.values import Seat

# --- entities ----------------------------------------------------------------------------------------------


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


# --- one list of codes -------------------------------------------------------------------------------------


class ListPlayer:
    """Chooses codes by a list network (see ``network``), in scenarios that have its codes and features.

    A *shared* network decides for each body by what this body sees, and which body it is; a *central* one by
    what all bodies see and what those before have chosen, for which they need to be of one seat.
    ``settings`` tell the network in records. Raises ``Refused`` for a network that does not fit.
    """

    def __init__(self, name: str, world: str, encoding: Encoding[Any, Any], network: Network) -> None:
        header, bodies = network.header, encoding.bodies
        self._encoding, self._network = encoding, network
        self._order = tuple(body for own in bodies.values() for body in own)
        codes, features, count = len(encoding.actions), len(encoding.feature_names), len(self._order)
        sizes = {(features + count, codes): False, (count * (features + codes), count * codes): True}
        central = sizes.get((header.shape.context, header.shape.codes))
        reads = reading_digest(encoding.actions, encoding.feature_names)
        if header.world != world or header.reads != reads or header.shape.kind != "list" or central is None:
            raise Refused(
                f"{name}: a network for one list of codes of {header.world or 'no world'}, and this scenario"
                " has other codes, features or bodies; train one:"
                f" backburner train {world}/... --set network=list"
            )
        if central and len(bodies) > 1:
            raise Refused(f"{name}: a central network decides for all bodies, which need to have one seat")
        self.central = central
        self.settings: Mapping[str, Any] = network.settings

    def codes(self, state: Any, seat: Seat) -> list[int]:
        """A code for each body of the seat."""
        features = np.array(self._encoding.features(state, seat), np.float32)
        masks = np.array(self._encoding.mask(state, seat), np.uint8)
        chosen: list[int] = []
        for index, body in enumerate(self._encoding.bodies[seat]):
            seen = self._all(features, chosen) if self.central else self._one(features[index], body)
            scores = self._network.scores(seen)
            if self.central:
                scores = scores.reshape(len(self._order), -1)[index]
            (allowed,) = np.nonzero(masks[index])
            chosen.append(int(allowed[np.argmax(scores[allowed])]))
        return chosen

    def _one(self, features: Numbers, body: str) -> Numbers:
        """What a body sees, and which of all bodies it is."""
        which = np.zeros(len(self._order), np.float32)
        which[self._order.index(body)] = 1
        return np.concatenate((features, which))

    def _all(self, features: Numbers, chosen: list[int]) -> Numbers:
        """What all bodies see, and what those before have chosen."""
        taken = np.zeros((len(features), len(self._encoding.actions)), np.float32)
        taken[np.arange(len(chosen)), chosen] = 1
        return np.concatenate((features.ravel(), taken.ravel()))

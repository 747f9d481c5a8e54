"""Play by a network that reads the features of one list of codes: exact states in, codes out, numpy alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from backburner.arrays.encoding import Encoding
from backburner.arrays.network import Network, Numbers, reading_digest
from backburner.kernel.errors import Refused
from backburner.kernel.values import Seat


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
                f" backburner train {world}/... --network list"
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

"""What another package would offer for the relay world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backburner.kernel.catalogue import Catalogue
from backburner.kernel.errors import UnknownName
from support.small_worlds.relay import Limits, Relay, Rules, Scenario


def relay_world(id: str, scenario: Scenario, rules: Rules, limits: Limits) -> Relay:
    """The relay under these rules and limits; it is always the same door."""
    world = Relay(limits)
    world.rules = rules
    return world


class RelayCatalogue(Catalogue[Relay]):
    """One door."""

    name = "relay"
    world = staticmethod(relay_world)
    scenario_type, rules_type, limits_type = Scenario, Rules, Limits
    rules: Mapping[str, Any] = {"standard": Rules(), "released": Rules("released", oil_steps=9)}
    no_limits = Limits()

    def suites(self) -> Mapping[str, Sequence[str]]:
        return {"all": ("door",)}

    def scenario(self, path: str, options: Mapping[str, str]) -> Scenario:
        if path != "door":
            raise UnknownName("door", path, ["door"], "relay")
        return Scenario()


catalogue = RelayCatalogue()

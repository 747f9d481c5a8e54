"""Half of a surrogate pair, which a model may write as a JSON escape, is no decision anywhere."""

from __future__ import annotations

import json
from typing import Any

import pytest

import backburner
from backburner.kernel import packs, registry
from backburner.kernel.contract import decision_of
from backburner.kernel.menu import Menus
from backburner.kernel.values import canonical_json

HALF = "\ud800"


def halved(value: Any) -> Any:
    """A JSON value with the half in all of its texts."""
    if isinstance(value, dict):
        return {name: halved(part) for name, part in value.items()}
    return [halved(part) for part in value] if isinstance(value, list) else HALF


@pytest.mark.parametrize("name", sorted(packs.installed().packs))
def test_what_holds_half_a_character_is_a_decision_or_refused(name: str) -> None:
    world = backburner.world(registry.expand(f"{name}/quick")[0])
    state = world.start()
    (seat, *_) = world.deciders(state)
    assert isinstance(world, Menus)
    option = json.loads(canonical_json(next(iter(world.menu(state, seat).options)).decision))
    for written in (HALF, [HALF], {HALF: HALF}, halved(option), [halved(option)], {"calls": [HALF]}):
        decision = decision_of(world, written)
        canonical_json(decision)
        world.step(state, dict.fromkeys(world.deciders(state), decision))

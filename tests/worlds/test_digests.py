"""What records say of the published scenarios stays as it is: their digests are pinned.

A record's header holds the scenario, the rules and the limits in full with digests of them and of the
first state. Whoever moves code must not move these; whoever means to change them raises the world's
version and pins the new ones (``python tests/worlds/test_digests.py`` prints them).
"""

from __future__ import annotations

import pytest

from backburner.kernel import packs, registry
from backburner.kernel.values import digest

PINNED = {
    ("clocked_kitchen", "released"): "2c0546b0b633971a",
    ("clocked_kitchen", "standard"): "1b5eb0c75d26bef0",
    ("collab_grid", "released"): "dda8f8bb737d48aa",
    ("collab_grid", "standard"): "a2a902790cadb130",
    ("collab_overcooked", "released"): "858e0c38f880b7dc",
    ("collab_overcooked", "standard"): "4c76af95155b5a9d",
    ("cuisineworld", "released"): "9d71a26f83bf8023",
    ("cuisineworld", "standard"): "ae64021f5c0344e5",
    ("desk", "released"): "6c95578fd91e9593",
    ("desk", "standard"): "0b7d401ff57665fe",
    ("minecraft", "released"): "06ea70c1583d074e",
    ("minecraft", "standard"): "8fd6da233abad404",
    ("projects", "released"): "e55ab511aad30fe9",
    ("projects", "standard"): "680994bda8546d50",
    ("recipe2plan", "released"): "62da23f54de38929",
    ("recipe2plan", "standard"): "2c0454a55c10ff8a",
    ("robotouille", "released"): "31475d76f22026ed",
    ("robotouille", "standard"): "5739f3ed8604a4e4",
    ("timearena", "released"): "6d3e8b0dba40564d",
    ("timearena", "standard"): "1b9a155307789dc3",
}


def digest_of(world: str, rules: str) -> str:
    """One digest of all that headers say of a world's whole set."""
    said = []
    for id in registry.expand(f"{world}/all"):
        bound = registry.world(id, rules=rules, limits="none")
        said.append((bound.id, *map(digest, (bound.scenario, bound.rules, bound.limits, bound.start(0)))))
    return digest(said)


@pytest.mark.parametrize(("world", "rules"), PINNED)
def test_the_published_scenarios_have_their_digests(world: str, rules: str) -> None:
    assert digest_of(world, rules) == PINNED[world, rules]


if __name__ == "__main__":
    for name in packs.names():
        for preset in ("released", "standard"):
            print(f'    ("{name}", "{preset}"): "{digest_of(name, preset)}",')

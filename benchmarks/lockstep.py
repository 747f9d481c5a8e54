"""Lockstep by the minute: batches beside their exact worlds, scenario after scenario drawn by chance.

    python benchmarks/lockstep.py --minutes 30 [--world cuisineworld] [--seed 0]

Prints what was compared so far; ends with an error at the first difference. Tests do a share of this at each
run (``backburner.training.lockstep``); this is for the millions of steps that one does once.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter

import backburner
from backburner.arrays.batch import batch_of
from backburner.arrays.encoding import encoding_of
from backburner.kernel import packs, registry
from backburner.kernel.errors import Refused
from backburner.training.lockstep import lockstep

ROWS, STEPS = 64, 121

SHARES = (1.0, 0.9, 0.7)
"""Of the codes that are drawn from the mask."""

KITCHENS = {
    "bodies": ("1", "2", "3", "4"),
    "seats": ("one", "each", "person"),
    "tau": ("1.0", "1.5", "2.0", "2.5", "3.0", "fixed"),
    "table": ("unlimited", "0", "2"),
    "seed": ("play", "play", "0"),
}
"""Options of CuisineWorld's ids; those of other worlds are as their suites have them."""


def scenario(name: str, chance: random.Random) -> str:
    """The id of a scenario of this world."""
    if name != "cuisineworld":
        suites = registry.catalogue(name).suites()
        return f"{name}/{chance.choice(chance.choice(list(suites.values())))}"
    chosen = {key: chance.choice(values) for key, values in KITCHENS.items()}
    if chosen["table"] == "unlimited":
        del chosen["table"]
    options = ",".join(f"{key}={value}" for key, value in chosen.items())
    return f"cuisineworld/level_{chance.randrange(13)}@{options}"


def main() -> None:
    """Play until the minutes are over."""
    batched = sorted(name for name, pack in packs.installed().packs.items() if pack.batch)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--world", choices=batched, action="append")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    chance, compared = random.Random(given.seed), Counter[str]()
    until = time.monotonic() + 60 * given.minutes
    while time.monotonic() < until:
        name = chance.choice(given.world or batched)
        rules = chance.choice(list(registry.catalogue(name).rules))
        world = backburner.world(scenario(name, chance), rules=rules)
        try:
            batch_of(world)
        except Refused:
            compared["scenarios that no batch covers"] += 1
            continue
        actions = encoding_of(world).actions
        weights = [0.05, *(0.5 if action.startswith("goto") else 1.0 for action in actions[1:])]
        done = lockstep(world, ROWS, STEPS, chance.choice(SHARES), chance.randrange(1 << 30), weights)
        counts = {"steps": done.steps, "episodes": done.episodes, "steps with codes outside": done.outside}
        compared += Counter({f"{name}: {what}": count for what, count in counts.items()})
        print(", ".join(f"{what} {count:,}" for what, count in sorted(compared.items())), flush=True)


if __name__ == "__main__":
    main()

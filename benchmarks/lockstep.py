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
from collections.abc import Mapping, Sequence
from typing import Any

import backburner
from backburner.arrays.batch import batch_of
from backburner.arrays.encoding import encoding_of
from backburner.kernel import packs, registry
from backburner.kernel.errors import Refused, UnknownLimits
from backburner.training.lockstep import lockstep

STEPS = 121

SHARES = (1.0, 0.9, 0.7)
"""Of the codes that are drawn from the mask."""

OPTIONS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "cuisineworld": {
        "bodies": ("1", "2", "3", "4"),
        "seats": ("one", "each", "person"),
        "tau": ("1.0", "1.5", "2.0", "2.5", "3.0", "fixed"),
        "table": ("", "0", "2"),
        "seed": ("play", "play", "0"),
    },
    "robotouille": {
        "play": ("turns", "together", "dispatcher"),
        "robots": ("2", "3", "4"),
        "seed": [str(seed) for seed in (*range(42, 421, 42), *range(10))],
    },
}
"""Options that are drawn; ``""`` is the usual value. Of other worlds, scenarios are as suites have them."""

NAMES = {
    "cuisineworld": [f"level_{level}" for level in range(13)],
    "robotouille": [f"multi_agent/{task}" for task in range(1, 11)],
}


def scenario(name: str, chance: random.Random) -> str:
    """The id of a scenario of this world, or of a suite's where nothing is said of the world here."""
    suites = registry.catalogue(name).suites()
    if name not in OPTIONS:
        return f"{name}/{chance.choice(chance.choice(list(suites.values())))}"
    drawn = {key: chance.choice(values) for key, values in OPTIONS[name].items()}
    options = ",".join(f"{key}={value}" for key, value in drawn.items() if value)
    return f"{name}/{chance.choice(NAMES[name])}@{options}"


def drawn_world(name: str, chance: random.Random) -> Any:
    """A scenario of this world under rules that are drawn too; with no limits where nothing says which."""
    id, rules = scenario(name, chance), chance.choice(list(registry.catalogue(name).rules))
    try:
        return backburner.world(id, rules=rules)
    except UnknownLimits:
        return backburner.world(id, rules=rules, limits="none")


def main() -> None:
    """Compare one scenario, and more until the minutes are over."""
    batched = sorted(name for name, pack in packs.installed().packs.items() if pack.batch)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--world", choices=batched, action="append")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rows", type=int, default=64, help="episodes side by side")
    given = parser.parse_args()
    chance, compared = random.Random(given.seed), Counter[str]()
    until = time.monotonic() + 60 * given.minutes
    while time.monotonic() < until or not compared.total():
        name = chance.choice(given.world or batched)
        world = drawn_world(name, chance)
        try:
            batch_of(world)
        except Refused:
            continue
        actions = encoding_of(world).actions
        weights = [0.05, *(0.5 if action.startswith("goto") else 1.0 for action in actions[1:])]
        done = lockstep(world, given.rows, STEPS, chance.choice(SHARES), chance.randrange(1 << 30), weights)
        counts = {"steps": done.steps, "episodes": done.episodes, "steps with codes outside": done.outside}
        compared += Counter({f"{name}: {what}": count for what, count in counts.items()})
        print(", ".join(f"{what} {count:,}" for what, count in sorted(compared.items())), flush=True)


if __name__ == "__main__":
    main()

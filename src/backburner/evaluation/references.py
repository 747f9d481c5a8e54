"""Makes what headline scores are measured against: random play and the best value of every scenario."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from backburner.agents.scripted import RandomPolicy
from backburner.kernel import packs, registry
from backburner.kernel.errors import Refused
from backburner.kernel.files import write_whole
from backburner.kernel.headline import Reference, References, best_of, metrics_of
from backburner.kernel.play import play_now
from backburner.kernel.scoring import Metric

SEEDS = 50
"""Episodes of random play for each scenario."""


def random_value(name: str, id: str, metric: Metric, seeds: int = SEEDS) -> float:
    """The metric over random play of a scenario with so many seeds, from 0, under standard rules.

    Raises ``Refused`` where it is not defined.
    """
    scoring, world = registry.scoring(name), registry.world(id)
    episodes = (play_now(world, RandomPolicy(), seed) for seed in range(seeds))
    value = metric.over(list(map(scoring.measure, episodes)))
    if value is None:
        raise Refused(f"{id}: {metric.key} of random play is not defined; no headline can be measured by it")
    return value


def make_references(name: str, seeds: int = SEEDS, progress: Callable[[], None] = lambda: None) -> References:
    """The references of a world's headline suites; ``progress`` hears of each scenario.

    Raises ``Refused`` for a world without a headline, or if two of its suites share a scenario.
    """
    found: dict[str, Reference] = {}
    left_out: list[str] = []
    for suite, metric in metrics_of(name).items():
        best = best_of(name, metric)
        for id in registry.expand(f"{name}/{suite}"):
            if id in found or id in left_out:
                raise Refused(f"world {name!r}: two headline suites have {id}")
            known = best(id)
            if known is None:
                left_out.append(id)
            else:
                value = random_value(name, id, metric, seeds)
                found[id] = Reference(id, round(value, 6), round(known.value, 6), known.proof)
            progress()
    source = f"backburner headline {name} --seeds {seeds} --write-references FILE"
    version = packs.pack(name).version
    return References(source, version, seeds, tuple(left_out), tuple(found.values()))


def write_references(path: Path, made: References) -> None:
    """Write the file, a scenario on each line; it is put in its place when it is complete."""
    head = {key: getattr(made, key) for key in ("source", "version", "seeds", "left_out")}
    lines = b",\n ".join(msgspec.json.encode(reference) for reference in made.references)
    write_whole(path, msgspec.json.encode(head)[:-1] + b',\n "references": [\n ' + lines + b"]}\n")

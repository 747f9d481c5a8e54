"""Samples of Inspect: the episode that each asks for, and where it keeps the records of that episode."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from inspect_ai.dataset import Sample
from inspect_ai.util import Store
from msgspec import Struct, to_builtins

from backburner.agents.roster import AnyWorld
from backburner.agents.scripted import FirstLegalPolicy
from backburner.kernel import registry
from backburner.kernel.episode import Episode, episode_in
from backburner.kernel.play import header_of
from backburner.kernel.policy import Policy
from backburner.kernel.values import Seat, digest


class Asked(Struct, frozen=True, omit_defaults=True):
    """The episode that a sample asks for, in its metadata. ``file``: where the record belongs, if settled."""

    scenario: str
    seed: int
    rules: str
    limits: str
    file: str = ""

    def world(self) -> AnyWorld:
        """The world to be played; raises what ``registry.world`` raises."""
        return registry.world(self.scenario, rules=self.rules, limits=self.limits)


def samples(scenarios: Sequence[str], seeds: int, rules: str, limits: str) -> Iterator[Sample]:
    """One sample for each scenario and seed."""
    for scenario in scenarios:
        for seed in range(seeds):
            yield sample(Asked(scenario, seed, rules, limits))


def sample(asked: Asked) -> Sample:
    """The sample: an id that never changes, and facts of the scenario to group by as metadata.

    ``group`` is the cell of the article's table.
    """
    world = asked.world()
    name, path, options = registry.split(world.id)
    return Sample(
        input=f"{world.id}, seed {asked.seed}",
        id=f"{world.id}.seed{asked.seed}",
        metadata={
            **to_builtins(asked),
            "world": name,
            "path": path,
            "options": options,
            "group": _group(world, asked.seed),
        },
    )


def _group(world: AnyWorld, seed: int) -> str:
    """The group of an episode in which nothing has been decided yet: worlds group records, not scenarios."""
    players: dict[Seat, Policy] = dict.fromkeys(world.seats, FirstLegalPolicy())
    header = header_of(world, players, seed, digest(world.start(seed)))
    return registry.scoring(header.world).group(Episode(header, (), None))


# --- a sample's store keeps the content of the records' files -----------------------------------------


ATTEMPTS, FILE = "backburner:attempts", "backburner:file"


def keep(store: Store, attempts: Sequence[Sequence[bytes]], file: str) -> None:
    """Put the lines of each attempt's record into the store of its sample."""
    store.set(ATTEMPTS, [b"".join(lines).decode() for lines in attempts])
    store.set(FILE, file)


def attempts_in(store: Store | Mapping[str, Any]) -> list[bytes]:
    """The contents of the record's files, former attempts first; empty if nothing was played."""
    return [str(content).encode() for content in store.get(ATTEMPTS, ())]


def file_in(store: Store | Mapping[str, Any]) -> str:
    """Where the record belongs, in the folder of a run."""
    return str(store.get(FILE, ""))


def episode_of(store: Store | Mapping[str, Any], sample: str) -> Episode | None:
    """The finished episode of a sample, if there is one; raises ``BadFile`` if it cannot be read."""
    attempts = attempts_in(store)
    episode = episode_in(attempts[-1], f"sample {sample}") if attempts else None
    return episode if episode is not None and episode.finished else None

"""Where a sample keeps its episode's records: in its store, as the content of the records' files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.util import Store

from backburner.kernel.episode import Episode, episode_in

ATTEMPTS, FILE = "backburner:attempts", "backburner:file"


def keep(store: Store, attempts: Sequence[Sequence[bytes]], file: str) -> None:
    """Put the lines of each attempt's record into the store of its sample."""
    store.set(ATTEMPTS, [b"".join(lines).decode() for lines in attempts])
    store.set(FILE, file)


def attempts_in(store: Store | Mapping[str, Any]) -> list[bytes]:
    """The content of the record's file, after those of former attempts; nothing if nothing was played."""
    return [str(content).encode() for content in store.get(ATTEMPTS, ())]


def file_in(store: Store | Mapping[str, Any]) -> str:
    """Where the record belongs, in the folder of a run."""
    return str(store.get(FILE, ""))


def episode_of(store: Store | Mapping[str, Any], sample: str) -> Episode | None:
    """The finished episode of a sample, if there is one; raises ``BadFile`` if it cannot be read."""
    attempts = attempts_in(store)
    episode = episode_in(attempts[-1], f"sample {sample}") if attempts else None
    return episode if episode is not None and episode.finished else None

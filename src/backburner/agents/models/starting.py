"""The recorded episode to start from: a file, or the one of the same scenario in a folder of records."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from backburner.kernel.contract import World
from backburner.kernel.digest import digest
from backburner.kernel.episode import Episode, read_episode
from backburner.kernel.errors import BadFile, PolicyFailure

BOUNDARY = "record"


def start_from(place: Path, world: World[Any, Any, Any], seed: int) -> Episode:
    """The record of this scenario: the file itself, or the one in the folder; of several that with the seed.

    Raises ``PolicyFailure`` with boundary ``record`` if there is none, or no single one.
    """
    wanted = digest(world.scenario)
    if place.is_file():
        episode = _read(place)
        if episode.header.scenario_digest != wanted:
            raise PolicyFailure(BOUNDARY, f"{place}: a record of {episode.header.id}, not of {world.id}")
        return episode
    files = [file for file in sorted(place.rglob("*.jsonl")) if _told(file)[0] == wanted]
    if len(files) > 1:
        files = [file for file in files if _told(file)[1] == seed]
    if len(files) != 1:
        found = f"several, such as {files[0]} and {files[1]}" if files else "none"
        raise PolicyFailure(
            BOUNDARY, f"{place}: needs one record of {world.id} with seed {seed}; has {found}"
        )
    return _read(files[0])


def no_start(place: str) -> str:
    """Why there can be nothing to start from; empty if there may be, or nothing is asked for."""
    return f"start={place}: no such file or folder" if place and not Path(place).exists() else ""


def _read(file: Path) -> Episode:
    try:
        return read_episode(file)
    except BadFile as error:
        raise PolicyFailure(BOUNDARY, str(error)) from error


def _told(file: Path) -> tuple[str, int]:
    """(digest of the scenario, seed); of what is no record, nothing that could be wanted."""
    return _told_at(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=4096)
def _told_at(file: Path, changed_ns: int) -> tuple[str, int]:
    """A folder is looked through for every episode of a run; ``changed_ns`` tells versions apart."""
    try:
        header = read_episode(file).header
    except BadFile:
        return "", -1
    return header.scenario_digest, header.seed

"""A job is one episode to be played: scenario, agent, seed, rules, limits. It has one file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

import msgspec
from msgspec import Struct

from backburner.agents.roster import AgentSpec, AnyWorld
from backburner.kernel import registry
from backburner.kernel.episode import Ending, Header
from backburner.kernel.errors import BadFile, Refused

RECORD = ".jsonl"


class Job(Struct, frozen=True):
    """One episode to be played."""

    scenario: str
    agent: AgentSpec
    seed: int
    rules: str = "standard"
    limits: str = "article"

    def world(self) -> AnyWorld:
        """The world to be played in."""
        return registry.world(self.scenario, rules=self.rules, limits=self.limits)

    def path(self, out: Path, scenario_id: str) -> Path:
        """The record's file: ``world/rules[-limits]/agent/scenario.seedN.jsonl``."""
        world, _, scenario = scenario_id.partition("/")
        rules = self.rules if self.limits == "article" else f"{self.rules}-{self.limits}"
        name = f"{_file_name(scenario)}.seed{self.seed}{RECORD}"
        return out / world / rules / _file_name(self.agent.label) / name


def _file_name(text: str) -> str:
    return quote(text, safe="+@=,()")


def jobs_of(
    names: Sequence[str], agents: Sequence[AgentSpec], seeds: int, rules: str, limits: str
) -> list[Job]:
    """Scenarios x agents x seeds; each name may be a scenario, a suite or a scenario file."""
    scenarios = dict.fromkeys(scenario for name in names for scenario in registry.expand(name))
    return [
        Job(scenario, agent, seed, rules, limits)
        for scenario in scenarios
        for agent in agents
        for seed in range(seeds)
    ]


def finished(path: Path, job: Job) -> Ending | None:
    """The ending in the job's file if it was played to an end, else ``None``.

    Raises ``Refused`` if the file holds an episode of another scenario or another agent's settings
    under the same name: playing on would mix two experiments.
    """
    try:
        with path.open("rb") as file:
            first = file.readline()
            file.seek(max(0, path.stat().st_size - 65_536))
            last = file.read().splitlines()[-1]
        header, ending = _header.decode(first), _ending.decode(last)
    except FileNotFoundError:
        return None
    except (msgspec.DecodeError, IndexError) as error:
        raise BadFile(path, "", f"stands where a record should be, and is none ({error})") from error
    _same_experiment(path, header, job)
    return None if ending.status == "interrupted" else ending


def _same_experiment(path: Path, header: Header, job: Job) -> None:
    players = {player.settings.get("base_url") or "" for player in header.players.values()}
    temperatures = {player.settings.get("temperature") for player in header.players.values()}
    if job.agent.needs_model and (players != {job.agent.base_url} or temperatures != {job.agent.temperature}):
        raise Refused(f"{path}: recorded with other model settings; use another --out folder")


_header = msgspec.json.Decoder(Header)
_ending = msgspec.json.Decoder(Ending)


def records(folder: Path) -> Iterator[Path]:
    """The finished record files under a folder (or the file itself), in order of their names."""
    if folder.is_file():
        yield folder
    elif folder.is_dir():
        yield from sorted(folder.rglob(f"*{RECORD}"))
    else:
        raise BadFile(folder, "", "no such file or folder")


def clear_dead_parts(folder: Path) -> int:
    """Remove part files whose writer no longer lives; their episodes are played again."""
    removed = 0
    for part in folder.rglob(f"*{RECORD}.part-*"):
        match = re.fullmatch(r".*\.part-(\d+)", part.name)
        if match and not _alive(int(match[1])):
            part.unlink(missing_ok=True)
            removed += 1
    return removed


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True

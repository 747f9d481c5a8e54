"""A job is one episode to be played (scenario, agent, seed, rules, limits), and the files of its records.

The jobs of a cross-play put every agent into every seat beside every other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import quote

import msgspec
from msgspec import Struct, structs

from backburner.agents.models.policy import SLOW, method_settings
from backburner.agents.roster import AnyWorld, names_by_seat
from backburner.agents.scripted import recording_digest
from backburner.agents.spec import JOIN, AgentSpec, Clients, is_advised, is_method, recording_of
from backburner.evaluation.records import RECORD, former
from backburner.kernel import registry
from backburner.kernel.chain import Signer
from backburner.kernel.clock import PER, Clock, Timing
from backburner.kernel.episode import (
    Ending,
    EpisodeFile,
    Header,
    Player,
    first_and_last,
    part_written_here,
)
from backburner.kernel.errors import Refused
from backburner.kernel.files import is_running
from backburner.kernel.play import Sink
from backburner.kernel.values import Seat, digest

SCENARIO = "scenario"

MODEL = "model"
"""The reason of an ending that a call to a model failed by."""

LONGEST_NAME = 150
"""Characters of an agent's name in the name of its folder; file systems allow 255 bytes."""


class Job(Struct, frozen=True):
    """One episode to be played. ``clock``: that which thinking is charged by, besides latencies."""

    scenario: str
    agent: AgentSpec
    seed: int
    rules: str = "standard"
    limits: str = "article"
    clock: Timing | None = None

    def path(self, out: Path, scenario_id: str) -> Path:
        """The record's file: ``world/rules[-limits][@clock]/agent/scenario.seedN.jsonl``.

        An agent's name that is too long for a file name is cut and followed by its fingerprint.
        """
        world, _, scenario = scenario_id.partition("/")
        called = _folder_name(self.rules)
        rules = called if self.limits == "article" else f"{called}-{self.limits}"
        if self.clock is not None:
            rules += f"@{_folder_name(self.clock.label.replace(PER, '-per-').replace(' ', '-'))}"
        name = f"{_file_name(scenario)}.seed{self.seed}{RECORD}"
        return out / world / rules / _folder_name(self.agent.label) / name


def _file_name(text: str) -> str:
    return quote(text, safe="+@=,()/")


def _folder_name(agent: str) -> str:
    name = quote(agent, safe="+@=,()")
    return name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}~{digest(agent)}"


def jobs_of(
    names: Sequence[str], agents: Sequence[AgentSpec], seeds: int, rules: str, limits: str
) -> list[Job]:
    """Scenarios x agents x seeds; each name as ``registry.expand`` takes it.

    Episodes that those named follow are among them. Rules of which some fields are set are called by one
    name, however they were asked for; raises what ``Catalogue.rules_called`` raises.
    """
    named = (scenario for name in names for scenario in registry.expand(name))
    scenarios = dict.fromkeys(scenario for name in named for scenario in registry.line(name))

    @cache
    def of_world(world: str) -> str:
        changed, _ = registry.catalogue(world).rules_called(rules)
        return str(getattr(changed, "name", rules))

    def called(scenario: str) -> str:
        if "=" not in rules:
            return rules
        if scenario.endswith(".json"):
            return of_world(registry.read_scenario_file(Path(scenario))[0])
        return of_world(registry.split(scenario)[0])

    return [
        Job(scenario, agent, seed, called(scenario), limits)
        for scenario in scenarios
        for agent in dict.fromkeys(agents)
        for seed in range(seeds)
    ]


def with_each(names: Sequence[str], option: str, values: Sequence[str]) -> list[str]:
    """Each id or suite with each of the values of an option, value by value.

    Raises ``Refused`` for files and folders, whose scenarios have no options, and for what has the option
    already. Whether the world knows the option and the value is checked when the names are expanded.
    """
    for name in names:
        if name.endswith(".json") or registry.is_folder(name):
            raise Refused(f"{name}: scenario files say themselves what {option} is; name an id or a suite")
        if option in registry.split(name)[2]:
            raise Refused(f"{name} says already what {option} is")
    parts = [registry.split(name) for name in names]
    return [
        registry.join(world, path, {**options, option: value})
        for value in dict.fromkeys(values)
        for world, path, options in parts
    ]


def finished(
    path: Path,
    job: Job,
    world: AnyWorld,
    clients: Clients | None = None,
    *,
    follows: bool = False,
    retry_failed: bool = False,
) -> Ending | None:
    """The ending in the job's file if it was played to an end, else ``None``.

    ``clients`` tells where a model's answers come from. Of a job that ``follows`` another, an episode that
    was played after another one than now does not count; with ``retry_failed`` one that failed does not, and
    one whose first call failed, so that nothing was decided in it, never does. Raises ``Refused`` if the file
    holds an episode of another scenario, other rules, or an agent with other settings: playing on would mix
    two experiments. Raises ``BadFile`` if it holds no episode.
    """
    try:
        header, ending = first_and_last(path)
    except FileNotFoundError:
        return None
    if _decided_nothing(path, ending):
        return None  # whatever its settings were
    stale = follows and header.scenario_digest != digest(world.scenario)
    for what, recorded, asked in _differences(header, job, world, clients):
        if recorded != asked and not (stale and what == SCENARIO):
            raise Refused(f"{path}: recorded with another {what}; use another --out folder")
    return None if stale or plays_again(path, ending, retry_failed=retry_failed) else ending


def plays_again(path: Path, ending: Ending, *, retry_failed: bool) -> bool:
    """Whether a run plays an episode again because of how the one in the file ended: see ``finished``."""
    failed = ending.status == "failed" and retry_failed
    return failed or ending.status == "interrupted" or _decided_nothing(path, ending)


def _decided_nothing(path: Path, ending: Ending) -> bool:
    """Whether its first call failed, and no attempt came before it."""
    failed = ending.status == "failed" and ending.reason == MODEL
    return failed and not ending.steps and not former(path, 1).exists()


def _differences(
    header: Header, job: Job, world: AnyWorld, clients: Clients | None
) -> Iterator[tuple[str, Any, Any]]:
    """(what, as recorded, as asked for) of all that must be equal for two runs to be one experiment."""
    yield "version of the world", header.world_version, getattr(world, "version", 1)
    yield SCENARIO, header.scenario_digest, digest(world.scenario)
    yield "rule set", _in_full(header.rules, world.rules), msgspec.to_builtins(world.rules)
    yield "set of limits", _in_full(header.limits, world.limits), msgspec.to_builtins(world.limits)
    yield "clock", _but_latencies(header.clock), None if job.clock is None else job.clock.bound(world)
    for seat, name in names_by_seat(job.agent, world).items():
        player = header.players.get(seat, NOBODY)
        for key, value in _settings(name, seat, job.agent, world, clients).items():
            yield key, player.settings.get(key), msgspec.json.decode(msgspec.json.encode(value))


def _but_latencies(clock: Clock | None) -> Clock | None:
    """What was charged besides the latencies of the agents, which their names say."""
    if clock is None or (clock.mode == "latency" and not clock.counts_words):
        return None
    profiles = {seat: structs.replace(each, latency="0") for seat, each in clock.profiles.items()}
    return structs.replace(clock, profiles=profiles)


def _in_full(recorded: Any, now: Any) -> Any:
    """Recorded rules or limits as they are told now: with what they did not know yet as it was then."""
    try:
        return msgspec.to_builtins(msgspec.convert(recorded, type(now)))
    except (msgspec.ValidationError, Refused):
        return recorded


def _settings(
    name: str, seat: Seat, agent: AgentSpec, world: AnyWorld, clients: Clients | None
) -> Mapping[str, Any]:
    """The settings that an agent of this name in the team always has."""
    if is_method(name):
        origin = dict(clients(agent.endpoint_of(seat)).origin) if clients else {}
        if clients and is_advised(name):
            origin[SLOW] = dict(clients(agent.endpoint_of(SLOW)).origin)
        return {**method_settings(name, world, agent.decoding, prompts=agent.prompts_folder), **origin}
    file = recording_of(name)
    return {"recording": recording_digest(file)} if file is not None else {}


NOBODY = Player("nobody")
"""Plays the seats that a record knows nothing of."""


def clear_dead_parts(paths: Iterable[Path]) -> None:
    """Remove part files of these records whose writing process has ended; the episodes are played again.

    Part files of other machines stay: whether a process there still runs cannot be told from here.
    """
    names: dict[Path, set[str]] = {}
    for path in paths:
        names.setdefault(path.parent, set()).add(path.name)
    for folder, mine in names.items():
        for part in folder.glob("*.part-*"):
            match part_written_here(part):
                case (name, process) if name in mine and not is_running(process):
                    part.unlink(missing_ok=True)


# --- jobs of several attempts --------------------------------------------------------------------------


class AttemptFiles:
    """Writes one attempt after the other, signed if there is a signer; ``finish`` gives the last
    one the job's name.

    A former attempt's file is called ``<name>.attempt1``, ``.attempt2`` ...: it is a record that every
    command reads by its name, and none that counts among the records of a folder. Former attempts of an
    earlier run are removed when the first attempt begins.
    """

    def __init__(self, path: Path, signer: Signer | None = None) -> None:
        self.path = path
        self._signer = signer
        self._number = 0
        self._file: EpisodeFile | None = None

    def __enter__(self) -> AttemptFiles:
        number = 1
        while (old := former(self.path, number)).exists():
            old.unlink(missing_ok=True)
            number += 1
        return self

    def sink(self, number: int) -> Sink:
        """Begin the attempt of this number and finish the one before it; returns where its records go."""
        return self._begin(number).write

    def write_whole(self, number: int, content: bytes) -> None:
        """The attempt of this number, played elsewhere: the content of its file, which nobody has signed."""
        self._begin(number).write_whole(content)

    def _begin(self, number: int) -> EpisodeFile:
        if self._file is not None:
            self._file.finish(former(self.path, self._number))
        self._number = number
        self._file = EpisodeFile(self.path, self._signer).__enter__()
        return self._file

    def finish(self) -> None:
        """The attempt that was begun last is the one that counts."""
        if self._file is not None:
            self._file.finish()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.__exit__(kind, error, trace)


# --- cross-play ------------------------------------------------------------------------------------------


def crossed(agents: Sequence[AgentSpec], n_seats: int) -> list[AgentSpec]:
    """Each agent by itself, and each in each of ``n_seats`` seats with another one in all other seats.

    With two seats these are all ordered pairs. Agents that ask models share one set of options. Raises
    ``Refused`` for fewer than two agents or seats, and for agents that are teams already.
    """
    check_crossed(agents)
    if n_seats < 2:
        raise Refused("cross-play needs at least two seats")
    teams = [
        _team(one, other, seat, n_seats)
        for one in agents
        for other in agents
        for seat in range(n_seats)
        if one != other
    ]
    return list({spec.label: spec for spec in (*agents, *teams)}.values())


def check_crossed(agents: Sequence[AgentSpec]) -> None:
    """Raises ``Refused`` for agents that cannot be crossed, wherever they play."""
    if len({spec.label for spec in agents}) < 2:
        raise Refused("cross-play seats agents beside each other: name at least two with --agent")
    for spec in agents:
        if len(spec.members) > 1:
            raise Refused(f"agent {spec.name!r} is a team; cross-play makes the teams of single agents")
        if spec.seats:
            raise Refused(
                "cross-play puts every agent into every seat: --model SEAT=NAME is one seat's model"
            )


def _team(one: AgentSpec, other: AgentSpec, seat: int, n_seats: int) -> AgentSpec:
    """``one`` in this seat, ``other`` in the rest."""
    names = [one.name if at == seat else other.name for at in range(n_seats)]
    asks = next((spec for spec in (one, other) if spec.needs_model), one)
    return structs.replace(asks, name=JOIN.join(names))


def crossed_jobs(
    names: Sequence[str], agents: Sequence[AgentSpec], seeds: int, rules: str, limits: str
) -> list[Job]:
    """Scenarios x the teams that their seats make x seeds; raises what ``jobs_of`` and ``crossed`` raise,
    and ``Refused`` for a scenario with a single seat."""
    check_crossed(agents)
    return list(dict.fromkeys(_crossed_jobs(names, agents, seeds, rules, limits)))


def _crossed_jobs(
    names: Sequence[str], agents: Sequence[AgentSpec], seeds: int, rules: str, limits: str
) -> Iterator[Job]:
    scenarios = dict.fromkeys(scenario for name in names for scenario in registry.expand(name))
    for scenario in scenarios:
        seats = registry.world(scenario, rules=rules, limits=limits).seats
        if len(seats) < 2:
            raise Refused(f"{scenario} has one seat, {seats[0]}: cross-play needs at least two")
        yield from jobs_of([scenario], crossed(agents, len(seats)), seeds, rules, limits)

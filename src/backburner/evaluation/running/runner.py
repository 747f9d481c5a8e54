"""Plays many episodes: in parallel processes for scripted agents, at once for language models.

Every episode is a file that appears whole when it is finished, so an interrupted run is resumed by
running it again: what is there is not repeated, and nothing finished is ever lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Protocol

from msgspec.structs import replace

from backburner.agents.models.client import ModelClient
from backburner.agents.roster import check_plays, check_spec, names_by_seat
from backburner.agents.spec import AgentSpec, Clients, Endpoint
from backburner.evaluation.records import read_signer
from backburner.evaluation.running.calls import NO_END, Budget
from backburner.evaluation.running.chains_of_jobs import (
    Done,
    Failures,
    JobChain,
    Progress,
    Summary,
    Tally,
    begun,
    job_chains,
    world_of,
)
from backburner.evaluation.running.jobs import Job, clear_dead_parts
from backburner.evaluation.running.playing import OwnProcesses, Stage, play_with_models
from backburner.evaluation.scoring.answered import keep_answers
from backburner.kernel.answers import answers_at
from backburner.kernel.errors import BackburnerError, Refused, RunStops
from backburner.kernel.values import digest


class Place(Protocol):
    """Where the episodes of a run are played. Their records lie in the folder of the run in the end."""

    def play_scripted(self, chains: Sequence[JobChain], out: Path, sign: Path | None, note: Progress) -> None:
        """Play chains of jobs that ask no model, and tell what became of each job.

        ``sign``: the file of a key that signs the records. Raises ``RunStops`` if no more can be played.
        """

    def stage(
        self,
        clients: Mapping[Endpoint, ModelClient],
        chains: Sequence[JobChain],
        out: Path,
        at_once: int,
        budget: Budget,
    ) -> AbstractAsyncContextManager[Stage]:
        """Where episodes of language models are played, so many of these chains at once; ``out`` has the
        records of those that are done."""


Engine = Callable[[Mapping[Path, Job], Path, Progress, bool], None]
"""Plays jobs, by the files of their records, in a folder, and tells what became of each; the last argument
says whether a record that failed is played again."""


def run(
    jobs: Sequence[Job],
    out: Path,
    *,
    workers: int | None = None,
    at_once: int = 16,
    retry_failed: bool = False,
    most_failed: float = 1.0,
    client_of: Clients | None = None,
    engine: Engine | None = None,
    place: Place | None = None,
    sign: Path | None = None,
    budget: Budget = NO_END,
    progress: Progress = lambda done: None,
) -> Summary:
    """Play the jobs that are not finished yet and say what became of all of them.

    ``workers``: processes for scripted agents (by default as many as help). ``at_once``: episodes of
    language models in flight together; ``client_of`` makes the client of a model, which model agents
    cannot do without. ``retry_failed`` plays again what ended as failed; the run stops when more than the
    share ``most_failed`` of the last episodes of models have failed. ``engine`` plays all jobs in place
    of the runner itself, and then ``client_of`` only tells where a model's answers come from.
    ``place``: where the runner plays, by default ``OwnProcesses(workers)``.
    The answers beside scenario files are copied into ``out``, where scores find them.
    ``sign``: the file of a private key, which signs every record that is written. ``budget``: what the
    calls of the runner itself may come to. ``progress`` hears of every job.

    Raises before anything is played: what ``check_spec`` and ``read_signer`` raise, and ``Refused`` for a
    team that does not fit a world's seats, for an agent of which it is known that it can play none of its
    jobs, for jobs that would share a record, and for records of other experiments.
    """
    specs = dict.fromkeys(job.agent for job in jobs)
    for spec in specs:
        check_spec(spec)
    signer = None if sign is None else read_signer(sign)
    if sign is not None and engine is not None:
        raise Refused("only the own engine signs records; leave the key or the engine out")
    clients = _clients_of(specs, client_of)
    out.mkdir(parents=True, exist_ok=True)
    tally = Tally()

    failures = Failures(most_failed)

    def note(result: Done) -> None:
        tally.count(result)
        progress(result)
        if tally.counted < len(files):
            failures.hear(result)

    chains = [replace(chain, retry_failed=retry_failed) for chain in job_chains(jobs)]
    files = _record_files(chains, out)
    _check_plays(specs, files.values())
    keep_answers(_played_files(jobs), out)
    looked_at = (begun(chain, out, clients.__getitem__, note) for chain in chains)
    todo = [chain for chain in looked_at if chain.done < len(chain.jobs)]
    left = {job for chain in todo for job in chain.jobs[chain.done :]}
    paths = {path: job for path, job in files.items() if job in left}
    clear_dead_parts(paths)
    place = OwnProcesses(workers) if place is None else place
    try:
        if engine is not None:
            _check_each_alone(todo)
            engine(paths, out, note, retry_failed)
            return tally.summary(out)
        if scripted := [chain for chain in todo if not chain.jobs[0].agent.needs_model]:
            place.play_scripted(scripted, out, sign, note)
        if asked := [chain for chain in todo if chain.jobs[0].agent.needs_model]:
            stage = place.stage(clients, asked, out, at_once, budget)
            asyncio.run(play_with_models(asked, out, at_once, clients, budget, signer, note, stage))
    except RunStops as stop:
        tally.stop(str(stop))
    return tally.summary(out)


def _record_files(chains: Iterable[JobChain], out: Path) -> dict[Path, Job]:
    """Each job by the file of its record. Raises ``Refused`` where two share one, or a team does not fit
    the seats of a world."""
    files: dict[Path, Job] = {}
    for chain in chains:
        for job in chain.jobs:
            world = world_of(job)
            names_by_seat(job.agent, world)
            path = job.path(out, world.id)
            other = files.setdefault(path, job)
            if job.scenario != other.scenario:
                raise Refused(
                    f"{other.scenario} and {job.scenario} would share the record {path}; rename one"
                )
            if job.agent != other.agent:
                names = f"agents {other.agent.name} and {job.agent.name}"
                raise Refused(
                    f"{names} would share the record {path}; leave one out, or use another --out folder"
                )
    return files


def _played_files(jobs: Iterable[Job]) -> Iterator[tuple[Path, str]]:
    """The scenario files that have answers beside them, with the digests of their scenarios."""
    for job in {job.scenario: job for job in jobs if job.scenario.endswith(".json")}.values():
        if answers_at(Path(job.scenario)):
            yield Path(job.scenario), digest(world_of(job).scenario)


def _check_plays(specs: Iterable[AgentSpec], jobs: Iterable[Job]) -> None:
    """Raises ``Refused`` for the first agent that can play none of its jobs, with the first reason."""
    of_agent: dict[AgentSpec, list[Job]] = {spec: [] for spec in specs}
    for job in jobs:
        of_agent[job.agent].append(job)
    for spec, own in of_agent.items():
        why = None
        for job in own:
            try:
                check_plays(spec, world_of(job))
            except BackburnerError as error:
                why = why or error
            else:
                break
        else:
            if why is not None:
                raise why


def _check_each_alone(chains: Iterable[JobChain]) -> None:
    """Raises ``Refused`` where an episode follows another: other engines play each by itself."""
    if together := [chain for chain in chains if len(chain.jobs) > 1]:
        raise Refused(f"{together[0].jobs[-1].scenario} follows another episode: only engine=own plays these")


def _clients_of(specs: Iterable[AgentSpec], client_of: Clients | None) -> dict[Endpoint, ModelClient]:
    """One client for each model that any of the agents asks."""
    for spec in specs:
        if spec.endpoints and client_of is None:
            raise Refused(
                f"agent {spec.name!r} asks a model: hand run(...) a function as client_of that makes the"
                " client of an Endpoint, such as OpenAIClient(endpoint.model)"
            )
    asked = dict.fromkeys(endpoint for spec in specs for endpoint in spec.endpoints)
    return {endpoint: client_of(endpoint) for endpoint in asked} if client_of else {}

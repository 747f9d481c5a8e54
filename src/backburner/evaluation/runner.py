"""Plays many episodes: in parallel processes for scripted agents, at once for language models.

Every episode is a file that appears whole when it is finished, so an interrupted run is resumed by
running it again: what is there is not repeated, and nothing finished is ever lost.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from functools import lru_cache, partial
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Event
from pathlib import Path
from types import FrameType
from typing import TypeVar

from msgspec.structs import replace

from backburner.agents.models.client import ModelClient
from backburner.agents.roster import check_spec, make_policies, names_by_seat
from backburner.agents.spec import AgentSpec, Clients, Endpoint
from backburner.evaluation.calls import NO_END, Budget, journal_of
from backburner.evaluation.jobs import Job, clear_dead_parts, finished
from backburner.evaluation.lines import Course, Line, left_out, lines_of
from backburner.evaluation.model_play import play_with_models
from backburner.evaluation.outcomes import Done, Progress, Summary, Tally, broken_by, world_of
from backburner.evaluation.signing import read_signer
from backburner.kernel.chain import Signer
from backburner.kernel.episode import EpisodeFile, read_episode
from backburner.kernel.errors import Refused, RunStops
from backburner.kernel.play import play_now

PATIENCE_SECONDS = 1.0
"""So long a process that is to stop may go on with the episode in hand."""

CHUNK = 25
"""Jobs handed to a process at a time: enough to hide the hand-over, few enough to show progress."""


Engine = Callable[[Mapping[Path, Job], Path, Progress], None]
"""Plays jobs, by the files of their records, in a folder, and tells what became of each."""


def run(
    jobs: Sequence[Job],
    out: Path,
    *,
    workers: int | None = None,
    at_once: int = 16,
    retry_failed: bool = False,
    client_of: Clients | None = None,
    engine: Engine | None = None,
    sign: Path | None = None,
    budget: Budget = NO_END,
    progress: Progress = lambda done: None,
) -> Summary:
    """Play the jobs that are not finished yet and say what became of all of them.

    ``workers``: processes for scripted agents (by default as many as help). ``at_once``: episodes of
    language models in flight together; ``client_of`` makes the client of a model, which model agents
    cannot do without. ``retry_failed`` plays again what ended as failed. ``engine`` plays all jobs in place
    of the runner itself, and then ``client_of`` only tells where a model's answers come from.
    ``sign``: the file of a private key, which signs every record that is written. ``budget``: what the
    calls of the runner itself may come to. ``progress`` hears of every job.

    Raises before anything is played: what ``check_spec`` and ``read_signer`` raise, and ``Refused`` for a
    team that does not fit a world's seats, for jobs that would share a record, and for records of other
    experiments.
    """
    specs = dict.fromkeys(job.agent for job in jobs)
    for spec in specs:
        check_spec(spec)
    _signer(sign)
    if sign is not None and engine is not None:
        raise Refused("only the own engine signs records; leave the key or the engine out")
    clients = _clients_of(specs, client_of)
    out.mkdir(parents=True, exist_ok=True)
    tally = Tally()

    def note(result: Done) -> None:
        tally.count(result)
        progress(result)

    seen: dict[Path, Job] = {}
    todo: list[Line] = []
    for line in lines_of(jobs):
        for job in line.jobs:
            world = world_of(job)
            names_by_seat(job.agent, world)
            path = job.path(out, world.id)
            _check_alone(path, job, seen.setdefault(path, job))
        rest = _begun(line, out, clients, retry_failed, note)
        if rest.done < len(rest.jobs):
            todo.append(rest)
    left = {job for line in todo for job in line.jobs[line.done :]}
    paths = {path: job for path, job in seen.items() if job in left}
    clear_dead_parts(paths)
    if engine is not None:
        if together := [line for line in todo if len(line.jobs) > 1]:
            raise Refused(
                f"{together[0].jobs[-1].scenario} follows another episode: only --engine own plays these"
            )
        engine(paths, out, note)
        return tally.summary(out)
    scripted = [line for line in todo if not line.jobs[0].agent.needs_model]
    try:
        with _interrupted_at_once():
            for result in _play_scripted(scripted, out, workers, sign):
                note(result)
    except BaseException:
        clear_dead_parts(paths)  # of processes that were ended
        raise
    if asked := [line for line in todo if line.jobs[0].agent.needs_model]:
        try:
            asyncio.run(play_with_models(asked, out, at_once, clients, budget, _signer(sign), note))
        except RunStops as stop:
            tally.stop(str(stop))
    return tally.summary(out)


def _begun(
    line: Line, out: Path, clients: Mapping[Endpoint, ModelClient], retry_failed: bool, note: Progress
) -> Line:
    """The line, with how many of its jobs are done; each of these is noted. After one that is to be played
    those that follow it are played, too."""
    course = Course(line, out, world_of)
    for number, job in enumerate(course):
        world = course.world(job)
        path = job.path(out, world.id)
        ending = finished(path, job, world, clients.__getitem__, follows=number > 0)
        if ending is None or (retry_failed and ending.status == "failed"):
            for other in course.left:  # whose records give way, if they are of this experiment
                finished(
                    other.path(out, other.scenario), other, world_of(other), clients.__getitem__, follows=True
                )
            return replace(line, done=number)
        if job.agent.needs_model and ending.status != "failed":
            journal_of(path).unlink(missing_ok=True)  # of a run that was killed right after the end
        note(Done(job, "kept", path, kept=ending.status))
        if course.left:
            if ending.status == "failed":
                for other in course.stop():
                    note(left_out(other, job))
            else:
                course.played(world, read_episode(path))
    return replace(line, done=len(line.jobs))


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


def _check_alone(path: Path, job: Job, other: Job) -> None:
    if job.scenario != other.scenario:
        raise Refused(f"{other.scenario} and {job.scenario} would share the record {path}; rename one")
    if job.agent != other.agent:
        names = f"agents {other.agent.name} and {job.agent.name}"
        raise Refused(f"{names} would share the record {path}; leave one out, or use another --out folder")


@lru_cache(maxsize=1)
def _signer(key: Path | None) -> Signer | None:
    return None if key is None else read_signer(key)


def _play_scripted(
    lines: Sequence[Line], out: Path, workers: int | None, sign: Path | None
) -> Iterator[Done]:
    chunks = [lines[start : start + CHUNK] for start in range(0, len(lines), CHUNK)]
    if workers is None:
        workers = min(os.cpu_count() or 1, len(chunks) // 4)  # a process costs what ~100 episodes do
    if workers <= 1:
        for line in lines:
            yield from _play_line(line, out, sign)
        return
    for results in in_processes(partial(_play_chunk, out=out, sign=sign), chunks, workers):
        yield from results


def _play_chunk(lines: Sequence[Line], *, out: Path, sign: Path | None) -> list[Done]:
    played: list[Done] = []
    for line in lines:
        for done in _play_line(line, out, sign):
            played.append(done)
            if _is_to_stop():
                return played
    return played


def _play_line(line: Line, out: Path, sign: Path | None) -> Iterator[Done]:
    """Play scripted jobs. An error of a scenario or agent breaks its job, and those that follow it."""
    course = Course(line, out, world_of)
    for job in course:
        try:
            world = course.world(job)
            policies = make_policies(job.agent, world)
            path = job.path(out, world.id)
            with EpisodeFile(path, _signer(sign)) as file:
                episode = play_now(world, policies, job.seed, sink=file.write)
                file.finish()
            yield course.done(job, world, path, episode)
        except Exception as error:  # a fault of one scenario, agent or file is its own
            yield broken_by(job, error)
            course.stopped = True
        yield from course.left_out(job)


# --- work spread over processes ------------------------------------------------------------------------

Piece = TypeVar("Piece")
Result = TypeVar("Result")


def in_processes(work: Callable[[Piece], Result], pieces: Sequence[Piece], workers: int) -> Iterator[Result]:
    """The results of ``work`` on each piece, in the order in which they are done.

    When the caller is interrupted, no piece is begun and the processes are asked to stop; those that have
    not ended after ``PATIENCE_SECONDS`` are ended. When the caller is killed, the processes end at once.
    """
    context = multiprocessing.get_context("spawn")
    stop, before = context.Event(), {each.pid for each in multiprocessing.active_children()}
    with ProcessPoolExecutor(workers, context, initializer=_begin_process, initargs=(stop,)) as pool:
        with _interrupts_ignored():
            futures = [pool.submit(work, piece) for piece in pieces]
        processes = [each for each in multiprocessing.active_children() if each.pid not in before]
        try:
            for future in as_completed(futures):
                yield future.result()
        except BaseException:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            _end(processes)
            raise


def _end(processes: Sequence[BaseProcess]) -> None:
    """Wait for processes that were asked to stop, and end those that take long."""
    until = time.monotonic() + PATIENCE_SECONDS
    for process in processes:
        process.join(max(0.0, until - time.monotonic()))
    for process in processes:
        if process.is_alive():
            process.kill()
    for process in processes:
        process.join()


_stop: Event | None = None
"""In a process of a pool: set when it is to stop."""


def _is_to_stop() -> bool:
    """Whether the work of this process is not wanted any more."""
    return _stop is not None and _stop.is_set()


def _begin_process(stop: Event) -> None:
    """Make a process of the pool hear when it is to stop, and end when its parent is killed: it must not go
    on writing records, and nobody would tell it that there is no more to do."""
    global _stop  # noqa: PLW0603 - a process has one caller
    _stop = stop
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


@contextmanager
def _interrupted_at_once() -> Iterator[None]:
    """Ctrl-C is an exception wherever the program is: an event loop would only tell a policy that waits."""
    if not _hears_interrupts():
        yield
        return

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _hears_interrupts() -> bool:
    """Whether Ctrl-C means here what it usually means."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    return usual and threading.current_thread() is threading.main_thread()


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Processes started in here never hear Ctrl-C: it reaches the parent alone, which lets them finish the
    episodes in hand, if that is soon."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)

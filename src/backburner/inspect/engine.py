"""A run's jobs, played through Inspect: its providers, its retries, its logs; our records."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import Model, get_model
from inspect_ai.solver import Solver, TaskState
from msgspec import UNSET, Struct
from tenacity import wait_exponential_jitter

from backburner.agents.models.openai_client import USUAL, Patience
from backburner.agents.models.stand_in import is_stand_in
from backburner.agents.spec import AgentSpec, Endpoint
from backburner.evaluation.records import journal_of
from backburner.evaluation.running.calls import BETWEEN_LOOKS_SECONDS, NO_END, Budget, is_busy
from backburner.evaluation.running.chains_of_jobs import (
    Done,
    Progress,
    broken,
    broken_by,
    done_with,
    world_of,
)
from backburner.evaluation.running.jobs import Job, finished
from backburner.inspect.client import InspectClient, RunCalls, calls_of
from backburner.inspect.samples import Asked, episode_of, file_in, sample
from backburner.inspect.tasks import play, task_of
from backburner.kernel.clock import Timing
from backburner.kernel.episode import Ending
from backburner.kernel.errors import BackburnerError, Refused, RunStops
from backburner.kernel.values import canonical_json

MARKUP = re.compile(r"\[/?(?:bold|blue|italic|red|yellow)\]")
"""What Inspect puts around words of its messages, for terminals."""

LOGS = "logs"
"""The folder of Inspect's logs, in that of the records."""


def client_of(endpoint: Endpoint) -> InspectClient:
    """The model as Inspect knows it; raises ``Refused`` with Inspect's word on what is missing."""
    return InspectClient(model_of(endpoint))


def model_of(endpoint: Endpoint) -> Model:
    """Inspect's model; raises ``Refused`` for a stand-in, and if provider, package or key is missing."""
    if is_stand_in(endpoint.model):
        raise Refused(f"{endpoint.model} is no model, and plays with engine=own alone")
    try:
        return get_model(endpoint.model, base_url=endpoint.base_url or None)
    except Exception as error:  # whatever a provider needs and does not find
        why = " ".join(MARKUP.sub("", str(error)).split())
        raise Refused(f"Inspect cannot make the model {endpoint.model!r}: {why}") from error


def _patient(endpoint: Endpoint, patience: Patience) -> Model:
    """Inspect's model, with pauses between tries that begin and grow as ours do.

    Tries are Inspect's alone: the clients of some providers would make several of each.
    """
    model = model_of(endpoint)
    pauses = wait_exponential_jitter(initial=0.5, max=patience.longest_pause_seconds, jitter=0.1)
    model.api.retry_wait = lambda: pauses  # type: ignore[method-assign]
    client, made_with = getattr(model.api, "client", None), getattr(model.api, "model_args", None)
    if client is not None and hasattr(client, "max_retries") and isinstance(made_with, dict):
        client.max_retries = made_with["max_retries"] = 0  # now, and where Inspect makes the client anew
    return model


Listener = Callable[[TaskState], Awaitable[None]]
"""Hears of every sample that is done."""


class InspectEngine(Struct, frozen=True):
    """Plays jobs through Inspect; an ``Engine`` of ``evaluation.running.runner.run``.

    ``at_once``: episodes, and connections to a model, at the same time. ``patience``: how long a call is
    tried, in whole seconds as Inspect counts. ``budget``: what the calls may come to.
    """

    at_once: int = 16
    patience: Patience = USUAL
    budget: Budget = NO_END

    def __call__(
        self,
        jobs: Mapping[Path, Job],
        out: Path,
        note: Progress,
        retry_failed: bool = False,
        calls: RunCalls | None = None,
    ) -> None:
        """Play the jobs, each record appearing when it is finished; Inspect's logs are left in ``logs``.

        What another process plays is looked after at the end. ``retry_failed``: whether a record that failed
        is played again. ``calls``: of a run that has begun elsewhere. Raises ``Refused`` if a model cannot
        be made, ``KeyboardInterrupt`` if the play was interrupted, ``RunStops`` when no call can succeed.
        """

        def is_finished(path: Path) -> bool:
            return _ending(jobs[path], path, retry_failed) is not None

        run = RunCalls(self.budget, is_finished) if calls is None else calls

        def noted(done: Done) -> None:
            try:
                note(done)
            except RunStops as stop:  # in the midst of Inspect, which would not hear of it
                run.stopped = run.stopped or str(stop)

        left = {path.relative_to(out).as_posix(): job for path, job in jobs.items()}
        while left:
            with calls_of(run):
                why = self._play(left, out, noted)
            for path in run.elsewhere:
                if (job := left.pop(path.relative_to(out).as_posix(), None)) is not None:
                    noted(_found(job, path))
            if run.stopped:
                raise RunStops(run.stopped)
            waiting = {file: job for file, job in left.items() if out / file in run.busy}
            for file, job in left.items():
                if file not in waiting:
                    noted(broken(job, why.get(file, "no record came of it")))
            left = waiting
            while left and all(is_busy(journal_of(out / file)) for file in left):
                time.sleep(BETWEEN_LOOKS_SECONDS)
            run.busy.clear()

    def _play(self, left: dict[str, Job], out: Path, note: Progress) -> dict[str, str]:
        """Play jobs by the files of their records, and take away those that have come to one; what went wrong
        with others, by file."""

        async def note_done(state: TaskState) -> None:
            file = file_in(state.store)
            episode = episode_of(state.store, str(state.sample_id))
            if episode is not None and file in left:
                note(done_with(left.pop(file), out / file, episode))

        tasks = list(_tasks(left, out, note_done, self.patience))
        logs = inspect_eval(
            tasks,
            model=None,
            log_dir=str(out / LOGS),
            display="none",
            log_realtime=False,
            score_display=False,
            max_tasks=1,
            max_samples=self.at_once,
            max_connections=self.at_once,
            max_retries=self.patience.tries - 1,
            attempt_timeout=max(1, math.ceil(self.patience.try_seconds)),
            timeout=max(1, math.ceil(self.patience.call_seconds)),
        )
        # A task that was interrupted, and those after it, may have no log here at all.
        if len(logs) < len(tasks) or any(log.status == "cancelled" for log in logs):
            raise KeyboardInterrupt
        return _errors(logs)


def _ending(job: Job, path: Path, retry_failed: bool = False) -> Ending | None:
    return finished(path, job, world_of(job), client_of, retry_failed=retry_failed)


def _found(job: Job, path: Path) -> Done:
    """What became of a job that another process has played in the meantime; broken if it has not."""
    try:
        ending = _ending(job, path)
    except BackburnerError as error:
        return broken_by(job, error)
    if ending is None:
        return broken(job, "another process has left a record that is not finished")
    return Done(job, "kept", path, kept=ending.status, overflowed=ending.overflowed)


def _tasks(jobs: Mapping[str, Job], out: Path, listener: Listener, patience: Patience) -> Iterator[Task]:
    """A task for each world, agent, rule set, limits and clock; the files that the records go to by job."""
    alike: dict[tuple[str, AgentSpec, str, str, Timing | None], list[Sample]] = {}
    for file, job in jobs.items():
        episode = sample(Asked(job.scenario, job.seed, job.rules, job.limits, file))
        world = (episode.metadata or {})["world"]
        alike.setdefault((world, job.agent, job.rules, job.limits, job.clock), []).append(episode)
    for (world, agent, _, _, clock), episodes in alike.items():
        yield task_of(
            world,
            episodes,
            _player(agent, out, clock),
            name=world,
            model=_patient(agent.endpoints[0], patience) if agent.needs_model and agent.model else None,
            model_roles={seat: _patient(endpoint, patience) for seat, endpoint in agent.seats},
            cleanup=listener,
        )


def _player(agent: AgentSpec, out: Path, clock: Timing | None) -> Solver:
    chosen = dict(agent.decoding.made)
    own_temperature = chosen.get("temperature", UNSET) is None
    seed = chosen.pop("seed", None)
    return play(
        agent.name,
        agent.prompts,
        own_temperature=own_temperature,
        sampling_seed=seed,
        out=str(out),
        clock="" if clock is None else canonical_json(clock).decode(),
        **chosen,
    )


def _errors(logs: Sequence[EvalLog]) -> dict[str, str]:
    """What went wrong, by the file that a record should have come to."""
    samples = [each for log in logs for each in log.samples or ()]
    return {each.metadata["file"]: each.error.message for each in samples if each.error is not None}

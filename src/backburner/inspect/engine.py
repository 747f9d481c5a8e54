"""A run's jobs, played through Inspect: its providers, its retries, its logs; our records."""

from __future__ import annotations

import math
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import Model, get_model
from inspect_ai.solver import Solver, TaskState
from msgspec import UNSET, Struct

from backburner.agents.models.stand_in import is_stand_in
from backburner.agents.spec import AgentSpec, Endpoint
from backburner.evaluation.jobs import Job
from backburner.evaluation.outcomes import Progress, broken, done_with
from backburner.inspect.client import InspectClient
from backburner.inspect.samples import Asked, episode_of, file_in, sample
from backburner.inspect.solver import play
from backburner.inspect.tasks import task_of
from backburner.kernel.errors import Refused

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
        raise Refused(f"{endpoint.model} is no model, and plays with --engine own alone")
    try:
        return get_model(endpoint.model, base_url=endpoint.base_url or None)
    except Exception as error:  # whatever a provider needs and does not find
        why = " ".join(MARKUP.sub("", str(error)).split())
        raise Refused(f"Inspect cannot make the model {endpoint.model!r}: {why}") from error


Listener = Callable[[TaskState], Awaitable[None]]
"""Hears of every sample that is done."""


class InspectEngine(Struct, frozen=True):
    """Plays jobs through Inspect; an ``Engine`` of ``evaluation.runner.run``.

    ``at_once``: episodes, and connections to a model, at the same time. ``timeout_seconds``: the longest
    try of a call, of which there are ``max_retries`` more.
    """

    at_once: int = 16
    timeout_seconds: float = 120.0
    max_retries: int = 4

    def __call__(self, jobs: Mapping[Path, Job], out: Path, note: Progress) -> None:
        """Play the jobs, each record appearing when it is finished; Inspect's logs are left in ``logs``.

        Raises ``Refused`` if a model cannot be made, ``KeyboardInterrupt`` if the play was interrupted.
        """
        if not jobs:
            return
        left = {path.relative_to(out).as_posix(): job for path, job in jobs.items()}

        async def note_done(state: TaskState) -> None:
            file = file_in(state.store)
            episode = episode_of(state.store, str(state.sample_id))
            if episode is not None and file in left:
                note(done_with(left.pop(file), out / file, episode))

        tasks = list(_tasks(left, out, note_done))
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
            max_retries=self.max_retries,
            attempt_timeout=max(1, math.ceil(self.timeout_seconds)),
        )
        # A task that was interrupted, and those after it, may have no log here at all.
        if len(logs) < len(tasks) or any(log.status == "cancelled" for log in logs):
            raise KeyboardInterrupt
        why = _errors(logs)
        for file, job in left.items():
            note(broken(job, why.get(file, "no record came of it")))


def _tasks(jobs: Mapping[str, Job], out: Path, listener: Listener) -> Iterator[Task]:
    """A task for each world, agent, rule set and limits; the files that the records go to by job."""
    alike: dict[tuple[str, AgentSpec, str, str], list[Sample]] = {}
    for file, job in jobs.items():
        episode = sample(Asked(job.scenario, job.seed, job.rules, job.limits, file))
        world = (episode.metadata or {})["world"]
        alike.setdefault((world, job.agent, job.rules, job.limits), []).append(episode)
    for (world, agent, _, _), episodes in alike.items():
        yield task_of(
            world,
            episodes,
            _player(agent, out),
            name=world,
            model=model_of(agent.endpoints[0]) if agent.needs_model and agent.model else None,
            model_roles={seat: model_of(endpoint) for seat, endpoint in agent.seats},
            cleanup=listener,
        )


def _player(agent: AgentSpec, out: Path) -> Solver:
    chosen = dict(agent.decoding.made)
    own_temperature = chosen.get("temperature", UNSET) is None
    seed = chosen.pop("seed", None)
    return play(
        agent.name,
        agent.prompts,
        own_temperature=own_temperature,
        sampling_seed=seed,
        out=str(out),
        **chosen,
    )


def _errors(logs: Sequence[EvalLog]) -> dict[str, str]:
    """What went wrong, by the file that a record should have come to."""
    samples = [each for log in logs for each in log.samples or ()]
    return {each.metadata["file"]: each.error.message for each in samples if each.error is not None}

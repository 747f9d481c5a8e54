"""Jobs of a world as tasks of the extension ``io.modelcontextprotocol/tasks``.

Created and updated they are at times of the world, whose day begins at nine on a Monday.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Any, Literal

from msgspec import Struct

from backburner.kernel.background import Deed, Job
from backburner.kernel.tools import LONGEST_WORDS
from backburner.kernel.values import writable
from backburner.mcp.session import Session

EXTENSION = "io.modelcontextprotocol/tasks"

Polls = Literal["wait", "free", "cost"]
"""What it means to ask for a task that goes on: to wait for its job, nothing, or a check that takes time."""

OPENS = datetime(2030, 1, 7, 9, tzinfo=UTC)

INTERVALS = {"wait": 1, "free": 1000, "cost": 1000}
"""Milliseconds between two polls, as clients are told."""

STATUS = {
    "working": "working",
    "asking": "input_required",
    "done": "completed",
    "failed": "completed",
    "cancelled": "cancelled",
}
GOING_ON = ("working", "asking")
VALUE = "value"


class Task(Struct):
    """A task as clients may ask for it. ``answers``: how many of its questions were answered. ``result``: of
    the call that began it, once it is known; it stays as it is."""

    id: str
    name: str
    job: Job
    created: int
    updated: int
    answers: int = 0
    result: dict[str, Any] | None = None

    @property
    def going_on(self) -> bool:
        """Whether anything can still come of it."""
        return self.job.status in GOING_ON


class Tasks:
    """The tasks of a session. ``secret`` makes their ids such that nobody guesses them."""

    def __init__(self, session: Session, polls: Polls, secret: bytes) -> None:
        self.session, self.polls, self._secret = session, polls, secret
        self._tasks: dict[str, Task] = {}

    def begun(self) -> Task | None:
        """The task of the job that the last call has begun, if it goes on."""
        name = self.session.begun
        job = self.session.jobs.get(name)
        if job is None or job.status not in GOING_ON:
            return None
        number = str(len(self._tasks)).encode()
        id = blake2b(number, key=self._secret, digest_size=16).hexdigest()
        time = self.session.microseconds
        self._tasks[id] = task = Task(id, name, job, time, time)
        return task

    def find(self, id: str) -> Task | None:
        """The task of this id."""
        return self._tasks.get(id)

    async def poll(self, task: Task) -> None:
        """Ask for a task, which is a decision unless ``polls`` says that it is free."""
        self._look()
        if self.polls == "free" or task.job.status == "asking":
            return
        if self.polls == "cost" or task.job.silent:
            await self._decide(task, "check")
            return
        while task.job.status == "working" and await self._decide(task, "await"):
            pass

    async def update(self, task: Task, responses: Mapping[str, Any]) -> None:
        """Answer the question that a task asks; what answers no question is let go."""
        response = responses.get(str(task.answers + 1))
        if task.job.status != "asking" or not isinstance(response, Mapping):
            return
        content = response.get("content")
        if response.get("action") == "accept" and isinstance(content, Mapping) and VALUE in content:
            task.answers += 1
            await self._decide(task, "reply", " ".join(writable(str(content[VALUE]))[:LONGEST_WORDS].split()))

    async def cancel(self, task: Task) -> None:
        """Cancel the job of a task, if it goes on."""
        await self._decide(task, "cancel")

    async def _decide(self, task: Task, deed: Deed, value: str = "") -> bool:
        """Decide something about a job that goes on; whether that was accepted."""
        accepted = task.going_on and await self.session.about(deed, task.name, value)
        self._look()
        return accepted

    def _look(self) -> None:
        """How every job stands now; what nobody will tell any more is cancelled."""
        jobs, time = self.session.jobs, self.session.microseconds
        for task in self._tasks.values():
            job = jobs.get(task.name)
            if task.going_on and (job is None or (self.session.over and job.status in GOING_ON)):
                job = Job("cancelled", told="nothing more comes of it")
            if task.going_on and job is not None and job != task.job:
                task.job, task.updated = job, time

    # --- how a task is told ---------------------------------------------------------------------------------

    def told(self, task: Task) -> dict[str, Any]:
        """A task with what stands in it by its status."""
        told: dict[str, Any] = self.handle(task)
        if task.job.status == "asking":
            told["inputRequests"] = {str(task.answers + 1): _question(task.job)}
        elif told["status"] == "completed":
            task.result = task.result or self._result(task)
            told["result"] = task.result
        return told

    def handle(self, task: Task) -> dict[str, Any]:
        """A task without what stands in it."""
        told = {
            "taskId": task.id,
            "status": STATUS[task.job.status],
            "createdAt": _time(task.created),
            "lastUpdatedAt": _time(task.updated),
            "ttlMs": None,
            "pollIntervalMs": INTERVALS[self.polls],
        }
        return {**told, "statusMessage": task.job.told} if task.job.told else told

    def _result(self, task: Task) -> dict[str, Any]:
        job = task.job
        told = {"ok": job.status == "done", "job": task.name, "status": job.status, **job.result}
        if job.told:
            told["told"] = job.told
        return self.session.told(told)


def _question(job: Job) -> dict[str, Any]:
    """A question as an elicitation."""
    value = {"type": "string", **({"enum": list(job.choices)} if job.choices else {})}
    schema = {"type": "object", "properties": {VALUE: value}, "required": [VALUE]}
    params = {"mode": "form", "message": job.told or "An answer is needed.", "requestedSchema": schema}
    return {"method": "elicitation/create", "params": params}


def _time(microseconds: int) -> str:
    return (OPENS + timedelta(microseconds=microseconds)).isoformat().replace("+00:00", "Z")

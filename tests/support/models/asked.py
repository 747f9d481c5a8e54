"""Language models that play as a stand-in does, and are none: tables of what was asked and answered.

A stand-in knows the state. To have the records of a model that plays as well, a stand-in plays first; then a
model with a script answers the same requests with the same words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from backburner.agents.models.client import (
    Completion,
    Message,
    ModelClient,
    RequestDigests,
    ScriptedModel,
    Settings,
)
from backburner.agents.models.stand_in import StandIn
from backburner.evaluation.running import runner
from backburner.evaluation.running.jobs import Job

SETTINGS = Settings()


class Noting:
    """A client that notes what was answered to each conversation."""

    def __init__(self, client: ModelClient, table: dict[str, str]) -> None:
        self.name, self.origin = client.name, client.origin
        self._client, self._table = client, table

    async def complete(self, messages: Sequence[Message], settings: Settings) -> Completion:
        completion = await self._client.complete(messages, settings)
        self._table.setdefault(RequestDigests().of(messages, SETTINGS), completion.text)
        return completion

    async def aclose(self) -> None:
        """Nothing to let go of."""


class Telling:
    """A scripted model whose answers have ids, as providers' have."""

    def __init__(self, table: Mapping[str, str], name: str) -> None:
        self._model = ScriptedModel(
            lambda messages: table[RequestDigests().of(messages, SETTINGS)], name=name
        )
        self.name, self.origin = name, {"model": name}
        self._number = 0

    async def complete(self, messages: Sequence[Message], settings: Settings) -> Completion:
        self._number += 1
        completion = await self._model.complete(messages, settings)
        return msgspec.structs.replace(completion, id=f"chatcmpl-{self._number:029}")

    async def aclose(self) -> None:
        """Nothing to let go of."""


def play(jobs: Sequence[Job], out: Path, skill: float = 0.7, seed: int = 0) -> Path:
    """Have the jobs, which are of one model, played as a stand-in would play them. Returns the folder."""
    table: dict[str, str] = {}
    stand_in = StandIn(skill, seed)
    rehearsed = [_of(job, stand_in.name) for job in jobs]
    runner.run(rehearsed, out.with_name(f"{out.name}-rehearsed"), client_of=lambda _: Noting(stand_in, table))
    runner.run(jobs, out, client_of=lambda endpoint: Telling(table, endpoint.model))
    return out


def _of(job: Job, model: str) -> Job:
    changed: Any = msgspec.structs.replace(job.agent, model=model)
    return msgspec.structs.replace(job, agent=changed)

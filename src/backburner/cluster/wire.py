"""What head and workers say to each other, and how a worker asks the head while it works.

The head calls a worker, never the other way round, as nobody may be reachable but through the cluster. So
a worker's questions wait in its outbox. The head keeps one call of ``exchange`` under way: it brings the
answers to the last questions and returns with the next ones, however many have come together.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from backburner.agents.models.client import Completion
from backburner.evaluation.running.chains_of_jobs import Done
from backburner.kernel.errors import BackburnerError, Refused, RunStops, why


class Failure(Struct, frozen=True):
    """An error, on its way to the other side. ``stops``: it ends the run."""

    message: str
    stops: bool = False

    @property
    def error(self) -> BackburnerError:
        """The error to be raised on this side, with the same words."""
        return RunStops(self.message) if self.stops else Refused(self.message)


def failure_of(error: Exception) -> Failure:
    """What is told of an error; one that is nobody's intention is told with its type."""
    return Failure(why(error), isinstance(error, RunStops))


# --- what a worker asks ------------------------------------------------------------------------------------


class Open(Struct, frozen=True):
    """May this request of an episode be sent, or what was it answered before? See ``Keeper.open``.

    ``episode``: what head and worker call it: a number, or where its record belongs in the folder.
    """

    episode: int | str
    request: str


class Failed(Struct, frozen=True):
    """No answer came to a request."""

    episode: int | str
    request: str


class Answered(Struct, frozen=True):
    """The answer to a request; the head keeps it and says how."""

    episode: int | str
    request: str
    model: str
    completion: Completion


class Finished(Struct, frozen=True):
    """What became of a job, with the contents of its record's files, former attempts first."""

    done: Done
    contents: tuple[bytes, ...] = ()


class Question(Struct, frozen=True):
    """One of the above, with a number that its answer bears too."""

    number: int
    asked: Any


Answers = Sequence[tuple[int, Any]]
"""(number of the question, its answer or a ``Failure``)."""


class Outbox:
    """A worker's questions until the head has answered them; used in one event loop."""

    def __init__(self) -> None:
        self._new: list[Question] = []
        self._open: dict[int, asyncio.Future[Any]] = {}
        self._there = asyncio.Event()
        self._number = 0

    async def ask(self, asked: Any) -> Any:
        """The head's answer; raises what the head says went wrong."""
        self._number += 1
        future = asyncio.get_running_loop().create_future()
        self._open[self._number] = future
        self._new.append(Question(self._number, asked))
        self._there.set()
        answer = await future
        if isinstance(answer, Failure):
            raise answer.error
        return answer

    async def exchange(self, answers: Answers) -> list[Question]:
        """Take answers, and return with the next questions as soon as there are any."""
        for number, answer in answers:
            future = self._open.pop(number)
            if not future.done():
                future.set_result(answer)
        await self._there.wait()
        self._there.clear()
        questions, self._new = self._new, []
        return questions

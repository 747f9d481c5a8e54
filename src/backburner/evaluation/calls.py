"""Calls to language models whose answers are kept and counted: a client that asks nothing twice.

A ``Keeper`` has the answers of the episode that the running task plays: on this machine the episode's journal
with the books of the run, on a worker of a cluster whoever asks the head for them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter
from typing import Protocol

from msgspec import Struct

from backburner.agents.models.client import Completion, Message, ModelClient, Settings
from backburner.agents.models.requests import RequestDigests
from backburner.evaluation.budgets import Books
from backburner.evaluation.journals import Journal
from backburner.kernel.errors import ContextOverflow, PolicyFailure, RunStops


class Keeper(Protocol):
    """Keeps the calls of one episode, and says whether another may be made."""

    async def open(self, request: str) -> Completion | None:
        """What the request, told by its digest, was answered before; ``None``: it is noted, and may be sent.

        Raises ``RunStops`` when the budget is used up or nothing can be noted.
        """

    async def failed(self, request: str) -> None:
        """Note that no answer came."""

    async def answered(self, request: str, model: str, completion: Completion) -> Completion:
        """Keep the answer of a model; returns it as the journal has it."""


class JournalKeeper(Struct, frozen=True):
    """A ``Keeper`` with the episode's journal and the books of the run at hand."""

    journal: Journal
    books: Books

    async def open(self, request: str) -> Completion | None:
        """See ``Keeper``."""
        known = self.journal.known(request)
        if known is None:
            self.books.open_call()
            self.journal.write("sent", request)
        return known

    async def failed(self, request: str) -> None:
        """See ``Keeper``."""
        self.journal.write("failed", request)

    async def answered(self, request: str, model: str, completion: Completion) -> Completion:
        """See ``Keeper``."""
        kept = self.journal.received(request, completion)
        self.books.enter(model, kept)
        return kept


class _Episode(Struct):
    """The episode that the running task plays. ``most_seconds``: the time that it may take."""

    keeper: Keeper
    most_seconds: float | None
    began_seconds: float
    digests: RequestDigests


_playing: ContextVar[_Episode] = ContextVar("playing")


@contextmanager
def calls_kept_by(keeper: Keeper, most_seconds: float | None = None) -> Iterator[None]:
    """Within it, ``KeptClient`` has answers kept by this keeper, in tasks that are started here too.

    ``most_seconds``: the time that the episode may take.
    """
    token = _playing.set(_Episode(keeper, most_seconds, perf_counter(), RequestDigests()))
    try:
        yield
    finally:
        _playing.reset(token)


class KeptClient:
    """A client that asks nothing twice: what was answered before is taken from the episode's keeper.

    A ``ModelClient``; used within ``calls_kept_by``. Raises what ``Keeper.open`` raises, before anything is
    sent.
    """

    def __init__(self, client: ModelClient) -> None:
        self._client = client
        self.name, self.origin = client.name, client.origin

    async def complete(self, messages: Sequence[Message], settings: Settings) -> Completion:
        """The answer; see ``ModelClient``."""
        playing = _playing.get()
        keeper = playing.keeper
        request = playing.digests.of(messages, settings)
        if (known := await keeper.open(request)) is not None:
            return known
        try:
            completion = await _in_time(playing, self._client.complete(messages, settings))
        except TimeoutError:
            raise PolicyFailure("model", f"{self.name}: the time of the episode is over") from None
        except (PolicyFailure, ContextOverflow, RunStops):
            await keeper.failed(request)
            raise
        return await keeper.answered(request, self.name, completion)

    async def aclose(self) -> None:
        """Close the client's connections."""
        await self._client.aclose()


async def _in_time(playing: _Episode, call: Awaitable[Completion]) -> Completion:
    """What comes of the call, if the episode has time for it; raises ``TimeoutError``."""
    if playing.most_seconds is None:
        return await call
    return await asyncio.wait_for(call, playing.began_seconds + playing.most_seconds - perf_counter())

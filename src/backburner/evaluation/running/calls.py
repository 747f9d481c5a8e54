"""Calls to language models: answers are kept in journals so that none is asked for twice, and counted.

Each episode has a journal beside its record. It holds every answer from the moment it is received until the
record is whole, and is locked by the process that plays the episode, so that of two runs into one folder one
plays it; whoever has the lock looks whether the record is there by now. The system takes the lock from a
process that ends, however it ends. An episode that asks no model has an empty journal, for the lock alone.

An episode that was broken off is played again from its beginning: the same decisions lead to the same
requests, and what the journal has the answer to is not asked again. So a journal works for any method,
whatever it remembers.

A ``Keeper`` has the answers of the episode that the running task plays: on this machine the episode's journal
with the books of the run, on a worker of a cluster whoever asks the head for them.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter, defaultdict, deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from io import FileIO
from pathlib import Path
from time import perf_counter
from typing import Literal, Protocol

import msgspec
from msgspec import Struct, structs

from backburner.agents.models.client import Completion, Message, ModelClient, RequestDigests, Settings
from backburner.agents.models.stand_in import is_stand_in
from backburner.agents.models.toolbox import NO_TOOLS, Toolbox
from backburner.kernel.errors import BadFile, ContextOverflow, NotDrawn, PolicyFailure, RunStops
from backburner.kernel.files import hold, is_at, read_regular
from backburner.kernel.values import canonical_json, writable

BETWEEN_LOOKS_SECONDS = 0.5
"""How often it is looked whether another process is done with an episode."""

What = Literal["sent", "failed", "answered"]


class _Line(Struct, frozen=True, omit_defaults=True):
    """One line of a journal: a request, by its digest, is sent, has failed, or has an answer."""

    what: What
    request: str
    completion: Completion | None = None


_decoder = msgspec.json.Decoder(_Line)


class Busy(Exception):
    """Another process plays this episode."""


class Journal:
    """The calls of one episode, in a file that this process alone writes.

    ``answers``: how many it holds.

    Raises ``Busy`` if another process has it, ``BadFile`` if it is no journal, ``RunStops`` if it cannot
    be written, as on a full disk.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._answers: dict[str, deque[Completion]] = defaultdict(deque)
        self._lost: Counter[str] = Counter()
        self._file = _locked(path)
        try:
            self.begin_again()
        except BaseException:
            self._file.close()
            raise

    def begin_again(self) -> None:
        """Know all that the file holds, as an episode needs it that is played from its beginning.

        A last line that was cut off is removed.
        """
        self._answers.clear()
        self._lost.clear()
        self.answers = 0
        self._file.seek(0)
        content = self._file.read()
        whole, _, rest = content.rpartition(b"\n")
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                told = _decoder.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                raise BadFile(self.path, f"line {number}", f"not a line of a journal ({error})") from error
            if told.what == "sent":
                self._lost[told.request] += 1
            else:
                self._lost[told.request] -= 1
            if told.completion is not None:
                self._answers[told.request].append(told.completion)
                self.answers += 1
        if rest:
            self._file.truncate(len(content) - len(rest))
            self._file.seek(0, os.SEEK_END)

    @property
    def lost(self) -> int:
        """Calls that an earlier process sent and whose answers it did not live to receive.

        What these cost nobody here can know.
        """
        return self._lost.total()

    def known(self, request: str) -> Completion | None:
        """The next answer to this request that was received before, if there is one."""
        answers = self._answers.get(request)
        return self._told(request, answers.popleft()) if answers else None

    def received(self, request: str, completion: Completion) -> Completion:
        """Keep an answer; the answer in characters that files hold, with the calls for it that were lost
        before."""
        text, reasoning = writable(completion.text), writable(completion.reasoning)
        completion = structs.replace(completion, text=text, reasoning=reasoning)
        self.write("answered", request, completion)
        self.answers += 1
        return self._told(request, completion)

    def _told(self, request: str, completion: Completion) -> Completion:
        lost = self._lost.pop(request, 0)
        return structs.replace(completion, lost=lost) if lost else completion

    def write(self, what: What, request: str, completion: Completion | None = None) -> None:
        """Append a line; it is with the operating system when this returns."""
        try:
            self._file.write(canonical_json(_Line(what, request, completion)) + b"\n")
            self._file.flush()
        except OSError as error:
            raise RunStops(f"{self.path}: {error.strerror or error}") from error

    def remove(self) -> None:
        """The record is whole: nobody needs the journal any more."""
        self.path.unlink(missing_ok=True)

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *error: object) -> None:
        if os.fstat(self._file.fileno()).st_size == 0:
            self.remove()
        self._file.close()


def answers_kept(path: Path) -> dict[str, list[Completion]]:
    """The answers that a journal holds, by request (``RequestDigests``), for those who only look.

    Nothing where there is no journal, or none that can be read.
    """
    found: dict[str, list[Completion]] = {}
    try:
        for line in read_regular(path).splitlines():
            told = _decoder.decode(line)
            if told.completion is not None:
                found.setdefault(told.request, []).append(told.completion)
    except (BadFile, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass  # such as a last line that is being written
    return found


def _locked(path: Path) -> FileIO:
    """The file, which no other process has; one that was removed while we waited for it does not count."""
    while True:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = path.open("a+b", buffering=0)
        except OSError as error:
            raise RunStops(f"{path}: {error.strerror or error}") from error
        if not hold(file):
            file.close()
            raise Busy(str(path))
        if is_at(file, path):
            return file
        file.close()


def is_busy(path: Path) -> bool:
    """Whether another process has the journal at this place."""
    try:
        with path.open("rb") as file:
            return not hold(file)
    except FileNotFoundError:
        return False
    except OSError:
        return True


# --- budgets ---------------------------------------------------------------------------------------------


class Budget(Struct, frozen=True):
    """What the calls of a run may come to, in calls, tokens (input and output) and money; ``None``: no end.

    ``price``: what an answer of a model costs, by the model's name; ``None`` if that is not known.
    ``episode_seconds``: the time that one episode may take. ``opened`` hears of every call that is sent.
    """

    calls: int | None = None
    tokens: int | None = None
    money: float | None = None
    episode_seconds: float | None = None
    price: Callable[[str, Completion], float | None] = lambda model, completion: None
    opened: Callable[[], None] = lambda: None


NO_END = Budget()


class Books:
    """What the calls of a run have come to so far. Answers out of journals cost nothing again."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.calls = 0
        self.tokens = 0
        self.money = 0.0

    def open_call(self) -> None:
        """Count a call that is about to be sent; raises ``RunStops`` if there is nothing left for it."""
        budget = self.budget
        for what, spent, most in (
            ("calls", self.calls, budget.calls),
            ("tokens", self.tokens, budget.tokens),
            ("money", self.money, budget.money),
        ):
            if most is not None and spent >= most:
                raise RunStops(
                    f"the budget of {most:g} {what} is used up; with more, the same command goes on"
                )
        self.calls += 1
        budget.opened()

    def enter(self, model: str, completion: Completion) -> None:
        """Count what an answer cost."""
        self.tokens += completion.input_tokens + completion.output_tokens
        if self.budget.money is not None and not is_stand_in(model):
            cost = self.budget.price(model, completion)
            if cost is None:
                raise RunStops(
                    f"a budget of money needs the price of {model!r} and its tokens, and one is unknown"
                )
            self.money += cost


# --- calls -----------------------------------------------------------------------------------------------


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

    async def complete(
        self, messages: Sequence[Message], settings: Settings, tools: Toolbox = NO_TOOLS
    ) -> Completion:
        """The answer; see ``ModelClient``."""
        playing = _playing.get()
        keeper = playing.keeper
        request = playing.digests.of(messages, settings, tools)
        offered = (tools,) if tools.tools else ()
        if (known := await keeper.open(request)) is not None:
            return known
        try:
            completion = await _in_time(playing, self._client.complete(messages, settings, *offered))
        except TimeoutError:
            raise PolicyFailure("model", f"{self.name}: the time of the episode is over") from None
        except (PolicyFailure, ContextOverflow, RunStops, NotDrawn):
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

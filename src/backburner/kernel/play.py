"""The one loop that plays every world with every policy."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Future
from contextvars import copy_context
from threading import Event, Thread
from typing import Any

import msgspec

from backburner.kernel import __version__
from backburner.kernel.clock import Clock
from backburner.kernel.contract import World
from backburner.kernel.episode import (
    CLOCKED,
    CONTEXT_OVERFLOW,
    FORMAT,
    LONGEST_NAME,
    Answer,
    Deliberation,
    Ending,
    Entry,
    Episode,
    Header,
    Player,
    Record,
)
from backburner.kernel.errors import ContextOverflow, PolicyFailure, PolicyStops, Refused
from backburner.kernel.policy import Policy, Reply
from backburner.kernel.timekeeping import Timekeeper, spent
from backburner.kernel.turns import (
    answered,
    check_length,
    outspoken,
    read,
    told_in_vain,
    turn_of,
    unreadable,
)
from backburner.kernel.values import Refusal, Seat, Usage, digest, writable

Sink = Callable[[Record], None]
"""Takes each record the moment it is known, such as ``EpisodeFile.write``."""

Watch = Callable[[Any], None]
"""Hears of each state: of the first one, and of that after each step, once its record is out."""

SAFETY_CAP = 100_000

MOST_SILENT = 5000
"""Steps in a row in which everybody is silent; where a world's limits do not end play before, this does."""

SPENT = "spent"
"""The attribute of an exception from ``decide`` that says what was spent before it, as a ``Usage``."""


async def play(
    world: World[Any, Any, Any],
    policies: Mapping[Seat, Policy] | Policy,
    seed: int = 0,
    *,
    sink: Sink | None = None,
    watch: Watch | None = None,
    max_steps: int = SAFETY_CAP,
    together: bool = True,
    clock: Clock | None = None,
) -> Episode:
    """Play one episode and return its record.

    ``policies`` maps every seat to its policy; a single policy plays all seats. Seats that must
    decide at the same time are asked together, or, without ``together``, one after the other: what they are
    told is the same, and no event loop is needed. Every record is handed to ``sink`` as soon as it
    exists; ``watch`` hears of every state. ``max_steps`` is a safety cap beside the world's own limits.
    With a ``clock`` thinking takes time (see ``timekeeping``), and the cap is on steps in which somebody
    decides, beside one on silent steps in a row.

    A ``PolicyFailure`` (also of ``sink``, for a step that no record holds) ends the episode as ``failed``,
    ``PolicyStops`` as ``stopped``; a ``ContextOverflow`` for the reason ``CONTEXT_OVERFLOW``, or as
    ``failed`` where it let nothing be decided. When the play is interrupted (Ctrl-C, a cancelled task), the
    record ends as ``interrupted`` and the interruption goes on. Raises ``Refused`` for an answer that is no
    ``Reply``. Any other exception is a bug in a world or policy and comes through.
    """
    table = _Table(world, policies, seed, sink, watch, clock)
    try:
        return await table.play(max_steps, together)
    except (PolicyFailure, PolicyStops) as error:
        return table.close(*ended_by(error, begun=bool(table.entries)))
    except (KeyboardInterrupt, asyncio.CancelledError):
        table.close("interrupted", "interrupted")
        raise


def play_now(
    world: World[Any, Any, Any],
    policies: Mapping[Seat, Policy] | Policy,
    seed: int = 0,
    *,
    sink: Sink | None = None,
    max_steps: int = SAFETY_CAP,
    clock: Clock | None = None,
) -> Episode:
    """``play`` for callers that are not asynchronous; also where an event loop runs, as in a notebook."""
    playing = play(world, policies, seed, sink=sink, max_steps=max_steps, clock=clock)
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(playing)
    return _beside(playing)


def _beside(playing: Coroutine[Any, Any, Episode]) -> Episode:
    """What is played in a loop of its own, in another thread, while this one waits; stopped with it."""
    found: Future[Episode] = Future()
    stopped = Event()

    async def work() -> None:
        stop.append((asyncio.get_running_loop(), asyncio.current_task()))
        if stopped.is_set():  # before it had begun
            playing.close()
            raise asyncio.CancelledError
        found.set_result(await playing)

    def run() -> None:
        try:
            asyncio.run(work())
        except BaseException as error:
            found.set_exception(error)

    stop: list[tuple[asyncio.AbstractEventLoop, Any]] = []
    try:
        Thread(target=copy_context().run, args=(run,), daemon=True).start()
        return found.result()
    except KeyboardInterrupt:
        stopped.set()
        for loop, task in stop:
            loop.call_soon_threadsafe(task.cancel)
        raise


def ended_by(error: PolicyFailure | PolicyStops, *, begun: bool) -> tuple[Any, str, str]:
    """Status, reason and error of an episode that a policy's exception ends; ``begun``: whether anything was
    decided in it."""
    if isinstance(error, PolicyFailure):
        return "failed", error.boundary, str(error)
    if isinstance(error, ContextOverflow):
        return ("stopped", CONTEXT_OVERFLOW, str(error)) if begun else ("failed", "model", str(error))
    return "stopped", str(error), ""


class _Interrupted(Exception):
    """Somebody pressed Ctrl-C while one of several seats was asked."""


class _Table:
    """One episode in play: the state, what each policy remembers, the records so far."""

    def __init__(
        self,
        world: World[Any, Any, Any],
        policies: Mapping[Seat, Policy] | Policy,
        seed: int,
        sink: Sink | None,
        watch: Watch | None,
        clock: Clock | None,
    ) -> None:
        self.world = world
        self.policies = policies if isinstance(policies, Mapping) else dict.fromkeys(world.seats, policies)
        if missing := [seat for seat in world.seats if seat not in self.policies]:
            raise Refused(f"{world.id}: no policy for seat {', '.join(missing)}")
        self.seed = seed
        self.sink, self.watch = sink, watch
        self.state = world.start(seed)
        self.memories: dict[Seat, Any] = dict.fromkeys(world.seats)
        self.refused: dict[Seat, tuple[Refusal, ...]] = dict.fromkeys(world.seats, ())
        self.keeper = None if clock is None else Timekeeper(world, clock, seed)
        self.header = header_of(world, self.policies, seed, digest(self.state), clock)
        self.entries: list[Entry] = []
        self.decided = self.silent = 0  # steps in which somebody decided; in which nobody did since
        self.spent: dict[Seat, Usage] = {}  # on decisions that have not come to a step yet
        self._emit(self.header)

    async def play(self, max_steps: int, together: bool) -> Episode:
        self._tell()
        while seats := self.world.deciders(self.state):
            if self.decided >= max_steps or self.silent >= MOST_SILENT:
                return self.close("capped", f"{len(self.entries)} steps")
            if self.keeper is None:
                self._step(await self._ask_all(seats, together))
            else:
                await self._think(self.keeper, seats, together)
        outcome = self.world.outcome(self.state)
        return self.close("cut off" if outcome.status == "cut off" else "ended", outcome.reason)

    async def _think(self, keeper: Timekeeper, seats: Sequence[Seat], together: bool) -> None:
        """Ask whoever has no thought under way; then whoever has thought to the end decides."""
        cut = {}
        for seat, reply in (await self._ask_all(keeper.to_ask(self.state, seats), together)).items():
            if not keeper.think(self.state, seat, len(self.entries), reply).speaks:
                cut[seat] = reply
        moment = keeper.moment(self.state, seats)
        replies, thoughts = {}, {}
        for seat, pending in moment.decided.items():
            thought = thoughts[seat] = pending.thought
            replies[seat] = unreadable(self.world, pending.reply) if thought.cut else pending.reply
        silent = {
            seat: Answer(silence, silent=True)
            if seat not in cut
            else Answer(silence, None, None, told_in_vain(cut[seat]), keeper.pending[seat].thought, True)
            for seat, silence in moment.silences.items()
        }
        self._step(replies, thoughts, silent, cut)

    async def _ask_all(self, seats: Sequence[Seat], together: bool) -> dict[Seat, Reply]:
        if together and len(seats) > 1:
            return await self._ask_together(seats)
        return {seat: await self._ask(seat) for seat in seats}

    async def _ask_together(self, seats: Sequence[Seat]) -> dict[Seat, Reply]:
        asked = [asyncio.ensure_future(self._ask_aside(seat)) for seat in seats]
        try:
            return dict(zip(seats, await asyncio.gather(*asked), strict=True))
        except _Interrupted as interrupted:
            raise KeyboardInterrupt from interrupted
        finally:
            for other in asked:  # when one fails, the others need not go on
                other.cancel()
            await asyncio.gather(*asked, return_exceptions=True)  # and say what they have spent

    async def _ask_aside(self, seat: Seat) -> Reply:
        """In a task of its own, where a KeyboardInterrupt would not reach those who wait for it."""
        try:
            return await self._ask(seat)
        except KeyboardInterrupt as interruption:
            raise _Interrupted from interruption

    async def _ask(self, seat: Seat) -> Reply:
        policy = self.policies[seat]
        index, informed = len(self.entries), policy.informed
        turn = turn_of(
            self.world,
            self.state,
            seat,
            index,
            self.seed,
            informed=informed,
            refused=self.refused[seat],
            clock=None if self.keeper is None else self.keeper.turn(self.state, seat),
        )
        try:
            reply: Any = await policy.decide(turn, self.memories[seat])
        except BaseException as error:
            if (lost := getattr(error, SPENT, None)) is not None:
                self.spent[seat] = lost
            raise
        if not isinstance(reply, Reply):
            kind = type(reply).__name__
            raise Refused(f"agent {policy.name!r}: decide must answer with a backburner.Reply, not a {kind}")
        self.memories[seat] = reply.memory
        if (cost := spent(reply)) is not None:
            self.spent[seat] = cost
        check_length(reply)
        return outspoken(self.world, reply)

    def _step(
        self,
        replies: Mapping[Seat, Reply],
        thoughts: Mapping[Seat, Deliberation] = {},
        silent: Mapping[Seat, Answer] = {},
        cut: Mapping[Seat, Reply] = {},
    ) -> None:
        """What follows from replies, each with its thought under a clock, and from silences; replies that
        were ``cut`` cost something all the same."""
        decisions = {
            seat: read(self.world, self.state, seat, reply.answer) for seat, reply in replies.items()
        }
        if self.keeper is not None and self.keeper.clock.talk_words is not None:
            decisions = {seat: self.keeper.within(seat, given) for seat, given in decisions.items()}
        silences = {seat: answer.decision for seat, answer in silent.items()}
        step = self.world.step(self.state, {**decisions, **silences} if silences else decisions)
        answers = {
            seat: answered(decisions[seat], reply, thoughts.get(seat)) for seat, reply in replies.items()
        }
        costs = {seat: spent(reply) for seat, reply in ({**replies, **cut} if cut else replies).items()}
        entry = Entry(
            index=len(self.entries),
            answers={**answers, **silent} if silent else answers,
            digest=digest(step.state),
            events=step.events,
            refusals=step.refusals,
            usage={seat: cost.bounded() for seat, cost in costs.items() if cost is not None},
        )
        self._emit(entry)  # first: what no record holds has not happened
        self.entries.append(entry)
        self.state = step.state
        if self.keeper is not None:
            self.keeper.hear(step.events)
        self.decided, self.silent = (self.decided + 1, 0) if replies else (self.decided, self.silent + 1)
        if self.spent:
            for seat in costs:
                self.spent.pop(seat, None)
        for seat in decisions:
            self.refused[seat] = tuple(refusal for refusal in step.refusals if refusal.seat == seat)
        for refusal in step.refusals:  # some only once somebody else has said what came of a decision
            if refusal.seat not in decisions and refusal.seat in self.refused:
                self.refused[refusal.seat] += (refusal,)
        self._tell()

    def _tell(self) -> None:
        if self.watch is not None:
            self.watch(self.state)

    def close(self, status: Any, reason: str, error: str = "") -> Episode:
        numbers = self.world.outcome(self.state).numbers
        costs = {seat: usage.bounded() for seat, usage in self.spent.items() if usage != Usage()}
        thoughts = {} if self.keeper is None else self.keeper.unfinished(len(self.entries))
        ending = Ending(status, reason, numbers, len(self.entries), writable(error), costs, thoughts)
        self._emit(ending)
        return Episode(self.header, tuple(self.entries), ending)

    def _emit(self, record: Record) -> None:
        if self.sink is not None:
            self.sink(record)


def header_of(
    world: World[Any, Any, Any],
    policies: Mapping[Seat, Policy],
    seed: int,
    start_digest: str,
    clock: Clock | None = None,
) -> Header:
    """The header of an episode that is about to be played."""
    return Header(
        format=FORMAT if clock is None else CLOCKED,
        version=__version__,
        world=world.id.partition("/")[0],
        world_version=world.version,
        id=world.id,
        scenario=msgspec.to_builtins(world.scenario),
        scenario_digest=digest(world.scenario),
        rules=msgspec.to_builtins(world.rules),
        limits=msgspec.to_builtins(world.limits),
        seed=seed,
        players={
            seat: Player(
                policies[seat].name[:LONGEST_NAME], policies[seat].informed, dict(policies[seat].settings)
            )
            for seat in world.seats
        },
        time_unit=world.time_unit,
        start_digest=start_digest,
        seats=world.seats,
        clock=clock,
    )

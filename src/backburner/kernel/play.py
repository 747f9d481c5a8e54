"""The one loop that plays every world with every policy."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeGuard

import msgspec

from backburner.kernel import __version__
from backburner.kernel.contract import World, decision_of, subclasses
from backburner.kernel.episode import (
    CONTEXT_OVERFLOW,
    FORMAT,
    LONGEST_NAME,
    Answer,
    Ending,
    Entry,
    Episode,
    Header,
    Player,
    Record,
)
from backburner.kernel.errors import ContextOverflow, PolicyFailure, PolicyStops, Refused
from backburner.kernel.menu import Menus, inseparable
from backburner.kernel.policy import Policy, Reply, Trial, Turn, withheld
from backburner.kernel.text import Glance, Text, only, without
from backburner.kernel.thinking import REASONING, Spoken, spoken
from backburner.kernel.values import Fault, Refusal, Seat, Step, Thought, Usage, digest
from backburner.kernel.view import draws

Sink = Callable[[Record], None]
"""Takes each record the moment it is known, such as ``EpisodeFile.write``."""

Watch = Callable[[Any], None]
"""Hears of each state: of the first one, and of that after each step, once its record is out."""

SAFETY_CAP = 100_000

LONGEST_ANSWER = 1_000_000
"""Characters of a text that is an answer. No model that plays says as much; a broken server may."""

MOST_SAID_BYTES = 8 << 20
"""Of an answer and its thoughts, as a record holds them: half of the longest line that can be read again."""

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
) -> Episode:
    """Play one episode and return its record.

    ``policies`` maps every seat to its policy; a single policy plays all seats. Seats that must
    decide at the same time are asked together, or, without ``together``, one after the other: what they are
    told is the same, and no event loop is needed. Every record is handed to ``sink`` as soon as it
    exists; ``watch`` hears of every state. ``max_steps`` is a safety cap beside the world's own limits.

    A ``PolicyFailure`` (also of ``sink``, for a step that no record holds) ends the episode as ``failed``,
    ``PolicyStops`` as ``stopped``; a ``ContextOverflow`` for the reason ``CONTEXT_OVERFLOW``, or as
    ``failed`` where it let nothing be decided. When the play is interrupted (Ctrl-C, a cancelled task), the
    record ends as ``interrupted`` and the interruption goes on. Raises ``Refused`` for an answer that is no
    ``Reply``. Any other exception is a bug in a world or policy and comes through.
    """
    table = _Table(world, policies, seed, sink, watch)
    try:
        return await table.play(max_steps, together)
    except PolicyFailure as failure:
        return table.close("failed", failure.boundary, str(failure))
    except ContextOverflow as overflow:
        if not table.entries:
            return table.close("failed", "model", str(overflow))
        return table.close("stopped", CONTEXT_OVERFLOW, str(overflow))
    except PolicyStops as stop:
        return table.close("stopped", str(stop))
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
) -> Episode:
    """``play`` for callers that are not asynchronous."""
    return asyncio.run(play(world, policies, seed, sink=sink, max_steps=max_steps))


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
        self.header = header_of(world, self.policies, seed, digest(self.state))
        self.entries: list[Entry] = []
        self.spent: dict[Seat, Usage] = {}  # on decisions that have not come to a step yet
        self._emit(self.header)

    async def play(self, max_steps: int, together: bool) -> Episode:
        self._tell()
        while seats := self.world.deciders(self.state):
            if len(self.entries) >= max_steps:
                return self.close("capped", f"{max_steps} steps")
            if together and len(seats) > 1:
                self._step(await self._ask_together(seats))
            else:
                self._step({seat: await self._ask(seat) for seat in seats})
        outcome = self.world.outcome(self.state)
        return self.close("cut off" if outcome.status == "cut off" else "ended", outcome.reason)

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
            self.world, self.state, seat, index, self.seed, informed=informed, refused=self.refused[seat]
        )
        try:
            reply: Any = await policy.decide(turn, self.memories[seat])
        except BaseException as error:
            if (spent := getattr(error, SPENT, None)) is not None:
                self.spent[seat] = spent
            raise
        if not isinstance(reply, Reply):
            kind = type(reply).__name__
            raise Refused(f"agent {policy.name!r}: decide must answer with a backburner.Reply, not a {kind}")
        self.memories[seat] = reply.memory
        if reply.usage is not None:
            self.spent[seat] = reply.usage
        check_length(reply)
        return outspoken(self.world, reply)

    def _step(self, replies: Mapping[Seat, Reply]) -> None:
        decisions = {
            seat: read(self.world, self.state, seat, reply.answer) for seat, reply in replies.items()
        }
        step = self.world.step(self.state, decisions)
        entry = Entry(
            index=len(self.entries),
            answers={seat: answered(decisions[seat], reply) for seat, reply in replies.items()},
            digest=digest(step.state),
            events=step.events,
            refusals=step.refusals,
            usage={seat: reply.usage.bounded() for seat, reply in replies.items() if reply.usage is not None},
        )
        self._emit(entry)  # first: what no record holds has not happened
        self.entries.append(entry)
        self.state, self.spent = step.state, {}
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
        spent = {seat: usage.bounded() for seat, usage in self.spent.items() if usage != Usage()}
        ending = Ending(status, reason, numbers, len(self.entries), writable(error), spent)
        self._emit(ending)
        return Episode(self.header, tuple(self.entries), ending)

    def _emit(self, record: Record) -> None:
        if self.sink is not None:
            self.sink(record)


def header_of(
    world: World[Any, Any, Any], policies: Mapping[Seat, Policy], seed: int, start_digest: str
) -> Header:
    """The header of an episode that is about to be played."""
    return Header(
        format=FORMAT,
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
    )


def turn_of(
    world: World[Any, Any, Any],
    state: Any,
    seat: Seat,
    index: int,
    seed: int,
    *,
    informed: bool = False,
    refused: tuple[Refusal, ...] = (),
) -> Turn:
    """What a seat that must decide is given: only what that seat may know, unless it is ``informed``."""
    return Turn(
        seat,
        index,
        seed,
        observe=lambda: world.observe(state, seat),
        text=lambda: _speaking(world).describe(world.observe(state, seat)),
        briefing=lambda: _speaking(world).briefing(seat),
        menu=lambda: _listing(world).menu(state, seat),
        scene=lambda: world.scene(state, seat) if draws(world) else None,
        state=(lambda: state) if informed else withheld,
        together=lambda decisions: _together(world, decisions),
        refused=refused,
        refuses=lambda answer: _refuses(world, state, seat, answer),
        glance=lambda: glance_of(world, state, seat),
        trial=lambda answer: _trial(world, state, seat, answer),
    )


def glance_of(world: World[Any, Any, Any], state: Any, seat: Seat) -> Glance:
    """What a person at a small screen is told; empty if the world has no words."""
    observation = world.observe(state, seat)
    if not speaks(world):
        return Glance()
    parts = world.description_parts(observation)
    goal, recipes, briefing = _unchanging(_This(world), seat)
    return Glance(
        goal=goal,
        news=world.news(observation),
        state=only(parts, "state"),
        question=only(parts, "question"),
        recipes=recipes,
        suggestions=tuple(world.suggestions(observation)),
        briefing=briefing,
        changes=world.tells_changes,
    )


def _news(world: World[Any, Any, Any], state: Any, seat: Seat) -> str:
    observation = world.observe(state, seat)
    return world.news(observation) if speaks(world) else ""


class _This:
    """A world as itself and no other, however alike."""

    __slots__ = ("world",)

    def __init__(self, world: Any) -> None:
        self.world = world

    def __hash__(self) -> int:
        return id(self.world)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _This) and other.world is self.world


@lru_cache(maxsize=1024)
def _unchanging(this: _This, seat: Seat) -> tuple[str, str, str]:
    """(goal, recipes, briefing without the form of answers): what a seat is told at every moment alike."""
    world = this.world
    told = world.briefing_parts(seat)
    return world.goal(seat), only(told, "recipes") or only(told, "task"), without(told, "answering")


def _trial(world: World[Any, Any, Any], state: Any, seat: Seat, answer: Any) -> Trial:
    """Everybody else who must decide takes the first option that passes, or is silent if there is none.

    Where nothing happens before others have decided, as a server that reports what was seen, they do too.
    """
    decisions = {seat: read(world, state, seat, answer)}
    for other in world.deciders(state):
        if other != seat:
            passing = _passing(world, state, other)
            decisions[other] = Refusal("silent", Fault.UNREADABLE) if passing is None else passing
    step = world.step(state, decisions)
    own = [refusal for refusal in step.refusals if refusal.seat in ("", seat)]
    if (later := _later(world, step, seat)) is not None:
        step = later
        own += [refusal for refusal in step.refusals if refusal.seat == seat]
    told = _news(world, step.state, seat) if own else ""
    decided = decisions[seat]
    gives_up = speaks(world) and not isinstance(decided, Refusal) and world.gives_up(state, decided)
    return Trial(bool(own), told or "; ".join(refusal.code for refusal in own), gives_up)


def _later(world: World[Any, Any, Any], step: Step[Any], seat: Seat) -> Step[Any] | None:
    """What follows a step in which nothing happened, if all who decide then, others than its seat, pass."""
    if step.events:
        return None
    passing = {other: _passing(world, step.state, other) for other in world.deciders(step.state)}
    if not passing or seat in passing or None in passing.values():
        return None
    return world.step(step.state, passing)


def _passing(world: World[Any, Any, Any], state: Any, seat: Seat) -> Any:
    """What passes for a seat, first on its menu; ``None`` if nothing does, or there is no menu."""
    option = world.menu(state, seat).passing if _lists(world) else None
    return None if option is None else option.decision


def _refuses(world: World[Any, Any, Any], state: Any, seat: Seat, answer: str) -> bool:
    """Whether the world would refuse a text. Where several decide at once, the menu says what it takes."""
    decision = read(world, state, seat, answer)
    if isinstance(decision, Refusal):
        return True
    if len(world.deciders(state)) == 1:
        step = world.step(state, {seat: decision})
        later = _later(world, step, seat)
        own = (each for each in (later.refusals if later else ()) if each.seat == seat)
        return bool((*step.refusals, *own))
    menu = _listing(world).menu(state, seat)
    return menu.complete and decision not in [option.decision for option in menu.options]


def read(world: World[Any, Any, Any], state: Any, seat: Seat, answer: Any) -> Any:
    """An answer as a decision: text is parsed under the bound rules, JSON values are converted.

    Thoughts in a text are no part of it, unless the world reads them.
    A refusal, or a value that is no decision of this world, is handed on for the world to refuse.
    Raises ``TypeError`` for an answer that could not be written down.
    """
    if isinstance(answer, str):
        return _speaking(world).parse(state, seat, heard(world, writable(answer)).answer)
    return answer if isinstance(answer, Refusal) else decision_of(world, msgspec.to_builtins(answer))


def heard(world: World[Any, Any, Any], text: str) -> Spoken:
    """What this world hears of a text, and the thoughts in it that it does not hear."""
    return Spoken(text) if speaks(world) and world.reads_thoughts else spoken(text)


def check_length(reply: Reply) -> None:
    """Raises ``PolicyFailure`` for more words than a record could be read with."""
    answer = reply.answer if isinstance(reply.answer, str) else ""
    if len(answer) > LONGEST_ANSWER:
        why = f"an answer of {len(answer)} characters; at most {LONGEST_ANSWER} are read"
        raise PolicyFailure("answer", why)
    said = [answer, *(thought.text for thought in reply.thoughts)]
    if sum(map(len, said)) > LONGEST_ANSWER:
        size = len(msgspec.json.encode(list(map(writable, said))))
        if size > MOST_SAID_BYTES:
            why = f"an answer and thoughts of {size} bytes; at most {MOST_SAID_BYTES} are kept"
            raise PolicyFailure("answer", why)


def outspoken(world: World[Any, Any, Any], reply: Reply) -> Reply:
    """The reply with the thoughts in its text among its thoughts, if the world does not hear them."""
    if not isinstance(reply.answer, str) or (said := heard(world, reply.answer)).answer == reply.answer:
        return reply
    thoughts = (Thought(REASONING, said.thoughts),) if said.thoughts else ()
    return msgspec.structs.replace(reply, answer=said.answer, thoughts=(*reply.thoughts, *thoughts))


def writable(text: str) -> str:
    """``text`` with a question mark for each half of a surrogate pair, which no file can hold."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def answered(decision: Any, reply: Reply) -> Answer:
    """What a record has of a reply that was read as this decision, or refusal."""
    text = writable(reply.answer) if isinstance(reply.answer, str) else None
    thoughts = tuple(Thought(thought.purpose, writable(thought.text)) for thought in reply.thoughts)
    if isinstance(decision, Refusal):
        return Answer(text=text, unread=decision, thoughts=thoughts)
    return Answer(decision, text, thoughts=thoughts)


def _speaking(world: World[Any, Any, Any]) -> Text[Any, Any, Any]:
    if not speaks(world):
        raise Refused(f"{world.id}: this world has no words; answer with decisions")
    return world


def speaks(world: World[Any, Any, Any]) -> TypeGuard[Text[Any, Any, Any]]:
    """Whether this world has words; cheap enough to be asked at every turn."""
    return subclasses(type(world), Text) or isinstance(world, Text)


def _listing(world: World[Any, Any, Any]) -> Menus[Any, Any]:
    if not _lists(world):
        raise Refused(f"{world.id}: this world cannot list its decisions")
    return world


def _lists(world: World[Any, Any, Any]) -> TypeGuard[Menus[Any, Any]]:
    return subclasses(type(world), Menus) or isinstance(world, Menus)


def _together(world: World[Any, Any, Any], decisions: Sequence[Any]) -> Any:
    return world.together(decisions) if _lists(world) else inseparable(decisions)

"""A seat of a game as a policy: whoever has it decides, or the stand-in while they are away.

So a game is played as any episode is, and its record is an ordinary one. What decides for a seat may change
while it is asked: a person closes the page and comes back, a model fails, the host seats another player.
Whatever was decided before the process was killed comes from the store first.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Mapping
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from backburner.agents.person.keys import Chosen
from backburner.agents.person.policy import LONGEST_SLIP, MOST_SLIPS, SLIP
from backburner.agents.person.reading import Reader
from backburner.kernel.clock import counted, regenerated
from backburner.kernel.contract import World
from backburner.kernel.episode import Answer, Deliberation, Player
from backburner.kernel.errors import BackburnerError, PolicyFailure, Refused, shorten
from backburner.kernel.menu import Option
from backburner.kernel.play import SPENT
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.timekeeping import generated, spent
from backburner.kernel.turns import LONGEST_ANSWER, answered, outspoken, passing, replied
from backburner.kernel.values import Seat, Thought, Usage
from backburner.serve.audience import SendQueue
from backburner.serve.players import (
    MOST_TROUBLE,
    ComputerPlayer,
    Reporter,
    read_move,
    stood_in,
    turn_told,
)
from backburner.serve.protocol import (
    MOST_OPTIONS,
    STAND_IN,
    Confirm,
    GamePlan,
    Move,
    SeatTold,
    Told,
    Wanted,
)
from backburner.serve.store import Given, Person

TIME_WAS_UP = "the time of the step was up"


class GameOfSeat(Protocol):
    """What a seat needs of its game."""

    world: World[Any, Any, Any]
    plan: GamePlan
    ending: bool
    """Whether the host has ended the game: nobody is asked any more."""

    @property
    def number(self) -> int:
        """The number of the newest frame."""

    @property
    def step(self) -> int:
        """How many steps are over."""

    def keep(self, seat: Seat, step: int, given: Given) -> None:
        """Keep what a person has done in a step that is not over; it is kept when this returns."""

    def people_changed(self) -> None:
        """Tell everybody who is there and who is thinking."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run it beside the game."""


RETURN_SECONDS = 30.0
"""What a page that tries again and again needs at most, once a server that was stopped runs again."""


class _Asked(Struct):
    """A seat is being asked. ``options``: as their indexes go. ``shown_seconds``: since when somebody sees
    it; 0: not yet. ``unsure``: what waits to be confirmed."""

    turn: Turn
    answer: asyncio.Future[Reply]
    began_seconds: float
    slips: list[str]
    options: tuple[Option[Any], ...] = ()
    shown_seconds: float = 0.0
    unsure: tuple[int, Chosen] | None = None
    deadline_seconds: float | None = None
    thinking: asyncio.Task[None] | None = None
    timers: dict[str, asyncio.TimerHandle] = msgspec.field(default_factory=dict)

    def stop(self) -> None:
        """Nobody is asked any more."""
        for timer in self.timers.values():
            timer.cancel()
        if self.thinking is not None:
            self.thinking.cancel()


class SeatPolicy:
    """One seat of a game. ``name``, ``informed`` and ``settings`` are those of its first player."""

    def __init__(self, game: GameOfSeat, seat: Seat, player: Wanted, since: int, reader: Reader) -> None:
        self.game, self.seat, self.reader = game, seat, reader
        self.player, self.since = player, since
        self.name, self.informed = "human", False
        self.settings: Mapping[str, Any] = {"play": "strict" if reader.strict else "friendly"}
        self.person = Person()
        self.queue: SendQueue | None = None
        self.computer: ComputerPlayer | None = None
        self.stand_in: ComputerPlayer | None = None
        self.trouble = ""
        self.last_id = 0
        self.recorded: dict[int, tuple[Answer, Usage | None]] = {}
        self.given: tuple[int, Given] | None = None
        self._waited_for = True  # nobody has been away for too long yet
        self.was_there = False  # when the server was stopped, and has not come back yet
        self._asked: _Asked | None = None
        self._decided_step = -1

    def known_as(self, player: ComputerPlayer | Player) -> None:
        """The record names this player as the seat's first one."""
        self.name, self.informed, self.settings = player.name, player.informed, player.settings

    @property
    def open_step(self) -> int:
        """The first step that another player of this seat would decide in."""
        asked = self._asked
        decided = asked.turn.index if asked is not None and asked.answer.done() else self._decided_step
        return max(self.game.step, decided + 1)

    # --- who is there -----------------------------------------------------------------------------------

    @property
    def is_person(self) -> bool:
        """Whether a person has the seat."""
        return self.player.kind == "person"

    @property
    def present(self) -> bool:
        """Whether whoever has the seat is there."""
        return not self.is_person or (self.queue is not None and not self.person.away)

    @property
    def stood_in_for(self) -> bool:
        """Whether the stand-in decides."""
        return not self.present and (self.person.away or not self._waited_for)

    def told(self) -> SeatTold:
        """The seat as everybody may see it."""
        asked = self._asked
        return SeatTold(
            self.seat,
            self.person.name or self.player.model or self.player.name or self.player.kind,
            self.player.kind,
            self.present,
            self.stand_in.name if self.stood_in_for and self.stand_in is not None else "",
            None if asked is None else round(max(0.0, time.monotonic() - asked.began_seconds), 1),
            self.trouble,
        )

    @property
    def wait_seconds(self) -> float:
        """How long a turn waits for somebody who is away; whoever was there when the server was stopped has
        time to find it again."""
        return max(self.game.plan.away_seconds, RETURN_SECONDS if self.was_there else 0.0)

    def come(self, queue: SendQueue) -> None:
        """The person's page is open; one that was open before is closed."""
        if self.queue is not None:
            self.queue.close("the seat was opened in another window")
        self.queue, self._waited_for, self.was_there = queue, True, False
        self._assign()

    def go(self, queue: SendQueue) -> None:
        """The page was closed, if it was the one that the person plays with."""
        if self.queue is queue:
            self.queue = None
            self._assign()

    def seat_player(self, player: Wanted, since: int, computer: ComputerPlayer | None) -> None:
        """Another player has the seat."""
        if self.queue is not None:
            self.queue.close("the host has given your seat to somebody else")
        self.queue, self.person, self.trouble, self._waited_for = None, Person(), "", True
        self.player, self.since, self.computer = player, since, computer
        if self._asked is not None:
            self._cancel_thinking(self._asked)
            self._asked.unsure = None
            self._asked.slips.clear()
        self._assign()

    def leave(self, away: bool) -> None:
        """The person leaves the seat to the stand-in, or takes it again."""
        self.person = msgspec.structs.replace(self.person, away=away)
        self._waited_for = True
        self._assign()

    def do_not_wait(self) -> None:
        """Play begins without the person; the stand-in decides until they come."""
        self._waited_for = self.queue is not None
        self._assign()

    # --- deciding ---------------------------------------------------------------------------------------

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """See ``Policy``; raises ``PolicyFailure`` if not even the stand-in can do anything."""
        recorded = self.recorded.pop(turn.index, None)
        if recorded is not None:
            return await self._again(turn, *recorded)
        if self.game.ending:
            raise asyncio.CancelledError
        step, given = self.given or (-1, Given())
        self.given = None
        if step != turn.index:
            given = Given()
        elif given.answer is not None:
            return await self._again(turn, given.answer, given.usage)
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        asked = self._asked = _Asked(turn, future, time.monotonic(), list(given.slips))
        self._set_pace(asked)
        self._assign()
        self.game.people_changed()
        try:
            return await future
        finally:
            asked.stop()
            self._asked, self._decided_step = None, turn.index
            self.game.people_changed()

    async def _again(self, turn: Turn, answer: Answer, usage: Usage | None) -> Reply:
        """What was decided before; whoever remembers is asked again, and its journal has the answers."""
        own = not any(thought.purpose == STAND_IN for thought in answer.thoughts)
        self.was_there = own and self.queue is None
        if self.player.kind == "model" and self.computer is not None and turn.index >= self.since and own:
            try:
                await self.computer.think(turn)
            except BackburnerError as error:
                self.trouble = shorten(str(error), MOST_TROUBLE)
        return _as_before(self.game.world, answer, usage)

    def _assign(self) -> None:
        """See to it that whoever has to decide now knows."""
        asked = self._asked
        if asked is None or asked.answer.done():
            return
        if not self.is_person:
            if asked.thinking is None:
                asked.thinking = self.game.spawn(self._think(asked, self.computer))
        elif self.present:
            self._cancel_thinking(asked)
            self._tell(asked)
        elif self.stood_in_for:
            if asked.thinking is None:
                asked.thinking = self.game.spawn(self._think(asked, None))
        elif "away" not in asked.timers:
            self._later(asked, "away", self.wait_seconds, self._give_up_waiting)

    def _cancel_thinking(self, asked: _Asked) -> None:
        if (timer := asked.timers.pop("away", None)) is not None:
            timer.cancel()
        if asked.thinking is not None:
            asked.thinking.cancel()
            asked.thinking = None

    def _later(self, asked: _Asked, what: str, seconds: float, act: Any) -> None:
        asked.timers[what] = asyncio.get_running_loop().call_later(seconds, act, asked)

    def _give_up_waiting(self, asked: _Asked) -> None:
        asked.timers.pop("away", None)
        if asked is self._asked and not self.present:
            self._waited_for = False
            self._assign()
            self.game.people_changed()

    async def _think(self, asked: _Asked, computer: ComputerPlayer | None) -> None:
        """An agent or a model decides; where it cannot, the stand-in does; where that cannot, time passes.

        What comes too soon for people to follow is kept until a beat is over.
        """
        turn, lost, why = asked.turn, Usage(), "away"
        began = time.monotonic()
        if computer is not None:
            try:
                reply = await computer.think(turn)
            except BackburnerError as error:
                lost += getattr(error, SPENT, None) or Usage()
                why = self.trouble = shorten(str(error), MOST_TROUBLE)
                self.game.people_changed()
                if isinstance(computer, Reporter):  # nobody else knows what there is
                    self._end_play(asked, error)
                    return
            else:
                self.trouble = ""
                reply = _timed(reply, time.monotonic() - began)
                if turn.clock is not None and self.player.kind == "agent":
                    reply = _free(reply)
                await self._keep_time(asked)
                self._answer(asked, reply)
                return
        try:
            reply = await stood_in(self.stand_in, turn, why)
        except BackburnerError as error:
            self._end_play(asked, PolicyFailure(STAND_IN, str(error)))
            return
        usage = _timed(reply, time.monotonic() - began).usage
        reply = msgspec.structs.replace(reply, usage=(usage or Usage()) + lost)
        await self._keep_time(asked)
        self._answer(asked, reply if turn.clock is None else _free(reply))

    @staticmethod
    def _end_play(asked: _Asked, error: BackburnerError) -> None:
        """Nobody can decide."""
        own = isinstance(error, PolicyFailure)
        if not asked.answer.done():
            asked.answer.set_exception(error if own else PolicyFailure(asked.turn.seat, str(error)))

    async def _keep_time(self, asked: _Asked) -> None:
        await asyncio.sleep(max(0.0, asked.began_seconds + self.game.plan.beat_seconds - time.monotonic()))

    def _set_pace(self, asked: _Asked) -> None:
        """People who are there have so long, where a seat can let time pass."""
        pace = self.game.plan.pace_seconds
        if pace is not None and self.is_person and passing(asked.turn) is not None:
            asked.deadline_seconds = time.monotonic() + pace
            self._later(asked, "pace", pace, self._pass)

    def _pass(self, asked: _Asked) -> None:
        option = passing(asked.turn)
        if option is not None:
            thoughts = (*self._thoughts(asked.slips), Thought(STAND_IN, f"nobody: {TIME_WAS_UP}"))
            self._answer(asked, Reply(option.decision, thoughts=thoughts, usage=_seconds(_taken(asked))))

    def _answer(self, asked: _Asked, reply: Reply) -> None:
        """The answer is taken; where it takes effect later, it is kept until then."""
        if not asked.answer.done():
            if asked.turn.clock is not None:
                self._keep(asked, reply)
            asked.answer.set_result(reply)

    def _keep(self, asked: _Asked, reply: Reply) -> None:
        given = _given(self.game.world, asked, reply)
        self.game.keep(self.seat, asked.turn.index, given)

    # --- a person's messages ----------------------------------------------------------------------------

    def _tell(self, asked: _Asked) -> None:
        """Send the turn to the person's page."""
        if self.queue is None:
            return
        asked.options = asked.options or self.reader.options(asked.turn)[:MOST_OPTIONS]
        asked.shown_seconds = asked.shown_seconds or time.monotonic()
        self.queue.send(
            turn_told(self.game.world, asked.turn, asked.options, self.reader.keys, asked.deadline_seconds)
        )

    def move(self, message: Move) -> Told:
        """What becomes of a person's move."""
        if message.id <= self.last_id:
            return Told(message.id, "late", "this message was sent before")
        self.last_id = message.id
        asked = self._asked
        if (
            asked is None
            or asked.answer.done()
            or asked.turn.index != message.number
            or not asked.shown_seconds
        ):
            return Told(message.id, "late", "that turn is over")
        if not self.present:
            return Told(message.id, "late", "the stand-in plays for you; come back first")
        asked.unsure = None
        try:
            chosen = read_move(self.reader, message, asked.turn, asked.options)
        except Refused as error:
            return Told(message.id, "refused", str(error))
        if chosen.gives_up:
            asked.unsure = message.id, chosen
            return Told(message.id, "confirm", "That ends the play before the goal is reached.")
        if not chosen.problem:
            return self._accept(message.id, asked, chosen)
        if chosen.slip and len(asked.slips) < MOST_SLIPS:
            asked.slips.append(f"{chosen.slip} | {chosen.problem}"[:LONGEST_SLIP])
            self.game.keep(self.seat, asked.turn.index, Given(tuple(asked.slips)))
        return Told(message.id, "explained", chosen.problem)

    def confirm(self, message: Confirm) -> Told:
        """The person means it."""
        asked = self._asked
        if asked is None or asked.answer.done() or asked.unsure is None or asked.unsure[0] != message.id:
            return Told(message.id, "late", "there is nothing to confirm")
        return self._accept(message.id, asked, asked.unsure[1])

    @staticmethod
    def _thoughts(slips: list[str]) -> tuple[Thought, ...]:
        return tuple(Thought(SLIP, slip) for slip in slips)

    def _accept(self, id: int, asked: _Asked, chosen: Chosen) -> Told:
        """The answer is kept, and then it is taken."""
        usage = _seconds(_taken(asked))
        reply = Reply(chosen.decision, thoughts=self._thoughts(asked.slips), usage=usage)
        if isinstance(reply.answer, str) and len(reply.answer) > LONGEST_ANSWER:
            return Told(id, "refused", "that is too long")
        self._keep(asked, reply)
        asked.answer.set_result(reply)
        return Told(id, "accepted")


def _taken(asked: _Asked) -> float:
    """Seconds that a person has taken; where they are charged, from the moment they saw what is asked."""
    charged = asked.turn.clock is not None and asked.shown_seconds
    return time.monotonic() - (asked.shown_seconds if charged else asked.began_seconds)


def _seconds(seconds: float) -> Usage:
    return Usage(seconds=round(seconds, 3))


def _free(reply: Reply) -> Reply:
    """The reply of an agent, whose seconds are nobody's thinking: they are told, and not charged."""
    return msgspec.structs.replace(reply, usage=None, calls=(), beside=spent(reply))


def _given(world: World[Any, Any, Any], asked: _Asked, reply: Reply) -> Given:
    """What is kept of a reply, under a clock with what it is charged for."""
    thought, clock = None, asked.turn.clock
    if clock is not None:
        reply = outspoken(world, reply)
        calls = tuple(counted(made, clock.count, measured=True) for made in generated(reply, measured=True))
        thought = Deliberation(asked.turn.index, clock.price(calls), calls)
    decision = None if isinstance(reply.answer, str) else reply.answer
    return Given(tuple(asked.slips), answered(decision, reply, thought), spent(reply))


def _as_before(world: World[Any, Any, Any], answer: Answer, usage: Usage | None) -> Reply:
    """The reply of a recorded answer: it leads to the same record again, and is charged the same."""
    reply = replied(world, answer, usage)
    if answer.thought is None:
        return reply
    calls = tuple(map(regenerated, answer.thought.calls))
    return msgspec.structs.replace(reply, usage=None, calls=calls, beside=usage)


def _timed(reply: Reply, seconds: float) -> Reply:
    """The reply with the seconds that it took, if nobody has counted them."""
    return reply if reply.usage is not None else msgspec.structs.replace(reply, usage=_seconds(seconds))

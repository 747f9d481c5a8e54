"""Live games: a world with a clock of its own is played by the clock on the wall.

What people press, and what agents and models decide, waits at their seats (``LiveSeat``) for the next tick,
at which the inputs that have come since the last one are taken together (``Clock``). Agents and models think
beside the clock, which never waits for them: each is shown the state in which it begins, and its decision is
taken when it comes. A stretch in which nobody decides anything is one entry of the record, written at least
once a second, so that a process that is killed loses no more than that, and nothing that anybody did.

The clock stands still while a game with people has no page open.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import msgspec

from backburner.agents.person.keys import Chosen
from backburner.agents.person.policy import LONGEST_SLIP, MOST_SLIPS
from backburner.agents.person.reading import Reader
from backburner.kernel.clock import Clocked
from backburner.kernel.contract import World
from backburner.kernel.episode import Ending, Entry, Record
from backburner.kernel.errors import BackburnerError, Refused, shorten
from backburner.kernel.menu import Option
from backburner.kernel.play import header_of
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.replay import decisions_in
from backburner.kernel.turns import answered, check_length, outspoken, read, turn_of
from backburner.kernel.values import Event, Refusal, Seat, Step, Thought, digest
from backburner.serve.players import MOST_TROUBLE, ComputerPlayer, owned, read_move, read_press, turn_told
from backburner.serve.protocol import MOST_OPTIONS, Confirm, Move, PressDone, SeatTold, Told, Wanted
from backburner.serve.protocol import Turn as TurnTold
from backburner.serve.recording import most_idle, ticks_of
from backburner.serve.seats import GameOfSeat, SeatPolicy

# --- seats --------------------------------------------------------------------------------------------------


LOOK_SECONDS = 0.5
"""So often at least people are told what they can do now, and agents with nothing to do are asked again."""

MOST_INPUTS = 4
"""Of a seat that wait for the next ticks."""

PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 2.0, 60.0
"""So long a model or an agent that failed is not asked again, and twice as long after each further
failure."""


class GameOfLiveSeat(GameOfSeat, Protocol):
    """What a seat of a live game needs of its game."""

    def turn_now(self, seat: Seat) -> Turn:
        """What the seat would be asked now."""


class LiveSeat(SeatPolicy):
    """A seat of a live game: its inputs, from whoever has it, wait for the next tick."""

    game: GameOfLiveSeat

    def __init__(self, game: Any, seat: Seat, player: Wanted, since: int, reader: Reader) -> None:
        super().__init__(game, seat, player, since, reader)
        self.inputs: deque[Reply] = deque()
        self.refused: tuple[Refusal, ...] = ()
        self._slips: list[str] = []
        self._held: PressDone | None = None
        self._unsure: tuple[int, Chosen] | None = None
        self._options: tuple[Option[Any], ...] = ()
        self._sent: TurnTold | None = None
        self._away: asyncio.TimerHandle | None = None
        self._thinking: asyncio.Task[None] | None = None
        self._thinks_since: float | None = None
        self._not_before, self._pause = 0.0, PAUSE_SECONDS

    def told(self) -> SeatTold:
        """The seat as everybody may see it; models are seen to think."""
        seconds = None
        if self.player.kind == "model" and self._thinks_since is not None:
            seconds = round(time.monotonic() - self._thinks_since, 1)
        return msgspec.structs.replace(super().told(), thinking_seconds=seconds)

    def seat_player(self, player: Wanted, since: int, computer: ComputerPlayer | None) -> None:
        """Another player has the seat; what the one before was about to do is dropped."""
        self.inputs.clear()
        if self._thinking is not None:
            self._thinking.cancel()
        self._not_before, self._pause = 0.0, PAUSE_SECONDS
        super().seat_player(player, since, computer)

    def wake(self) -> None:
        """The clock begins to run."""
        self._assign()

    def _assign(self) -> None:
        """Somebody came, left, or took the seat."""
        self._held, self._sent, self._unsure = None, None, None
        if self._away is not None:
            self._away.cancel()
            self._away = None
        if self.is_person and not self.present and not self.stood_in_for:
            loop = asyncio.get_running_loop()
            self._away = loop.call_later(self.wait_seconds, self._too_long_away)
        if self._thinking is not None and self.is_person and self.present:
            self._thinking.cancel()

    def _too_long_away(self) -> None:
        self._waited_for = False
        self.game.people_changed()

    # --- agents and models, beside the clock ------------------------------------------------------------

    def consider(self, occupied: bool) -> None:
        """Ask whoever has to decide and is no person, unless they think already or have nothing to decide."""
        computer = self.stand_in if self.is_person and self.stood_in_for else self.computer
        if (self.is_person and not self.stood_in_for) or (computer is None and self.stand_in is None):
            return
        if (
            self._thinking is None
            and not occupied
            and not self.inputs
            and time.monotonic() >= self._not_before
        ):
            self._thinking = self.game.spawn(self._think_beside(computer, self.game.turn_now(self.seat)))

    async def _think_beside(self, computer: ComputerPlayer | None, turn: Turn) -> None:
        self._thinks_since = time.monotonic()
        if self.player.kind == "model":
            self.game.people_changed()
        try:
            reply = await self._decided(computer, turn)
            if reply is not None and (reply.thoughts or not _passes(reply, turn)):
                check_length(reply)
                self.inputs.append(reply)
        except BackburnerError as error:
            self._fail(error)
        finally:
            self._thinking, self._thinks_since = None, None
            self._not_before = max(self._not_before, time.monotonic() + LOOK_SECONDS)
            if self.player.kind == "model":
                self.game.people_changed()

    async def _decided(self, computer: ComputerPlayer | None, turn: Turn) -> Reply | None:
        why = "away"
        if computer is not None and computer is not self.stand_in:
            try:
                reply = await computer.think(turn)
            except BackburnerError as error:
                self._fail(error)
                why = self.trouble
            else:
                self.trouble, self._pause = "", PAUSE_SECONDS
                return reply
        if self.stand_in is None:
            return None
        reply = await self.stand_in.think(turn)
        return None if _passes(reply, turn) else owned(reply, self.stand_in, why)

    def _fail(self, error: BackburnerError) -> None:
        self.trouble = shorten(str(error), MOST_TROUBLE)
        self._not_before = time.monotonic() + self._pause
        self._pause = min(2 * self._pause, LONGEST_PAUSE_SECONDS)
        self.game.people_changed()

    # --- people -----------------------------------------------------------------------------------------

    @property
    def knows_nothing(self) -> bool:
        """Whether the person has not been told yet what can be done."""
        return self._sent is None

    def look(self) -> None:
        """Tell the person what can be done now, if that has changed."""
        if self.queue is None or not self.present:
            return
        turn = self.game.turn_now(self.seat)
        options = self.reader.options(turn)[:MOST_OPTIONS]
        told = turn_told(self.game.world, turn, options, self.reader.keys, None, briefly=True)
        told = msgspec.structs.replace(told, number=self.game.number)
        if self._sent is None or msgspec.structs.replace(told, number=self._sent.number) != self._sent:
            self._options, self._sent = options, told
            self.queue.send(told)

    def next_input(self, occupied: bool) -> Reply | None:
        """What the seat decides in this tick; ``None``: nothing new. A key that is held is pressed whenever
        there is nothing else to do."""
        if self.inputs:
            return self.inputs.popleft()
        if self._held is not None and not occupied:
            turn = self.game.turn_now(self.seat)
            chosen = read_press(self.reader, self._held, turn, self.reader.options(turn))
            if not chosen.problem:
                return Reply(chosen.decision)
        return None

    def move(self, message: Move) -> Told:
        """What becomes of a person's input."""
        if message.id <= self.last_id:
            return Told(message.id, "late", "this message was sent before")
        self.last_id = message.id
        if not self.present:
            return Told(message.id, "late", "the stand-in plays for you; come back first")
        self._unsure = None
        if message.press is not None and message.press.hold:
            self._held = message.press if message.press.hold == "start" else None
            if self._held is None:
                return Told(message.id, "accepted")
        if len(self.inputs) >= MOST_INPUTS:
            return Told(message.id, "late", "too much at once")
        try:
            chosen = self._understood(message)
        except Refused as error:
            return Told(message.id, "refused", str(error))
        if chosen.gives_up:
            self._unsure = message.id, chosen
            return Told(message.id, "confirm", "That ends the play before the goal is reached.")
        if chosen.problem and self._held is not None:  # it may become possible while the key is held
            return Told(message.id, "accepted")
        if chosen.problem:
            if chosen.slip and len(self._slips) < MOST_SLIPS:
                self._slips.append(f"{chosen.slip} | {chosen.problem}"[:LONGEST_SLIP])
            return Told(message.id, "explained", chosen.problem)
        return self._take(message.id, chosen)

    def confirm(self, message: Confirm) -> Told:
        """The person means it."""
        if self._unsure is None or self._unsure[0] != message.id:
            return Told(message.id, "late", "there is nothing to confirm")
        return self._take(message.id, self._unsure[1])

    def _understood(self, message: Move) -> Chosen:
        turn = self.game.turn_now(self.seat)
        if message.option is not None and (self._sent is None or message.number != self._sent.number):
            return Chosen(problem="That choice is no longer there.")
        options = self._options if message.option is not None else self.reader.options(turn)
        return read_move(self.reader, message, turn, options)

    def _take(self, id: int, chosen: Chosen) -> Told:
        reply = Reply(chosen.decision, thoughts=self._slipped())
        try:
            check_length(reply)
        except BackburnerError as error:
            return Told(id, "refused", str(error))
        self.inputs.append(reply)
        return Told(id, "accepted", number=self.game.number + len(self.inputs))

    def _slipped(self) -> tuple[Thought, ...]:
        slips, self._slips = self._slips, []
        return self._thoughts(slips)


def _passes(reply: Reply, turn: Turn) -> bool:
    """Whether the decision says nothing new."""
    try:
        return any(option.passes and option.decision == reply.answer for option in turn.menu.options)
    except Refused:
        return False


def turn_in(game: Any, seat: LiveSeat, state: Any, index: int) -> Turn:
    """What a seat would be asked in a state."""
    informed = seat.computer is not None and seat.computer.informed
    return turn_of(
        game.world, state, seat.seat, index, game.plan.seed, informed=informed, refused=seat.refused
    )


# --- the clock ----------------------------------------------------------------------------------------------


MOST_BEHIND_SECONDS = 1.0
"""A clock that has fallen further behind, as the machine slept, goes on from now."""


class Clock:
    """Keeps the time of one live game.

    ``sink`` keeps a line of the record; ``moved`` shows a state with its tick and what has happened; ``idle``
    says whether nobody is there for whom time should pass.
    """

    def __init__(
        self,
        world: World[Any, Any, Any],
        seats: Mapping[Seat, LiveSeat],
        seed: int,
        sink: Callable[[Record], None],
        moved: Callable[[Any, int, tuple[Event, ...]], None],
        idle: Callable[[], bool],
        over: Callable[[], bool],
    ) -> None:
        assert isinstance(world, Clocked)  # noqa: S101  # only such worlds are played live
        self.world, self.seats, self.seed = world, seats, seed
        self.tick_seconds = float(world.tick_seconds or 0)
        self.entries: list[Entry] = []
        self._sink, self._moved, self._stands_still, self._ended = sink, moved, idle, over
        self._most_idle = most_idle(self.tick_seconds)
        self.state: Any = world.start(seed)
        self.tick = 0
        self._unwritten = 0
        self._unwritten_events: list[Event] = []

    async def run(self, recorded: tuple[Entry, ...]) -> None:
        """Play what is recorded again, then on by the clock until the game is over."""
        self._sink(header_of(self.world, self.seats, self.seed, digest(self.state)))
        self._moved(self.state, 0, ())
        for entry in recorded:
            self._again(entry)
        for seat in self.seats.values():
            seat.wake()
            seat.game.people_changed()
        loop = asyncio.get_running_loop()
        due = loop.time() + random.random() * self.tick_seconds  # so that games do not tick together
        while self.world.deciders(self.state) and not self._ended():
            if self._stands_still():
                await asyncio.sleep(min(2 * self.tick_seconds, LOOK_SECONDS))
                due = loop.time()
                continue
            due = max(due + self.tick_seconds, loop.time() - MOST_BEHIND_SECONDS)
            await asyncio.sleep(max(0.0, due - loop.time()))
            self._pass_a_tick()
        self.write_idle()
        outcome = self.world.outcome(self.state)
        if self.world.deciders(self.state):
            ending = Ending("interrupted", "interrupted", outcome.numbers, len(self.entries))
        else:
            cut = outcome.status == "cut off"
            ending = Ending("cut off" if cut else "ended", outcome.reason, outcome.numbers, len(self.entries))
        self._sink(ending)

    def _again(self, entry: Entry) -> None:
        decisions = decisions_in(self.world, entry)
        step = self.world.step(self.state, decisions)
        self._keep(
            Entry(
                len(self.entries), entry.answers, digest(step.state), step.events, step.refusals, entry.usage
            )
        )
        self.state = step.state
        self.tick += ticks_of(self.world, self.state, decisions)
        self._moved(self.state, self.tick, step.events)

    def _pass_a_tick(self) -> None:
        world, occupied = self.world, self.world.occupied
        busy = {name: occupied(self.state, name) for name in self.seats}
        replies = {
            name: reply
            for name, seat in self.seats.items()
            if (reply := seat.next_input(busy[name])) is not None
        }
        if replies:
            self.write_idle()
            step = self._step(replies)
        else:
            step = world.step(self.state, self._silences(1))
            self.state = step.state
            self._unwritten += 1
            self._unwritten_events += step.events
            self.tick += 1
            self._moved(self.state, self.tick, step.events)
            if self._unwritten >= self._most_idle:
                self.write_idle()
        often = max(1, round(LOOK_SECONDS / self.tick_seconds))
        look = bool(step.events) or self.tick % often == 0  # what has happened changes what can be done
        for name, seat in self.seats.items():
            seat.consider(busy[name])
            if look or name in replies or seat.knows_nothing:
                seat.look()

    def _step(self, replies: Mapping[Seat, Reply]) -> Step[Any]:
        world, said = self.world, {seat: outspoken(self.world, reply) for seat, reply in replies.items()}
        decisions = {
            seat: read(world, self.state, seat, said[seat].answer)
            if seat in said
            else world.silence(self.state, seat, 1)
            for seat in world.deciders(self.state)
        }
        step = world.step(self.state, decisions)
        answers = {
            seat: answered(decision, said.get(seat) or Reply(decision))
            for seat, decision in decisions.items()
        }
        usage = {
            seat: reply.usage.bounded() for seat, reply in said.items() if reply.usage and seat in decisions
        }
        index = len(self.entries)
        self._keep(Entry(index, answers, digest(step.state), step.events, step.refusals, usage))
        self.state = step.state
        self.tick += 1
        for name in replies:
            self.seats[name].refused = tuple(each for each in step.refusals if each.seat == name)
        self._moved(self.state, self.tick, step.events)
        return step

    def _silences(self, ticks: int) -> dict[Seat, Any]:
        return {seat: self.world.silence(self.state, seat, ticks) for seat in self.world.deciders(self.state)}

    def write_idle(self) -> None:
        """Write the stretch in which nobody decided anything."""
        if not self._unwritten:
            return
        events = tuple(self._unwritten_events)
        silences = {seat: self.world.silence(self.state, seat, self._unwritten) for seat in self.world.seats}
        answers = {seat: answered(silence, Reply(silence)) for seat, silence in silences.items()}
        self._unwritten, self._unwritten_events = 0, []
        self._keep(Entry(len(self.entries), answers, digest(self.state), events))

    def _keep(self, entry: Entry) -> None:
        self._sink(entry)
        self.entries.append(entry)

"""The seats of live games: what people press, and what agents and models decide, waits for the next tick.

Agents and models think beside the clock, which never waits for them: each is shown the state in which it
begins, and its decision is taken when it comes.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import Any, Protocol

import msgspec

from backburner.agents.person.keys import Chosen
from backburner.agents.person.policy import LONGEST_SLIP, MOST_SLIPS
from backburner.agents.person.reading import Reader
from backburner.kernel.errors import BackburnerError, Refused, shorten
from backburner.kernel.menu import Option
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.turns import check_length, turn_of
from backburner.kernel.values import Refusal, Seat, Thought
from backburner.serve.players import MOST_TROUBLE, STAND_IN, Brain
from backburner.serve.protocol import MOST_OPTIONS, Confirm, Move, PressDone, SeatTold, Told, Wanted
from backburner.serve.protocol import Turn as TurnTold
from backburner.serve.seats import GameOfSeat, SeatPolicy
from backburner.serve.turns import read_move, read_press, turn_told

LOOK_SECONDS = 0.5
"""So often people are told what they can do now, and agents with nothing to do are asked again."""

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

    def seat_player(self, player: Wanted, since: int, brain: Brain | None) -> None:
        """Another player has the seat; what the one before was about to do is dropped."""
        self.inputs.clear()
        if self._thinking is not None:
            self._thinking.cancel()
        self._not_before, self._pause = 0.0, PAUSE_SECONDS
        super().seat_player(player, since, brain)

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
        brain = self.stand_in if self.is_person and self.stood_in_for else self.brain
        if (self.is_person and not self.stood_in_for) or (brain is None and self.stand_in is None):
            return
        if (
            self._thinking is None
            and not occupied
            and not self.inputs
            and time.monotonic() >= self._not_before
        ):
            self._thinking = self.game.spawn(self._think_beside(brain, self.game.turn_now(self.seat)))

    async def _think_beside(self, brain: Brain | None, turn: Turn) -> None:
        self._thinks_since = time.monotonic()
        if self.player.kind == "model":
            self.game.people_changed()
        try:
            reply = await self._decided(brain, turn)
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

    async def _decided(self, brain: Brain | None, turn: Turn) -> Reply | None:
        why = "away"
        if brain is not None and brain is not self.stand_in:
            try:
                reply = await brain.think(turn)
            except BackburnerError as error:
                self._fail(error)
                why = self.trouble
            else:
                self.trouble, self._pause = "", PAUSE_SECONDS
                return reply
        if self.stand_in is None:
            return None
        reply = await self.stand_in.think(turn)
        thought = Thought(STAND_IN, f"{self.stand_in.name}: {why}")
        return (
            None
            if _passes(reply, turn)
            else msgspec.structs.replace(reply, thoughts=(*reply.thoughts, thought))
        )

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
        if self.outlet is None or not self.present:
            return
        turn = self.game.turn_now(self.seat)
        options = self.reader.options(turn)[:MOST_OPTIONS]
        told = turn_told(self.game.world, turn, options, self.reader.keys, None, briefly=True)
        told = msgspec.structs.replace(told, number=self.game.number)
        if self._sent is None or msgspec.structs.replace(told, number=self._sent.number) != self._sent:
            self._options, self._sent = options, told
            self.outlet.send(told)

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
        return Told(id, "accepted")

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
    informed = seat.brain is not None and seat.brain.informed
    return turn_of(
        game.world, state, seat.seat, index, game.plan.seed, informed=informed, refused=seat.refused
    )

"""Live games: a world with a clock of its own is played by the clock on the wall.

At each tick the inputs that have come since the last one are taken together (``live_seats``). A stretch in
which nobody decides anything is one entry of the record, written at least once a second, so that a process
that is killed loses no more than that, and nothing that anybody did.

The clock stands still while a game with people has no page open.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Mapping
from typing import Any

from backburner.kernel.clock import Clocked
from backburner.kernel.contract import World
from backburner.kernel.episode import Ending, Entry, Record
from backburner.kernel.play import header_of
from backburner.kernel.policy import Reply
from backburner.kernel.replay import decisions_in
from backburner.kernel.turns import answered, outspoken, read
from backburner.kernel.values import Event, Seat, digest
from backburner.serve.live_seats import LOOK_SECONDS, LiveSeat
from backburner.serve.recording import most_idle, ticks_of

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
        self._idle = world.idle()
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
                await asyncio.sleep(2 * self.tick_seconds)
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
        self.tick += ticks_of(self.world, decisions)
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
            self._step(replies)
        else:
            step = world.step(self.state, dict.fromkeys(world.deciders(self.state), self._idle))
            self.state = step.state
            self._unwritten += 1
            self._unwritten_events += step.events
            self.tick += 1
            self._moved(self.state, self.tick, step.events)
            if self._unwritten >= self._most_idle:
                self.write_idle()
        look = self.tick % max(1, round(LOOK_SECONDS / self.tick_seconds)) == 0
        for name, seat in self.seats.items():
            seat.consider(busy[name])
            if look or name in replies or seat.knows_nothing:
                seat.look()

    def _step(self, replies: Mapping[Seat, Reply]) -> None:
        world, said = self.world, {seat: outspoken(self.world, reply) for seat, reply in replies.items()}
        decisions = {
            seat: read(world, self.state, seat, said[seat].answer) if seat in said else self._idle
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

    def write_idle(self) -> None:
        """Write the stretch in which nobody decided anything."""
        if not self._unwritten:
            return
        idle, events = self.world.idle(self._unwritten), tuple(self._unwritten_events)
        answers = {seat: answered(idle, Reply(idle)) for seat in self.world.seats}
        self._unwritten, self._unwritten_events = 0, []
        self._keep(Entry(len(self.entries), answers, digest(self.state), events))

    def _keep(self, entry: Entry) -> None:
        self._sink(entry)
        self.entries.append(entry)

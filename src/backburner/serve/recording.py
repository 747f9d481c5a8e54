"""The record of a game: each line is kept in the store, or compared with the one that was kept before.

After the process was killed, a game is played again from its beginning. As long as the store has further
lines, each line that is played must say the same as the one that is kept; from there on lines are new. A game
that is over is shown as its frames to pages that came too late to have seen it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec.structs import replace

from backburner.kernel.contract import World
from backburner.kernel.episode import (
    Answer,
    Ending,
    Entry,
    Episode,
    Header,
    Lines,
    Record,
    encode_line,
    record_on,
)
from backburner.kernel.errors import Refused, ReplayMismatch
from backburner.kernel.replay import decisions_in
from backburner.kernel.values import Seat, canonical_json
from backburner.serve.audience import Views
from backburner.serve.protocol import STAND_IN, Frame
from backburner.serve.store import Store


class Recording:
    """The record of one game. ``entries``: those of the steps that are over, in this process; ``ending``: how
    the game ended, once it has."""

    def __init__(self, store: Store, game: str) -> None:
        self._store, self._game = store, game
        self._lines = Lines()
        self._stored: Sequence[bytes] = ()
        self._written = 0
        self.entries: list[Entry] = []
        self.ending: Ending | None = None

    @property
    def again(self) -> bool:
        """Whether what is played was played before."""
        return self._written < len(self._stored)

    def expect(self, content: Sequence[bytes]) -> None:
        """The store has these lines: they are to be played again."""
        self._stored = content

    def complete(self, episode: Episode) -> None:
        """The store has all of an episode that is over: nothing is played again."""
        self.entries, self.ending = list(episode.entries), episode.ending

    def expected_entries(self) -> tuple[Entry, ...]:
        """The entries among the lines that are to be played again."""
        records = (record_on(line) for line in self._stored)
        return tuple(record for record in records if isinstance(record, Entry))

    def take(self, record: Record) -> None:
        """Keep the next line, or compare it with the one that is kept; it is kept when this returns.

        Raises ``ReplayMismatch`` where they differ.
        """
        if self.again:
            line = self._stored[self._written]
            if _compared(record) != _compared(record_on(line)):
                raise ReplayMismatch(f"line {self._written + 1} of the record is not what is played again")
            self._lines.follow(line)
        else:
            line = self._lines.line(record)
            status = {Header: "playing", Ending: "over"}.get(type(record))
            seats = thought_by(record) if isinstance(record, Entry) else None
            self._store.append(self._game, self._written, line, status, seats)  # type: ignore[arg-type]
        self._written += 1
        if isinstance(record, Entry):
            self.entries.append(record)
        elif isinstance(record, Ending):
            self.ending = record

    def content(self) -> bytes:
        """The record as far as it has come."""
        return b"".join(self._store.lines(self._game))

    def past_of(
        self, seat: Seat, since: int, *, standing_in: bool
    ) -> tuple[list[dict[Seat, Answer]], list[int]]:
        """What was answered so far, and the steps from ``since`` on at which the seat's player, or its
        stand-in, decided. Where there are none, nothing was answered that they would remember."""
        own = [
            asked
            for entry in self.entries
            if (asked := thought_by(entry).get(seat, -1)) >= since
            and any(thought.purpose == STAND_IN for thought in entry.answers[seat].thoughts) == standing_in
        ]
        return [entry.answers for entry in self.entries] if own else [], own


def thought_by(entry: Entry) -> dict[Seat, int]:
    """The seats whose answers are in an entry, with the step at which each was asked: under a clock the
    answer comes later, and who thinks still is silent."""
    return {
        seat: entry.index if answer.thought is None else answer.thought.asked
        for seat, answer in entry.answers.items()
        if answer.thought is not None or not answer.silent
    }


def _compared(record: Record) -> bytes:
    """What must be the same when it is played again: all but versions and costs, read from what is
    written."""
    record = record_on(encode_line(record))
    return canonical_json(
        replace(record, version="") if isinstance(record, Header) else replace(record, usage={})
    )


# --- a game that is over --------------------------------------------------------------------------------


MOST_FRAMES = 3000
"""Of a game that are told; its last ones where it has more, as the result is what people ask about."""

WRITTEN_SECONDS = 1.0
"""So long a stretch is at most in which nobody decides and that is not written yet."""


def frames_of(
    world: World[Any, Any, Any], seed: int, recording: Recording, view: Seat | None, *, clocked: bool
) -> tuple[Frame, ...]:
    """The frames of a game that is over, as ``view`` (``None``: an onlooker) saw them.

    Raises ``Refused`` while it is played: what comes next is nobody's to know.
    """
    if recording.ending is None:
        raise Refused("a game can be looked at from its beginning when it is over")
    skipped = max(0, len(recording.entries) + 1 - MOST_FRAMES)
    return tuple(islice(_frames(world, seed, recording.entries, view, clocked), skipped, None))


def _frames(
    world: World[Any, Any, Any], seed: int, entries: Sequence[Entry], view: Seat | None, clocked: bool
) -> Iterator[Frame]:
    views = Views(world, seed, [view])
    views.clocked = clocked
    yield views.frame(view, playing=False).frame
    for entry in entries:
        decisions = decisions_in(world, entry)
        lasted = 1 if views.tick_seconds is None else ticks_of(world, views.state, decisions)
        views.moved(world.step(views.state, decisions).state, views.number + lasted, entry.events, entry)
        yield views.frame(view, playing=False).frame


def most_idle(tick_seconds: float) -> int:
    """Ticks of the longest stretch that is one entry."""
    return max(1, round(WRITTEN_SECONDS / tick_seconds))


def ticks_of(world: Any, state: Any, decisions: Mapping[Seat, Any]) -> int:
    """How long a recorded step lasted: a stretch in which nobody decides says so, any other is one tick."""
    for ticks in range(1, most_idle(world.tick_seconds) + 1):
        if all(decision == world.silence(state, seat, ticks) for seat, decision in decisions.items()):
            return ticks
    return 1

"""The record of a game: each line is kept in the store, or compared with the one that was kept before.

After the process was killed, a game is played again from its beginning. As long as the store has further
lines, each line that is played must say the same as the one that is kept; from there on lines are new.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

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
from backburner.kernel.errors import ReplayMismatch
from backburner.kernel.values import Seat, canonical_json
from backburner.serve.brains import STAND_IN
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
            self._store.append(self._game, self._written, line, status)  # type: ignore[arg-type]
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
            entry.index
            for entry in self.entries
            if entry.index >= since
            and (answer := entry.answers.get(seat)) is not None
            and any(thought.purpose == STAND_IN for thought in answer.thoughts) == standing_in
        ]
        return [entry.answers for entry in self.entries] if own else [], own


def _compared(record: Record) -> bytes:
    """What must be the same when it is played again: all but versions and costs, read from what is
    written."""
    record = record_on(encode_line(record))
    return canonical_json(
        replace(record, version="") if isinstance(record, Header) else replace(record, usage={})
    )

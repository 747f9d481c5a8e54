"""The lobby of a game: how many people have to be there before it begins, and how long they wait."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping

from backburner.kernel.values import Seat
from backburner.serve.protocol import GamePlan, Lobby
from backburner.serve.seats import SeatPolicy


class Quorum:
    """Whether enough people are there. ``begun`` is set when play begins; ``tell`` sends how things stand."""

    def __init__(
        self, plan: GamePlan, seats: Mapping[Seat, SeatPolicy], tell: Callable[[Lobby], None]
    ) -> None:
        self._plan, self._seats, self._tell = plan, seats, tell
        self._until: float | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.begun = asyncio.Event()

    @property
    def present(self) -> int:
        """How many people are there."""
        return sum(seat.is_person and seat.present for seat in self._seats.values())

    @property
    def needed(self) -> int:
        """How many have to be."""
        people = sum(seat.is_person for seat in self._seats.values())
        return people if self._plan.quorum is None else min(people, self._plan.quorum)

    def look(self) -> None:
        """Begin if enough people are there; else those who are wait for the others, for some time."""
        if self.begun.is_set():
            return
        if self.present >= self.needed:
            self.begin()
            return
        seconds = self._plan.lobby_seconds
        if self.present and self._until is None and seconds is not None:
            self._until = time.monotonic() + seconds
            self._timer = asyncio.get_running_loop().call_later(seconds, self.begin)
        self._tell(self._told())

    def begin(self) -> None:
        """Play begins; for whoever is not there the stand-in does."""
        if self.begun.is_set():
            return
        self.stop_waiting()
        self.begun.set()
        for seat in self._seats.values():
            seat.do_not_wait()

    def stop_waiting(self) -> None:
        """Nothing begins of itself any more."""
        if self._timer is not None:
            self._timer.cancel()

    def _told(self) -> Lobby:
        waiting = tuple(name for name, seat in self._seats.items() if not seat.present)
        left = None if self._until is None else round(max(0.0, self._until - time.monotonic()), 1)
        told = tuple(seat.told() for seat in self._seats.values())
        return Lobby(waiting, max(0, self.needed - self.present), left, told)

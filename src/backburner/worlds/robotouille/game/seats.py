"""Who commands which robots, and who decides when.

``turns``: the robots have a seat each and act one after the other, a step for every turn.
``together``: a seat each, all in every step. ``dispatcher``: one seat for all robots (the article's
real-time mode, where one agent controls all of them).
"""

from __future__ import annotations

from typing import Literal

from backburner.kernel.values import Seat

Play = Literal["turns", "together", "dispatcher"]
PLAYS: tuple[Play, ...] = ("turns", "together", "dispatcher")
DISPATCHER: Seat = "dispatcher"


class Seating:
    """The seats of a problem; ``robots`` are the indices of the players, ``names`` what they are called."""

    def __init__(self, play: Play, robots: tuple[int, ...], names: tuple[str, ...]) -> None:
        self.play: Play = play
        self.robots = robots
        self.seats: tuple[Seat, ...] = (DISPATCHER,) if play == "dispatcher" else names
        self._robots_of = (
            {DISPATCHER: robots}
            if play == "dispatcher"
            else {name: (robot,) for name, robot in zip(names, robots, strict=True)}
        )

    def deciders(self, turn: int) -> tuple[Seat, ...]:
        """The seats that decide now, in the order in which they act."""
        return self.seats[turn : turn + 1] if self.play == "turns" else self.seats

    def robots_of(self, seat: Seat) -> tuple[int, ...]:
        """The robots that a seat commands."""
        return self._robots_of[seat]

    def next_turn(self, turn: int) -> int:
        """Whose turn it is after this one."""
        return (turn + 1) % len(self.robots) if self.play == "turns" else turn

"""The states that the kitchen passes through between two answers, a step of the grid each."""

from __future__ import annotations

from backburner.worlds.collab_overcooked.game.events import Journal
from backburner.worlds.collab_overcooked.game.play import Play
from backburner.worlds.collab_overcooked.game.rules import Rulebook
from backburner.worlds.collab_overcooked.game.state import State


class Watcher(Rulebook):
    """A rulebook that keeps the state after each step of the grid. Use it for one transition."""

    def __init__(self, book: Rulebook) -> None:
        super().__init__(book.ware, book.scenario, book.limits, book.seats)
        self.passed: list[State] = []

    def pass_time(self, state: State, play: Play, journal: Journal) -> State:
        """The same, and keep what came of it."""
        after = super().pass_time(state, play, journal)
        self.passed.append(self.result(after, play))
        return after

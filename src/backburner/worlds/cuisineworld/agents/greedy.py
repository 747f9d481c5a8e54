"""A dispatcher without a model: gives no order up, shares what is there, cooks ahead, looks ahead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from backburner.kernel.policy import Reply, Turn
from backburner.worlds.cuisineworld.agents.foresight import AHEAD, Style, best_style, play_step
from backburner.worlds.cuisineworld.agents.seat import Noted, SeatView
from backburner.worlds.cuisineworld.game import CuisineWorld

REVIEW_STEPS = 3
"""The way to play is thought over when orders come or go, and after so many steps."""

KEEPING_STEPS = 10
"""Where dishes spoil, so many steps that they keep are good for one spare dish of a kind."""


class _Memory(Struct, frozen=True):
    """``style``: the way to play, chosen when these ``orders`` were open."""

    noted: Noted
    style: Style
    orders: tuple[int, ...] | None = None


class GreedyDispatcher:
    """Plays the bodies of its seat, by what the seat sees.

    Every few steps it plays a handful of ways on in its head, as if nothing more were ordered, and goes on
    in the best of them. It plans for all bodies, those of other seats included as long as they do what the
    plan has for them.
    """

    name = "greedy"
    informed = False
    settings: Mapping[str, Any] = {}

    def __init__(self, world: CuisineWorld) -> None:
        self._view = SeatView(world)
        self._groups = world.seating.groups
        keeps = world.scenario.spoil_steps
        self._ahead = AHEAD if keeps is None else min(AHEAD, keeps // KEEPING_STEPS)

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """A command for each body."""
        old = memory or _Memory(Noted(), Style(ahead=self._ahead))
        now, noted = self._view.situation(turn.observation, old.noted)
        orders = tuple(dish for dish, _ in now.orders)
        style = old.style
        if orders != old.orders or turn.index % REVIEW_STEPS == 0:
            style = best_style(now, style, self._ahead, self._groups)
        moves = play_step(now, style, self._groups)
        commands, noted = self._view.answer(turn.seat, turn.observation, now, noted, moves)
        return Reply(commands, _Memory(noted, style, orders))

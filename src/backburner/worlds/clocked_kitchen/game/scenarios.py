"""The clocked kitchen's scenarios as values: a kitchen of the text game, its floor, its clock."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from backburner.kernel.contract import World
from backburner.worlds.clocked_kitchen.game.floor import LETTERS
from backburner.worlds.cuisineworld.game.scenarios import Scenario as Kitchen

TICKS_A_SECOND = 10
"""The loop of the article's real-time game looks every 0.1 s (Appendix E.2)."""

MOST_BODIES = 16

Asks = Literal["free", "always"]
"""Who is asked when: a seat that has a body with nothing under way, or every seat all the time."""


class Clock(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """How long things take, in ticks of a tenth of a second.

    ``step_ticks``: a step of the text game, by which tools work, orders come and wait, and play ends;
    ``cell_ticks``: a step to the next cell; ``hand_ticks``: taking, putting down, starting a tool;
    ``squeeze_ticks``: a step to a cell from which somebody else comes the other way.
    """

    step_ticks: int = 10
    cell_ticks: int = 2
    hand_ticks: int = 5
    squeeze_ticks: int = 6


USUAL_CLOCK = Clock()


class Scenario(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One episode: the ``kitchen`` with its bodies, seats and orders as in the text game, and its ``plan``.

    Everything in the kitchen that is counted in steps takes ``clock.step_ticks`` for each. ``letters``: of
    kinds in the plan that are not the cookbook's, as (letter, kind). ``asks``: who is asked when.
    """

    kitchen: Kitchen
    plan: tuple[str, ...]
    letters: tuple[tuple[str, str], ...] = ()
    clock: Clock = USUAL_CLOCK
    asks: Asks = "free"

    @property
    def legend(self) -> Mapping[str, str]:
        """Letter to kind."""
        return {**LETTERS, **dict(self.letters)}

    @property
    def ticks(self) -> int:
        """How long an episode takes."""
        return self.kitchen.steps * self.clock.step_ticks


def seconds(ticks: int) -> float:
    """Ticks as seconds."""
    return ticks / TICKS_A_SECOND


def parts(world: World[Any, Any, Any]) -> list[str]:
    """What a world's scenario is built of: the dishes that may be ordered."""
    return [f"dish {dish}" for dish in world.scenario.kitchen.dishes]

"""The clocked kitchen's scenarios as values: a kitchen of the text game, its clock, and its floor.

Plans of floors ship with the levels, drawn by hand, or are made from a seed.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from backburner.kernel.contract import World
from backburner.kernel.files import shipped
from backburner.worlds.clocked_kitchen.game.floor import FLOOR, LETTERS, WALL
from backburner.worlds.cuisineworld.game.compiled import STORAGE, TABLE, Compiled
from backburner.worlds.cuisineworld.game.scenarios import Scenario as Kitchen

TICKS_A_SECOND = 10
"""The loop of the article's real-time game looks every 0.1 s (Appendix E.2)."""

MOST_BODIES = 16

Asks = Literal["free", "always"]
"""Who is asked when: a seat that has a body with nothing under way, or every seat all the time."""


Ticks = Annotated[int, Meta(ge=1, le=600)]


class Clock(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """How long things take, in ticks of a tenth of a second.

    ``step_ticks``: a step of the text game, by which tools work, orders come and wait, and play ends;
    ``cell_ticks``: a step to the next cell; ``hand_ticks``: taking, putting down, starting a tool;
    ``squeeze_ticks``: a step to a cell from which somebody else comes the other way.
    """

    step_ticks: Ticks = 10
    cell_ticks: Ticks = 2
    hand_ticks: Ticks = 5
    squeeze_ticks: Ticks = 6


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


Plan = tuple[str, ...]


class _PlanFile(Struct, frozen=True, forbid_unknown_fields=True):
    source: str
    plans: dict[str, Plan]


def drawn_plans() -> Mapping[str, Plan]:
    """The plans of the published levels, by their names."""
    return shipped("backburner.worlds.clocked_kitchen", "plans", _PlanFile).plans


TABLE_CELLS = 2


def made_plan(compiled: Compiled, legend: Mapping[str, str], bodies: int, seed: int) -> Plan:
    """A room with everything along its walls and on islands, each place within reach; by a seed of its own.

    Nothing stands in a corner, and islands keep two cells away from the walls and from each other, so that
    every cell of floor can be walked to.
    """
    letters = {kind: letter for letter, kind in legend.items()}
    draw = random.Random(f"clocked_kitchen/{seed}")
    cells = _cells(compiled, letters)
    width, height = _size(len(cells), bodies, draw)
    rows = [
        [WALL if y in (0, height - 1) or x in (0, width - 1) else FLOOR for x in range(width)]
        for y in range(height)
    ]
    free = [(x, y) for y in range(1, height - 1) for x in (0, width - 1)]
    free += [(x, y) for x in range(1, width - 1) for y in (0, height - 1)]
    free += [(x, y) for y in range(3, height - 3, 3) for x in range(3, width - 3, 3)]
    chosen = draw.sample(free, len(cells))
    for (x, y), letter in zip(chosen, draw.sample(cells, len(cells)), strict=True):
        rows[y][x] = letter
    return tuple("".join(row) for row in rows)


def _cells(compiled: Compiled, letters: Mapping[str, str]) -> Sequence[str]:
    """A letter for each cell that has to be drawn."""
    cells: list[str] = []
    for kind, role in zip(compiled.kinds, compiled.roles, strict=True):
        count = {STORAGE: len(compiled.level_ingredients), TABLE: TABLE_CELLS}.get(role, 1)
        cells += [letters[kind.name]] * count
    return cells


def _size(cells: int, bodies: int, draw: random.Random) -> tuple[int, int]:
    """The sides of a room with walls for all cells and floor for all bodies, a little longer than wide."""
    height = 5 + draw.randrange(3)
    width = height + draw.randrange(4)
    while 2 * (width - 2) + 2 * (height - 2) < 2 * cells or (width - 2) * (height - 2) < 4 * bodies:
        width, height = width + 1, height + (width % 2)
    return width, height

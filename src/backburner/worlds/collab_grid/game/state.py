"""The grid's values in play: the kitchen of Collab-Overcooked, what was refused, what a cook perceives."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backburner.kernel.errors import Refused
from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game.rule_set import LARGEST_LIMIT
from backburner.worlds.collab_overcooked.game.state import Kitchen, Operation, Role, SeenUtensil

Ended = Literal["", "completed", "step_limit"]

Refusals = tuple[Refusal | None, Refusal | None]
"""For each cook why its last action was refused; ``None`` if it was not."""


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """When play is cut off: after so many ``steps``; ``None`` is no limit.

    Raises ``Refused`` for a limit below 1 or above ``LARGEST_LIMIT``.
    """

    steps: int | None = None

    def __post_init__(self) -> None:
        if self.steps is not None and not 1 <= self.steps <= LARGEST_LIMIT:
            raise Refused(f"limits: steps is {self.steps}; it is from 1 to {LARGEST_LIMIT}")


NO_LIMITS = Limits()


class State(Struct, frozen=True, gc=False):
    """Everything that changes in an episode.

    ``delivered``, ``drawn``: how many orders so far. ``operations``: the utensils at work.
    """

    kitchen: Kitchen
    operations: tuple[Operation, ...] = ()
    delivered: int = 0
    drawn: int = 0
    seed: int = 0
    refusals: Refusals = (None, None)
    ended: Ended = ""


class SeenCook(Struct, frozen=True):
    """A cook: its role, its cell (column, row), where it looks, what stands there (empty: floor), what it
    holds (empty: nothing; ``plated``: on a dish)."""

    role: Role
    at: tuple[int, int]
    facing: str
    faces: str
    held: str
    plated: bool


class SeenThing(Struct, frozen=True):
    """Something on a counter, by the counter's name. ``shared``: both cooks can reach it."""

    place: str
    item: str
    plated: bool
    shared: bool


class Observation(Struct, frozen=True):
    """What a cook perceives: all of the kitchen, but things on counters that are hidden from it.

    ``last_step``: the step after which play is cut off; ``None`` is no limit. ``ruined``: the utensils whose
    contents became nothing in the last step. ``refusal``: of its own last action.
    """

    steps: int
    last_step: int | None
    orders: tuple[str, ...]
    delivered: int
    me: SeenCook
    partner: SeenCook
    utensils: tuple[SeenUtensil, ...]
    things: tuple[SeenThing, ...]
    ruined: tuple[str, ...]
    refusal: Refusal | None

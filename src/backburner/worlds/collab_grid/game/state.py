"""The grid's values: its rules and limits, the kitchen in play, what was refused, what a cook perceives.

Rules are those of Collab-Overcooked that are about the kitchen; each field of ``Rules`` is one defect of the
release. ``standard`` has none of them, ``released`` has them all.
"""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType, structs

from backburner.kernel.errors import Refused
from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game import rule_set as published
from backburner.worlds.collab_overcooked.game.rule_set import LARGEST_LIMIT
from backburner.worlds.collab_overcooked.game.state import Kitchen, Operation, Role, SeenUtensil


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of play. A field that is true keeps a defect of the released program; each means what it
    means in Collab-Overcooked."""

    name: str = "standard"

    starting_stalls_timers: bool = False
    """Starting an operation costs a tick to every running utensil that received its first item later than the
    one that is started; a start that comes to nothing costs none."""

    starts_found_in_one_pass: bool = False
    """Of two contents that match no recipe and are started in one step, only those that were loaded later are
    gone."""

    food_is_lost: bool = False
    """Everything brought to the serving place is gone, ordered or not. False: only what is ordered can be
    delivered, served as it has to be."""

    first_order_only: bool = False
    """Only the oldest open order can be met. False: any open order."""

    private_counters_unseen: bool = False
    """What lies on a counter that only one cook reaches is shown to neither. False: to that cook."""

    @property
    def of_the_kitchen(self) -> published.Rules:
        """Rules of Collab-Overcooked under which its kitchen does the same; those of talk have no defects."""
        return structs.replace(published.STANDARD, **structs.asdict(self))


STANDARD = Rules("standard")
RELEASED = Rules("released", *([True] * (len(Rules.__struct_fields__) - 1)))
PRESETS = {"standard": STANDARD, "released": RELEASED}


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


class Late(Struct, frozen=True, omit_defaults=True, gc=False):
    """The utensils whose contents became nothing while a cook was silent.

    It hears of them in the step of its next decision: ``coming`` are those of a silence that goes on,
    ``told`` those of one that is over.
    """

    coming: tuple[int, ...] = ()
    told: tuple[int, ...] = ()


NOTHING_LATE = Late()


class State(Struct, frozen=True, gc=False):
    """Everything that changes in an episode.

    ``delivered``, ``drawn``: how many orders so far. ``operations``: the utensils at work. ``late``: what was
    ruined while a cook was silent, where there is anything to tell.
    """

    kitchen: Kitchen
    operations: tuple[Operation, ...] = ()
    delivered: int = 0
    drawn: int = 0
    seed: int = 0
    refusals: Refusals = (None, None)
    ended: Ended = ""
    late: tuple[Late, Late] | UnsetType = UNSET


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
    contents became nothing in the last step, or before it while the cook was silent. ``refusal``: of its own
    last action.
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

"""CuisineWorld's scenarios as values: a level, who plays its bodies, and at what pace orders come."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from backburner.kernel.contract import World
from backburner.kernel.values import Refusal, Seat
from backburner.worlds.cuisineworld.game.cookbook import Cookbook, shipped_cookbook
from backburner.worlds.groups import Groups, seat_names

STEPS = 60
"""An episode of the article."""

MOST_OPEN = 6
"""Orders that may be open before no more arrive."""

MOST_BODIES = 64
"""Bodies that ids and files may ask for."""

MOST_DRAWN = 100_000
"""Draws that may have been made from the stream of orders before an episode: a tenth of a second's work."""

FeedbackKind = Literal["errors", "full", "none"]
"""Refusals as released; also what was done (article, section 4.1); nothing."""

HEAD_CHEF: Seat = "head_chef"


class Before(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the episodes before this one left: how many orders they drew from the stream, and the errors of
    the last step, where every command was a noop that as well (``idle``)."""

    drawn: int
    refusals: tuple[Refusal, ...] = ()
    idle: bool = False


class Scenario(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One episode's kitchen, bodies and orders.

    - ``interval``: steps from order to order; ``lifetimes``: steps that an order of each dish waits
    - ``groups``: the bodies of each seat; none if one dispatcher commands all
    - ``seed``: of the stream of orders, ``None`` for the seed of play; each ``episode`` begins in the
      stream where the one before it stopped: as ``before`` says, or else as if time had passed at every
      turn of those before it
    - ``coupled``: whether it is played after the ``episode`` before it, which tells what is ``before``
    - ``table_room``: spare dishes that may lie on serving tables, ``None`` for any number
    - ``spoil_steps``: steps after which a dish on a table spoils, ``None`` for never
    - ``hidden_orders``: whether orders are seen by bodies at a serving table only
    - ``feedback``: what seats are told of the last step; ``hints``: whether the briefing has the article's
      inference knowledge
    - ``cookbook``: recipes other than the released ones
    - ``head_chef``: whether a seat without bodies tells the others in words what to do, before they decide
    - ``in_turn``: whether the seats with bodies decide one after the other, in their order, each told the
      commands of those before it; otherwise all at once
    """

    level: str
    dishes: tuple[str, ...]
    kitchen: tuple[str, ...]
    interval: int
    lifetimes: tuple[int, ...]
    bodies: int = 2
    groups: Groups = ()
    level_class: str = ""
    tau: float | None = None
    seed: int | None = 0
    episode: int = 0
    steps: int = STEPS
    most_open: int = MOST_OPEN
    table_room: int | None = None
    spoil_steps: int | None = None
    hidden_orders: bool = False
    feedback: FeedbackKind = "errors"
    hints: bool = True
    cookbook: Cookbook | None = None
    coupled: bool = False
    before: Before | None = None
    head_chef: bool = False
    in_turn: bool = False

    @property
    def book(self) -> Cookbook:
        """The recipes in force."""
        return shipped_cookbook() if self.cookbook is None else self.cookbook

    @property
    def orders_per_episode(self) -> int:
        """Orders that arrive in an episode in which the list never fills up."""
        return 1 + self.steps // self.interval

    @property
    def first_draw(self) -> int:
        """The draw of the stream, from 0, with which the episode begins."""
        return self.episode * self.orders_per_episode if self.before is None else self.before.drawn


def body_name(body: int) -> str:
    """``agent0``, ``agent1`` ..."""
    return f"agent{body}"


class Seating:
    """The seats of a scenario: ``bodies_of`` each; ``owner`` of each body, as an index in ``workers``.

    ``workers``: the seats with bodies. ``phases``: who decides together, in the order of each step; all but
    the last are of one seat.
    """

    def __init__(self, groups: Groups, bodies: int, head_chef: bool = False, in_turn: bool = False) -> None:
        groups = groups or (tuple(range(bodies)),)
        self.groups = groups
        self.workers = seat_names(groups, body_name)
        first = (HEAD_CHEF,) if head_chef else ()
        self.seats: tuple[Seat, ...] = (*first, *self.workers)
        apart = tuple((seat,) for seat in (self.seats if in_turn else first))
        self.phases: tuple[tuple[Seat, ...], ...] = apart if in_turn else (*apart, self.workers)
        self.bodies_of: dict[Seat, tuple[int, ...]] = dict(zip(self.workers, groups, strict=True))
        self.bodies_of |= dict.fromkeys(first, ())
        owners = {body: seat for seat, group in enumerate(groups) for body in group}
        self.owner = tuple(owners[body] for body in range(bodies))


def parts(world: World[Any, Any, Any]) -> list[str]:
    """What a world's scenario is built of: the dishes that may be ordered."""
    return [f"dish {dish}" for dish in world.scenario.dishes]

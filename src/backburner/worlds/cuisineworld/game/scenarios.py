"""CuisineWorld's scenarios as values: a level, who plays its bodies, and at what pace orders come."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct

from backburner.kernel.contract import World
from backburner.kernel.errors import Refused, shorten
from backburner.kernel.values import Refusal, Seat
from backburner.worlds.cuisineworld.game.cookbook import Cookbook, shipped_cookbook

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

Groups = tuple[tuple[int, ...], ...]
"""The bodies of each seat: one dispatcher for all (the article), a seat for each, any other partition."""

DISPATCHER: Seat = "dispatcher"
HEAD_CHEF: Seat = "head_chef"
NAMED_GROUPS = ("one", "each", "person")
PARTITION = re.compile(r"(0|[1-9][0-9]?)([.+](0|[1-9][0-9]?))*")


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


def groups_of(written: str, bodies: int) -> Groups:
    """The bodies of each seat: ``one``, ``each``, ``person`` (body 0 alone), or such as ``0+1.2``.

    A plus sign stands between seats, a full stop between the bodies of one. Raises ``Refused``.
    """
    everybody = tuple(range(bodies))
    match written:
        case "one":
            return ()
        case "each":
            return tuple((body,) for body in everybody)
        case "person":
            return ((0,), everybody[1:]) if bodies > 1 else ((0,),)
    if not PARTITION.fullmatch(written):
        known = ", ".join(NAMED_GROUPS)
        raise Refused(f"cuisineworld: seats={shorten(written)}: {known}, or bodies such as 0+1.2")
    groups = tuple(tuple(int(body) for body in seat.split(".")) for seat in written.split("+"))
    if why := misfit(groups, bodies):
        raise Refused(f"cuisineworld: seats={written}: {why}")
    return groups


def misfit(groups: Groups, bodies: int) -> str:
    """Why these are not the bodies of all seats, unless each body belongs to one."""
    if not groups:
        return ""
    if sum(map(len, groups)) == bodies and all(groups):
        named = sorted(body for group in groups for body in group)
        if named == list(range(bodies)):
            return ""
    return f"each of the bodies 0 to {bodies - 1} belongs to one seat"


class Seating:
    """The seats of a scenario: ``bodies_of`` each; ``owner`` of each body, as an index in ``workers``.

    ``workers``: the seats with bodies. ``phases``: who decides together, in the order of each step; all but
    the last are of one seat.
    """

    def __init__(self, groups: Groups, bodies: int, head_chef: bool = False, in_turn: bool = False) -> None:
        groups = groups or (tuple(range(bodies)),)
        self.groups = groups
        self.workers = _names(groups)
        first = (HEAD_CHEF,) if head_chef else ()
        self.seats: tuple[Seat, ...] = (*first, *self.workers)
        apart = tuple((seat,) for seat in (self.seats if in_turn else first))
        self.phases: tuple[tuple[Seat, ...], ...] = apart if in_turn else (*apart, self.workers)
        self.bodies_of: dict[Seat, tuple[int, ...]] = dict(zip(self.workers, groups, strict=True))
        self.bodies_of |= dict.fromkeys(first, ())
        owners = {body: seat for seat, group in enumerate(groups) for body in group}
        self.owner = tuple(owners[body] for body in range(bodies))


def _names(groups: Sequence[Sequence[int]]) -> tuple[Seat, ...]:
    """A seat with one body is called like it, one with several ``dispatcher``.

    Several dispatchers are told apart by their first bodies: ``dispatcher0``, ``dispatcher2``.
    """
    dispatchers = sum(len(group) > 1 for group in groups)

    def name(group: Sequence[int]) -> Seat:
        if len(groups) == 1:
            return DISPATCHER
        if len(group) == 1:
            return body_name(group[0])
        return DISPATCHER if dispatchers == 1 else f"{DISPATCHER}{group[0]}"

    return tuple(map(name, groups))


def parts(world: World[Any, Any, Any]) -> list[str]:
    """What a world's scenario is built of: the dishes that may be ordered."""
    return [f"dish {dish}" for dish in world.scenario.dishes]

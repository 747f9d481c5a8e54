"""Who commands which bodies: one dispatcher for all (the article), a seat for each, any other partition."""

from __future__ import annotations

import re
from collections.abc import Sequence

from backburner.kernel.errors import Refused, shorten
from backburner.kernel.values import Seat
from backburner.worlds.cuisineworld.game.scenarios import Groups

DISPATCHER: Seat = "dispatcher"
NAMED = ("one", "each", "person")
PARTITION = re.compile(r"(0|[1-9][0-9]?)([.+](0|[1-9][0-9]?))*")


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
        known = ", ".join(NAMED)
        raise Refused(f"cuisineworld: seats={shorten(written)}: {known}, or bodies such as 0+1.2")
    groups = tuple(tuple(int(body) for body in seat.split(".")) for seat in written.split("+"))
    if why := misfit(groups, bodies):
        raise Refused(f"cuisineworld: seats={written}: {why}")
    return groups


def misfit(groups: Groups, bodies: int) -> str:
    """Why these are not the bodies of all seats, unless each body belongs to one."""
    named = sorted(body for group in groups for body in group)
    if not groups or (named == list(range(bodies)) and all(groups)):
        return ""
    return f"each of the bodies 0 to {bodies - 1} belongs to one seat"


class Seating:
    """The seats of a scenario. ``bodies_of`` each, ``owner`` of each body as a place in ``seats``."""

    def __init__(self, groups: Groups, bodies: int) -> None:
        groups = groups or (tuple(range(bodies)),)
        self.groups = groups
        self.seats: tuple[Seat, ...] = _names(groups)
        self.bodies_of = dict(zip(self.seats, groups, strict=True))
        owners = {body: seat for seat, group in enumerate(groups) for body in group}
        self.owner = tuple(owners[body] for body in range(bodies))


def _names(groups: Sequence[Sequence[int]]) -> tuple[Seat, ...]:
    if len(groups) == 1:
        return (DISPATCHER,)
    several = sum(len(group) > 1 for group in groups) > 1
    return tuple(
        body_name(group[0]) if len(group) == 1 else f"{DISPATCHER}{group[0]}" if several else DISPATCHER
        for group in groups
    )

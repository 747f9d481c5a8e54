"""Who plays which bodies: one seat for all, one for each, or any partition, as ids and files write it."""

from __future__ import annotations

import re
from collections.abc import Callable

from backburner.kernel.errors import Refused, shorten
from backburner.kernel.values import Seat

Groups = tuple[tuple[int, ...], ...]
"""The bodies of each seat; none if one dispatcher commands all."""

DISPATCHER: Seat = "dispatcher"
NAMED_GROUPS = ("one", "each", "person")
PARTITION = re.compile(r"(0|[1-9][0-9]?)([.+](0|[1-9][0-9]?))*")


def groups_of(written: str, bodies: int, world: str) -> Groups:
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
        raise Refused(f"{world}: seats={shorten(written)}: {known}, or bodies such as 0+1.2")
    groups = tuple(tuple(int(body) for body in seat.split(".")) for seat in written.split("+"))
    if why := misfit(groups, bodies):
        raise Refused(f"{world}: seats={written}: {why}")
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


def seat_names(groups: Groups, body_name: Callable[[int], str]) -> tuple[Seat, ...]:
    """A seat with one body is called like it, one with several, or with all, ``dispatcher``.

    Several dispatchers are told apart by their first bodies: ``dispatcher0``, ``dispatcher2``.
    """
    dispatchers = sum(len(group) > 1 for group in groups)

    def name(group: tuple[int, ...]) -> str:
        if len(groups) == 1:
            return DISPATCHER
        if len(group) == 1:
            return body_name(group[0])
        return DISPATCHER if dispatchers == 1 else f"{DISPATCHER}{group[0]}"

    return tuple(map(name, groups))

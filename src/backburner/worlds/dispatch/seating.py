"""Who plays which bodies, as ids and files write it: one seat for all, one for each, any partition."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from backburner.kernel.errors import Refused, shorten
from backburner.kernel.values import Seat

Groups = tuple[tuple[int, ...], ...]
"""The bodies of each seat; none if one dispatcher commands all."""

DISPATCHER: Seat = "dispatcher"
NAMED_GROUPS = ("one", "each", "person")
PARTITION = re.compile(r"(0|[1-9][0-9]?)([.+](0|[1-9][0-9]?))*")


SAID: Mapping[str, str] = {
    **{"bodies": "{} cooks", "bodies=1": "one cook", "seats=each": "each their own seat"},
    **{"seats=person": "a person and a dispatcher", "seats": "seats {}"},
}
"""How titles tell the options of bodies and seats."""


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


class Seating:
    """The seats of a scenario: ``bodies_of`` each, ``owner`` of each body; ``groups``: all bodies by seat.

    ``workers``: the seats with bodies. ``first``: who decides before them, ``last``: who after them, both
    without bodies. ``phases``: who decides together, in the order of each step, but for the last; all but the
    last phase are of one seat. ``in_turn``: the workers decide one after the other.
    """

    def __init__(
        self,
        names: Sequence[str],
        groups: Groups,
        *,
        first: tuple[Seat, ...] = (),
        last: tuple[Seat, ...] = (),
        in_turn: bool = False,
    ) -> None:
        self.groups = groups or (tuple(range(len(names))),)
        self.workers = seat_names(self.groups, names.__getitem__)
        self.last = last
        self.seats: tuple[Seat, ...] = (*first, *self.workers, *last)
        together = [(seat,) for seat in self.workers] if in_turn else [self.workers]
        self.phases: tuple[tuple[Seat, ...], ...] = (*((seat,) for seat in first), *together)
        self.bodies_of: dict[Seat, tuple[int, ...]] = dict(zip(self.workers, self.groups, strict=True))
        owners = {body: seat for seat, group in self.bodies_of.items() for body in group}
        self.owner = tuple(owners[body] for body in range(len(names)))
        self.bodies_of |= dict.fromkeys((*first, *last), ())


def shared_out(groups: Groups, bodies: int, number: int, level: str) -> Groups:
    """The seats of ``bodies`` bodies for another ``number`` of them: one for each, if there was one for each.

    Raises ``Refused`` where that is not clear.
    """
    if number == bodies or not groups:
        return groups
    if any(len(group) > 1 for group in groups):
        raise Refused(f"{level}: how {number} bodies would share these seats is not told")
    return tuple((body,) for body in range(number))

"""The shortest way to where one of some deeds is possible, with few things and one robot."""

from __future__ import annotations

from collections.abc import Sequence

from backburner.worlds.robotouille.game.actions import GroundAction


def way_to(
    facts: int, targets: Sequence[GroundAction], deeds: Sequence[GroundAction], most: int
) -> tuple[GroundAction, ...] | None:
    """The fewest of ``deeds`` that make one of the targets possible, and that one behind them.

    Effects are left out of account. ``None`` if there is no way, or none among ``most`` different facts.
    """
    first = _possible(facts, targets)
    if first is not None:
        return (first,)
    moves = [(deed.needs, deed.forbids, deed.deletes, deed.adds, deed) for deed in deeds]
    came: dict[int, tuple[int, GroundAction] | None] = {facts: None}
    frontier = [facts]
    while frontier and len(came) < most:
        reached: list[int] = []
        for before in frontier:
            for needs, forbids, clears, adds, deed in moves:
                if before & needs == needs and not before & forbids:
                    after = before & ~clears | adds
                    if after not in came:
                        came[after] = before, deed
                        target = _possible(after, targets)
                        if target is not None:
                            return (*_way(came, after), target)
                        reached.append(after)
        frontier = reached
    return None


def _possible(facts: int, targets: Sequence[GroundAction]) -> GroundAction | None:
    return next((deed for deed in targets if deed.applicable(facts)), None)


def _way(came: dict[int, tuple[int, GroundAction] | None], facts: int) -> list[GroundAction]:
    deeds: list[GroundAction] = []
    while (step := came[facts]) is not None:
        facts, deed = step
        deeds.append(deed)
    return deeds[::-1]

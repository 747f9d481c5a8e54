"""Pairs of a better and a worse decision in one state, for learning from preferences.

The better one loses nothing. The worse ones are plausible slips: ``costly``, an accepted decision that loses
as little as any that loses something; ``wait``, time let go by while something useful could be begun; and
``refused``, what comes later in the demonstration and cannot be done yet, or was done before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from msgspec import Struct

from backburner.kernel.contract import World
from backburner.kernel.values import Refusal, Seat
from backburner.training.export.demonstrations import Demonstration
from backburner.training.export.states import Choice, Moment

Kind = Literal["costly", "wait", "refused"]

NEAR = 4
"""Decisions before and after that are tried until one is refused."""


class Pair(Struct, frozen=True):
    """Two decisions of a seat at a decision point.

    ``lost``: the time that the worse one loses, ``None`` where that is not known or everything is lost;
    ``dead``: whether after it not everything can be done any more; ``code``: why it is refused.
    """

    moment: Moment
    kind: Kind
    chosen: Any
    rejected: Any
    lost: int | None = None
    dead: bool = False
    code: str = ""


def pairs(shown: Demonstration, found: Sequence[Moment]) -> Iterator[Pair]:
    """The pairs of a demonstration, in the order of its decisions; at most one of each kind for each."""
    by_seat: dict[Seat, list[Moment]] = {}
    for moment in found:
        by_seat.setdefault(moment.seat, []).append(moment)
    for moment in found:
        best = _best(moment)
        if best is None:
            continue
        if (slip := _costly(moment)) is not None:
            yield Pair(moment, "costly", best, slip.decision, slip.lost, bool(slip.dead))
        if (slip := _wait(moment)) is not None:
            yield Pair(moment, "wait", best, slip.decision, slip.lost, bool(slip.dead))
        refused = _refused(shown.world, moment, by_seat[moment.seat])
        if refused is not None:
            yield Pair(moment, "refused", best, refused[0], code=refused[1])


def _best(moment: Moment) -> Any:
    """The demonstration's decision if it loses nothing, else the first of the menu that does not; ``None``
    where nothing is known to be best."""
    if moment.taken.optimal and moment.accepted and not isinstance(moment.decided, Refusal):
        return moment.decided
    return next((choice.decision for choice in moment.choices if choice.optimal), None)


def _costly(moment: Moment) -> Choice | None:
    slips = [choice for choice in moment.choices if choice.optimal is False and not choice.passes]
    living = [choice for choice in slips if choice.lost is not None]
    return min(living, key=_loss, default=slips[0] if slips else None)


def _loss(choice: Choice) -> int:
    return choice.lost or 0


def _wait(moment: Moment) -> Choice | None:
    if all(choice.passes for choice in moment.choices):
        return None
    return next((choice for choice in moment.choices if choice.passes and choice.optimal is False), None)


def _refused(world: World[Any, Any, Any], moment: Moment, mine: Sequence[Moment]) -> tuple[Any, str] | None:
    """A decision of the seat nearby that would be refused here, and the code of the refusal."""
    place = mine.index(moment)
    near = (*mine[place + 1 : place + 1 + NEAR], *reversed(mine[max(0, place - NEAR) : place]))
    for other in near:
        if not other.accepted or isinstance(other.decided, Refusal) or other.decided == moment.decided:
            continue
        step = world.step(moment.state, {**moment.others, moment.seat: other.decided})
        own = [refusal for refusal in step.refusals if refusal.seat in ("", moment.seat)]
        if own:
            return other.decided, own[0].code
    return None

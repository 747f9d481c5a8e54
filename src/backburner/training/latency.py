"""Environments in which a learner's decision takes time: it is shown a state, and decides in a later one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

import msgspec

from backburner.agents.latency import latencies
from backburner.kernel.clock import Clock, Profile, Timing
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused, shorten
from backburner.kernel.policy import Policy
from backburner.kernel.values import Seat

Latency = float | str | tuple[float, float]
"""Seconds of the world that a decision takes: a number, or any from one to another."""


def span_of(latency: Any) -> str:
    """A latency as clocks have it: ``0.5``, or ``2..6``. Raises ``Refused`` for what is none."""
    if isinstance(latency, str):
        ends: Sequence[Any] = latency.split("..")
    else:
        ends = latency if isinstance(latency, tuple | list) else (latency,)
    try:
        written = "..".join(f"{Decimal(str(end)):f}" for end in ends)
        return msgspec.convert({"latency": written}, Profile).latency
    except (InvalidOperation, msgspec.ValidationError):
        raise Refused(
            f"latency is seconds, such as 0.5, or (2, 6) for any from one to the other, not "
            f"{shorten(repr(latency))}"
        ) from None


def clock_of(
    world: World[Any, Any, Any],
    learners: Sequence[Seat],
    latency: Latency | None,
    partners: Mapping[Seat, Policy],
) -> Clock | None:
    """The clock of episodes in which each decision of these seats takes so long, and each of a partner as it
    says; ``None`` where nobody takes any time. Raises ``Refused``, also for a world without such time."""
    slow = latencies(partners)
    if latency is not None:
        slow |= dict.fromkeys(learners, span_of(latency))
    return Timing("latency").bound(world, slow) if slow else None

"""Agents that ask nobody and think for a while all the same: ``greedy@latency=2``, where time is charged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard

from msgspec import ValidationError, convert

from backburner.agents.planned import SlowPlanPolicy
from backburner.kernel.clock import Clock, Profile, Timing
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused, shorten
from backburner.kernel.pack import LATENCY
from backburner.kernel.policy import Policy, Reply, Turn
from backburner.kernel.values import Seat


class LatePolicy:
    """A policy that takes so many seconds for each decision, as its settings say; a clock charges them."""

    def __init__(self, policy: Policy, latency: str) -> None:
        self.name = f"{policy.name}@{LATENCY.name}={latency}"
        self.informed = policy.informed
        self.settings: Mapping[str, Any] = {**policy.settings, LATENCY.name: latency}
        self._policy = policy

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """What the policy decides."""
        return await self._policy.decide(turn, memory)


def check_latency(name: str, latency: str | None) -> None:
    """Raises ``Refused`` for what an agent's name has as its latency and is none."""
    if latency is not None and not _is_latency(latency):
        raise Refused(
            f"agent {shorten(name)!r}: latency is written in seconds, as 2 or 0.5, or as 2..6 for any time"
            f" from one to the other, not {shorten(latency)!r}"
        )


def latencies(policies: Mapping[Seat, Policy]) -> dict[Seat, str]:
    """The latencies of those that have one, as ``Timing.bound`` takes them; whoever waits thinks longer."""
    told = {
        seat: policy.thoughts if isinstance(policy, SlowPlanPolicy) else policy.settings.get(LATENCY.name)
        for seat, policy in policies.items()
    }
    return {seat: latency for seat, latency in told.items() if _is_latency(latency)}


def clock_for(
    timing: Timing | None, world: World[Any, Any, Any], policies: Mapping[Seat, Policy]
) -> Clock | None:
    """The clock of an episode for which this one is asked; without one, that of latencies, if somebody has
    one. Raises ``Refused`` as ``Timing.bound`` does."""
    late = latencies(policies)
    if timing is not None:
        return timing.bound(world, late)
    return Timing("latency").bound(world, late) if late else None


def _is_latency(latency: Any) -> TypeGuard[str]:
    try:
        return bool(convert({LATENCY.name: latency}, Profile).latency)
    except ValidationError:
        return False

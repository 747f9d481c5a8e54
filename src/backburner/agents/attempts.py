"""Several attempts at one episode, for policies that learn from a failed one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

from backburner.kernel.clock import Clock
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.play import SAFETY_CAP, Sink, play
from backburner.kernel.policy import Policy
from backburner.kernel.values import Seat


@runtime_checkable
class Persistent(Protocol):
    """A policy that may want to play an episode again."""

    def after(self, world: World[Any, Any, Any], episode: Episode, seat: Seat) -> Policy | None:
        """Who plays the seat in another attempt, after this one; ``None`` if there is to be none."""


async def play_attempts(
    world: World[Any, Any, Any],
    policies: Mapping[Seat, Policy] | Policy,
    seed: int = 0,
    *,
    sink: Callable[[int], Sink] | None = None,
    max_steps: int = SAFETY_CAP,
    clock: Clock | None = None,
) -> tuple[Episode, ...]:
    """``play``, again as long as one of the policies wants another attempt; the last one is what counts.

    The records of all attempts, in order, at least one. ``sink`` is asked for where the records of an
    attempt go, by its number from 1, when it begins. Whoever wants no other attempt plays on as before in
    it. Policies that are not ``Persistent`` play once, so that this is ``play``.
    """
    seated = dict(policies) if isinstance(policies, Mapping) else dict.fromkeys(world.seats, policies)
    episodes: list[Episode] = []
    while True:
        goes_to = sink(len(episodes) + 1) if sink is not None else None
        episode = await play(world, seated, seed, sink=goes_to, max_steps=max_steps, clock=clock)
        episodes.append(episode)
        wanted = {seat: _after(policy, world, episode, seat) for seat, policy in seated.items()}
        if not any(wanted.values()):
            return tuple(episodes)
        seated |= {seat: policy for seat, policy in wanted.items() if policy is not None}


def _after(policy: Policy, world: World[Any, Any, Any], episode: Episode, seat: Seat) -> Policy | None:
    return policy.after(world, episode, seat) if isinstance(policy, Persistent) else None

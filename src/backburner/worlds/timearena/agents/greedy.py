"""The released oracle script as an agent: the order that it computes is what is preferred."""

from __future__ import annotations

from backburner.kernel.policy import Policy, PriorityPolicy, once_per_world
from backburner.worlds.timearena.game import Act, TimeArena
from backburner.worlds.timearena.oracle.greedy import greedy_plan


def greedy(world: TimeArena) -> Policy:
    """Takes, of what is possible, what stands first in the script's order."""
    return PriorityPolicy("greedy", _order(world))


@once_per_world
def _order(world: TimeArena) -> tuple[Act, ...]:
    acts = {required.name: required.acts for required in world.compiled.required}
    return tuple(act for name in greedy_plan(world).order for act in acts[name])

"""Minecraft in small: worlds by id, a farm of one's own, and play by lists of calls."""

from __future__ import annotations

from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.values import Step
from backburner.worlds.minecraft.game import Calls, Limits, Minecraft, Rules, Scenario
from backburner.worlds.minecraft.game.rule_set import PRESETS
from backburner.worlds.minecraft.game.scenarios import Site, paced
from backburner.worlds.minecraft.game.state import State

DISPATCHER = "dispatcher"

YARD = Scenario(
    level="yard",
    dishes=("cooked_chicken",),
    blocks=(Site("furnace", (0, 0)), Site("chest", (4, 0)), Site("oak_log", (0, 9))),
    mobs=(Site("chicken", (9, 9)), Site("sheep", (9, 0)), Site("cow", (-9, 0))),
    spawns=((3, 4), (4, 4)),
    interval=paced(10).interval,
    lifetime=paced(10).lifetime,
)
"""A chicken, a sheep, a cow around a furnace; a log nine blocks from it."""

CHICKEN = (
    "goto(alex, oak_log)",
    "mineBlock(alex, oak_log)",
    "goto(alex, chicken)",
    "killMob(alex, chicken)",
    "goto(alex, furnace)",
    "putFuelFurnace(alex, oak_log)",
    "putItemFurnace(alex, chicken)",
)
"""How one bot has a chicken cooked."""


def world_of(path: str, rules: str | Rules = "standard", limits: str = "article") -> Minecraft:
    """The world of an id without its first part."""
    world: Minecraft = registry.world(f"minecraft/{path}", rules=rules, limits=limits)
    return world


def yard(rules: str | Rules = "standard", limits: Limits | None = None, **changes: object) -> Minecraft:
    """The world of the yard, with other fields of its scenario."""
    bound = PRESETS[rules] if isinstance(rules, str) else rules
    return Minecraft("minecraft/yard", replace(YARD, **changes), bound, limits or Limits())


def act(world: Minecraft, state: State, *calls: str) -> Step[State]:
    """A step in which the dispatcher gives these calls."""
    return world.step(state, {world.seats[-1]: Calls(calls)})


def play(world: Minecraft, *steps: str | tuple[str, ...], state: State | None = None) -> State:
    """The state after these steps, a call or several each."""
    state = world.start() if state is None else state
    for calls in steps:
        state = act(world, state, *((calls,) if isinstance(calls, str) else calls)).state
    return state

"""CuisineWorld in small: worlds by id, and play by what a dispatcher writes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backburner.kernel import registry
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.play import play_now
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.values import Step
from backburner.worlds.cuisineworld.game import CuisineWorld
from backburner.worlds.cuisineworld.game.rule_set import PRESETS, Rules
from backburner.worlds.cuisineworld.game.state import NOTHING, State

DISPATCHER = "dispatcher"

MEATCAKE = (
    "goto_agent0_storage0",
    "get_agent0_salmon_storage0",
    "goto_agent0_blender0",
    "put_agent0_blender0",
    "goto_agent0_storage0",
    "get_agent0_flour_storage0",
    "goto_agent0_blender0",
    "put_agent0_blender0",
    "activate_agent0_blender0",
    "noop_agent0",
    "get_agent0_blender0",
    "goto_agent0_servingtable0",
    "put_agent0_servingtable0",
)
"""How one body makes and serves a salmon meatcake, in 13 steps."""


def world_of(path: str, rules: str | Rules = "standard", limits: str = "article") -> CuisineWorld:
    """The world of an id without its first part."""
    bound = PRESETS[rules] if isinstance(rules, str) else rules
    found = registry.world(f"cuisineworld/{path}", rules=bound, limits=limits)
    assert isinstance(found, CuisineWorld)
    return found


def steps_of(world: CuisineWorld, *replies: str, state: State | None = None) -> list[Step[State]]:
    """What follows from these replies of the dispatcher, one after the other."""
    state = world.start() if state is None else state
    found = []
    for reply in replies:
        found.append(world.step(state, {DISPATCHER: world.parse(state, DISPATCHER, reply)}))
        state = found[-1].state
    return found


def after(world: CuisineWorld, *replies: str, state: State | None = None) -> State:
    """The state after these replies."""
    return steps_of(world, *replies, state=state)[-1].state


def codes(step: Step[State]) -> list[str]:
    """The codes of what was refused."""
    return [refusal.code for refusal in step.refusals]


def inside(world: CuisineWorld, state: State, place: str) -> list[str]:
    """What is inside a place, by name."""
    content = state.inside[world.compiled.place_number[place]]
    return [world.compiled.things[thing] for thing in content]


def held(world: CuisineWorld, state: State, body: int = 0) -> str:
    """What a body holds, by name; empty for nothing."""
    thing = state.held[body]
    return "" if thing == NOTHING else world.compiled.things[thing]


class Speaker:
    """Says its lines one after the other, then nothing that can be read."""

    name = "speaker"
    informed = False
    settings: Mapping[str, Any] = {}

    def __init__(self, *lines: str) -> None:
        self.lines = lines

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The next line."""
        return Reply(self.lines[turn.index] if turn.index < len(self.lines) else "")


def episode_of(world: World[Any, Any, Any], *lines: str) -> Episode:
    """A whole episode in which these lines are said."""
    return play_now(world, Speaker(*lines))

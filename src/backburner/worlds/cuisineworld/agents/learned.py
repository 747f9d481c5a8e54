"""Learned play: a network that scores every command by what the open orders need; numpy alone.

How it was trained stands beside the weights (``data/learned``). It sees what its seat sees: the state that it
encodes is made of the observation, and of since when it has seen each tool at work.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from backburner.arrays.network import Network, read_network
from backburner.arrays.player import ListPlayer, Player, shipped
from backburner.kernel.errors import Refused
from backburner.kernel.policy import Reply, Turn
from backburner.worlds.cuisineworld.agents.planner_state import Domain, Memory, PlannerState, Seen
from backburner.worlds.cuisineworld.arrays.encoding import encoding
from backburner.worlds.cuisineworld.arrays.entities import entities
from backburner.worlds.cuisineworld.game.state import NOTHING, Observation, State
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from backburner.worlds.dispatch.orders import Order

WORLD = "cuisineworld"


class LearnedDispatcher:
    """Plays the bodies of its seat, one after the other, by a network.

    Bodies of other seats that decide before its own are expected to do what it would do in their place.
    Raises ``Refused`` where the network reads other numbers than this package has, or the scenario has none.
    """

    informed = False

    def __init__(self, world: CuisineWorld, network: Network, name: str = "learned") -> None:
        self._encoding = encoding(world)
        self._player: Player | ListPlayer
        if network.header.shape.kind == "list":
            self._player = ListPlayer(name, WORLD, self._encoding, network)
        else:
            self._player = Player(name, WORLD, entities(world), network)
        self._eyes = _Eyes(world)
        self.name = name
        self.settings: Mapping[str, Any] = self._player.settings

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """A command for each body."""
        state, kept = self._eyes.state(turn.observation, memory or Memory())
        codes = self._player.codes(state, turn.seat)
        return Reply(self._encoding.decision(state, turn.seat, codes), kept)


class _Eyes:
    """Makes a state of what a seat sees and remembers, as far as the network looks at it."""

    def __init__(self, world: CuisineWorld) -> None:
        self._domain = Domain(world)

    def state(self, seen: Observation, memory: Memory) -> tuple[State, Memory]:
        """The state, and what is remembered from now on."""
        compiled = self._domain.compiled
        kitchen = Seen(compiled, seen, memory.since)
        now = PlannerState.seen(self._domain, seen, (), kitchen, memory.made)
        ready = sum(1 << place for place in range(len(seen.places)) if now.product(place) != NOTHING)
        dish_number = {dish: index for index, dish in enumerate(compiled.dishes)}
        state = State(
            at=kitchen.at,
            held=kitchen.held,
            hands_busy=tuple(int(body.busy) for body in seen.bodies),
            inside=kitchen.inside,
            busy=kitchen.busy,
            ready=ready,
            orders=tuple(
                Order(dish_number[order.dish], order.left, index) for index, order in enumerate(seen.orders)
            ),
            steps=seen.step,
            turns=seen.step,
        )
        return state, Memory(kitchen.since)


# --- the networks that ship ----------------------------------------------------------------------------


def _shipped(skill: str) -> Network:
    return shipped("backburner.worlds.cuisineworld", f"data/learned/{skill}.safetensors")


def learned(world: CuisineWorld) -> LearnedDispatcher:
    """Play by the best network."""
    return LearnedDispatcher(world, _shipped("high"))


def learned_middle(world: CuisineWorld) -> LearnedDispatcher:
    """Play by a network that was trained in small iterations, stopped early."""
    return LearnedDispatcher(world, _shipped("middle"), "learned-middle")


def learned_low(world: CuisineWorld) -> LearnedDispatcher:
    """Play by a network that was trained so and had just begun to serve orders."""
    return LearnedDispatcher(world, _shipped("low"), "learned-low")


TABLE_12 = ("level_1", "level_2", "level_4")
"""The levels that Table 12 may speak of; today's second is the fourth of the older file."""


def masked_ppo(world: CuisineWorld) -> LearnedDispatcher:
    """A network that was trained on this level alone, as those of the article's Table 12.

    Raises ``Refused`` for other levels and numbers of bodies.
    """
    level = world.scenario.level
    if level not in TABLE_12 or world.scenario.bodies != 2:
        known = ", ".join(TABLE_12)
        raise Refused(f"{world.id}: masked-ppo was trained for two bodies, on {known}; learned plays all")
    network = shipped("backburner.worlds.cuisineworld", f"data/table_12/{level}.safetensors")
    return LearnedDispatcher(world, network, "masked-ppo")


def player(world: CuisineWorld, file: Path) -> LearnedDispatcher:
    """Whoever plays by the weights of a file; raises ``BadFile``, ``Refused``."""
    return LearnedDispatcher(world, read_network(file), f"weights:{file}")

"""How another scenario is played well, step by step: what prompts show to whoever has never played."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from backburner.agents.planned import greedy, oracle
from backburner.kernel.contract import World
from backburner.kernel.demonstrating import Demonstrable
from backburner.kernel.digest import digest
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.play import play
from backburner.kernel.policy import Policy
from backburner.kernel.replay import decisions_in, trajectory
from backburner.kernel.values import Seat
from backburner.worlds.robotouille import Robotouille
from backburner.worlds.robotouille.optima import known_optimum


class Demonstration(Struct, frozen=True, eq=False):
    """What a seat of ``world`` saw at each of its decisions, and what it decided; the whole ``episode``.

    There is one for equal worlds, and it equals no other.
    """

    world: World[Any, Any, Any]
    seat: Seat
    steps: tuple[tuple[Any, Any], ...]
    episode: Episode


_played: dict[str, Demonstration] = {}


async def demonstrated(
    world: World[Any, Any, Any], seat: Seat, bodies: int | None = None
) -> Demonstration | None:
    """The world's demonstration as it is played well, up to the first delivery; ``None`` if there is
    nothing to be seen.

    Equal worlds have the same. Raises what ``demonstration`` raises.
    """
    if not isinstance(world, Demonstrable):
        return None
    shown, seen_from = world.demonstration(seat, bodies)
    key = digest((shown.id, shown.scenario, shown.rules, shown.limits, seen_from))
    if key not in _played:
        _played[key] = await _play(shown, seen_from)
    return _played[key] if _played[key].steps else None


async def _play(world: World[Any, Any, Any], seat: Seat) -> Demonstration:
    episode = await play(world, _player(world))
    steps: list[tuple[Any, Any]] = []
    for state, entry, _ in trajectory(episode, world):
        decisions = decisions_in(world, entry)
        if seat in decisions:
            steps.append((world.observe(state, seat), decisions[seat]))
        if any(event.what == "delivered" for event in entry.events):
            break
    return Demonstration(world, seat, tuple(steps), episode)


def _player(world: World[Any, Any, Any]) -> Policy:
    """The oracle where its plan ships with the world, else the heuristic: nobody waits for a search."""
    known = isinstance(world, Robotouille) and known_optimum(world.id, world.rules.name)
    return oracle(world) if known else greedy(world)


def why_not(world: World[Any, Any, Any], bodies: int | None) -> str:
    """Why a world shows nothing with so many bodies; empty if it does."""
    if not isinstance(world, Demonstrable):
        return "this world names no example of play; choose demonstration=none"
    try:
        for seat in world.seats:
            world.demonstration(seat, bodies)
    except Refused as refusal:
        return str(refusal)
    return ""

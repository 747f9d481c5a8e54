"""How another scenario is played well, step by step: what prompts show to whoever has never played."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from backburner.agents.planned import demonstrator
from backburner.kernel.contract import World
from backburner.kernel.digest import digest
from backburner.kernel.errors import Refused
from backburner.kernel.examples import NO_DEMONSTRATION, Examples
from backburner.kernel.play import play
from backburner.kernel.replay import decisions_in, trajectory
from backburner.kernel.text import Text
from backburner.kernel.values import Seat


class Decided(Struct, frozen=True):
    """One decision of a demonstration, and the states before and after it."""

    state: Any
    decision: Any
    after: Any


class Demonstration(Struct, frozen=True, eq=False):
    """What a seat of ``world`` decided, up to the first delivery; what it told when it was asked is left out.

    There is one for equal worlds, and it equals no other.
    """

    world: World[Any, Any, Any]
    seat: Seat
    steps: tuple[Decided, ...]


_played: dict[str, Demonstration] = {}


async def demonstrated(
    world: World[Any, Any, Any], seat: Seat, bodies: int | None = None, single: bool = False
) -> Demonstration | None:
    """The world's demonstration as it is played well; ``None`` if there is nothing to be seen.

    Raises what ``demonstration`` raises.
    """
    if not isinstance(world, Examples):
        return None
    shown, seen_from = world.demonstration(seat, bodies, single)
    key = digest((shown.id, shown.scenario, shown.rules, shown.limits, seen_from))
    if key not in _played:
        _played[key] = await _play(shown, seen_from)
    return _played[key] if _played[key].steps else None


async def _play(world: World[Any, Any, Any], seat: Seat) -> Demonstration:
    steps: list[Decided] = []
    for state, entry, step in trajectory(await play(world, demonstrator(world)), world):
        decisions = decisions_in(world, entry)
        if seat in decisions and not _inquired(world, state, seat):
            steps.append(Decided(state, decisions[seat], step.state))
        if any(event.what == "delivered" for event in entry.events):
            break
    return Demonstration(world, seat, tuple(steps))


def _inquired(world: World[Any, Any, Any], state: Any, seat: Seat) -> bool:
    question = world.question(world.observe(state, seat)) if isinstance(world, Text) else None
    return question is not None and not question.move


def no_demonstration(world: World[Any, Any, Any], instead: str, bodies: int | None = None) -> str:
    """Why a world shows nothing (with so many bodies), and what to choose ``instead``; empty if it does."""
    if not isinstance(world, Examples):
        return f"{NO_DEMONSTRATION}; choose {instead}"
    try:
        for seat in world.seats:
            world.demonstration(seat, bodies)
    except Refused as refusal:
        return f"{refusal}; choose {instead}"
    return ""

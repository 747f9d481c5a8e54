"""What the recordings of the released CuisineWorld say of steps and states, as it goes here."""

from __future__ import annotations

from typing import Any

from backburner.kernel.values import Refusal
from backburner.worlds.cuisineworld.game.state import BAD_COMMAND, NOTHING, State
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from backburner.worlds.cuisineworld.metrics.measures import RewardMeter

EPISODE_STEPS = 60


def usual(recorded: dict[str, Any]) -> dict[str, Any]:
    """A recorded step with the fields that are left out where they have their usual value."""
    usually: dict[str, Any] = {
        "ok": [True] * len(recorded["commands"]),
        "rejected": None,
        "errors": [[] for _ in recorded["commands"]],
        "all_noop": False,
        "completed_now": [],
        "failed_now": False,
        "arrived": None,
        "game_over": False,
    }
    return usually | recorded


def replayed(
    world: CuisineWorld, before: State, after: State, recorded: dict[str, Any], meter: RewardMeter
) -> dict[str, Any]:
    """What the recording says of a step, as it went here."""
    refusals = after.feedback.refusals
    rejected = next((kind(refusal) for refusal in refusals if refusal.code in BAD_COMMAND), None)
    errors: list[list[str]] = [[] for _ in recorded["commands"]]
    for refusal in refusals if rejected is None else ():
        errors[refusal.index].append(kind(refusal))
    failed_goto = {refusal.index for refusal in refusals}
    return {
        "commands": recorded["commands"],
        "ok": [rejected is None and index not in failed_goto for index in range(len(errors))],
        "rejected": rejected,
        "errors": errors,
        "all_noop": after.feedback.idle,
        **seen(world, after),
        "completed_now": [world.compiled.dishes[dish] for dish in after.served[len(before.served) :]],
        "failed_now": after.failed > before.failed,
        "completed": len(after.served),
        "failed": after.failed,
        "arrived": dish_of(world, after) if after.arrived > before.arrived else None,
        "reward": round(meter.pay(before, after), 6),
        "game_over": before.steps == EPISODE_STEPS,
    }


def kind(refusal: Refusal) -> str:
    """The recordings' word for a refusal."""
    code = "DUPLICATE_AGENT" if refusal.code == "duplicate_agent" else refusal.code.upper()
    return f"P_{code}" if refusal.code in BAD_COMMAND else code


def dish_of(world: CuisineWorld, state: State) -> str:
    """The dish of the last order that arrived."""
    newest = max(state.orders, key=lambda order: order.number)
    return world.compiled.dishes[newest.dish]


def seen(world: CuisineWorld, state: State) -> dict[str, Any]:
    """Agents, locations and orders as the recordings write them."""
    compiled = world.compiled
    bodies = zip(state.at, state.held, state.hands_busy, strict=True)
    locations = {}
    for place, name in enumerate(compiled.places):
        content = "&".join(compiled.things[thing] for thing in state.inside[place])
        ready, always = bool(state.ready >> place & 1), bool(compiled.always_open >> place & 1)
        if content or state.busy[place] or ready:
            locations[name] = [content, state.busy[place], ready or always]
    return {
        "agents": [
            [compiled.places[at], None if held == NOTHING else compiled.things[held], busy]
            for at, held, busy in bodies
        ],
        "locations": locations,
        "orders": [[compiled.dishes[order.dish], order.left] for order in state.orders],
    }

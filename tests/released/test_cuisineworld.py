"""Recorded runs of the released CuisineWorld, replayed: states, error kinds, counts, rewards, arrivals."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from backburner.kernel.values import Refusal
from backburner.worlds.cuisineworld.game.actions import BAD_COMMAND, Commands
from backburner.worlds.cuisineworld.game.cookbook import shipped_cookbook
from backburner.worlds.cuisineworld.game.levels import levels, pace_of
from backburner.worlds.cuisineworld.game.rule_set import NO_LIMITS, RELEASED
from backburner.worlds.cuisineworld.game.scenarios import Scenario
from backburner.worlds.cuisineworld.game.state import NOTHING, State
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from backburner.worlds.cuisineworld.metrics.measures import RewardMeter

EPISODE_STEPS = 60


def read(vectors: Path) -> dict[str, Any]:
    file = vectors / "cuisineworld.json.gz"
    if not file.is_file():
        pytest.skip(f"no recorded runs of CuisineWorld: {file} is not there")
    found: dict[str, Any] = json.loads(gzip.decompress(file.read_bytes()))
    return found


def test_recorded_runs_replay_exactly(vectors: Path, record_property: Any) -> None:
    episodes = read(vectors)["episodes"]
    steps = sum(replay(episode) for episode in episodes)
    completed = sum(episode["result"]["completed"] for episode in episodes)
    assert steps > 0
    compared = f"CuisineWorld: {len(episodes)} episodes, {steps} steps, {completed} orders served, all equal"
    record_property("compared", compared)


def test_what_crashed_the_released_program_is_refused(vectors: Path) -> None:
    crashes = read(vectors)["upstream_crashes"]
    world = world_in(scenario_of("level_1", bodies=2))
    state = world.start()
    for crash in crashes:
        step = world.step(state, {"dispatcher": Commands(tuple(crash["commands"]))})
        assert step.refusals, crash
        assert (step.state.steps, step.state.at, step.state.held) == (1, state.at, state.held), crash


def replay(episode: dict[str, Any]) -> int:
    """Play an episode's commands under released rules; returns the number of steps compared."""
    world = world_in(scenario_in(episode))
    assert list(world.compiled.places) == episode["kitchen"], episode["id"]
    state = world.start()
    assert seen(world, state) == episode["initial"], episode["id"]
    meter = RewardMeter(world.compiled, world.scenario.book, state)
    arrivals = [[0, dish_of(world, state)]]
    for index, recorded in enumerate(episode["steps"]):
        where = f"{episode['id']} step {index}: {recorded['commands']}"
        after = world.step(state, {"dispatcher": Commands(tuple(recorded["commands"]))}).state
        assert replayed(world, state, after, recorded, meter) == usual(recorded), where
        if after.arrived > state.arrived:
            arrivals.append([after.steps, recorded["arrived"]])
        state = after
    assert arrivals == episode["arrivals"], episode["id"]
    numbers = world.outcome(state).numbers
    result = {"completed": numbers["completed"], "failed": numbers["failed"], "still_open": numbers["open"]}
    assert result == episode["result"], episode["id"]
    return len(episode["steps"])


def scenario_of(level: str, bodies: int) -> Scenario:
    found = levels()[level]
    pace = pace_of(found, 2.0, shipped_cookbook())
    return Scenario(level, found.dishes, found.kitchen, pace.interval, pace.lifetimes, bodies)


def scenario_in(episode: dict[str, Any]) -> Scenario:
    """The recording's scenario; our own formula gives its interval and lifetimes."""
    level = levels()[episode["level"]]
    pace = pace_of(level, episode["tau"], shipped_cookbook(), episode["beta"] or 2.5)
    assert pace.interval == episode["interval"], episode["id"]
    assert dict(zip(level.dishes, pace.lifetimes, strict=True)) == episode["lifetimes"], episode["id"]
    return Scenario(
        level.name,
        level.dishes,
        level.kitchen,
        pace.interval,
        pace.lifetimes,
        episode["num_agents"],
        seed=episode["seed"],
        most_open=episode["max_orders"],
    )


def world_in(scenario: Scenario) -> CuisineWorld:
    return CuisineWorld(f"cuisineworld/{scenario.level}", scenario, RELEASED, NO_LIMITS)


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

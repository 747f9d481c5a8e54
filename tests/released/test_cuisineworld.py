"""Recorded runs of the released CuisineWorld, replayed: states, error kinds, counts, rewards, arrivals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from backburner.worlds.cuisineworld.game.cookbook import shipped_cookbook
from backburner.worlds.cuisineworld.game.rule_set import NO_LIMITS, RELEASED
from backburner.worlds.cuisineworld.game.scenarios import Scenario, levels, pace_of
from backburner.worlds.cuisineworld.game.state import Commands
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from backburner.worlds.cuisineworld.metrics.measures import RewardMeter
from support.cuisineworld.recordings import dish_of, replayed, seen, usual
from support.recordings import Case, Compare, each, episodes_in, recorded_in

FILE = "cuisineworld.json.gz"


def test_recorded_runs_replay_exactly(vectors: Path, compare: Compare) -> None:
    compare(FILE, "steps", each(episodes_in(vectors, FILE), replay))


def test_what_crashed_the_released_program_is_refused(vectors: Path, compare: Compare) -> None:
    world = world_in(scenario_of("level_1", bodies=2))
    state = world.start()

    def check(crash: Case) -> int:
        step = world.step(state, {"dispatcher": Commands(tuple(crash["commands"]))})
        assert step.refusals, crash
        assert (step.state.steps, step.state.at, step.state.held) == (1, state.at, state.held), crash
        return 1

    compare(f"{FILE}, crashes", "steps", each(recorded_in(vectors, FILE)["upstream_crashes"], check))


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

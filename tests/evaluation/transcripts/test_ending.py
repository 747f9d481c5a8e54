"""What a person is told after a play: how good it was, and when it fell behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from backburner.evaluation.transcripts.summary import lesson
from backburner.kernel import packs, registry
from backburner.kernel.play import play_now
from backburner.kernel.policy import PlanPolicy

# The kettle boils from 0 to 4; meanwhile the teapot is washed from 1 to 2, the cup from 2 to 5. Water is
# poured from 5 to 7, the tea steeps from 7 to 10 (the agent is free from 8 on) and is poured from 10 to 13.
WASHED = ("activate kettle", "wash teapot", "wash cup")
STEEPING = (*WASHED, "pour kettle into teapot", "brew tea with teapot", "wait", "wait")
POUR = "pour teapot into cup"


def told(id: str, *plan: Any) -> tuple[str, ...]:
    episode = play_now(registry.world(id), PlanPolicy("person", plan, informed=False))
    return lesson(Path("played.jsonl"), episode, 20.0)


def test_a_best_play_is_told_to_be_one() -> None:
    assert told("timearena/household1", *STEEPING, POUR) == ("13 minutes: the proven best",)


def test_lost_time_is_told_with_its_place_and_cause() -> None:
    """Three minutes pass between steeping and pouring."""
    assert told("timearena/household1", *STEEPING, "wait", "wait", "wait", POUR) == (
        "16 minutes; 13 is the proven best",
        "lost 3 from minute 10 to 13 (waited)",
    )


def test_stretches_are_told_in_order_of_time() -> None:
    """A minute passes before the water is poured, two more when the tea has steeped."""
    late = (*WASHED, "wait", *STEEPING[3:], "wait", "wait", POUR)
    assert told("timearena/household1", *late) == (
        "16 minutes; 13 is the proven best",
        "lost 1 from minute 5 to 6 (waited), 2 from minute 11 to 13 (waited)",
    )


def test_a_play_that_was_stopped_has_no_time_to_compare() -> None:
    lines = told("timearena/household1", *WASHED, "quit")
    assert lines[0] == "not finished after 5 minutes; 13 is the proven best"


def test_where_orders_keep_coming_the_orders_served_are_compared() -> None:
    lines = told("cuisineworld/level_1", "noop_agent0 noop_agent1")
    assert lines[0] == "0 orders served; 9 is the proven best"


def test_a_world_without_an_oracle_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    world = registry.world("clocked_kitchen/level_1")
    pack = replace(packs.pack_of(world), oracle="")
    monkeypatch.setattr(packs, "pack_of", lambda world: pack)
    episode = play_now(world, {seat: PlanPolicy("person", (), informed=False) for seat in world.seats})
    assert lesson(Path("played.jsonl"), episode, 1.0) == (
        "no plan to compare with: clocked_kitchen/level_1: this world has no exact oracle yet",
    )


@pytest.mark.parametrize("rules", ("standard", "released"))
def test_a_shipped_plan_is_compared_without_a_search(rules: str) -> None:
    """Nobody looks for a plan here: 0 seconds are given."""
    world = registry.world("collab_grid/boiled_egg", rules=rules)
    episode = play_now(world, {seat: PlanPolicy("person", (), informed=False) for seat in world.seats})
    (line, *_) = lesson(Path("played.jsonl"), episode, 0.0)
    assert line.startswith("not finished after ") and "best" in line

"""Kitchens that are drawn from a seed: two rooms, a handover for every dish, the same for ever."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest

from backburner.agents.scripted import RandomPolicy
from backburner.kernel import registry
from backburner.kernel.claims import verify
from backburner.kernel.episode import read_episode, write_episode
from backburner.kernel.errors import BackburnerError
from backburner.kernel.files import Place
from backburner.kernel.play import play_now
from backburner.worlds.collab_grid.agents.cooks import GreedyCooks
from backburner.worlds.collab_grid.game import PRESETS, CollabGrid, Limits
from backburner.worlds.collab_grid.game.catalogue import kitchen, optimum_of
from backburner.worlds.collab_overcooked.game.layout import SHIPPED, Grid, shipped_layout
from backburner.worlds.collab_overcooked.game.rule_set import Limits as TalkLimits
from backburner.worlds.collab_overcooked.game.scenario_files import check_layout
from backburner.worlds.collab_overcooked.game.scenarios import Scenario
from support.collab_overcooked.kitchens import OPEN_KITCHEN, world_of


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_each_kitchen_is_two_rooms_in_which_every_dish_is_handed_over(first: int) -> None:
    for seed in range(first, first + 50):
        layout = kitchen(seed)
        check_layout(layout, Place(f"layout {seed}"))
        grid = Grid(layout)
        rooms = [set(grid.ways(start, -1)) for start in grid.starts]
        assert not rooms[0] & rooms[1]
        assert set().union(*rooms) == {cell for cell, floor in enumerate(grid.is_floor) if floor}
        ingredients, serving = (
            {cook for cook in (0, 1) if set(cells) & grid.reach[cook]}
            for cells in (grid.ingredients, grid.servings)
        )
        assert len(ingredients) == len(serving) == 1 and ingredients != serving
        assert len(grid.shared_counters) >= 2
        for reach in grid.reach:
            assert any(utensil.cell in reach for utensil in grid.utensils)
        assert len(grid.utensils) == 4 and len(grid.dishes) == 1


def test_what_a_seed_gives_never_changes() -> None:
    """Records name their kitchen in full, ids by the seed alone."""
    assert kitchen(7) == kitchen(7)
    grids = ["\n".join(kitchen(seed).grid) for seed in range(200)]
    assert len(set(grids)) == 200
    assert blake2b("\n\n".join(grids).encode(), digest_size=8).hexdigest() == "cd640f0a48f21e6b"


def test_foods_and_recipes_are_the_articles() -> None:
    ours, theirs = kitchen(3), shipped_layout(SHIPPED)
    for field in ("utensils", "ingredients", "recipes", "needs_dish", "capacity", "delivery_reward"):
        assert getattr(ours, field) == getattr(theirs, field)


def test_an_id_names_its_kitchen() -> None:
    world = registry.world("collab_grid/boiled_egg@layout=7,knows=both")
    assert world.id == "collab_grid/boiled_egg@knows=both,layout=7"
    assert world.scenario.layout == kitchen(7)
    assert world.scenario.informed == ("chef", "assistant")
    assert world.scenario.level is None and world.limits.steps == 120
    assert registry.world(f"collab_grid/boiled_egg@layout={SHIPPED}").id == "collab_grid/boiled_egg"
    assert len(registry.expand("collab_grid/all@layout=7")) == 30


@pytest.mark.parametrize("seed", ["", "-1", "07", "x", "1.5", "1000000000", "9" * 5000, "٣"])
def test_a_bad_seed_is_refused(seed: str) -> None:
    with pytest.raises(BackburnerError, match="layout"):
        registry.scenario(f"collab_grid/boiled_egg@layout={seed}")


def test_nothing_is_known_of_a_new_kitchen() -> None:
    """The published kitchen's shortest plans are no plans of it."""
    assert optimum_of("collab_grid/boiled_egg", "standard") is not None
    for options in ("layout=7", "knows=both,layout=7"):
        assert optimum_of(f"collab_grid/boiled_egg@{options}", "standard") is None


@pytest.mark.parametrize("seed", [0, 5, 11])
def test_every_level_can_be_cooked_there_and_its_record_replays(seed: int, tmp_path: Path) -> None:
    for id in registry.expand(f"collab_grid/quick@layout={seed}"):
        world = registry.world(id)
        episode = play_now(world, GreedyCooks(world))
        assert episode.ending is not None and episode.ending.numbers["completed"], id
        write_episode(episode, tmp_path / "record.jsonl")
        assert verify(read_episode(tmp_path / "record.jsonl")).verified


OWN = (
    CollabGrid("collab_grid/user/test", Scenario(("gratin",), OPEN_KITCHEN), PRESETS["standard"], Limits(60)),
    world_of("gratin", layout=OPEN_KITCHEN, limits=TalkLimits(30)),
)


@pytest.mark.parametrize("world", OWN, ids=["grid", "talk"])
def test_a_record_of_a_kitchen_of_ones_own_replays(world: Any, tmp_path: Path) -> None:
    """Its kinds of utensils do not stand in the order of the alphabet, as maps in records do."""
    for seed in range(5):
        episode = play_now(world, RandomPolicy(), seed=seed)
        write_episode(episode, tmp_path / "record.jsonl")
        assert verify(read_episode(tmp_path / "record.jsonl")).verified

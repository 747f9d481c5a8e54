"""Splits: no part of a scenario is in two of them, whatever the scenarios are built of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backburner.kernel import packs, registry
from backburner.kernel.errors import UnknownName
from backburner.training.export.dataset import held_out
from backburner.training.export.splits import Division, divide

PARTS = st.dictionaries(
    st.text("abcdef", min_size=1, max_size=3),
    st.lists(st.sampled_from([f"part {n}" for n in range(12)]), min_size=1, max_size=3),
    min_size=1,
    max_size=30,
)


def splits_of(parts: dict[str, list[str]], division: Division) -> dict[str, set[str]]:
    """Part to the splits that it is in."""
    found: dict[str, set[str]] = {}
    for id, split in division.split.items():
        for part in parts[id]:
            found.setdefault(part, set()).add(split)
    return found


@given(PARTS, st.floats(0, 0.45), st.floats(0, 0.45), st.sets(st.sampled_from(range(12)), max_size=4))
def test_no_part_is_in_two_splits(
    parts: dict[str, list[str]], validation: float, test: float, held: set[int]
) -> None:
    hold_out = [f"part {n}" for n in sorted(held)]
    division = divide(parts, validation, test, hold_out)
    assert all(len(splits) == 1 for splits in splits_of(parts, division).values())
    assert set(division.split) | set(division.mixed) == set(parts)
    assert not set(division.split) & set(division.mixed)
    together = [
        division.group[one] == division.group[other]
        for one in division.split
        for other in division.split
        if set(parts[one]) & set(parts[other])
    ]
    assert all(together)


@pytest.mark.parametrize(
    "suite",
    [
        "timearena/all",
        "recipe2plan/all",
        "robotouille/unrandomised",
        "cuisineworld/all",
        "collab_overcooked/all",
    ],
)
def test_no_part_of_a_published_suite_is_in_two_splits(suite: str) -> None:
    worlds = {id: registry.world(id, limits="none") for id in registry.expand(suite)}
    parts = {id: list(registry.parts(world)) for id, world in worlds.items()}
    division = divide(parts, 0.1, 0.1)
    assert all(len(splits) == 1 for splits in splits_of(parts, division).values())


def test_shares_are_kept_where_groups_are_small() -> None:
    # 20 scenarios that share nothing: 2 for the test, 2 for validation, the rest to train.
    parts = {f"s{n}": [f"p{n}"] for n in range(20)}
    split = list(divide(parts, 0.1, 0.1).split.values())
    assert (split.count("train"), split.count("validation"), split.count("test")) == (16, 2, 2)


def test_half_of_the_scenarios_stay_for_training() -> None:
    # Three groups of 4: one is the test, and with a second one training would have 4 of 12.
    parts = {f"s{group}{n}": [f"p{group}"] for group in range(3) for n in range(4)}
    split = list(divide(parts, 0.1, 0.1).split.values())
    assert (split.count("train"), split.count("validation"), split.count("test")) == (8, 0, 4)


def test_one_group_is_all_for_training() -> None:
    assert set(divide({"a": ["x", "y"], "b": ["y"]}, 0.1, 0.5).split.values()) == {"train"}


def test_what_has_parts_on_both_sides_is_left_out() -> None:
    parts = {"a": ["x"], "b": ["x", "y"], "c": ["y"], "d": ["z"]}
    division = divide(parts, 0, 0.1, ["x"])
    assert division.split == {"a": "test", "c": "train", "d": "train"}
    assert division.mixed == ("b",)


def test_the_order_of_scenarios_changes_no_split() -> None:
    parts = {f"s{n}": [f"p{n // 2}"] for n in range(30)}
    turned = dict(reversed(parts.items()))
    assert divide(parts, 0.2, 0.2).split == divide(turned, 0.2, 0.2).split


def test_a_part_is_held_out_by_its_name_with_or_without_the_world() -> None:
    parts = {"timearena/lab1": ["timearena: task lab1"], "timearena/lab2": ["timearena: task lab2"]}
    assert held_out(["task lab1", "timearena: task lab2"], parts) == [
        "timearena: task lab1",
        "timearena: task lab2",
    ]
    with pytest.raises(UnknownName, match="did you mean task lab"):
        held_out(["task lab3"], parts)


def test_every_world_tells_the_parts_of_its_scenarios() -> None:
    for name, pack in packs.installed().packs.items():
        if pack.parts:
            suites = registry.catalogue(name).suites()
            world = registry.world(f"{name}/{suites['quick'][0]}", limits="none")
            assert registry.parts(world) and world.id not in registry.parts(world)


def test_a_scenario_of_a_world_that_tells_no_parts_is_one_part() -> None:
    class Silent:
        id = "nowhere/x"

    assert registry.parts(Silent()) == ("nowhere/x",)  # type: ignore[arg-type]

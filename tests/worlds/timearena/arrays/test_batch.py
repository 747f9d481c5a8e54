"""Batches of TimeArena agree with the exact world in everything, step by step."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.arrays.batch import batch_of
from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.training.batches import Episodes
from backburner.training.lockstep import lockstep
from backburner.worlds.timearena.game import Limits, Rules, TimeArena
from support.timearena.play import paths, rule_sets, world_of
from support.timearena.small_tasks import Doing, doings, small_world


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["standard", "released"])
@pytest.mark.parametrize("suite", ["singles", "pairs", "triples"])
def test_every_published_set_is_played_alike(suite: str, rules: str) -> None:
    """Each second one by the menu alone, the others with any code three times in ten; and by the other rules
    the other way round."""
    best = 0.0
    for seed, id in enumerate(registry.expand(f"timearena/{suite}")):
        by_menu = (seed + (rules == "released")) % 2
        compared = lockstep(registry.world(id, rules=rules), 1, 60, 1.0 if by_menu else 0.7, seed)
        best = max(best, compared.score / max(compared.episodes, 1))
        assert bool(compared.outside) != by_menu
    assert best > 0.5


@settings(max_examples=30)
@given(paths(), rule_sets(), st.sampled_from([Limits(17), Limits(99, 2), Limits(60)]), st.integers(0, 999))
def test_any_tasks_under_any_rules_and_limits_are_played_alike(
    path: str, rules: Rules, limits: Limits, seed: int
) -> None:
    lockstep(world_of(path, rules, limits), 1, 40, 0.8, seed)


@settings(max_examples=30)
@given(st.lists(doings(), min_size=1, max_size=2), st.integers(0, 999))
def test_tasks_of_ones_own_are_played_alike(tasks: list[list[Doing]], seed: int) -> None:
    assert lockstep(small_world(*tasks, limits=Limits(minutes=20)), 2, 30, 0.8, seed).episodes


@pytest.mark.parametrize("rules", ["standard", "released"])
def test_more_works_than_fit_in_a_word_are_played_alike(rules: str) -> None:
    """Ten tasks have more than 62 works; nothing but the number of words changes."""
    world = world_of("+".join(f"cooking{n}" for n in range(1, 11)), rules, Limits(minutes=300))
    assert batch_of(world).rows(1).finished.shape[1] > 1
    assert lockstep(world, 1, 240, 0.95).episodes


def test_without_limits_play_ends_when_all_is_done() -> None:
    """Each has the whole score: everything, and time left of the article's 40 minutes."""
    compared = lockstep(world_of("cooking1"), 8, 60)
    assert compared.score / compared.episodes > 1


def test_a_row_whose_episode_is_over_stays_as_it_is() -> None:
    episodes = Episodes("timearena/household1", 2, autoreset="disabled")
    while not episodes.over[0]:
        episodes.step(episodes.masks.argmax(axis=2))  # waits
    before = [array.copy() for array in episodes.rows]
    assert episodes.cut_off.all() and (episodes.rows.minute == 40).all()
    episodes.step(episodes.masks.argmax(axis=2))
    assert all(np.array_equal(array, was) for array, was in zip(episodes.rows, before, strict=True))


def test_the_released_loop_of_second_tries_is_not_covered() -> None:
    world = world_of("cooking1", "released-reflexion")
    assert isinstance(world, TimeArena)
    with pytest.raises(Refused, match=r"timearena/cooking1: a batch does not cover the rule second_try"):
        batch_of(world)

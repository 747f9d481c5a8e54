"""Batches of Recipe2Plan agree with the exact world in everything, step by step."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.kernel import registry
from backburner.training.lockstep import lockstep
from backburner.worlds.recipe2plan.arrays import step
from backburner.worlds.recipe2plan.game import Limits, Recipe, Rules, transition
from backburner.worlds.recipe2plan.game.rule_set import LOG_RULES
from support.recipe2plan.play import BREAD, CAKE, PIE, SOUP, kitchen_of, paths, rule_sets, world_of
from support.recipe2plan.small_recipes import kitchens

LIMITS = st.sampled_from(
    [Limits(turns=60), Limits(40, same_failure=2), Limits(50, 3, 3, True), Limits(60, seconds=90)]
)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["standard", "released"])
@pytest.mark.parametrize("suite", ["constrained", "unconstrained"])
def test_every_published_pair_is_played_alike(suite: str, rules: str) -> None:
    """Each second one by the mask alone, the others with any code three times in ten; and by the other rules
    the other way round."""
    completed = 0
    for seed, id in enumerate(registry.expand(f"recipe2plan/{suite}")):
        by_mask = (seed + (rules == "released")) % 2
        compared = lockstep(registry.world(id, rules=rules), 1, 40, 1.0 if by_mask else 0.7, seed)
        completed += compared.score > 1
        assert bool(compared.outside) != by_mask
    assert completed


@settings(max_examples=30)
@given(paths(), rule_sets(), LIMITS, st.integers(0, 999))
def test_any_recipes_under_any_rules_and_limits_are_played_alike(
    path: str, rules: Rules, limits: Limits, seed: int
) -> None:
    world = world_of(path, rules, limits)
    lockstep(world, 1, 40, 0.8, seed)


@settings(max_examples=40)
@given(
    kitchens() | st.sampled_from([(SOUP, BREAD), (BREAD, PIE, CAKE), (PIE, BREAD)]),
    rule_sets(),
    LIMITS,
    st.integers(0, 999),
)
def test_shared_ovens_and_tight_lags_are_played_alike(
    recipes: tuple[Recipe, ...], rules: Rules, limits: Limits, seed: int
) -> None:
    world = kitchen_of(*recipes, rules=rules, limits=limits)
    for legal_share in (1.0, 0.5):
        lockstep(world, 1, 40, legal_share, seed)


@pytest.mark.parametrize("rules", ["standard", "released", LOG_RULES])
def test_beliefs_are_asked_for_alike(rules: str | Rules) -> None:
    world = world_of("Tacos+Smore-Bars@knowledge=beliefs", rules, "article")
    for seed in range(1, 10):
        lockstep(world, 1, 40, 0.1 * seed, seed)


@settings(max_examples=40)
@given(st.integers(0, 99_999), st.integers(0, 99_999))
def test_lengths_that_the_release_prints_alike_are_one_number(one: int, other: int) -> None:
    for a, b in ((one, other), (one // 60, other // 60), (one, one + other % 60)):
        assert (step._printed(a) == step._printed(b)) == (transition._printed(a) == transition._printed(b))

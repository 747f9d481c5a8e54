"""Gold: the best plan that is known, word for word; ``integrations/verifiers`` has it checked at large."""

from __future__ import annotations

import pytest
from msgspec import structs

from backburner.kernel.errors import Refused
from backburner.training.adversaries import gold_of, plays_alike
from backburner.training.conversation import Setting

COOKING = "timearena/cooking1"


@pytest.mark.parametrize(
    ("scenario", "share"),
    [
        (COOKING, 1.0),
        ("recipe2plan/Cobbler+Pancakes", 1.0),
        ("robotouille/asynchronous/1@seed=42", 1.0),
        ("cuisineworld/level_0@tau=1.5", 8 / 11),  # 8 orders served, 3 expired; no play serves more
    ],
)
def test_the_plans_words_have_what_the_plan_has(scenario: str, share: float) -> None:
    gold = gold_of(scenario, Setting())
    assert gold.proven and gold.share == pytest.approx(share)
    assert plays_alike(gold, scenario, Setting(method="react", reward="score"))


def test_a_plan_that_is_not_the_best_and_one_that_does_not_end_are_no_gold() -> None:
    gold = gold_of(COOKING, Setting())
    for wrong in (gold.replies[:-1], ("wait", *gold.replies), gold.replies[::-1], ()):
        assert not plays_alike(structs.replace(gold, replies=wrong), COOKING, Setting())


def test_beside_partners_gold_is_the_best_of_the_worlds_own_agents() -> None:
    setting = Setting(partners="greedy")
    gold = gold_of("collab_overcooked/baked_bell_pepper", setting)
    assert gold.share == 1.0 and not gold.proven
    assert plays_alike(gold, "collab_overcooked/baked_bell_pepper", setting)
    with pytest.raises(Refused, match="partners"):
        gold_of("collab_overcooked/baked_bell_pepper", Setting())


def test_gold_is_the_best_known_whoever_found_it() -> None:
    """In a short search the oracle serves less here than greedy, which looks ahead."""
    gold = gold_of("cuisineworld/level_3@seed=play,tau=1.0", Setting(), seconds=0.2)
    assert gold.share >= 0.5 and not gold.proven
    assert plays_alike(gold, "cuisineworld/level_3@seed=play,tau=1.0", Setting())

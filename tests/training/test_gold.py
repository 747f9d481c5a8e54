"""Gold: the best plan that is known, word for word; ``integrations/verifiers`` has it checked at large."""

from __future__ import annotations

import pytest

from backburner.kernel.errors import Refused
from backburner.training.conversation import Setting
from backburner.training.gold import Gold, gold_of, plays_alike

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
        assert not plays_alike(Gold(gold.episode, wrong, proven=True), COOKING, Setting())


def test_a_plan_for_several_seats_is_no_learners_alone() -> None:
    with pytest.raises(Refused, match="several seats"):
        gold_of("collab_overcooked/baked_bell_pepper", Setting(partners="greedy"))

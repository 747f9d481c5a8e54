"""When an episode is over: after the scenario's steps, counted by whoever plays (as released)."""

from __future__ import annotations

from backburner.worlds.cuisineworld.game.rule_set import Limits
from backburner.worlds.cuisineworld.game.scenarios import Scenario


def article_limits(scenario: Scenario) -> Limits:
    """A turn for each of the scenario's steps: 60 in the article."""
    return Limits(scenario.steps)

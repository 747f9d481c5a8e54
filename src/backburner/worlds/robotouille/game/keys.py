"""Robotouille with keys and clicks instead of words (article, Figure 10)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import msgspec

from backburner.kernel.controls import Controls
from backburner.worlds.robotouille.game.actions import Acts
from backburner.worlds.robotouille.game.domain import Domain


@cache
def shipped_controls() -> Controls:
    """The keys and clicks for the actions of the published tasks."""
    return msgspec.json.decode(
        files("backburner.worlds.robotouille").joinpath("data", "input.json").read_bytes(), type=Controls
    )


def verbs_of(domain: Domain) -> dict[str, Sequence[str]]:
    """A domain's actions with their parameters."""
    return {action.name: action.params for action in domain.actions}


def joined(decisions: Sequence[Acts]) -> Acts:
    """The actions of several robots in one step."""
    acts = tuple(act for decision in decisions for act in decision.acts)
    return Acts(acts, any(decision.finish for decision in decisions))

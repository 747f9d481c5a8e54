"""A model that knows the oracle's plan gets the oracle's score through real templates and parsers."""

from __future__ import annotations

import pytest

from backburner.agents.models import model_policy
from backburner.kernel import registry
from backburner.kernel.play import play_now
from support.models.oracle_model import OracleModel, played

PLAYED = {
    "timearena/cooking1": "oracle",
    "recipe2plan/Tacos+Vada": "oracle",
    "robotouille/synchronous/1@seed=42": "oracle",
    "collab_overcooked/boiled_egg": "oracle",
    "cuisineworld/level_0": "greedy",
}
"""A scenario of each world, and who plays it as well as can be."""


def only_when_asked_to_act(prompt: str, words: str) -> str | None:
    """Thoughts are asked for with these words, until the decision is."""
    last = prompt.rpartition("Do not decide yet")[2]
    return words if "Now decide" in last or "Do not decide yet" not in prompt else None


@pytest.mark.parametrize("method", ["act", "react@calls=apart"])
@pytest.mark.parametrize("id", PLAYED)
def test_it_plays_as_the_oracle_does(id: str, method: str) -> None:
    world = registry.world(id)
    best = played(world, PLAYED[id])
    model = OracleModel(world, best, only_when_asked_to_act)
    episode = play_now(world, model_policy(method, world, model))
    assert episode.ending == best.ending
    assert [entry.digest for entry in episode.entries] == [entry.digest for entry in best.entries]
    assert all(
        entry.usage[seat].calls == 1 + (method != "act") for entry in episode.entries for seat in entry.usage
    )

"""Every method in every world: it plays, or says why it makes no sense there; nothing said stops it."""

from __future__ import annotations

from itertools import cycle

import pytest

from backburner.agents.models import METHODS, ScriptedModel, model_policy
from backburner.agents.models.policy import first_prompt
from backburner.kernel import claims, registry
from backburner.kernel.errors import Refused
from backburner.kernel.play import play_now

SCENARIOS = {
    "timearena": "timearena/household9",
    "recipe2plan": "recipe2plan/Tacos+Vada",
    "robotouille": "robotouille/synchronous/4@seed=42",
    "collab_overcooked": "collab_overcooked/boiled_egg",
    "cuisineworld": "cuisineworld/level_0",
    "minecraft": "minecraft/level_2",
}
ONLY_IN = {
    "io": SCENARIOS.keys() - {"collab_overcooked"},
    "io-cot": SCENARIOS.keys() - {"collab_overcooked"},
    "plan-and-solve": {"recipe2plan"},
    "modulo": {"recipe2plan"},
    "formalise": {"timearena", "recipe2plan"},
    "cook": {"collab_overcooked"},
    "agile": set(),  # it asks two models, and needs a clock: test_agile has it play
}
"""Where methods make sense that do not do so everywhere."""

WORST = (
    "",
    "I would rather not.",
    "Action: " * 3000,
    "\n".join(f"{number}. wait" for number in range(5000)),
    "Reasoning: \ud800 {{ text }} </s><|im_end|>\x00\nAction: \u202ewash cup",
    '{"action": null, "plan": [[[[[[1e999]]]]]]}',
)


def saying_the_worst() -> ScriptedModel:
    answers = cycle(WORST)
    return ScriptedModel(lambda messages: next(answers))


@pytest.mark.parametrize("world", SCENARIOS)
@pytest.mark.parametrize("method", METHODS)
def test_it_plays_whatever_is_said_or_is_refused_with_a_reason(method: str, world: str) -> None:
    kitchen = registry.world(SCENARIOS[world])
    try:
        policy = model_policy(method, kitchen, saying_the_worst())
    except Refused as refusal:
        assert f"method {method!r} makes no sense in {kitchen.id}: " in str(refusal)
        assert world not in ONLY_IN[method]
        return
    assert world in ONLY_IN.get(method, SCENARIOS)
    episode = play_now(kitchen, policy, max_steps=8)
    assert episode.ending is not None and episode.ending.status in ("ended", "cut off", "stopped", "capped")
    assert claims.check(episode) == len(episode.entries)
    assert first_prompt(method, kitchen)[-1].content

"""Self-plan: two calls of preparation, then one for each decision."""

from __future__ import annotations

import pytest

from backburner.agents.models import Message, ScriptedModel, first_prompt, model_policy
from backburner.kernel import registry
from backburner.kernel.play import play_now
from backburner.kernel.values import Thought
from support.models.oracle_model import OracleModel, played

PREPARING = ("First take everything that has to be done apart", "Now make a timed plan")


def only_decisions(prompt: str, words: str) -> str | None:
    """The plan's words where a decision is asked for; thoughts as long as preparations are."""
    place = max(prompt.rfind(begun) for begun in PREPARING)
    return words if "Now carry out this plan" in prompt[place:] else None


@pytest.mark.parametrize(
    "id", ["timearena/cooking1", "recipe2plan/Vada", "robotouille/synchronous/1@seed=42"]
)
def test_a_model_that_knows_the_best_plan_gets_its_score(id: str) -> None:
    world = registry.world(id)
    best = played(world)
    episode = play_now(world, model_policy("self-plan", world, OracleModel(world, best, only_decisions)))
    assert episode.ending == best.ending
    seat = world.seats[0]
    assert [entry.usage[seat].calls for entry in episode.entries] == [3] + [1] * (len(best.entries) - 1)


def test_estimates_and_plan_are_kept_as_thoughts_and_in_the_conversation() -> None:
    """radio 0-7 in the background; newspaper 1-4 and read 4-9, quilt 9-12."""
    said = ["radio | 7 | by itself", "0-7 radio", "activate radio", "find newspaper"]
    said += ["read newspaper", "fold quilt"]
    sent: list[list[Message]] = []

    def script(messages: list[Message]) -> str:
        sent.append(list(messages))
        return said[sum(message.role == "assistant" for message in messages)]

    world = registry.world("timearena/household9")
    episode = play_now(world, model_policy("self-plan", world, ScriptedModel(script)))
    assert episode.ending is not None
    assert episode.ending.numbers == {"minutes": 12, "score": 100, "completed": 1}
    first, *others = (entry.answers["agent"].thoughts for entry in episode.entries)
    assert first == (Thought("estimates", "radio | 7 | by itself"), Thought("plan", "0-7 radio"))
    assert others == [()] * 3
    assert sent[0] == first_prompt("self-plan", world)
    assert "whole minutes, from 1 to 10" in sent[0][0].content
    assert [message.content for message in sent[-1] if message.role == "assistant"] == said[:-1]


def test_the_plan_may_be_nonsense_and_play_goes_on() -> None:
    world = registry.world("timearena/household9")
    for nonsense in ("", "\ud800" + "{{ 7 * 7 }}" * 999):
        episode = play_now(
            world, model_policy("self-plan", world, ScriptedModel(lambda messages, said=nonsense: said))
        )
        assert (episode.ending and episode.ending.reason) == "error_limit"

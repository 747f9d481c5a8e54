"""A call is counted alike through both engines, whether thoughts are told with the output or beside it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    ContentReasoning,
    ContentText,
    ModelOutput,
    ModelUsage,
    get_model,
)

from backburner.agents.models import model_policy
from backburner.agents.models.client import Completion, ModelClient
from backburner.inspect.client import InspectClient
from backburner.kernel import registry
from backburner.kernel.clock import Call, Generated, counted
from backburner.kernel.policy import Reply
from backburner.kernel.turns import turn_of

TEXT, THOUGHT = "wait", "洗碗，然后煮饭"


class Own:
    """Tells what a server of one's own told."""

    name, origin = "own", {"model": "own"}

    def __init__(self, output: int, reasoning: int) -> None:
        self._completion = Completion(
            TEXT, 30, output, 2.5, reasoning=THOUGHT, reasoning_tokens=reasoning, cached_tokens=10
        )

    async def complete(self, messages: Any, settings: Any) -> Completion:
        return self._completion

    async def aclose(self) -> None:
        """Nothing to let go of."""


def inspects(answers: dict[str, Any], output: int, reasoning: int) -> InspectClient:
    content = [ContentReasoning(reasoning=THOUGHT), ContentText(text=TEXT)]
    choice = ChatCompletionChoice(message=ChatMessageAssistant(content=content))
    made = ModelOutput(model="m", choices=[choice])
    made.usage = ModelUsage(
        input_tokens=20, input_tokens_cache_read=10, output_tokens=output, reasoning_tokens=reasoning
    )
    answers["m"] = lambda messages, config: made
    return InspectClient(get_model("fake/m", memoize=False))


def calls_of(client: ModelClient) -> tuple[Generated, ...]:
    world = registry.world("timearena/cooking1")
    turn = turn_of(world, world.start(), world.seats[0], 0, 0)
    reply: Reply = asyncio.run(model_policy("react", world, client).decide(turn, None))
    assert reply.usage is not None and reply.usage.calls == len(reply.calls)
    return reply.calls


@pytest.mark.parametrize(
    ("output", "reasoning", "charged"),
    [
        (43, 40, 43),  # thoughts are in the output
        (3, 40, 43),  # thoughts are told beside it
        (0, 40, 40),  # nothing but thoughts is told
    ],
)
def test_thoughts_cost_what_they_cost_in_both_shapes(
    answers: dict[str, Any], output: int, reasoning: int, charged: int
) -> None:
    own = calls_of(Own(output, reasoning))
    inspect = calls_of(inspects(answers, output, reasoning))
    assert len(own) == len(inspect) == 2  # react thinks, then acts
    for calls in (own, inspect):
        assert [counted(call, "told") for call in calls] == [Call(30, 10, charged, reasoning)] * 2
        # 4 bytes of text and 21 of thought are 25: 6.25 tokens
        assert [(call.said_bytes, call.thought_bytes) for call in calls] == [(4, 21)] * 2
        assert counted(calls[0], "bytes") == Call(30, 10, 7, reasoning, estimated=True)
    assert [call.seconds for call in own] == [2.5, 2.5]
    assert counted(own[0], "told", measured=True).microseconds == 2_500_000

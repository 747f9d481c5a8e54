"""A reply tells every call that it took, in order: each is charged in the thought that made it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from backburner.agents.models import ScriptedModel, model_policy
from backburner.agents.models.openai_client import OpenAIClient, Patience
from backburner.kernel import registry
from backburner.kernel.clock import counted
from backburner.kernel.policy import Reply
from backburner.kernel.turns import turn_of
from support.models.fault_server import serving


def reply_of(method: str, replies: list[str], id: str = "timearena/cooking1") -> Reply:
    world = registry.world(id)
    turn = turn_of(world, world.start(), world.seats[0], 0, 0)
    policy: Any = model_policy(method, world, ScriptedModel(replies))
    reply: Reply = asyncio.run(policy.decide(turn, None))
    return reply


@pytest.mark.parametrize(
    ("method", "id", "replies", "calls"),
    [
        ("act", "timearena/cooking1", ["wait"], 1),
        ("react", "timearena/cooking1", ["I should wait.", "wait"], 2),
        ("self-plan", "timearena/cooking1", ["short", "a plan", "wait"], 3),
        ("reasoned", "timearena/cooking1", ["wait", "Reason: none\nDecision: wait"], 2),
        ("modulo@rounds=2", "recipe2plan/Tacos+Vada", ["no plan", "nor this"] * 2, 4),
    ],
)
def test_each_call_of_a_thought_is_told_in_order(
    method: str, id: str, replies: list[str], calls: int
) -> None:
    reply = reply_of(method, replies, id)
    assert reply.usage is not None and reply.usage.calls == calls
    assert [call.usage.calls for call in reply.calls] == [1] * calls
    if not method.startswith("modulo"):  # whose messages each begin a conversation, as the script does then
        assert [call.said_bytes for call in reply.calls] == [len(text.encode()) for text in replies]


def test_words_of_a_script_are_counted_by_their_bytes() -> None:
    (call,) = reply_of("act", ["洗碗，然后煮饭"]).calls
    # 21 bytes are 5.25 tokens; the script itself counts what stands between blanks
    assert counted(call, "told").output == 6
    assert counted(call, "told").estimated


def test_thoughts_within_an_answer_are_counted_with_it() -> None:
    (call,) = reply_of("act", ["<think>hm, well</think>wait"]).calls
    assert (call.said_bytes, call.thought_bytes) == (4, 8)


def test_only_the_try_that_was_answered_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    world = registry.world("timearena/cooking1")
    turn = turn_of(world, world.start(), world.seats[0], 0, 0)

    def asked(model: str, url: str) -> Any:
        client = OpenAIClient(model, url, patience=Patience(tries=2, longest_pause_seconds=0.01))
        policy: Any = model_policy("act", world, client)
        return asyncio.run(policy.decide(turn, None))

    with serving() as server:
        again, once = asked("flaky", server.url), asked("good", server.url)
    (call,) = again.calls
    assert 0 < call.seconds < call.usage.seconds == again.usage.seconds  # a pause, and a try that failed
    assert once.calls[0].seconds == once.usage.seconds

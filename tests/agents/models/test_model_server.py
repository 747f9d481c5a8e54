"""Both methods over the real wire: llama.cpp's server with a model of two random layers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from backburner.agents.models import (
    Choices,
    Message,
    OpenAIClient,
    Settings,
    first_prompt,
    model_policy,
)
from backburner.kernel import claims
from backburner.kernel.episode import EpisodeFile, read_episode
from backburner.kernel.errors import ContextOverflow
from backburner.kernel.play import play
from backburner.kernel.registry import world
from backburner.worlds.timearena.game import Limits
from support.models import tiny_model

METHODS = ("act", "react")
ARENA = world("timearena/household9", limits=Limits(minutes=6, errors=4))


@pytest.fixture(scope="module")
def base_url(tmp_path_factory) -> Iterator[str]:
    """A running server whose model knows the words of the prompts."""
    tiny_model.require_server()
    prompts = [first_prompt(method, ARENA)[0].content for method in METHODS]
    path = tmp_path_factory.mktemp("model") / "tiny.gguf"
    tiny_model.write_tiny_model(path, prompts)
    with tiny_model.serving(path, slots=6) as server:
        yield server.url


def test_episodes_at_once_over_http(base_url, tmp_path):
    """Three episodes of each method share one client; their records hold texts, cost, and replay."""

    async def one(policy, number: int):
        path = tmp_path / f"{policy.settings['method']}-{number}.jsonl"
        with EpisodeFile(path) as file:
            await play(ARENA, policy, sink=file.write)
            file.finish()
        return read_episode(path)

    async def all_at_once():
        async with OpenAIClient("tiny", base_url) as client:
            decoding = Choices(temperature=1.0, max_tokens=10, seed=1)
            policies = [model_policy(method, ARENA, client, decoding) for method in METHODS]
            return await asyncio.gather(*(one(policy, n) for policy in policies for n in range(3)))

    for episode in asyncio.run(all_at_once()):
        calls = 2 if episode.header.agent == "react(tiny)" else 1
        assert episode.ending.status == "cut off"
        for entry in episode.entries:
            answer, usage = entry.answers["agent"], entry.usage["agent"]
            assert answer.text is not None
            assert len(answer.thoughts) == calls - 1
            assert usage.calls == calls
            assert usage.input_tokens > 100 * calls
            assert 0 < usage.output_tokens <= 10 * calls
            assert usage.seconds > 0
        assert claims.check(episode) == len(episode.entries)


def test_a_conversation_beyond_the_context_is_told_in_the_servers_words(base_url):
    async def too_long():
        async with OpenAIClient("tiny", base_url) as client:
            await client.complete([Message("user", "newspaper " * 9000)], Settings())

    with pytest.raises(ContextOverflow, match=r"the request was refused \(400\): .*context"):
        asyncio.run(too_long())

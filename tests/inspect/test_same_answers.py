"""Whatever a server answers, both ways to ask it give the same records byte for byte, but for what was spent.

The server is a real one, over HTTP; Inspect asks it through its provider for servers that speak as OpenAI's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from backburner.agents.models.client import Choices
from backburner.agents.spec import AgentSpec
from backburner.evaluation.records import records
from backburner.evaluation.running.jobs import jobs_of
from backburner.evaluation.running.runner import run
from backburner.inspect.engine import InspectEngine, client_of
from backburner.kernel import packs, registry
from backburner.kernel.chain import parted
from backburner.kernel.episode import read_episode
from backburner.kernel.wrapping import REASONING
from support.models.local_server import JsonHandler, LocalServer
from support.models.named import NamedAsInspects

pytest.importorskip("openai", reason="Inspect asks servers of one's own through it")
pytest.importorskip("aiohttp", reason="the own client needs it: pip install -e '.[models]'")

MODEL = "openai-api/local/thinker"
TOOL = {"id": "1", "type": "function", "function": {"name": "cook", "arguments": "{}"}}

ANSWERS: tuple[Mapping[str, Any], ...] = (
    {"content": "wait"},
    {"content": "<think>\nAction: wash cup\n</think>\n\nwait"},
    {"content": "<think>\n\n</think>\n\nwait"},
    {"content": "<thinking>\nAction: wash cup\n</thinking>\n\nwait"},
    {"content": "Action: wash cup\n</think>\n\nwait"},
    {"content": "<think>\na\n</think>\n\nwait\n\n<think>\nb\n</think>"},
    {"content": "<think>\na <think>b</think> c\n</think>\n\nwait"},
    {"content": "<think>\nAction: wash cup, and then", "finish_reason": "length"},
    {"content": "<think>\nonly a thought\n</think>"},
    {"content": "wait", "reasoning_content": "Action: wash cup\n"},
    {"content": "wait", "reasoning": "Action: wash cup"},
    {"content": "<think>a</think>wait", "reasoning_content": "b"},
    {"content": None, "reasoning_content": "Action: wash cup", "finish_reason": "length"},
    {"content": ""},
    {"content": None},
    {"content": "Sure! Here is my action:\n\nAction: wait"},
    {"content": "wait and wait and", "finish_reason": "length"},
    {"content": None, "tool_calls": [TOOL], "finish_reason": "tool_calls"},
    {"content": None, "refusal": "I cannot help with chores."},
    {"content": "tomätchen 🍅"},
)
SPACED_OTHERWISE: tuple[Mapping[str, Any], ...] = (
    {"content": "<think>a</think>wait"},
    {"content": "Well, <think>a</think> wait\n"},
    {"content": " <think>a</think> wait <think>b</think>\n"},
)
"""Inspect takes a thought out of its text, and how that was spaced is lost to readers of thoughts."""

USED = {
    "prompt_tokens": 20,
    "completion_tokens": 9,
    "total_tokens": 29,
    "prompt_tokens_details": {"cached_tokens": 8},
    "completion_tokens_details": {"reasoning_tokens": 5},
}


class Server(LocalServer):
    """Gives the n-th of its answers to a conversation in which it has answered n times; ``histories`` holds
    the answers that it was told again."""

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.answers = ANSWERS
        self.histories: list[str] = []


class _Handler(JsonHandler):
    server: Server

    def do_POST(self) -> None:
        asked = json.loads(self.sent())
        told = [each for each in asked["messages"] if each["role"] == "assistant"]
        self.server.histories.append(json.dumps(told))
        said = dict(self.server.answers[len(told) % len(self.server.answers)])
        ending = said.pop("finish_reason", "stop")
        choice = {"index": 0, "message": {"role": "assistant", **said}, "finish_reason": ending}
        body = {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "thinker-2026-11",
            "choices": [choice],
            "usage": USED,
        }
        self.reply(200, json.dumps(body).encode())


@pytest.fixture(scope="module", params=["standard", "released"])
def played(
    request: pytest.FixtureRequest, server: Server, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Path, Path]]:
    """The rules, and the folders of the own runner and of Inspect."""
    rules = request.param
    scenarios = [registry.expand(f"{world}/quick")[-1] for world in packs.names()]
    agent = AgentSpec("act", MODEL, server.url, decoding=Choices(max_tokens=64))
    jobs = jobs_of(scenarios, [agent], 1, rules, "article")
    if find_spec("resvg_py") is not None:
        shown = structs.replace(agent, name="react@calls=together,history=none,see=both")
        jobs += jobs_of(["collab_grid/baked_potato_slices"], [shown], 1, rules, "article")
    own, inspect = tmp_path_factory.mktemp("own"), tmp_path_factory.mktemp("inspect")
    server.histories.clear()
    server.answers = ANSWERS + (SPACED_OTHERWISE if rules == "standard" else ())
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("LOCAL_API_KEY", "no-key")
        environment.setenv("BACKBURNER_API_KEY", "no-key")
        first = run(jobs, own, client_of=NamedAsInspects, workers=1)
        second = run(jobs, inspect, client_of=client_of, engine=InspectEngine())
    assert (first.played, first.failed) == (second.played, second.failed) == (len(jobs), 0)
    yield rules, own, inspect


def lines_of(folder: Path) -> dict[str, list[str]]:
    """The lines of each record by its place, without the seconds that were spent, and without the chain,
    which tells of these."""
    return {str(path.relative_to(folder)): list(map(untimed, path.open("rb"))) for path in records(folder)}


def untimed(line: bytes) -> str:
    read = json.loads(parted(line.removesuffix(b"\n")).body)
    for usage in read.get("spent", {}).values():
        del usage["seconds"]
    return json.dumps(read)


def test_records_are_the_same(played: tuple[str, Path, Path]) -> None:
    """Tokens, endings, and what the server calls its model included."""
    _, own, inspect = played
    ours, theirs = lines_of(own), lines_of(inspect)
    assert list(ours) == list(theirs)
    assert len(ours) == len(packs.names()) + (find_spec("resvg_py") is not None)
    for name, lines in ours.items():
        assert lines == theirs[name], name


def test_what_was_spent_is_told(played: tuple[str, Path, Path]) -> None:
    for folder in played[1:]:
        endings: set[str] = set()
        for path in records(folder):
            for entry in read_episode(path).entries:
                for usage in entry.usage.values():
                    assert (usage.input_tokens, usage.output_tokens) == (20, 9)
                    assert (usage.cached_tokens, usage.reasoning_tokens) == (8, 5)
                    assert usage.servers == {"thinker-2026-11": 1}
                    endings |= usage.endings.keys()
        assert endings == {"length", "empty", "tool_calls", "refusal"}


def test_thoughts_are_kept_and_not_told_again(played: tuple[str, Path, Path], server: Server) -> None:
    rules, own, _ = played
    kept = [
        thought.text
        for path in records(own)
        for entry in read_episode(path).entries
        for answer in entry.answers.values()
        for thought in answer.thoughts
        if thought.purpose == REASONING
    ]
    told_again = any("wash cup" in history for history in server.histories)
    assert "Action: wash cup" in kept
    assert told_again == (rules == "released")

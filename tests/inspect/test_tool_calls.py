"""Native tool calls over HTTP: both engines give the same records, whatever a server makes of calls."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from backburner.agents.models.client import Choices
from backburner.agents.spec import AgentSpec
from backburner.evaluation.records import records
from backburner.evaluation.running.jobs import jobs_of
from backburner.evaluation.running.runner import run
from backburner.inspect.engine import InspectEngine, client_of
from backburner.kernel import packs, registry
from backburner.kernel.chain import parted
from backburner.kernel.episode import Episode, read_episode
from support.models.local_server import JsonHandler, LocalServer
from support.models.named import NamedAsInspects

pytest.importorskip("openai", reason="Inspect asks servers of one's own through it")
pytest.importorskip("aiohttp", reason="the own client needs it: pip install -e '.[models]'")

MODEL = "openai-api/local/caller"


def made(name: str, arguments: Any, id: str) -> Mapping[str, Any]:
    written = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"id": id, "type": "function", "function": {"name": name, "arguments": written}}


def act(answer: str, id: str = "") -> Mapping[str, Any]:
    return made("act", {"answer": answer}, id)


ANSWERS: tuple[Mapping[str, Any], ...] = (
    {"tool_calls": [made("wash", {"thing": "cup"}, "a1"), made("wait", "", "a2"), made("wait", {}, "a3")]},
    {"tool_calls": [act("wait", "b1")], "content": "I wait."},
    {"tool_calls": [made("wash", '{"thing": ', "c1")]},
    {"tool_calls": [made("fly", {"to": "Mars"}, "d1"), made("wait", {}, "d2")]},
    {"tool_calls": [made("wait", {}, "a1")], "reasoning_content": "Nothing can be done."},
    {"content": "wait"},
    {"tool_calls": [made("wash", "plate", "e1")]},
    {"tool_calls": [act("<think>no</think>wait", "f1"), act("wait", "f1")], "finish_reason": "stop"},
    {"tool_calls": [made("wait", {}, "g1")], "finish_reason": "length", "content": "cut"},
    {"content": ""},
    {"tool_calls": [made("wash", '{"thing": "cup", "thing": "tomätchen \\ud83c"}', "h1")]},
    {"tool_calls": [made("wash", '{"thing": 1e999}', "i1")]},
)
"""In parallel; words beside a call; broken JSON; no such tool; thoughts beside a call, whose id came before;
words alone; an argument that is no object; two ids that are the same; an answer that was cut; nothing; two
fields of a name, the later with half a character; a number that is too large."""

USED = {"prompt_tokens": 20, "completion_tokens": 9, "total_tokens": 29}


class Server(LocalServer):
    """Gives the n-th of its answers to a conversation in which it has answered n times."""

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.asked: list[dict[str, Any]] = []


class _Handler(JsonHandler):
    server: Server

    def do_POST(self) -> None:
        asked = json.loads(self.sent())
        self.server.asked.append(asked)
        told = sum(each["role"] == "assistant" for each in asked["messages"])
        said = {"content": None, **ANSWERS[told % len(ANSWERS)]}
        ending = said.pop("finish_reason", "tool_calls" if "tool_calls" in said else "stop")
        choice = {"index": 0, "message": {"role": "assistant", **said}, "finish_reason": ending}
        body = {"id": "1", "object": "chat.completion", "created": 1, "model": "caller", "choices": [choice]}
        self.reply(200, json.dumps({**body, "usage": USED}).encode())


AGENTS = ("calls", "calls@tools=act,notices=result,must=on,parallel=off", "calls@why=on,history=2,queue=off")


@pytest.fixture(scope="module")
def played(server: Server, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The folders of the own runner and of Inspect."""
    scenarios = [registry.expand(f"{world}/quick")[-1] for world in packs.names()]
    agents = [AgentSpec(name, MODEL, server.url, decoding=Choices(max_tokens=64)) for name in AGENTS]
    jobs = jobs_of(scenarios, agents[:1], 1, "standard", "article")
    jobs += jobs_of(["timearena/cooking1"], agents[1:], 1, "standard", "article")
    own, inspect = tmp_path_factory.mktemp("own"), tmp_path_factory.mktemp("inspect")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("LOCAL_API_KEY", "no-key")
        environment.setenv("BACKBURNER_API_KEY", "no-key")
        first = run(jobs, own, client_of=NamedAsInspects, workers=1)
        asked, server.asked = server.asked, []
        second = run(jobs, inspect, client_of=client_of, engine=InspectEngine())
        theirs, server.asked = server.asked, asked
    assert (first.played, first.failed) == (second.played, second.failed) == (len(jobs), 0)
    assert len(asked) == len(theirs)
    return own, inspect


def untimed(line: bytes) -> str:
    read = json.loads(parted(line.removesuffix(b"\n")).body)
    for usage in read.get("spent", {}).values():
        del usage["seconds"]
    return json.dumps(read)


def episode(folder: Path, agent: str = "calls(") -> Episode:
    (path,) = (p for p in records(folder) if "cooking" in p.name or "lab" in p.name if agent in str(p))
    return read_episode(path)


def test_records_are_the_same(played: tuple[Path, Path]) -> None:
    ours, theirs = (
        {str(path.relative_to(folder)): list(map(untimed, path.open("rb"))) for path in records(folder)}
        for folder in played
    )
    assert list(ours) == list(theirs) and len(ours) == len(packs.names()) + 2
    for name, lines in ours.items():
        assert lines == theirs[name], name


def test_ids_of_calls_are_in_no_record(played: tuple[Path, Path]) -> None:
    for path in records(played[0]):
        assert not any(f'"{id}"'.encode() in path.read_bytes() for id in ("a1", "d2", "f1", "call_"))


def test_what_is_asked(played: tuple[Path, Path], server: Server) -> None:
    """Fields that servers may not know are sent only where somebody wants them; ids are never told twice, and
    every call has one result before the next question."""
    plain, strict = (
        next(a for a in server.asked if ("tool_choice" in a) == wanted and len(a["messages"]) > 20)
        for wanted in (False, True)
    )
    assert not {"tool_choice", "parallel_tool_calls"} & plain.keys()
    assert (strict["tool_choice"], strict["parallel_tool_calls"]) == ("required", False)
    assert [each["function"]["name"] for each in strict["tools"]] == ["act"]
    for asked in (plain, strict):
        waiting: list[str] = []
        known: set[str] = set()
        for message in asked["messages"][1:]:
            if message["role"] == "tool":
                assert message["tool_call_id"] == waiting.pop(0)
                continue
            assert not waiting
            waiting = [call["id"] for call in message.get("tool_calls", ())]
            assert len(set(waiting)) == len(waiting) and not known & set(waiting)
            known |= set(waiting)
            assert message["content"] is None or message["content"]
    last = [message for message in strict["messages"] if message["role"] == "user"]
    assert len(last) <= 3  # the first, and after words alone

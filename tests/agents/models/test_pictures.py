"""Pictures in prompts: what is sent and counted, what a request is called, whose fault it is if none is."""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("aiohttp", reason="the own client needs it: pip install -e '.[models]'")
pytest.importorskip("resvg_py", reason="pictures need it: pip install -e '.[png]'")

from backburner.agents.models import (
    Message,
    OpenAIClient,
    ScriptedModel,
    Settings,
    first_prompt,
    model_policy,
)
from backburner.agents.models.client import RequestDigests
from backburner.agents.models.policy import policy_in_record
from backburner.agents.roster import check_spec
from backburner.agents.spec import AgentSpec
from backburner.drawing import png
from backburner.drawing.png import Picture
from backburner.evaluation.records import journal_of, records
from backburner.evaluation.running.jobs import jobs_of
from backburner.evaluation.running.runner import run
from backburner.evaluation.submissions.retelling import asked_in
from backburner.kernel import registry
from backburner.kernel.episode import read_episode
from backburner.kernel.errors import MissingExtra, NotDrawn, PolicyFailure, Refused
from backburner.kernel.play import play_now
from backburner.kernel.values import canonical_json
from support.models.local_server import JsonHandler, LocalServer, served
from support.undrawn import undraw

KITCHEN = "cuisineworld/level_3@tau=1.5"
DRAWN = Picture("<svg/>", 60, 40)


class Server(LocalServer):
    """Answers everything with nothing to do, and keeps what it was sent."""

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.requests: list[dict[str, Any]] = []


class _Handler(JsonHandler):
    server: Server

    def do_POST(self) -> None:
        self.server.requests.append(json.loads(self.sent()))
        choice = {"index": 0, "message": {"role": "assistant", "content": "wait"}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 1234, "completion_tokens": 1, "total_tokens": 1235}
        self.reply(200, json.dumps({"id": "1", "choices": [choice], "usage": usage}).encode())


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("BACKBURNER_API_KEY", "no-key")
    with served(Server()) as serving:
        yield serving


def played(server: Server, method: str, out: Path, steps: int = 0) -> Any:
    jobs = jobs_of([KITCHEN], [AgentSpec(method, "m", server.url)], 1, "standard", "article")
    return run(jobs, out, client_of=lambda endpoint: OpenAIClient("m", endpoint.base_url), workers=1)


def sent_by(method: str, decisions: int) -> list[Sequence[Message]]:
    """Every conversation that the method sends in the first decisions."""
    heard: list[Sequence[Message]] = []

    def script(messages: Sequence[Message]) -> str:
        heard.append(messages)
        return "noop agent0"

    world = registry.world(KITCHEN)
    play_now(world, model_policy(method, world, ScriptedModel(script)), max_steps=decisions)
    return heard


# --- requests ----------------------------------------------------------------------------------------------


def test_words_alone_are_written_as_ever() -> None:
    assert canonical_json(Message("user", "And now?")) == b'{"role":"user","content":"And now?"}'
    assert "see" not in model_policy("act", registry.world(KITCHEN), ScriptedModel(["wait"])).settings.get(
        "choices", {}
    )


def test_a_request_is_called_by_the_drawing_and_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "png", lambda picture: pytest.fail("made for a name"))

    def name(picture: Picture | None) -> str:
        return RequestDigests().of([Message("user", "And now?", picture)], Settings())

    others = (None, DRAWN, Picture("<svg />", 60, 40), Picture("<svg/>", 61, 40), Picture("<svg/>", 60, 41))
    assert len(set(map(name, others))) == len(others)
    assert name(DRAWN) == name(Picture("<svg/>", 60, 40))


def test_a_picture_goes_beside_the_words(server: Server, tmp_path: Path) -> None:
    summary = played(server, "act@see=both", tmp_path)
    assert (summary.played, summary.failed) == (1, 0)
    first, second = server.requests[:2]
    (message,) = first["messages"]
    words, seen = message["content"]
    (plain,) = first_prompt("act", registry.world(KITCHEN))
    assert words == {"type": "text", "text": plain.content}
    address = seen["image_url"]["url"]
    assert base64.b64decode(address.removeprefix("data:image/png;base64,")).startswith(b"\x89PNG")
    assert second["messages"][0] == message  # what was seen stays in the conversation
    assert [each["role"] for each in second["messages"]] == ["user", "assistant", "user"]
    assert second["messages"][1]["content"] == "wait"
    (path,) = records(tmp_path)
    episode = read_episode(path)
    settings = next(iter(episode.header.players.values())).settings
    assert settings["choices"] == {"see": "both", "zoom": "1"} and settings["drawing"] == 1
    asked = asked_in(path, episode, registry.world(KITCHEN))
    assert not asked.unknown and len(asked.calls) == len(server.requests)
    settings["drawing"] = 0
    with pytest.raises(Refused, match="drawn otherwise"):
        policy_in_record(settings, registry.world(KITCHEN), ScriptedModel(["wait"]))
    assert all(usage.input_tokens == 1234 for entry in episode.entries for usage in entry.usage.values())


def test_a_picture_stands_in_place_of_how_things_stand() -> None:
    (message,) = first_prompt("act@see=picture", registry.world(KITCHEN))
    assert message.picture is not None
    assert message.content.endswith("The picture shows how things stand.\n\nAccomplished:\nnone\n\nCommands:")
    assert "at(agent0" not in message.content.partition("The picture shows")[2]


def test_tokens_are_estimated_where_nobody_tells_them() -> None:
    answer = asyncio.run(ScriptedModel(["wait"]).complete([Message("user", "And now?", DRAWN)], Settings()))
    assert answer.input_tokens == 2 + 3 * 2  # 60 x 40 pixels begin 3 x 2 squares of 28


@pytest.mark.parametrize(
    ("method", "seen"),
    [
        ("react@see=both", [1, 1, 2, 2]),  # in two calls each; the second call shows nothing anew
        ("react@see=both,history=none", [1, 1, 1, 1]),
        ("react@see=both,history=last-observation-reasoning-action", [1, 1, 2, 2]),
        ("react@see=both,history=last-action", [1, 1, 1, 1]),
        ("dispatcher@see=picture", [1, 2]),
        ("dispatcher@see=picture,history=0", [1, 1]),
        ("self-plan@see=picture", [1, 1, 2, 3]),
    ],
)
def test_pictures_stay_as_long_as_the_words_beside_them(method: str, seen: list[int]) -> None:
    shown = [sum(message.picture is not None for message in sent) for sent in sent_by(method, 2)]
    assert shown == seen


# --- what is not possible ----------------------------------------------------------------------------------


def test_what_cannot_be_seen_is_refused_before_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    undraw(monkeypatch)
    jobs = jobs_of(["timearena/lab1"], [AgentSpec("act@see=picture", "m")], 1, "standard", "article")
    with pytest.raises(Refused, match="no scene to show"):
        run(jobs, tmp_path, client_of=lambda _: ScriptedModel(["wait"]))
    with pytest.raises(Refused, match="see=picture, or see=both"):
        check_spec(AgentSpec("act@zoom=2", "m"))
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingExtra, match="png"):
        check_spec(AgentSpec("act@see=picture", "m"))


def test_a_picture_that_cannot_be_made_is_no_failure_of_the_model(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(picture: Picture) -> bytes:
        raise NotDrawn("no ink")

    png.data_url.cache_clear()
    with monkeypatch.context() as patched:
        patched.setattr(png, "png", fails)
        summary = played(server, "act@see=picture", tmp_path)
    assert (summary.failed, summary.broken) == (0, 1)
    assert "no ink" in summary.errors[0]
    assert not server.requests
    assert not list(records(tmp_path))
    assert played(server, "act@see=picture", tmp_path).played == 1  # and nothing counts as lost
    (path,) = records(tmp_path)
    lost = sum(usage.lost for entry in read_episode(path).entries for usage in entry.usage.values())
    assert lost == 0


def test_a_run_that_goes_on_asks_nothing_twice(tmp_path: Path) -> None:
    """The first three answers are in the journal, found by the same pictures."""
    asked: list[str] = []

    def script(messages: Sequence[Message]) -> str:
        asked.append(RequestDigests().of(messages, Settings()))
        if len(asked) == 4:
            raise PolicyFailure("model", "gone")
        return "wait"

    jobs = jobs_of([KITCHEN], [AgentSpec("act@see=picture", "m")], 1, "standard", "article")
    assert run(jobs, tmp_path, client_of=lambda _: ScriptedModel(script, name="m")).failed == 1
    (path,) = records(tmp_path)
    kept = [json.loads(line) for line in journal_of(path).read_text().splitlines()]
    assert [line["what"] for line in kept].count("answered") == 3
    assert "svg" not in journal_of(path).read_text()
    again = run(jobs, tmp_path, client_of=lambda _: ScriptedModel(script, name="m"), retry_failed=True)
    assert (again.played, again.failed) == (1, 0)
    assert len(asked) == len(set(asked)) + 1  # the fourth, which had failed

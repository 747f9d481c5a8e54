"""The requests of both engines, as one server receives them: the same body for the same settings."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai", reason="the provider needs it: pip install -e '.[dev]'")

from inspect_ai import Task
from typer.testing import CliRunner

from backburner.agents.models import Message, OpenAIClient, Settings
from backburner.agents.models.openai_client import Patience
from backburner.agents.spec import Endpoint
from backburner.cli import app
from backburner.cli.agents import AskedOfRun
from backburner.drawing.png import Picture
from backburner.evaluation.running.calls import NO_END, Budget
from backburner.inspect.client import InspectClient
from backburner.inspect.engine import InspectEngine, model_of
from backburner.kernel.errors import Refused
from support.models.fault_server import FaultServer, serving

CONVERSATION = (
    Message("system", "You cook."),
    Message("user", "What now?"),
    Message("assistant", "wait"),
    Message("user", "And now?\n\n  Twice: \u00e9, \u4e2d, \U0001f373."),
)

SETTINGS = {
    "nothing chosen": Settings(temperature=None, max_tokens=None),
    "the usual": Settings(),
    "sampling": Settings(temperature=0.7, max_tokens=99, seed=5, top_p=0.25),
    "stop sequences": Settings(stop=("Observation:", "*/")),
    "one stop sequence": Settings(stop=("\n",)),
    "effort": Settings(temperature=None, reasoning_effort="low"),
    "what some servers know": Settings(extra_body='{"top_k":20,"chat_template_kwargs":{"thinking":false}}'),
}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultServer]:
    monkeypatch.setenv("LOCAL_API_KEY", "one-and-the-same")
    monkeypatch.setenv("BACKBURNER_API_KEY", "one-and-the-same")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving() as faulty:
        yield faulty


@pytest.mark.parametrize("which", SETTINGS)
def test_bodies_are_the_same(server: FaultServer, which: str) -> None:
    """Also the key and the type of what is sent; other headers are each library's own."""

    async def both() -> list[dict[str, str]]:
        async with OpenAIClient("good", server.url) as own:
            await own.complete(CONVERSATION, SETTINGS[which])
        headers = [server.headers]
        inspects = InspectClient(model_of(Endpoint("openai-api/local/good", server.url)))
        await inspects.complete(CONVERSATION, SETTINGS[which])
        return [*headers, server.headers]

    for headers in asyncio.run(both()):
        sent = {name.lower(): value for name, value in headers.items()}
        assert sent["authorization"] == "Bearer one-and-the-same"
        assert sent["content-type"] == "application/json"
    ours, theirs = server.requests
    assert ours == theirs


def test_pictures_are_sent_in_the_same_way(server: FaultServer) -> None:
    pytest.importorskip("resvg_py", reason="pictures need it: pip install -e '.[png]'")
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><circle r="9"/></svg>'
    seen = (*CONVERSATION[:3], Message("user", "And now?", Picture(drawing, 60, 40)))

    async def both() -> None:
        async with OpenAIClient("good", server.url) as own:
            await own.complete(seen, Settings())
        await InspectClient(model_of(Endpoint("openai-api/local/good", server.url))).complete(
            seen, Settings()
        )

    asyncio.run(both())
    ours, theirs = server.requests
    (*_, picture) = theirs["messages"][-1]["content"]
    picture["image_url"].pop("detail", None)  # which Inspect always sends, as what it is without
    assert ours == theirs


def test_the_options_of_patience_reach_inspect(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Tries, the time of one and of all, and the longest pause are what Inspect is told, budgets what our
    journals keep."""
    patience, budget = Patience(3, 7.0, 40.0, 2.5), Budget(calls=5)
    written = "mockllm/model@engine=inspect,at_once=4,tries=3,timeout=7,call_time=40,longest_pause=2.5"
    _, engine = AskedOfRun.said([written]).engine_of(budget)
    assert engine == InspectEngine(4, patience, budget)
    told: dict[str, Any] = {}

    def listening(tasks: list[Task], **options: object) -> list[object]:
        told.update(options, tasks=tasks)
        raise KeyboardInterrupt

    monkeypatch.setattr("backburner.inspect.engine.inspect_eval", listening)
    result = CliRunner().invoke(
        app,
        ["run", "timearena/lab1", "--agent", "act", "--model",
         "mockllm/model@engine=inspect,tries=3,timeout=6.5,call_time=40,longest_pause=2.5",
         "--out", str(tmp_path)],
    )  # fmt: skip
    assert result.exit_code != 0
    assert (told["max_retries"], told["attempt_timeout"], told["timeout"]) == (2, 7, 40)
    (task,) = told["tasks"]
    waited = task.model.api.retry_wait()
    assert waited is not None and waited.max == 2.5


def test_headers_are_refused_as_inspect_would_log_them() -> None:
    with pytest.raises(Refused, match="only engine=own sends headers"):
        AskedOfRun.said(["mockllm/model@engine=inspect,header=X-Team=kitchen"]).engine_of(NO_END)


def test_tries_and_the_time_of_one_mean_the_same(server: FaultServer, tmp_path: Path) -> None:
    """A server that fails for ever is asked three times by each engine, one that keeps silent twice."""
    for model, tries in (("503", 3), ("silent", 2)):
        patience = Patience(tries, 1.0, 30.0, 0.5)

        async def both(model: str = model, patience: Patience = patience) -> None:
            async with OpenAIClient(model, server.url, patience=patience) as own:
                with pytest.raises(Exception, match=r"failed|no answer"):
                    await own.complete(CONVERSATION[:2], Settings())

        asyncio.run(both())
        assert server.calls[model] == tries
        server.calls.clear()
        result = CliRunner().invoke(
            app,
            ["run", "timearena/lab1", "--agent", "act", "--model",
             f"openai-api/local/{model}@engine=inspect,base_url={server.url},tries={tries},timeout=1,"
             "longest_pause=0.5", "--out", str(tmp_path / model), "--json"],
        )  # fmt: skip
        assert '"failed": 1' in result.stdout, result.output
        assert server.calls[model] == tries

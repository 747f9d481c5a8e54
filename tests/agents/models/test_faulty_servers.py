"""Whole runs against servers that do wrong: what fails is recorded on its episode and stops no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from backburner.agents.models import OpenAIClient
from backburner.agents.models.client import ModelClient
from backburner.agents.models.openai_client import Patience
from backburner.agents.spec import AgentSpec, Endpoint
from backburner.evaluation.records import records
from backburner.evaluation.running.jobs import Job
from backburner.evaluation.running.runner import run
from backburner.kernel.claims import check
from backburner.kernel.episode import Episode, read_episode

SCENARIO = "timearena/household9"
NOBODY = "http://127.0.0.1:9/v1"
ONCE = Patience(tries=1)

FAILS = {
    "400": "the request was refused (400)",
    "403": "not allowed with this key (403)",
    "429": "rate limit or quota reached (429)",
    "500": "the server failed (500)",
    "context": "exceeds the available context size (4096 tokens)",
    "silent": "no answer within 0.5 s",
    "empty": "not a chat completion",
    "not-json": "not a chat completion",
    "web-page": "received: <html>",
    "wrong-shape": "not a chat completion",
    "no-choices": "not a chat completion",
    "null-choices": "not a chat completion",
    "200 with an error": "the server failed (500): upstream is busy",
    "drips": "no answer within 0.5 s",
}
"""What fails, by the model's name, and what the record says about it."""

PLAYS_ON = {
    "good": ("activate radio", ""),
    "limited": ("activate radio", ""),
    "flaky": ("activate radio", ""),
    "in parts": ("wait", ""),
    "endless": ("wait and " * 20, "length"),
    "nothing": ("", "empty"),
    "null": ("", "empty"),
    "reasons": ("", "length"),
    "tool-call": ("", "tool_calls"),
    "declines": ("", "refusal"),
    "filtered": ("", "content_filter"),
    "half a pair": ("wait ? and see", ""),
    "broken bytes": ("wait \ufffd\ufffd and see", ""),
}
"""What is an answer, however odd: its text, and how it ended if not of itself."""


def recorded(server, tmp_path: Path) -> dict[str, Episode]:
    """One run with an episode for each kind of server, all at once, by the model's name."""

    def client_of(endpoint: Endpoint) -> ModelClient:
        slow = endpoint.model in ("silent", "drips")
        return OpenAIClient(endpoint.model, endpoint.base_url, patience=Patience(2, 0.5 if slow else 30))

    heard = []
    models = [*FAILS, *PLAYS_ON]
    specs = [AgentSpec("act", model, server.url) for model in models]
    jobs = [Job(SCENARIO, spec, seed=0) for spec in specs]
    summary = run(jobs, tmp_path, client_of=client_of, at_once=len(jobs), progress=heard.append)
    assert (summary.played, summary.failed, summary.broken) == (len(jobs), len(FAILS), 0)
    assert not list(tmp_path.rglob("*.part-*"))
    return {done.job.agent.model: read_episode(done.path) for done in heard}


def test_every_fault_has_its_record_and_stops_no_other(server, tmp_path: Path) -> None:
    """What is tried again counts as one call of the time it took: the limited server turns the first call
    away and asks for 10 ms of patience."""
    episodes = recorded(server, tmp_path)
    for model, words in FAILS.items():
        episode = episodes[model]
        assert (episode.ending.status, episode.ending.reason) == ("failed", "model"), model
        assert words in episode.ending.error, model
        assert episode.entries == (), model
    for model, (text, ending) in PLAYS_ON.items():
        episode = episodes[model]
        assert episode.ending.status == "cut off", model
        assert check(episode) == len(episode.entries) > 0
        for entry in episode.entries:
            assert entry.answers["agent"].text == text, model
            assert entry.usage["agent"].endings == ({ending: 1} if ending else {}), model
            assert entry.usage["agent"].input_tokens == 11
    first = episodes["limited"].entries[0].usage["agent"]
    assert first.calls == 1
    assert first.seconds > 0.01
    assert server.calls["limited"] == 1 + len(episodes["limited"].entries)


HOPELESS = {
    "401": "401 at URL: the key was refused (401); set BACKBURNER_API_KEY or OPENAI_API_KEY to a valid one",
    "402": "402 at URL: the request was refused (402): status 402",
    "404": "404 at URL: no such model, or a wrong base URL, which often ends in /v1 (404): status 404",
    "no quota": "no quota at URL: the account's quota is used up (429): you have run out; it needs credit",
    "moved": "moved at URL: the server sends callers on to http://other/v1",
    "hangs-up": "hangs-up at URL: no connection (",
    "nobody": "nobody at URL: no connection (",
}
"""What no call can get over, by the model's name, and the one line that is said of it."""


@pytest.mark.parametrize("model", HOPELESS)
def test_a_run_that_cannot_succeed_stops_at_once(server, tmp_path: Path, model: str) -> None:
    """One call for each of four episodes at once, of forty; nothing is left that a later run would keep."""
    url = NOBODY if model == "nobody" else server.url
    jobs = [Job(SCENARIO, AgentSpec("act", model, url), seed) for seed in range(40)]
    clients = {"client_of": lambda endpoint: OpenAIClient(endpoint.model, endpoint.base_url, patience=ONCE)}
    summary = run(jobs, tmp_path, at_once=4, **clients)
    assert summary.stopped.startswith(HOPELESS[model].replace("at URL", f"at {url}"))
    assert (summary.played, summary.failed, summary.broken) == (0, 0, 0)
    assert server.calls[model] <= 4
    assert not list(records(tmp_path))


def test_a_server_that_fails_in_the_middle_ends_the_episode_there(server, tmp_path: Path) -> None:
    """The third call of the episode is refused; what was played before stands in the record."""

    class Quits:
        name, origin = "quits", {}

        def __init__(self, endpoint: Endpoint) -> None:
            self.here = OpenAIClient("good", server.url, patience=ONCE)
            self.gone = OpenAIClient("400", server.url, patience=ONCE)

        async def complete(self, messages, settings):
            return await (self.here if len(messages) < 5 else self.gone).complete(messages, settings)

        async def aclose(self) -> None:
            await self.here.aclose()
            await self.gone.aclose()

    done = []
    run([Job(SCENARIO, AgentSpec("act", "quits"), 0)], tmp_path, client_of=Quits, progress=done.append)
    episode = read_episode(done[0].path)
    assert (episode.ending.status, episode.ending.steps) == ("failed", 2)
    assert "the request was refused (400)" in episode.ending.error
    assert check(episode) == 2

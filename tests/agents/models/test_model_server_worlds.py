"""All five worlds over the real wire, from the command line, with a run killed and a server killed.

The model is llama.cpp's server with two random layers (``support/models/tiny_model.py``). What it says is
nonsense; what is looked at is that every word of it is asked for once, counted, recorded, and replayed.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from backburner.agents.models import Choices, OpenAIClient, first_prompt
from backburner.agents.models.openai_client import Patience
from backburner.agents.spec import AgentSpec
from backburner.cli import app
from backburner.evaluation.records import records
from backburner.evaluation.running.chains_of_jobs import Done
from backburner.evaluation.running.jobs import jobs_of
from backburner.evaluation.running.runner import run
from backburner.kernel.claims import check
from backburner.kernel.episode import read_episode
from backburner.kernel.registry import world
from support.models import tiny_model
from support.models.listening import Call, listening

SCENARIOS = (
    "timearena/household9",
    "recipe2plan/Cobbler+Pancakes",
    "robotouille/synchronous/1@seed=42",
    "collab_overcooked/baked_bell_pepper",
    "cuisineworld/level_0@tau=1.5",
)
MAX_TOKENS = 2


@dataclass
class Played:
    """What a killed run left, and what the same command made of it."""

    out: Path
    kept: dict[Path, bytes]
    calls_before: list[Call]
    calls_after: list[Call]
    summary: dict[str, int]


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    """A model that knows the words of every world."""
    tiny_model.require_server()
    path = tmp_path_factory.mktemp("model") / "tiny.gguf"
    tiny_model.write_tiny_model(path, [first_prompt("act", world(id))[0].content for id in SCENARIOS])
    return path


@pytest.fixture(scope="module")
def played(model, tmp_path_factory) -> Iterator[Played]:
    """The five scenarios at once, killed when the first two are finished, then run to the end."""
    out = tmp_path_factory.mktemp("runs")
    with (
        tiny_model.serving(model, slots=len(SCENARIOS), context=tiny_model.LONGEST) as server,
        listening(server.url) as listener,
    ):
        command = [
            sys.executable, "-m", "backburner", "run", *SCENARIOS, "--agent", "act",
            "--model", f"tiny@base_url={listener.url},max_tokens={MAX_TOKENS},temperature=1,seed=1",
            "--out", str(out), "--json",
        ]  # fmt: skip
        first = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
        while len(list(records(out))) < 2:
            assert first.poll() is None, first.stderr.read()
            time.sleep(0.01)
        os.killpg(first.pid, signal.SIGKILL)
        first.communicate()
        kept = {path: path.read_bytes() for path in records(out)}
        before = len(listener.calls)
        second = subprocess.run(command, capture_output=True, text=True)
        assert second.returncode == 0, second.stderr
        calls = listener.calls
        yield Played(out, kept, calls[:before], calls[before:], json.loads(second.stdout))


def test_a_killed_run_keeps_what_was_finished(played) -> None:
    n_kept = len(played.kept)
    assert 2 <= n_kept < len(SCENARIOS)
    assert (played.summary["kept"], played.summary["played"]) == (n_kept, len(SCENARIOS) - n_kept)
    assert (played.summary["failed"], played.summary["errors"]) == (0, [])
    assert {path: path.read_bytes() for path in played.kept} == played.kept
    assert not list(played.out.rglob("*.part-*"))
    finished = {read_episode(path).header.id for path in played.kept}
    assert not [call for call in played.calls_after if any(is_about(id, call) for id in finished)]


@pytest.mark.parametrize("id", SCENARIOS)
def test_an_episode_holds_what_the_model_said_and_what_it_cost(played, id: str) -> None:
    """Call by call: words, tokens as the server counts them, and how the answer ended.

    Of an episode that was broken off, answers of both runs are there; what was in flight at the kill was
    asked again.
    """
    (path,) = [path for path in records(played.out) if read_episode(path).header.id == id]
    episode = read_episode(path)
    calls = [call for call in (*played.calls_before, *played.calls_after) if is_about(id, call)]
    mine = list({str(call.request["messages"]): call for call in calls}.values())
    answers = [
        (entry.answers[seat].text, usage) for entry in episode.entries for seat, usage in entry.usage.items()
    ]
    assert len(answers) == len(mine) > 2
    for (text, usage), call in zip(answers, mine, strict=True):
        said, counted = call.answer["choices"][0], call.answer["usage"]
        assert text == said["message"]["content"]
        tokens = counted["prompt_tokens"], counted["completion_tokens"]
        assert (usage.input_tokens, usage.output_tokens) == tokens
        assert usage.input_tokens > 100
        assert 0 < usage.output_tokens <= MAX_TOKENS
        assert usage.calls == 1
        assert usage.seconds > 0
        assert ("length" in usage.endings) == (said["finish_reason"] == "length")
    assert len({call.request["messages"][-1]["content"] for call in mine}) > 1
    shown = CliRunner().invoke(app, ["verify", str(path)])
    assert shown.exit_code == 0, shown.output


def is_about(id: str, call: Call) -> bool:
    """Whether the call's conversation begins with what a seat of the scenario is told before play."""
    played = world(id)
    return any(played.briefing(seat) in call.first_words for seat in played.seats)


def test_what_a_dead_server_leaves_is_played_when_it_is_back(model, tmp_path: Path) -> None:
    """Two at once, and the first of them takes a third of the other's calls; when it is finished, the
    server is killed, and is back only for the next run."""
    names = ["timearena/cooking1", "robotouille/synchronous/1@seed=42", *SCENARIOS[:2]]
    jobs = jobs_of(
        names, [AgentSpec("act", "tiny", decoding=Choices(max_tokens=3))], 1, "standard", "article"
    )
    done: list[Done] = []
    with tiny_model.serving(model, slots=2, context=tiny_model.LONGEST) as server:

        def kill_it(result: Done) -> None:
            done.append(result)
            server.kill()

        def client_of(_: object) -> OpenAIClient:
            return OpenAIClient("tiny", server.url, patience=Patience(tries=1))

        summary = run(jobs, tmp_path, client_of=client_of, at_once=2, progress=kill_it)
        port = server.port
    assert [result.status for result in done] == ["cut off", *["failed"] * 3]
    assert (summary.played, summary.failed) == (4, 3)
    assert all("is the server running, and the base URL right?" in error for error in summary.errors)
    whole = done[0].path.read_bytes()
    for result in done[1:]:
        assert check(episode := read_episode(result.path)) == len(episode.entries)

    with tiny_model.serving(model, slots=2, context=tiny_model.LONGEST, port=port):
        again = run(jobs, tmp_path, client_of=client_of, at_once=2, retry_failed=True)
    assert (again.kept, again.played, again.failed) == (1, 3, 0)
    assert done[0].path.read_bytes() == whole

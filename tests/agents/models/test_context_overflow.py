"""A conversation that a model cannot read any more: what was played counts, and nothing is tried again."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from backburner.agents.models import OpenAIClient
from backburner.agents.models.answers import Fault, judged
from backburner.agents.spec import AgentSpec
from backburner.cli import app
from backburner.evaluation.running.chains_of_jobs import Done
from backburner.evaluation.running.jobs import Job
from backburner.evaluation.running.runner import run
from backburner.evaluation.scoring.failures import failures_of, failures_section
from backburner.evaluation.scoring.scores import Counting
from backburner.kernel import registry
from backburner.kernel.claims import check
from backburner.kernel.episode import CONTEXT_OVERFLOW, read_episode
from backburner.kernel.errors import ReplayMismatch

SCENARIO = "timearena/household1"

TOO_LONG = {
    "OpenAI": {
        "message": "This model's maximum context length is 8192 tokens. However, your messages resulted in"
        " 9001 tokens. Please reduce the length of the messages.",
        "type": "invalid_request_error",
        "code": "context_length_exceeded",
    },
    "OpenAI, later": {"message": "Input tokens exceed the configured limit of 272000 tokens.", "code": None},
    "vLLM": {
        "message": "This model's maximum context length is 4096 tokens. However, you requested 4999 tokens.",
        "type": "BadRequestError",
        "code": 400,
    },
    "vLLM, later": {
        "message": "The decoder prompt (length 5000) is longer than the maximum model length of 4096."
    },
    "SGLang": {"message": "The input (5000 tokens) is longer than the model's context length (4096 tokens)."},
    "llama.cpp": {
        "message": "the request exceeds the available context size, try increasing it",
        "type": "exceed_context_size_error",
        "code": 400,
    },
    "Anthropic": {"message": "prompt is too long: 210000 tokens > 200000 maximum", "code": 400},
    "Anthropic, with its cap": {
        "message": "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000"
    },
    "Google": {
        "message": "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."
    },
    "Amazon": {"message": "Input is too long for requested model."},
    "Mistral": {
        "message": "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum"
        " context length"
    },
    "xAI": {"message": "This model's maximum prompt length is 131072 but the request contains 140000."},
    "TGI": {"message": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048."},
    "LM Studio": {
        "message": "Trying to keep the first 5000 tokens when context the overflows. However, the model is"
        " loaded with context length of only 4096 tokens"
    },
}

OTHERWISE = {
    "a cap that no answer may have": "max_tokens is too large: 100000. This model supports at most 16384"
    " completion tokens",
    "a role": "roles must alternate user/assistant",
    "a rate": "Request too large for model on tokens per minute (TPM): Limit 6000, Requested 7000",
    "a word": "there is no context for this tool call",
}


@pytest.mark.parametrize("who", TOO_LONG)
@pytest.mark.parametrize("status", [200, 400, 422])
def test_every_servers_words_for_it_are_understood(who: str, status: int) -> None:
    """Also as an error within a response of status 200, whose code tells the status."""
    error = TOO_LONG[who] | ({"code": TOO_LONG[who].get("code") or 400} if status == 200 else {})
    fault = judged(status, {}, msgspec.json.encode({"error": error}), 0.0)
    assert isinstance(fault, Fault)
    assert (fault.overflow, fault.again, fault.hopeless) == (True, False, False)


@pytest.mark.parametrize("what", OTHERWISE)
def test_other_refusals_are_none(what: str) -> None:
    fault = judged(400, {}, msgspec.json.encode({"error": {"message": OTHERWISE[what]}}), 0.0)
    assert isinstance(fault, Fault) and not fault.overflow


def test_words_alone_make_none_of_a_wrong_key_or_a_rate() -> None:
    words = msgspec.json.encode({"error": {"message": "maximum context length"}})
    for status in (401, 403, 404, 429, 503):
        fault = judged(status, {}, words, 0.0)
        assert isinstance(fault, Fault) and not fault.overflow


def played(server, out: Path, answers: int, seeds: int = 1, **options: object) -> list[Done]:
    """Episodes against a server that reads so many calls of all, and no longer ones."""
    server.patience = answers
    heard: list[Done] = []
    jobs = [Job(SCENARIO, AgentSpec("act", "outgrown", server.url), seed) for seed in range(seeds)]
    summary = run(
        jobs, out, at_once=1, progress=heard.append,
        client_of=lambda endpoint: OpenAIClient(endpoint.model, endpoint.base_url), **options,
    )  # fmt: skip
    assert summary.overflowed == sum(done.overflowed for done in heard)
    return heard


def test_what_was_played_counts_and_is_not_played_again(server, tmp_path: Path) -> None:
    """Three answers, then one refusal that is not tried again; the ending quotes the server."""
    (done,) = played(server, tmp_path, 3)
    assert len(server.requests) == 4
    episode = read_episode(done.path)
    ending = episode.ending
    assert (ending.status, ending.reason, ending.steps) == ("stopped", CONTEXT_OVERFLOW, 3)
    assert "maximum context length is 4096 tokens" in ending.error and ending.overflowed
    assert check(episode) == 3
    assert not list(tmp_path.rglob("*.calls"))

    (again,) = played(server, tmp_path, 1000, retry_failed=True)
    assert (again.status, again.kept, again.overflowed) == ("kept", "stopped", True)
    assert len(server.requests) == 4

    measured = (episode, registry.scoring("timearena").measure(episode))
    assert Counting().counts(measured)
    section = failures_section({"timearena": list(failures_of([measured], lambda refusal: refusal.code))})
    assert dict(zip(section.columns, section.rows[0], strict=True))["context overflow"] == 100.0
    assert "stopped" not in section.columns


def test_where_nothing_was_played_there_is_nothing_to_count(server, tmp_path: Path) -> None:
    """A server that cannot even read the first message may be set up wrongly; the episode failed, and a
    larger context lets it be played."""
    (done,) = played(server, tmp_path, 0)
    assert len(server.requests) == 1
    assert (done.status, done.overflowed) == ("failed", False)
    assert "maximum context length is 4096 tokens" in done.error
    (again,) = played(server, tmp_path, 1000, retry_failed=True)
    assert again.status == "cut off"


def test_a_run_says_how_many_there_were(server, tmp_path: Path) -> None:
    server.patience = 3
    command = ["run", SCENARIO, "--agent", "act", "--model", f"outgrown@base_url={server.url}"]
    plain = CliRunner().invoke(app, [*command, "--out", str(tmp_path)])
    assert plain.exit_code == 0
    assert "1 ended as the conversation was longer than the model can read" in " ".join(plain.output.split())
    told = CliRunner().invoke(app, [*command, "--out", str(tmp_path), "--json"])
    assert json.loads(told.stdout)["overflowed"] == 1


def test_only_such_an_ending_and_a_failed_one_tell_an_error(server, tmp_path: Path) -> None:
    (done,) = played(server, tmp_path, 3)
    episode = read_episode(done.path)
    other = msgspec.structs.replace(episode.ending, reason="plan used up")
    with pytest.raises(ReplayMismatch, match="it tells an error"):
        check(msgspec.structs.replace(episode, ending=other))

"""One script through both engines, where thinking takes time: the same records, but for the seconds spent."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput, ModelUsage

from backburner.agents.models.client import Choices, Completion, Message, Settings
from backburner.agents.spec import AgentSpec, Endpoint
from backburner.evaluation.records import records
from backburner.evaluation.running.clocks import clocked
from backburner.evaluation.running.jobs import jobs_of
from backburner.evaluation.running.runner import run
from backburner.inspect.engine import InspectEngine, client_of
from backburner.inspect.tasks import timing_of
from backburner.kernel import claims
from backburner.kernel.clock import Profile, Timing
from backburner.kernel.episode import read_episode
from backburner.kernel.errors import BackburnerError, BadFile, Refused
from support.folders import untimed, untimed_records

SCENARIOS = ["timearena/cooking1", "collab_grid/baked_bell_pepper"]
CHOICES = Choices(max_tokens=64)
REPLIES = ["wait", "pick beef", "洗碗，然后煮饭", "stay", "wash dish"]


def spec(method: str) -> AgentSpec:
    return AgentSpec(method, "fake/fast", decoding=CHOICES)


AGENTS = [
    spec("act"),
    spec("react"),
    AgentSpec("agile", "fake/fast", seats=(("slow", Endpoint("fake/slow")),), decoding=CHOICES),
    AgentSpec("greedy@latency=30"),
]
TIMINGS = [Timing(speed="40/beat", limit="90"), Timing(profile=Profile(name="p", decode="2", first="7.5"))]


def said(name: str, number: int) -> tuple[str, int]:
    """What is said to a conversation with so many answers, and its tokens: 0 are counted by bytes."""
    return REPLIES[number % len(REPLIES)], (0 if number % 4 == 3 else 20) * (5 if name == "slow" else 1)


class Own:
    """The model as the own runner's client has it."""

    def __init__(self, name: str) -> None:
        self.name, self.origin = name, {"model": name}

    async def complete(self, messages: Sequence[Message], settings: Settings) -> Completion:
        text, tokens = said(self.name.partition("/")[2], sum(each.role == "assistant" for each in messages))
        most = settings.max_tokens or 0
        return Completion(text, 3, min(tokens, most), 0.0, "length" if tokens > most else "", server="m")

    async def aclose(self) -> None:
        """Nothing to let go of."""


def inspects(name: str) -> Callable[..., ModelOutput]:
    def answer(messages: Any, config: Any) -> ModelOutput:
        text, tokens = said(name, sum(each.role == "assistant" for each in messages))
        most = config.max_tokens
        output = ModelOutput.from_content("m", text, "max_tokens" if tokens > most else "stop")
        output.usage = ModelUsage(input_tokens=3, output_tokens=min(tokens, most))
        return output

    return answer


@pytest.fixture
def both(models: dict[str, Any]) -> None:
    models |= {name: inspects(name) for name in ("fast", "slow")}


def test_one_script_gives_the_same_records_through_both_engines(both: None, tmp_path: Path) -> None:
    jobs = clocked(jobs_of(SCENARIOS, AGENTS, 1, "standard", "article"), TIMINGS)
    assert len(jobs) == len(SCENARIOS) * (3 * len(TIMINGS) + 1)  # the script is played once
    own, inspect = tmp_path / "own", tmp_path / "inspect"
    first = run(jobs, own, client_of=lambda endpoint: Own(endpoint.model), workers=1)
    second = run(jobs, inspect, client_of=client_of, engine=InspectEngine())
    assert (first.played, first.errors) == (second.played, second.errors) == (len(jobs), ())
    ours, theirs = untimed_records(own), untimed_records(inspect)
    assert list(ours) == list(theirs)
    for name, lines in ours.items():
        assert lines == theirs[name], name
        header = json.loads(lines[0])
        assert header["format"] == 3 and "clock" in header
    silences = [
        answer.get("silent") for lines in theirs.values() for line in lines
        for answer in json.loads(line).get("answers", {}).values()
    ]  # fmt: skip
    assert silences.count(True) > 20
    for path in records(inspect):
        episode = read_episode(path)
        assert claims.check(episode) == len(episode.entries)


def test_a_task_of_inspect_takes_a_clock(
    both: None, evaluate: Callable[..., EvalLog], tmp_path: Path
) -> None:
    jobs = clocked(
        jobs_of(["timearena/cooking1"], [spec("act")], 1, "standard", "article"), [Timing(speed="8")]
    )
    run(jobs, tmp_path / "own", client_of=lambda endpoint: Own(endpoint.model), workers=1)
    (lines,) = untimed_records(tmp_path / "own").values()
    arguments = {"suite": "cooking1", "clock": "tokens", "speed": 8, "max_tokens": 64}
    log = evaluate("backburner/timearena", task_args=arguments, model="fake/fast")
    (sample,) = log.samples or ()
    assert sample.error is None
    assert [untimed(line.encode()) for line in sample.store["backburner:attempts"][-1].splitlines()] == lines
    assert sample.store["backburner:file"] == "timearena/standard@8/act(fake%2Ffast)/cooking1.seed0.jsonl"


def test_a_second_model_is_a_role(both: None, evaluate: Callable[..., EvalLog]) -> None:
    arguments = {"suite": "cooking1", "method": "agile", "speed": "8", "max_tokens": 64}
    alone = evaluate("backburner/timearena", task_args=arguments, model="fake/fast")
    assert "needs a second model: --model-role slow=" in alone.samples[0].error.message
    log = evaluate(
        "backburner/timearena", task_args=arguments, model="fake/fast", model_roles={"slow": "fake/slow"}
    )
    (sample,) = log.samples or ()
    header = json.loads(sample.store["backburner:attempts"][-1].splitlines()[0])
    assert header["players"]["agent"]["name"] == "agile(fake/fast,slow=fake/slow)"


def test_what_is_no_clock_is_told(tmp_path: Path) -> None:
    assert timing_of("", "", "") is timing_of("none", "", "") is timing_of("tokens", "inf", "") is None
    assert timing_of("", "80", "10") == Timing(speed="80", pace="10")
    assert timing_of("seconds", "", "") == Timing("seconds")
    assert timing_of('{"speed":"80","limit":"30"}', "", "") == Timing(speed="80", limit="30")
    file = tmp_path / "profile.json"
    file.write_text('{"decode": "80"}')
    assert timing_of(f"profile:{file}", "", "") == Timing(profile=Profile("profile", "80"))
    for said, kind in (
        (("minutes", "", ""), Refused),
        (("tokens", "", ""), Refused),
        (("seconds", "80", ""), Refused),
        (("tokens", "fast", ""), Refused),
        (("tokens", "20,80", ""), Refused),
        (("tokens", "80", "-1"), Refused),
        (('{"speed":', "", ""), Refused),
        (("profile:nowhere.json", "", ""), BadFile),
    ):
        with pytest.raises(BackburnerError) as told:
            timing_of(*said)
        assert isinstance(told.value, kind), said

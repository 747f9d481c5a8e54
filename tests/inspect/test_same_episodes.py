"""Both ways to play give the same records, byte for byte but for the time it took, and the same scores."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage

from backburner.agents.models.client import Choices, Completion, Message, Settings
from backburner.agents.spec import AgentSpec
from backburner.evaluation.records import records
from backburner.evaluation.running.jobs import jobs_of
from backburner.evaluation.running.runner import run
from backburner.evaluation.scoring.scores import load, score
from backburner.inspect.engine import LOGS, InspectEngine, client_of
from backburner.inspect.samples import convert
from backburner.kernel import packs, registry
from support.folders import untimed_records

SCENARIOS = [
    "timearena/cooking1",
    "timearena/cooking2",
    *(registry.expand(f"{world}/quick")[-1] for world in packs.names() if world != "timearena"),
]
REPLIES = ["wait", "Action 1", "noop", "pick up the pot", "", "goto agent0 counter0", "tomätchen 🍅"]
AGENTS = [AgentSpec("greedy"), AgentSpec("act", "fake/both", decoding=Choices(max_tokens=64))]


def reply_to(said: int) -> str:
    return REPLIES[said % len(REPLIES)]


class Own:
    """The model as the own runner's client has it."""

    name, origin = "fake/both", {"model": "fake/both"}

    async def complete(self, messages: Sequence[Message], settings: Settings) -> Completion:
        said = sum(message.role == "assistant" for message in messages)
        return Completion(
            reply_to(said), 3, 1, 0.0, "length" if said % 3 == 0 else "", cached_tokens=1, server="both"
        )

    async def aclose(self) -> None:
        """Nothing to let go of."""


def inspects(messages, config) -> ModelOutput:
    said = sum(message.role == "assistant" for message in messages)
    output = ModelOutput.from_content("both", reply_to(said), "max_tokens" if said % 3 == 0 else "stop")
    output.usage = ModelUsage(input_tokens=2, input_tokens_cache_read=1, output_tokens=1, total_tokens=4)
    return output


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, models) -> tuple[Path, Path]:
    """The folders of the own runner and of Inspect."""
    models["both"] = inspects
    jobs = jobs_of(SCENARIOS, AGENTS, 1, "standard", "article")
    own, inspect = tmp_path_factory.mktemp("own"), tmp_path_factory.mktemp("inspect")
    first = run(jobs, own, client_of=lambda endpoint: Own(), workers=1)
    second = run(jobs, inspect, client_of=client_of, engine=InspectEngine())
    assert (first.played, first.errors) == (second.played, second.errors) == (len(jobs), ())
    return own, inspect


def logs_in(folder: Path) -> list[EvalLog]:
    return [read_eval_log(each) for each in list_eval_logs(str(folder / LOGS))]


def test_records_are_the_same_byte_for_byte(played: tuple[Path, Path]) -> None:
    own, inspect = map(untimed_records, played)
    assert list(own) == list(inspect)
    assert {name.partition("/")[0] for name in own} == {name.partition("/")[0] for name in SCENARIOS}
    assert own == inspect


def test_tokens_and_endings_are_kept(played: tuple[Path, Path]) -> None:
    """What a provider's cache has read counts as read: 2 + 1 tokens."""
    lines = untimed_records(played[1])["timearena/standard/act(fake%2Fboth)/cooking1.seed0.jsonl"]
    usage = json.loads(lines[1])["spent"]["agent"]
    assert len(usage.pop("requests")) == 1
    assert usage == {
        "calls": 1,
        "input_tokens": 3,
        "output_tokens": 1,
        "endings": {"length": 1},
        "cached_tokens": 1,
        "servers": {"both": 1},
    }


def test_records_are_in_the_logs_too(played: tuple[Path, Path], tmp_path: Path) -> None:
    _, inspect = played
    for log in list_eval_logs(str(inspect / LOGS)):
        assert convert(Path(log.name.removeprefix("file://")), tmp_path).unfinished == ()
    assert {path.relative_to(tmp_path): path.read_bytes() for path in records(tmp_path)} == {
        path.relative_to(inspect): path.read_bytes() for path in records(inspect)
    }


def test_scores_are_the_same(played: tuple[Path, Path]) -> None:
    own, inspect = played
    rows = {
        (world.world, row.agent.partition("(")[0], row.group): row
        for world in score([episode for _, episode in load(own).episodes])
        for row in world.rows
    }
    compared = {"": 0, " low 95": 0, " high 95": 0}
    for log in logs_in(inspect):
        assert log.results is not None and log.eval.metadata is None
        (scores,) = log.results.scores
        found = {name: metric.value for name, metric in scores.metrics.items()}
        agent = log.plan.steps[0].params["agent"]
        for (world, player, group), row in rows.items():
            if (world, player) != (log.eval.task, agent):
                continue
            for key, estimate in row.figures.items():
                bounds = {"": estimate.value, " low 95": estimate.low, " high 95": estimate.high}
                for called, value in bounds.items():
                    assert found.get(f"{group}: {key}{called}") == value
                    compared[called] += value is not None
            assert found[f"{group}: failed"] == row.failed == 0
    assert compared[""] > 50
    assert compared[" low 95"] == compared[" high 95"] >= 6  # only TimeArena has two scenarios in a group


def test_running_again_repeats_nothing(played: tuple[Path, Path]) -> None:
    _, inspect = played
    before = untimed_records(inspect)
    lost = next(path for path in records(inspect) if "act" in str(path))
    lost.unlink()
    jobs = jobs_of(SCENARIOS, AGENTS, 1, "standard", "article")
    summary = run(jobs, inspect, client_of=client_of, engine=InspectEngine())
    assert (summary.played, summary.kept) == (1, len(jobs) - 1)
    assert untimed_records(inspect) == before

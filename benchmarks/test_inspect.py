"""What our solver costs beside Inspect itself: whole episodes through it, and as many bare calls."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai")

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageUser,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    get_model,
    modelapi,
)
from inspect_ai.solver import Generate, TaskState, solver

from backburner.agents.models.client import Message, ScriptedModel
from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.inspect.samples import samples
from backburner.inspect.tasks import play, task_of
from backburner.kernel import registry
from backburner.kernel.play import play_now

SCENARIOS, SEEDS = ["timearena/cooking1+cooking2", "timearena/lab1+lab2"], 4
REPLIES = ("wait", "pick apple", "wait", "wash pot")
ROUNDS = 5


@modelapi(name="instant")
class Instant(ModelAPI):
    """Answers at once, and goes through the same replies in every conversation."""

    async def generate(self, input, tools, tool_choice, config: GenerateConfig) -> ModelOutput:
        output = ModelOutput.from_content(self.model_name, REPLIES[_said(input) % len(REPLIES)])
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output


def _said(messages) -> int:
    return sum(message.role == "assistant" for message in messages)


class Listening(ScriptedModel):
    """Remembers the conversations that it is sent."""

    def __init__(self) -> None:
        super().__init__(REPLIES)
        self.sent: list[Sequence[Message]] = []

    async def complete(self, messages, settings):
        self.sent.append(messages)
        return await super().complete(messages, settings)


def conversations(scenario: str) -> list[Sequence[Message]]:
    """What is sent in one episode, call by call."""
    world, model = registry.world(scenario), Listening()
    play_now(world, make_policies(AgentSpec("act", "m"), world, lambda endpoint: model))
    return model.sent


@solver
def bare(sent: dict[str, list[Sequence[Message]]]):
    """The same calls and nothing else: messages are made once, as a plain chat solver does."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        model, made = get_model(), {}
        for messages in sent[state.metadata["scenario"]]:
            for each in messages:
                if each not in made:
                    kind = ChatMessageAssistant if each.role == "assistant" else ChatMessageUser
                    made[each] = kind(content=each.content)
            await model.generate([made[each] for each in messages], config=GenerateConfig(temperature=0.0))
        return state

    return solve


def seconds(task: Task, log_dir: Path) -> float:
    started = time.process_time()
    (log,) = inspect_eval(
        task, model="instant/m", display="none", log_realtime=False, score_display=False,
        log_dir=str(log_dir), max_connections=50, max_samples=50,
    )  # fmt: skip
    assert log.status == "success" and not any(sample.error for sample in log.samples or ())
    return time.process_time() - started


def test_our_solver_beside_a_bare_one(benchmark, tmp_path: Path) -> None:
    """Turn about, in processor time, the best of each: both feel the same load, and noise only adds."""
    sent = {scenario: conversations(scenario) for scenario in SCENARIOS}
    calls = SEEDS * sum(len(each) for each in sent.values())
    ids = [f"{scenario} {seed}" for scenario in SCENARIOS for seed in range(SEEDS)]
    plain = [Sample(input=id, id=id, metadata={"scenario": id.partition(" ")[0]}) for id in ids]
    ours, theirs = [], []

    def both() -> None:
        theirs.append(seconds(Task(dataset=plain, solver=bare(sent)), tmp_path))
        episodes = list(samples(SCENARIOS, SEEDS, "standard", "article"))
        ours.append(seconds(task_of("timearena", episodes, play("act")), tmp_path))

    benchmark.pedantic(both, rounds=ROUNDS, warmup_rounds=1)
    benchmark.extra_info["calls"] = calls
    benchmark.extra_info["calls/s, bare"] = round(calls / min(theirs))
    benchmark.extra_info["calls/s, ours"] = round(calls / min(ours))
    benchmark.extra_info["ratio"] = round(min(ours) / min(theirs), 3)

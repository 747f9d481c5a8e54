"""The class as TRL uses it: which tools it sees, what it resets with, what it is paid."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset
from transformers.utils import get_json_schema
from trl import GRPOConfig, GRPOTrainer

import backburner
from backburner.kernel import packs, registry
from backburner.training.adversaries import Tools, earnings, gamed
from backburner.training.conversation import Conversation, Setting
from backburner.training.trl import BY_TOOL, WorldEnvironment, rows, with_tools

COOKING = "timearena/cooking1"

SCENARIOS = (COOKING, "cuisineworld/level_0@tau=1.5")


def test_it_is_the_wheel_that_is_tried() -> None:
    assert Path(backburner.__file__).is_relative_to(sys.prefix)


def test_the_tools_schema_says_what_a_reply_is() -> None:
    function = get_json_schema(WorldEnvironment().act)["function"]
    assert function["name"] == "act"
    assert function["description"].startswith("Reply to the world: carry out your next decision")
    text = {
        "type": "string",
        "description": "Your decision, written in the form that the instructions ask for.",
    }
    assert function["parameters"] == {"type": "object", "properties": {"text": text}, "required": ["text"]}


@pytest.mark.parametrize("world", packs.names())
def test_the_schema_of_each_tool_of_a_world_is_the_worlds(world: str) -> None:
    scenario = registry.expand(f"{world}/quick")[0]
    several = len(registry.world(scenario).seats) > 1
    setting = Setting(method="calls", partners="greedy" if several else "")
    environment = with_tools(scenario, setting)()
    for offered in (each["function"] for each in Conversation(scenario, 0, setting).tools):
        made = get_json_schema(getattr(environment, offered["name"]))["function"]
        assert made["description"].split() == offered["description"].split()
        wanted, found = (each["parameters"]["properties"] for each in (offered, made))
        assert list(found) == list(wanted)
        for name, schema in wanted.items():
            assert (found[name]["type"] in schema["type"]) and found[name].get("enum") == schema.get("enum")
            assert found[name]["description"].split() == schema["description"].split()
            assert ("nullable" in found[name]) == ("null" in schema["type"])


@pytest.mark.parametrize("reward", ["metric", "potential"])
def test_who_calls_no_tool_or_floods_it_earns_less_than_who_plays(reward: str) -> None:
    assert not gamed(earnings(Tools("robotouille/synchronous/1@seed=42", Setting(reward=reward))))


class Watched(WorldEnvironment):
    """Notes what the trainer does with each instance."""

    log: list[tuple[str, Any]] = []  # noqa: RUF012

    def reset(self, scenario: str = "", seed: int = 0, **row: Any) -> str:
        told = super().reset(scenario, seed, **row)
        self.log.append(("reset", (scenario, seed, told)))
        return told

    def act(self, text: str) -> str:
        """
        Reply.

        Args:
            text: The decision.
        """
        told = super().act(text)
        self.log.append(("act", (text, told)))
        return told

    def get_reward(self) -> float:
        reward = super().get_reward()
        self.log.append(("reward", reward))
        return reward


def trainer(
    model: Any,
    tokenizer: Any,
    folder: Path,
    scenarios: tuple[str, ...] = SCENARIOS,
    factory: Any = None,
    **settings: Any,
) -> GRPOTrainer:
    """Two steps of eight rollouts, four of each row."""
    chosen = {"max_steps": 2, "max_completion_length": 48, "max_tool_calling_iterations": 3, **settings}
    config = GRPOConfig(
        output_dir=str(folder),
        per_device_train_batch_size=8,
        num_generations=4,
        logging_steps=1,
        report_to=[],
        use_cpu=True,
        bf16=False,
        save_strategy="no",
        **chosen,
    )
    return GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        train_dataset=Dataset.from_list(rows(scenarios, seeds=(3, 4))),
        environment_factory=factory or partial(Watched, Setting(reward="metric")),
        args=config,
    )


def test_a_trainer_resets_with_rows_and_pays_with_the_environments_reward(
    model: Any, tokenizer: Any, tmp_path: Path
) -> None:
    Watched.log.clear()
    made = trainer(model, tokenizer, tmp_path)
    assert [tool.__name__ for tool in made.tools] == ["act"]
    made.train()
    resets = [noted for what, noted in Watched.log if what == "reset"]
    assert len(resets) == 16 and {seed for _, seed, _ in resets} == {3, 4}
    for group in range(0, 16, 4):
        assert len({(scenario, seed) for scenario, seed, _ in resets[group : group + 4]}) == 1
    for scenario, seed, told in resets:
        assert told == f"{Conversation(scenario, seed).told.text}\n\n{BY_TOOL}"
    steps = [logged for logged in made.state.log_history if "reward" in logged]
    assert [step["rewards/Watched/mean"] for step in steps] == [0.0, 0.0]


def test_tool_calls_are_played_and_answered(
    model: Any, tokenizer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a trained model would write, put in place of what a random one does."""
    call = '<tool_call>\n{"name": "act", "arguments": {"text": "pick beef"}}\n</tool_call><|im_end|>'
    written = tokenizer(call, add_special_tokens=False)["input_ids"]

    def write(prompts: Any, *others: Any, **named: Any) -> tuple[Any, Any]:
        return [list(written) for _ in prompts], None

    Watched.log.clear()
    made = trainer(model, tokenizer, tmp_path, (COOKING,), max_steps=1, max_completion_length=2048)
    monkeypatch.setattr(made, "_generate_single_turn", write)
    made.train()
    acts = [noted for what, noted in Watched.log if what == "act"]
    assert {text for text, _ in acts} == {"pick beef"} and len(acts) == 8 * 3
    begun = [told.startswith("You begin to pick beef") for _, told in acts]
    assert begun.count(True) == 8 and begun.count(False) == 16  # what is picked cannot be picked again
    (step,) = [logged for logged in made.state.log_history if "reward" in logged]
    assert step["tools/failure_frequency"] == 0.0
    assert step["rewards/Watched/mean"] == pytest.approx(0.08)  # "pick beef" is 8 % of the work


def test_calls_of_a_worlds_own_tools_are_played(
    model: Any, tokenizer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beef is picked, and cannot be picked again: as by words, that is 8 % of the work."""
    call = '<tool_call>\n{"name": "pick", "arguments": {"thing": "beef"}}\n</tool_call><|im_end|>'
    written = tokenizer(call, add_special_tokens=False)["input_ids"]
    monkeypatch.setenv("TRL_EXPERIMENTAL_SILENCE", "1")
    factory = with_tools(COOKING, Setting(method="calls"))
    made = trainer(model, tokenizer, tmp_path, (COOKING,), factory, max_steps=1, max_completion_length=4096)
    tools = {tool.__name__ for tool in made.tools}
    assert {"pick", "wait", "wash"} <= tools and "act" not in tools
    monkeypatch.setattr(
        made, "_generate_single_turn", lambda prompts, *_, **__: ([list(written) for _ in prompts], None)
    )
    made.train()
    (step,) = [logged for logged in made.state.log_history if "reward" in logged]
    assert step["tools/failure_frequency"] == 0.0
    assert step[f"rewards/{COOKING}/mean"] == pytest.approx(0.08)

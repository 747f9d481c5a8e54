"""The page on language models says what is true: its Python runs, with stand-ins for others' packages."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from backburner.training.conversation import Conversation
from backburner.training.trl import WorldEnvironment

PAGE = Path(__file__).resolve().parents[2] / "docs" / "language-model-training.md"
COOKING = "timearena/cooking1"
BEST = (
    *("pick beef", "pick rice", "chop beef", "fry beef in fryer"),
    *("cook rice in pot", "wash dish", "add beef to dish", "add rice to dish"),
)
"""The proven plan of the scenario, of 16 minutes."""


def block(heading: str) -> str:
    """The first fenced Python of a section."""
    section = PAGE.read_text().split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    found = re.search(r"^```python\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    assert found is not None, heading
    return found[1]


@pytest.fixture
def stand_ins(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Puts modules of other people's in place, by dotted name, with what is asked of them."""

    def put(**modules: dict[str, Any]) -> None:
        for name, attributes in modules.items():
            dotted = name.replace("__", ".")
            for end in (at for at, sign in enumerate(f"{dotted}.") if sign == "."):
                monkeypatch.setitem(sys.modules, dotted[:end], ModuleType(dotted[:end]))
            for attribute, value in attributes.items():
                setattr(sys.modules[dotted], attribute, value)

    yield put


def run(heading: str) -> dict[str, Any]:
    """The names that a section's Python leaves."""
    names: dict[str, Any] = {"__name__": "recipe"}
    exec(compile(block(heading), PAGE.name, "exec"), names)  # noqa: S102  our own page
    return names


def test_the_conversation_is_played(capsys: pytest.CaptureFixture[str]) -> None:
    names = run("The conversation")
    told = capsys.readouterr().out
    assert "Your action?" in told and "beef is picked." in told
    assert names["told"].numbers["score"] > 0


class BaseTextEnv:
    """SkyRL's base class, as far as environments see it."""

    def __init__(self) -> None:
        self.turns, self.max_turns = 0, 1


def test_the_recipe_for_skyrl_plays_the_conversation(stand_ins: Any) -> None:
    stand_ins(skyrl_gym__envs__base_text_env={"BaseTextEnv": BaseTextEnv, "BaseTextEnvStepOutput": dict})
    env = run("SkyRL")["SkyRLWorld"](env_config={}, extras={"scenario": COOKING, "seed": "0"})
    prompt, _ = env.init([])
    assert prompt == Conversation(COOKING).told.chat and prompt[0]["role"] == "user"
    steps = [env.step(reply) for reply in BEST]
    assert [step["done"] for step in steps] == [False] * 7 + [True]
    assert [step["reward"] for step in steps] == [0.0] * 7 + [1.0]
    assert steps[0]["observations"][0]["content"].startswith("You begin to pick beef")
    assert steps[-1]["observations"] == [] and steps[-1]["metadata"]["completed"] == 1


class Trajectory:
    """ART's trajectory: messages of ours and choices of a server in one list."""

    def __init__(self, messages_and_choices: list[Any], reward: float) -> None:
        self.messages_and_choices, self.reward = messages_and_choices, reward
        self.metrics: dict[str, float] = {}

    def messages(self) -> list[dict[str, str]]:
        return [
            each if isinstance(each, dict) else {"role": "assistant", "content": each.message.content or ""}
            for each in self.messages_and_choices
        ]


class Model:
    """ART's model, whose client replies with the best plan."""

    def __init__(self) -> None:
        self.asked: list[list[dict[str, str]]] = []
        completions = SimpleNamespace(create=self._create)
        self._client = SimpleNamespace(chat=SimpleNamespace(completions=completions))

    def openai_client(self) -> SimpleNamespace:
        return self._client

    def get_inference_name(self) -> str:
        return "mine"

    async def _create(self, model: str, messages: list[dict[str, str]]) -> SimpleNamespace:
        assert model == "mine"
        self.asked.append(messages)
        message = SimpleNamespace(content=BEST[len(self.asked) - 1])
        return SimpleNamespace(choices=[SimpleNamespace(message=message)])


def test_the_recipe_for_art_plays_the_conversation(stand_ins: Any) -> None:
    stand_ins(art={"Trajectory": Trajectory})
    model = Model()
    trajectory = asyncio.run(run("ART")["rollout"](model, COOKING, 0))
    assert trajectory.reward == 1.0 and trajectory.metrics["minutes"] == 16
    conversation = Conversation(COOKING)
    for asked, reply in zip(model.asked, BEST, strict=True):
        assert asked == conversation.chat
        conversation.reply(reply)


class MessageEnv:
    """tinker's base class, as far as environments see it."""


def text_in(message: dict[str, Any]) -> str:
    """Of parts, those that are text."""
    content = message["content"]
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in content if part["type"] == "text")


def test_the_recipe_for_tinker_plays_the_conversation(stand_ins: Any) -> None:
    stand_ins(
        tinker_cookbook__renderers={"get_text_content": text_in},
        tinker_cookbook__rl__message_env={"MessageEnv": MessageEnv, "MessageStepResult": SimpleNamespace},
    )
    env = run("tinker")["TinkerWorld"](COOKING, 0)
    first = asyncio.run(env.initial_observation())
    thought = {"type": "thinking", "thinking": "hm"}
    steps = [
        asyncio.run(env.step({"role": "assistant", "content": [thought, {"type": "text", "text": reply}]}))
        for reply in BEST
    ]
    assert sum(step.reward for step in steps) == 1.0
    assert [step.episode_done for step in steps] == [False] * 7 + [True]
    assert steps[0].next_messages[: len(first)] == first and len(steps[0].next_messages) == 3
    assert steps[0].next_messages[1] == {"role": "assistant", "content": "pick beef"}


def test_the_recipe_for_trl_plays_the_conversation(stand_ins: Any) -> None:
    """That a trainer plays with such a class, ``integrations/trl`` tries."""
    made: list[dict[str, Any]] = []

    def trainer(**settings: Any) -> SimpleNamespace:
        made.append(settings)
        return SimpleNamespace(train=lambda: None)

    data = SimpleNamespace(from_list=list)
    stand_ins(trl={"GRPOConfig": SimpleNamespace, "GRPOTrainer": trainer}, datasets={"Dataset": data})
    # The block's first lines import ours as well, which are no stand-ins.
    run("TRL")
    (settings,) = made
    assert len(settings["train_dataset"]) == 80
    environment = settings["environment_factory"]()
    assert isinstance(environment, WorldEnvironment)
    environment.reset(**settings["train_dataset"][0])
    for reply in BEST:
        environment.act(reply)
    assert environment.get_reward() == 1.0


def test_every_option_of_the_taskset_that_the_page_names_is_there() -> None:
    """``integrations/verifiers`` runs the first of its commands."""
    page = PAGE.read_text()
    fields = set(re.findall(r"--env\.taskset\.(?:task\.)?(\w+)", page)) - {"task"}
    source = (PAGE.parents[1] / "src/backburner/training/verifiers.py").read_text()
    assert fields and all(f"    {field}: " in source for field in fields)

"""A provider of Inspect that answers by a script, and evaluations that leave nothing but their log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai", reason="the adapter to Inspect needs it: pip install -e '.[inspect]'")

from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, ModelUsage, modelapi

from support.models.local_server import LocalServer, served

Answer = Callable[[list[ChatMessage], GenerateConfig], ModelOutput | str]


ANSWERS: dict[str, Answer] = {}


@modelapi(name="fake")
class Fake(ModelAPI):
    """``fake/NAME`` answers with what ``ANSWERS[NAME]`` makes of a conversation."""

    async def generate(self, input, tools, tool_choice, config) -> ModelOutput:  # type: ignore[no-untyped-def]
        said = ANSWERS[self.model_name](input, config)
        if isinstance(said, str):
            said = ModelOutput.from_content(self.model_name, said)
            said.usage = ModelUsage(input_tokens=3, output_tokens=1, total_tokens=4)
        return said


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest) -> Iterator[LocalServer]:
    """The ``Server`` of the tests' module."""
    with served(request.module.Server()) as serving:
        yield serving


@pytest.fixture(scope="session")
def models() -> dict[str, Answer]:
    """The answers of models by name."""
    return ANSWERS


@pytest.fixture
def answers(models: dict[str, Answer]) -> dict[str, Answer]:
    """The same, where ``m`` says one thing for ever."""
    models["m"] = lambda messages, config: "wait"
    return models


@pytest.fixture
def evaluate(tmp_path: Path) -> Callable[..., EvalLog]:
    def evaluated(task: object, **options: object) -> EvalLog:
        usual = {
            "display": "none",
            "log_dir": str(tmp_path / "logs"),
            "log_realtime": False,
            "model": "fake/m",
        }
        (log,) = inspect_eval(task, **{**usual, **options})  # type: ignore[arg-type]
        return log

    return evaluated

"""The scripted stand-in for a model."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from backburner.agents.models import Completion, Message, ScriptedModel, Settings, model_policy
from backburner.kernel.errors import BadFile, PolicyFailure
from backburner.kernel.play import play_now
from backburner.kernel.registry import world


def converse(model: ScriptedModel, n_calls: int) -> list[str]:
    """The answers to "go on", said ``n_calls`` times in one conversation."""
    messages: list[Message] = []
    for _ in range(n_calls):
        messages.append(Message("user", "go on"))
        answer = asyncio.run(model.complete(messages, Settings()))
        messages.append(Message("assistant", answer.text))
    return [message.content for message in messages if message.role == "assistant"]


def test_each_conversation_goes_through_the_list_from_its_beginning():
    model = ScriptedModel(["a", "b", "c"])
    assert converse(model, 4) == ["a", "b", "c", "a"]
    assert converse(model, 2) == ["a", "b"]


def test_a_list_may_come_to_its_end():
    model = ScriptedModel(["a", "b"], then="fail")
    assert converse(model, 2) == ["a", "b"]
    with pytest.raises(PolicyFailure, match="the script ends after 2 replies"):
        converse(model, 3)


def test_a_function_answers_what_it_reads():
    model = ScriptedModel(lambda messages: messages[-1].content.upper())
    assert converse(model, 1) == ["GO ON"]


def test_a_call_can_be_made_to_fail():
    model = ScriptedModel(["a"], fail_at_call=3)
    assert converse(model, 2) == ["a", "a"]
    with pytest.raises(PolicyFailure, match="call 3 fails, as scripted") as caught:
        converse(model, 3)
    assert caught.value.boundary == "model"


def test_tokens_are_runs_without_a_blank_and_seconds_the_latency():
    """Input: "say it" (2) + "so?" (1) + "yes, do" (2); output: "wash the  cup" (3)."""
    messages = [Message("user", "say it"), Message("assistant", "so?"), Message("user", "yes, do")]
    model = ScriptedModel(["x", "wash the  cup"], latency_seconds=0.001)
    assert asyncio.run(model.complete(messages, Settings())) == Completion("wash the  cup", 5, 3, 0.001)


def test_a_file_holds_one_reply_in_each_line(tmp_path):
    path = tmp_path / "replies.txt"
    path.write_text("wash cup\n\nöffne die Tür\n", encoding="utf-8")
    assert converse(ScriptedModel.from_file(path), 4) == ["wash cup", "", "öffne die Tür", "wash cup"]
    assert ScriptedModel.from_file(path).origin == ScriptedModel(["wash cup", "", "öffne die Tür"]).origin


@pytest.mark.parametrize(
    ("content", "why"), [(b"", "this file is empty"), (b"\xff\xfe", "not UTF-8"), (None, "No such file")]
)
def test_a_file_that_is_no_script_is_named(tmp_path, content, why):
    path = tmp_path / "replies.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadFile, match=rf"replies\.txt: .*{why}"):
        ScriptedModel.from_file(path)


def test_a_script_without_replies_is_a_mistake():
    with pytest.raises(ValueError, match="at least one reply"):
        ScriptedModel([])


def test_the_example_script_cooks_one_dish_as_fast_as_can_be():
    """Thoughts and actions take turns in it, so it is one for ReAct; 16 minutes are the proven optimum."""
    kitchen = world("timearena/cooking1")
    model = ScriptedModel.from_file(Path(__file__).parents[3] / "examples" / "fried-rice.txt")
    episode = play_now(kitchen, model_policy("react", kitchen, model))
    assert episode.ending.numbers == {"completed": 1, "minutes": 16, "score": 100}
    assert [entry.answers["agent"].thoughts[0].purpose for entry in episode.entries] == ["think"] * 8

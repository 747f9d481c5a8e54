"""Inspect's models as ours: what is asked, how answers end, what counts as a failure."""

from __future__ import annotations

import asyncio

import pytest
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    ModelOutput,
    ModelUsage,
    get_model,
)
from tenacity import wait_none

from backburner.agents.models.client import Completion, Message, Settings
from backburner.inspect.client import InspectClient
from backburner.kernel.errors import ContextOverflow, PolicyFailure

ASKED = (
    Message("system", "You cook."),
    Message("user", "Well?"),
    Message("assistant", "Eh"),
    Message("user", "?"),
)
BILLED = ModelUsage(input_tokens=5, input_tokens_cache_write=2, output_tokens=7, total_tokens=14)


def said(
    content, stop: str = "stop", usage: ModelUsage | None = BILLED, error: str | None = None
) -> ModelOutput:
    choice = ChatCompletionChoice(message=ChatMessageAssistant(content=content), stop_reason=stop)
    return ModelOutput(model="m", choices=[choice], usage=usage, error=error)


def ask(answers, output, settings: Settings | None = None, **options) -> Completion:
    answers["m"] = output if callable(output) else lambda messages, config: output
    client = InspectClient(get_model("fake/m", memoize=False, **options))
    return asyncio.run(client.complete(ASKED, settings or Settings()))


def test_conversation_and_settings_arrive_and_tokens_come_back(answers) -> None:
    seen = []
    settings = Settings(temperature=0.3, max_tokens=9, stop=("END",), seed=4)
    answer = ask(answers, lambda messages, config: seen.append((messages, config)) or said("soup"), settings)
    ((messages, config),) = seen
    assert [(each.role, each.text) for each in messages] == [(each.role, each.content) for each in ASKED]
    assert (config.temperature, config.max_tokens, config.stop_seqs, config.seed) == (0.3, 9, ["END"], 4)
    assert (answer.text, answer.input_tokens, answer.output_tokens, answer.ending) == ("soup", 7, 7, "")
    assert answer.seconds >= 0


def test_what_is_left_to_the_provider_is_not_sent(answers) -> None:
    seen = []
    ask(answers, lambda messages, config: seen.append(config) or said(""), Settings(None, None))
    assert seen[0].model_dump(exclude_none=True) == {}


@pytest.mark.parametrize(
    ("stop", "ending"),
    [
        ("stop", ""),
        ("unknown", ""),
        ("max_tokens", "length"),
        ("model_length", "length"),
        ("tool_calls", "tool_calls"),
        ("content_filter", "content_filter"),
    ],
)
def test_each_reason_to_stop_is_an_ending(answers, stop: str, ending: str) -> None:
    assert ask(answers, said("half", stop)).ending == ending


def test_a_refusal_in_words_is_no_answer(answers) -> None:
    answer = ask(answers, said([ContentText(text="I cannot help with soup", refusal=True)]))
    assert (answer.text, answer.ending) == ("", "refusal")


def test_a_model_that_only_reasons_has_answered_with_nothing(answers) -> None:
    answer = ask(answers, said([ContentReasoning(reasoning="hm")], "max_tokens"))
    assert (answer.text, answer.ending, answer.reasoning) == ("", "length", "hm")


@pytest.mark.parametrize(
    ("parts", "text", "reasoning"),
    [
        ([ContentReasoning(reasoning="hm"), ContentText(text="wait")], "wait", "hm"),
        (
            [ContentReasoning(reasoning="a"), ContentReasoning(reasoning="b"), ContentText(text="c")],
            "c",
            "a\n\nb",
        ),
        (
            [ContentReasoning(reasoning="c2Vhb", redacted=True, summary="brief"), ContentText(text="wait")],
            "wait",
            "brief",
        ),
        ([ContentReasoning(reasoning="c2Vhb", redacted=True), ContentText(text="wait")], "wait", ""),
        ([ContentReasoning(reasoning="", summary="brief"), ContentText(text="wait")], "wait", "brief"),
        (
            [ContentReasoning(reasoning="hm", internal="think"), ContentText(text="wait")],
            "<think>\nhm\n</think>\n\nwait",
            "",
        ),
        (
            [ContentReasoning(reasoning="hm", internal="think"), ContentText(text="<think>hm</think>")],
            "<think>hm</think>",
            "",
        ),
    ],
)
def test_thoughts_come_apart_or_where_they_were_written(answers, parts, text: str, reasoning: str) -> None:
    answer = ask(answers, said(parts))
    assert (answer.text, answer.reasoning) == (text, reasoning)


def test_tokens_of_thoughts_and_caches_and_the_servers_own_name_come_back(answers) -> None:
    usage = ModelUsage(input_tokens=5, input_tokens_cache_read=3, output_tokens=7, reasoning_tokens=4)
    answer = ask(answers, said("wait", usage=usage))
    assert (answer.input_tokens, answer.cached_tokens, answer.reasoning_tokens) == (8, 3, 4)
    assert answer.server == "m" and answer.id == ""


def test_what_the_provider_calls_its_answer_comes_back_printable(answers) -> None:
    output = said("wait")
    output.response_id = "resp_1\x1b[2J"
    assert ask(answers, output).id == "resp_1[2J"


@pytest.mark.parametrize(
    ("output", "why"),
    [
        (said("policy", "content_filter", None), "refused: policy"),
        (said("", "content_filter", error="moderated"), "refused: moderated"),
        (ModelOutput(model="m"), "holds nothing"),
    ],
)
def test_errors_that_inspect_hands_on_as_answers_are_failures(answers, output: ModelOutput, why: str) -> None:
    with pytest.raises(PolicyFailure, match=why) as caught:
        ask(answers, output)
    assert caught.value.boundary == "model"


def test_a_conversation_that_is_too_long_is_no_failure(answers) -> None:
    """As Inspect hands it on, and in the words of a provider that Inspect does not know."""
    with pytest.raises(ContextOverflow, match="too long for the model: maximum"):
        ask(answers, said("maximum context length is 4096 tokens", "model_length", None))

    class Plain(RuntimeError):
        status_code = 400

    def fail(messages, config):
        raise Plain("This endpoint's maximum context length is 4096 tokens")

    with pytest.raises(ContextOverflow, match="maximum context length"):
        ask(answers, fail)


def test_a_provider_is_quoted_without_the_request(answers) -> None:
    class Wrapped(RuntimeError):
        status_code, provider_message = 400, "the request exceeds the available context size"

    def fail(messages, config):
        raise Wrapped(f"Request: {messages} and so on")

    with pytest.raises(ContextOverflow) as caught:
        ask(answers, fail)
    assert str(caught.value) == (
        "fake/m: the request was refused (400): the request exceeds the available context size"
    )


class Refused401(Exception):
    status_code = 401


def test_after_the_last_try_its_own_error_is_told(answers) -> None:
    """A provider that may be asked again is, as often as allowed: here twice in all."""
    model = get_model("fake/m", memoize=False, config=GenerateConfig(max_retries=1))
    model.api.should_retry = lambda error: True  # type: ignore[method-assign]
    model.api.retry_wait = wait_none  # type: ignore[method-assign]
    calls = []

    def fail(messages, config):
        calls.append(1)
        raise OSError("nobody at home")

    answers["m"] = fail
    with pytest.raises(PolicyFailure, match="OSError: nobody at home"):
        asyncio.run(InspectClient(model).complete(ASKED, Settings()))
    assert len(calls) == 2


@pytest.mark.parametrize("error", [ValueError, Refused401, KeyError])
def test_failures_name_the_model_and_never_the_key(answers, error: type[Exception]) -> None:
    def fail(messages, config):
        raise error("no: my-secret-key-0123 and sk-proj-abc…xyz are\nwrong")

    with pytest.raises(PolicyFailure) as caught:
        ask(answers, fail, api_key="my-secret-key-0123")
    message = str(caught.value)
    assert message.startswith("fake/m: ") and "\n" not in message
    assert "secret" not in message and "sk-" not in message
    assert caught.value.__cause__ is None and caught.value.__context__ is None


def test_origin_tells_the_server_without_what_is_secret(answers) -> None:
    def origin(url: str | None):
        return InspectClient(get_model("fake/m", base_url=url, memoize=False)).origin

    assert origin(None) == {"model": "fake/m"}
    assert origin("http://me:pass@host:8000/v1/?key=1") == {
        "model": "fake/m",
        "base_url": "http://host:8000/v1",
    }


def test_equal_messages_are_sent_as_one_object(answers) -> None:
    """So that a log holds each message of a growing conversation once."""
    seen = []
    answers["m"] = lambda messages, config: seen.extend(each.id for each in messages) or said("x")
    client = InspectClient(get_model("fake/m", memoize=False))
    for _ in range(2):
        asyncio.run(client.complete(ASKED, Settings()))
    assert len(seen) == 8 and len(set(seen)) == 4


def test_it_writes_as_inspect_was_told(answers) -> None:
    model = get_model("fake/m", memoize=False, config=GenerateConfig(temperature=0.9, seed=3))
    told = InspectClient(model).told
    assert (told.temperature, told.seed) == (0.9, 3)
    assert InspectClient(get_model("fake/m", memoize=False)).told != told

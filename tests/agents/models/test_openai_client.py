"""The client of OpenAI-compatible servers against a server that does wrong on purpose."""

from __future__ import annotations

import asyncio
import gc
import logging
import re
import sys
import traceback

import pytest

from backburner.agents.models import Completion, Message, OpenAIClient, Settings, model_policy
from backburner.agents.models.openai_client import Patience
from backburner.kernel.episode import EpisodeFile, encode_line
from backburner.kernel.errors import MissingExtra, PolicyFailure, Refused, RunStops
from backburner.kernel.play import play
from backburner.kernel.registry import world

GREEDY = Settings()
HELLO = (Message("user", "hello"),)


def client(server, model, **patience) -> OpenAIClient:
    return OpenAIClient(model, server.url, patience=Patience(**({"tries": 1, "try_seconds": 10} | patience)))


def ask(server, model, settings=GREEDY, **options) -> Completion:
    async def once() -> Completion:
        async with client(server, model, **options) as asked:
            return await asked.complete(HELLO, settings)

    return asyncio.run(once())


def test_an_answer_comes_with_its_cost(server, key):
    answer = ask(server, "good")
    assert (answer.text, answer.input_tokens, answer.output_tokens) == ("activate radio", 11, 3)
    assert answer.seconds > 0


def test_what_is_not_set_is_not_sent(server):
    ask(server, "good", Settings(temperature=0.5, max_tokens=20, stop=("\n",), seed=7))
    ask(server, "good", Settings(temperature=None, max_tokens=None))
    messages = [{"role": "user", "content": "hello"}]
    assert server.requests == [
        {
            "model": "good",
            "messages": messages,
            "temperature": 0.5,
            "max_tokens": 20,
            "stop": ["\n"],
            "seed": 7,
        },
        {"model": "good", "messages": messages},
    ]


def test_openai_itself_is_sent_its_new_name_for_the_limit(key):
    request = OpenAIClient("gpt-x")._request(HELLO, Settings(max_tokens=20))
    assert request["max_completion_tokens"] == 20
    assert "max_tokens" not in request


def test_an_answer_without_text_is_empty_and_legal(server):
    assert ask(server, "tool-call").text == ""


def test_a_server_that_counts_no_tokens_costs_none(server):
    answer = ask(server, "no-usage")
    assert (answer.text, answer.input_tokens, answer.output_tokens) == ("wait", 0, 0)


FAULTS = [
    ("400", "the request was refused (400): status 400 for …"),
    ("401", "the key was refused (401); set BACKBURNER_API_KEY or OPENAI_API_KEY"),
    ("403", "not allowed with this key (403): status 403"),
    ("404", "no such model, or a wrong base URL, which often ends in /v1 (404): status 404"),
    ("422 in detail", 'the request was refused (422): {"detail": [{"loc": ["header"], "input": "…"}]}'),
    ("429", "rate limit or quota reached (429): status 429"),
    ("500", "the server failed (500): status 500"),
    ("503", "the server failed (503): status 503"),
    ("silent", "no answer within 0.3 s"),
    ("hangs-up", "no connection ("),
    ("no-choices", "not a chat completion (Expected `array` of length >= 1 - at `$.choices`)"),
    ("wrong-shape", "not a chat completion (Expected `str | array | null`, got `int`"),
    ("empty", "not a chat completion (Input data was truncated); received: nothing"),
    ("not-json", 'received: {"choices": [{"message": {"content": "cut off'),
    ("web-page", "received: <html><title>Gateway</title> [31m …</html>"),
]


@pytest.mark.parametrize(("model", "words"), FAULTS)
def test_a_fault_says_what_it_is_and_holds_no_key(server, key, caplog, model, words):
    caplog.set_level(logging.DEBUG)
    hopeless = model in ("401", "404", "hangs-up")
    with pytest.raises(RunStops if hopeless else PolicyFailure) as caught:
        ask(server, model, try_seconds=0.3 if model == "silent" else 10)
    failure = caught.value
    assert hopeless or failure.boundary == "model"
    assert str(failure).startswith(f"{model} at {server.url}: ")
    assert words in str(failure)
    assert len(str(failure)) < 500
    shown = "".join(traceback.format_exception(failure)) + repr(failure) + caplog.text
    assert_no_trace_of(key, shown)


def assert_no_trace_of(key: str, text: str) -> None:
    """Neither the key nor what is left of it when somebody puts stars in its middle."""
    assert key not in text
    assert key[:10] not in text


def test_a_server_that_nobody_runs_is_told_as_such(key):
    with pytest.raises(RunStops, match=r"no connection \(.*\); is the server running"):
        asyncio.run(
            OpenAIClient("m", "http://127.0.0.1:9", patience=Patience(tries=1)).complete(HELLO, GREEDY)
        )


def test_a_server_error_is_tried_again_as_often_as_allowed(server):
    with pytest.raises(PolicyFailure, match=r"the server failed \(503\): one moment, please"):
        ask(server, "flaky", tries=1)
    server.calls.clear()
    assert ask(server, "flaky", tries=2).text == "activate radio"
    assert server.calls["flaky"] == 2


@pytest.mark.parametrize("closed", [True, False])
def test_one_client_serves_one_event_loop_after_another(server, caplog, closed):
    """Nor is there any complaint when it is closed or dropped while yet another loop runs."""
    asked = [client(server, "good")]
    for _ in range(2):
        assert asyncio.run(asked[0].complete(HELLO, GREEDY)).text == "activate radio"

    async def drop():
        if closed:
            await asked[0].aclose()
        asked.clear()
        gc.collect()
        await asyncio.sleep(0)

    asyncio.run(drop())
    gc.collect()
    assert caplog.text == ""


def test_a_closed_client_opens_again(server):
    async def twice():
        asked = client(server, "good")
        for _ in range(2):
            await asked.complete(HELLO, GREEDY)
            await asked.aclose()

    asyncio.run(twice())
    assert server.calls["good"] == 2


def test_failed_episodes_leave_the_others_alone(server, key, tmp_path):
    """Six episodes at once; those whose calls fail are recorded as failed, the rest play to the end.

    The good model only ever says "activate radio", which is accepted once and then refused as done
    already: one decision, then five errors in a row.
    """
    arena = world("timearena/household9")

    async def one(model: str):
        path = tmp_path / f"{model}.jsonl"
        async with client(server, model, try_seconds=0.3 if model == "silent" else 10) as asked:
            with EpisodeFile(path) as file:
                episode = await play(arena, model_policy("act", arena, asked), sink=file.write)
                file.finish()
        return episode

    async def all_at_once():
        return await asyncio.gather(*map(one, ("403", "good", "silent", "429", "not-json", "echo")))

    refused, good, silent, limited, garbled, echo = asyncio.run(all_at_once())
    for failed in (refused, silent, limited, garbled):
        assert (failed.ending.status, failed.ending.reason, failed.ending.steps) == ("failed", "model", 0)
    assert "(403)" in refused.ending.error
    assert "(429)" in limited.ending.error
    assert (good.ending.status, good.ending.reason, good.ending.steps) == ("cut off", "error_limit", 6)
    assert good.entries[0].usage["agent"].input_tokens == 11
    assert echo.entries[0].answers["agent"].text == "Your key is …"
    for file in tmp_path.iterdir():
        assert_no_trace_of(key, file.read_text())


def test_the_key_is_in_nothing_that_is_shown_or_recorded(server, key):
    asked = client(server, "good")
    arena = world("timearena/household9")
    policy = model_policy("react", arena, asked)
    asyncio.run(asked.complete(HELLO, GREEDY))
    episode = asyncio.run(play(arena, policy, max_steps=1))
    assert asked.origin == {"model": "good", "base_url": server.url}
    assert repr(asked) == f"OpenAIClient('good', base_url='{server.url}')"
    shown = [repr(vars(asked)), repr(vars(policy)), encode_line(episode.header).decode()]
    assert_no_trace_of(key, "".join(shown))


def test_our_own_variable_wins(server, environment):
    environment.setenv("OPENAI_API_KEY", "sk-of-openai-and-only-for-it")
    environment.setenv("BACKBURNER_API_KEY", " sk-of-ours-and-longer\n")
    assert client(server, "good")._key.reveal() == "sk-of-ours-and-longer"


def test_openai_needs_a_key_and_a_server_of_ones_own_does_not(server):
    assert ask(server, "good").text == "activate radio"
    with pytest.raises(Refused, match="set BACKBURNER_API_KEY or OPENAI_API_KEY"):
        OpenAIClient("gpt-x")


def test_the_base_url_may_come_from_the_environment(environment):
    environment.setenv("OPENAI_BASE_URL", "http://localhost:8000/v1/")
    assert OpenAIClient("m").base_url == "http://localhost:8000/v1"


@pytest.mark.parametrize(
    ("base_url", "why"),
    [
        ("localhost:8000/v1", "is written like http://localhost:8000/v1"),
        ("http://[::1", "is written like"),
        ("https://me:secret@host/v1", "holds no user, password or query"),
        ("https://host/v1?key=secret", "holds no user, password or query"),
        ("https://host/sk-a-key-in-the-path/v1", "one of them holds the key"),
    ],
)
def test_a_base_url_that_cannot_stand_in_a_record_is_refused(environment, base_url, why):
    environment.setenv("OPENAI_API_KEY", "sk-a-key-in-the-path")
    with pytest.raises(Refused, match=re.escape(why)) as caught:
        OpenAIClient("m", base_url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("key", ["two words of it", "schlüssel-für-alles", "sk-with\nbreak"])
def test_what_cannot_be_a_key_is_refused_without_showing_it(environment, key):
    environment.setenv("OPENAI_API_KEY", key)
    with pytest.raises(Refused, match="OPENAI_API_KEY holds characters that a key cannot have"):
        OpenAIClient("m")


def test_without_the_extra_the_message_is_the_install_command(environment):
    environment.setitem(sys.modules, "aiohttp", None)
    with pytest.raises(MissingExtra, match=r"needs an optional part: .*pip install"):
        OpenAIClient("m", "http://localhost:8000/v1")

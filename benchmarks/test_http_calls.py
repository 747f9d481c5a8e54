"""What a call to a model costs over HTTP: ours, a bare loop that sends the same bodies, and Inspect's.

CPU time of this process alone; the server, which answers at once, is another one. Ratios count, as all
three are measured in one run.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from time import process_time

import aiohttp
import msgspec
import pytest
from aiohttp import web

from backburner.agents.models import Completion, Message, OpenAIClient, ScriptedModel, Settings
from backburner.agents.models.client import ModelClient
from backburner.agents.spec import AgentSpec
from backburner.evaluation.running.jobs import Job
from backburner.evaluation.running.runner import run

EXCHANGES = (0, 20, 70)
WORDS = 700
"""Characters of a message, as in TimeArena."""

AT_ONCE = 16
BODY = msgspec.json.encode(
    {
        "model": "parrot",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": "wait"}, "finish_reason": "stop"}
        ],
        "usage": {"prompt_tokens": 10, "completion_tokens": 1, "total_tokens": 11},
    }
)


def _serve(port: multiprocessing.Queue[int]) -> None:
    async def answer(request: web.Request) -> web.Response:
        await request.read()
        return web.Response(body=BODY, content_type="application/json")

    async def run() -> None:
        app = web.Application(client_max_size=1 << 30)
        app.router.add_post("/v1/chat/completions", answer)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port.put(runner.addresses[0][1])
        await asyncio.Event().wait()

    asyncio.run(run())


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The address of a server of this machine."""
    context = multiprocessing.get_context("spawn")
    port: multiprocessing.Queue[int] = context.Queue()
    server = context.Process(target=_serve, args=(port,), daemon=True)
    server.start()
    yield f"http://127.0.0.1:{port.get(timeout=60)}/v1"
    server.terminate()


def conversation(exchanges: int) -> tuple[Message, ...]:
    """So many questions with their answers, and one more question."""
    pair = (Message("user", "q" * WORDS), Message("assistant", "a" * WORDS))
    return (*pair * exchanges, Message("user", "q" * WORDS))


async def rate(call: Callable[[], Awaitable[object]], calls: int) -> float:
    """Calls per CPU second, ``AT_ONCE`` of them in flight."""
    await call()
    left = iter(range(calls))

    async def caller() -> None:
        for _ in left:
            await call()

    began = process_time()
    await asyncio.gather(*(caller() for _ in range(AT_ONCE)))
    return calls / (process_time() - began)


async def ours(url: str, exchanges: int, calls: int) -> float:
    """The package's client."""
    messages, settings = conversation(exchanges), Settings()
    async with OpenAIClient("parrot", url) as client:
        return await rate(lambda: client.complete(messages, settings), calls)


async def bare(url: str, exchanges: int, calls: int) -> float:
    """A loop over the HTTP client, with bodies that are written already."""
    body = msgspec.json.encode({"model": "parrot", "messages": conversation(exchanges), "temperature": 0.0})
    async with aiohttp.ClientSession(headers={"Content-Type": "application/json"}) as session:

        async def call() -> object:
            async with session.post(f"{url}/chat/completions", data=body) as response:
                return msgspec.json.decode(await response.read())

        return await rate(call, calls)


async def inspects(url: str, exchanges: int, calls: int) -> float:
    """Inspect's model behind our client for it."""
    from inspect_ai.model import get_model

    from backburner.inspect.client import InspectClient

    client = InspectClient(get_model("openai-api/parrots/parrot", base_url=url, api_key="none"))
    messages, settings = conversation(exchanges), Settings()
    return await rate(lambda: client.complete(messages, settings), calls)


@pytest.mark.parametrize("exchanges", EXCHANGES)
def test_calls_over_http(benchmark, told: list[str], url: str, exchanges: int) -> None:
    """After so many exchanges."""
    rates: dict[str, float] = {}

    def once() -> None:
        rates["bare loop"] = asyncio.run(bare(url, exchanges, 2000))
        rates["ours"] = asyncio.run(ours(url, exchanges, 2000))
        rates["Inspect's"] = asyncio.run(inspects(url, exchanges, 64))

    benchmark.pedantic(once, rounds=1)
    benchmark.extra_info.update({f"{name}: calls/s of CPU": round(found) for name, found in rates.items()})
    times = rates["bare loop"] / rates["ours"]
    each = ", ".join(f"{name} {found:,.0f}" for name, found in rates.items())
    told.append(
        f"after {exchanges:2} exchanges, calls per CPU second: {each}; ours costs {times:.2f} times the loop"
    )


# --- a whole run -------------------------------------------------------------------------------------------

EPISODES = 200


class _Listening(ScriptedModel):
    """Keeps what it is asked, as our client would send it."""

    def __init__(self, bodies: list[bytes]) -> None:
        super().__init__(["wait"])
        self._bodies = bodies

    async def complete(self, messages: Sequence[Message], settings: Settings) -> Completion:
        """An answer."""
        self._bodies.append(
            msgspec.json.encode({"model": "parrot", "messages": messages, "temperature": 0.0})
        )
        return await super().complete(messages, settings)


def jobs_of(episodes: int) -> list[Job]:
    """Episodes of 40 turns."""
    return [Job("timearena/household1", AgentSpec("act", "parrot"), seed) for seed in range(episodes)]


async def sent_alone(url: str, bodies: Sequence[bytes], times: int) -> float:
    """Calls per CPU second of a loop that sends these bodies so often."""
    left = iter(range(times))

    async with aiohttp.ClientSession(headers={"Content-Type": "application/json"}) as session:

        async def caller() -> None:
            for _ in left:
                for body in bodies:
                    async with session.post(f"{url}/chat/completions", data=body) as response:
                        msgspec.json.decode(await response.read())

        began = process_time()
        await asyncio.gather(*(caller() for _ in range(AT_ONCE)))
        return times * len(bodies) / (process_time() - began)


def test_a_whole_run_over_http(benchmark, told: list[str], url: str, tmp_path: Path) -> None:
    """200 episodes of 40 turns, 16 at once, records and journals on disk."""
    bodies: list[bytes] = []
    run(jobs_of(1), tmp_path / "listening", client_of=lambda _: _Listening(bodies))
    rates: dict[str, float] = {}

    def measured(name: str, client_of: Callable[[object], ModelClient]) -> None:
        began = process_time()
        played = run(jobs_of(EPISODES), tmp_path / name, client_of=client_of)
        assert (played.played, played.failed) == (EPISODES, 0)
        rates[name] = EPISODES * len(bodies) / (process_time() - began)

    def once() -> None:
        measured("asked", lambda endpoint: OpenAIClient("parrot", url))

    benchmark.pedantic(once, rounds=1)
    measured("scripted", lambda endpoint: ScriptedModel(["wait"]))
    rates["alone"] = asyncio.run(sent_alone(url, bodies, EPISODES))
    whole, play, loop = (1e6 / rates[name] for name in ("asked", "scripted", "alone"))
    told.append(
        f"a whole run, calls per CPU second: {rates['asked']:,.0f}; a bare loop with the same bodies"
        f" {rates['alone']:,.0f}, so that the run costs {whole / loop:.2f} times as much. Of {whole:.0f}"
        f" microseconds a call {loop:.0f} are the loop's, {play:.0f} play, prompts, journals and records"
    )

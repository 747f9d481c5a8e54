"""A world over the Model Context Protocol: the same play as by words and by calls, over every transport."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("mcp_types")

import mcp_types as types
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

import backburner.mcp
from backburner.agents.models.client import ScriptedModel
from backburner.agents.models.policy import model_policy
from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.cli.mcp import Playing, mcp
from backburner.kernel import registry
from backburner.kernel.episode import Ending, Entry, Episode, Header, Record, read_episode
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.play import play_now
from backburner.kernel.tools import ToolCall, answers_of
from backburner.mcp.server import Face, serve_http
from backburner.mcp.session import LONGEST_CLIENT, Session, Table

SCENARIO = "timearena/cooking1+cooking2+cooking3"
WORLD: Any = registry.world(SCENARIO, limits="none")
SEAT = WORLD.seats[0]

Doing = Callable[[Client], Awaitable[Any]]
Calls = list[tuple[str, dict[str, Any]]]


def drawn() -> Calls:
    """The calls of 64 decisions: each other is refused, the rest are drawn among what can be done."""
    state, draw, made = WORLD.start(0), Random(0), []
    for _ in range(32):
        option = draw.choice(WORLD.menu(state, SEAT).options)
        call = WORLD.call_of(SEAT, option)
        state = WORLD.step(state, {SEAT: option.decision}).state
        made += [(call.name, json.loads(call.arguments)), ("wash", {"thing": "moon"})]
    return made


CALLS = drawn()
UNREADABLE: Calls = [("fly", {}), ("wash", {}), ("wash", {"thing": "cup", "x": 1})]


def by_calls(calls: Calls, world: Any = WORLD, method: str = "calls") -> Episode:
    answers = [json.dumps([{"name": name, "arguments": given}]) for name, given in calls]
    return in_words(answers, world, method)


def in_words(answers: list[str], world: Any, method: str = "act") -> Episode:
    return play_now(world, model_policy(method, world, ScriptedModel(answers)), 0, max_steps=len(answers))


def texts_of(episode: Episode) -> list[str]:
    return [answers.text or "" for entry in episode.entries for answers in entry.answers.values()]


def test_words_calls_and_the_protocol_come_to_the_same_at_every_step() -> None:
    called, recorded = by_calls(CALLS), asyncio.run(over_the_protocol(calling(CALLS)))
    said = in_words(texts_of(called), WORLD)
    steps = [record for record in recorded if isinstance(record, Entry)]
    digests = [step.digest for step in steps]
    assert digests == [entry.digest for entry in called.entries] == [entry.digest for entry in said.entries]
    assert len(digests) == 64 and any(step.refusals for step in steps)
    for one, other in zip(steps, called.entries, strict=True):
        assert (one.answers, one.events, one.refusals) == (other.answers, other.events, other.refusals)


def at(desk: Any) -> Calls:
    """The calls of 64 decisions: drawn among what can be done without working anything out, and what has
    inputs, rightly given; every fourth is refused."""
    compiled, state, draw, made = desk.compiled, desk.start(0), Random(0), []
    worked_out = [job for name, job in compiled.jobs.items() if compiled.right_inputs[name]]
    for number in range(64):
        seen = {each.job for each in desk.observe(state, "agent").jobs}
        job = next((each for each in worked_out if each.name not in seen and set(each.needs) <= seen), None)
        if number % 4 == 3:
            call = ToolCall("cancel", json.dumps({"job": "moon"}))
        elif job is not None and number % 4 == 2:
            tool, inputs = compiled.tools[job.tool], compiled.right_inputs[job.name]
            about = {tool.subject: job.subject} if tool.subject else {}
            call = ToolCall(tool.name, json.dumps({**about, **dict(inputs)}))
        else:
            call = desk.call_of("agent", draw.choice(desk.menu(state, "agent").options))
        (answered,) = answers_of(desk, "agent", [call])
        state = desk.step(state, {"agent": desk.parse(state, "agent", answered.answer)}).state
        made.append((call.name, json.loads(call.arguments)))
    return made


@pytest.mark.parametrize("asks", ["free", "always"])
def test_a_desk_is_the_same_by_words_by_its_tools_by_act_and_over_the_protocol(asks: str) -> None:
    desk: Any = registry.world(f"desk/standard/01@asks={asks}", limits="none")
    calls = at(desk)
    own = by_calls(calls, desk)
    texts = texts_of(own)
    recorded = asyncio.run(over_the_protocol(calling(calls), Table(desk, "agent")))
    digests = [entry.digest for entry in own.entries]
    assert len(set(digests)) == 64
    if asks == "free":
        assert {name for name, _ in calls} >= {"wait", "check", "cancel", "reply", "composite", "restore"}
    for other in (
        in_words(texts, desk).entries,
        by_calls([("act", {"answer": text}) for text in texts], desk, "calls@tools=act").entries,
        [record for record in recorded if isinstance(record, Entry)],
    ):
        assert [entry.digest for entry in other] == digests
        for one, two in zip(own.entries, other, strict=True):
            assert one.answers["agent"].text == two.answers["agent"].text
            assert (one.events, one.refusals) == (two.events, two.refusals)


def test_what_cannot_be_read_is_the_same_as_by_calls() -> None:
    called, recorded = by_calls(UNREADABLE), asyncio.run(over_the_protocol(calling(UNREADABLE)))
    steps = [record for record in recorded if isinstance(record, Entry)]
    assert [(step.answers, step.digest) for step in steps] == [
        (entry.answers, entry.digest) for entry in called.entries
    ]


async def over_the_protocol(doing: Doing, table: Table | None = None, mode: Any = "auto") -> list[Record]:
    records: list[Record] = []
    made = table or Table(WORLD, SEAT)
    session = Session(Table(made.world, made.seat, made.seed, made.others, records.append, made.settings))
    info = types.Implementation(name="try\x1b[2J" + "y" * 300, version="1")
    async with Client(Face(session, "wait", b"secret").server, mode=mode, client_info=info) as client:
        await doing(client)
    await session.stop("the client has left")
    return records


def calling(calls: Calls) -> Doing:
    async def doing(client: Client) -> None:
        for name, given in calls:
            await client.call_tool(name, given)

    return doing


def test_a_look_is_no_decision_and_to_finish_ends_the_play() -> None:
    async def doing(client: Client) -> None:
        listed = (await client.list_tools()).tools
        assert [each.name for each in listed][-3:] == ["wait", "look", "finish"]
        assert all(each.output_schema is None for each in listed)
        looks = [await client.call_tool("look") for _ in range(2)]
        assert looks[0] == looks[1] and looks[0].content[1].text.endswith("Your action?")
        unlisted = await client.call_tool("act", {"answer": "wait"})
        assert unlisted.is_error and json.loads(unlisted.content[0].text)["refused"] == "unreadable_call"
        refused = await client.call_tool("wash", {"thing": "moon"})
        first, second = (each.text for each in refused.content)
        assert json.loads(first)["refused"] == "nonexistent_object" and refused.is_error
        assert refused.structured_content == {**json.loads(first), "now": second}
        over = await client.call_tool("finish")
        assert over.content[1].text.endswith("It is over: the agent has finished.")
        assert (await client.call_tool("wait")).structured_content["ok"] is None

    for mode in ("legacy", "auto"):
        header, *steps, ending = asyncio.run(over_the_protocol(doing, mode=mode))
        assert isinstance(header, Header) and isinstance(ending, Ending) and len(steps) == 2
        assert (ending.status, ending.reason) == ("stopped", "the agent has finished")
        name = header.players[SEAT].name
        assert name == f"mcp:try[2J{'y' * (LONGEST_CLIENT - 7)}"[: len(name)] and name.isprintable()


def test_requests_that_come_together_are_taken_in_their_order() -> None:
    calls = [("wash", {"thing": str(number)}) for number in range(20)]

    async def doing(client: Client) -> None:
        await asyncio.gather(*(client.call_tool(name, given) for name, given in calls))

    _, *steps, _ = asyncio.run(over_the_protocol(doing))
    assert [step.answers[SEAT].text for step in steps if isinstance(step, Entry)] == [
        f"wash {number}" for number in range(20)
    ]


def test_agents_play_the_other_seats() -> None:
    world = registry.world("collab_overcooked/baked_bell_pepper_soup")
    seat, other = world.seats
    others = {other: make_policies(AgentSpec("random"), world)[other]}

    async def doing(client: Client) -> None:
        for _ in range(3):
            await client.call_tool("act", {"answer": "wait(1)"})

    header, *steps, _ = asyncio.run(over_the_protocol(doing, Table(world, seat, others=others)))
    assert isinstance(header, Header)
    assert [player.name.partition(":")[0] for player in header.players.values()] == ["mcp", "random"]
    assert sum(seat in step.answers for step in steps if isinstance(step, Entry)) == 3


# --- transports --------------------------------------------------------------------------------------------


def parameters(*arguments: str) -> StdioServerParameters:
    path = os.pathsep.join(filter(None, sys.path))
    line = ["-m", "backburner", "mcp", SCENARIO, *arguments]
    return StdioServerParameters(command=sys.executable, args=line, env={"PYTHONPATH": path})


def test_over_stdio_play_ends_when_the_client_leaves(tmp_path: Path) -> None:
    file = tmp_path / "record.jsonl"

    async def playing() -> None:
        server = parameters("--polls", "free", "--play", f"seed=3,limits=none,out={file}")
        with Path(os.devnull).open("w") as nowhere:
            async with Client(stdio_client(server, errlog=nowhere)) as client:
                await calling(CALLS[:5])(client)

    asyncio.run(playing())
    episode = read_episode(file)
    assert [entry.answers[SEAT].text for entry in episode.entries] == [
        entry.answers[SEAT].text for entry in by_calls(CALLS[:5]).entries
    ]
    assert episode.header.players[SEAT].settings["polls"] == "free" and episode.header.seed == 3
    assert episode.ending and (episode.ending.status, episode.ending.reason) == (
        "stopped",
        "the client has left",
    )


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_over_stdio_a_signal_ends_play_though_the_client_stays(tmp_path: Path, sign: signal.Signals) -> None:
    file = tmp_path / "record.jsonl"
    server = parameters("--play", f"out={file}")
    command = [server.command, *server.args]
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "n", "version": "1"}}
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "wait", "arguments": {}}},
    ]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=server.env,
        text=True,
    ) as process:
        assert process.stdin and process.stdout
        process.stdin.write("".join(f"{json.dumps(line)}\n" for line in lines))
        process.stdin.flush()
        assert [json.loads(process.stdout.readline())["id"] for _ in range(2)] == [1, 2]
        process.send_signal(sign)
        assert process.wait(60) == 128 + sign
    assert (ending := read_episode(file).ending) and ending.status == "stopped"


def test_over_http_the_same_is_played_on_this_machine_alone() -> None:
    async def playing() -> list[Record]:
        records: list[Record] = []
        listening = socket.create_server(("127.0.0.1", 0))
        face = Face(Session(Table(WORLD, SEAT, sink=records.append)), "wait", b"secret")
        serving = asyncio.create_task(serve_http(face, listening, lambda: None))
        async with Client(f"http://127.0.0.1:{listening.getsockname()[1]}/mcp") as client:
            await calling(CALLS)(client)
        serving.cancel()
        with suppress(asyncio.CancelledError):
            await serving
        return records

    _, *steps, ending = asyncio.run(playing())
    digests = [step.digest for step in steps if isinstance(step, Entry)]
    assert digests == [entry.digest for entry in by_calls(CALLS).entries]
    assert isinstance(ending, Ending) and ending.reason == "the client has left"


def test_a_word_says_what_polls_are_and_a_number_where_to_listen() -> None:
    said = Playing.said(["free", "8000", "seat=chef,partner=random+greedy"])
    assert said == Playing(polls="free", http=8000, seat="chef", partner="random+greedy")
    for wrong, why in (("never", "unknown value 'never'"), ("99999", "at most 65535"), ("seet=a", "seat")):
        with pytest.raises((Refused, UnknownName), match=why):
            Playing.said([wrong])


@pytest.mark.parametrize(
    ("scenario", "play", "why"),
    [
        ("timearena/cooking1", "seat=cook", "unknown seat 'cook'"),
        ("timearena/cooking1", "partner=greedy", "has one seat only"),
        ("collab_overcooked/baked_bell_pepper_soup", "seed=1", "who plays assistant"),
    ],
)
def test_who_plays_is_told_before_anything_is_played(
    scenario: str, play: str, why: str, tmp_path: Path
) -> None:
    with pytest.raises((Refused, UnknownName), match=why):
        mcp(scenario, Playing.said([play, f"out={tmp_path / 'record.jsonl'}"]))
    assert not list(tmp_path.iterdir())


def test_no_clock_of_the_real_day_is_looked_at() -> None:
    clocks = re.compile(
        r"(import|from) time\b|\btime\.\w|datetime\.(now|today)|utcnow|monotonic|sleep|fail_after"
    )
    for file in Path(next(iter(backburner.mcp.__path__))).glob("*.py"):
        assert not clocks.search(file.read_text("utf-8")), file

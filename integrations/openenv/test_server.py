"""The server as OpenEnv's own validator and clients see it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets
from openenv.core import GenericEnvClient

import backburner
from backburner.agents.planned import world_agent
from backburner.kernel.contract import decision_of
from backburner.training.adversaries import earnings, gamed
from backburner.training.conversation import Setting
from backburner.training.openenv.client import ReplyAction, ToolUse, WorldClient
from conftest import BACKBURNER, Server, serving

COOKING = "timearena/cooking1"


def test_it_is_the_wheel_that_is_tried() -> None:
    assert Path(backburner.__file__).is_relative_to(sys.prefix)


def test_openenvs_validator_says_pass(server: Server) -> None:
    openenv = Path(sys.executable).with_name("openenv")
    command = [str(openenv), "validate", "--url", server.address]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "Verdict: PASS" in run.stdout
    assert "FAIL" not in run.stdout and run.stdout.count("PASS  ") >= 6


def best_plan(scenario: str) -> list[str]:
    """The oracle's decisions, as a learner would write them."""
    world: Any = backburner.world(scenario)
    episode = backburner.play_now(world, world_agent("oracle", world), 0)
    (seat,) = world.seats
    return [world.words(decision_of(world, entry.answers[seat].decision), seat) for entry in episode.entries]


def test_the_best_plan_is_played_over_one_websocket_and_its_record_replays(server: Server) -> None:
    with WorldClient(base_url=server.address).sync() as session:
        result = session.reset(seed=0, episode_id="mine", scenario=COOKING)
        assert (result.done, result.reward) == (False, 0.0)
        assert "Your action?" in result.observation.text and result.observation.seat == "agent"
        result = session.step(ReplyAction(text="fly to the moon"))
        assert result.observation.refused
        result = session.reset(seed=0, scenario=COOKING)
        rewards = []
        for word in best_plan(COOKING):
            result = session.step(ReplyAction(text=f"<think>so</think>{word}"))
            rewards.append(result.reward)
        assert result.done and rewards == [0.0] * (len(rewards) - 1) + [1.0]
        assert (result.observation.metric, result.observation.value) == ("AS", 100.0)
        assert result.observation.why == "completed" and result.observation.numbers["completed"] == 1
        state = session.state()
        assert (state.step_count, state.total_reward, state.done) == (len(rewards), 1.0, True)
        (record,) = server.records.glob("timearena-cooking1.seed0.*.jsonl")
    told = subprocess.run([str(BACKBURNER), "verify", str(record)], capture_output=True, text=True)
    assert told.returncode == 0, told.stdout + told.stderr


def test_openenvs_own_client_needs_nothing_of_ours(server: Server) -> None:
    with GenericEnvClient(base_url=server.address).sync() as session:
        result = session.reset(seed=3, scenario=COOKING)
        result = session.step({"text": "wait"})
        assert not result.done and result.observation["text"].startswith("You wait for one minute.")


def test_the_same_seed_is_the_same_episode_and_none_is_the_next(server: Server) -> None:
    def drawn(session: Any, count: int, **first: int) -> list[tuple[str, int]]:
        results = [session.reset(**first), *(session.reset() for _ in range(count - 1))]
        return [(result.observation.scenario, result.observation.seed) for result in results]

    with (
        WorldClient(base_url=server.address).sync() as one,
        WorldClient(base_url=server.address).sync() as two,
    ):
        assert drawn(one, 5, seed=7) == drawn(two, 5, seed=7)
        assert len(set(drawn(one, 8, seed=8))) == 8
        assert drawn(one, 1)[0][1] != drawn(two, 1)[0][1]


def test_sessions_side_by_side_do_not_mix(server: Server) -> None:
    async def play(number: int) -> tuple[list[str], int]:
        async with WorldClient(base_url=server.address) as session:
            result = await session.reset(seed=number, scenario=f"timearena/household{number % 3 + 1}")
            texts = [result.observation.text]
            for turn in range(20):
                result = await session.step(ReplyAction(text="wait" if turn % (number + 2) else "nonsense"))
                texts.append(result.observation.text)
            return texts, (await session.state()).step_count

    async def side_by_side() -> list[tuple[list[str], int]]:
        return await asyncio.gather(*(play(number) for number in range(4)))

    async def one_by_one() -> list[tuple[list[str], int]]:
        return [await play(number) for number in range(4)]

    together = asyncio.run(side_by_side())
    assert together == asyncio.run(one_by_one())
    assert [steps for _, steps in together] == [20] * 4


def test_where_there_is_no_room_a_session_is_told_so_and_room_comes_back(server: Server) -> None:
    with contextlib.ExitStack() as open_sessions:
        for _ in range(6):
            session = open_sessions.enter_context(WorldClient(base_url=server.address).sync())
            session.reset(seed=0, scenario=COOKING)
        with pytest.raises(Exception, match=r"CAPACITY_REACHED|capacity"):
            open_sessions.enter_context(WorldClient(base_url=server.address).sync()).reset(seed=0)
    with WorldClient(base_url=server.address).sync() as session:
        assert not session.reset(seed=0, scenario=COOKING).done


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"scenario": "timearena/cookin1"}, "did you mean timearena/cooking1"),
        ({"scenario": "robotouille/synchronous/1@seed=42"}, "unknown scenario"),
        ({"scenario": "/etc/passwd.json"}, "unknown scenario"),
        ({"scenario": 7}, "scenario: a text, not 7"),
        ({"scenario": "x" * 100_000}, "unknown scenario"),
        ({"seed": -1}, "seed: a whole number from 0, not -1"),
        ({"seed": "one"}, "seed: a whole number from 0"),
        ({"seed": 10**30}, "seed: a whole number from 0"),
        ({"episode_id": "x" * 300}, "at most 255 characters"),
        ({"split": "nowhere", "index": 0}, "no split 'nowhere'"),
        ({"split": "timearena/quick", "index": 10**6}, "index 1000000 of 18 tasks"),
        ({"split": "timearena/quick", "index": "a"}, "index: a whole number from 0 to 17"),
        (
            {"split": "timearena/quick", "index": 0, "scenario": COOKING},
            "name a scenario, or split and index",
        ),
        ({"colour": "red"}, "not 'colour'"),
    ],
)
def test_what_cannot_be_begun_is_one_clear_line_and_the_session_goes_on(
    server: Server, asked: dict[str, Any], told: str
) -> None:
    with WorldClient(base_url=server.address).sync() as session:
        with pytest.raises(RuntimeError) as error:
            session.reset(**asked)
        assert told in str(error.value) and len(str(error.value)) < 1200
        assert not session.reset(seed=0, scenario=COOKING).done


def test_steps_before_the_first_reset_and_after_the_end_are_told_what_is_missing(server: Server) -> None:
    with WorldClient(base_url=server.address).sync() as session:
        with pytest.raises(RuntimeError, match="reset first"):
            session.step(ReplyAction(text="wait"))
        session.reset(seed=0, scenario=COOKING)
        while not session.step(ReplyAction(text="wait")).done:
            pass
        with pytest.raises(RuntimeError, match="the episode is over: time limit"):
            session.step(ReplyAction(text="wait"))


def test_a_reply_of_a_million_signs_is_read_and_a_longer_one_ends_the_episode(server: Server) -> None:
    with WorldClient(base_url=server.address).sync() as session:
        session.reset(seed=0, scenario=COOKING)
        assert not session.step(ReplyAction(text="y" * 1_000_000)).done
        result = session.step(ReplyAction(text="y" * 1_000_001))
        assert result.done and "at most 1000000 are read" in result.observation.why


@pytest.fixture(scope="module")
def by_calls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("called"), COOKING, "--play", "method=calls") as running:
        yield running


def test_a_learner_calls_the_tools_that_reset_tells(by_calls: Server) -> None:
    """Two calls of one answer: the first is done, the second refused, and of each is told what came of it."""
    calls = [
        ToolUse(name="pick", arguments={"thing": "beef"}),
        ToolUse(name="wash", arguments='{"thing": "moon"}'),
    ]
    with WorldClient(base_url=by_calls.address).sync() as session:
        told = session.reset(seed=0, scenario=COOKING).observation
        tools = {tool["function"]["name"]: tool["function"] for tool in told.tools}
        assert {"pick", "wash", "wait"} <= tools.keys() and "Answer" not in told.text
        assert tools["wash"]["parameters"]["required"] == ["thing"]
        observed = session.step(ReplyAction(calls=calls)).observation
        first, second, moment = observed.text.split("\n\n", 2)
        assert json.loads(first)["ok"] and json.loads(second)["refused"] == "nonexistent_object"
        assert observed.refused and observed.tools == [] and moment.endswith("Your action?")
        assert not session.step(ReplyAction(text="wait")).observation.refused
    with GenericEnvClient(base_url=by_calls.address).sync() as plain:
        plain.reset(scenario=COOKING)
        told = plain.step({"calls": [{"name": "pick", "arguments": {"thing": "beef"}}]}).observation
        assert json.loads(told["text"].split("\n\n")[0]) == {"ok": True}


HOSTILE = (
    [{"name": "wash", "arguments": '{"thing": 1e999}'}],
    [{"name": "wash", "arguments": "[" * 100_000}],
    [{"name": "wash", "arguments": {"thing": {"a": [[{}]]}}}],
    [{"name": "x" * 100_000, "id": "y" * 100_000}],
    [{"name": "wash", "arguments": {"thing": "moon"}}] * 10_000,
)


@pytest.mark.parametrize("calls", HOSTILE)
def test_calls_that_make_no_sense_are_refused_and_the_session_goes_on(by_calls: Server, calls: Any) -> None:
    with GenericEnvClient(base_url=by_calls.address).sync() as session:
        session.reset(seed=0, scenario=COOKING)
        told = session.step({"calls": calls}).observation
        assert len(told["text"]) < 20_000 and ("unreadable_call" in told["text"]) == (len(calls) == 1)
        for wrong in ({"calls": [{"arguments": {}}]}, {"calls": "wait"}, {"calls": [{"name": 3}]}):
            with pytest.raises(RuntimeError):
                session.step(wrong)
        session.step({"text": "wait"})


def test_a_number_that_nothing_holds_is_no_argument(by_calls: Server) -> None:
    message = '{"type": "step", "data": {"calls": [{"name": "wash", "arguments": {"thing": %s}}]}}'

    async def send() -> None:
        address = by_calls.address.replace("http", "ws") + "/ws"
        async with websockets.connect(address, max_size=None) as socket:
            await socket.send(json.dumps({"type": "reset", "data": {"scenario": COOKING}}))
            await socket.recv()
            for value, why in (("1e999", "no JSON"), ("[" * 900 + "]" * 900, "")):
                await socket.send(message % value)
                told = json.loads(await asyncio.wait_for(socket.recv(), 20))
                assert told["type"] in ("observation", "error") and why in str(told)

    asyncio.run(send())
    assert httpx.get(f"{by_calls.address}/health").json() == {"status": "healthy"}


def test_calls_where_words_are_asked_for_are_refused_and_the_session_goes_on(server: Server) -> None:
    with WorldClient(base_url=server.address).sync() as session:
        assert session.reset(seed=0, scenario=COOKING).observation.tools == []
        with pytest.raises(RuntimeError, match="there are no tools to call; method=calls has some"):
            session.step(ReplyAction(calls=[ToolUse(name="wait")]))
        assert not session.step(ReplyAction(text="wait")).observation.refused


class Session:
    """A client's session as a face for adversaries."""

    def __init__(self, session: Any, scenario: str, setting: Setting) -> None:
        self.session, self.scenario, self.setting = session, scenario, setting

    def begin(self) -> bool:
        return bool(self.session.reset(seed=0, scenario=self.scenario).done)

    def reply(self, text: str) -> tuple[float, bool]:
        result = self.session.step(ReplyAction(text=text))
        return result.reward, result.done

    def leave(self) -> float:
        result = self.session.step(ReplyAction(text="", leave=True))
        assert result.done and result.observation.why == "the learner has left"
        with pytest.raises(RuntimeError, match="the episode is over"):
            self.session.step(ReplyAction(text="", leave=True))
        return float(result.reward)


@pytest.mark.parametrize("setting", [Setting(reward="potential"), Setting()])
def test_who_leaves_floods_or_sleeps_earns_less_than_who_plays(tmp_path: Path, setting: Setting) -> None:
    scenario = "robotouille/synchronous/1@seed=42"
    with (
        serving(tmp_path, scenario, "--reward", setting.reward) as server,
        WorldClient(base_url=server.address).sync() as session,
    ):
        assert not gamed(earnings(Session(session, scenario, setting)))


def test_beside_partners_a_client_is_paid_what_its_seat_adds(tmp_path: Path) -> None:
    scenario, setting = "clocked_kitchen/level_0@tau=1.5", Setting(partners="greedy", pay="relative")
    beside = ("--play", "partner=greedy", "--reward", "metric@pay=relative")
    with (
        serving(tmp_path, scenario, *beside) as server,
        WorldClient(base_url=server.address).sync() as session,
    ):
        table = earnings(Session(session, scenario, setting))
    assert not gamed(table) and table["greedy"] > 0 == table["sleeps"]


BROKEN = ("", "nonsense", "[]", "3", "null", '{"type": 3}', '{"type": "step", "data": []}', "[" * 100_000)


@pytest.mark.parametrize("message", [*BROKEN, '{"type": "step", "data": {"text": 3}}', "z" * (9 << 20)])
def test_broken_messages_end_at_most_their_own_session(server: Server, message: str) -> None:
    async def send() -> None:
        address = server.address.replace("http", "ws") + "/ws"
        async with websockets.connect(address, max_size=None) as socket:
            with contextlib.suppress(websockets.ConnectionClosed):
                await socket.send(message)
                told = json.loads(await asyncio.wait_for(socket.recv(), 20))
                assert told["type"] == "error", told

    asyncio.run(send())
    assert httpx.get(f"{server.address}/health").json() == {"status": "healthy"}


def test_plain_http_has_the_task_api_resets_and_bounds(server: Server) -> None:
    with httpx.Client(base_url=server.address, timeout=60) as client:
        assert client.get("/list_environments").json() == ["backburner"]
        splits = [split["name"] for split in client.get("/backburner/splits").json()]
        assert splits == ["timearena/quick", "cuisineworld/quick", "recipe2plan/quick"]
        asked = {"split": "timearena/quick"}
        assert client.post("/backburner/num_tasks", json=asked).json() == {"num_tasks": 18}
        task = client.post("/backburner/task", json={**asked, "index": 0}).json()["task"]
        assert task == {"id": "timearena/quick#0", "index": 0, "scenario": COOKING}
        unknown = client.post("/backburner/num_tasks", json={"split": "nowhere"})
        assert unknown.status_code == 400 and "no split" in unknown.json()["detail"]
        begun = client.post("/reset", json={"seed": 1, "scenario": COOKING}).json()
        assert begun["observation"]["scenario"] == COOKING
        refused = client.post("/reset", json={"scenario": "nowhere"})
        assert refused.status_code == 400 and "unknown scenario" in refused.json()["detail"]
        step = client.post("/step", json={"action": {"text": "wait"}})
        assert step.status_code == 400 and "reset first" in step.json()["detail"]
        assert client.post("/reset", content=b"x" * (9 << 20)).status_code == 413
        schema = client.get("/schema").json()
        assert schema["action"]["properties"]["text"]["type"] == "string"
        assert {"scenario", "seed", "total_reward"} <= set(schema["state"]["properties"])


def test_a_client_that_hangs_up_in_the_midst_leaves_its_place(server: Server) -> None:
    async def hang_up() -> None:
        address = server.address.replace("http", "ws") + "/ws"
        for _ in range(12):
            async with websockets.connect(address) as socket:
                await socket.send(json.dumps({"type": "reset", "data": {"scenario": COOKING}}))
                socket.transport.abort()

    asyncio.run(hang_up())
    with WorldClient(base_url=server.address).sync() as session:
        assert not session.reset(seed=0, scenario=COOKING).done


def test_the_client_of_the_page_plays(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "language-model-training.md"
    example = next(part for part in page.read_text().split("```python\n") if "WorldClient" in part)
    code = example.split("```")[0].replace("http://127.0.0.1:8000", server.address)
    exec(compile(code, page.name, "exec"), {})  # noqa: S102  our own page
    assert capsys.readouterr().out.split() == ["0.0", "time", "limit", "0.0", "0.0"]


FOREIGN = ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Host": "evil.example"})


@pytest.mark.parametrize("headers", FOREIGN)
def test_pages_of_others_and_other_names_are_refused(server: Server, headers: dict[str, str]) -> None:
    for path in ("/metadata", "/health", "/schema"):
        assert httpx.get(f"{server.address}{path}", headers=headers).status_code == 403
    assert httpx.post(f"{server.address}/reset", json={}, headers=headers).status_code == 403

    async def connect() -> None:
        address = server.address.replace("http", "ws") + "/ws"
        extra = {name: value for name, value in headers.items() if name == "Origin"}
        async with websockets.connect(address, additional_headers=extra):
            pass

    if "Origin" in headers:
        with pytest.raises(websockets.InvalidStatus, match="403"):
            asyncio.run(connect())
    own = {"Origin": server.address}
    assert httpx.get(f"{server.address}/metadata", headers=own).status_code == 200


def test_beyond_this_machine_nobody_plays_without_the_token(tmp_path: Path) -> None:
    token = "-".join(("a", "key", "of", "the", "hosts", "own"))
    (tmp_path / "token").write_text(token)
    with serving(tmp_path, COOKING, "--listen", "0.0.0.0:0", "--token-file", "token") as guarded:
        address = guarded.address.replace("0.0.0.0", "127.0.0.1")  # noqa: S104
        assert httpx.get(f"{address}/health").status_code == 200
        for headers in ({}, {"Authorization": "Bearer another"}, {"Authorization": token}):
            answer = httpx.post(f"{address}/reset", json={}, headers=headers)
            assert answer.status_code == 401 and "token" in answer.json()["detail"]
            with pytest.raises(Exception, match=r"403|reject"):
                WorldClient(base_url=address, headers=headers).sync().reset(seed=0)
        with WorldClient(base_url=address, headers={"Authorization": f"Bearer {token}"}).sync() as session:
            assert session.reset(seed=0).observation.scenario == COOKING


def test_a_token_is_made_where_none_is_named_and_the_address_is_open(tmp_path: Path) -> None:
    command = [str(BACKBURNER), "env-server", COOKING, "--listen", "0.0.0.0:0"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        address = process.stdout.readline().strip().replace("0.0.0.0", "127.0.0.1")  # type: ignore[union-attr]  # noqa: S104
        told = process.stderr.readline()  # type: ignore[union-attr]
        header = told.partition("Authorization: ")[2].strip()
        assert header.startswith("Bearer ") and len(header) > 25
        assert httpx.post(f"{address}/reset", json={}).status_code == 401
        answer = httpx.post(f"{address}/reset", json={}, headers={"Authorization": header}, timeout=60)
        assert answer.json()["observation"]["scenario"] == COOKING
    finally:
        process.terminate()
        process.wait(20)

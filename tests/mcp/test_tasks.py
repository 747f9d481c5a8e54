"""Jobs as tasks: what asking for one means, questions, cancelling; all on the clock of the world."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

pytest.importorskip("mcp_types")

import mcp_types as types
from mcp.client.client import Client
from mcp.client.extension import advertise
from mcp.shared.exceptions import MCPError
from pydantic import ConfigDict

from backburner.kernel import registry
from backburner.kernel.episode import Entry, Record
from backburner.mcp.server import Face
from backburner.mcp.session import Session, Table
from backburner.mcp.tasks import EXTENSION
from backburner.worlds.desk.game.state import Cancel, Check, Reply, Start, Wait
from support.desk.days import day, world_of
from support.small_worlds.kiln import POTTER, Pottery


class Anything(types.Result):
    """A result with all that is in it."""

    model_config = ConfigDict(extra="allow")


Ask = Callable[..., Awaitable[dict[str, Any]]]


async def played(
    doing: Callable[[Ask], Awaitable[None]], polls: Any = "wait", world: Any = None
) -> list[str]:
    """What is recorded of a client that knows of tasks: every answer, and the minute after the last."""
    records: list[Record] = []
    world = world or Pottery()
    (seat,) = world.seats
    session = Session(Table(world, seat, sink=records.append))
    async with Client(Face(session, polls, b"secret").server, extensions=[advertise(EXTENSION)]) as client:

        async def ask(method: str, **params: Any) -> dict[str, Any]:
            request = types.Request[dict[str, Any], str](method=method, params=params)
            found = await client.session.send_request(request, Anything)
            return found.model_dump(by_alias=True, exclude={"meta"})

        await doing(ask)
    answers = [record.answers[seat].text for record in records if isinstance(record, Entry)]
    return [*answers, str(session.microseconds // 60_000_000)]


async def fire(ask: Ask, thing: str) -> dict[str, Any]:
    return await ask("tools/call", name="fire", arguments={"thing": thing})


def test_a_job_is_a_task_whose_first_poll_jumps_to_its_end() -> None:
    """vase 0-1, fired 1-11; bowl 1-2, fired 2-6: told while the vase is waited for."""

    async def both(ask: Ask) -> None:
        vase, bowl = await fire(ask, "vase"), await fire(ask, "bowl")
        assert (vase["resultType"], vase["status"], vase["ttlMs"], vase["pollIntervalMs"]) == (
            *("task", "working"),
            *(None, 1),
        )
        assert vase["createdAt"] == "2030-01-07T09:01:00Z" and vase["taskId"] != bowl["taskId"]
        assert len(vase["taskId"]) == 32
        done = await ask("tasks/get", taskId=vase["taskId"])
        assert (done["resultType"], done["status"]) == ("complete", "completed")
        assert done["lastUpdatedAt"] == "2030-01-07T09:11:00Z"
        told = {"ok": True, "job": "vase#1", "status": "done", "glaze": ""}
        assert done["result"]["structuredContent"] == {**told, "now": "vase: done\nbowl: done\n\nMinute 11."}
        assert (await ask("tasks/get", taskId=bowl["taskId"]))["status"] == "completed"

    assert asyncio.run(played(both)) == ["fire vase", "fire bowl", "await vase", "11"]


@pytest.mark.parametrize("times", [1, 100])
def test_it_does_not_matter_how_often_a_client_polls(times: int) -> None:
    async def polling(ask: Ask) -> None:
        task = await fire(ask, "vase")
        for _ in range(times):
            done = await ask("tasks/get", taskId=task["taskId"])
        assert done["status"] == "completed"

    assert asyncio.run(played(polling)) == ["fire vase", "await vase", "11"]


def test_a_silent_job_is_checked() -> None:
    """tile 0-1, fired 1-6. Checks begin at 1, 3, 5 in vain; that of 7 finds it done, and ends at 9."""

    async def polling(ask: Ask) -> None:
        task = await fire(ask, "tile")
        found = [(await ask("tasks/get", taskId=task["taskId"]))["status"] for _ in range(5)]
        assert found == ["working"] * 3 + ["completed"] * 2

    assert asyncio.run(played(polling)) == ["fire tile", *["check tile"] * 4, "9"]


def test_polls_may_be_free_or_cost_a_check() -> None:
    async def polling(ask: Ask) -> None:
        task = await fire(ask, "bowl")
        for _ in range(2):
            await ask("tasks/get", taskId=task["taskId"])

    assert asyncio.run(played(polling, "free")) == ["fire bowl", "1"]
    assert asyncio.run(played(polling, "cost")) == ["fire bowl", "check bowl", "check bowl", "5"]


@pytest.mark.parametrize("polls", ["wait", "cost"])
def test_to_ask_for_a_task_that_asks_costs_nothing(polls: str) -> None:
    async def polling(ask: Ask) -> None:
        task = await fire(ask, "urn")
        for _ in range(9):
            await ask("tasks/get", taskId=task["taskId"])

    decided = asyncio.run(played(polling, polls))
    assert decided[0] == "fire urn" and len(decided) <= 4


def test_a_question_is_an_elicitation_and_the_update_its_answer() -> None:
    """urn 0-1, asks at 3; the wrong glaze costs a minute, the right one one more; 4 left: 5-9."""

    async def asked(ask: Ask) -> None:
        id = (await fire(ask, "urn"))["taskId"]
        task = await ask("tasks/get", taskId=id)
        assert task["status"] == "input_required"
        (key, request), *_ = task["inputRequests"].items()
        assert request["method"] == "elicitation/create" and request["params"]["message"] == "Which glaze?"
        assert request["params"]["requestedSchema"]["properties"]["value"]["enum"] == ["red", "blue"]
        declined = {"9": _accept("red"), key: {"action": "decline"}}
        assert (await ask("tasks/update", taskId=id, inputResponses=declined)) == {"resultType": "complete"}
        await ask("tasks/update", taskId=id, inputResponses={key: _accept("green")})
        (again, _), *_ = (await ask("tasks/get", taskId=id))["inputRequests"].items()
        assert again != key
        await ask("tasks/update", taskId=id, inputResponses={again: _accept("red")})
        done = await ask("tasks/get", taskId=id)
        assert done["result"]["structuredContent"]["glaze"] == "red"

    expected = ["fire urn", "await urn", "reply urn green", "reply urn red", "await urn", "9"]
    assert asyncio.run(played(asked)) == expected


def _accept(value: str) -> dict[str, Any]:
    return {"action": "accept", "content": {"value": value}}


def test_cancelling_is_a_decision_once_and_what_broke_is_an_error_of_the_tool() -> None:
    async def ended(ask: Ask) -> None:
        vase, plate = (await fire(ask, "vase"))["taskId"], (await fire(ask, "plate"))["taskId"]
        for _ in range(2):
            assert await ask("tasks/cancel", taskId=vase) == {"resultType": "complete"}
        assert (await ask("tasks/get", taskId=vase))["status"] == "cancelled"
        broken = await ask("tasks/get", taskId=plate)
        assert (broken["status"], broken["result"]["isError"]) == ("completed", True)

    assert asyncio.run(played(ended)) == ["fire vase", "fire plate", "cancel vase", "await plate", "5"]


def test_news_that_a_task_hid_come_with_the_next_words() -> None:
    """bowl 0-1, fired 1-5; the vase of 5-6 is a task; the next refusal tells that the bowl is done."""

    async def hidden(ask: Ask) -> None:
        await fire(ask, "bowl")
        for _ in range(3):
            await fire(ask, "cup")
        await fire(ask, "vase")
        told = await fire(ask, "cup")
        assert told["isError"] and told["structuredContent"]["now"] == "Meanwhile:\n\nbowl: done\n\nMinute 6."

    assert asyncio.run(played(hidden))[-1] == "6"


def test_a_task_of_an_episode_that_is_over_is_cancelled() -> None:
    """tile is never checked; waiting for an urn that asks goes on to the horizon."""

    async def late(ask: Ask) -> None:
        tile = (await fire(ask, "tile"))["taskId"]
        for _ in range(59):
            await fire(ask, "cup")
        over = await fire(ask, "bowl")
        assert over["structuredContent"]["told"] == "not carried out: the episode is over"
        assert (await ask("tasks/get", taskId=tile))["status"] == "cancelled"

    assert asyncio.run(played(late))[-1] == "60"


def test_who_does_not_know_of_tasks_is_answered_at_once_and_may_ask_for_none() -> None:
    async def plain() -> None:
        for mode in ("legacy", "auto"):
            face = Face(Session(Table(Pottery(), POTTER)), "wait", b"secret")
            async with Client(face.server, mode=mode) as client:
                found = await client.call_tool("fire", {"thing": "bowl"})
                told = {"ok": True, "job": "bowl#1", "status": "working"}
                assert found.structured_content == {**told, "now": "Minute 1."}
                request = types.Request[dict[str, Any], str](method="tasks/get", params={"taskId": "0"})
                with pytest.raises(MCPError) as error:
                    await client.session.send_request(request, Anything)
                assert error.value.code == types.MISSING_REQUIRED_CLIENT_CAPABILITY

    asyncio.run(plain())


def test_an_unknown_task_is_an_invalid_parameter() -> None:
    async def unknown(ask: Ask) -> None:
        with pytest.raises(MCPError) as error:
            await ask("tasks/get", taskId="0" * 32)
        assert error.value.code == types.INVALID_PARAMS

    assert asyncio.run(played(unknown)) == ["0"]


def test_jobs_at_a_desk_are_tasks() -> None:
    """Refunds 0-1, exported 1-7. The build 1-3 fails in silence at 7; a check of 7-10 tells it."""
    desk = registry.world("desk/made/counter")

    async def polling(ask: Ask) -> None:
        ids = []
        for name, arguments in (("export", {"subject": "refunds"}), ("build", {})):
            task = await ask("tools/call", name=name, arguments=arguments)
            assert task["resultType"] == "task"
            ids.append(task["taskId"])
        refunds, build = [await ask("tasks/get", taskId=id) for id in ids]
        told = {
            "ok": True,
            "job": "export refunds#1",
            "status": "done",
            "columns": ["total"],
            "rows": [[1730]],
        }
        assert {name: refunds["result"]["structuredContent"][name] for name in told} == told
        assert (build["lastUpdatedAt"], build["result"]["isError"]) == ("2030-01-07T09:10:00Z", True)

    texts = ["export(subject=refunds)", "build()", "wait(wakes=export refunds)", "check(job=build)"]
    assert asyncio.run(played(polling, world=desk)) == [*texts, "10"]


def test_all_that_is_done_about_a_job_at_a_desk_is_read_as_that() -> None:
    desk: Any = registry.world("desk/made/counter")
    state = desk.step(desk.start(0), {"agent": Start("export", "orders")}).state
    (name,) = desk.jobs(desk.observe(state, "agent"))
    meant = (Wait(wakes=("export orders",)), Check("export orders"), Cancel("export orders"))
    for deed, decision in zip(("await", "check", "cancel"), meant, strict=True):
        assert desk.parse(state, "agent", desk.job_text(deed, name)) == decision
    assert desk.parse(state, "agent", desk.job_text("reply", name, "a, b")) == Reply("export orders", "a, b")


def test_a_task_is_waited_for_minute_by_minute_where_every_minute_is_asked_about() -> None:
    """0-3 by hand, and 3-4 what runs to 9; while the hands are held the job is a task as well."""
    jobs = [{"tool": "file", "hands": 3, "deliverable": {}}, {"tool": "run", "runs": [5], "deliverable": {}}]

    async def one_after_the_other(ask: Ask) -> None:
        for name, minute in (("file", "03"), ("run", "09")):
            begun = await ask("tools/call", name=name, arguments={})
            assert begun["status"] == "working"
            done = await ask("tasks/get", taskId=begun["taskId"])
            assert (done["status"], done["lastUpdatedAt"]) == ("completed", f"2030-01-07T09:{minute}:00Z")

    filed, run = ["file()", *["wait(wakes=file)"] * 2], ["run()", *["wait(wakes=run)"] * 5]
    world = world_of({**day(jobs), "asks": "always"})
    assert asyncio.run(played(one_after_the_other, world=world)) == [*filed, *run, "9"]

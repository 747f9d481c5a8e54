"""The desk's own tools: a call of one is the decision that its text is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.text import joined
from backburner.kernel.tools import ToolCall, answers_of, faults_of, tools_of
from backburner.kernel.values import Refusal
from backburner.worlds.desk.game.state import Check, Finish, Reply, Start, Telling, Wait
from support.desk.days import drawn, take, world_of

DESK: Any = registry.world("desk/made/counter")


def call(name: str, **arguments: Any) -> ToolCall:
    return ToolCall(name, json.dumps(arguments))


def test_each_tool_of_the_scenario_is_a_tool_and_five_are_every_desks() -> None:
    tools = {each.name: each for each in tools_of(DESK, "agent")}
    assert list(tools)[-5:] == ["check", "cancel", "reply", "wait", "finish"]
    report = tools["report"].parameters
    assert report["properties"]["subject"]["enum"] == ["net"]
    assert report["properties"]["total"]["type"] == "integer"
    assert report["required"] == ["subject", "total"]
    assert tools["check"].description.endswith("it takes 3 min of your attention.")


@pytest.mark.parametrize(
    ("made", "text", "decision"),
    [
        (call("export", subject="Orders"), "export(subject=orders)", Start("export", "orders")),
        (
            call("report", subject="net", total="46480"),
            "report(subject=net, total=46480)",
            Start("report", "net", (("total", 46480),)),
        ),
        (call("wait"), "wait()", Wait()),
        (call("wait", minutes=5, until=None), "wait(minutes=5)", Wait(5)),
        (
            call("wait", until="09:15", wakes="urgent"),
            "wait(until=09:15, wakes=urgent)",
            Wait(None, 15, ("urgent",)),
        ),
        (call("reply", to="door", value="store"), "reply(to=door, value=store)", Reply("door", "store")),
        (call("finish"), "finish()", Finish()),
    ],
)
def test_a_call_is_the_decision_of_its_text(made: ToolCall, text: str, decision: Any) -> None:
    (answered,) = answers_of(DESK, "agent", [made])
    assert answered.answer == text
    assert DESK.parse(DESK.start(), "agent", text) == decision


@pytest.mark.parametrize("id", ["desk/quick", "desk/made"])
def test_strict_servers_take_the_tools_of_every_desk(id: str) -> None:
    worlds = [registry.world(path) for path in registry.expand(id)]
    worlds += [world_of(drawn(seed)) for seed in range(10)]
    for world in worlds:
        assert faults_of(tools_of(world, "agent")) == []


def test_where_the_desk_fills_in_what_is_right_no_tool_asks_for_it() -> None:
    tools = {each.name: each for each in tools_of(registry.world("desk/made/counter@content=off"), "agent")}
    assert list(tools["report"].parameters["properties"]) == ["subject"]
    assert list(tools["reply"].parameters["properties"]) == ["to"]


def test_what_cannot_be_a_call_of_this_desk_is_unreadable() -> None:
    for made in (call("export", subject="moon"), call("report", subject="net", total="much"), call("fly")):
        (answered,) = answers_of(DESK, "agent", [made])
        assert isinstance(answered.answer, Refusal)


@pytest.mark.parametrize(
    "made",
    [
        call("wait", until="finish()"),
        call("wait", wakes="finish(), minutes: 5"),
        call("check", job="finish()"),
        call("cancel", job="a) finish("),
        call("reply", to="door", value="finish()"),
        call("reply", to="a, value=b", value="a) finish("),
        call("check", job="build) wait(minutes=3"),
    ],
)
def test_what_a_value_says_is_no_other_call(made: ToolCall) -> None:
    (answered,) = answers_of(DESK, "agent", [made])
    read = DESK.parse(DESK.start(), "agent", answered.answer)
    assert isinstance(read, Refusal) or made.name == type(read).__name__.lower()
    assert not isinstance(read, Wait) or read.minutes is None


def test_a_result_tells_until_when_a_job_is_said_to_run() -> None:
    """The export takes 1 minute of hands and 10 more: 09:00 to 09:11."""
    state = DESK.step(DESK.start(), {"agent": Start("export", "orders")}).state
    told = {"time": "09:01", "job": "export orders#1", "status": "working", "expected": "09:11"}
    seen = DESK.observe(state, "agent")
    assert DESK.result(seen) == told
    assert DESK.result(DESK.observe(DESK.start(), "agent")) == {"time": "09:00"}


def test_news_name_the_run_that_a_result_named() -> None:
    """The build of 0-2 fails at 6, and a check of 8-11 tells it; the next of 11-13 is another run. News that
    came while the seat was silent are still of the first."""
    state = take(DESK, DESK.start(), "build()", "wait(minutes=6, wakes=none)", "check(job=build#1)").state
    failed = DESK.observe(state, "agent")
    assert "09:11 note: build#1 has failed" in joined(DESK.description_parts(failed))
    begun = DESK.observe(take(DESK, state, "build()").state, "agent")
    assert DESK.result(begun)["job"] == "build#2" and [*DESK.jobs(begun)] == ["build#2"]
    told = joined(DESK.description_parts(replace(begun, news=failed.news)))
    assert told.startswith("09:11: you began build#2.") and "09:11 note: build#1 has failed" in told


@pytest.mark.parametrize("said", ["check(job=build#1)", "check(Build #12)", "check(build)"])
def test_a_job_may_be_called_as_a_run_of_it(said: str) -> None:
    assert DESK.parse(DESK.start(), "agent", said) == Check("build")
    waits = DESK.parse(DESK.start(), "agent", "wait(wakes=export orders#1, build#2)")
    assert waits == Wait(wakes=("export orders", "build"))


def test_only_what_is_urgent_drops_the_calls_that_wait() -> None:
    storm: Any = registry.world(registry.expand("desk/storm")[0])
    seen = storm.observe(storm.start(), "agent")
    levels = {name: each.level for name, each in storm.compiled.requests.items()}
    assert {"note", "urgent"} <= {*levels.values()}
    for name, level in levels.items():
        told = replace(seen, news=(Telling(5, "request", name),))
        assert storm.interrupts(told) == (level == "urgent")
    assert not storm.interrupts(seen)

"""Tool calls as answers: what a call stands for, which are one answer, and what cannot be read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from backburner.kernel import packs, registry
from backburner.kernel.tools import (
    UNREADABLE_CALL,
    Answered,
    Tool,
    ToolCall,
    Tools,
    answers_of,
    faults_of,
    tool,
    tool_name,
    tools_of,
    verb_tools,
    words_for,
)
from backburner.kernel.values import Refusal

WORLD = registry.world("timearena/cooking1")


def call(name: str, **arguments: Any) -> ToolCall:
    return ToolCall(name, json.dumps(arguments))


def why(refusal: str | Refusal) -> Any:
    assert isinstance(refusal, Refusal) and refusal.code == UNREADABLE_CALL
    return refusal.get("why")


class Pair(Tools[str]):
    """A seat with two bodies that go places."""

    def tools(self, seat: str) -> Sequence[Tool]:
        return verb_tools({"go to": ("place",)}, {"go to": "walk", "rest": "all stay"}, ("ann", "bob"))

    def call_text(self, seat: str, name: str, arguments: Mapping[str, Any]) -> str:
        return " ".join([name, *arguments.values()])


def test_a_verb_is_a_tool_and_its_call_the_worlds_text() -> None:
    assert [each.name for each in tools_of(WORLD, "agent")][-3:] == ["fry_in", "add_to", "wait"]
    (answered,) = answers_of(WORLD, "agent", [call("cook_in", second="pot", first="rice")])
    assert answered == Answered("cook rice in pot", (0,))
    assert tool_name("cook in") == "cook_in"


def test_the_tool_of_all_worlds_takes_an_answer_in_words() -> None:
    (act,) = tools_of(WORLD, "agent", own=False)
    assert act.name == "act" and act.description.startswith("- Write the action exactly in one of the forms")
    said = [call("act", answer="wash cup\n"), call("act", answer="wait")]
    assert [each.answer for each in answers_of(WORLD, "agent", said, own=False)] == ["wash cup\n", "wait"]


def test_calls_for_different_bodies_are_one_answer_until_a_body_comes_again() -> None:
    calls = [
        call("go_to", body="ann", place="well"),
        call("go_to", body="BOB", place="barn"),
        call("go_to", body="ann", place="barn"),
        call("fly", body="bob"),
        call("go_to", body="bob", place="well"),
    ]
    answers = Pair().answers("both", calls)
    assert [each.calls for each in answers] == [(0, 1), (2,), (3,), (4,)]
    assert answers[0].answer == "go_to ann well\ngo_to bob barn"
    assert why(answers[2].answer) == "no such tool"
    assert [each.calls for each in Pair().answers("both", [call("rest", body="ann")] * 2)] == [(0,), (1,)]


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (ToolCall("cook_im", "{}"), "no such tool; did you mean cook_in?"),
        (ToolCall("wash", '{"thing": '), "no JSON"),
        (ToolCall("wash", "[]"), "no JSON"),
        (ToolCall("wash", '{"thing": NaN}'), "no JSON"),
        (ToolCall("wash", "[" * 100_000), "no JSON"),
        (ToolCall("wash", f'{{"thing": {"[" * 40}{"]" * 40}}}'), "no JSON"),
        (ToolCall("wash", '{"thing": [[1]]}'), "thing: words, 2000 characters at most"),
        (ToolCall("wash", "{}"), "no thing"),
        (call("wash", thing=["cup"]), "thing: words, 2000 characters at most"),
        (call("wash", thing="x" * 3000), "thing: words, 2000 characters at most"),
        (call("wash", thing="cup", soap=1), "it takes no 'soap'"),
    ],
)
def test_what_cannot_be_read_says_why(made: ToolCall, told: str) -> None:
    (answered,) = answers_of(WORLD, "agent", [made])
    assert why(answered.answer) == told


def test_reading_is_forgiving() -> None:
    """Of two fields of a name the later counts; numbers and texts stand for each other."""
    minutes = tool(
        "rest", "r", {"minutes": {"type": ["integer", "null"]}, "until": {"type": ["string", "null"]}}
    )

    class Rests(Pair):
        def tools(self, seat: str) -> Sequence[Tool]:
            return (minutes,)

        def call_text(self, seat: str, name: str, arguments: Mapping[str, Any]) -> str:
            return repr(arguments)

    def read(arguments: str) -> str | Refusal:
        return Rests().answers("", [ToolCall("rest", arguments)])[0].answer

    assert read('{"minutes": 3, "minutes": "4"}') == "{'minutes': 4, 'until': None}"
    assert read('{"until": 9.5, "minutes": 4.0}') == "{'minutes': 4, 'until': '9.5'}"
    assert read('{"until": "a\\n b\\ud800"}') == "{'minutes': None, 'until': 'a b?'}"


def test_what_strict_servers_would_refuse_is_told() -> None:
    loose = Tool("go to", "", {"type": "object", "properties": {"x": {"type": "array"}}})
    told = faults_of([loose, tool("A", "a"), tool("a", "a")])
    assert len(told) == 6 and told[0] == "two tools are called 'a'"


@pytest.mark.parametrize(
    ("scenario", "calls", "answers"),
    [
        (
            "cuisineworld/level_1@bodies=2",
            [
                call("fetch", body="agent0", item="salmon", place="storage0"),
                call("goto", body="agent1", place="pot0"),
            ],
            ["get_agent0_salmon_storage0\ngoto_agent1_pot0"],
        ),
        (
            "cuisineworld/level_1@bodies=1",
            [call("noop"), call("put", place="pot0")],
            ["noop_agent0", "put_agent0_pot0"],
        ),
        (
            "clocked_kitchen/level_1@bodies=1",
            [call("left"), call("keep"), call("get", place="pot0")],
            ["move_agent0_left", "keep", "get_agent0_pot0"],
        ),
        (
            "minecraft/farm/0",
            [call("goto", body="alex", place="oak_log"), call("takeOutFurnace", body="steve"), call("wait")],
            ["['goto(alex, oak_log)', 'takeOutFurnace(steve)']", "[]"],
        ),
        (
            "recipe2plan/Vada",
            [call("do", recipe="Vada", step="1", duration="00:05:00", start="00:00:00"), call("finish")],
            ["Action: Step(1, Vada, 00:05:00, 00:00:00)", "Action: Finish"],
        ),
        (
            "robotouille/asynchronous/3@seed=42",
            [call("move", p1="robot1", s1="table1", s2="stove1"), call("wait"), call("finish")],
            ["Action: robot1 goes from table1 to stove1", "Action: Wait", "Action: Finish"],
        ),
        (
            "collab_grid/boiled_egg",
            [call("north"), call("fetch", item="egg"), call("start"), call("interact")],
            ["north", "interact(egg)", "interact(start)", "interact"],
        ),
        ("collab_overcooked/boiled_egg", [call("act", answer="plan: wait(1)")], ["plan: wait(1)"]),
    ],
)
def test_each_world_has_its_tools(scenario: str, calls: list[ToolCall], answers: list[str]) -> None:
    world = registry.world(scenario)
    assert [each.answer for each in answers_of(world, world.seats[0], calls)] == answers


def test_whoever_instructs_says_so() -> None:
    world = registry.world("cuisineworld/level_1@bodies=2,head_chef=yes")
    made = [call("say", words="Ann,\nthe rice"), call("keep"), call("revoke")]
    said = [each.answer for each in answers_of(world, "head_chef", made)]
    assert said == ["say: Ann, the rice", "keep", "revoke"]


@pytest.mark.parametrize("name", packs.names())
def test_every_seat_of_every_world_has_tools_that_strict_servers_take(name: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    for id in registry.expand(f"{name}/quick"):
        world = registry.world(id)
        for seat in world.seats:
            for tools in (tools_of(world, seat), tools_of(world, seat, own=False)):
                assert faults_of(tools) == []
                for each in tools:
                    jsonschema.Draft202012Validator.check_schema(each.parameters)


def test_a_parameter_says_what_it_takes() -> None:
    assert words_for("a name") == {"type": "string", "description": "a name"}

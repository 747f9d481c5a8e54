"""The method ``calls``: what goes over to a model that calls tools, what is decided, what a record keeps."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import structs

from backburner.agents.models.answers import Fault, judged, read_answer
from backburner.agents.models.client import (
    Completion,
    Message,
    RequestDigests,
    ScriptedModel,
    Settings,
)
from backburner.agents.models.policy import model_policy
from backburner.agents.models.stand_in import StandIn
from backburner.agents.models.toolbox import NO_TOOLS, Received, Toolbox, all_written, called, calls_in
from backburner.evaluation.running.calls import (
    Books,
    Budget,
    Journal,
    JournalKeeper,
    KeptClient,
    calls_kept_by,
)
from backburner.evaluation.submissions.retelling import asked_in
from backburner.kernel import registry
from backburner.kernel.clock import Timing
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.play import play_now
from backburner.kernel.tools import ToolCall, tool
from backburner.kernel.values import Thought, canonical_json

WORLD = registry.world("timearena/cooking1")


def calls(*made: tuple[str, Any]) -> str:
    return json.dumps([{"name": name, "arguments": arguments} for name, arguments in made])


class Heard(ScriptedModel):
    """A script that keeps what it was asked."""

    asked: list[tuple[tuple[Message, ...], Toolbox]]

    async def complete(
        self, messages: Sequence[Message], settings: Settings, tools: Toolbox = NO_TOOLS
    ) -> Completion:
        self.__dict__.setdefault("asked", []).append((tuple(messages), tools))
        return await super().complete(messages, settings, tools)


def played(*replies: str, agent: str = "calls", steps: int = 3, world: Any = WORLD) -> tuple[Episode, Heard]:
    model = Heard(replies)
    policies = {seat: model_policy(agent, world, model) for seat in world.seats}
    return play_now(world, policies, 0, max_steps=steps), model


def told(model: Heard, number: int) -> list[Any]:
    """The results that the model was told before it was asked so often."""
    messages = model.asked[number][0]
    return [json.loads(message.content) for message in messages if message.role == "tool"]


WASH, WAIT, PICK = ("wash", {"thing": "cup"}), ("wait", {}), ("pick", {"thing": "rice"})


def test_several_calls_are_decided_one_after_the_other_without_asking() -> None:
    """Three decisions of one answer, at the first of which stands what it cost."""
    episode, model = played(calls(WAIT, WAIT, WAIT), "wait", steps=4)
    assert [entry.answers["agent"].text for entry in episode.entries] == ["wait"] * 4
    assert [entry.usage["agent"].calls for entry in episode.entries] == [1, 0, 0, 1]
    assert episode.entries[0].answers["agent"].thoughts == (
        Thought("call", '{"arguments":{},"name":"wait"}'),
    )
    first, second, third = told(model, 1)
    assert first == second == {"ok": True, "told": "You wait for one minute."}
    assert third == {"ok": True}


def test_a_refusal_drops_the_calls_that_wait() -> None:
    episode, model = played(calls(WAIT, ("wash", {"thing": "moon"}), WAIT), calls(WAIT), steps=3)
    assert [entry.answers["agent"].text for entry in episode.entries] == ["wait", "wash moon", "wait"]
    first, second, third = told(model, 1)
    assert first["ok"] is True
    assert second["ok"] is False and second["refused"] == "nonexistent_object" and second["told"]
    assert third == {"ok": None, "told": "not carried out: a call before it was refused"}
    assert [message.role for message in model.asked[1][0]] == [
        "system",
        "user",
        "assistant",
        *["tool"] * 3,
        "user",
    ]


def test_without_a_queue_only_the_first_is_carried_out() -> None:
    _, model = played(calls(WAIT, WAIT), calls(WAIT), agent="calls@queue=off", steps=2)
    assert told(model, 1)[1] == {"ok": None, "told": "not carried out: one answer is one decision"}


def test_what_is_urgent_drops_the_calls_that_wait_unless_the_queue_is_blind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(type(WORLD), "interrupts", lambda self, observation: True)
    assert len(played(calls(WAIT, WAIT), agent="calls", steps=2)[1].asked) == 2
    assert len(played(calls(WAIT, WAIT), agent="calls@queue=blind", steps=2)[1].asked) == 1


def test_an_unreadable_call_is_refused_as_such() -> None:
    episode, model = played(calls(("wash", None)), calls(("fly", {})), steps=2)
    for entry, why in zip(episode.entries, ("no JSON", "no such tool"), strict=True):
        refusal = entry.answers["agent"].unread
        assert refusal is not None and refusal.code == "unreadable_call" and refusal.get("why") == why
        assert [each.code for each in entry.refusals] == ["unreadable_call"]
    assert told(model, 1)[0]["told"] == "This call cannot be read: no JSON."


@pytest.mark.parametrize("arguments", ['{"thing": 1e999}', '"{\\"thing\\": -1e999}"'])
def test_a_number_that_nothing_holds_makes_arguments_unreadable_and_drops_no_call(arguments: str) -> None:
    function = f'{{"name": "wash", "arguments": {arguments}}}'
    body = f'{{"choices": [{{"message": {{"tool_calls": [{{"id": "a", "function": {function}}}]}}}}]}}'
    answer = read_answer(body.encode())
    assert called(answer.calls, WORLD.tools("agent")) == (ToolCall("wash", "", "a"),)


def test_words_without_a_call_are_read_or_refused() -> None:
    episode, _ = played("wait", steps=1)
    assert episode.entries[0].answers["agent"].text == "wait"
    refusal = played("wait", agent="calls@words=refused", steps=1)[0].entries[0].answers["agent"].unread
    assert refusal is not None and refusal.get("why") == "no call"


def test_results_may_hold_the_moment() -> None:
    """For servers that refuse what a user says after a tool."""
    _, model = played(calls(WAIT), agent="calls@notices=result")
    assert [message.role for message in model.asked[1][0]] == ["system", "user", "assistant", "tool"]
    assert told(model, 1)[0]["now"].endswith("Minute 1. Your action?")


@pytest.mark.parametrize(
    ("history", "roles"),
    [
        ("none", ["system", "user"]),
        ("1", ["system", "user", "assistant", "tool", "user"]),
        ("all", ["system", "user", *["assistant", "tool", "user"] * 3]),
    ],
)
def test_history_never_parts_a_call_from_its_result(history: str, roles: list[str]) -> None:
    _, model = played(calls(WAIT), agent=f"calls@history={history}", steps=4)
    assert [message.role for message in model.asked[3][0]] == roles
    with pytest.raises(Refused, match="history is all, none, or a number of answers, not 'some'"):
        model_policy("calls@history=some", WORLD, model)
    with pytest.raises(UnknownName, match="queue of method calls"):
        model_policy("calls@queue=maybe", WORLD, model)


@pytest.mark.parametrize(("id", "first"), [("", "call_1"), ("x", "x")])
def test_no_id_comes_again_though_the_call_that_had_it_is_left_out(id: str, first: str) -> None:
    """Eight calls in four answers, to which the provider gives one id, or none."""

    class Named(Heard):
        async def complete(self, *asked: Any) -> Completion:
            made = await super().complete(*asked)
            return structs.replace(made, calls=tuple(structs.replace(call, id=id) for call in made.calls))

    model = Named([calls(WAIT, WAIT)])
    play_now(WORLD, model_policy("calls@history=1", WORLD, model), 0, max_steps=9)
    answers = [[m.calls for m in messages if m.role == "assistant"] for messages, _ in model.asked]
    assert [len(told) for told in answers] == [0, *[1] * 4]
    ids = [call.id for told in answers for made in told for call in made]
    assert ids == [first, *(f"call_{number}" for number in range(2, 9))]


def test_a_reason_is_asked_for_and_kept() -> None:
    episode, model = played(calls(("wait", {"why": "Nothing to do."})), agent="calls@why=on", steps=1)
    assert model.asked[0][1].tools[0].parameters["required"] == ["why", "thing"]
    answer = episode.entries[0].answers["agent"]
    assert answer.text == "wait" and answer.thoughts[1] == Thought("reason", "Nothing to do.")


def test_the_briefing_leaves_out_how_answers_are_written() -> None:
    _, model = played(calls(WAIT), steps=1)
    (system, moment), tools = model.asked[0]
    assert "Write nothing but the action" not in system.content
    assert "Goal:" in system.content and moment.content == "Minute 0. Your action?"
    assert [each.name for each in tools.tools][-1] == "wait"
    (act,) = played(calls(WAIT), agent="calls@tools=act", steps=1)[1].asked[0][1].tools
    assert "Write nothing but the action" in act.description


def test_records_tell_what_was_offered() -> None:
    digests = {played("wait", agent=name, steps=1)[0].header.players["agent"].settings["tools"]
               for name in ("calls", "calls@tools=act", "calls@why=on")}  # fmt: skip
    assert len(digests) == 3


def test_decisions_by_calls_are_those_by_words() -> None:
    """The same texts, events, refusals and digests of states."""
    said = ["pick rice", "cook rice in pot", "wash moon", "wait"]
    made = [calls(PICK), calls(("cook_in", {"first": "rice", "second": "pot"})),
            calls(("wash", {"thing": "moon"})), calls(WAIT)]  # fmt: skip
    by_words, by_calls = (
        played(*lines, agent=agent, steps=8)[0] for lines, agent in ((said, "act"), (made, "calls"))
    )
    for one, other in zip(by_words.entries, by_calls.entries, strict=True):
        assert (one.digest, one.events, one.refusals) == (other.digest, other.events, other.refusals)
        assert one.answers["agent"].text == other.answers["agent"].text


def test_words_that_look_like_calls_are_told_again_as_words(tmp_path: Path) -> None:
    """Small models write a call into their words; the record has no thought of a call then."""

    class Wordy(Heard):
        async def complete(
            self, messages: Sequence[Message], settings: Settings, tools: Toolbox = NO_TOOLS
        ) -> Completion:
            answer = await super().complete(messages, settings, tools)
            return Completion(calls(WAIT)) if len(self.asked) == 1 else answer

    for agent in ("calls", "calls@words=refused"):
        model = Wordy([calls(WAIT)] * 3)
        policies = {seat: model_policy(agent, WORLD, model) for seat in WORLD.seats}
        episode = play_now(WORLD, policies, 0, max_steps=2)
        asked = asked_in(tmp_path / "record.jsonl", episode, WORLD)
        assert not asked.departed and not asked.unknown


@pytest.mark.parametrize("agent", ["calls", "calls@tools=act", "calls@history=2,notices=result,why=on"])
def test_what_was_sent_is_told_again(agent: str, tmp_path: Path) -> None:
    """By the record alone: several calls, unreadable ones, dropped ones, words beside and alone."""
    replies = [
        calls(WAIT, WAIT),
        calls(("fly", {}), WAIT),
        "wait",
        calls(WASH, WASH, WASH),
        calls(("wash", None)),
    ]
    episode, model = played(*replies, agent=agent, steps=12)
    asked = asked_in(tmp_path / "record.jsonl", episode, WORLD)
    assert not asked.unknown
    sent = [call.conversation for step in sorted(asked.calls) for call in asked.calls[step]]
    assert [[m.told for m in one] for one in sent] == [[m.told for m in one] for one, _ in model.asked]
    names = [sent.request for entry in episode.entries for sent in entry.usage["agent"].requests]
    assert [call.request for step in sorted(asked.calls) for call in asked.calls[step]] == names


def test_calls_of_a_thought_that_took_too_long_came_to_nothing() -> None:
    """Ten words at 1 a second, of which 4 seconds are allowed: nobody hears of the first answer."""
    clock = Timing(speed="1", limit="4").bound(WORLD)
    slow = f"[{', '.join([calls(WAIT)[1:-1]] * 5)}]"
    model = Heard([slow, "wait"])
    play_now(WORLD, {"agent": model_policy("calls", WORLD, model)}, 0, max_steps=2, clock=clock)
    assert told(model, 1) == [{"ok": None, "told": "not carried out: the thought took too long"}] * 5


def test_what_was_answered_before_is_not_asked_again(tmp_path: Path) -> None:
    """An episode that was broken off goes on from its journal, calls and all."""
    line = calls(WAIT, ("wash", {"thing": "moon"}), WAIT)
    first, second = Heard([line]), ScriptedModel([line], fail_at_call=4)
    records = []
    for client in (first, second):
        with (
            Journal(tmp_path / "journal") as journal,
            calls_kept_by(JournalKeeper(journal, Books(Budget()))),
        ):
            policy = model_policy("calls", WORLD, KeptClient(client))
            records.append(play_now(WORLD, {"agent": policy}, 0, max_steps=6))
    assert len(first.asked) == 3 and records[0].entries == records[1].entries


@pytest.mark.parametrize("agent", ["calls", "calls@tools=act,why=on"])
def test_a_stand_in_plays_by_calls_and_slips(agent: str) -> None:
    good = play_now(WORLD, {"agent": model_policy(agent, WORLD, StandIn(1.0))}, 0)
    assert good.ending is not None and good.ending.numbers["completed"] == 1
    assert all(t.purpose == "call" for e in good.entries for t in e.answers["agent"].thoughts)
    bad = play_now(WORLD, {"agent": model_policy(agent, WORLD, StandIn(0.3))}, 0)
    codes = {refusal.code for entry in bad.entries for refusal in entry.refusals}
    assert "unreadable_call" in codes and len(codes) > 1


def test_a_server_that_takes_no_user_after_a_tool_is_told_of() -> None:
    words = "Unexpected role 'user' after role 'tool'"
    fault = judged(400, {}, json.dumps({"error": {"message": words}}).encode(), 0.0)
    assert isinstance(fault, Fault) and fault.words.endswith("calls@notices=result tells it in another way")


# --- messages, completions and their names ------------------------------------------------------------------


def test_messages_without_calls_are_written_as_ever() -> None:
    """Journals hold completions, and requests messages, byte for byte as before there were calls."""
    assert canonical_json(Message("user", "a")) == b'{"role":"user","content":"a"}'
    assert canonical_json(Completion("wait", 3)) == b'{"text":"wait","input_tokens":3}'
    with_call = Message("assistant", "", calls=(ToolCall("wait", "{}", "x"),))
    assert msgspec.json.decode(canonical_json(with_call), type=Message) == with_call


def test_names_of_requests_tell_tools_and_calls_apart_and_no_ids() -> None:
    first = Message("user", "a")

    def name(*messages: Message, tools: Toolbox = NO_TOOLS) -> str:
        return RequestDigests().of((first, *messages), Settings(), tools)

    box = Toolbox((tool("wait", "w"),))
    assert len({name(), name(tools=box), name(tools=Toolbox(box.tools, must=True))}) == 3
    one, other, third = (
        (Message("assistant", "", calls=(ToolCall(called, "{}", id),)), Message("tool", "{}", call=id))
        for called, id in (("wait", "x"), ("wait", "y"), ("go", "x"))
    )
    assert name(*one) == name(*other) != name(*third)


def test_calls_have_one_spelling() -> None:
    tools = (tool("go", "g", {"to": {"type": "string", "description": "d"}}), tool("wait", "w"))
    received = [
        Received("go", ' {"to": "x",  "a": 1} ', "1"), Received("go", '"x"', "1"), Received("go", "x y"),
        Received("wait", ""), Received("go", '{"to"'), Received("go", '{"to": "\\ud800"}', "\n2"),
    ]  # fmt: skip
    made = called(received, tools)
    assert [each.arguments for each in made] == [
        '{"a":1,"to":"x"}', '{"to":"x"}', '{"to":"x y"}', "{}", "", '{"to":"?"}',
    ]  # fmt: skip
    assert [each.id for each in made] == ["1", "", "", "", "", "2"]
    assert len(called(received * 50, tools)) == 64


def test_arguments_that_are_deep_or_grow_are_none() -> None:
    """Of 500 lists within one another the reading goes no deeper than for 40; 1e15 is written out."""
    tools = (tool("go", "g", {"to": {"type": "string", "description": "d"}}),)
    deep = [f'{{"to": {"[" * many}{"]" * many}}}' for many in (40, 500, 50_000)]
    long = f'{{"to": [{",".join(["1e15"] * 19_000)}]}}'
    assert [each.arguments for each in called([Received("go", one) for one in (*deep, long)], tools)] == [
        ""
    ] * 4
    assert called([Received("go", f'{{"to": {"[" * 31}{"]" * 31}}}')], tools)[0].arguments
    kept = called([Received("go", f'{{"to": {"[" * 31}{"]" * 31}}}')], tools)
    assert calls_in(all_written(kept)) == (ToolCall("go", kept[0].arguments),)


def test_calls_are_found_in_what_scripts_and_records_say() -> None:
    assert calls_in('{"name":"wait","arguments":{}}') == (ToolCall("wait", "{}"),)
    assert calls_in('[{"name":"wait","arguments":null}]') == (ToolCall("wait", ""),)
    for text in ("wait", "[1]", '{"name":"wait"}', '[{"name":', '["wait"],"x":[1]', ""):
        assert calls_in(text) == ()


def test_moments_may_be_shown() -> None:
    world = registry.world("robotouille/asynchronous/3@seed=42")
    _, model = played(calls(("act", {"answer": "Wait"})), agent="calls@see=both,tools=act", world=world)
    shown = [(message.role, message.picture is not None) for message in model.asked[1][0]]
    assert shown == [("system", False), ("user", True), ("assistant", False), ("tool", False), ("user", True)]
    with pytest.raises(Refused, match="holds no picture"):
        model_policy("calls@see=both,notices=result", world, model)

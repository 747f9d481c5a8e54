"""Messages: what a method sends when it is answered from a demonstration is what it sends to any model."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from backburner.agents.models.client import Completion, Message, Settings, answered
from backburner.agents.models.methods import METHODS
from backburner.agents.models.policy import model_policy
from backburner.agents.models.toolbox import NO_TOOLS, Toolbox
from backburner.kernel import registry
from backburner.kernel.contract import decision_of
from backburner.kernel.errors import Refused
from backburner.kernel.play import play_now
from backburner.kernel.tools import answers_of
from backburner.training.export import demonstrations as asked
from backburner.training.export.conversations import Call, calls_of, conversations
from backburner.training.export.demonstrations import Demonstration, best_of, played
from backburner.training.export.thoughts import Thinker


def shown(id: str, agent: str = "oracle") -> Demonstration:
    """One agent's demonstration of a scenario."""
    world = registry.world(id)
    wanted = asked.Settings("messages", (id,), agents=(agent,))
    (found,) = played(world, wanted, best_of(world, wanted, None))
    assert isinstance(found, Demonstration), found
    return found


class Reader:
    """A model that has read conversations: it answers each with what follows there, and knows no other."""

    name = "reader"
    origin: Mapping[str, str] = {}

    def __init__(self, rows: Sequence[tuple[Message, ...]]) -> None:
        self.asked = 0
        self._next = {
            row[:place]: message
            for row in rows
            for place, message in enumerate(row)
            if message.role == "assistant"
        }

    async def complete(
        self, messages: Sequence[Message], settings: Settings, tools: Toolbox = NO_TOOLS
    ) -> Completion:
        self.asked += 1
        assert tuple(messages) in self._next, messages[-1].content
        answer = self._next[tuple(messages)]
        assert not tools.tools or {call.name for call in answer.calls} <= {each.name for each in tools.tools}
        return Completion(answer.content, calls=answer.calls)

    async def aclose(self) -> None:
        """Nothing to let go of."""


CASES = [
    ("timearena/household1+household2", "oracle", "act"),
    ("timearena/household1+household2", "greedy", "react"),
    ("timearena/lab1", "oracle", "react@calls=together"),
    ("timearena/lab1", "oracle", "react@history=last-action"),
    ("timearena/lab1", "random", "act"),
    ("timearena/lab1", "oracle", "self-plan"),
    ("timearena/lab1", "oracle", "reasoned"),
    ("timearena/lab1", "oracle", "io"),
    ("recipe2plan/Cobbler+Pancakes", "stepwise", "react"),
    ("recipe2plan/Cobbler+Pancakes", "oracle", "plan-and-solve"),
    ("robotouille/asynchronous/1@seed=42", "oracle", "react"),
    ("robotouille/asynchronous/1@seed=42", "oracle", "io-cot"),
    ("cuisineworld/level_0@tau=1.5", "oracle", "dispatcher"),
    ("cuisineworld/level_3@seats=each,tau=1.5", "greedy", "act"),
    ("collab_overcooked/baked_potato_slices", "oracle", "cook"),
    ("timearena/household1+household2", "oracle", "calls"),
    ("timearena/lab1", "random", "calls@why=on,history=2"),
    ("recipe2plan/Cobbler+Pancakes", "stepwise", "calls@tools=act"),
    ("robotouille/asynchronous/1@seed=42", "oracle", "calls@notices=result"),
    ("cuisineworld/level_3@tau=1.5", "random", "calls@history=none"),
    ("clocked_kitchen/level_3@tau=1.5", "greedy", "calls"),
    ("collab_overcooked/baked_potato_slices", "oracle", "calls@tools=act"),
    ("desk/made/counter", "oracle", "calls@tools=act"),
]


@pytest.mark.parametrize("id, agent, method", CASES)
def test_a_model_that_has_read_the_rows_is_sent_the_same_and_plays_the_same(
    id: str, agent: str, method: str
) -> None:
    """The ordinary policy of ``run`` asks for nothing that is not in the rows, byte for byte, and the answers
    that stand there play the demonstration again."""
    demonstration = shown(id, agent)
    rows = [one.messages for one in conversations(calls_of(demonstration, method, Thinker(demonstration)))]
    model = Reader(rows)
    episode = play_now(demonstration.world, model_policy(method, demonstration.world, model), 0)
    assert model.asked > 0
    assert [entry.digest for entry in episode.entries] == [
        entry.digest for entry in demonstration.episode.entries
    ]
    assert episode.ending is not None and demonstration.episode.ending is not None
    assert episode.ending.numbers == demonstration.episode.ending.numbers


@pytest.mark.parametrize("method", METHODS)
def test_every_method_has_conversations_or_says_why_not(method: str) -> None:
    """Of TimeArena: the format of any method that makes sense there."""
    demonstration = shown("timearena/lab1")
    try:
        calls = calls_of(demonstration, method, Thinker(demonstration))
    except Refused as refusal:
        assert method in ("plan-and-solve", "modulo", "cook", "agile"), refusal
        return
    assert conversations(calls)


def test_without_thoughts_only_decisions_are_said() -> None:
    demonstration = shown("timearena/lab1")
    (one,) = conversations(calls_of(demonstration, "react@calls=together", None))
    answers = [one.messages[place].content for place in one.own]
    assert all(answer.startswith("Action: ") and "\n" not in answer for answer in answers)
    for method in ("react@calls=apart", "self-plan", "reasoned"):
        with pytest.raises(Refused, match="asks for thoughts"):
            calls_of(demonstration, method, None)


def test_reasons_of_calls_are_thoughts_and_come_first() -> None:
    demonstration = shown("timearena/lab1")
    thinker = Thinker(demonstration)
    (one,) = conversations(calls_of(demonstration, "calls@why=on", thinker))
    first = one.messages[one.own[0]].calls[0]
    given = json.loads(first.arguments)
    assert next(iter(given)) == "why" and given["why"] == thinker.thought(0, "agent", "moment")
    assert [message.call for message in one.messages if message.role == "tool"] == [
        f"call_{number}" for number in range(1, len(one.own))
    ]
    with pytest.raises(Refused, match="asks for reasons"):
        calls_of(demonstration, "calls@why=on", None)


def test_calls_of_seats_that_answer_in_one_step_stay_with_their_seat() -> None:
    """Two seats are asked in every step: each has a row of its calls alone, every one with its result."""
    demonstration = shown("cuisineworld/level_3@seats=each,tau=1.5", "random")
    world: Any = demonstration.world
    rows = conversations(calls_of(demonstration, "calls", None))
    assert [row.seat for row in rows] == list(world.seats) == ["agent0", "agent1"]
    for row in rows:
        decided = [entry.answers[row.seat].decision for entry in demonstration.episode.entries]
        made = [call for place in row.own for call in row.messages[place].calls]
        assert [answered.answer for answered in answers_of(world, row.seat, made)] == [
            world.words(decision_of(world, each), row.seat) for each in decided
        ]
        told = [message.call for message in row.messages if message.role == "tool"]
        assert told == [call.id for call in made[:-1]] and len(set(told)) == len(decided) - 1


def test_what_no_tool_can_say_is_left_out() -> None:
    """A whole plan in one answer is no call of Recipe2Plan's tools."""
    with pytest.raises(Refused, match="no tool can say 'Action: Step"):
        calls_of(shown("recipe2plan/Cobbler+Pancakes"), "calls", None)


def test_thoughts_begin_as_the_prompt_wants_them() -> None:
    # The world's own template has "Thought" for Recipe2Plan, and "Reasoning" is usual.
    for id, agent, word in (
        ("recipe2plan/Cobbler+Okra-Fry", "stepwise", "Thought"),
        ("robotouille/synchronous/1@seed=42", "oracle", "Reasoning"),
    ):
        demonstration = shown(id, agent)
        one = conversations(calls_of(demonstration, "react@calls=together", Thinker(demonstration)))[-1]
        assert any(f"{word}: <your thoughts>" in message.content for message in one.messages)
        assert one.messages[-1].content.startswith(f"{word}: ")


def test_own_answers_are_told_from_examples_and_what_is_told_again() -> None:
    demonstration = shown("cuisineworld/level_0@tau=1.5")
    calls = calls_of(demonstration, "dispatcher", None)
    found = conversations(calls)
    # Each answer is somebody's own once, in the order in which it was given.
    assert [one.messages[place].content for one in found for place in one.own] == [
        answered(call.answer).content for call in calls
    ]
    others = [
        message
        for one in found
        for place, message in enumerate(one.messages)
        if message.role == "assistant" and place not in one.own
    ]
    assert len(found) > 1 and others, "a play is shown, and the last moves are told again"


def test_calls_that_go_on_are_one_conversation() -> None:
    hello, again = Message("user", "hello"), Message("user", "again")
    calls = [
        Call("a", 0, (hello,), "hi"),
        Call("b", 0, (hello,), "yes"),
        Call("a", 1, (hello, answered("hi"), again), "still"),
        Call("b", 1, (again,), "no"),
    ]
    told = [(one.seat, one.first, one.last, one.own) for one in conversations(calls)]
    assert told == [("a", 0, 1, (1, 3)), ("b", 0, 0, (1,)), ("b", 1, 1, (1,))]


def words_of(demonstration: Demonstration) -> list[str]:
    """What the one agent decides, in the world's words."""
    world: Any = demonstration.world
    return [world.words(entry.answers["agent"].decision) for entry in demonstration.episode.entries]


# --- thoughts ----------------------------------------------------------------------------------------------


def test_thoughts_tell_what_runs_what_follows_and_what_is_critical() -> None:
    """household1+household2, the shortest plan of 25 minutes, of which three moments are looked at."""
    demonstration = shown("timearena/household1+household2")
    thinker = Thinker(demonstration)
    said = [thinker.thought(entry.index, "agent", "think") for entry in demonstration.episode.entries]
    decided = words_of(demonstration)
    kettle = decided.index("activate kettle")
    # The kettle takes 4 minutes by itself: what is begun before it is done, is done meanwhile.
    assert said[kettle].startswith("Nothing is under way. activate kettle runs by itself for 4 minutes")
    assert said[kettle + 1].startswith("Under way: activate kettle until minute ")
    # Pouring the tea ends last, at 25, so that nothing may delay it.
    assert "critical path" in said[-1] and "With that everything is begun." in said[-1]
    assert not any("critical path" in thought for thought in said[:3])


def test_a_thought_about_a_wait_says_what_is_waited_for() -> None:
    demonstration = shown("timearena/lab1", "random")
    thinker = Thinker(demonstration)
    waits = [index for index, words in enumerate(words_of(demonstration)) if words == "wait"]
    said = [thinker.thought(index, "agent", "think") for index in waits]
    assert said
    assert all("could be begun, but I let time pass" in one or "so I wait" in one for one in said), said


def test_thoughts_about_all_of_play_have_its_times() -> None:
    demonstration = shown("timearena/lab1")
    thinker = Thinker(demonstration)
    plan = thinker.thought(0, "agent", "plan").splitlines()
    assert demonstration.objective == 13 and any(" to 13: " in line for line in plan)
    assert plan[0].startswith("minute 0 to ")
    durations = thinker.thought(0, "agent", "estimates").splitlines()
    assert len(durations) == len(set(durations)) and all("minute" in line for line in durations)

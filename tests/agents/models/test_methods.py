"""Prompting methods, driven by scripts: what is sent, what is remembered, what is recorded."""

from __future__ import annotations

import asyncio

import pytest
from msgspec import structs

from backburner.agents.models import (
    Choices,
    Completion,
    Message,
    ScriptedModel,
    first_prompt,
    model_policy,
)
from backburner.agents.models.client import decoding_of
from backburner.kernel import claims, packs
from backburner.kernel.errors import UnknownName
from backburner.kernel.play import play, play_now
from backburner.kernel.policy import Turn
from backburner.kernel.registry import world
from backburner.kernel.values import WHOLE_ANSWER, Thought, Usage

ACT_OPENING = """\
You carry out a task in a world where time passes. Each message tells you how things stand; \
reply with your next decision, in the form that is asked for.

Boil the tea.

Minute 0. Your action?"""

REACT_OPENING = """\
You carry out a task in a world where time passes. For each decision you are asked twice: first for \
your thoughts, then for the decision itself, in the form that is asked for.

Boil the tea.

Minute 0. Your action?
"""

THINK = """
Do not decide yet. Write down your thoughts first: what is under way, what could be begun now, and \
which next step lets everything be finished soonest. Prefer to have work going on side by side, and \
do not stand idle while there is something useful to do."""

DECIDE = """\
Now decide in keeping with these thoughts. Reply with the decision alone, in the form that was asked \
for."""


ARENA = world("timearena/household9")
METHODS = ("act", "react")


def turn(index: int) -> Turn:
    """A turn of a world that says little."""

    def unasked():
        raise AssertionError("a prompting method looks at words only")

    class Unseen:
        """The policy hands it to the world; nobody looks into it."""

        def __getattribute__(self, name):
            unasked()

    return Turn(
        "cook", index, 0, Unseen, lambda: f"Minute {index}. Your action?", lambda: "Boil the tea.", unasked
    )


def talk(policy, n_turns: int):
    """The replies to the first ``n_turns`` turns."""
    replies, memory = [], None
    for index in range(n_turns):
        replies.append(asyncio.run(policy.decide(turn(index), memory)))
        memory = replies[-1].memory
    return replies


def test_act_asks_once_and_keeps_the_conversation():
    first, second = talk(model_policy("act", ARENA, ScriptedModel(["heat water", "wait"])), 2)
    assert (first.answer, second.answer) == ("heat water", "wait")
    assert second.memory.conversation == (
        Message("user", ACT_OPENING),
        Message("assistant", "heat water"),
        Message("user", "Minute 1. Your action?"),
        Message("assistant", "wait"),
    )
    assert first.memory.conversation == second.memory.conversation[:2]
    assert first.thoughts == second.thoughts == ()


def test_react_thinks_before_each_decision_and_the_thoughts_stay():
    script = ScriptedModel(["water takes long", "heat water", "nothing to do", "wait"])
    first, second = talk(model_policy("react", ARENA, script), 2)
    assert (first.answer, second.answer) == ("heat water", "wait")
    assert first.thoughts == (Thought("think", "water takes long"),)
    assert second.thoughts == (Thought("think", "nothing to do"),)
    assert second.memory.conversation == (
        Message("user", REACT_OPENING + THINK),
        Message("assistant", "water takes long"),
        Message("user", DECIDE),
        Message("assistant", "heat water"),
        Message("user", "Minute 1. Your action?\n" + THINK),
        Message("assistant", "nothing to do"),
        Message("user", DECIDE),
        Message("assistant", "wait"),
    )
    assert first.memory.conversation == second.memory.conversation[:4]


def test_every_call_of_a_decision_is_counted():
    """Two calls with 3 and 1 tokens of answer; the second reads the first's conversation again."""

    class Metered(ScriptedModel):
        async def complete(self, messages, settings) -> Completion:
            return Completion("a b c" if len(messages) == 1 else "wait", 10 * len(messages), 3, 0.25)

    (reply,) = talk(model_policy("react", ARENA, Metered([""])), 1)
    requests = reply.usage.requests
    assert [sent.said for sent in requests] == [0, WHOLE_ANSWER], "the first thought, the decision's own text"
    spent = Usage(seconds=0.5, calls=2, input_tokens=10 + 30, output_tokens=3 + 3)
    assert reply.usage == structs.replace(spent, requests=requests)


@pytest.mark.parametrize("method", METHODS)
def test_the_first_prompt_can_be_shown_before_anything_is_asked(method):
    seen = []

    def script(messages):
        seen.append(list(messages))
        return "wait"

    play_now(ARENA, model_policy(method, ARENA, ScriptedModel(script)), max_steps=1)
    assert first_prompt(method, ARENA) == seen[0]


def test_a_whole_episode_is_played_recorded_and_replayed():
    """radio 0-7 in the background; humming 1-2, newspaper found 2-5 and read 5-10, quilt folded 10-13.

    The answer that nobody can read costs its minute and is recorded with its raw text.
    """
    said = ["activate radio", "I hum a tune", "find newspaper", "read newspaper", "fold quilt"]
    script = ScriptedModel([text for n, answer in enumerate(said) for text in (f"thought {n}", answer)])
    episode = play_now(world("timearena/household9"), model_policy("react", ARENA, script))
    assert episode.ending.numbers == {"minutes": 13, "score": 100, "completed": 1}
    answers = [entry.answers["agent"] for entry in episode.entries]
    assert [answer.text for answer in answers] == said
    assert [answer.unread is None for answer in answers] == [True, False, True, True, True]
    assert [answer.thoughts for answer in answers] == [(Thought("think", f"thought {n}"),) for n in range(5)]
    assert all(entry.usage["agent"].calls == 2 for entry in episode.entries)
    assert claims.check(episode) == 5


def test_episodes_that_share_a_model_share_nothing_else():
    """Every conversation holds the goals of its own episode, and as many turns as that has had."""
    names = [f"timearena/household{number}" for number in (1, 2, 3, 9)]
    briefings = {world(name).briefing("agent") for name in names}

    def script(messages):
        opening = messages[0].content
        assert sum(briefing in opening for briefing in briefings) == 1
        assert all("Goal:" not in message.content for message in messages[1:])
        return f"{len(messages)} messages, wait"

    client = ScriptedModel(script, latency_seconds=0.001)

    async def all_at_once():
        worlds = [world(name) for name in names]
        policies = [model_policy("act", each, client) for each in worlds]
        return await asyncio.gather(
            *(play(each, policy, max_steps=4) for each, policy in zip(worlds, policies, strict=True))
        )

    for episode in asyncio.run(all_at_once()):
        texts = [entry.answers["agent"].text for entry in episode.entries]
        assert texts == [f"{n} messages, wait" for n in (1, 3, 5, 7)]


def test_the_record_says_which_model_was_asked_how():
    parrot = ScriptedModel(["wait"], name="parrot")
    policy = model_policy("act", ARENA, parrot, Choices(temperature=0.5, seed=3))
    assert policy.name == "act(parrot)"
    assert not policy.informed
    assert policy.settings["model"] == "parrot"
    assert (policy.settings["temperature"], policy.settings["seed"]) == (0.5, 3)
    assert policy.settings["decoding"] == "timearena, changed"
    assert policy.settings["prompts"] != model_policy("react", ARENA, parrot).settings["prompts"]


def test_an_unknown_method_is_answered_with_the_nearest():
    with pytest.raises(UnknownName, match="unknown prompting method 'reakt'; did you mean react"):
        model_policy("reakt", ARENA, ScriptedModel(["wait"]))


@pytest.mark.parametrize("method", ["act", "react", "react@history=last-reasoning-action"])
def test_a_silent_model_is_never_shown_an_empty_message(method: str) -> None:
    """Some providers refuse a conversation with one, and the episode would end."""
    sent: list[str] = []

    def silent(messages: list[Message]) -> str:
        sent.extend(message.content for message in messages)
        return "" if len(sent) % 2 else "\n"

    kitchen = world("timearena/cooking1")
    play_now(kitchen, model_policy(method, kitchen, ScriptedModel(silent)), max_steps=4)
    assert all(text.strip() for text in sent)
    assert "(no answer)" in " ".join(sent)


def test_thoughts_and_plans_have_room_where_replies_are_short() -> None:
    """100 tokens are CuisineWorld's for commands; they would cut off whatever is thought before these."""
    caps = {message: decoding_of("cuisineworld").of(message).max_tokens for message in ("begin", "act")}
    assert set(caps.values()) == {100}
    long = ("think", "together", "reflect", "look-back", "estimates", "plan")
    assert all(
        (decoding_of(name).of(message).max_tokens or 0) >= 512 for name in packs.names() for message in long
    )

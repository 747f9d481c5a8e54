"""A world as a conversation: what is told is what models are told, what is played is an ordinary record."""

from __future__ import annotations

import asyncio
import gc
import threading
import warnings
import weakref
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from backburner.agents.models.client import Completion, Message, ScriptedModel
from backburner.agents.models.policy import model_policy
from backburner.agents.models.toolbox import Received, called
from backburner.agents.planned import demonstrator, world_agent
from backburner.arrays.rewards import encoding_or_none, score_of
from backburner.kernel import packs, registry
from backburner.kernel.claims import check
from backburner.kernel.contract import decision_of
from backburner.kernel.episode import Episode, read_episode, write_episode
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.play import play_now
from backburner.kernel.replay import final_state
from backburner.kernel.text import speaks
from backburner.kernel.tools import tools_of
from backburner.kernel.turns import LONGEST_ANSWER
from backburner.training import conversation
from backburner.training.adversaries import gold_of
from backburner.training.conversation import OWN_WORDS, Conversation, Setting
from backburner.training.pay import METRIC
from support.small_worlds.mute import Mute

COOKING = "timearena/cooking1"
SEVERAL = "collab_overcooked/baked_bell_pepper"


def scenarios() -> Iterator[str]:
    """A scenario of every world that speaks: the first of its quick suite."""
    for name in packs.names():
        scenario = registry.expand(f"{name}/quick")[0]
        if speaks(registry.world(scenario)):
            yield scenario


def setting(scenario: str, **choices: str) -> Setting:
    """With partners where there are any."""
    several = len(registry.world(scenario).seats) > 1
    return Setting(partners="greedy" if several else "", **choices)


def test_on_a_clock_a_longer_reply_comes_later() -> None:
    """A token takes a minute: five that the trainer tells and the wait itself are six; then four bytes, which
    are one token, and another wait."""
    conversation = Conversation(COOKING, 0, Setting(clock="tokens", speed="1/minute"))
    assert conversation.told.text.count("Time passes while you think: about 1 token takes a minute.") == 1
    told = conversation.reply("wait", tokens=5)
    assert told.numbers["minutes"] == 6
    assert "While you decided, 5 minutes passed." in told.text
    assert conversation.reply("wait").numbers["minutes"] == 8
    conversation.stop("enough")
    assert conversation.episode is not None and check(conversation.episode) == 4


def test_a_learner_is_shown_no_pictures() -> None:
    """Its conversations hold words alone, and what a picture would stand for is left out of none."""
    with pytest.raises(Refused, match="'act@see=picture' shows pictures"):
        Conversation(SEVERAL, 0, setting(SEVERAL, method="act@see=picture"))


@pytest.mark.parametrize(
    ("clock", "speed", "why"),
    [
        ("", "80", "a speed of 80 is that of a clock"),
        ("tokens", "", "a clock counts 'tokens', at a speed"),
        ("seconds", "80", "a clock counts 'tokens', at a speed"),
        ("tokens", "fast", "not 'fast'"),
        ("tokens", "80/step", "has no 'step' for a speed; it has tick, minute, beat"),
    ],
)
def test_a_clock_that_there_is_not_is_refused(clock: str, speed: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        Conversation(COOKING, 0, Setting(clock=clock, speed=speed))


REPLIES = ("<think>Is it hot?</think>wait", "pick meat", "[THINK]so[/THINK] nonsense", "", "Action: wait")


class Overhearing:
    """A script of replies that notes every conversation that it answers to."""

    def __init__(self) -> None:
        self.heard: list[tuple[Message, ...]] = []

    def __call__(self, messages: tuple[Message, ...]) -> str:
        self.heard.append(tuple(messages))
        return REPLIES[(len(self.heard) - 1) % len(REPLIES)]


@pytest.mark.parametrize(
    "method", ["act", "react@calls=together", "react", "self-plan", "react@history=none"]
)
@pytest.mark.parametrize("scenario", [*scenarios()])
def test_a_learner_is_told_what_a_model_is_told_and_plays_the_same_record(scenario: str, method: str) -> None:
    chosen = setting(scenario, method=method)
    world = registry.world(scenario)
    script = Overhearing()
    model = model_policy(method, world, ScriptedModel(script, name="learner"), OWN_WORDS)
    partner = demonstrator(world) if chosen.partners else model
    expected = play_now(
        world, {seat: model if seat == world.seats[0] else partner for seat in world.seats}, 3
    )

    conversation = Conversation(scenario, 3, chosen)
    for number, heard in enumerate(script.heard):
        assert conversation.messages == heard
        conversation.reply(REPLIES[number % len(REPLIES)])
    assert conversation.told.over
    played = conversation.episode
    assert played is not None
    assert played.header == expected.header or chosen.partners
    assert [entry.answers for entry in played.entries] == [entry.answers for entry in expected.entries]
    assert [entry.digest for entry in played.entries] == [entry.digest for entry in expected.entries]
    assert played.ending is not None and expected.ending is not None
    assert played.ending.numbers == expected.ending.numbers
    assert check(played) == len(played.entries)


@pytest.mark.parametrize("scenario", [*scenarios()])
def test_what_is_told_since_the_last_reply_adds_up_to_the_conversation(scenario: str) -> None:
    conversation = Conversation(scenario, 1, setting(scenario))
    told = [conversation.told]
    for _ in range(4):
        if not told[-1].over:
            told.append(conversation.reply("wait"))
    assert told[0].text == conversation.messages[0].content
    asked = [each.text for each in told if not each.over]
    assert asked == [message.content for message in conversation.messages if message.role == "user"]


def test_the_record_is_written_and_read_as_any_other(tmp_path: Path) -> None:
    conversation = Conversation(COOKING, 5)
    while not conversation.told.over:
        conversation.reply("wait")
    assert conversation.episode is not None
    write_episode(conversation.episode, tmp_path / "one.jsonl")
    episode = read_episode(tmp_path / "one.jsonl")
    assert check(episode) == len(episode.entries) == 40
    assert episode.header.agent == "act(learner)"
    assert episode.header.players["agent"].settings["temperature"] is None


def optimal(scenario: str) -> tuple[Episode, list[str]]:
    """The oracle's play, and its answers in words."""
    world = registry.world(scenario)
    episode = play_now(world, world_agent("oracle", world), 0)
    (seat,) = world.seats
    decisions = [decision_of(world, entry.answers[seat].decision) for entry in episode.entries]
    return episode, [world.words(decision, seat) for decision in decisions]  # type: ignore[attr-defined]


def test_the_best_play_is_paid_1_at_its_end_and_nothing_before() -> None:
    episode, words = optimal(COOKING)
    conversation = Conversation(COOKING, 0)
    rewards = [conversation.reply(word).reward for word in words]
    assert conversation.told.over and conversation.told.why == "completed"
    assert rewards == [0.0] * (len(words) - 1) + [1.0]
    assert conversation.metric == ("AS", 100.0)
    assert conversation.summary()["numbers"] == episode.ending.numbers  # type: ignore[union-attr]
    assert conversation.summary()["status"] == "ended"


@pytest.mark.parametrize("scenario", [*scenarios()])
def test_every_world_pays_the_metric_between_0_and_1(scenario: str) -> None:
    conversation = Conversation(scenario, 0, setting(scenario, reward=METRIC))
    while not conversation.told.over:
        assert conversation.told.reward == 0.0
        conversation.reply("wait")
    assert 0.0 <= conversation.told.reward <= 1.0


def test_a_reward_that_a_world_does_not_have_is_named_with_those_that_it_has() -> None:
    with pytest.raises(UnknownName, match="metric"):
        Conversation(COOKING, 0, Setting(reward="metrik"))


def test_what_is_refused_is_told_in_the_worlds_words() -> None:
    conversation = Conversation(COOKING, 0)
    assert conversation.told.refused == ""
    told = conversation.reply("fly to the moon")
    assert told.refused and told.refused in told.text
    assert conversation.reply("wait").refused == ""


def test_thoughts_are_no_part_of_the_reply_and_stand_in_the_record() -> None:
    conversation = Conversation(COOKING, 0)
    conversation.reply("<think>fly to the moon</think>wait")
    assert conversation.told.refused == ""
    conversation.stop("enough")
    answer = conversation.episode.entries[0].answers["agent"]  # type: ignore[union-attr]
    assert answer.text == "wait"
    assert [thought.text for thought in answer.thoughts] == ["fly to the moon"]


def test_a_reply_that_is_too_long_ends_the_episode_as_failed_and_the_record_replays() -> None:
    conversation = Conversation(COOKING, 0)
    conversation.reply("wait")
    told = conversation.reply("a" * (LONGEST_ANSWER + 1))
    assert told.over and "characters" in told.why and told.reward == 0.0
    assert conversation.summary()["status"] == "failed"
    assert check(conversation.episode) == 1  # type: ignore[arg-type]


@pytest.mark.parametrize("reply", [None, 3, b"wait", ["wait"]])
def test_a_reply_that_is_no_text_is_refused_and_play_goes_on(reply: Any) -> None:
    conversation = Conversation(COOKING, 0)
    with pytest.raises(Refused, match="a reply is a text, not"):
        conversation.reply(reply)
    assert conversation.reply("wait").refused == ""


@pytest.mark.parametrize(
    "scenario", ["timearena/cooking1", "desk/made/counter", "clocked_kitchen/level_0@tau=1.5"]
)
def test_a_learner_that_calls_tools_plays_what_a_model_plays_and_is_told_the_same(scenario: str) -> None:
    """Each answer has two waits and a call that cannot be read, beside words."""
    world = registry.world(scenario)
    wait = next(tool for tool in tools_of(world, world.seats[0]) if tool.name in ("wait", "noop"))
    made = [Received(wait.name, "{}")] * 2 + [Received("fly", '{"to": 1e999}', "x")]
    heard: list[tuple[Message, ...]] = []

    class Model(ScriptedModel):
        async def complete(self, messages: Any, settings: Any, tools: Any = None) -> Completion:
            heard.append(tuple(messages))
            return Completion("so", calls=called(made, tools.tools))

    model = model_policy("calls", world, Model(["so"], name="learner"), OWN_WORDS)
    chosen = setting(scenario, method="calls")
    players = {seat: demonstrator(world) if seat != world.seats[0] else model for seat in world.seats}
    expected = play_now(world, players, 3)
    conversation = Conversation(scenario, 3, chosen)
    assert {tool["function"]["name"] for tool in conversation.tools} >= {wait.name}
    for messages in heard:
        assert conversation.messages == messages
        conversation.reply("so", calls=made)
    assert conversation.told.over and conversation.episode is not None
    assert [entry.answers for entry in conversation.episode.entries] == [e.answers for e in expected.entries]
    assert conversation.chat[2]["tool_calls"][2]["id"] == conversation.chat[5]["tool_call_id"] == "x"
    assert {message["role"] for message in conversation.chat} == {"system", "user", "assistant", "tool"}


def test_calls_where_there_are_no_tools_are_refused_and_play_goes_on() -> None:
    conversation = Conversation(COOKING, 0)
    with pytest.raises(Refused, match="no tools to call; method=calls has some"):
        conversation.reply("", calls=[Received("wait", "{}")])
    assert conversation.tools == [] and conversation.reply("wait").refused == ""


def test_a_seed_is_a_whole_number() -> None:
    with pytest.raises(Refused, match="a seed is a whole number, not 'one'"):
        Conversation(COOKING, "one")  # type: ignore[arg-type]


def test_half_a_sign_and_a_million_signs_are_read(tmp_path: Path) -> None:
    conversation = Conversation(COOKING, 0)
    assert not conversation.reply("\ud800 pick \x00").over
    assert conversation.reply("x " * (LONGEST_ANSWER // 2)).refused
    conversation.stop("enough")
    write_episode(conversation.episode, tmp_path / "one.jsonl")  # type: ignore[arg-type]
    assert check(read_episode(tmp_path / "one.jsonl")) == 2


def test_an_episode_can_be_stopped_once_and_not_replied_to_afterwards() -> None:
    conversation = Conversation(COOKING, 0)
    told = conversation.stop("the learner has no turns left")
    assert told.over and told.why == "the learner has no turns left"
    assert conversation.stop("again") == told
    assert conversation.episode.ending.status == "stopped"  # type: ignore[union-attr]
    with pytest.raises(Refused, match="is over"):
        conversation.reply("wait")


def test_several_seats_need_partners_and_each_is_told_its_own() -> None:
    with pytest.raises(Refused, match=r"2 seats \(chef, assistant\).*partners"):
        Conversation(SEVERAL)
    with pytest.raises(UnknownName, match="chef"):
        Conversation(SEVERAL, 0, Setting(seat="cheff", partners="greedy"))
    with pytest.raises(Refused, match="2 partners for 1 seats"):
        Conversation(SEVERAL, 0, Setting(partners="greedy+greedy"))
    with pytest.raises(UnknownName, match="greedy"):
        Conversation(SEVERAL, 0, Setting(partners="greedi"))
    with pytest.raises(Refused, match="needs a model"):
        Conversation(SEVERAL, 0, Setting(partners="act"))
    chef = Conversation(SEVERAL, 0, Setting(partners="greedy"))
    assistant = Conversation(SEVERAL, 0, Setting(partners="greedy", seat="assistant"))
    assert "You are the chef" in chef.told.text and "You are the assistant" in assistant.told.text


def test_a_world_without_words_is_no_conversation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversation, "world_of", lambda scenario, rules, limits: Mute())
    with pytest.raises(Refused, match="no words"):
        Conversation("relay/one")


def test_conversations_do_not_disturb_each_other() -> None:
    first, second = Conversation(COOKING, 0), Conversation(COOKING, 0)
    first.reply("wait")
    first.reply("wait")
    assert second.told.text != first.told.text
    assert len(second.messages) == 1 and len(first.messages) == 5


def test_it_needs_no_event_loop_and_stands_in_one() -> None:
    async def within() -> str:
        return Conversation(SEVERAL, 0, Setting(partners="random")).reply("wait").text

    assert asyncio.run(within())
    told: list[str] = []
    conversation = Conversation(COOKING, 0)
    threads = [threading.Thread(target=lambda: told.append(conversation.reply("wait").text)) for _ in "ab"]
    for thread in threads:
        thread.start()
        thread.join()
    assert len(told) == 2


def test_one_that_is_dropped_in_its_midst_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does anything complain while it is taken down, which Python tells its hook and no caller."""
    gc.collect()  # what other tests have left complains before
    complaints: list[object] = []
    monkeypatch.setattr("sys.unraisablehook", complaints.append)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        conversation = Conversation(COOKING, 0)
        conversation.reply("wait")
        left = weakref.ref(conversation)
        del conversation
        gc.collect()
    assert left() is None
    assert not complaints


@cache
def good_replies(scenario: str) -> tuple[str, ...]:
    """The best plan's words; where several play, those of who shows how to."""
    world = registry.world(scenario)
    if len(world.seats) == 1:
        return gold_of(scenario, Setting(), 2).replies
    shown, seat = play_now(world, demonstrator(world), 2), world.seats[0]
    answers = (entry.answers[seat] for entry in shown.entries if seat in entry.answers)
    said: list[str] = []
    for answer in answers:
        words = world.words(decision_of(world, answer.decision), seat)  # type: ignore[attr-defined]
        said.append(answer.text or words)
    return tuple(said)


@pytest.mark.parametrize("reward", ["sparse", "score", "potential"])
@pytest.mark.parametrize("scenario", [*scenarios()])
def test_rewards_of_states_add_up_to_the_score_of_the_last_one(scenario: str, reward: str) -> None:
    """Shaped ones to the score and what the bound has fallen by."""
    world = registry.world(scenario)
    encoding = encoding_or_none(world)
    if reward == "potential" and encoding is None:
        with pytest.raises(UnknownName, match="known: metric, sparse, score"):
            Conversation(scenario, 2, setting(scenario, reward=reward))
        return
    conversation = Conversation(scenario, 2, setting(scenario, reward=reward))
    total = conversation.told.reward
    for reply in good_replies(scenario):
        if not conversation.told.over:
            total += conversation.reply(reply).reward
    while not conversation.told.over:
        total += conversation.reply("wait").reward
    state = final_state(conversation.episode, world)  # type: ignore[arg-type]
    score = score_of(world, encoding)(state)
    start = encoding.potential(world.start(2)) if reward == "potential" and encoding is not None else 0.0
    assert total == pytest.approx(score - start) and score > 0


def test_what_is_played_between_two_replies_is_one_step_to_the_learner() -> None:
    """A whole plan is one reply; a discount counts once, however many steps it takes."""
    _, words = optimal(COOKING)
    chosen = Setting(method="io", reward="potential", discount=0.5)
    conversation = Conversation(COOKING, 0, chosen)
    told = conversation.reply("\n".join(words))
    world = registry.world(COOKING)
    encoding = encoding_or_none(world)
    assert encoding is not None and told.over and len(conversation.episode.entries) > 1  # type: ignore[union-attr]
    state = final_state(conversation.episode, world)  # type: ignore[arg-type]
    assert told.reward == pytest.approx(encoding.score(state) - encoding.potential(world.start(0)))
    assert told.reward < encoding.score(state)

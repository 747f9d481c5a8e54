from __future__ import annotations

import asyncio

import msgspec
import pytest

from backburner.agents.attempts import play_attempts
from backburner.agents.models.client import ScriptedModel
from backburner.agents.models.policy import model_policy
from backburner.agents.models.stand_in import StandIn
from backburner.evaluation.records import former, journal_of
from backburner.evaluation.running.calls import (
    Books,
    Budget,
    Journal,
    JournalKeeper,
    KeptClient,
    calls_kept_by,
)
from backburner.evaluation.submissions.retelling import asked_in
from backburner.evaluation.transcripts.page import asked_data
from backburner.kernel import registry
from backburner.kernel.episode import read_episode, write_episode
from backburner.kernel.play import play_now
from backburner.kernel.wrapping import REASONING


class Listening:
    """Passes calls on, and keeps what was sent."""

    def __init__(self, client, thinks=""):
        self.client, self.thinks = client, thinks
        self.name, self.origin, self.sent = client.name, client.origin, []

    async def complete(self, messages, settings):
        self.sent.append(tuple(messages))
        completion = await self.client.complete(messages, settings)
        return msgspec.structs.replace(completion, text=self.thinks + completion.text)

    async def aclose(self):
        pass


def played(id, method, client, tmp_path, rules="standard"):
    """(the file of the last attempt, its world), the attempts before it beside it."""
    world = registry.world(id, rules=rules)
    *before, last = asyncio.run(play_attempts(world, model_policy(method, world, client)))
    file = tmp_path / "played.jsonl"
    for number, episode in enumerate(before, 1):
        write_episode(episode, former(file, number))
    write_episode(last, file)
    return file, world


def sent(asked):
    return [call.conversation for calls in asked.calls.values() for call in calls]


def words(conversations):
    return [[message.content.split() for message in messages] for messages in conversations]


COOKING, SANDWICH = "timearena/cooking1+cooking2", "robotouille/asynchronous/2@seed=42"
MEAL, SOUP = "recipe2plan/Cobbler+Okra-Fry", "collab_overcooked/baked_bell_pepper"


@pytest.mark.parametrize(
    ("id", "method"),
    [
        (COOKING, "act"),
        (COOKING, "react"),
        (COOKING, "react@history=last-reasoning-action"),
        (COOKING, "self-plan"),
        (COOKING, "reasoned"),
        (COOKING, "io@then=again"),
        (COOKING, "io-cot"),
        (COOKING, "reflexion"),
        (SANDWICH, "react@tries=3"),
        (SANDWICH, "react@tries=3,calls=apart,history=all"),
        (SANDWICH, "reflexion"),
        (MEAL, "modulo@improve=on,rounds=4"),
        (MEAL, "plan-and-solve"),
        (MEAL, "react"),
        (MEAL, "reflexion"),
        (SOUP, "cook"),
        ("cuisineworld/level_0@tau=1.5", "dispatcher"),
        ("cuisineworld/level_0@tau=1.5", "dispatcher@try=3,why=on"),
    ],
)
def test_prompts_are_made_again_word_for_word(id, method, tmp_path):
    client = Listening(StandIn(0.5, seed=3))
    file, world = played(id, method, client, tmp_path)
    again = asked_in(file, read_episode(file), world)
    assert not again.unknown
    last = client.sent[len(client.sent) - len(sent(again)) :]
    assert words(sent(again)) == words(last) if again.pieced else sent(again) == last
    calls = sum(usage.calls for _, usage in read_episode(file).costs())
    assert len(sent(again)) == calls or former(file, 1).exists()


def test_of_answers_kept_in_pieces_the_words_are_told_again(tmp_path):
    client = Listening(StandIn(0.5, seed=3))
    file, world = played(COOKING, "react@calls=together", client, tmp_path)
    again = asked_in(file, read_episode(file), world)
    assert not again.unknown and again.pieced
    assert words(sent(again)) == words(client.sent)


def test_thoughts_of_a_models_own_accord_are_in_no_prompt(tmp_path):
    client = Listening(StandIn(), thinks="<think>hmm</think>")
    file, world = played(COOKING, "react", client, tmp_path)
    episode = read_episode(file)
    assert any(t.purpose == REASONING for e in episode.entries for t in e.answers["agent"].thoughts)
    again = asked_in(file, episode, world)
    assert not again.unknown and sent(again) == client.sent


def test_a_failed_call_is_shown_with_its_prompt(tmp_path):
    """A journal, where there is one, still has the answer to the first of the two calls."""
    client = Listening(ScriptedModel(["I think", "pick rice", "I think"], then="fail", fail_at_call=4))
    file = tmp_path / "failed.jsonl"
    with Journal(journal_of(file)) as journal, calls_kept_by(JournalKeeper(journal, Books(Budget()))):
        world = registry.world(COOKING)
        episode = play_now(world, model_policy("react", world, KeptClient(client)))
    write_episode(episode, file)
    assert episode.ending.status == "failed" and len(episode.entries) == 1
    again = asked_in(file, episode, world)
    assert sent(again) == client.sent
    assert [call.answer for call in again.calls[1, "agent"]] == ["I think", None]
    journal_of(file).unlink()
    assert [call.answer for call in asked_in(file, episode, world).calls[1, "agent"]] == [None]


def test_what_cannot_be_told_is_said(tmp_path):
    file, world = played(COOKING, "act", StandIn(), tmp_path)
    episode = read_episode(file)
    player = episode.header.players["agent"]

    def with_settings(**settings):
        changed = msgspec.structs.replace(player, settings={**player.settings, **settings})
        header = msgspec.structs.replace(episode.header, players={"agent": changed})
        return msgspec.structs.replace(episode, header=header)

    assert (
        "worded otherwise"
        in asked_in(file, with_settings(prompts="0" * 16, prompts_version="own"), world).unknown["agent"]
    )
    assert "unknown prompting" in asked_in(file, with_settings(method="telepathy"), world).unknown["agent"]
    assert "no language model" in asked_in(file, with_settings(method=None), world).unknown["agent"]
    start = with_settings(choices={"start": "/etc/passwd"})
    assert "another file" in asked_in(file, start, world).unknown["agent"]


def test_an_answer_that_the_method_does_not_come_to_ends_what_is_known(tmp_path):
    file, world = played(COOKING, "react@calls=together", StandIn(0.9), tmp_path)
    episode = read_episode(file)
    entries = list(episode.entries)
    answer = msgspec.structs.replace(entries[2].answers["agent"], thoughts=())
    entries[2] = msgspec.structs.replace(entries[2], answers={"agent": answer})
    again = asked_in(file, msgspec.structs.replace(episode, entries=tuple(entries)), world)
    assert sorted(again.calls) == [(0, "agent"), (1, "agent"), (2, "agent")]
    assert "from step 2 on" in again.unknown["agent"]


def test_a_page_carries_each_message_once(tmp_path):
    file, world = played(COOKING, "react", StandIn(), tmp_path)
    asked = asked_in(file, read_episode(file), world)
    data = asked_data(asked)
    texts = [(role, text) for role, text, _ in data["messages"]]
    assert len(texts) == len(set(texts))
    before, again = [], []
    for of_step in data["calls"].values():
        for _, kept, others, _ in of_step["agent"]:
            before = [*before[:kept], *others]
            again.append([texts[place] for place in before])
    assert again == [[(m.role, m.content) for m in conversation] for conversation in sent(asked)]

"""Leaving pays for nothing: whoever goes is paid for an episode that is played on without them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from backburner.agents.planned import demonstrator
from backburner.arrays.rewards import encoding_or_none
from backburner.kernel import registry
from backburner.kernel.claims import check
from backburner.kernel.errors import PolicyStops, Refused
from backburner.kernel.play import play
from backburner.kernel.policy import Reply
from backburner.kernel.turns import LONGEST_ANSWER
from backburner.training import conversation as talk
from backburner.training.adversaries import replies_of
from backburner.training.conversation import Conversation, Setting, driven
from backburner.training.pay import MOST_STEPS, share_of, waiting

COOKING = "timearena/cooking1"
ORDERS = "cuisineworld/level_0@tau=1.5"
SHARED = "clocked_kitchen/level_0@tau=1.5"

Leave = Callable[[Conversation], Any]


def stops(conversation: Conversation) -> None:
    conversation.stop("no turns left")


def floods(conversation: Conversation) -> None:
    conversation.reply("x" * (LONGEST_ANSWER + 1))


def waits(conversation: Conversation) -> float:
    """What is earned by nothing but waiting from here on."""
    earned = 0.0
    while not conversation.told.over:
        earned += conversation.reply("wait").reward
    return earned


WAYS = [stops, floods]


@pytest.mark.parametrize("leave", WAYS)
@pytest.mark.parametrize("reward", ["potential", "value", "score", "sparse", "metric"])
def test_who_leaves_is_paid_what_waiting_to_the_end_pays(reward: str, leave: Leave) -> None:
    if reward == "value":
        pytest.importorskip("ortools", reason="the oracle needs it: pip install -e '.[solve]'")
    setting = Setting(reward=reward)
    left, waited = Conversation(COOKING, 0, setting), Conversation(COOKING, 0, setting)
    for conversation in (left, waited):
        conversation.reply("pick beef")
    leave(left)
    assert left.told.over and left.told.reward == pytest.approx(waits(waited))
    if reward in ("potential", "value"):
        assert left.told.reward < -1, "all of the potential is charged"


@pytest.mark.parametrize("leave", WAYS)
def test_the_record_holds_what_was_played_and_the_metric_the_whole(leave: Leave) -> None:
    conversation = Conversation(ORDERS, 0)
    conversation.reply("wait")
    numbers = dict(conversation.told.numbers)
    leave(conversation)
    episode = conversation.episode
    assert episode is not None and episode.ending is not None
    assert episode.ending.status == ("stopped" if leave is stops else "failed")
    assert check(episode) == len(episode.entries) == 1
    assert episode.ending.numbers == numbers == dict(conversation.told.numbers)
    assert conversation.metric == ("CoS", 0.0) and conversation.told.reward == 0.0


def test_leaving_after_the_first_order_is_no_perfect_score() -> None:
    """The orders that come and run out meanwhile count."""
    world = registry.world(ORDERS)
    shown = driven(play(world, demonstrator(world), 0, together=False))
    conversation = Conversation(ORDERS, 0)
    for reply in replies_of(world, shown, "dispatcher"):
        conversation.reply(reply)
        if conversation.told.numbers["completed"]:
            break
    conversation.stop("enough")
    assert conversation.episode is not None and share_of(conversation.episode) == 1.0
    assert 0 < conversation.told.reward < share_of(shown) / 2


def test_partners_play_on_beside_who_has_left() -> None:
    setting = Setting(partners="greedy")
    conversation, silent = Conversation(SHARED, 0, setting), Conversation(SHARED, 0, setting)
    conversation.stop("enough")
    waits(silent)
    assert conversation.told.reward == silent.told.reward > 0


def test_an_episode_without_an_end_is_played_on_so_far_and_the_rest_is_charged() -> None:
    setting = Setting(limits="none", reward="potential")
    conversation = Conversation(COOKING, 0, setting)
    world = registry.world(COOKING, limits="none")
    encoding = encoding_or_none(world)
    assert encoding is not None
    conversation.stop("enough")
    assert conversation.told.reward == pytest.approx(-encoding.potential(world.start(0)))
    assert conversation.episode is not None and not conversation.episode.entries
    assert MOST_STEPS >= 1200, "all thirty tasks of TimeArena may take as many minutes"


class Goes:
    """A partner that has enough after its first turn."""

    name, informed, settings = "goes", False, {}

    async def decide(self, turn: Any, memory: Any) -> Reply:
        if memory:
            raise PolicyStops("the partner has enough")
        return Reply(waiting(turn).answer, 1)


def test_a_partner_that_cannot_go_on_ends_the_episode_and_is_no_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talk, "make_policy", lambda spec, world: Goes())
    conversation = Conversation(SHARED, 0, Setting(partners="greedy", reward="metric"))
    while not conversation.told.over:
        conversation.reply("wait")
    assert conversation.told.why == "the partner has enough" and conversation.told.reward == 0.0


# --- what the seat adds ------------------------------------------------------------------------------------


@pytest.mark.parametrize("reward", ["metric", "score", "sparse"])
def test_relative_pay_is_what_the_seat_adds(reward: str) -> None:
    """Who waits, leaves or says nothing adds nothing; whoever works adds what it changes."""

    def earned(pay: str, reply: str | None) -> float:
        conversation = Conversation(SHARED, 0, Setting(partners="greedy", reward=reward, pay=pay))
        assert conversation.told.reward == 0.0
        total = 0.0
        while not conversation.told.over:
            told = conversation.stop("enough") if reply is None else conversation.reply(reply)
            total += told.reward
        return total

    assert earned("whole", "wait") > 0
    for reply in ("wait", "", None):
        assert earned("relative", reply) == pytest.approx(0)


def test_the_baseline_of_a_seed_is_played_once(monkeypatch: pytest.MonkeyPatch) -> None:
    talk.alone.cache_clear()
    setting = Setting(partners="greedy", pay="relative")
    for _ in range(3):
        Conversation(SHARED, 5, setting).stop("enough")
    assert talk.alone.cache_info().misses == 1
    Conversation(SHARED, 6, setting).stop("enough")
    assert talk.alone.cache_info().misses == 2


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        (Setting(pay="relative"), "name partners"),
        (Setting(pay="relativ"), "unknown pay 'relativ'; did you mean relative"),
    ],
)
def test_what_cannot_be_paid_so_is_refused(setting: Setting, told: str) -> None:
    with pytest.raises(Exception, match=told) as error:
        Conversation(COOKING, 0, setting)
    assert isinstance(error.value, Refused) or "unknown" in told

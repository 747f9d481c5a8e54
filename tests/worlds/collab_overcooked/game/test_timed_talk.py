"""Words take time, and there may be only so many of them: talk under a clock."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from backburner.kernel.claims import check
from backburner.kernel.clock import Clock, Timing, words_said
from backburner.kernel.episode import Episode
from backburner.kernel.errors import ReplayMismatch
from backburner.kernel.play import play_now
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.replay import questions, trajectory
from backburner.kernel.values import Event
from backburner.worlds.collab_overcooked.game.reading import NOTHING
from backburner.worlds.collab_overcooked.game.rule_set import Limits
from backburner.worlds.collab_overcooked.game.state import Reply as Said
from support.collab_overcooked.kitchens import world_of

EGG = world_of("boiled_egg", limits=Limits(9, 10))


class Talker:
    """Gives these answers, as texts or as decisions, and waits then without a word."""

    name, informed, settings = "talker", False, {}

    def __init__(self, *says: str, text: bool = True) -> None:
        self.says, self.text = says, text
        self.turns: list[Turn] = []

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        self.turns.append(turn)
        number = int(memory or 0)
        reply = Said("a", ("wait(1)",), self.says[number] if number < len(self.says) else NOTHING)
        return Reply(EGG.words(reply, turn.seat) if self.text else reply, number + 1)


def clock_of(**settings: Any) -> Clock:
    return Timing(mode="latency", **settings).bound(EGG)


def played(chef: Talker, assistant: Talker, clock: Clock | None) -> Episode:
    episode = play_now(EGG, {"chef": chef, "assistant": assistant}, clock=clock)
    assert check(episode, EGG) == len(episode.entries)
    return episode


def said(episode: Episode) -> Iterator[tuple[int | float, str, str]]:
    for _, entry, _ in trajectory(episode, EGG):
        yield from ((event.time, event.lane, event.label) for event in entry.events if event.what == "said")


def test_words_are_charged_to_who_has_said_them() -> None:
    """Half a second a word: the chef's 4 words are 2 steps, in which both stand, before it speaks again; the
    assistant's first 2 words are 1 step before its next answer."""
    clock = clock_of(speech="0.5")
    episode = played(Talker("Bring me an egg.", "Now."), Talker("At once.", "I do."), clock)
    assert list(said(episode)) == [
        (0, "chef", "Bring me an egg."),
        (0, "assistant", "At once."),
        (2, "chef", "Now."),
        (3, "assistant", "I do."),
    ]
    charges = [
        (seat, answer.thought.charge)
        for _, entry, _ in trajectory(episode, EGG)
        for seat, answer in entry.answers.items()
        if answer.thought is not None and answer.thought.charge
    ]
    # The chef's "Now." takes half a second more, which is carried; so does the end of the assistant's talk.
    assert charges == [
        ("chef", 2_000_000),
        ("assistant", 1_000_000),
        ("chef", 500_000),
        ("assistant", 1_000_000),
    ]


def test_words_that_cost_nothing_change_nothing() -> None:
    talk = ("Bring me an egg.", "Now."), ("At once.", "I do.")
    free, timed = (played(Talker(*talk[0]), Talker(*talk[1]), clock) for clock in (None, clock_of()))
    assert [entry.digest for entry in free.entries] == [entry.digest for entry in timed.entries]
    assert list(said(free)) == list(said(timed))


@pytest.mark.parametrize("text", [True, False])
def test_words_beyond_the_budget_are_not_heard(text: bool) -> None:
    chef = Talker("Bring me  an egg.", "Now, please!", "Hello?", text=text)
    episode = played(chef, Talker("At once.", text=text), clock_of(talk_words=5))
    assert list(said(episode)) == [
        (0, "chef", "Bring me  an egg."),
        (0, "assistant", "At once."),
        (0, "chef", "Now,"),
    ]
    first, second, third, *_ = chef.turns
    assert first.briefing.startswith("Time passes while you think. You may say 5 words to others in all.\n\n")
    assert first.text.startswith("Step 0.")
    assert second.text.startswith("You may say 1 word more.\n\n")
    assert third.text.startswith("Nothing more that you say will be heard.\n\n")
    answer = [a for entry in episode.entries if (a := entry.answers.get("chef"))][1]
    assert answer.decision.say == "Now," and (answer.text is None or "Now, please!" in answer.text)
    told = [asked.clock.told for asked in questions(episode, EGG) if asked.seat == "chef" and asked.clock]
    assert told[:3] == ["", "You may say 1 word more.", "Nothing more that you say will be heard."]


@pytest.mark.parametrize("text", [True, False])
def test_a_record_with_words_beyond_the_budget_is_refused(text: bool) -> None:
    episode = played(Talker("One two three.", text=text), Talker(text=text), clock_of(talk_words=3))
    assert episode.header.clock is not None
    tight = replace(episode.header, clock=replace(episode.header.clock, talk_words=2))
    with pytest.raises(ReplayMismatch, match="chef"):
        check(replace(episode, header=tight), EGG)


def test_a_record_in_which_speaking_took_no_time_is_refused() -> None:
    episode = played(Talker("One two three."), Talker(), clock_of(speech="1"))
    quick = replace(episode.header, clock=clock_of(speech="0.5"))
    with pytest.raises(ReplayMismatch, match=r"thought of 'chef' at step 2: its charge"):
        check(replace(episode, header=quick), EGG)


def test_only_words_in_ones_own_lane_count() -> None:
    events = [
        Event(0, "said", "chef", " two  words "),
        Event(0, "said", "assistant", "one"),
        Event(1, "start"),
    ]
    assert (words_said(events, "chef"), words_said(events, "assistant")) == (2, 1)


def test_a_reply_is_shortened() -> None:
    reply = Said("a", ("wait(1)",), "Bring me\nan egg. [END]")
    assert EGG.shortened(reply, 5) is reply
    assert EGG.shortened(reply, 3).say == "Bring me an"
    assert EGG.shortened(reply, 0) == replace(reply, say=NOTHING)
    assert EGG.shortened(replace(reply, say=NOTHING), 0).say == NOTHING
    assert EGG.shortened("a text", 0) == "a text"

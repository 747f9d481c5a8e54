"""Names of requests: the same in every process, whatever was asked before, and cheap as talk grows."""

from __future__ import annotations

import subprocess
import sys
from random import Random
from time import process_time

from backburner.agents.models.client import MOST_CONVERSATIONS, Message, RequestDigests, Settings

SETTINGS = Settings()


def said(role, *texts: str) -> tuple[Message, ...]:
    return tuple(Message(role, text) for text in texts)


def test_a_name_says_nothing_of_what_was_asked_before() -> None:
    """Conversations that grow, fork, shrink and take turns, each against a fresh start."""
    chance = Random(7)
    digests = RequestDigests()
    starts = said("user", *(f"start {number}" for number in range(2 * MOST_CONVERSATIONS)))
    conversations = {start: (start,) for start in starts}
    for _ in range(2000):
        start = chance.choice(starts)
        now = conversations[start][: chance.choice((1, 2, 1000, 1000, 1000))]
        conversations[start] = now = (*now, Message("user", f"word {chance.randint(0, 3)}"))
        assert digests.of(now, SETTINGS) == RequestDigests().of(now, SETTINGS)


def test_settings_and_places_of_messages_tell_requests_apart() -> None:
    first, second = said("user", "a", "b")
    digests = RequestDigests()
    names = {
        digests.of(messages, settings)
        for messages in ((first,), (first, second), (second, first), (first, first))
        for settings in (SETTINGS, Settings(temperature=1.0))
    }
    assert len(names) == 8


def test_names_are_the_same_in_every_process() -> None:
    """A journal of another process, or of an earlier version, is found again: the name is pinned."""
    code = (
        "from backburner.agents.models.client import Message, Settings;"
        "from backburner.agents.models.client import RequestDigests;"
        "print(RequestDigests().of([Message('user', 'a'), Message('assistant', 'b')], Settings()))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.strip() == RequestDigests().of((*said("user", "a"), *said("assistant", "b")), SETTINGS)
    assert told.strip() == "793c0e9ef7a4da5dd387c70c6ea4d314"


def test_a_name_costs_the_new_messages_alone() -> None:
    """After 3,000 messages of a conversation at most a fifth of naming all of them anew."""
    long = said("user", *(f"message {number} {'x' * 700}" for number in range(3000)))
    digests = RequestDigests()
    digests.of(long, SETTINGS)

    def seconds(make) -> float:
        def once() -> float:
            began = process_time()
            make()
            return process_time() - began

        return min(once() for _ in range(5))

    grown = (*long, *said("user", "one more"))
    anew = seconds(lambda: RequestDigests().of(grown, SETTINGS))
    assert seconds(lambda: digests.of(grown, SETTINGS)) < anew / 5

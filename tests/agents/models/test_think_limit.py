"""The longest thought: a call may generate no more than there is time left for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from backburner.agents.models import Message, model_policy
from backburner.agents.models.client import Choices, Completion, Settings
from backburner.kernel import registry
from backburner.kernel.clock import Call, Profile, TurnClock
from backburner.kernel.turns import turn_of

SECOND = 1_000_000


class Noting:
    """Answers with so many tokens; ``caps`` holds the longest answers that it was allowed."""

    name, origin = "m", {"model": "m"}

    def __init__(self, tokens: int) -> None:
        self.tokens, self.caps, self.read = tokens, list[int | None](), list[int]()

    async def complete(self, messages: Sequence[Message], settings: Settings) -> Completion:
        self.caps.append(settings.max_tokens)
        self.read.append(sum(len(message.content.encode()) for message in messages))
        return Completion("wait", 0, self.tokens)

    async def aclose(self) -> None:
        """Nothing to let go of."""


def asked(
    limit_seconds: float, profile: Profile, tokens: int = 100, most: Any = 512, pace: str = "1"
) -> Noting:
    world = registry.world("timearena/cooking1")
    limit = int(limit_seconds * SECOND)
    turn = turn_of(
        world,
        world.start(),
        world.seats[0],
        0,
        0,
        clock=TurnClock(0, profile, pace, limit_microseconds=limit),
    )
    client = Noting(tokens)
    choices = Choices(max_tokens=most)
    asyncio.run(model_policy("react", world, client, choices).decide(turn, None))
    return client


def test_each_call_may_take_what_the_calls_before_have_left() -> None:
    # 4 s at 80 a second are 320 tokens; the thought took 100 of them
    assert asked(4, Profile(decode="80")).caps == [320, 220]
    # 10.1 s are 808: nothing is raised above what was asked for
    assert asked(10.1, Profile(decode="80")).caps == [512, 512]
    # with a pace of 2 the same time holds half of it
    assert asked(4, Profile(decode="80"), pace="2").caps == [160, 60]
    # a token at least, of a thought that is cut all the same
    assert asked(1, Profile(decode="80"), tokens=500).caps == [80, 1]


def test_what_else_a_call_takes_is_taken_off() -> None:
    profile = Profile(decode="80", prefill="1000", first="0.5")
    client = asked(6, profile)
    # 6 - 0.5 = 5.5 s, and a millisecond for each token read, estimated by bytes
    read = -(-client.read[0] // 4)
    assert client.caps[0] == int((5.5 - read / 1000) * 80)
    # 100 tokens are 1.25 s; the input of the first call, which tells none, was free
    again = -(-client.read[1] // 4)
    assert client.caps[1] == int((6 - 2 * 0.5 - 1.25 - again / 1000) * 80)


@pytest.mark.parametrize("most", [None, 512])
def test_without_a_limit_or_a_speed_nothing_changes(most: int | None) -> None:
    assert asked(0, Profile(decode="80"), most=most).caps == [most, most]
    assert asked(4, Profile(), most=most).caps == [most, most]
    assert asked(4, Profile(decode="80"), most=None).caps == [320, 220]  # no end is lowered to what is left


def test_what_is_left_is_exact() -> None:
    clock = TurnClock(0, Profile(decode="3"), limit_microseconds=SECOND // 3)
    assert clock.tokens_left([]) == 0  # 333,333 us hold 0.999999 tokens
    assert TurnClock(0, Profile(decode="3"), limit_microseconds=SECOND).tokens_left([Call(output=1)]) == 2

"""What a thought costs: tokens, decimals, latencies, and the units of a world."""

from __future__ import annotations

import pytest
from msgspec import ValidationError, convert

from backburner.kernel.clock import Call, Clock, Generated, Profile, Timing, counted, drawn, units
from backburner.kernel.errors import Refused
from backburner.kernel.values import Usage
from support.small_worlds.mute import Mute
from support.small_worlds.relay import READER, RUNNER, Relay

PROFILE = Profile("a model", decode="80", prefill="4000", cached_prefill="40000", first="0.35")


def clock_of(profile: Profile, **settings: object) -> Clock:
    fields = {"mode": "tokens", "tick_microseconds": 1_000_000, "profiles": {READER: profile}, **settings}
    return convert(fields, Clock, from_attributes=True)


def test_a_charge_by_hand() -> None:
    """Two calls: 2 x 0.35 first, (264 + 268) / 4000 new, (1536 + 1792) / 40000 kept, (240 + 60) / 80 written:
    0.7 + 0.133 + 0.0832 + 3.75 = 4.6662 seconds."""
    calls = (Call(input=1800, cached=1536, output=240), Call(input=2060, cached=1792, output=60))
    assert clock_of(PROFILE).charge(READER, calls, 0, seed=0) == 4_666_200
    assert clock_of(PROFILE, pace="10").charge(READER, calls, 0, seed=0) == 46_662_000


def test_a_charge_is_rounded_up_once_for_a_thought() -> None:
    """A token at 3 a second is a third of a second: three calls of one token each are one second exactly."""
    slow = clock_of(Profile(decode="3"))
    assert slow.charge(READER, [Call(output=1)], 0, 0) == 333_334
    assert slow.charge(READER, [Call(output=1)] * 3, 0, 0) == 1_000_000


def test_calls_told_together_cost_what_they_cost_one_by_one() -> None:
    one_by_one = (Call(10, 0, 30), Call(20, 5, 10), Call(0, 0, 1))
    together = Call(30, 5, 41, number=3)
    clock = clock_of(PROFILE)
    assert clock.charge(READER, one_by_one, 0, 0) == clock.charge(READER, [together], 0, 0)


@pytest.mark.parametrize(
    ("usage", "output"),
    [
        (Usage(calls=1, output_tokens=120, reasoning_tokens=100), 120),
        (Usage(calls=1, output_tokens=20, reasoning_tokens=100), 120),
    ],
    ids=["thoughts are part of the output", "thoughts are left out of it"],
)
def test_hidden_thoughts_cost_what_they_cost(usage: Usage, output: int) -> None:
    assert counted(Generated(usage), "told").output == output


def test_words_that_nobody_counted_are_a_quarter_of_their_bytes() -> None:
    """Seven characters, 21 bytes, 6 tokens; where tokens are told, only ``bytes`` counts anew."""
    said = len("洗碗，然后煮饭".encode())
    assert said == 21
    assert counted(Generated(Usage(calls=1), said), "told") == Call(output=6, estimated=True)
    told = Generated(Usage(calls=1, output_tokens=9), said)
    assert counted(told, "told") == Call(output=9)
    assert counted(told, "bytes") == Call(output=6, estimated=True)


def test_thoughts_without_words_are_counted_as_told_beside_bytes() -> None:
    hidden = Generated(Usage(calls=1, output_tokens=110, reasoning_tokens=100), said_bytes=40)
    assert counted(hidden, "bytes").output == 100 + 10


def test_what_a_server_tells_is_bounded() -> None:
    absurd = Usage(calls=1, input_tokens=-5, output_tokens=10**30, cached_tokens=7)
    assert counted(Generated(absurd), "told") == Call(0, 0, 10**15)


def test_a_latency_is_a_number_or_drawn_from_a_span() -> None:
    assert drawn("2", "anything") == 2_000_000
    several = {drawn("2..6", f"0/agent/{number}") for number in range(50)}
    assert len(several) == 50 and all(2_000_000 <= one <= 6_000_000 for one in several)
    assert drawn("2..6", "0/agent/1") == drawn("2..6", "0/agent/1")


@pytest.mark.parametrize(
    "profile",
    [
        {"decode": "0"},
        {"decode": "1e3"},
        {"first": "x"},
        {"latency": "6..2"},
        {"speed": "8"},
    ],
    ids=str,
)
def test_a_profile_that_means_nothing_is_refused(profile: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        convert(profile, Profile)


def test_recorded_charges_begin_again_after_the_last() -> None:
    clock = clock_of(Profile(), mode="recorded", charges={READER: (5, 7)})
    assert [clock.charge(READER, (), number, 0) for number in range(5)] == [5, 7, 5, 7, 5]


@pytest.mark.parametrize(
    "settings",
    [
        {"mode": "recorded"},
        {"mode": "recorded", "charges": {READER: ()}},
        {"mode": "recorded", "charges": {READER: (1,), RUNNER: (1,)}},
        {"charges": {READER: (1,)}},
    ],
    ids=str,
)
def test_charges_are_those_of_each_seat_where_they_are_recorded(settings: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match="charges are those of each seat"):
        clock_of(Profile(), **settings)


def test_a_longest_thought_is_a_microsecond_at_least_and_what_a_record_holds_at_most() -> None:
    limits = [Timing(speed="80", limit=limit).bound(Relay()).limit_microseconds for limit in LIMITS]
    assert limits == [0, 1, 1_500_000, 10**15]


LIMITS = ("0", "0.0000001", "1.5", "999999999999")


def test_a_million_calls_are_priced_together() -> None:
    calls = (Call(input=4, cached=2, output=8, tool=True),) * 10**6
    clock = clock_of(Profile(decode="8", prefill="2", cached_prefill="4", first="1", tool="1"))
    assert clock.charge(READER, calls, 0, 0) == 4_500_000 * 10**6  # 1 + 1 + 2/2 + 2/4 + 8/8 seconds each


def test_a_speed_counts_seconds_or_units_of_the_world() -> None:
    relay = Relay()
    assert units(relay) == {"tick": 1_000_000, "step": 1_000_000, "beat": 1_000_000}
    clock = Timing(speed="250/step").bound(relay, {RUNNER: "0.5"})
    assert clock.charge(READER, [Call(output=500)], 0, 0) == 2_000_000
    assert clock.charge(RUNNER, [Call(output=500)], 0, 0) == 2_500_000
    with pytest.raises(Refused, match="has no 'minute' for a speed; it has tick, step, beat"):
        Timing(speed="80/minute").bound(relay)
    with pytest.raises(Refused, match="with it pace is 1"):
        Timing(speed="80/step", pace="2").bound(relay)


def test_a_world_without_time_has_no_clock() -> None:
    with pytest.raises(Refused, match="does not say how time passes while a seat is silent"):
        Timing(speed="80").bound(Mute())

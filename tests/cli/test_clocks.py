"""The clock on the command line: modes, keys, profiles, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from backburner.cli.clocks import Clocking
from backburner.kernel.clock import Profile, Timing
from backburner.kernel.errors import BadFile, Refused, UnknownName


def test_a_mode_has_keys_and_a_list_of_speeds_is_a_clock_for_each() -> None:
    asked = Clocking.said(
        "tokens@count=bytes,limit=30,speech=0.4,talk=200,tell=no,pace=10,seat=chef=20,speed=20,inf"
    )
    slow, *others = asked.timings()
    assert slow == Timing(
        speed="20", pace="10", count="bytes", limit="30", speech="0.4", talk_words=200, tells=False,
        seats={"chef": Profile("20", decode="20")},
    )  # fmt: skip
    assert others == [None]
    assert Clocking.said(None).timings() == [None] == Clocking.said("none").timings()
    assert Clocking.said("seconds@pace=2").timings() == [Timing("seconds", pace="2")]
    assert Clocking.said("recorded:runs/react").recorded == Path("runs/react")


def test_a_profile_is_a_file_called_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "quick.json"
    file.write_text('{"decode": "80", "first": "0.35"}')
    assert Clocking.said(f"profile:{file}@pace=10").timings() == [
        Timing(profile=Profile("quick", decode="80", first="0.35"), pace="10")
    ]
    file.write_text('{"decode": "0"}')
    with pytest.raises(BadFile, match="decode is more than 0 tokens"):
        Clocking.said(f"profile:{file}").timings()
    file.write_text('{"decode": "80", "latency": "2"}')
    with pytest.raises(BadFile, match="'latency': is of an agent without a model"):
        Clocking.said(f"profile:{file}").timings()


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("tokens", "how many a second"),
        ("seconds@speed=80", "speed is for --clock tokens"),
        ("profile", "write one of tokens, seconds"),
        ("none@pace=3", "without a clock there is no speed and no pace"),
        ("tokens@speed=80,pace=0", "pace is more than 0"),
        ("tokens@speed=80,pace=fast", "'pace': 'fast': write a number such as 80 or 0.5"),
        ("tokens@speed=80,limit=-1", "'limit': '-1': write a number"),
        ("tokens@speed=80,seat=chef=0", "seat=chef: decode is more than 0 tokens"),
        ("tokens@speed=80,seat=chef=9999999999999", "seat=chef: field 'decode'"),
        ("tokens@speed=80,seat=chef", "write SEAT=FILE"),
    ],
)
def test_what_makes_no_clock_is_refused(written: str, why: str) -> None:
    with pytest.raises((Refused, BadFile), match=why):
        Clocking.said(written).timings()


def test_unknown_modes_and_keys_are_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean tokens"):
        Clocking.said("token")
    with pytest.raises(UnknownName, match="did you mean speech"):
        Clocking.said("tokens@speach=2")

"""Profiles: read from files, which are checked, and fitted to calls to a server whose speed is known."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace

from backburner.agents.models import Message, ScriptedModel
from backburner.agents.models.client import Completion, Settings
from backburner.agents.models.profiles import (
    Measured,
    example_profile,
    fitted,
    measure,
    profile_of,
    read_profile,
    write_profile,
)
from backburner.agents.models.stand_in import StandIn
from backburner.kernel.clock import Call, Profile
from backburner.kernel.errors import BadFile, Refused

FIRST, PREFILL, DECODE = 0.35, 4000, 80


class Known:
    """A server that takes 0.35 s to its first token, reads 4,000 tokens a second and writes 80; it holds up
    ``held`` of its calls for 20 s, and tells no tokens if it is not ``telling``."""

    name, origin = "known", {"model": "known", "base_url": "http://localhost:8000/v1"}

    def __init__(self, held: Sequence[int] = (), telling: bool = True) -> None:
        self.held, self.telling = held, telling
        self.prompts: list[str] = []

    async def complete(self, messages: Sequence[Message], settings: Settings) -> Completion:
        n_input, n_output = len(messages[0].content.split()), settings.max_tokens or 0
        seconds = FIRST + n_input / PREFILL + n_output / DECODE
        seconds += 20 * (len(self.prompts) in self.held)
        self.prompts.append(messages[0].content)
        told = (n_input, n_output) if self.telling else (0, 0)
        return Completion("one " * n_output, *told, seconds + 7, "length", latency=seconds)

    async def aclose(self) -> None:
        """Nothing to let go of."""


def measured(client: Known) -> tuple[Measured, ...]:
    return asyncio.run(measure(client, random.Random(1)))


@pytest.mark.parametrize("held", [(), (0,), (3, 5, 11)])
def test_known_speeds_are_found_though_calls_were_held_up(held: Sequence[int]) -> None:
    client = Known(held)
    calls = measured(client)
    assert len(calls) == 12 and len({prompt[:8] for prompt in client.prompts}) == 12
    assert {min(each.call.input for each in calls), max(each.call.output for each in calls)} == {101, 512}
    assert 7900 < max(each.call.input for each in calls) < 8100
    fit = fitted(calls)
    assert fit.first == pytest.approx(FIRST, abs=1e-6)
    assert 1 / fit.read == pytest.approx(PREFILL) and 1 / fit.generated == pytest.approx(DECODE)
    off = [round(fit.off(each), 3) for each in calls]
    assert off == [20.0 if number in held else 0.0 for number in range(12)]


def test_the_profile_says_where_it_comes_from_and_is_read_again(tmp_path: Path) -> None:
    client = Known()
    calls = measured(client)
    profile = profile_of(fitted(calls), client, calls, date(2026, 11, 28))
    assert (profile.decode, profile.prefill, profile.first) == ("80.0", "4000", "0.3500")
    assert profile.name == "known, localhost, 2026-11-28"
    assert profile.source.startswith(
        "backburner profile: 12 calls, least absolute deviations; off by 0.000 s"
    )
    write_profile(tmp_path / "known.json", profile)
    assert read_profile(tmp_path / "known.json") == profile


def test_tokens_that_nobody_tells_are_bytes() -> None:
    client = Known(telling=False)
    calls = measured(client)
    assert [each.call.output for each in calls[:3]] == [1, 128, 512]  # of 4 bytes each
    profile = profile_of(fitted(calls), client, calls, date(2026, 11, 28))
    assert profile.decode == "80.0" and "tokens estimated by bytes" in profile.source
    assert profile.prefill == ""  # nobody knows how many were read: that is part of each call's first second


def test_what_has_no_speed_is_refused() -> None:
    for nobody in (StandIn(), ScriptedModel(["wait"])):
        with pytest.raises(Refused, match="is no model, and has no speed"):
            asyncio.run(measure(nobody, random.Random(1)))
    same = [Measured(Call(100, 0, tokens), 1.0) for tokens in (1, 128, 512)]
    with pytest.raises(Refused, match="answers of more tokens took no longer"):
        profile_of(fitted(same), Known(), same, date(2026, 11, 28))


def test_the_example_costs_what_the_page_on_the_clock_says(tmp_path: Path) -> None:
    """0.35 s for the first token, then (1800 - 1536)/4000, 1536/40000 and 240/80: 0.066, 0.0384 and 3."""
    profile = example_profile()
    assert profile.seconds(Call(1800, 1536, 240)) * 10_000 == 34_544
    write_profile(tmp_path / "example.json", profile)
    assert read_profile(tmp_path / "example.json") == profile
    assert replace(profile, decode="160").seconds(Call(0, 0, 240)) * 100 == 185


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ({"decode": 80}, "field 'decode': Expected `str`, got `int`"),
        ({"decode": "fast"}, "field 'decode': 'fast': write a number"),
        ({"decode": "0"}, "decode is more than 0 tokens"),
        ({"decode": "80", "prefil": "4000"}, "unknown field `prefil`; did you mean prefill"),
        ({"decode": "80", "first": "-1"}, "field 'first': '-1': write a number"),
        ({"prefill": "4000"}, "field 'decode': is missing: write the tokens generated in a second"),
        ([], "Expected `object`, got `array`"),
        ({"decode": "80", "name": "500/beat"}, "field 'name': 500/beat is that of a speed"),
    ],
)
def test_a_mistake_in_a_file_is_told_with_its_field(tmp_path: Path, content: object, why: str) -> None:
    file = tmp_path / "profile.json"
    file.write_text(json.dumps(content))
    with pytest.raises(BadFile) as told:
        read_profile(file)
    assert str(told.value).startswith(str(file)) and why in str(told.value)


def test_what_a_profile_leaves_empty_takes_no_time(tmp_path: Path) -> None:
    file = tmp_path / "fast reader.json"
    file.write_text('{"decode": "80", "prefill": "", "cached_prefill": ""}')
    assert read_profile(file) == Profile("fast reader", "80")
    assert read_profile(file).seconds(Call(1000, 500, 80)) == 1

"""How fast a model thinks: profiles as files, and one fitted to a few calls.

A call takes ``first + (input - cached) / prefill + output / decode`` seconds. Those three fit best whose
seconds are off by the least in all, so that a few calls that were held up do not count for much.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date
from itertools import combinations
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.models.client import REPLIES, Message, ModelClient, Settings
from backburner.agents.models.method import generated
from backburner.agents.models.stand_in import is_stand_in
from backburner.kernel.clock import SPEED, Call, Profile, counted
from backburner.kernel.errors import Refused
from backburner.kernel.files import Place, converted, read_json, shipped, write_whole
from backburner.kernel.values import indented_json

# --- files -------------------------------------------------------------------------------------------------


def read_profile(path: Path) -> Profile:
    """The profile in a JSON file, called as the file is if it has no name.

    Raises ``BadFile`` naming the field of what is wrong.
    """
    place = Place(str(path))
    profile = converted(read_json(path), Profile, place)
    if not profile.decode:
        raise place.field("decode").wrong('is missing: write the tokens generated in a second, such as "80"')
    if profile.latency != "0":
        raise place.field("latency").wrong("is of an agent without a model, as in greedy@latency=2")
    named = profile if profile.name else replace(profile, name=path.stem[:200])
    if SPEED.fullmatch(named.name):
        raise place.field("name").wrong(f"{named.name} is that of a speed; give it another")
    return named


def write_profile(path: Path, profile: Profile) -> None:
    """Write a profile so that ``read_profile`` reads it."""
    write_whole(path, indented_json(profile))


def example_profile() -> Profile:
    """The profile that ships, to show what one says."""
    return shipped("backburner.agents.models", "profile", Profile)


# --- measuring ---------------------------------------------------------------------------------------------

INPUTS, OUTPUTS = (100, 1000, 4000, 8000), (1, 128, 512)
"""About so many tokens are read, and at most so many generated, each with each: 12 calls."""

WORDS = "pot pan cup salt oil rice bean fish egg tea lid fork plate stove sink bowl"
"""Of a token each, for most models."""

COUNT = "\n\nThose words mean nothing. Count from one to a thousand in words, one number a line."

NO_TIME = 1e-8
"""Seconds of a token that are as good as none."""


class Measured(Struct, frozen=True):
    """What one call was charged for, and how long it took."""

    call: Call
    seconds: float


async def measure(client: ModelClient, draw: random.Random) -> tuple[Measured, ...]:
    """The calls, one after the other, so that none waits for another. Prompts begin in a way that no server
    has seen, so that none is kept from before.

    Raises what ``ModelClient.complete`` raises, and ``Refused`` for what is no model.
    """
    if is_stand_in(client.name) or REPLIES in client.origin:
        raise Refused(f"{client.name} is no model, and has no speed")
    made, known = [], WORDS.split()
    for n_input in INPUTS:
        for n_output in OUTPUTS:
            words = " ".join(draw.choice(known) for _ in range(n_input - len(COUNT.split())))
            asked = Message("user", f"{draw.getrandbits(64):x} {words}{COUNT}")
            completion = await client.complete((asked,), Settings(None, n_output))
            call = counted(generated(completion, client), "told")
            made.append(Measured(call, completion.answered_seconds))
    return tuple(made)


class Fit(Struct, frozen=True):
    """Seconds until the first token of a call, of each token read and of each generated."""

    first: float
    read: float
    generated: float

    def seconds(self, call: Call) -> float:
        """What a call takes by these figures."""
        return self.first + (call.input - call.cached) * self.read + call.output * self.generated

    def off(self, measured: Measured) -> float:
        """How much longer than that a call took."""
        return measured.seconds - self.seconds(measured.call)


def fitted(measured: Sequence[Measured]) -> Fit:
    """The figures, none below 0, with the least sum of absolute residuals."""
    import numpy as np

    thousands = [[1.0, (m.call.input - m.call.cached) / 1000, m.call.output / 1000] for m in measured]
    rows, seconds = np.array(thousands), np.array([m.seconds for m in measured])
    # The least sum is where three rows are met exactly; that a figure is 0 is a row as well.
    corners = [list(three) for three in combinations(range(len(measured) + 3), 3)]
    met, right = np.vstack([rows, np.eye(3)])[corners], np.append(seconds, [0.0] * 3)[corners]
    regular = np.abs(np.linalg.det(met)) > 1e-12
    found = np.linalg.solve(met[regular], right[regular][..., None])[..., 0]
    found = np.maximum(found[(found >= -1e-9).all(axis=1)], 0.0)
    off = np.abs(found @ rows.T - seconds).sum(axis=1)
    first, read, generated = found[off.argmin()]
    return Fit(float(first), float(read) / 1000, float(generated) / 1000)


def profile_of(fit: Fit, client: ModelClient, measured: Sequence[Measured], day: date) -> Profile:
    """The profile as a file has it; raises ``Refused`` where more tokens took no more time."""
    if fit.generated <= NO_TIME:
        raise Refused(f"{client.name}: answers of more tokens took no longer, so that no speed can be told")
    host = urlsplit(str(client.origin.get("base_url", ""))).hostname or "unknown host"
    off = sorted(abs(fit.off(each)) for each in measured)
    estimated = ", tokens estimated by bytes" if any(each.call.estimated for each in measured) else ""
    return Profile(
        name=f"{client.name}, {host}, {day.isoformat()}"[:200],
        decode=_decimal(1 / fit.generated),
        prefill=_decimal(1 / fit.read) if fit.read > NO_TIME else "",
        first=_decimal(max(fit.first, 0.0)),
        source=f"backburner profile: {len(measured)} calls{estimated}, least absolute deviations;"
        f" off by {off[len(off) // 2]:.3f} s (median), {off[-1]:.3f} s (most)",
    )


def _decimal(number: float) -> str:
    """Four digits, or all before the point: enough for what is measured."""
    digits = max(0, 3 - len(str(int(number)))) if number >= 1 else 4
    return f"{number:.{digits}f}"

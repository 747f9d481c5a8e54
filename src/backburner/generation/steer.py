"""Steering drafts towards the dials that are asked for: the cross-entropy method, generation by generation.

What an attempt draws follows from the seed, its cell and its number alone, and what a generation draws around
from all attempts of the generations before it, in the order of their numbers: the result depends neither on
how many processes there are nor on their speed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from random import Random
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from backburner.generation.measure import WHOLE
from backburner.kernel.built import Band
from backburner.kernel.errors import Refused, shorten
from backburner.kernel.generating import Parameter

GENERATION = 24
"""Attempts between two looks at what has come of them, and how many of the best are drawn around."""

FROM_PRIOR = 0.2
"""So many attempts are drawn as if nothing were known, but for the first generation, in which all are."""

NARROW = 1 / 12
"""The standard deviation of a real parameter around one of the best, as a share of its range."""

WHOLE_DEVIATION = 0.8
KEPT_CHOICE = 0.8

AROUND = 0.1
"""A number for a real dial means itself, less or more by this share."""


class Range(Struct, frozen=True):
    """From ``low`` to ``high``, both among them; ``None``: without an end."""

    low: float | None = None
    high: float | None = None

    def __contains__(self, value: float) -> bool:
        return self.distance(value) == 0

    def distance(self, value: float) -> float:
        """How far a value is outside, relative to the end that it misses."""
        for end, beyond in ((self.low, -1), (self.high, 1)):
            if end is not None and beyond * (value - end) > 0:
                return abs(value - end) / max(abs(end), 0.05)
        return 0.0

    def __str__(self) -> str:
        if self.low is not None and self.low == self.high:
            return f"{self.low:g}"
        low, high = ("" if end is None else f"{end:g}" for end in (self.low, self.high))
        return f"{low}:{high}"


def range_of(text: str, dial: str) -> Range:
    """``18:22``, ``.15:``, ``:4``, or a number: a whole dial exactly, another one a tenth around it.

    Raises ``Refused``.
    """
    low, colon, high = (part.strip() for part in text.partition(":"))
    try:
        ends = [float(part) if part else None for part in (low, high)]
    except ValueError:
        ends = [None, None]
    if not any(end is not None for end in ends) or not all(
        end is None or (math.isfinite(end) and end >= -1) for end in ends
    ):
        raise Refused(f"{dial} is a number, or a range such as 2:3, 2: or :3; not {shorten(repr(text))}")
    if not colon:
        value = ends[0] or 0.0
        if dial in WHOLE:
            return Range(value, value)
        return Range(round(value * (1 - AROUND), 6), round(value * (1 + AROUND), 6))
    least, most = ends
    if least is not None and most is not None and most < least:
        raise Refused(f"{dial}={text}: the least comes first, {most:g}:{least:g}")
    return Range(least, most)


class Tried(Protocol):
    """An attempt: its parameters, and how far it was from what was asked (``None``: it came to nothing)."""

    @property
    def parameters(self) -> Mapping[str, Any]: ...
    @property
    def deviation(self) -> float | None: ...


def stream(seed: int, *of: Any) -> Random:
    """The random numbers of one thing, whatever else is drawn."""
    key = "/".join(map(str, (seed, *of))).encode()
    return Random(int.from_bytes(blake2b(key, digest_size=16, person=b"bb draft").digest()))


def drawn(
    parameters: Sequence[Parameter], pinned: Mapping[str, Any], before: Sequence[Tried], draw: Random
) -> dict[str, Any]:
    """The parameters of an attempt; ``before``: all attempts of the generations before it."""
    best = sorted(
        (tried for tried in before if tried.deviation is not None), key=lambda tried: tried.deviation or 0.0
    )[:GENERATION]
    around: Mapping[str, Any] | None = None
    if best and draw.random() >= FROM_PRIOR:
        around = draw.choice(best).parameters
    return {
        each.name: pinned.get(each.name, _value(each, None if around is None else around[each.name], draw))
        for each in parameters
    }


def _value(parameter: Parameter, around: Any, draw: Random) -> Any:
    low, high = parameter.low, parameter.high
    if parameter.kind == "choice":
        if around is not None and draw.random() < KEPT_CHOICE:
            return around
        return draw.choice(parameter.values)
    if around is not None:
        whole = parameter.kind == "whole"
        value = draw.gauss(around, WHOLE_DEVIATION if whole else (high - low) * NARROW)
    elif parameter.prior == "log-uniform":
        value = math.exp(draw.uniform(math.log(low), math.log(high)))
    else:
        value = draw.uniform(low - 0.5, high + 0.5) if parameter.kind == "whole" else draw.uniform(low, high)
    value = min(max(value, low), high)
    return round(value) if parameter.kind == "whole" else round(value, 6)


def deviation(dials: Mapping[str, float], asked: Mapping[str, Range]) -> float:
    """The greatest relative distance to what is asked, over the dials that are known, and 1 for each that is
    not: who was given up early is no nearer than who was measured in all."""
    known = [wanted.distance(dials[name]) for name, wanted in asked.items() if name in dials]
    return max(known, default=0.0) + len(asked) - len(known)


# --- what is asked for -------------------------------------------------------------------------------------


def listed(text: str) -> list[tuple[str, str]]:
    """``busy=.1:+greedy=:.5`` as pairs; raises ``Refused``."""
    pairs = [part.partition("=") for part in text.split("+") if part]
    for name, equals, value in pairs:
        if not (name and equals and value):
            raise Refused(f"write NAME=VALUE, not {shorten(repr(text))}")
    return [(name.strip(), value.strip()) for name, _, value in pairs]


class Cell(Struct, frozen=True):
    """Ranges of dials that are asked for together, and the theme, where the cell says one, and the ``band``
    of the headline, where it is of one; ``gaps`` are among the dials as ``gap:SCRIPT``."""

    ranges: dict[str, Range] = {}
    theme: str = ""
    band: Band | None = None

    def narrowed(self, parameters: Sequence[Parameter]) -> list[Parameter]:
        """Parameters that set a dial, from what is asked of it."""
        return [self._narrowed(each) for each in parameters]

    def _narrowed(self, parameter: Parameter) -> Parameter:
        wanted = self.ranges.get(parameter.dial, Range())
        low = parameter.low if wanted.low is None else max(parameter.low, wanted.low)
        high = parameter.high if wanted.high is None else min(parameter.high, wanted.high)
        return replace(parameter, low=low, high=high) if low <= high else parameter


MOST_CELLS = 400


def cells_of(grid: str) -> list[dict[str, Range]]:
    """``width=1.5/2.5+attention=.7/1`` as one cell for each combination, the first dial slowest.

    Raises ``Refused``, also for more than ``MOST_CELLS``.
    """
    cells: list[dict[str, Range]] = [{}]
    for dial, values in listed(grid):
        if dial in cells[0]:
            raise Refused(f"grid: {shorten(dial)} is said twice; join its values by /")
        if len(cells) * (values.count("/") + 1) > MOST_CELLS:
            raise Refused(f"grid: makes more than {MOST_CELLS} cells")
        ranges = [range_of(value, dial) for value in values.split("/")]
        cells = [{**cell, dial: each} for cell in cells for each in ranges]
    return cells


def why_not(asked: Mapping[str, Range], n_bodies: int, n_units: int) -> str:
    """Why a cell can hold nothing, where arithmetic says so: no more runs at a time than bodies hold and
    resources run by themselves, so that width <= B · attention + units. Empty where it does not."""
    width, attention = asked.get("width"), asked.get("attention")
    if width is None or width.low is None:
        return ""
    held = 1.0 if attention is None or attention.high is None else attention.high
    most = n_bodies * held + n_units
    if width.low <= most:
        return ""
    return (
        f"width is at most {n_bodies} · {held:g} + {n_units} = {most:g}, with so many that run by themselves"
    )


def nearest_values(tried: Sequence[Mapping[str, float]], name: str, wanted: Range, many: int = 10) -> str:
    """The values of a dial in the attempts that came nearest."""
    values = sorted({dials[name] for dials in tried if name in dials}, key=wanted.distance)[:many]
    return ", ".join(f"{value:g}" for value in sorted(values))

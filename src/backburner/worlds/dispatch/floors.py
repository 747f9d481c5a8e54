"""Building floors to walk on, from seeds: those are kept on which ways are as long as wanted.

What a floor is, and which of its ways count, is the world's business; it says so in a ``FloorKind``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel import __version__
from backburner.kernel.building import Builder, Built, Progress, begun, write_index
from backburner.kernel.errors import Refused, shorten
from backburner.kernel.files import write_whole
from backburner.kernel.pack import Argument

MADE_BY = f"backburner {__version__}"

KEPT, TOO_SHORT, TOO_LONG = "kept", "too short", "too long"
"""Verdicts on a floor."""

Ways = tuple[float, float | None]
"""The least and the greatest mean way, in the world's unit; ``None``: as long as it may be."""


class Judged(Protocol):
    """A floor that was made: its seed, the name of its file, and whether it is kept."""

    @property
    def seed(self) -> int: ...
    @property
    def id(self) -> str: ...
    @property
    def verdict(self) -> str: ...


Judge = Callable[[int], tuple[Judged, Callable[[], bytes]]]
"""Makes the floor of a seed, and its file should it be kept."""

RuleT = TypeVar("RuleT")
JudgedT = TypeVar("JudgedT", bound=Judged)


class FloorIndex(Struct, Generic[RuleT, JudgedT], frozen=True):
    """What a build has come to: every floor that was made, in order of their seeds."""

    made_by: str
    rule: RuleT
    counts: dict[str, int]
    judged: tuple[JudgedT, ...]

    @property
    def settings(self) -> Mapping[str, Any]:
        """What all floors of a folder share."""
        return {"rule": self.rule}

    @property
    def kept(self) -> list[JudgedT]:
        """The floors that there are files of."""
        return [one for one in self.judged if one.verdict == KEPT]


IndexT = TypeVar("IndexT", bound=FloorIndex[Any, Any])


def ways_of(text: str, unit: str, example: tuple[int, int]) -> Ways:
    """``8:12`` as (8, 12); ``8:`` is 8 or more, ``:12`` up to 12. Raises ``Refused``, with the example."""
    low, colon, high = (part.strip() for part in text.partition(":"))
    try:
        least, most = float(low or 0), float(high) if high else None
    except ValueError:
        least, most = -1.0, None
    if not colon or not 0 <= least < 1000 or not (most is None or least <= most < 1000):
        from_, to = example
        such = f"a range of {unit} such as {from_}:{to}, {from_}: or :{to}"
        raise Refused(f"ways is {such}, not {shorten(repr(text))}")
    return least, most


def verdict(mean_way: float, wanted: Ways) -> str:
    """Whether a floor with this mean way is kept, or why not."""
    least, most = wanted
    if mean_way < least:
        return TOO_SHORT
    return KEPT if most is None or mean_way <= most else TOO_LONG


def build_floors(
    out: Path,
    new: IndexT,
    seeds: range,
    wanted: int,
    judge: Judge,
    progress: Progress,
) -> IndexT:
    """Write a scenario file for each floor that is kept, and an index, into ``out``, fit to be a suite.

    ``judge`` makes the floor of a seed, and its file should it be kept. Stops when there are as many as
    ``wanted``. A build that was begun there with the settings of the ``new`` index goes on. Raises
    ``Refused``.
    """
    index = begun(out, new)
    judged = {one.seed: one for one in index.judged if one.verdict != KEPT or (out / one.id).exists()}
    for seed in seeds:
        if sum(one.verdict == KEPT for one in judged.values()) >= wanted:
            break
        if seed not in judged:
            judged[seed], file = judge(seed)
            if judged[seed].verdict == KEPT:
                write_whole(out / judged[seed].id, file())
        progress(len(seeds))
    ordered = tuple(sorted(judged.values(), key=lambda one: one.seed))
    index = replace(index, judged=ordered, counts=dict(Counter(one.verdict for one in ordered)))
    write_index(out, index)
    return index


def built(
    out: Path,
    index: FloorIndex[Any, Any],
    things: tuple[str, str],
    wanted: int,
    attempts: int,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
) -> Built:
    """What ``backburner build`` tells of it; ``things``: what was made and what was wanted, in the plural."""
    made, asked_for = things
    kept = len(index.kept)
    found = f"{kept} of {wanted} {asked_for} found in {attempts} attempts"
    return Built(
        index=index,
        columns=columns,
        rows=rows,
        lines=[
            f"{len(index.judged)} {made} made, {kept} kept",
            *(f"  {count} {why}" for why, count in index.counts.items() if why != KEPT),
            *([f"scenario files: {out}"] if kept else []),
        ],
        missing=f"{found}; the same command with more attempts goes on" if kept < wanted else "",
    )


class Asked(Struct, frozen=True):
    """What every build is asked for: bodies, the pace of their orders, the first seed, the ways that are
    wanted."""

    bodies: int
    tau: float
    seed: int
    ways: Ways


ATTEMPTS = 20
"""Floors that are made for each that is asked for."""


class FloorKind(Struct, frozen=True, kw_only=True):
    """Floors of a world: what is ``made`` and ``kept``, in the plural; how ``ways`` are measured, in which
    ``unit``, with an ``example``; the most bodies and seeds, and the paces of orders.

    ``index``: the index of a new build, with ``judge``, which makes the floor of a seed and its file should
    it be kept; raises ``BackburnerError``s. ``columns`` are told of each floor that is kept, as ``row`` has
    them. ``arguments``: those of its own, before the others. ``who``: what bodies are called in help.
    """

    made: str
    kept: str
    between: str
    unit: str
    example: tuple[int, int]
    most_bodies: int
    most_seeds: int
    taus: tuple[float, float]
    who: str
    index: Callable[[Mapping[str, Any], Asked], tuple[Any, Judge]]
    columns: Sequence[str]
    row: Callable[[Any], Sequence[object]]
    help: str
    arguments: tuple[Argument, ...] = ()

    def build(self, out: Path, options: Mapping[str, Any], progress: Progress) -> Built:
        """Build with the options of ``builder``."""
        bodies, tau, seed, wanted = (options[name] for name in ("bodies", "tau", "seed", self.kept))
        attempts = options.get("attempts") or ATTEMPTS * wanted
        least, most = self.taus
        if bodies > self.most_bodies or not least <= tau <= most or seed > self.most_seeds:
            limits = f"bodies {self.most_bodies}, tau {least} to {most}, seed {self.most_seeds}"
            raise Refused(f"too many, or out of range; the most are {limits}")
        ways = ways_of(options["ways"], self.unit, self.example)
        new, judge = self.index(options, Asked(bodies, float(tau), seed, ways))
        seeds = range(seed, min(seed + attempts, self.most_seeds + 1))
        index = build_floors(out, new, seeds, wanted, judge, progress)
        rows = [self.row(floor) for floor in index.kept]
        return built(out, index, (self.made, self.kept), wanted, attempts, self.columns, rows)

    @property
    def builder(self) -> Builder:
        """What the pack of the world names."""
        low, high = self.example
        of_this = f"{low}:{high}, {low}: or :{high}"
        made = self.made
        first = f"The first {made.removesuffix('s')}'s."
        arguments = (
            *self.arguments,
            Argument(
                name="ways", default="0:", help=f"The mean way {self.between} in {self.unit}: {of_this}."
            ),
            Argument(name=self.kept, kind="whole number", least=1, default=10, help="How many to find."),
            Argument(
                name="attempts",
                kind="whole number",
                least=1,
                help=f"How many {made} to make; by default {ATTEMPTS} for each to find.",
            ),
            Argument(name="seed", kind="whole number", least=0, default=0, help=first),
            Argument(name="bodies", kind="whole number", least=1, default=2, help=self.who),
            Argument(name="tau", kind="number", least=0.1, default=2.0, help="The pace of orders."),
        )
        return Builder(help=self.help, things=made, arguments=arguments, build=self.build)


def scenario_file(fields: Mapping[str, Any]) -> bytes:
    """A scenario as a user would write it."""
    return msgspec.json.format(msgspec.json.encode(fields), indent=1) + b"\n"

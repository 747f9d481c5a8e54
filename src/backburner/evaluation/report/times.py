"""Where an agent's time went, added up over its episodes of a world."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

from backburner.evaluation.scoring.scores import WorldScores
from backburner.evaluation.scoring.summary import WorldSummary
from backburner.evaluation.transcripts import Spent
from backburner.evaluation.transcripts.alongside import Kind
from backburner.evaluation.transcripts.summary import KINDS
from backburner.kernel.errors import amount, number

MOST_NAMED = 3
"""Kinds of work and causes that are named."""


class Time(Struct, frozen=True):
    """An agent's time in a world, added up over its ``episodes``: that of all bodies by what they did
    (``mine``; beside it the ``plan``'s, empty without one). ``lost``: how far it fell behind, by cause, in
    ``unit``. ``never``: kinds of the plan's work with the number of episodes in which they were never begun.
    """

    world: str
    title: str
    unit: str
    episodes: int
    mine: Mapping[Kind, float]
    plan: Mapping[Kind, float]
    lost: Mapping[str, float]
    never: Mapping[str, int]


def time_of(summary: WorldSummary, world: WorldScores, episodes: Sequence[Spent]) -> Time:
    """The time of episodes of one agent in one world, added up."""
    never = Counter(label for one in episodes for label in one.never)
    return Time(
        world.world,
        summary.title,
        world.measured[0][0].header.time_unit,
        len(episodes),
        _added(one.mine for one in episodes),
        _added(one.plan for one in episodes),
        _added(one.lost for one in episodes),
        dict(never.most_common()),
    )


Name = TypeVar("Name", bound=str)


def _added(parts: Iterable[Mapping[Name, float]]) -> dict[Name, float]:
    found: dict[Name, float] = {}
    for part in parts:
        for name, value in part.items():
            found[name] = found.get(name, 0.0) + value
    return found


def stack(kinds: Mapping[Kind, float]) -> str:
    """Time by what was done, as a bar in HTML with its shares in words."""
    whole = sum(kinds.values())
    if not whole:
        return ""
    shares = [(kind, words, 100 * kinds.get(kind, 0.0) / whole) for kind, words in KINDS.items()]
    told = ", ".join(f"{words} {share:.0f} %" for _, words, share in shares if share)
    parts = "".join(
        f'<i class="{kind}" style="width:{share:.1f}%"></i>' for kind, _, share in shares if share
    )
    return f'<span class="stack" role="img" title="{told}" aria-label="{told}">{parts}</span>'


def causes(time: Time) -> str:
    """What cost an agent most time against the plans, in words; empty where nothing did, or without any."""
    greatest = sorted(time.lost.items(), key=lambda pair: -pair[1])[:MOST_NAMED]
    told = ", ".join(f"{words} (+{number(round(lost, 1))})" for words, lost in greatest)
    return f"{told}; in {time.unit} over {amount(time.episodes, 'episodes')}" if told else ""

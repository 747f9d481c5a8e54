"""Episodes made by hand, for what looks at records and at no world: a header, entries, an ending."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from backburner.kernel.episode import Answer, Ending, Entry, Episode, Header, Player
from backburner.kernel.values import Fault, Refusal, Usage


def made(
    agent: str = "act(small)",
    scenario: str = "a",
    seed: int = 0,
    *,
    entries: Sequence[Entry] = (),
    status: Any = "ended",
    rules: str = "standard",
    limits: Any = None,
    players: dict[str, Player] | None = None,
) -> Episode:
    """An episode of the world ``tea``; by default one player, whose model is called ``small``."""
    header = Header(
        format=1,
        version="0",
        world="tea",
        world_version=1,
        id=f"tea/{scenario}",
        scenario={},
        scenario_digest=scenario,
        rules={"name": rules},
        limits=limits,
        seed=seed,
        players=players or {"cook": Player(agent, settings={"model": "small"})},
        time_unit="minutes",
        start_digest="",
        seats=tuple(players or ("cook",)),
    )
    return Episode(header, tuple(entries), Ending(status, status, {}, len(entries)))


def answered(*usage: Usage, refusals: Sequence[Refusal] = (), seats: Sequence[str] = ("cook",)) -> Entry:
    """One decision point; what each seat's answer took, if a model gave it."""
    return Entry(
        0,
        {seat: Answer("stir") for seat in seats},
        "",
        refusals=tuple(refusals),
        usage=dict(zip(seats, usage, strict=False)),
    )


def refused(fault: Fault, seat: str = "cook", code: str = "no") -> Refusal:
    """A refusal of this family."""
    return Refusal(code, fault, seat=seat)

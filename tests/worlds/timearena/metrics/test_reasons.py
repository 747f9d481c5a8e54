"""Why agents wait: reasons as their records hold them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backburner.kernel.play import play_now
from backburner.kernel.policy import REASON, Reply, Turn
from backburner.kernel.registry import world
from backburner.kernel.scoring import Measured
from backburner.kernel.values import Thought
from backburner.worlds.timearena.metrics.analysis import reasons_sections, waits
from backburner.worlds.timearena.metrics.score import scoring


class Explains:
    """Says (action, reason) pairs, one after the other."""

    informed = False
    settings: Mapping[str, Any] = {}
    name = "explains"

    def __init__(self, *said: tuple[str, str]) -> None:
        self.said = said

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        action, reason = self.said[turn.index]
        return Reply(action, thoughts=(Thought(REASON, reason),) if reason else ())


def row(*said: tuple[str, str]) -> Measured:
    """lab1: wash test_tube (4), add solution (4), heat test_tube (5, alone)."""
    episode = play_now(world("timearena/lab1"), Explains(*said))
    return episode, scoring.measure(episode)


WAITS = (
    ("heat test_tube", "it has to be hot"),  # refused: nothing is in it yet
    ("wait", "to pause the wrong  action"),
    ("wait", "x" * 999),
    ("wash test_tube", "first things first"),
    ("add solution to test_tube", ""),
    ("heat test_tube", "last"),
    ("wait", ""),  # nothing else can be started
    ("wait", "it is heating"),
    ("quit", ""),
)


def test_waits_are_told_apart_by_what_could_have_been_done() -> None:
    episode, _ = row(*WAITS)
    assert list(waits(episode)) == [
        ("unnecessary wait, after a refusal", "to pause the wrong  action"),
        ("unnecessary wait", "x" * 999),
        ("necessary wait", ""),
        ("necessary wait", "it is heating"),
    ]


def test_the_table_counts_them_and_shows_the_reasons() -> None:
    (section,) = reasons_sections([row(*WAITS), row(*WAITS[:2], ("quit", ""))])
    assert section.rows == (
        ("explains", "necessary wait", 2, 1, "it is heating"),
        ("explains", "unnecessary wait", 1, 1, "x" * 160),
        ("explains", "unnecessary wait, after a refusal", 2, 2, "to pause the wrong action"),
    )
    assert "Why they wait" in [one.title for one in scoring.sections([row(*WAITS)])]


def test_without_reasons_there_is_no_table() -> None:
    assert reasons_sections([row(("wait", ""), ("quit", ""))]) == []

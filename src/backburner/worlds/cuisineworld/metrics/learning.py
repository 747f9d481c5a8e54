"""What single networks reach that were trained on one level, beside the article's Table 12.

The table does not say which orders and intervals it is about. The released training scripts have τ = 2.2, and
an older level file, whose level 4 is the level 2 of today.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from backburner.kernel.scoring import Measured, Section, by_agent
from backburner.worlds.cuisineworld.metrics.published import published_tables
from backburner.worlds.orders import share

LEARNING = "Learned by reinforcement"
TABLE_12_TAU = 2.2

PRINTED_AS: Mapping[str, tuple[str, str]] = {
    "level_1": ("level_1", ""),
    "level_4": ("level_4", ""),
    "level_2": ("level_4", "in the older file"),
}
"""Which printed level a level of today may be, and where."""

TEXT = (
    "Two agents at τ = 2.2, the pace of the released training scripts: the share of orders served, beside "
    "the article's Table 12. That says neither which orders and intervals it is about, nor which level "
    "file: the scripts have an older one, whose level 4 is the level 2 of today."
)


def learning(rows: Sequence[Measured]) -> Section | None:
    """What was played of these levels at this pace; ``None`` where nothing was."""
    table = tuple(line for agent, played in by_agent(rows) for line in _lines(agent, played))
    if not table:
        return None
    columns = ("agent", "level", "episodes", "served", "printed as", "masked PPO", "GPT-4")
    return Section(LEARNING, TEXT, columns, table)


def _lines(agent: str, played: Sequence[Measured]) -> Iterator[tuple[Any, ...]]:
    printed = {row.level: row for row in published_tables().learning}
    for level, (name, where) in PRINTED_AS.items():
        mine = [measures for episode, measures in played if _is(episode.header.scenario, level)]
        if mine:
            row = printed[name]
            named = f"{name} {where}".strip()
            served = f"{share(mine) or 0:.3f}"
            yield agent, level, len(mine), served, named, f"{row.masked_ppo:.3f}", f"{row.gpt4:.3f}"


def _is(scenario: Mapping[str, Any], level: str) -> bool:
    two = int(scenario.get("bodies", 2)) == 2
    return two and scenario["level"] == level and scenario.get("tau") == TABLE_12_TAU

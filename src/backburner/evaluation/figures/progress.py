"""Score curves of single episodes, for every world (TimeArena's Figure 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from backburner.drawing.curves import curves_svg
from backburner.evaluation.figures.values import Panel
from backburner.kernel import registry
from backburner.kernel.activities import score_curve
from backburner.kernel.episode import Episode
from backburner.kernel.scoring import Counting


def progress(episodes: Sequence[Episode]) -> Iterator[Panel]:
    """One picture for each scenario and rule set, with a curve for each agent; one episode of each.

    None where nobody scored: some worlds tell of no score before the end.
    """
    for key in dict.fromkeys((e.header.id, e.header.rules_name) for e in episodes):
        mine = [e for e in episodes if (e.header.id, e.header.rules_name) == key]
        if not any(event.what == "score" for e in mine for event in e.events()):
            continue
        lines = {e.header.agent: [*score_curve(e.events()), _last(e)] for e in mine}
        yield Panel(" · ".join(key), curves_svg(lines, unit=mine[0].header.time_unit, **_scale(mine[0])))


def one_of_each(episodes: Sequence[Episode]) -> list[Episode]:
    """The first seed of each scenario, rule set and agent, in the order of scenarios and agents."""
    first: dict[tuple[str, str, str], Episode] = {}
    for episode in episodes:
        header = episode.header
        first.setdefault((header.id, header.rules_name, header.agent), episode)
    return sorted(first.values(), key=lambda episode: (episode.header.id, episode.header.agent))


def _scale(episode: Episode) -> dict[str, Any]:
    """What the vertical axis of an episode's world is called, and how far it goes at least."""
    scoring = registry.scoring(episode.header.world)
    if not isinstance(scoring, Counting):
        return {}
    return {"title": f"{scoring.counts} over time", "full": 1}


def _last(episode: Episode) -> tuple[float, float]:
    """Where the curve ends: the last time seen, at the last score."""
    events = list(episode.events())
    return max((e.time for e in events), default=0), score_curve(events)[-1][1]

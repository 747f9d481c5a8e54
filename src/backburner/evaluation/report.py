"""The report: one self-contained HTML page about a folder of episodes."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import jinja2
from msgspec import Struct

from backburner.drawing.curves import curves_svg
from backburner.drawing.lines import lines_svg
from backburner.drawing.timeline import timeline_svg
from backburner.evaluation.scores import Records, WorldScores
from backburner.evaluation.tables import number_text
from backburner.kernel import registry
from backburner.kernel.activities import score_curve
from backburner.kernel.episode import Episode
from backburner.kernel.files import write_whole
from backburner.kernel.scoring import Counting
from backburner.kernel.version import __version__
from backburner.kernel.windows import windows_of

MOST_TIMELINES = 120
"""Timelines are the bulk of the page; the rest is a command away (``backburner replay FILE``)."""

MOST_EVENTS = 4000
"""An episode with more events than that is no picture."""


class Drawn(Struct, frozen=True):
    """An episode's timeline, to be opened."""

    title: str
    result: str
    file: str
    svg: str


class Curves(Struct, frozen=True):
    """Progress over time of all agents in one scenario."""

    title: str
    svg: str


def write_report(loaded: Records, scores: Sequence[WorldScores], out: Path, folder: Path) -> Path:
    """Write the page and return its path. It appears whole or not at all; it needs no network."""
    episodes = loaded.episodes
    chosen = [item for item in _one_of_each(episodes) if sum(1 for _ in item[1].events()) <= MOST_EVENTS]
    page = _template().render(
        scores=scores,
        drawn=[_drawn(path, episode, folder) for path, episode in chosen[:MOST_TIMELINES]],
        left_out=max(0, len(episodes) - min(len(chosen), MOST_TIMELINES)),
        curves=list(_curves([episode for _, episode in chosen])),
        unusable=loaded.unusable,
        n_episodes=len(episodes),
        folder=folder.name or str(folder),
        made=datetime.datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z"),
        version=__version__,
        records=sorted({(e.header.world, e.header.world_version, e.header.version) for _, e in episodes}),
    )
    write_whole(out, page.encode())
    return out


def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("backburner.evaluation"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = number_text
    environment.filters["lines"] = lines_svg
    return environment.get_template("report.html.jinja")


def _one_of_each(episodes: Sequence[tuple[Path, Episode]]) -> list[tuple[Path, Episode]]:
    """The first seed of each scenario, rule set and agent."""
    first: dict[tuple[str, str, str], tuple[Path, Episode]] = {}
    for path, episode in episodes:
        header = episode.header
        first.setdefault((header.id, header.rules_name, header.agent), (path, episode))
    return sorted(first.values(), key=lambda item: (item[1].header.id, item[1].header.agent))


def _drawn(path: Path, episode: Episode, folder: Path) -> Drawn:
    header, ending = episode.header, episode.ending
    title = f"{header.id} · {header.agent} · {header.rules_name}"
    numbers = ", ".join(f"{name} {value}" for name, value in (ending.numbers if ending else {}).items())
    return Drawn(
        title,
        f"{ending.reason if ending else 'unfinished'} ({numbers})",
        str(path.relative_to(folder)) if folder.is_dir() else path.name,
        timeline_svg(episode.events(), title=title, unit=header.time_unit, windows=windows_of(episode)),
    )


def _curves(episodes: Sequence[Episode]) -> Iterator[Curves]:
    """Score curves (the article's Figure 5), one picture for each scenario and rule set."""
    for key in dict.fromkeys((e.header.id, e.header.rules_name) for e in episodes):
        mine = [e for e in episodes if (e.header.id, e.header.rules_name) == key]
        lines = {e.header.agent: [*score_curve(e.events()), _last(e)] for e in mine}
        yield Curves(" · ".join(key), curves_svg(lines, unit=mine[0].header.time_unit, **_scale(mine[0])))


def _scale(episode: Episode) -> dict[str, Any]:
    """What the vertical axis of an episode's world is called, and how far it goes at least."""
    scoring = registry.catalogue(episode.header.world).scoring
    if not isinstance(scoring, Counting):
        return {}
    return {"title": f"{scoring.counts} over time", "full": 1}


def _last(episode: Episode) -> tuple[float, float]:
    """Where the curve ends: the last time seen, at the last score."""
    events = list(episode.events())
    return max((e.time for e in events), default=0), score_curve(events)[-1][1]

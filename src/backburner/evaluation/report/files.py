"""The files beside the page: the list of episodes, the scores over time, and each episode's own page.

Data are scripts that hand over a value, as a page that was opened from a disk may load nothing else; they are
JSON, which as JavaScript does nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from backburner.drawing.charts.panels import in_panels, panels_html
from backburner.drawing.palette import themed
from backburner.evaluation.report.episodes import Listed, as_table
from backburner.evaluation.scoring.scores import Records
from backburner.evaluation.tables.figures import drawn, one_of_each, progress
from backburner.evaluation.transcripts.gathered import Spent
from backburner.evaluation.transcripts.page import Links, PageOf, write_transcripts
from backburner.evaluation.transcripts.plans import is_oracle
from backburner.kernel.charts import Chart, Lines
from backburner.kernel.files import write_whole

MOST_EVENTS = 4000
"""An episode with more events than that is no picture of scores over time."""

EPISODES = "episodes"
"""The folder of the episodes' own pages, and the name of their list."""

NUMBERED = re.compile(r"\d{4,}\.html")
"""What pages of episodes are called."""


class Beside(Struct, frozen=True):
    """What was written: the ``lines`` with their episodes' pages; the pictures that are loaded ``later``, by
    the names of their files; where each episode's time went; a line about each that could not be drawn."""

    lines: Mapping[Path, Listed]
    later: Mapping[str, str] = {}
    spent: Mapping[Path, Spent] = {}
    undrawn: Sequence[str] = ()


def write_beside(
    loaded: Records,
    lines: Mapping[Path, Listed],
    files: Path,
    page: Path,
    oracle_seconds: float = 0.0,
    heard: Callable[[int], object] = lambda total: None,
) -> Beside:
    """Write the files into the folder ``files``; the last two as ``write_transcripts`` takes them."""
    listed, spent, undrawn = _write_episodes(loaded, lines, files, page, oracle_seconds, heard)
    _write_data(files / f"{EPISODES}.js", as_table(list(listed.values())))
    later = _progress(loaded)
    for name, markup in later.items():
        _write_data(files / f"{name}.js", markup)
    return Beside(listed, later, spent, undrawn)


def pictures(charts: Sequence[Chart]) -> str:
    """Charts as HTML that follows the page's colours: small multiples where several have the same axes."""
    html = ""
    for alone, groups in groupby(in_panels(charts), lambda group: len(group) == 1):
        parts = list(groups)
        html += _grid([chart for (chart,) in parts]) if alone else "".join(map(_panels, parts))
    return html


def _panels(charts: Sequence[Chart]) -> str:
    return themed(panels_html([chart for chart in charts if isinstance(chart, Lines)]))


def _grid(charts: Sequence[Chart]) -> str:
    figures = (
        f"<figure><figcaption>{escape(one.title)}</figcaption>{themed(one.svg)}</figure>"
        for one in map(drawn, charts)
    )
    return f'<div class="grid">{"".join(figures)}</div>'


def _write_data(path: Path, value: Any) -> None:
    name, data = (msgspec.json.encode(part).decode() for part in (path.stem, value))
    write_whole(path, f"backburner.receive({name},{data});\n".encode())


def _progress(loaded: Records) -> dict[str, str]:
    """The scores over time of each world, by the name of their file."""
    firsts = one_of_each([episode for _, episode in loaded.episodes])
    drawable = [episode for episode in firsts if sum(1 for _ in episode.events()) <= MOST_EVENTS]
    found: dict[str, str] = {}
    for world in dict.fromkeys(episode.header.world for episode in drawable):
        charts = list(progress([episode for episode in drawable if episode.header.world == world]))
        if charts:
            found[f"progress-{world}"] = pictures(charts)
    return found


def _write_episodes(
    loaded: Records,
    lines: Mapping[Path, Listed],
    files: Path,
    page: Path,
    oracle_seconds: float,
    heard: Callable[[int], object],
) -> tuple[dict[Path, Listed], dict[Path, Spent], list[str]]:
    folder, episodes = files / EPISODES, dict(loaded.episodes)
    names = [f"{number:04}.html" for number in range(1, len(lines) + 1)]
    pages = [
        PageOf(
            path,
            folder / names[at],
            Links(
                report=f"../../{quote(page.name)}#episodes",
                record=_address(path, folder, page.parent),
                former=names[at - 1] if at else "",
                following=names[at + 1] if at + 1 < len(names) else "",
            ),
        )
        for at, path in enumerate(lines)
    ]
    oracles = [path for path in lines if is_oracle(episodes[path].header)]
    spent, unwritten = write_transcripts(pages, oracles, seconds=oracle_seconds, heard=heard)
    listed = {
        each.path: lines[each.path]
        if each.path in unwritten
        else replace(lines[each.path], page=f"{EPISODES}/{each.out.name}")
        for each in pages
    }
    undrawn = [f"{path}: not drawn, because {why}" for path, why in unwritten.items()]
    _remove_others(folder, {line.page.rpartition("/")[2] for line in listed.values()})
    return listed, spent, undrawn


def _address(record: Path, folder: Path, beside: Path) -> str:
    """A record's address from the pages in ``folder``; none unless it goes where the report goes."""
    inside = record.resolve().is_relative_to(beside.resolve())
    return quote(os.path.relpath(record.resolve(), folder.resolve()).replace(os.sep, "/")) if inside else ""


def _remove_others(folder: Path, written: set[str]) -> None:
    """Remove pages that a former, longer report has left; nothing that is not called like one."""
    for file in folder.glob("*.html"):
        if NUMBERED.fullmatch(file.name) and file.name not in written:
            file.unlink()

"""The report as a page that needs no network, with files beside it that are loaded when they are looked at.

``report.html`` holds the summary, all tables and the articles' figures, ``report-files`` what ``files``
writes.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import jinja2
import msgspec
from markupsafe import Markup
from msgspec import Struct

from backburner.drawing.palette import PAPER, dark_variables
from backburner.evaluation.comparing.comparison import Comparison
from backburner.evaluation.comparing.headline_tables import headline_sections, headlines_of, remarks
from backburner.evaluation.comparing.latency_tables import TITLES
from backburner.evaluation.comparing.ranking import ranking_sections, rankings
from backburner.evaluation.report.agents import Who, causes, telling
from backburner.evaluation.report.episodes import FigureLinks, address, listed
from backburner.evaluation.report.files import Beside, pictures, write_beside
from backburner.evaluation.report.first_screen import along, first_screen
from backburner.evaluation.report.parts import (
    ReportPart,
    analysis_parts,
    comparison_parts,
    failures_part,
    remarks_on,
    usage_parts,
)
from backburner.evaluation.scoring.scores import Records, WorldScores
from backburner.evaluation.scoring.statistics import says_little
from backburner.evaluation.scoring.summary import WorldSummary, differing_first, summary_of
from backburner.evaluation.scoring.usage import NO_PRICES, Prices, stand_ins
from backburner.evaluation.tables.score_tables import about_intervals
from backburner.evaluation.tables.words import brackets, compact
from backburner.evaluation.templates import asset, page_templates, script_digest
from backburner.evaluation.transcripts.gathered import Spent
from backburner.evaluation.transcripts.summary import KINDS
from backburner.kernel.charts import Chart
from backburner.kernel.errors import one_line
from backburner.kernel.files import is_stream, write_whole
from backburner.kernel.scoring import Estimate, Metric, Section
from backburner.kernel.values import writable

THEME, PAGE, STYLE = "theme.js", "page.js", "page.css"

STYLE_HERE = "/* the page's looks */"
"""Stands where the style goes, which knows the colours of pictures only when all of them are drawn."""

RESERVED = (
    "summary",
    "headline",
    "ranking",
    "episodes",
    "over-all-worlds",
    "agents",
    "fails",
    "cost",
    "mind",
    "narrow",
    "found",
    "list",
    "more",
    "facts",
    "times",
    "theme",
)
LONGEST_ID = 80

PLACES = "Ranking"
"""How the titles of tables of places begin; those of pairs are folded."""

MOST_ROWS = 12
"""A world's table with more rows is folded."""

SMALL = 10
"""Figures below it have two digits in brackets."""


class Shown(Struct, frozen=True):
    """A part on the page: where it stands, and where each of its figures leads to.

    ``first``: it stands open where others of its kind are folded.
    """

    id: str
    section: Section
    charts: tuple[Chart, ...]
    hrefs: list[list[str]]
    first: bool = True


class ShownWorld(Struct, frozen=True):
    """A world on the page. ``progress``: the file of its scores over time, empty without any. ``metrics``:
    the columns of its table, those that tell agents apart first; ``remarks``: what is peculiar to it."""

    id: str
    scores: WorldScores
    parts: list[Shown]
    progress: str
    metrics: tuple[Metric, ...]
    remarks: list[str]


class Entry(Struct, frozen=True):
    """A line of the contents."""

    id: str
    title: str
    inside: tuple[Entry, ...] = ()


def write_report(
    loaded: Records,
    scores: Sequence[WorldScores],
    out: Path,
    folder: Path,
    *,
    prices: Prices | None = None,
    comparisons: Sequence[Comparison] = (),
    oracle_seconds: float = 0.0,
    opening: Sequence[str] = (),
    heard: Callable[[int], object] = lambda total: None,
) -> Path:
    """Write the page and the files beside it, and return the page's path. No file appears in part.

    With ``prices`` it has what models cost, with ``comparisons`` the differences of agents or runs. For
    ``oracle_seconds`` a plan is looked for that episodes are held against, where none is known. A page
    that goes into a stream has no files beside it, and so no list of episodes. ``opening``: lines that
    it begins with. ``heard`` is called for each episode's page, with the number of all.
    """
    lines = listed(loaded, scores, folder, prices)
    folder_beside = "" if is_stream(out) else f"{out.stem}-files"
    beside = Beside(lines)
    if folder_beside:
        beside = write_beside(loaded, lines, out.with_name(folder_beside), out, oracle_seconds, heard)
    page = _page(
        loaded,
        scores,
        beside,
        files=folder_beside,
        folder=folder,
        prices=prices,
        comparisons=comparisons,
        opening=opening,
    )
    write_whole(out, writable(page).encode())  # a folder's name may be no text
    return out


# --- the page ----------------------------------------------------------------------------------------------


def _page(
    loaded: Records,
    scores: Sequence[WorldScores],
    beside: Beside,
    *,
    files: str,
    folder: Path,
    prices: Prices | None,
    comparisons: Sequence[Comparison],
    opening: Sequence[str],
) -> str:
    lines, later = list(beside.lines.values()), beside.later
    found = {world.world: list(rankings(world)) for world in scores}
    summaries = [summary_of(world, prices) for world in scores]
    episodes = [episode for _, episode in loaded.episodes]
    shown = _Shower(FigureLinks(lines))
    worlds = [
        ShownWorld(
            shown.id_for(world.world),
            world,
            shown.all([*usage_parts(world, prices), *analysis_parts(world)], world.world),
            f"{files}/progress-{world.world}.js" if f"progress-{world.world}" in later else "",
            differing_first(world.metrics, [row.figures for row in world.rows]),
            list(remarks_on(world)),
        )
        for world in scores
    ]
    ranking = [
        one
        for world in scores
        for one in shown.all([*map(ReportPart, ranking_sections(found[world.world]))], world.world)
    ]
    headlines = headlines_of(scores)[0]
    headline = shown.all([*map(ReportPart, headline_sections(headlines))], "")
    overall = shown.all([*comparison_parts(comparisons), failures_part(scores)], "")
    environment = report_templates()
    body = environment.get_template("report/page.html.jinja").render(
        summary=first_screen(
            scores,
            summaries,
            [ranking for of_world in found.values() for ranking in of_world],
            lines,
            headlines,
            _spent(beside),
            unusable=(*loaded.unusable, *beside.undrawn),
            stand_ins=stand_ins(episodes),
            prices=prices,
        ),
        opening=opening,
        worlds=worlds,
        headline=headline,
        lacking=list(remarks(headlines)),
        ranking=ranking,
        overall=overall,
        contents=list(_contents(headline, worlds, overall)),
        files=files,
        n_episodes=len(episodes),
        folder=folder.name or str(folder),
        made=datetime.datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z"),
        records=sorted(
            {(e.header.world, e.header.world_version, one_line(e.header.version)) for e in episodes}
        ),
        facts=_inert(_facts(scores, summaries, prices)),
        style=STYLE_HERE,
        policy=_policy(),
        scripts={"theme": asset(f"report/{THEME}"), "page": asset(f"report/{PAGE}")},
    )
    variables = dark_variables(body + "".join(later.values()))
    style = environment.get_template(f"report/{STYLE}").render(paper=PAPER, dark_variables=variables)
    return body.replace(STYLE_HERE, style, 1)


def _spent(beside: Beside) -> dict[Who, dict[str, list[Spent]]]:
    """Where the time of each agent's episodes went, by world."""
    found: dict[Who, dict[str, list[Spent]]] = {}
    for path, line in beside.lines.items():
        if path in beside.spent:
            own = found.setdefault((line.agent, line.rules), {})
            own.setdefault(line.world, []).append(beside.spent[path])
    return found


class _Shower:
    """Gives parts their places on the page, and figures their links."""

    def __init__(self, links: FigureLinks) -> None:
        self._links = links
        self._taken: set[str] = set(RESERVED)

    def id_for(self, title: str) -> str:
        """Letters and digits of a title, once on the page."""
        name = "-".join(re.findall("[a-z0-9]+", title.lower()))[:LONGEST_ID] or "part"
        numbered = (name if number == 1 else f"{name}-{number}" for number in count(1))
        free = next(each for each in numbered if each not in self._taken)
        self._taken.add(free)
        return free

    def all(self, parts: Sequence[ReportPart], world: str) -> list[Shown]:
        """The parts of a world, or of all of them; every other one of a ranking stands open."""
        return [
            Shown(
                self.id_for(f"{world} {part.section.title}"),
                part.section,
                part.charts,
                self._links.of_section(part.section, world),
                first=part.section.title.startswith(PLACES),
            )
            for part in parts
        ]


def _contents(
    headline: Sequence[Shown], worlds: Sequence[ShownWorld], overall: Sequence[Shown]
) -> Iterator[Entry]:
    yield Entry("summary", "Summary")
    yield Entry("ranking", "Ranking")
    for world in worlds:
        inside = [Entry(one.id, one.section.title) for one in world.parts]
        inside += [Entry(f"{world.id}-figures", "As the article's figures")] if world.scores.figures else []
        inside += [Entry(f"{world.id}-progress", "Score over time")] if world.progress else []
        yield Entry(world.id, world.scores.title, tuple(inside))
    if headline:
        yield Entry("headline", "Headline score")
    yield Entry("over-all-worlds", "Over all worlds", tuple(Entry(o.id, o.section.title) for o in overall))
    yield Entry("episodes", "Episodes")


def _facts(
    scores: Sequence[WorldScores], summaries: Sequence[WorldSummary], prices: Prices | None
) -> dict[str, Any]:
    """What the page's script must know of worlds, to name columns."""
    worlds = {
        world.world: {
            "main": telling(summary).key,
            "metrics": [{"key": m.key, "title": m.title, "better": m.better} for m in world.metrics],
        }
        for world, summary in zip(scores, summaries, strict=True)
    }
    return {"worlds": worlds, "currency": (prices or NO_PRICES).currency}


# --- the template --------------------------------------------------------------------------------------


def report_templates() -> jinja2.Environment:
    """The templates of the report, with all that they ask for."""
    environment = page_templates()
    environment.globals |= {
        "address": address,
        "kinds": KINDS,
        "says_little": says_little,
        "BY_SPEED": tuple(TITLES.values()),
        "MOST_ROWS": MOST_ROWS,
    }
    environment.filters |= {
        "along": along,
        "big": lambda number: compact(number, least=1e4),
        "brackets": _brackets,
        "breakable": _breakable,
        "causes": causes,
        "intervals": about_intervals,
        "pictures": pictures,
        "raw": _raw,
        "rounded": _rounded,
        "short": lambda title: title.partition(" (")[0],
    }
    return environment


def _raw(value: object) -> Markup:
    """The exact figure as attributes, to sort by and to be read by programs; nothing where there is none."""
    if isinstance(value, Estimate):
        ends = {"value": value.value, "low": value.low, "high": value.high}
        return Markup("").join(Markup(' data-{}="{}"').format(k, v) for k, v in ends.items() if v is not None)
    if isinstance(value, int | float):
        return Markup(' data-value="{}"').format(value)
    return Markup("")


def _breakable(name: str) -> Markup:
    """A name that a narrow column breaks after a sign rather than within a word."""
    parts = re.split(r"(?<=[(,=/@+:_-])", name)
    return Markup("<wbr>").join(parts)


def _rounded(value: float) -> str:
    return f"{value:.2f}" if abs(value) < SMALL else f"{value:.1f}"


def _brackets(figure: Estimate, digits: int = 1) -> str:
    """``[61.3, 78.0]``, with two digits where both ends are small."""
    ends = [abs(end) for end in (figure.low, figure.high) if end is not None]
    return brackets(figure, 2 if max(ends, default=0.0) < SMALL else digits)


def _policy() -> str:
    """Only the page's own scripts run, and the scripts of data that they ask for; nothing else is loaded."""
    own = " ".join(script_digest(asset(f"report/{name}")) for name in (THEME, PAGE))
    return (
        f"default-src 'none'; script-src {own} 'strict-dynamic'; style-src 'unsafe-inline'; "
        "base-uri 'none'; form-action 'none'"
    )


def _inert(value: Any) -> str:
    """JSON without a character that means anything to HTML."""
    text = msgspec.json.encode(value).decode()
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")

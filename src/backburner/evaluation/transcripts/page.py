"""The page of one episode: summary, scenes that play, timeline, and every step."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from backburner.drawing.film import Film, film_of, first_scene
from backburner.drawing.scene.appearance import NONE, Images
from backburner.drawing.scene.picture import Stage
from backburner.drawing.scheme import dark_variables, themed
from backburner.drawing.svg import Markup, element, joined
from backburner.drawing.timeline import timeline_svg
from backburner.drawing.timeline.chart import BODIES
from backburner.evaluation.transcripts.asked import Asked, asked_in
from backburner.evaluation.transcripts.asked import told as asked_data
from backburner.evaluation.transcripts.foreign import bounded, compact, visible
from backburner.evaluation.transcripts.steps import MOST_STEPS, Words, places_of, steps_list, unanswered
from backburner.kernel.assessment import Window
from backburner.kernel.contract import World, decision_of
from backburner.kernel.episode import Episode, Header
from backburner.kernel.errors import BackburnerError, number, one_line, shorten
from backburner.kernel.files import write_whole
from backburner.kernel.replay import shots_of, trajectory, windows_of, world_of
from backburner.kernel.text import Text
from backburner.kernel.values import Seat
from backburner.kernel.view import Shot

STYLE, SCRIPT = "transcript.css", "transcript.js"
"""The files that the pages of a folder share."""

MOST_EVENTS = 4000
"""An episode with more events than that is no picture."""

MOST_SHOTS = 3000
"""Frames of a film."""


PIECED = (
    "Prompts are made again from the record, which keeps thoughts and decision of an answer and not what "
    "stood around them: where prompts repeat earlier answers, blanks and labels may have been others."
)


class Links(Struct, frozen=True, kw_only=True):
    """Where a page leads to, as addresses relative to it; empty for nowhere."""

    report: str = ""
    record: str = ""
    former: str = ""
    following: str = ""


NOWHERE = Links()
"""Of a page that stands alone."""


def write_transcript(
    path: Path,
    episode: Episode,
    out: Path,
    *,
    links: Links = NOWHERE,
    images: Images = NONE,
) -> Path:
    """Write the page of the episode in the record ``path`` to ``out``, and beside it what pages share.

    Step N has the anchor ``#step-N``. Whatever an episode holds, there is a page. Raises ``BadFile`` where
    nothing can be written.
    """
    for name in (STYLE, SCRIPT):
        share(out.parent / name)
    write_whole(out, transcript_html(path, episode, links=links, images=images, shared=True).encode())
    return out


def transcript_html(
    path: Path, episode: Episode, *, links: Links = NOWHERE, images: Images = NONE, shared: bool = False
) -> str:
    """The page of an episode; with ``shared`` it needs the two shared files beside it, else nothing."""
    return _Page(path, episode, links, images).html(shared)


_written: dict[Path, bytes] = {}


def share(file: Path) -> None:
    """Write a shared file where it is not there as it should be."""
    content = _asset(file.name).encode()
    if _written.get(file) == content and file.exists():
        return
    if not file.exists() or file.read_bytes() != content:
        write_whole(file, content)
    _written[file] = content


@cache
def _asset(name: str) -> str:
    return files("backburner.evaluation.transcripts").joinpath(name).read_text("utf-8")


class _Page:
    """An episode with what its world tells about it, if the world is here."""

    def __init__(self, path: Path, episode: Episode, links: Links, images: Images) -> None:
        self.path, self.episode, self.links, self.images = path, episode, links, images
        self.header = episode.header
        self.places = places_of(episode)
        self.world: World[Any, Any, Any] | None = None
        self.shots: tuple[Shot, ...] = ()
        self.windows: tuple[Window, ...] = ()
        self.words: Words = compact
        self.lacks: list[str] = []
        try:
            world = world_of(episode)
            self.words = words_in(world)
            self.windows = windows_of(episode, world)
            self.shots = shots_of(episode, world)[:MOST_SHOTS]
            self.world = world
        except Exception as error:  # a stranger's record may be what no play of ours would have come to
            why = str(error) if isinstance(error, BackburnerError) else f"{type(error).__name__}: {error}"
            self.lacks.append(f"drawn without scenes and limits of time: {one_line(shorten(why, 300))}")

    def html(self, shared: bool) -> str:
        stage = Stage([shot.scene for shot in self.shots], self.images) if self.shots else None
        film = self._film(stage)
        asked = self._asked()
        told = self._told(asked)
        body = joined(
            self._top(),
            self._summary(),
            self._timeline(stage),
            element(
                "main",
                *([] if stage is None else [element("figure", first_scene(stage, self.images), id="stage")]),
                element("div", *self._unknown(asked), self._steps(asked, told)),
                class_="plain" if stage is None else "staged",
            ),
            _controls(self.header.time_unit),
        )
        body, drawings = themed(body), [str(themed(drawing)) for drawing in film.drawings]
        data = {
            "film": replace(film, drawings=drawings),
            "sent": asked_data(asked),
            "told": told,
        }
        colours = dark_variables(body + "".join(drawings))
        page = element(
            "html",
            element("head", *_head(self._title(), colours, shared)),
            element(
                "body", body, element("script", packed(data), type="text/plain", id="data"), *_scripts(shared)
            ),
            lang="en",
        )
        return f"<!DOCTYPE html>\n{page}\n"

    def _asked(self) -> Asked:
        if self.world is None:
            return Asked()
        try:
            return asked_in(self.path, self.episode, self.world)
        except Exception as error:  # templates and methods meet a stranger's record
            why = one_line(shorten(f"{type(error).__name__}: {error}", 300))
            return Asked({}, dict.fromkeys(self.header.players, f"what was sent is unknown: {why}"))

    def _told(self, asked: Asked) -> dict[int, dict[Seat, str]]:
        """What the world told a seat before each answer whose prompt is not known."""
        found: dict[int, dict[Seat, str]] = {}
        if self.world is None or not isinstance(self.world, Text):
            return found
        for state, entry, _ in islice(trajectory(self.episode, self.world), MOST_STEPS):
            for seat in entry.answers:
                if (entry.index, seat) not in asked.calls:
                    words = self.world.describe(self.world.observe(state, seat))
                    found.setdefault(entry.index, {})[seat] = bounded(words)[0]
        return found

    def _unknown(self, asked: Asked) -> Iterator[Markup]:
        for line in dict.fromkeys(asked.unknown.values()):
            yield element("p", visible(shorten(line, 500)), class_="soft")
        if asked.pieced:
            yield element("p", PIECED, class_="soft")

    def _steps(self, asked: Asked, told: Mapping[int, Mapping[Seat, str]]) -> Markup:
        header, count = self.header, len(self.episode.entries)
        open_seats = [seat for step, seat in asked.calls if step == count]
        ending = self.episode.ending
        clock = f"{number(self.places[-1].ends if self.places else 0)} {header.time_unit}"
        failed = ending is not None and ending.status == "failed"
        last = None
        if open_seats or failed:
            last = unanswered(count, clock, open_seats, ending.error if ending is not None else "")
        return steps_list(
            self.places,
            self.words,
            header.time_unit,
            several=len(header.players) > 1,
            sent=asked.calls,
            told=[(step, seat) for step, of_step in told.items() for seat in of_step],
            last=last,
        )

    def _title(self) -> str:
        return visible(shorten(f"{self.header.id}: {self.header.agent}", 200))

    def _top(self) -> Markup:
        links = self.links
        named = (
            ("report", links.report, "up"),
            ("◂ former episode", links.former, "prev"),
            ("next episode ▸", links.following, "next"),
            ("record", links.record, "record"),
        )
        return element(
            "nav", *(element("a", words, href=href, class_=kind) for words, href, kind in named if href), ""
        )

    def _summary(self) -> Markup:
        header = self.header
        line = f"{header.agent} · {header.rules_name} rules · seed {header.seed}"
        return element(
            "header",
            element("h1", visible(shorten(header.id, 500))),
            element("p", visible(shorten(line, 500)), class_="who"),
            element("dl", *self._facts()),
            *(element("p", visible(line), class_="lacks") for line in self.lacks),
            class_="summary",
        )

    def _facts(self) -> Iterator[Markup]:
        header, ending = self.header, self.episode.ending
        terms = {
            "world": f"{header.world}, version {header.world_version}",
            "rules": header.rules_name,
            "limits": compact(header.limits),
            "agent": _players(header),
            "seed": str(header.seed),
            "outcome": f"{ending.status}: {ending.reason}" if ending else "unfinished record",
        }
        if ending:
            terms |= {name.replace("_", " "): number(value) for name, value in ending.numbers.items()}
            terms |= {"error": ending.error} if ending.error else {}
        for name, value in terms.items():
            yield element("dt", visible(shorten(name)))
            yield element("dd", visible(shorten(value, 1000)))

    def _timeline(self, stage: Stage | None) -> Markup:
        events = tuple(self.episode.events())
        if len(events) > MOST_EVENTS:
            return element("p", f"{len(events)} events are too many to be drawn", class_="lacks")
        standing = () if stage is None else tuple(body.name for body in stage.scenes[0].bodies)
        bodies = (*BODIES, *self.header.players, *standing)
        chart = timeline_svg(events, unit=self.header.time_unit, bodies=bodies, windows=self.windows)
        return element("figure", Markup(chart), class_="times")

    def _film(self, stage: Stage | None) -> Film:
        if stage is not None:
            return film_of(stage, self.shots)
        return Film([0, *(place.ends for place in self.places)], [-1, *range(len(self.places))], [], [])


def words_in(world: World[Any, Any, Any]) -> Words:
    """Recorded decisions in the world's own words, where it has any."""
    if not isinstance(world, Text):
        return compact

    def words(written: Any) -> str:
        plain = msgspec.to_builtins(written)
        decision = decision_of(world, plain)
        return compact(plain) if decision is plain else world.words(decision)

    return words


def _players(header: Header) -> str:
    return ", ".join(
        f"{player.name}{' (informed)' if player.informed else ''}"
        + (f" as {seat}" if len(header.players) > 1 else "")
        for seat, player in header.players.items()
    )


# --- what stands around ---------------------------------------------------------------------------------


def packed(data: Mapping[str, Any]) -> Markup:
    """JSON, compressed, in characters that mean nothing to HTML."""
    return Markup(base64.b64encode(zlib.compress(msgspec.json.encode(data), 6)).decode())


def _head(title: str, colours: str, shared: bool) -> Iterator[Markup]:
    yield element("meta", charset="utf-8")
    yield element("meta", name_="viewport", content="width=device-width, initial-scale=1")
    allowed = "'self' file:" if shared else f"'sha256-{_hash(_asset(SCRIPT))}'"
    policy = (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline' 'self' file:; img-src data:"
    )
    yield element("meta", http_equiv="Content-Security-Policy", content=policy)
    yield element("title", title)
    if shared:
        yield element("link", rel="stylesheet", href=STYLE)
    else:
        yield element("style", Markup(_asset(STYLE)))
    yield element("style", Markup(f"@media (prefers-color-scheme: dark) {{ :root {{ {colours} }} }}"))


def _hash(script: str) -> str:
    return base64.b64encode(sha256(script.encode()).digest()).decode()


def _scripts(shared: bool) -> Sequence[Markup]:
    if shared:
        return [element("script", "", src=SCRIPT)]
    return [element("script", Markup(_asset(SCRIPT)))]


SPEEDS = {"0.5": "slow", "1": "a step a second", "2": "2 a second", "4": "4 a second", "10": "10 a second"}


def _controls(unit: str) -> Markup:
    """What moves through the episode; hidden until the script is there to make it work."""
    speeds = (
        element("option", words, value=value, selected="selected" if value == "1" else None)
        for value, words in SPEEDS.items()
    )
    return element(
        "div",
        element("button", "play", id="play", type="button"),
        element("button", "◂", id="back", type="button", title="one step back", aria_label="one step back"),
        element("button", "▸", id="on", type="button", title="one step on", aria_label="one step on"),
        element("input", id="slider", type="range", min=0, value=0, aria_label="step"),
        element("select", *speeds, id="speed", aria_label="speed"),
        element("span", "", id="told", data_unit=unit),
        id="controls",
        hidden="hidden",
    )

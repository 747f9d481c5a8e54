"""The page of one episode: summary, scenes that play, timeline, and every step."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.models.client import Message
from backburner.drawing.film import Film, film_of, first_scene
from backburner.drawing.scene.appearance import NONE, Images
from backburner.drawing.scene.map import Map
from backburner.drawing.scene.picture import Stage, stage_of
from backburner.drawing.scheme import dark_variables, themed
from backburner.drawing.svg import Markup, element, joined
from backburner.drawing.timeline.behind import behind_svg
from backburner.drawing.timeline.picture import timelines_svg
from backburner.evaluation.submissions.retelling import Asked
from backburner.evaluation.transcripts.gathered import Gathered
from backburner.evaluation.transcripts.plans import Plans
from backburner.evaluation.transcripts.steps import (
    aligned,
    bounded,
    plan_steps,
    steps_list,
    unanswered,
    visible,
)
from backburner.evaluation.transcripts.summary import summary
from backburner.kernel.episode import Episode
from backburner.kernel.errors import number, shorten
from backburner.kernel.files import write_whole
from backburner.kernel.turns import writable
from backburner.kernel.values import Seat

STYLE, SCRIPT = "transcript.css", "transcript.js"
"""The files that the pages of a folder share."""

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
    plan: str = ""


NOWHERE = Links()
"""Of a page that stands alone."""


def write_transcript(
    path: Path,
    episode: Episode,
    out: Path,
    *,
    links: Links = NOWHERE,
    plans: Plans | None = None,
    images: Images = NONE,
) -> Gathered:
    """Write the page of the episode in the record ``path`` to ``out``, and beside it what pages share, and
    return what is known of it.

    Step N has the anchor ``#step-N``. Whatever an episode holds, there is a page. Raises ``BadFile`` where
    nothing can be written.
    """
    for name in (STYLE, SCRIPT):
        share(out.parent / name)
    known = Gathered(path, episode, plans or Plans())
    write_whole(out, writable(_Page(known, links, images).html(shared=True)).encode())
    return known


def transcript_html(
    path: Path,
    episode: Episode,
    *,
    links: Links = NOWHERE,
    plans: Plans | None = None,
    images: Images = NONE,
    shared: bool = False,
) -> str:
    """The page of an episode; with ``shared`` it needs the two shared files beside it, else nothing.

    ``plans``: where the play is found that it is held against; by default beside the record, or shipped.
    """
    return _Page(Gathered(path, episode, plans or Plans()), links, images).html(shared)


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
    """The page of what is known of an episode."""

    def __init__(self, known: Gathered, links: Links, images: Images) -> None:
        self.known, self.links, self.images = known, links, images
        self.header, self.unit = known.header, known.header.time_unit

    def html(self, shared: bool) -> str:
        known = self.known
        stage = stage_of([shot.scene for shot in known.shots], self.images) if known.shots else None
        film = self._film(stage)
        timelines, steps = self._timelines(), self._steps()
        body = joined(
            self._top(),
            summary(known),  # which tells what was not to be had for the others
            timelines,
            element(
                "main",
                *([] if stage is None else [element("figure", first_scene(stage, self.images), id="stage")]),
                element("div", *self._unknown(), steps, class_="steps"),
                class_="plain" if stage is None else "staged",
            ),
            _controls(self.unit),
        )
        body = themed(body)
        drawings = [str(themed(drawing)) for drawing in film.drawings]
        data = {
            "film": replace(film, drawings=drawings),
            "sent": asked_data(known.asked),
            "told": known.told,
        }
        carried = element("script", packed(data), type="text/plain", id="data")
        colours = dark_variables(body + "".join(drawings))
        page = element(
            "html",
            element("head", *_head(self._title(), colours, shared)),
            element("body", body, carried, *_scripts(shared)),
            lang="en",
        )
        return f"<!DOCTYPE html>\n{page}\n"

    def _title(self) -> str:
        return visible(shorten(f"{self.header.id}: {self.header.agent}", 200))

    def _top(self) -> Markup:
        links = self.links
        named = (
            ("report", links.report, "up"),
            ("◂ former episode", links.former, "prev"),
            ("next episode ▸", links.following, "next"),
            ("the plan's page", links.plan, "plan"),
            ("record", links.record, "record"),
        )
        return element(
            "nav", *(element("a", words, href=href, class_=kind) for words, href, kind in named if href), ""
        )

    # --- timelines ---------------------------------------------------------------------------------------

    def _timelines(self) -> Markup:
        """The episode, how far it was behind, and the plan, one above the other on one scale."""
        known = self.known
        if not known.drawable:
            return element("p", f"{len(known.events)} events are too many to be drawn", class_="lacks")
        if known.plan_chart is None or isinstance(known.plan, str):
            _, (picture,) = timelines_svg([known.chart], [""], self.unit)
            return element("figure", Markup(picture), class_="times")
        titles = [f"here: {shorten(self.header.agent)}", f"plan: {known.plan.origin}"]
        frame, (mine, planned) = timelines_svg([known.chart, known.plan_chart], titles, self.unit)
        beside = known.alongside
        between = []
        if beside is not None:
            times = sorted({0, *(event.time for event in known.events)})
            points = [(time, beside.behind(time)) for time in times]
            between = [Markup(behind_svg(frame, points, self.unit))]
        return element("figure", Markup(mine), *between, Markup(planned), class_="times")

    # --- steps -------------------------------------------------------------------------------------------

    def _unknown(self) -> Iterator[Markup]:
        asked = self.known.asked
        for line in dict.fromkeys(asked.unknown.values()):
            yield element("p", visible(shorten(line, 500)), class_="soft")
        if asked.pieced:
            yield element("p", PIECED, class_="soft")

    def _steps(self) -> Markup:
        known, count = self.known, len(self.known.episode.entries)
        open_seats = [seat for step, seat in known.asked.calls if step == count]
        ending = known.episode.ending
        last = None
        if open_seats or (ending is not None and ending.status == "failed"):
            clock = f"{number(known.ends)} {self.unit}"
            last = unanswered(count, clock, open_seats, ending.error if ending is not None else "")
        return steps_list(
            known.places,
            known.words,
            self.unit,
            several=len(self.header.players) > 1,
            beside=self._beside(),
            behind=self._behind(),
            sent=known.asked.calls,
            told=[(step, seat) for step, of_step in known.told.items() for seat in of_step],
            last=last,
        )

    def _beside(self) -> dict[int, Markup] | None:
        """What the plan does in the time of each step."""
        known = self.known
        if isinstance(known.plan, str):
            return None
        by_step = aligned(known.places, known.plan_places)
        return {
            place.entry.index: plan_steps(by_step.get(number, ()), known.words, self.unit, self.links.plan)
            for number, place in enumerate(known.places)
        }

    def _behind(self) -> dict[int, float]:
        """How far behind the plan the episode is when each step begins."""
        beside = self.known.alongside
        if beside is None:
            return {}
        return {place.entry.index: beside.behind(place.begins) for place in self.known.places}

    def _film(self, stage: Stage | Map | None) -> Film:
        known = self.known
        if stage is not None:
            return film_of(stage, known.shots)
        return Film([0, *(place.ends for place in known.places)], [-1, *range(len(known.places))], [], [])


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


# --- what models were sent -------------------------------------------------------------------------------


def asked_data(asked: Asked) -> dict[str, Any]:
    """The calls as a page carries them.

    ``messages``: [role, text, characters cut off], each once. ``calls``: by step and seat, for each call its
    message's name, how many of the messages are those of the seat's call before it, the places of all
    others, and the answer.
    """
    places: dict[Message, int] = {}
    before: dict[Seat, tuple[Message, ...]] = {}
    calls: dict[int, dict[Seat, list[Any]]] = {}
    for (step, seat), of_step in asked.calls.items():
        for call in of_step:
            kept = _in_common(before.get(seat, ()), call.conversation)
            others = [places.setdefault(message, len(places)) for message in call.conversation[kept:]]
            answer = None if call.answer is None else bounded(call.answer)[0]
            calls.setdefault(step, {}).setdefault(seat, []).append([call.message, kept, others, answer])
            before[seat] = call.conversation
    messages = [[message.role, *bounded(message.content)] for message in places]
    return {"messages": messages, "calls": calls}


def _in_common(one: Sequence[Message], other: Sequence[Message]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (left, right) in pairs if left != right), min(len(one), len(other)))

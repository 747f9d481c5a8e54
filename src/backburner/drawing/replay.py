"""One episode played back on one page: scenes, timeline, steps. Nothing to fetch; one script inside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

from backburner.drawing import palette
from backburner.drawing.scene.appearance import NONE, Images
from backburner.drawing.scene.picture import Part, Stage, drawn
from backburner.drawing.scene.pieces import STYLE as SCENE_STYLE
from backburner.drawing.svg import Markup, document, element
from backburner.drawing.timeline import timeline_svg
from backburner.drawing.timeline.chart import BODIES
from backburner.drawing.timeline.page import STYLE as PAGE_STYLE
from backburner.drawing.timeline.page import compact, facts, steps_table
from backburner.kernel.assessment import Window
from backburner.kernel.episode import Episode
from backburner.kernel.view import Shot

# --- scenes as a film: every part drawn once, and when it is where ------------------------------------


Cut = tuple[int, float, float, int]
"""From this frame on a part is at (x, y) and looks like that drawing; -1: it is not there."""


class Actor(Struct):
    """A part by the name that it keeps, and its cuts in order of time."""

    name: str
    cuts: list[Cut]


class Film(Struct):
    """``times``: when each frame is; ``steps``: which recorded step led there, -1 for none.

    ``drawings``: markup that cuts name by its index.
    """

    times: list[int | float]
    steps: list[int]
    drawings: list[str]
    actors: list[Actor]


def film_of(stage: Stage, shots: Sequence[Shot]) -> Film:
    """The film of the shots whose scenes are the stage's, a frame for each."""
    drawings: dict[str, int] = {}
    actors: dict[str, list[Cut]] = {}
    shown: dict[str, Part] = {}
    for frame, shot in enumerate(shots):
        parts = stage.parts(shot.scene)
        for name, part in parts.items():
            if shown.get(name) != part:
                drawing = drawings.setdefault(part.markup, len(drawings))
                actors.setdefault(name, []).append((frame, round(part.x, 2), round(part.y, 2), drawing))
        for name in shown.keys() - parts.keys():
            last = actors[name][-1]
            actors[name].append((frame, last[1], last[2], -1))
        shown = parts
    return Film(
        [shot.time for shot in shots],
        [shot.step for shot in shots],
        list(map(str, drawings)),
        [Actor(name, cuts) for name, cuts in actors.items()],
    )


# --- the page -----------------------------------------------------------------------------------------


STYLE = f"""
#stage {{ display: flex; flex-wrap: wrap; gap: 8px 24px; align-items: flex-start; margin: 0 0 14px }}
#stage figure {{ margin: 0; max-width: 100% }}
body {{ max-width: 1640px }}
#steps pre {{ min-width: 17em }}
#steps {{ flex: 1 1 540px; max-height: 560px; overflow-y: auto; position: relative }}
#steps th {{ position: sticky; top: 0; background: #fff }}
#steps tbody tr {{ cursor: pointer }}
#steps td:last-child {{ overflow-wrap: anywhere }}
#steps tr.current td {{ background: {palette.HANDS_FILL} }}
#controls {{ display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin: 0 0 12px }}
#controls[hidden] {{ display: none }}
#controls input {{ flex: 1 1 240px }}
button, select {{ font: inherit; padding: 2px 12px }}
#play {{ min-width: 5em }}
#told {{ color: {palette.MUTED}; min-width: 9em; font-variant-numeric: tabular-nums }}
.actor {{ transition: transform 0.25s }}
.timeline {{ cursor: pointer }}
.now {{ stroke: {palette.REFUSED}; stroke-width: 1.5; pointer-events: none }}
@media (prefers-reduced-motion: reduce) {{ .actor {{ transition: none }} }}
"""

SPEEDS = {"0.5": "slow", "1": "a step a second", "2": "2 a second", "4": "4 a second", "10": "10 a second"}


def replay_html(
    episode: Episode,
    shots: Sequence[Shot],
    *,
    words: Callable[[Any], str] = compact,
    windows: Sequence[Window] = (),
    images: Images = NONE,
) -> str:
    """A self-contained page that plays an episode, finished or not.

    ``shots``: of the scenes, in order of time; see ``replay.shots_of``. Beside them stand the steps
    with what was answered and refused, below them the timeline. Buttons, a slider, the arrow keys,
    Home, End and the space bar move through the episode; so does a click on a step or in the
    timeline. Without scripts the page shows the first scene, the steps and the timeline.
    """
    header = episode.header
    stage = Stage([shot.scene for shot in shots], images)
    film = film_of(stage, shots)
    bodies = (*BODIES, *header.players, *(body.name for body in stage.scenes[0].bodies))
    chart = timeline_svg(episode.events(), unit=header.time_unit, bodies=bodies, windows=windows)
    page = element(
        "html",
        element(
            "head",
            element("meta", charset="utf-8"),
            element("title", f"{header.id}: {header.agent}"),
            element("style", Markup(PAGE_STYLE + STYLE)),
        ),
        element(
            "body",
            element("h1", header.id),
            _controls(header.time_unit),
            element(
                "div",
                element("figure", _picture(stage, images)),
                element("div", steps_table(episode, words), id="steps"),
                id="stage",
            ),
            element("figure", Markup(chart)),
            element("dl", *facts(episode)),
            element("script", _inert(film), type="application/json", id="film"),
            element("script", Markup(files("backburner.drawing").joinpath("player.js").read_text("utf-8"))),
        ),
        lang="en",
    )
    return f"<!DOCTYPE html>\n{page}\n"


def _picture(stage: Stage, images: Images) -> Markup:
    """The stage with the first scene on it."""
    return document(
        stage.width,
        stage.height,
        SCENE_STYLE,
        element("defs", images.definitions()),
        stage.ground(),
        element("g", drawn(stage.parts(stage.scenes[0]).values()), class_="actors"),
        title="the kitchen",
        class_="scene",
    )


def _controls(unit: str) -> Markup:
    """What moves through the episode; hidden until the script is there to make it work."""
    speeds = (
        element("option", words, value=value, selected="selected" if value == "1" else None)
        for value, words in SPEEDS.items()
    )
    return element(
        "div",
        element("button", "play", id="play", type="button"),
        element("button", "◂", id="back", type="button", title="one step back"),
        element("button", "▸", id="on", type="button", title="one step on"),
        element("input", id="slider", type="range", min=0, value=0, aria_label="step"),
        element("select", *speeds, id="speed", aria_label="speed"),
        element("span", "", id="told", data_unit=unit),
        id="controls",
        hidden="hidden",
    )


def _inert(value: Any) -> Markup:
    """JSON without a character that means anything to HTML or XML."""
    text = msgspec.json.encode(value).decode()
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))

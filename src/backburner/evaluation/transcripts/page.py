"""The pages of episodes: summary, scenes that play, timelines, and every step; drawn by templates.

Many pages of one folder are written by several processes, and each scenario's plan is found once.
"""

from __future__ import annotations

import base64
import os
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any

import jinja2
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.models.client import Message
from backburner.drawing.palette import dark_variables, themed
from backburner.drawing.scene.appearance import Images
from backburner.drawing.scene.map import Map
from backburner.drawing.scene.picture import Film, Stage, film_of, first_scene, stage_of
from backburner.drawing.scene.pictures import Illustrated
from backburner.drawing.timeline.picture import behind_svg, timelines_svg
from backburner.evaluation.running.pool import in_processes
from backburner.evaluation.submissions.retelling import Asked
from backburner.evaluation.templates import asset, page_templates, script_digest
from backburner.evaluation.transcripts import steps
from backburner.evaluation.transcripts.gathered import Gathered, Spent, spent
from backburner.evaluation.transcripts.plans import Plan, Plans
from backburner.evaluation.transcripts.steps import Place, aligned, bounded, visible
from backburner.evaluation.transcripts.summary import DONE, settings, tables, tiles
from backburner.kernel.episode import Episode, read_episode
from backburner.kernel.errors import BadFile, amount, number, one_line, shorten, why
from backburner.kernel.files import write_whole
from backburner.kernel.values import Seat, writable

STYLE, SCRIPT = "transcript.css", "transcript.js"
"""The files that the pages of a folder share."""

SPEEDS = {"0.5": "slow", "1": "a step a second", "2": "2 a second", "4": "4 a second", "10": "10 a second"}

SENT, TOLD = "what it was sent", "what the seat was told"
"""What is folded away beside an answer: the prompts, or what the world told where nobody was prompted."""


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
) -> Gathered:
    """Write the page of the episode in the record ``path`` to ``out``, and beside it what pages share, and
    return what is known of it.

    Step N has the anchor ``#step-N``. Whatever an episode holds, there is a page. Raises ``BadFile`` where
    nothing can be written.
    """
    for name in (STYLE, SCRIPT):
        share(out.parent / name)
    known = Gathered(path, episode, plans or Plans())
    write_whole(out, writable(_page(known, links, Illustrated(), shared=True)).encode())
    return known


def transcript_html(
    path: Path,
    episode: Episode,
    *,
    links: Links = NOWHERE,
    plans: Plans | None = None,
    images: Images | None = None,
    shared: bool = False,
) -> str:
    """The page of an episode; with ``shared`` it needs the two shared files beside it, else nothing.

    ``plans``: where the play is found that it is held against; by default beside the record, or shipped.
    """
    return _page(Gathered(path, episode, plans or Plans()), links, images or Illustrated(), shared=shared)


_written: dict[Path, bytes] = {}


def share(file: Path) -> None:
    """Write a shared file where it is not there as it should be."""
    content = asset(f"transcript/{file.name}").encode()
    if _written.get(file) == content and file.exists():
        return
    if not file.exists() or file.read_bytes() != content:
        write_whole(file, content)
    _written[file] = content


# --- the page ----------------------------------------------------------------------------------------------


def _page(known: Gathered, links: Links, images: Images, *, shared: bool) -> str:
    templates = _templates()
    stage = stage_of([shot.scene for shot in known.shots], images) if known.shots else None
    film = _film(known, stage)
    drawn = _timelines(known)  # before the summary, which tells what was not to be had
    shown = _shown_steps(known, links)
    body = templates.get_template("transcript/body.html.jinja").render(
        known=known,
        header=known.header,
        unit=known.header.time_unit,
        ways=_ways(links),
        tiles=list(tiles(known)),
        tables=list(tables(known)),
        settings=list(settings(known)),
        pictures=drawn,
        scene=None if stage is None else first_scene(stage, images),
        speeds=SPEEDS,
        **shown,
    )
    body = themed(body)
    drawings = [str(themed(drawing)) for drawing in film.drawings]
    carried = {
        "film": replace(film, drawings=drawings),
        "sent": asked_data(known.asked),
        "told": known.told,
    }
    script = asset(f"transcript/{SCRIPT}")
    return templates.get_template("transcript/page.html.jinja").render(
        title=visible(shorten(f"{known.title}: {known.header.agent}", 200)),
        allowed="'self' file:" if shared else script_digest(script),
        shared=shared,
        style_file=STYLE,
        script_file=SCRIPT,
        style=asset(f"transcript/{STYLE}"),
        script=script,
        colours=dark_variables(body + "".join(drawings)),
        body=body,
        data=packed(carried),
    )


@cache
def _templates() -> jinja2.Environment:
    environment = page_templates(xml=True)
    environment.globals |= {
        "DONE": DONE,
        "MOST_STEPS": steps.MOST_STEPS,
        "SENT": SENT,
        "SHORT": steps.SHORT,
    }
    environment.filters |= {
        "amount": amount,
        "bare": steps.bare,
        "bounded": bounded,
        "costs": steps.costs,
        "decided": steps.decided,
        "facts": steps.facts,
        "late": steps.late,
        "number": number,
        "shorten": shorten,
        "thought_in_words": steps.thought_in_words,
        "told": steps.told,
        "unique_lines": dict.fromkeys,
        "visible": visible,
    }
    environment.tests["refused"] = steps.is_refused
    return environment


def _ways(links: Links) -> Sequence[tuple[str, str, str]]:
    """(words, address, kind) of everything that a page leads to."""
    return (
        ("report", links.report, "up"),
        ("◂ former episode", links.former, "prev"),
        ("next episode ▸", links.following, "next"),
        ("the plan's page", links.plan, "plan"),
        ("record", links.record, "record"),
    )


def _timelines(known: Gathered) -> list[str]:
    """The episode, how far it was behind, and the plan, one above the other on one scale; nothing where there
    are too many events."""
    unit, beside = known.header.time_unit, known.alongside
    if not known.drawable:
        return []
    if known.plan_chart is None or isinstance(known.plan, str):
        return list(timelines_svg([known.chart], [""], unit)[1])
    titles = [f"here: {shorten(known.header.agent)}", f"plan: {known.plan.origin}"]
    frame, (mine, planned) = timelines_svg([known.chart, known.plan_chart], titles, unit)
    if beside is None:
        return [mine, planned]
    points = [(time, beside.behind(time)) for time in sorted({0, *(event.time for event in known.events)})]
    return [mine, behind_svg(frame, points, unit), planned]


def _film(known: Gathered, stage: Stage | Map | None) -> Film:
    if stage is not None:
        return film_of(stage, known.shots)
    return Film([0, *(place.ends for place in known.places)], [-1, *range(len(known.places))], [], [])


def _shown_steps(known: Gathered, links: Links) -> dict[str, Any]:
    """What the template of steps asks for beside the episode.

    ``carried``: what is folded away, by step and seat. ``behind``: how far behind the plan each step begins.
    ``beside``: the plan's steps in the time of each, ``None`` without a plan. ``waiting``: the seats that
    were asked last and have not answered, ``None`` if play was not broken off.
    """
    asked, ending, alongside = known.asked.calls, known.episode.ending, known.alongside
    told = [(step, seat) for step, of_step in known.told.items() for seat in of_step]
    open_seats = [seat for step, seat in asked if step == len(known.episode.entries)]
    broken_off = open_seats or (ending is not None and ending.status == "failed")
    refused = (place.entry.index for place in known.places if place.entry.refusals)
    behind: dict[int, float] = {}
    if alongside is not None:
        behind = {place.entry.index: alongside.behind(place.begins) for place in known.places}
    return {
        "carried": dict.fromkeys(told, TOLD) | dict.fromkeys(asked, SENT),
        "first_refusal": next(refused, None),
        "behind": behind,
        "beside": None if isinstance(known.plan, str) else _beside(known),
        "plan_page": links.plan,
        "waiting": open_seats if broken_off else None,
    }


def _beside(known: Gathered) -> dict[int, tuple[Place, ...]]:
    """What the plan does in the time of each step."""
    by_step = aligned(known.places, known.plan_places)
    return {place.entry.index: by_step.get(number, ()) for number, place in enumerate(known.places)}


# --- what the page carries for its script ------------------------------------------------------------------


def packed(data: Mapping[str, Any]) -> str:
    """JSON, compressed, in characters that mean nothing to HTML."""
    return base64.b64encode(zlib.compress(msgspec.json.encode(data), 6)).decode()


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
    messages = [[message.role, *bounded(message.told)] for message in places]
    return {"messages": messages, "calls": calls}


def _in_common(one: Sequence[Message], other: Sequence[Message]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (left, right) in pairs if left != right), min(len(one), len(other)))


# --- many pages --------------------------------------------------------------------------------------------


CHUNK = 20
"""Pages handed to a process at a time."""

WORTH_A_PROCESS = 100
"""A process costs about what so many pages do."""


class PageOf(Struct, frozen=True):
    """A page to be written: of the episode in the record ``path``, to ``out``."""

    path: Path
    out: Path
    links: Links


class Told(Struct, frozen=True):
    """Of a record's page where the time of its episode went; or why it was not written, and whether that is
    because no file could be (``disk``)."""

    path: Path
    spent: Spent | None = None
    why: str = ""
    disk: bool = False


def write_transcripts(
    pages: Sequence[PageOf],
    oracles: Sequence[Path] = (),
    *,
    seconds: float = 0.0,
    workers: int | None = None,
    heard: Callable[[int], object] = lambda total: None,
) -> tuple[dict[Path, Spent], dict[Path, str]]:
    """Write all pages. By their records: where the time went, and of pages that could not be written why.

    ``oracles``: records of oracles, which episodes of the same scenario are held against; their pages are
    linked. ``seconds``: so long a plan is looked for where none is recorded or shipped. ``workers``: how many
    processes, by default as many as help. ``heard`` is called for each page, with the number of all. Raises
    ``BadFile`` where no file can be written.
    """
    if workers is None:
        workers = min(os.cpu_count() or 1, len(pages) // WORTH_A_PROCESS)
    in_order = sorted(pages, key=lambda page: page.path.name)  # a scenario's episodes go to one process
    chunks = [in_order[start : start + CHUNK] for start in range(0, len(in_order), CHUNK)]
    addresses = {page.path: page.out.name for page in pages if page.path in set(oracles)}
    write = partial(_write_chunk, oracles=tuple(oracles), addresses=addresses, seconds=seconds)
    spent: dict[Path, Spent] = {}
    unwritten: dict[Path, str] = {}
    for found in map(write, chunks) if workers <= 1 else in_processes(write, chunks, workers):
        for each in found:
            heard(len(pages))
            if each.disk:
                raise BadFile(each.path, "its page", each.why)
            if each.spent is None:
                unwritten[each.path] = each.why
            else:
                spent[each.path] = each.spent
    return spent, unwritten


def _write_chunk(
    pages: Sequence[PageOf], *, oracles: tuple[Path, ...], addresses: Mapping[Path, str], seconds: float
) -> list[Told]:
    plans = _plans(oracles, seconds)
    return [_write(page, plans, addresses) for page in pages]


def _write(page: PageOf, plans: Plans, addresses: Mapping[Path, str]) -> Told:
    try:
        episode = read_episode(page.path)
    except BadFile as error:  # since it was scored
        return Told(page.path, why=str(error))
    try:
        plan = plans.beside(page.path, episode)
        known = addresses.get(plan.path, "") if isinstance(plan, Plan) and plan.path is not None else ""
        links = replace(page.links, plan=known)
        return Told(
            page.path, spent(write_transcript(page.path, episode, page.out, links=links, plans=plans))
        )
    except BadFile as error:
        return Told(page.path, why=str(error), disk=True)
    except Exception as error:  # a record may be what no play of ours would have come to
        return Told(page.path, why=one_line(shorten(why(error), 300)))


@lru_cache(maxsize=2)
def _plans(oracles: tuple[Path, ...], seconds: float) -> Plans:
    """The plans that this process has found, kept from chunk to chunk."""
    recorded = []
    for path in oracles:
        try:
            recorded.append((path, read_episode(path)))
        except BadFile:
            continue
    return Plans(recorded, seconds)

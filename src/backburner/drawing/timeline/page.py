"""One episode on one page: its facts, its timeline, its steps. No scripts, nothing to fetch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from backburner.drawing import palette
from backburner.drawing.svg import FONT, Markup, element
from backburner.drawing.timeline.chart import BODIES
from backburner.drawing.timeline.picture import timeline_svg
from backburner.kernel.assessment import Window
from backburner.kernel.episode import Answer, Entry, Episode, Header
from backburner.kernel.errors import number
from backburner.kernel.values import Event, Refusal

STYLE = f"""
body {{ font: 14px/1.45 {FONT}; color: {palette.INK}; background: #fff; margin: 24px auto; max-width: 1320px;
  padding: 0 20px }}
h1 {{ font-size: 20px; margin: 0 0 12px }}
dl {{ display: grid; grid-template-columns: max-content auto; gap: 2px 18px; margin: 0 0 18px }}
dt {{ color: {palette.MUTED} }}
dd {{ margin: 0 }}
figure {{ margin: 0 0 18px; overflow-x: auto }}
table {{ border-collapse: collapse; width: 100% }}
th, td {{ text-align: left; vertical-align: top; padding: 4px 12px 4px 0;
  border-bottom: 1px solid {palette.LINE} }}
th {{ color: {palette.MUTED}; font-weight: 500 }}
td.number {{ text-align: right; font-variant-numeric: tabular-nums; width: 1% }}
pre {{ margin: 0; font: 13px/1.4 ui-monospace, Menlo, Consolas, monospace; white-space: pre-wrap;
  overflow-wrap: anywhere; max-height: 12em; overflow-y: auto }}
summary {{ color: {palette.MUTED}; cursor: pointer }}
.refused {{ color: {palette.REFUSED} }}
"""


def compact(value: Any) -> str:
    """A decision, rules or limits in one line of ``name=value``, whatever their type."""
    plain = msgspec.to_builtins(value)
    if isinstance(plain, Mapping):
        return " ".join(f"{key}={compact(part)}" for key, part in plain.items())
    if isinstance(plain, Sequence) and not isinstance(plain, str):
        return " ".join(map(compact, plain))
    return str(plain)


def timeline_html(
    episode: Episode,
    *,
    words: Callable[[Any], str] = compact,
    windows: Sequence[Window] = (),
) -> str:
    """A self-contained page about one episode, finished or not.

    It shows the scenario, rules, agent, seed and outcome, the timeline with its ``windows``, and a
    table of the steps with what was answered and what came of it. ``words`` puts a recorded decision,
    which is plain JSON data if the episode was read from a file, into words where the answer was no
    text.
    """
    header = episode.header
    bodies = (*BODIES, *header.players)
    chart = timeline_svg(episode.events(), unit=header.time_unit, bodies=bodies, windows=windows)
    page = element(
        "html",
        element(
            "head",
            element("meta", charset="utf-8"),
            element("title", f"{header.id}: {header.agent}"),
            element("style", Markup(STYLE)),
        ),
        element(
            "body",
            element("h1", header.id),
            element("dl", *facts(episode)),
            element("figure", Markup(chart)),
            steps_table(episode, words),
        ),
        lang="en",
    )
    return f"<!DOCTYPE html>\n{page}\n"


def facts(episode: Episode) -> Iterator[Markup]:
    """Who played what and how it ended, as entries of a list of terms."""
    header, ending = episode.header, episode.ending
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
        yield element("dt", name)
        yield element("dd", value)


def _players(header: Header) -> str:
    return ", ".join(
        f"{player.name}{' (informed)' if player.informed else ''}"
        + (f" as {seat}" if len(header.players) > 1 else "")
        for seat, player in header.players.items()
    )


# --- the steps -------------------------------------------------------------------------------------


def steps_table(episode: Episode, words: Callable[[Any], str]) -> Markup:
    """Every answer and what came of it; ``data-step`` tells the step of a row."""
    several = len(episode.header.players) > 1
    titles = (
        "step",
        episode.header.time_unit.removesuffix("s"),
        *(["seat"] if several else []),
        "answer",
        "result",
    )
    rows: list[Markup] = []
    clock: int | float = 0
    for entry in episode.entries:
        rows += _rows(entry, clock, words, several)
        clock = max((clock, *(event.time for event in entry.events)))
    head = element("thead", element("tr", *(element("th", title) for title in titles)))
    return element("table", head, element("tbody", *rows))


def _rows(entry: Entry, clock: int | float, words: Callable[[Any], str], several: bool) -> Iterator[Markup]:
    """One row for each seat that answered; what came of it stands in the first."""
    results = element("td", *_results(entry))
    for seat, answer in entry.answers.items():
        yield element(
            "tr",
            element("td", str(entry.index), class_="number"),
            element("td", number(clock), class_="number"),
            *([element("td", seat)] if several else []),
            element("td", *_answer(answer, words)),
            results,
            data_step=entry.index,
        )
        results = element("td", "")


def _answer(answer: Answer, words: Callable[[Any], str]) -> Iterator[Markup]:
    for thought in answer.thoughts:
        yield element("details", element("summary", thought.purpose), element("pre", thought.text))
    text = answer.text if answer.text is not None else words(answer.decision)
    yield element("pre", text)


def _results(entry: Entry) -> Iterator[str]:
    for refusal in entry.refusals:
        yield element("div", _refused(refusal), class_="refused")
    results = "; ".join(_told(entry.events))
    if results:
        yield element("div", results)


def _refused(refusal: Refusal) -> str:
    facts = ", ".join(f"{name}: {compact(value)}" for name, value in refusal.detail)
    code = refusal.code.replace("_", " ")
    family = "" if code == refusal.fault else f" ({refusal.fault})"
    return f"refused: {code}{family}{f'; {facts}' if facts else ''}"


def _told(events: Sequence[Event]) -> Iterator[str]:
    """What happened in a step, without the act of starting, waits and refusals, which go without saying."""
    started = {event.label for event in events if event.what == "start"}
    ended = {event.key for event in events if event.what == "end"}
    for event in events:
        plain = event.kind == "work" and event.label.removeprefix("start ") not in started - {event.label}
        match event.what:
            case "start" if plain and event.key not in ended:
                yield f"{event.label} begins"
            case "end" if plain:
                yield f"{event.label} done at {number(event.time)}"
            case "pause" | "resume" if plain:
                yield f"{event.label} {event.what}s at {number(event.time)}"
            case "delivered" | "expired" | "said":
                yield f"{event.what}: {event.label}"
    scores = [event.value for event in events if event.what == "score" and event.value is not None]
    if scores:
        yield f"score {number(scores[-1])}"

"""The steps of an episode, one after the other: who was asked, what was answered, what came of it.

Words of models and records are bounded, and every sign in them is made visible.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from backburner.drawing.svg import Markup, element, joined
from backburner.kernel.episode import Answer, Entry, Episode
from backburner.kernel.errors import amount, number, shorten
from backburner.kernel.values import Event, Refusal, Seat, Usage

MOST_SHOWN = 20_000
"""Characters of one text that a page holds; the record has all of it."""

_HIDDEN = (
    *range(0x00, 0x09),
    *range(0x0B, 0x20),
    *range(0x7F, 0xA0),
    0xAD,
    0x061C,
    0x180E,
    *range(0x200B, 0x2010),
    *range(0x2028, 0x202F),
    *range(0x2060, 0x2070),
    0xFEFF,
    *range(0xFFF0, 0xFFFC),
    *range(0xE0000, 0xE0080),
)
"""What has no shape, or turns the writing around: controls, zero widths, marks of direction, tags."""

_SHAPES = {code: f"⟨{code:04X}⟩" for code in _HIDDEN} | {0x0D: "␍"}


def visible(text: str) -> str:
    """``text`` with its number in place of each sign that nobody sees, such as ``⟨202E⟩``.

    Line breaks and tabs stay; a carriage return before a line break is part of it.
    """
    if text.isascii() and text.isprintable():
        return text
    return text.replace("\r\n", "\n").translate(_SHAPES)


def bounded(text: str, most: int = MOST_SHOWN) -> tuple[str, int]:
    """(what is shown of a text, how many characters of it are not)."""
    return (text, 0) if len(text) <= most else (text[:most], len(text) - most)


def words_of(text: str, most: int = MOST_SHOWN, class_: str | None = None) -> Markup:
    """A foreign text as it was written, and how much of it stands in the record alone."""
    shown, cut = bounded(text, most)
    pre = element("pre", visible(shown), class_=class_)
    if not cut:
        return pre
    return joined(pre, element("p", f"… {cut} more characters stand in the record", class_="cut"))


def compact(value: Any) -> str:
    """A decision, rules or limits in one line of ``name=value``, whatever their type."""
    plain = msgspec.to_builtins(value)
    if isinstance(plain, Mapping):
        return " ".join(f"{key}={compact(part)}" for key, part in plain.items())
    if isinstance(plain, Sequence) and not isinstance(plain, str):
        return " ".join(map(compact, plain))
    return str(plain)


# --- steps -----------------------------------------------------------------------------------------------


MOST_STEPS = 3000
"""Steps that a page shows; the record has all of them."""

SHORT = 300
"""Characters of a decision in words, and of a fact, that are told in a line."""

BRIEF = 160
"""Characters of a plan's decision."""

Words = Callable[[Any], str]
"""Puts a recorded decision, which is plain JSON data, into words."""


class Place(Struct, frozen=True):
    """A step with when it was decided and when what followed from it had happened."""

    entry: Entry
    begins: int | float
    ends: int | float


def places_of(episode: Episode) -> tuple[Place, ...]:
    """The steps in order. A step begins when all that went before it has happened."""
    clock: int | float = 0
    found: list[Place] = []
    for entry in episode.entries:
        after = max((clock, *(event.time for event in entry.events)))
        found.append(Place(entry, clock, after))
        clock = after
    return tuple(found)


def steps_list(
    places: Sequence[Place],
    words: Words,
    unit: str,
    *,
    several: bool,
    beside: Mapping[int, Markup] | None = None,
    behind: Mapping[int, float] | None = None,
    sent: Collection[tuple[int, Seat]] = (),
    told: Collection[tuple[int, Seat]] = (),
    last: Markup | None = None,
) -> Markup:
    """Every step as an entry of a list with the anchor ``step-N``.

    ``several``: whether there are several seats, so that answers say whose they are. ``beside``: what
    stands to the right of single steps. ``behind``: how far behind the plan a step begins. ``sent``: the
    answers (step, seat) whose prompts the page carries; ``told``: those of which it carries what the world
    told the seat. ``last`` comes after all steps.
    """
    carried = dict.fromkeys(told, TOLD) | dict.fromkeys(sent, SENT)
    first = next((place.entry.index for place in places if place.entry.refusals), None)
    items = [
        _step(
            place,
            words,
            unit,
            several,
            (beside or {}).get(place.entry.index),
            (behind or {}).get(place.entry.index),
            carried,
            first,
        )
        for place in places[:MOST_STEPS]
    ]
    if len(places) > MOST_STEPS:
        items.append(
            element("li", f"{len(places) - MOST_STEPS} more steps stand in the record", class_="cut")
        )
    return element("ol", *items, *([] if last is None else [last]), id="steps")


SENT, TOLD = "what it was sent", "what the seat was told"


def folded(index: int, seat: Seat, what: str) -> Markup:
    """What the page's script fills in when it is opened."""
    summary = element("summary", what)
    return element("details", summary, element("div", ""), class_="sent", data_of=index, data_seat=seat)


def unanswered(index: int, clock: str, seats: Collection[Seat], error: str) -> Markup:
    """A decision that was asked for, and to which no answer came."""
    head = element(
        "header",
        element("a", f"step {index}", href=f"#step-{index}", class_="no"),
        element("span", clock, class_="time"),
        element("span", "no answer", class_="badge bad"),
    )
    asked = (folded(index, seat, f"{SENT}: {seat}" if len(seats) > 1 else SENT) for seat in seats)
    why = words_of(error or "play was broken off here", class_="bad")
    own = element("div", head, *asked, why, class_="own")
    return element("li", own, id=f"step-{index}", data_step=index, class_="step refused")


def _step(
    place: Place,
    words: Words,
    unit: str,
    several: bool,
    beside: Markup | None,
    behind: float | None,
    carried: Mapping[tuple[int, Seat], str],
    first: int | None,
) -> Markup:
    entry = place.entry
    index = entry.index
    refused = bool(entry.refusals) or any(answer.unread for answer in entry.answers.values())
    head = element(
        "header",
        element("a", f"step {index}", href=f"#step-{index}", class_="no"),
        element("span", amount(place.begins, unit), class_="time"),
        *([element("span", late, class_="late")] if (late := _late(behind)) else []),
        *([element("span", "first refusal", class_="badge bad")] if index == first else []),
    )
    answers = (
        _answer(index, seat, answer, entry.usage.get(seat), words, several, carried.get((index, seat)))
        for seat, answer in entry.answers.items()
    )
    own = element("div", head, *answers, *_results(entry, unit), class_="own")
    return element(
        "li",
        own,
        *([] if beside is None else [beside]),
        id=f"step-{index}",
        data_step=index,
        class_="step refused" if refused else "step",
    )


def _late(behind: float | None) -> str:
    """In words; nothing where it is on time."""
    tenths = 0 if behind is None else round(behind, 1)
    return "" if not tenths else f"{number(abs(tenths))} {'behind' if tenths > 0 else 'ahead'}"


def _answer(
    index: int,
    seat: Seat,
    answer: Answer,
    usage: Usage | None,
    words: Words,
    several: bool,
    sent: str | None,
) -> Markup:
    parts: list[Markup] = []
    if several:
        parts.append(element("h3", visible(seat)))
    if sent:
        parts.append(folded(index, seat, sent))
    for thought in answer.thoughts:
        purpose = element("summary", visible(shorten(thought.purpose, SHORT)))
        parts.append(element("details", purpose, words_of(thought.text), class_="thought"))
    meant = "" if answer.unread is not None else words(answer.decision)
    read = shorten(meant, SHORT)
    if answer.text is None:
        parts.append(element("pre", visible(read), class_="answer"))
    else:
        parts.append(words_of(answer.text, class_="answer"))
        if answer.unread is not None:
            parts.append(element("p", "not read as any decision", class_="read bad"))
        elif _bare(meant) != _bare(answer.text):
            parts.append(element("p", "read as ", element("code", visible(read)), class_="read"))
    if usage is not None and (cost := ", ".join(costs(usage))):
        parts.append(element("p", cost, class_="cost"))
    return element("section", *parts, class_="answered")


def _bare(text: str) -> str:
    return " ".join(text.split()).casefold()


def costs(usage: Usage) -> Iterator[str]:
    """What an answer took, in words; nothing where nobody counted."""
    if usage.calls:
        yield amount(usage.calls, "calls")
    if usage.input_tokens or usage.output_tokens:
        cached = f" ({usage.cached_tokens} cached)" if usage.cached_tokens else ""
        thought = f" ({usage.reasoning_tokens} in thoughts)" if usage.reasoning_tokens else ""
        yield f"{usage.input_tokens} tokens in{cached}, {usage.output_tokens} out{thought}"
    if usage.seconds:
        yield f"{usage.seconds:.2f} s"
    for ending, times in usage.endings.items():
        yield f"{visible(shorten(ending))} {times}"
    if usage.lost:
        yield f"{usage.lost} lost"
    yield from (visible(shorten(server)) for server in usage.servers)


# --- what came of a step ----------------------------------------------------------------------------------


def _results(entry: Entry, unit: str) -> Iterator[Markup]:
    for refusal in entry.refusals:
        yield element("p", *refused(refusal), class_="refusal")
    if happened := "; ".join(told(entry.events)):
        yield element("p", visible(shorten(happened, 4 * SHORT)), class_="result")


def refused(refusal: Refusal) -> Iterator[str]:
    """The reason of a refusal, its family, and the facts."""
    code = refusal.code.replace("_", " ")
    yield element("b", f"refused: {visible(shorten(code, SHORT))}")
    yield " "
    yield element("span", str(refusal.fault), class_="badge bad")
    facts = ", ".join(f"{name}: {compact(value)}" for name, value in refusal.detail)
    if facts:
        yield f" {visible(shorten(facts, 4 * SHORT))}"


def told(events: Iterable[Event]) -> Iterator[str]:
    """What happened in a step, without the act of starting, waits and refusals, which go without saying."""
    events = tuple(events)
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
            case "said" if event.kind == "differs":
                yield f"differs: {event.label}"
            case "delivered" | "expired" | "said":
                yield f"{event.what}: {event.label}"
    scores = [event.value for event in events if event.what == "score" and event.value is not None]
    if scores:
        yield f"score {number(scores[-1])}"


# --- the plan beside the steps ----------------------------------------------------------------------------


def aligned(places: Sequence[Place], plan: Sequence[Place]) -> dict[int, tuple[Place, ...]]:
    """The plan's steps by the place among an episode's steps in whose time they begin.

    Of several steps that begin at one time the first has them; what begins after the last step is its own.
    """
    begins = [place.begins for place in places]
    found: dict[int, list[Place]] = {}
    for step in plan:
        at = bisect_left(begins, step.begins)
        if at == len(begins) or begins[at] != step.begins:
            at -= 1
        found.setdefault(bisect_left(begins, begins[max(0, at)]) if begins else 0, []).append(step)
    return {at: tuple(steps) for at, steps in found.items()}


def plan_steps(plan: Sequence[Place], words: Words, unit: str, href: str) -> Markup:
    """What a plan decides, to stand beside a step; ``href``: its own page, if it has one."""
    lines = [
        element(
            "li",
            element("a", number(place.begins), href=f"{href}#step-{place.entry.index}", class_="time")
            if href
            else element("span", number(place.begins), class_="time"),
            " ",
            visible("; ".join(_decided(place.entry, words))),
        )
        for place in plan
    ]
    return element("ul", *lines, "", class_="plan", aria_label=f"the plan, in {unit}")


def _decided(entry: Entry, words: Words) -> Iterator[str]:
    for seat, answer in entry.answers.items():
        said = " ".join(words(answer.decision).split()) if answer.unread is None else answer.text or ""
        yield f"{seat}: {shorten(said, BRIEF)}" if len(entry.answers) > 1 else shorten(said, BRIEF)

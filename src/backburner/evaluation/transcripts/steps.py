"""The steps of an episode in words: what was answered, what it took, what came of it, what the plan did.

Words of models and records are bounded, and every sign in them is made visible.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from backburner.kernel.clock import SECOND
from backburner.kernel.contract import World
from backburner.kernel.episode import Deliberation, Entry, Episode
from backburner.kernel.errors import amount, number, shorten
from backburner.kernel.replay import times_of
from backburner.kernel.values import Event, Refusal, Usage

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


def timed_places(episode: Episode, world: World[Any, Any, Any] | None) -> tuple[Place, ...]:
    """The steps of an episode with a clock, each with the time that the world says."""
    times = times_of(episode, world)
    return tuple(map(Place, episode.entries, times, times[1:]))


def thought_in_words(thought: Deliberation) -> str:
    """How long a thought took, and since which step."""
    seconds = f"{thought.charge / SECOND:.3f}".rstrip("0").rstrip(".")
    return (
        f"thought for {seconds} s, asked before step {thought.asked}{', and was cut' if thought.cut else ''}"
    )


def late(behind: float) -> str:
    """How far behind the plan, or ahead of it, in words; nothing where it is on time."""
    tenths = round(behind, 1)
    return "" if not tenths else f"{number(abs(tenths))} {'behind' if tenths > 0 else 'ahead'}"


def bare(text: str) -> str:
    """The words of a text alone."""
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


def is_refused(entry: Entry) -> bool:
    """Whether something of a step was refused, or could not be read."""
    return bool(entry.refusals) or any(answer.unread is not None for answer in entry.answers.values())


def facts(refusal: Refusal) -> str:
    """What a refusal is about."""
    return ", ".join(f"{name}: {compact(value)}" for name, value in refusal.detail)


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


def decided(entry: Entry, words: Words) -> str:
    """What a plan decides in a step, to stand beside those of an episode."""
    told = []
    for seat, answer in entry.decided.items():
        said = " ".join(words(answer.decision).split()) if answer.unread is None else answer.text or ""
        told.append(f"{seat}: {shorten(said, BRIEF)}" if len(entry.answers) > 1 else shorten(said, BRIEF))
    return "; ".join(told)

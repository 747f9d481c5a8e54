"""Whole episodes as people read them: what agents answer and, word for word, what they are told.

A transcript has comments (``#``), a line with scenario, rules and limits (``@``) and the answers: ``> `` in
front of that of the only seat, ``agent0> `` where there are several. An answer of several lines goes on in
lines that begin with ``| ``. Everything else is told by the world, so a new transcript needs only these
kinds of lines: ``retold`` writes the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from backburner.kernel import registry
from backburner.kernel.values import Seat

CONTINUED = "| "


def transcripts_beside(test: str) -> list[Path]:
    """The transcripts of a test module, which stand in the folder ``transcripts`` beside it."""
    return sorted((Path(test).parent / "transcripts").glob("*.txt"))


def presets_of(files: list[Path]) -> set[str]:
    """The rule sets that transcripts are played by, such as ``standard rules``."""
    headers = [line for file in files for line in file.read_text("utf-8").splitlines() if line[:2] == "@ "]
    return {header.split(", ")[1] for header in headers}


def retold(transcript: str) -> str:
    """The transcript as the world tells it now."""
    comments, _, play = transcript.partition("@ ")
    header, *rest = play.splitlines()
    id, rules, limits = header.split(", ")
    world: Any = registry.world(id, rules=rules.removesuffix(" rules"), limits=limits.removesuffix(" limits"))
    state = world.start()
    lines = [f"{comments}@ {header}"]
    for seat in world.seats:
        lines += ["", *_named(world, seat), world.briefing(seat)]
    lines += ["", *_told(world, state)] if len(world.seats) == 1 else _told(world, state)
    decisions: dict[Seat, Any] = {}
    for line, answer in _answers(world, rest):
        apart = not lines[-1].startswith(("# ", *_marks(world), CONTINUED))
        lines += ["", line] if apart else [line]
        if answer is None:
            continue
        seat, text = answer
        assert seat in world.deciders(state), f"{seat} is not asked now: {line}"
        decisions[seat] = world.parse(state, seat, text)
        if set(decisions) == set(world.deciders(state)):
            state = world.step(state, decisions).state
            decisions = {}
            lines += _told(world, state)
    outcome = world.outcome(state)
    numbers = ", ".join(f"{name} {number}" for name, number in outcome.numbers.items())
    return "\n".join([*lines, "", f"= {outcome.status}, {outcome.reason}: {numbers}", ""])


def _marks(world: Any) -> dict[str, Seat]:
    """What stands in front of the answers of each seat."""
    if len(world.seats) == 1:
        return {"> ": world.seats[0]}
    return {f"{seat}> ": seat for seat in world.seats}


def _answers(world: Any, rest: list[str]) -> Iterator[tuple[str, tuple[Seat, str] | None]]:
    """The lines of comments, and those of answers with whose they are and what they say."""
    marks = _marks(world)
    for index, line in enumerate(rest):
        mark = next((mark for mark in marks if line.startswith(mark)), None)
        if line.startswith("# "):
            yield line, None
        elif mark is not None:
            more = []
            for following in rest[index + 1 :]:
                if not following.startswith(CONTINUED):
                    break
                more.append(following)
            text = "\n".join([line.removeprefix(mark), *(each.removeprefix(CONTINUED) for each in more)])
            yield "\n".join([line, *more]), (marks[mark], text)


def _named(world: Any, seat: Seat) -> list[str]:
    return [f"({seat})"] if len(world.seats) > 1 else []


def _told(world: Any, state: Any) -> list[str]:
    """What those who decide next see; at the end what all of them do."""
    lines: list[str] = []
    for seat in world.deciders(state) or world.seats:
        apart = [""] if len(world.seats) > 1 else []
        lines += [*apart, *_named(world, seat), world.describe(world.observe(state, seat))]
    return lines

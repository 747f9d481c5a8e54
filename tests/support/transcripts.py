"""Whole episodes as people read them: what agents answer and, word for word, what they are told.

A transcript has comments (``#``), a line with scenario, rules and limits (``@``) and the answers: ``> `` in
front of that of the only seat, ``agent0> `` where there are several. An answer of several lines goes on in
lines that begin with ``| ``. Everything else is told by the world, so a new transcript needs only these
kinds of lines: ``retold`` writes the rest.

Where views are long, a transcript tells ``changes``: of a seat's later views the lines that are gone
(``- ``) and those that are new (``+ ``).
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import ndiff
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


def retold(transcript: str, *, changes: bool = False) -> str:
    """The transcript as the world tells it now; ``changes``: later views by what is gone and new in them."""
    comments, _, play = transcript.partition("@ ")
    header, *rest = play.splitlines()
    id, rules, limits = header.split(", ")
    world: Any = registry.world(id, rules=rules.removesuffix(" rules"), limits=limits.removesuffix(" limits"))
    state = world.start()
    views = _Views(world, changes)
    lines = [f"{comments}@ {header}"]
    for seat in world.seats:
        lines += ["", *_named(world, seat), world.briefing(seat)]
    lines += ["", *views.of(state)] if len(world.seats) == 1 else views.of(state)
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
            lines += views.of(state)
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


class _Views:
    """What is told in each state; of each seat the lines that it saw last."""

    def __init__(self, world: Any, changes: bool) -> None:
        self.world = world
        self.changes = changes
        self.last: dict[Seat, list[str]] = {}

    def of(self, state: Any) -> list[str]:
        """What those who decide next see; at the end what all of them do."""
        lines: list[str] = []
        for seat in self.world.deciders(state) or self.world.seats:
            apart = [""] if len(self.world.seats) > 1 else []
            lines += [*apart, *_named(self.world, seat), *self._seen(state, seat)]
        return lines

    def _seen(self, state: Any, seat: Seat) -> list[str]:
        view = self.world.describe(self.world.observe(state, seat))
        before, self.last[seat] = self.last.get(seat), view.splitlines()
        if before is None or not self.changes:
            return [view]
        changed = [line for line in ndiff(before, self.last[seat]) if line[0] in "-+" and line[2:]]
        return changed or ["(the same)"]

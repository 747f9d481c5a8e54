"""A case in plain text, for whoever puts it into a class: a person at a terminal, or a judge model.

What the record says that bears on the choice comes first, then every step (what was thought, answered,
refused, what happened), how things stood, and what the seat was told. Names of agents and models are in none
of it, so that nobody judges by them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from backburner.evaluation.labels.labelling import Item
from backburner.kernel.contract import World, decision_of
from backburner.kernel.episode import Answer, Entry, Episode
from backburner.kernel.errors import one_line, shorten
from backburner.kernel.replay import trajectory, world_of
from backburner.kernel.text import Text
from backburner.kernel.turns import turn_of
from backburner.kernel.values import Event, Refusal, Seat

LONGEST_TEXT = 20_000
"""Characters of one text (a thought, an answer) that are shown."""

MOST_LINES = 20_000
"""Lines of a part of a case's text, at most."""

SHORTEST_NAME = 5
"""Names of models with fewer characters may be anybody's words, and stay where they are said."""

HIDDEN = "(model)"


class CaseText(Struct, frozen=True):
    """``title``: the scenario and the case. ``parts``: (heading, lines), in the order in which they are read.

    No line breaks or moves anything when it is printed.
    """

    title: str
    parts: tuple[tuple[str, tuple[str, ...]], ...]


def case_text_of(item: Item) -> CaseText:
    """All that there is to read of a case."""
    return _Teller(item).case_text()


class _Teller:
    """Puts one case into words."""

    def __init__(self, item: Item) -> None:
        self._item, self._episode = item, item.episode
        self._world: World[Any, Any, Any] = world_of(item.episode)
        self._steps = list(trajectory(item.episode, self._world))
        self._several = len(self._episode.header.seats) > 1
        self._names = _models(item.episode)

    def case_text(self) -> CaseText:
        header, case = self._episode.header, self._item.case
        at = "" if case.at is None else f", step {case.at}{f', {case.seat}' if case.seat else ''}"
        parts = [
            ("What the record says", list(self._outcome())),
            ("The task", list(self._task())),
            *self._decision(),
            ("Step by step", [line for entry in self._episode.entries for line in self._step(entry)]),
            ("How things stood at the end", list(self._told(len(self._steps)))),
            ("What was told before play", list(self._briefing())),
        ]
        cleaned = tuple((heading, tuple(self._clean(lines))) for heading, lines in parts if lines)
        return CaseText(one_line(f"{header.id}, seed {header.seed}{at}"), cleaned)

    def _clean(self, lines: list[str]) -> Iterator[str]:
        for line in lines[:MOST_LINES]:
            for name in self._names:
                line = line.replace(name, HIDDEN)
            yield one_line(line.replace("\t", "    ")).rstrip()
        if len(lines) > MOST_LINES:
            yield f"... and {len(lines) - MOST_LINES} more lines, which are in the record"

    def _outcome(self) -> Iterator[str]:
        ending = self._episode.ending
        if ending is not None:
            numbers = ", ".join(f"{name} {value:g}" for name, value in ending.numbers.items())
            yield f"{ending.reason.replace('_', ' ')}: {numbers}"
        yield from self._item.case.facts
        if possible := self._item.case.possible:
            yield f"What the record leaves open: {', '.join(possible)}."

    def _task(self) -> Iterator[str]:
        """What the seat is to do; in a world without words nothing."""
        if isinstance(self._world, Text):
            parts = self._world.briefing_parts(self._seat)
            yield from _lines("\n".join(part.text for part in parts if part.kind == "task"))

    @property
    def _seat(self) -> Seat:
        return self._item.case.seat or self._episode.header.seats[0]

    def _decision(self) -> Iterator[tuple[str, list[str]]]:
        """Of a case that is a decision: what the seat saw before it, and the decision itself."""
        at = self._item.case.at
        if at is not None and 0 <= at < len(self._steps):
            yield f"What was told before step {at}", list(self._told(at))
            yield f"Step {at}, which is asked about", list(self._step(self._episode.entries[at]))

    def _told(self, at: int) -> Iterator[str]:
        """What the seat was told before this step, or would have been told at the end."""
        if not isinstance(self._world, Text) or not self._steps:
            return
        state = self._steps[at][0] if at < len(self._steps) else self._steps[-1][2].state
        yield from _lines(turn_of(self._world, state, self._seat, at, self._episode.header.seed).text)

    def _briefing(self) -> Iterator[str]:
        if isinstance(self._world, Text):
            yield from _lines(self._world.briefing(self._seat))

    def _step(self, entry: Entry) -> Iterator[str]:
        for seat, answer in entry.answers.items():
            yield f"[{entry.index}]{f' {seat}' if self._several else ''}"
            for thought in answer.thoughts:
                yield from _indented(f"{thought.purpose}: {thought.text}")
            yield from _indented(f"answer: {self._answer(seat, answer)}")
            for refusal in entry.refusals:
                if refusal.seat in (seat, ""):
                    yield f"    REFUSED: {_refused(refusal)}"
        yield from (f"    -> {_happened(event)}" for event in entry.events if event.kind != "refused")

    def _answer(self, seat: Seat, answer: Answer) -> str:
        if answer.text is not None:
            return answer.text
        decision = decision_of(self._world, answer.decision)
        if isinstance(self._world, Text):
            return self._world.words(decision, seat)
        return msgspec.json.encode(answer.decision).decode()


def _models(episode: Episode) -> list[str]:
    """The names of the models that played, longest first."""
    found = {str(player.settings.get("model", "")) for player in episode.header.players.values()}
    return sorted((name for name in found if len(name) >= SHORTEST_NAME), key=len, reverse=True)


def _lines(text: str) -> list[str]:
    cut = "" if len(text) <= LONGEST_TEXT else f"\n... and {len(text) - LONGEST_TEXT} more characters"
    return (text[:LONGEST_TEXT] + cut).splitlines()


def _indented(text: str) -> Iterator[str]:
    return (f"    {line}" for line in _lines(text))


def _refused(refusal: Refusal) -> str:
    facts = ", ".join(f"{name} {_fact(value)}" for name, value in refusal.detail if value not in (None, ""))
    return shorten(f"{refusal.code.replace('_', ' ')}{f' ({facts})' if facts else ''}", 400)


def _fact(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _happened(event: Event) -> str:
    value = "" if event.value is None else f" {event.value:g}"
    lane = f" ({event.lane})" if event.lane else ""
    return f"{event.time:g}: {event.what} {event.label}{value}{lane}"


def shortened_text(text: CaseText, most: int) -> str:
    """The text of a case with at most so many characters; of what is longer the middle of its longest
    parts is left out, and that is said."""
    parts = [f"## {heading}\n" + "\n".join(lines) for heading, lines in text.parts]
    room = max(200, most // max(1, len(parts)))
    spare = most - sum(min(len(part), room) for part in parts)
    shown = []
    for part in parts:
        allowed = min(len(part), room + max(0, spare))
        spare -= max(0, allowed - room)
        shown.append(_without_middle(part, allowed))
    return "\n\n".join(shown)


def _without_middle(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters left out ...]\n{text[-half:]}"

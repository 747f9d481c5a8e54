"""What seats are told alike: sections of a briefing, who one is, refusals as sentences, names in scenes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from backburner.kernel.values import Refusal, Seat
from backburner.kernel.view import Progress, Thing


def section(title: str, lines: Iterable[str]) -> str:
    """A title with a line for each of these; nothing if there are none."""
    listed = [f"- {line}" for line in lines]
    return "\n".join((title, *listed)) if listed else ""


def role(seat: Seat, own: Sequence[str], names: Sequence[str], where: str) -> str:
    """Who one is, of all bodies, and where; a seat with one body is called like it."""
    others = [name for name in names if name not in own]
    who = f"You are {own[0]}" if seat == own[0] else f"You command {', '.join(own)}"
    rest = f" Also here, deciding for themselves: {', '.join(others)}." if others else ""
    return f"{who} {where}.{rest}"


def sentence(refusal: Refusal, sentences: Mapping[str, str]) -> str:
    """The sentence for its code; names in braces are details of the refusal."""
    text = sentences.get(refusal.code, f"Refused: {refusal.code}.")
    for name, value in refusal.detail:
        text = text.replace(f"{{{name}}}", str(value))
    return text


class ThingNames:
    """Gives the things of a scene names by their kind: ``rice``, ``rice 2`` ...

    ``suffix`` stands behind the kind; ``count``: how many of each have been named already.
    """

    def __init__(self, suffix: str = "", count: Mapping[str, int] | None = None) -> None:
        self.suffix = suffix
        self.count = dict(count or {})

    def thing(self, kind: str, marks: tuple[str, ...] = ()) -> Thing:
        """The next thing of a kind."""
        number = self.count[kind] = self.count.get(kind, 0) + 1
        name = f"{kind}{self.suffix}"
        return Thing(name if number == 1 else f"{name} {number}", kind, marks)


def waiting(dish: str, number: int, left: int, full: int) -> Thing:
    """An open order as a thing beside a scene: what is left of how long it waits."""
    return Thing(f"{dish}, order {number}", dish, progress=(Progress("waiting", full - left, full),))

"""Figures in words, wherever tables are shown: with their intervals, as p-values, or a dash for none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from backburner.kernel.scoring import Estimate, Section


def interval_text(estimate: Estimate, signed: bool = False) -> str:
    """``1.50 [0.25, 2.75]``, or ``+1.50 [+0.25, +2.75]``; the figure alone where it has no interval."""
    if estimate.value is None:
        return "–"
    sign = "+" if signed else ""
    return f"{estimate.value:{sign}.2f} {brackets(estimate, 2, signed)}".rstrip()


def brackets(estimate: Estimate, digits: int, signed: bool = False) -> str:
    """``[0.25, 2.75]`` with so many digits; empty where there is no interval."""
    if estimate.low is None or estimate.high is None:
        return ""
    sign = "+" if signed else ""
    return f"[{estimate.low:{sign}.{digits}f}, {estimate.high:{sign}.{digits}f}]"


def p_text(p: float | None) -> str:
    """A p-value with three digits, ``<0.001`` below that, a dash for none."""
    return "–" if p is None else "<0.001" if p < 0.001 else f"{p:.3f}"


def _short(value: float) -> str:
    return f"{value:.1f}" if abs(value) < 10 else f"{value:.0f}"


def number_text(value: object) -> str:
    """A figure with two digits, a dash for none."""
    if value is None:
        return "–"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def compact(number: float, least: float = 1e3) -> str:
    """A large number in few signs: ``950``, ``12.3k``, ``4.56M``; below ``least`` all of its digits."""
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= max(size, least):
            return f"{number / size:.3g}{unit}"
    return f"{number:,.0f}"


LITTLE: Mapping[str, str] = {
    "few": "none over fewer than five scenarios",
    "wide": "[wide]: one that covers most of the scale",
}
"""What is told of intervals that say little: the former are left out, the latter are a word."""


def little_told(words: Iterable[str]) -> str:
    """Why intervals are not told, each reason once; empty without any."""
    told = [LITTLE[word] for word in sorted(set(words)) if word]
    return f"intervals: {'; '.join(told)}" if told else ""


def interval_words(estimate: Estimate, digits: int, little: str = "") -> str:
    """``[16, 22]``, or a word if that says ``little``; empty where there is none, or one of few scenarios."""
    interval = "" if little == "few" else brackets(estimate, digits)
    return f"[{little}]" if interval and little else interval


def estimate_text(estimate: Estimate, little: str = "") -> str:
    """``18.90 [16, 22]``, or a dash where the figure is not defined; ``little``: why it says little."""
    if estimate.value is None:
        return "–"
    if estimate.low is None or estimate.high is None or little == "few":
        return number_text(estimate.value)
    interval = f"[{little}]" if little else f"[{_short(estimate.low)}, {_short(estimate.high)}]"
    return f"{estimate.value:.2f} {interval}"


def columns_of_words(section: Section) -> list[bool]:
    """For each column whether it holds words: all cells are text, and some begin with a letter."""
    return [
        all(isinstance(row[index], str) for row in section.rows)
        and any(row[index][:1].isalpha() and row[index] not in NO_FIGURE for row in section.rows)
        for index in range(len(section.columns))
    ]


NO_FIGURE = ("unknown", "any")
"""Words that stand where a figure would."""

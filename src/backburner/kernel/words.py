"""Numbers, amounts of time and foreign text as people are shown them."""

from __future__ import annotations


def number(value: int | float) -> str:
    """At most three decimals, none that are zero: ``3``, ``2.5``."""
    return f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def amount(value: int | float, unit: str) -> str:
    """``1 minute``, ``3 minutes``."""
    return f"{number(value)} {unit.removesuffix('s') if value == 1 else unit}"


def one_line(text: str) -> str:
    """``text`` without anything that would move a terminal's cursor or break a row."""
    return "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in text)

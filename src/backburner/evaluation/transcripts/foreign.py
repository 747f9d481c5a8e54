"""Words of models and records as a page shows them: bounded, and with every sign made visible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from backburner.drawing.svg import Markup, element, joined

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

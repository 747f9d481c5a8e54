"""Writing SVG (and the little HTML around it) so that nothing can be left unescaped."""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import east_asian_width

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
_NARROW, _WIDE = frozenset("iljtfrI.,:;|!'()[]/ "), frozenset("mwMW@%—…")


class Markup(str):
    """Text that is XML already; every other string is escaped where it is used."""

    __slots__ = ()


def element(name: str, *children: str, **attributes: object) -> Markup:
    """One element. An attribute ``stroke_width`` is written ``stroke-width``, ``class_`` ``class``.

    Attributes that are ``None`` are left out; without any child the tag closes itself.
    """
    pairs = (
        f' {key.rstrip("_").replace("_", "-")}="{escaped(_written(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    opening = f"<{name}{''.join(pairs)}"
    return Markup(f"{opening}>{joined(*children)}</{name}>" if children else f"{opening}/>")


def rect(x: float, y: float, width: float, height: float, *children: str, **attributes: object) -> Markup:
    """A rectangle by its upper left corner and its size."""
    return element("rect", *children, x=x, y=y, width=width, height=height, **attributes)


def text_at(x: float, y: float, *words: str, **attributes: object) -> Markup:
    """A line of text by where it begins, or is anchored."""
    return element("text", *words, x=x, y=y, **attributes)


def joined(*parts: str) -> Markup:
    """The parts one after the other, plain strings escaped."""
    return Markup("".join(part if isinstance(part, Markup) else escaped(part) for part in parts))


def escaped(text: str) -> str:
    """``text`` as it may stand in XML; characters that XML does not know become U+FFFD."""
    return _NOT_IN_XML.sub("\ufffd", text).translate(_ENTITIES)


def document(
    width: float, height: float, style: str, *children: str, title: str, class_: str | None = None
) -> Markup:
    """A whole picture on white, ``width`` by ``height`` pixels.

    Where pictures stand on one page their ``style`` reaches all of it: rules should begin with ``class_``.
    """
    return element(
        "svg",
        element("title", title),
        element("style", Markup(style)),
        element("rect", width=width, height=height, fill="#ffffff"),
        *children,
        xmlns="http://www.w3.org/2000/svg",
        width=width,
        height=height,
        viewBox=f"0 0 {_written(width)} {_written(height)}",
        font_family=FONT,
        role="img",
        class_=class_,
    )


@lru_cache(maxsize=1 << 13)  # the same names stand in frame after frame
def text_width(text: str, size: float) -> float:
    """About how many pixels ``text`` takes; a little generous, as the reader's font is unknown."""
    return size * sum(map(_ems, text))


@lru_cache(maxsize=1 << 13)
def shortened(text: str, size: float, room: float) -> str:
    """``text``, cut with an ellipsis to fit into ``room`` pixels; nothing rather than under three letters."""
    if text_width(text, size) <= room:
        return text
    for kept in range(len(text) - 1, 2, -1):
        candidate = text[:kept].rstrip() + "…"
        if text_width(candidate, size) <= room:
            return candidate
    return ""


def wrapped(text: str, size: float, room: float, lines: int = 2) -> list[str]:
    """``text`` broken between words into at most ``lines`` lines, the last one shortened."""
    words, broken = text.split(), [""]
    for at, word in enumerate(words):
        longer = f"{broken[-1]} {word}".strip()
        if text_width(longer, size) <= room:
            broken[-1] = longer
        elif broken[-1] and len(broken) < lines:
            broken.append(word)
        else:
            broken[-1] = " ".join((broken[-1], *words[at:])).strip()
            break
    return [line for line in (shortened(line, size, room) for line in broken) if line]


def _ems(character: str) -> float:
    if east_asian_width(character) in "WF":
        return 1.0
    if character in _NARROW:
        return 0.36
    if character in _WIDE:
        return 0.95
    return 0.7 if character.isupper() else 0.6


def _written(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)

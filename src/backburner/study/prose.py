"""A study's texts: a small part of Markdown, read into blocks and runs of words. No markup is made of any.

Paragraphs with blank lines between them; ``- `` and ``1. `` before the lines of lists; ``# `` before
headings; ``**strong**``, ``*emphasis*``; ``[words](address)``, of which pages show both and which nobody can
follow; alone on a line ``![what it shows](file.png)``, a picture or video. A backslash before ``*`` or ``[``
lets it stand. Whatever else there is stays as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

Mark = Literal["", "strong", "em", "address"]
BlockKind = Literal["paragraph", "heading", "list", "numbers", "picture", "video"]


class Run(Struct, frozen=True, omit_defaults=True):
    """Words that look alike. ``address``: where they would lead."""

    text: str
    mark: Mark = ""


class Block(Struct, frozen=True, omit_defaults=True):
    """A block of a text; of a list each line is an item. ``source``: the file of a picture or video, whose
    one line says what it shows."""

    kind: BlockKind
    lines: tuple[tuple[Run, ...], ...]
    source: str = ""


VIDEOS = (".mp4", ".webm")

_BLANK = re.compile(r"\n[ \t]*\n")
_NUMBERED = re.compile(r"[0-9]{1,3}\. ")
_SHOWN = re.compile(r"!\[([^\[\]]*)\]\(([^()\s]*)\)")
_RUNS = re.compile(
    r"\\([*\[\\])"
    r"|\*\*([^*]+)\*\*"
    r"|(?<!\w)\*([^*\s][^*]*)\*(?!\w)"
    r"|\[([^\[\]]+)\]\(([^()\s]+)\)"
)


def blocks_of(text: str) -> tuple[Block, ...]:
    """The blocks of a text."""
    found: list[Block] = []
    for part in _BLANK.split(text.strip()):
        kind: BlockKind = "paragraph"
        lines: list[str] = []
        for line in filter(None, map(str.strip, part.split("\n"))):
            next_kind, words, source = _read(line)
            if lines and (next_kind != kind or source or kind in ("heading", "picture", "video")):
                found.append(_block(kind, lines))
                lines = []
            if source:
                found.append(Block(next_kind, ((Run(words),),), source))
                continue
            kind = next_kind
            lines.append(words)
        if lines:
            found.append(_block(kind, lines))
    return tuple(found)


def _read(line: str) -> tuple[BlockKind, str, str]:
    """(kind, its words, the file that is shown) of a line."""
    if shown := _SHOWN.fullmatch(line):
        source = shown[2]
        return ("video" if source.lower().endswith(VIDEOS) else "picture"), shown[1].strip(), source or "?"
    for sign, kind in _SIGNS:
        if line.startswith(sign):
            return kind, line.removeprefix(sign), ""
    if number := _NUMBERED.match(line):
        return "numbers", line[number.end() :], ""
    return "paragraph", line, ""


_SIGNS: tuple[tuple[str, BlockKind], ...] = (("- ", "list"), ("# ", "heading"), ("## ", "heading"))


def _block(kind: BlockKind, lines: list[str]) -> Block:
    joined = lines if kind in ("list", "numbers") else [" ".join(lines)]
    return Block(kind, tuple(tuple(_runs(line)) for line in joined))


def _runs(line: str) -> Iterator[Run]:
    """Runs that follow each other; plain ones are one."""
    plain, end = "", 0
    for found in _RUNS.finditer(line):
        plain, end = plain + line[end : found.start()], found.end()
        letter, strong, emphasis, words, address = found.groups()
        if letter or words:
            plain += letter or f"{words} "
        if not letter:
            if plain:
                yield Run(plain)
            plain = ""
            yield (
                Run(strong, "strong")
                if strong
                else Run(emphasis or f"({address})", "em" if emphasis else "address")
            )
    if plain := plain + line[end:]:
        yield Run(plain)


def plain(blocks: tuple[Block, ...]) -> str:
    """The words of blocks alone, a line for each."""
    return "\n".join("".join(run.text for run in line) for block in blocks for line in block.lines)

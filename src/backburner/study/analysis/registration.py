"""Whether what is analysed is what was preregistered.

``study preregister`` writes a document with the digest of the study file, its outcomes and its rules of
exclusion. Where that document lies beside the tables of a study's data, what it says is compared with them:
each of these lines is written anew from the tables. Other tables, and what the document says besides, are not
compared.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from backburner.kernel.files import read_text
from backburner.study.analysis.data import INTERCEPTS, Data

DOCUMENT = "preregistration.md"

MOST_BYTES = 1 << 20

DIGEST = "Digest of its file: "
OUTCOMES, RULES = "## Outcomes and hypotheses", "## Exclusions"


def plain(text: Any) -> str:
    """A text of the file on one line, without markup."""
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", " ".join(str(text).split()))


def outcome_line(title: str, source: str, primary: bool, intercepts: str) -> str:
    """An outcome in the document."""
    random = "participants and scenarios" if intercepts == INTERCEPTS[1] else "participants"
    kind = "primary" if primary else "secondary"
    return f"- **{plain(title)}** ({plain(source)}, {kind}; random intercepts of {random})"


def rule_line(text: str) -> str:
    """A rule of exclusion in the document."""
    return f"- {plain(text)}"


class Compared(Struct, frozen=True):
    """Something of the document, and the same of the data; ``other``: what stands in one of them alone."""

    what: str
    registered: str
    analysed: str
    other: tuple[str, ...] = ()


class Registration(Struct, frozen=True):
    """``digests``: of the study files under which people took part. ``compared``: with the document; nothing
    where there is none."""

    digests: tuple[str, ...]
    compared: tuple[Compared, ...] = ()


def registration_of(folder: Path, data: Data) -> Registration | None:
    """What the document in a folder of tables and the data say; ``None`` where the data name no study file.
    Raises ``BadFile`` for a document that cannot be read."""
    digests = tuple(sorted({digest for digest in data["participants"].of("study") if digest}))
    if not digests:
        return None
    if not (folder / DOCUMENT).exists():
        return Registration(digests)
    text = read_text(folder / DOCUMENT, MOST_BYTES)
    told = text.partition(f"{DIGEST}`")[2].partition("`")[0]
    outcomes = [
        outcome_line(row.title or row.outcome, row.source, bool(row.primary), row.intercepts)
        for row in data["outcomes"].cells.itertuples()
    ]
    rules = [rule_line(text) for text in data["rules"].of("text")]
    return Registration(
        digests,
        (
            _compared("digest of the study file", [told] if told else [], digests),
            _compared("outcomes", _lines(text, OUTCOMES), outcomes),
            _compared("rules of exclusion", _lines(text, RULES), rules),
        ),
    )


def _lines(text: str, heading: str) -> list[str]:
    """The points of a part of the document."""
    _, _, behind = text.partition(f"{heading}\n")
    return [line.rstrip() for line in behind.partition("\n## ")[0].splitlines() if line.startswith("- ")]


def _compared(what: str, registered: Sequence[str], analysed: Sequence[str]) -> Compared:
    by_name = what.startswith("digest")
    one, other = (" ".join(each) if by_name else str(len(each)) for each in (registered, analysed))
    return Compared(what, one, other, tuple(sorted({*registered} ^ {*analysed})))

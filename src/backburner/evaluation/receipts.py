"""A board's receipts: what was played in each submission, noted when the board first finds it sound.

``receipts.jsonl`` is the board's own file, JSON Lines that are chained as records are (``kernel.chain``) and
only added to. Who came first is what it says, whatever files are called and whatever dates others tell. What
came at one look, before which nobody had looked, has no order.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from backburner.kernel import chain
from backburner.kernel.chain import Chain
from backburner.kernel.episode import Episode
from backburner.kernel.errors import BadFile, one_line, shorten
from backburner.kernel.files import read_regular, write_whole
from backburner.kernel.values import canonical_json, digest

RECEIPTS = "receipts.jsonl"

COPIED = 0.5
"""A submission of whose records more than this share was played before by others is theirs again."""

LEAST_RECORDS = 5
"""Of a submission that can be called a copy: a short play is at times that of another agent by chance."""

Played = Annotated[str, Meta(pattern=r"^[0-9a-f]{16}\Z")]


class Receipt(Struct, frozen=True, forbid_unknown_fields=True):
    """One submission as it was first seen.

    ``look``: the number of the look at which it was there, ``when`` that was, in UTC by the board's clock.
    ``folder``: what it was called. ``submission``: the digest of its manifest. ``plays``: what was played in
    its records, each once (``played``).
    """

    look: Annotated[int, Meta(ge=1)]
    when: Annotated[str, Meta(max_length=40)]
    folder: Annotated[str, Meta(max_length=300)]
    submission: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
    plays: tuple[Played, ...]


class Arrival(Struct, frozen=True):
    """A submission that is there now: its folder's name, its manifest's digest, what its records play."""

    folder: str
    submission: str
    plays: tuple[str, ...]


def played(episode: Episode) -> str:
    """The digest of what was played: the scenario, and its state after each decision point.

    Who decided, in which words and at what cost has no part in it, nor has the seed.
    """
    return digest((episode.header.scenario_digest, [entry.digest for entry in episode.entries]))


def read_receipts(file: Path) -> tuple[list[Receipt], bytes]:
    """The receipts in a file and the chain of the last; none where there is no file.

    Raises ``BadFile`` naming the first line that does not follow those before it.
    """
    if not file.exists():
        return [], chain.START
    found: list[Receipt] = []
    links: list[chain.Link] = []
    try:
        lines, begun = chain.lines_of(read_regular(file, chain.MOST_BYTES))
    except ValueError as error:
        raise BadFile(file, "", str(error)) from error
    for number, line in enumerate(lines, 1):
        try:
            links.append(chain.link(line, chained=True))
            found.append(_decode(links[-1].body))
        except (ValueError, RecursionError) as error:
            raise BadFile(file, f"line {number}", f"no receipt ({shorten(str(error))})") from error
    if begun:
        raise BadFile(file, f"line {len(lines)}", "was cut")
    try:
        seal = chain.seal_of(links, ends=False)
    except chain.BadLine as error:
        raise BadFile(file, f"line {error.number}, field {error.field!r}", error.why) from error
    return found, bytes.fromhex(seal.chain) or chain.START


_decode = msgspec.json.Decoder(Receipt).decode


def receive(file: Path, arrivals: Sequence[Arrival]) -> list[Receipt]:
    """The receipts, with one more for each arrival that is not among them; these are written down.

    Raises what ``read_receipts`` raises, before anything is written.
    """
    found, last = read_receipts(file)
    known = {(one.folder, one.submission) for one in found}
    look = 1 + max((one.look for one in found), default=0)
    when = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    new = [
        Receipt(look, when, one.folder, one.submission, tuple(dict.fromkeys(one.plays)))
        for one in arrivals
        if (one.folder, one.submission) not in known
    ]
    if new:
        chained = Chain(last)
        before = read_regular(file, chain.MOST_BYTES) if found else b""
        write_whole(file, before + b"".join(chained.line(canonical_json(one)) for one in new))
    return [*found, *new]


# --- whose plays they are -----------------------------------------------------------------------------------


class First(Struct):
    """Who of those that are there had a play first: the look, its date, and the folders."""

    look: int
    when: str
    folders: list[str]


def firsts(receipts: Iterable[Receipt], there: Iterable[str]) -> dict[str, First]:
    """Of each play, who had it first among the folders that are there."""
    names = set(there)
    found: dict[str, First] = {}
    for one in receipts:
        for play in one.plays if one.folder in names else ():
            first = found.setdefault(play, First(one.look, one.when, []))
            if first.look == one.look and one.folder not in first.folders:
                first.folders.append(one.folder)
    return found


def copied(arrival: Arrival, first: Mapping[str, First]) -> str:
    """Whose records these are, where most of them were played by others before, or by others as soon."""
    own, number = arrival.folder, len(arrival.plays)
    if number < LEAST_RECORDS:
        return ""
    before = [first[play] for play in arrival.plays if own not in first[play].folders]
    if len(before) > COPIED * number:
        when = min(one.when for one in before)
        return f"{len(before)} of its {number} records play what those of {_most(before, own)} did ({when})"
    beside = [first[play] for play in arrival.plays if first[play].folders != [own]]
    if len(beside) > COPIED * number:
        alike = f"{len(beside)} of its {number} records play what those of {_most(beside, own)} do"
        return f"{alike}, seen at the same look: nobody here can tell whose they are"
    return ""


def _most(found: Sequence[First], own: str) -> str:
    """The folder that most of these plays are of, and how many others there are."""
    (folder, _), *others = Counter(name for one in found for name in one.folders if name != own).most_common()
    return one_line(shorten(folder)) + (f" and {len(others)} more" if others else "")

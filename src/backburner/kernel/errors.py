"""The exceptions of Backburner.

    BackburnerError
    ├── UnknownName      a scenario, suite, agent, rule set ... that nobody has registered
    ├── BadFile          a file that cannot be used; says which file, item and field, and why
    ├── MissingExtra     an optional dependency is not installed; says how to install it
    ├── Refused          a request that makes no sense for this world or scenario
    │   └── UnknownLimits    the article's limits of this scenario cannot be told
    ├── NotDrawn         a picture for a model cannot be made: a fault of ours, never the model's
    ├── PolicyFailure    a policy could not answer (a model call failed); ends that episode only
    ├── PolicyStops      a policy has nothing more to do, such as when its plan is used up
    │   └── ContextOverflow  the conversation is longer than the model can read
    ├── RunStops         no further call can succeed (a wrong key, a full disk): ends the whole run
    └── ReplayMismatch   a record and the rules disagree

Their texts are made here as well: near names, numbers and amounts as people are shown them, and the
command that installs what is missing.

What happens *inside* a world is never an exception: a bad decision is a
:class:`~backburner.kernel.values.Refusal`, an unsolved plan a status.
"""

from __future__ import annotations

import difflib
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

FEW = 8
"""So many known names are told at most where none is near."""


LONGEST_MESSAGE = 1000
"""Characters of an error that are told: names in it may be anybody's."""


class BackburnerError(Exception):
    """Any error that Backburner raises on purpose; its text is fit to be shown to a user.

    A long one is cut in its middle: it begins with the file and place, and ends with what helps.
    """

    def __init__(self, message: object = "") -> None:
        super().__init__(shorten_inside(str(message), LONGEST_MESSAGE))


class UnknownName(BackburnerError):
    """``name`` is not among ``known``; the message offers ``meant``, or else the nearest known names."""

    def __init__(
        self, kind: str, name: str, known: Iterable[str], where: str = "", meant: Sequence[str] = ()
    ) -> None:
        self.name = name = str(name)  # which may be anything, of a caller in Python
        names = list(known)
        self.nearest = list(meant) or nearest(name, names)
        hint = f"; did you mean {' or '.join(self.nearest)}?" if self.nearest else ""
        if not hint and names:
            more = f" and {len(names) - FEW} more" if len(names) > FEW else ""
            hint = f"; known: {', '.join(names[:FEW])}{more}"
        super().__init__(f"unknown {kind} {shorten(name)!r}{f' in {where}' if where else ''}{hint}")


class BadFile(BackburnerError):
    """``file`` cannot be used: ``where`` names the item and field, ``why`` says what is wrong.

    The message is one line without control characters, whatever the file holds.
    """

    def __init__(self, file: object, where: str, why: str) -> None:
        where, why = shorten_inside(where, 300), shorten_inside(why, 400)
        super().__init__(one_line(f"{file}: {f'{where}: ' if where else ''}{why}"))


class MissingExtra(BackburnerError):
    """``needed_for`` needs an optional dependency; the message is the command that installs it."""

    def __init__(self, extra: str, needed_for: str) -> None:
        super().__init__(f"{needed_for} needs an optional part: {install_command(extra)}")


@contextmanager
def needs_extra(name: str, needed_for: str) -> Iterator[None]:
    """Around the import of an optional dependency; raises ``MissingExtra`` where it is not installed."""
    try:
        yield
    except ImportError as error:
        if (error.name or "").partition(".")[0] == "backburner":
            raise
        raise MissingExtra(name, needed_for) from error


class Refused(BackburnerError):
    """The request is understood and cannot be met; the message says why."""


class UnknownLimits(Refused):
    """The article's limits of a scenario cannot be told: ``why``; the message adds what to do instead."""

    def __init__(self, id: str, why: str, instead: str) -> None:
        self.why = f"{id}: {why}"
        super().__init__(f"{self.why}; {instead}")


class NotDrawn(BackburnerError):
    """A picture cannot be made; the message says why."""


class PolicyFailure(BackburnerError):
    """A policy could not answer. ``boundary`` names what it was calling (such as ``model``)."""

    def __init__(self, boundary: str, message: str) -> None:
        self.boundary = boundary
        super().__init__(message)


class PolicyStops(BackburnerError):
    """A policy ends the episode of its own accord; the message says why."""


class ContextOverflow(PolicyStops):
    """A conversation is longer than its model can read; the message quotes the server.

    That is a property of the model and the method, unlike a call that fails: what was played counts.
    """


class RunStops(BackburnerError):
    """Nothing more of a run can be played; the message says why. What is open stays open."""


class ReplayMismatch(BackburnerError):
    """Replaying a record gives another result than the record holds."""


def why(error: Exception) -> str:
    """An error in words; one that is nobody's intention is told with its type."""
    return str(error) if isinstance(error, BackburnerError) else f"{type(error).__name__}: {error}"


def nearest(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The known names most like ``name``, best first; none if nothing is like it."""
    by_folded = {candidate.lower(): candidate for candidate in known}
    close = difflib.get_close_matches(name.lower()[:200], by_folded, n=most, cutoff=0.6)
    return [by_folded[folded] for folded in close]


def shorten(text: str, most: int = 80) -> str:
    """``text`` cut to ``most`` characters, for messages."""
    return text if len(text) <= most else text[: most - 1] + "…"


def shorten_inside(text: str, most: int) -> str:
    """``text`` without its middle if it has more than ``most`` characters, for messages."""
    end = most // 3
    return text if len(text) <= most else f"{text[: most - end - 1]}…{text[-end:]}"


# --- numbers, amounts of time and foreign text as people are shown them ---------------------------------


def number(value: int | float) -> str:
    """At most three decimals, none that are zero: ``3``, ``2.5``."""
    return f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def amount(value: int | float, unit: str) -> str:
    """``1 minute``, ``3 minutes``."""
    return f"{number(value)} {unit.removesuffix('s') if value == 1 else unit}"


def one_line(text: str) -> str:
    """``text`` without anything that would move a terminal's cursor, turn its writing or break a row.

    White space is a blank, and any other sign that is not printed is told as Python writes it: ``\\x1b``.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c.isspace() else _written(c) for c in text)


def typed_line(text: str) -> str:
    """What somebody has typed, as one line that can be shown, without signs that are not printed."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def _written(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")


# --- how an optional part is installed: from a clone, or for an installed package -----------------------

PACKAGE = Path(__file__).parent.parent

_EXTRA = re.compile(r"""(?:\band\s+)?\bextra\s*==\s*['"]([^'"]+)['"]""")


def install_command(extra: str) -> str:
    """The command that installs what ``extra`` needs, for the interpreter that runs, from any folder.

    No index knows this package, so its own name is not asked for: a clone is installed again with the
    extra, and for an installed package the extra's requirements are named.
    """
    from importlib import metadata  # 20 ms that only those pay who miss something

    command = [sys.executable or "python", "-m", "pip", "install"]
    if (clone := clone_of(PACKAGE)) is not None:
        return shlex.join([*command, "--editable", f"{clone}[{extra}]"])
    try:
        requirements = metadata.requires("backburner") or ()
    except metadata.PackageNotFoundError:
        requirements = ()
    return shlex.join([*command, *(requirements_of(extra, requirements) or (f"backburner[{extra}]",))])


def clone_of(package: Path) -> Path | None:
    """The folder of the source code that a package is imported from; ``None`` for an installed package."""
    folder = package.parent.parent
    return folder if package.parent.name == "src" and (folder / "pyproject.toml").is_file() else None


def requirements_of(extra: str, requirements: Sequence[str]) -> list[str]:
    """What an extra adds, as ``pip install`` takes it, out of a package's ``Requires-Dist`` lines.

    ``"numpy>=2; extra == 'solve'"`` is ``"numpy>=2"`` for ``solve``; other conditions stay.
    """
    return list(_requirements_of(extra, requirements))


def _requirements_of(extra: str, requirements: Sequence[str]) -> Iterator[str]:
    for requirement in requirements:
        name, _, marker = requirement.partition(";")
        named = _EXTRA.search(marker)
        if named is not None and named[1] == extra:
            rest = _EXTRA.sub("", marker).strip()
            yield f"{name.strip()}; {rest}" if rest else name.strip()

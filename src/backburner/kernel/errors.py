"""The exceptions of Backburner.

    BackburnerError
    ├── UnknownName      a scenario, suite, agent, rule set ... that nobody has registered
    ├── BadFile          a file that cannot be used; says which file, item and field, and why
    ├── MissingExtra     an optional dependency is not installed; says how to install it
    ├── Refused          a request that makes no sense for this world or scenario
    │   └── UnknownLimits    the article's limits of this scenario cannot be told
    ├── PolicyFailure    a policy could not answer (a model call failed); ends that episode only
    ├── PolicyStops      a policy has nothing more to do, such as when its plan is used up
    └── ReplayMismatch   a record and the rules disagree

What happens *inside* a world is never an exception: a bad decision is a
:class:`~backburner.kernel.values.Refusal`, an unsolved plan a status.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from backburner.kernel.extras import install_command

FEW = 6
"""So many known names are told where none is near."""


class BackburnerError(Exception):
    """Any error that Backburner raises on purpose; its text is fit to be shown to a user."""


class UnknownName(BackburnerError):
    """``name`` is not among ``known``; the message offers the nearest known names."""

    def __init__(self, kind: str, name: str, known: Iterable[str], where: str = "") -> None:
        self.name = name
        names = list(known)
        self.nearest = nearest(name, names)
        hint = f"; did you mean {' or '.join(self.nearest)}?" if self.nearest else ""
        if not hint and 0 < len(names) <= FEW:
            hint = f"; known: {', '.join(names)}"
        super().__init__(f"unknown {kind} {shorten(name)!r}{f' in {where}' if where else ''}{hint}")


class BadFile(BackburnerError):
    """``file`` cannot be used: ``where`` names the item and field, ``why`` says what is wrong."""

    def __init__(self, file: object, where: str, why: str) -> None:
        super().__init__(f"{file}: {f'{where}: ' if where else ''}{why}")


class MissingExtra(BackburnerError):
    """``needed_for`` needs an optional dependency; the message is the command that installs it."""

    def __init__(self, extra: str, needed_for: str) -> None:
        super().__init__(f"{needed_for} needs an optional part: {install_command(extra)}")


class Refused(BackburnerError):
    """The request is understood and cannot be met; the message says why."""


class UnknownLimits(Refused):
    """The article's limits of a scenario cannot be told: ``why``; the message adds what to do instead."""

    def __init__(self, id: str, why: str, instead: str) -> None:
        self.why = f"{id}: {why}"
        super().__init__(f"{self.why}; {instead}")


class PolicyFailure(BackburnerError):
    """A policy could not answer. ``boundary`` names what it was calling (such as ``model``)."""

    def __init__(self, boundary: str, message: str) -> None:
        self.boundary = boundary
        super().__init__(message)


class PolicyStops(BackburnerError):
    """A policy ends the episode of its own accord; the message says why."""


class ReplayMismatch(BackburnerError):
    """Replaying a record gives another result than the record holds."""


def nearest(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The known names most like ``name``, best first; none if nothing is like it."""
    by_folded = {candidate.lower(): candidate for candidate in known}
    close = difflib.get_close_matches(name.lower()[:200], by_folded, n=most, cutoff=0.6)
    return [by_folded[folded] for folded in close]


def shorten(text: str, most: int = 80) -> str:
    """``text`` cut to ``most`` characters, for messages."""
    return text if len(text) <= most else text[: most - 1] + "…"

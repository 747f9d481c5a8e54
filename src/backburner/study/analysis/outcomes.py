"""What a study named beforehand: its outcomes, which are primary, and the hypotheses that rest on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from backburner.study.analysis.reading import Data
from backburner.study.analysis.variables import Variable

KINDS = ("metric", "number", "construct")
"""What stands before a name in a study file, such as ``metric:CoS``."""

SCALE = "scale:"
"""Before the key of a variable that is the mean of several items."""


class Outcome(Struct, frozen=True):
    """An outcome of the study file. ``variable``: the key of what it was measured by, ``None`` where the
    data have no value of it. ``primary``: a hypothesis rests on it."""

    key: str
    title: str
    source: str
    variable: str | None
    primary: bool = False
    hypothesis: str = ""


def outcomes_of(data: Data, variables: Sequence[Variable]) -> tuple[Outcome, ...]:
    """The outcomes of the table ``outcomes``, primary ones first, else in its order."""
    rows = data["outcomes"]
    there = {variable.key for variable in variables}
    columns = (rows.of("outcome"), rows.of("source"), rows.of("title", ""), rows.of("hypothesis", ""))
    found = [
        Outcome(key, title or key, source, _measured(source, there), bool(primary), hypothesis)
        for key, source, title, hypothesis, primary in zip(*columns, rows.of("primary"), strict=True)
    ]
    return tuple(sorted(found, key=lambda outcome: not outcome.primary))


def _measured(source: str, there: Iterable[str]) -> str | None:
    kind, colon, name = source.partition(":")
    name = name if colon and kind in KINDS else source
    return next((key for key in (SCALE + name, name) if key in there), None)


def named_first(variables: Iterable[Variable], outcomes: Iterable[Outcome]) -> list[Variable]:
    """The variables in the order of the outcomes; then those that nobody named beforehand, in theirs."""
    place = {outcome.variable: number for number, outcome in reversed(list(enumerate(outcomes)))}
    return sorted(variables, key=lambda variable: place.get(variable.key, len(place)))

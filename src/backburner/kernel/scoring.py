"""How a world's metrics are stated, so that one table, one interval and one report serve them all.

A metric is computed in two moves. ``measure`` turns one episode into numbers; a metric's ``over``
turns the numbers of many episodes into one figure. Intervals resample the episodes in between.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeVar

from msgspec import Struct

from backburner.kernel.charts import Bar, Figure
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.values import Refusal

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)

Measures = Mapping[str, float]
"""The numbers of one episode by name."""


class Metric(Struct, frozen=True):
    """One figure over many episodes. ``over`` gives ``None`` where it is not defined."""

    key: str
    title: str
    unit: str
    better: Literal["higher", "lower", "neither"]
    over: Callable[[Sequence[Measures]], float | None]
    formula: str
    share: bool = False
    """Whether it is 100 times the share of episodes with a property; then it lies between 0 and 100."""
    lowest: float | None = None
    highest: float | None = None
    """The ends that it cannot lie beyond, whatever is played; ``None`` where it has none. Intervals stay
    between them, and a metric with both has one where all its scenarios are equal too."""
    bounds: tuple[tuple[str, str], ...] = ()
    """Measures, each with the one of ``Pack.bounds`` that no play passes in its place."""

    def bound(self, rows: Sequence[Measures]) -> float | None:
        """What no play of these episodes passes; ``None`` where their measures have no bounds."""
        if not self.bounds or not all(key in row for row in rows for _, key in self.bounds):
            return None
        return self.over([{**row, **{of: row[key] for of, key in self.bounds}} for row in rows])


class Published(Struct, frozen=True):
    """One row of an article's result table: figures by metric key, as printed."""

    group: str
    agent: str
    figures: dict[str, float]
    source: str
    note: str = ""


class Estimate(Struct, frozen=True):
    """A figure with its 95 % interval; ``low`` and ``high`` are ``None`` where there is none.

    ``method``: what made the interval, or why there is none, in a word.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    method: str = ""

    def bar(self, name: str) -> Bar:
        """The figure as a bar of this name."""
        return Bar(name, self.value, self.low, self.high)


class Section(Struct, frozen=True):
    """A table of an analysis: what it shows, its columns, its rows.

    ``cells``: the figures behind it, finer than it shows them, by name: for machines (``--json``).
    """

    title: str
    text: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    cells: tuple[Mapping[str, Any], ...] = ()


Measured = tuple[Episode, Measures]
"""An episode with its numbers."""

Estimator = Callable[[Metric, Sequence[Measured]], Estimate]
"""The metric over these episodes with its interval, episodes of one scenario being drawn together."""


class Scoring(Protocol):
    """A world's metrics, the article's printed numbers, and the article's analyses.

    A world's scoring names this as its base, and has the defaults below where it says nothing.
    """

    @property
    def metrics(self) -> Sequence[Metric]:
        """In the article's order; the share of completed episodes where there is no article."""
        return (COMPLETED,)

    @property
    def main(self) -> Sequence[str]:
        """The keys of the few metrics that a summary shows, the most telling one first: as many of them as
        it has room for. By default the first three."""
        return tuple(metric.key for metric in self.metrics[:3])

    @property
    def published(self) -> Sequence[Published]:
        """The article's result tables as numbers."""
        return ()

    @property
    def counts(self) -> str:
        """What the scores that the world's events tell count, such as ``orders served``; empty if they are
        shares of 100."""
        return ""

    def group(self, episode: Episode) -> str:
        """The cell of the article's table that the episode belongs to, such as ``cooking, 2 tasks``."""
        return "all scenarios"

    def measure(self, episode: Episode) -> Measures:
        """The numbers of one episode; by default those of its ending."""
        return {} if episode.ending is None else {k: float(v) for k, v in episode.ending.numbers.items()}

    def kind_of_refusal(self, refusal: Refusal) -> str:
        """The article's name for a refusal's class; by default its code."""
        return refusal.code.replace("_", " ")

    def sections(self, rows: Sequence[Measured]) -> Sequence[Section]:
        """The article's analyses over measured episodes of one world."""
        return ()

    def statistics(self, ids: Sequence[str]) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        """The article's data set table beside ours for these scenarios: column titles, rows.

        Raises ``Refused`` where there is no such table.
        """
        raise Refused("this world has no table of its scenarios")

    def figures(self, rows: Sequence[Measured], estimate: Estimator) -> Sequence[Figure]:
        """The article's figures over measured episodes of one world; none by default.

        ``estimate`` gives a metric its interval, for figures that show any.
        """
        return ()


class PlainScoring(Scoring):
    """The scoring of a world whose pack names none: ``Scoring`` with its defaults."""


def completed_share(rows: Sequence[Measures]) -> float | None:
    """100 times the share of episodes in which everything was completed, of those that tell it."""
    return mean(100 * bool(row["completed"]) for row in rows if "completed" in row)


COMPLETED = Metric(
    "Completed", "completed episodes", "%", "higher", completed_share, "100 · S / N", share=True
)
"""The metric of worlds without an article. Outcomes tell it as ``completed``, 1 or 0."""


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of the values that are known; ``None`` where none is."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def mean_of(key: str, times: float = 1) -> Callable[[Sequence[Measures]], float | None]:
    """The mean of a measure, so many times, over the episodes that have it."""
    return lambda rows: mean([times * row[key] for row in rows if key in row])


def success(rows: Sequence[Measures]) -> float | None:
    """100 times the share of episodes whose ``success`` is 1; each world's ``measure`` says when it is."""
    return mean([100 * row["success"] for row in rows])


def rounded_mean(values: Iterable[float | None]) -> float | None:
    """``mean`` to two digits after the point, for tables."""
    exact = mean(values)
    return None if exact is None else round(exact, 2)


def grouped(items: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """The items of each key; keys in the order of their first appearance."""
    found: dict[K, list[T]] = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    return found


def by_agent(rows: Sequence[Measured]) -> Iterator[tuple[str, list[Measured]]]:
    """(agent, its episodes); where several rule sets were played, an agent is named with each."""
    several = len({episode.header.rules_name for episode, _ in rows}) > 1

    def name(row: Measured) -> str:
        header = row[0].header
        return f"{header.agent}, {header.rules_name}" if several else header.agent

    yield from grouped(rows, name).items()

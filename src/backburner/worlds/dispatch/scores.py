"""The collaboration score (MindAgent, arXiv 2309.09971) and what it is made of, for worlds whose orders keep
coming.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from backburner.kernel.catalogue import Catalogue
from backburner.kernel.charts import Point
from backburner.kernel.episode import Episode
from backburner.kernel.scoring import Measures, Metric, Scoring, mean, mean_of


def share(rows: Sequence[Measures]) -> float | None:
    """Orders ``completed`` over orders completed or ``failed``, each summed over all episodes.

    Orders still open at the end are left out. Not defined where no order was completed or failed.
    """
    completed = sum(row["completed"] for row in rows)
    total = completed + sum(row["failed"] for row in rows)
    return completed / total if total else None


def cos(rows: Sequence[Measures], pace: str = "tau") -> float | None:
    """The collaboration score: the mean of the shares at each pace of orders (article, Eq. 1).

    ``pace``: the measure that says at which pace an episode's orders came.
    """
    paces = sorted({row[pace] for row in rows})
    return mean(share([row for row in rows if row[pace] == value]) for value in paces)


UNPACED = 0.0
"""Stands for the pace of scenarios whose intervals come from no factor tau."""

SHARE = "Σ c / Σ (c + f)"

MOST_SERVED, LEAST_FAILED = "most served", "least failed"
"""Measures of an episode: no play serves more of its orders, none fails less."""

COS = Metric(
    "CoS",
    "collaboration score",
    "",
    "higher",
    cos,
    "mean over τ of Σ completed / Σ (completed + failed)",
    lowest=0,
    highest=1,
    bounds=(("completed", MOST_SERVED), ("failed", LEAST_FAILED)),
)


def share_key(tau: float) -> str:
    """The key of the metric for one pace of orders."""
    return f"S@{tau}"


def share_at(tau: float) -> Metric:
    """The share of orders served of episodes at one pace; their measure ``tau`` says at which."""
    return Metric(
        share_key(tau),
        f"share served at τ {tau}",
        "",
        "higher",
        lambda rows: share(at_pace(rows, tau)),
        SHARE,
        lowest=0,
        highest=1,
    )


def mean_count(
    key: str, measure: str, title: str, unit: str, better: Literal["higher", "lower", "neither"]
) -> Metric:
    """The mean of a measure that counts something in an episode."""
    return Metric(key, title, unit, better, mean_of(measure), "mean count", lowest=0)


NONE = "–"


def three_digits(value: float | None) -> str:
    """Three digits after the point, or a dash."""
    return NONE if value is None else f"{value:.3f}"


def at_pace(rows: Sequence[Measures], tau: float) -> list[Measures]:
    """The numbers of the episodes that were played at this factor τ."""
    return [row for row in rows if row["tau"] == tau]


def share_points(rows: Sequence[Measures], taus: Sequence[float]) -> tuple[Point, ...]:
    """The shares of orders served over τ, where they are defined."""
    shares = ((tau, share(at_pace(rows, tau))) for tau in taus)
    return tuple(Point(tau, value) for tau, value in shares if value is not None)


def order_metrics(taus: Sequence[float], failed: Metric, *others: Metric) -> tuple[Metric, ...]:
    """The collaboration score, the share at each pace, orders completed and ``failed``, and these others."""
    completed = mean_count("Completed", "completed", "orders completed", "orders", "higher")
    return COS, *map(share_at, taus), completed, failed, *others


RAN_OUT = mean_count("Failed", "failed", "orders that ran out", "orders", "lower")
STILL_OPEN = mean_count("Open", "open", "orders open at the end", "orders", "neither")


class OrderScoring(Scoring):
    """What the scorings of these worlds have in common; see ``kernel.scoring.Scoring`` for what each part
    promises."""

    main: Sequence[str] = ("CoS", "Completed", "Failed")
    counts = "orders served"
    catalogue: Catalogue[Any]

    def played(self, episode: Episode) -> Any:
        """The world that a record is of."""
        return self.catalogue.of(episode.header)


def counted(world: Any, episode: Episode) -> dict[str, float]:
    """The numbers with which an episode ended, or with which it began where it did not end."""
    ending = episode.ending
    numbers = ending.numbers if ending else world.outcome(world.start(episode.header.seed)).numbers
    return {name: float(number) for name, number in numbers.items()}


def paced(tau: float | None) -> float:
    """The measure ``tau`` of an episode."""
    return UNPACED if tau is None else tau

"""How well agents play by how fast they think: a curve for each agent, over the episodes of all its speeds.

A curve's places are tokens a beat: what is generated in the usual time between two decisions of good play.
They are told apart by their logarithm to the base of 2, so that twice as fast is one step everywhere; play
without a clock stands apart, beyond all of them. All figures of a curve are over the scenarios and seeds that
were played at each of its speeds. Beside it are scripts, which this module plays itself where no record has
them: greedy and random play without a clock, and greedy as slow as the agent was, thought by thought.

Intervals of what is made of a whole curve are of a bootstrap: scenarios are drawn with all their seeds, the
same ones for all speeds and scripts, and the middle 95 % are told.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import inf, log2

from msgspec import Struct

from backburner.agents.roster import AnyWorld
from backburner.evaluation.comparing.as_slow import Play, Rows, Scripts, play_of, span_of, stale
from backburner.evaluation.scoring.scores import WorldScores
from backburner.evaluation.scoring.statistics import MISSED, SAME, estimate
from backburner.evaluation.scoring.summary import with_the_headlines
from backburner.evaluation.scoring.usage import stood_in
from backburner.kernel.clock import SECOND, Clock, timed
from backburner.kernel.replay import world_of
from backburner.kernel.scoring import Estimate, Measured, Measures, Metric, grouped

DRAWS = 1000
"""Of scenarios, for an interval."""

LEAST_SPEEDS = 3
"""With a clock, for a curve to have a place where it passes something."""


class Speed(Struct, frozen=True):
    """What an agent came to at one speed; ``tokens`` a beat, infinite without a clock.

    ``charge``: mean microseconds of a thought. ``silent``: the share of the time that seats thought in.
    ``stale``: decisions that would have been accepted when their seat was asked, of all ``decisions``.
    ``slow``: greedy with the same charges; ``best``: the best plan of which each decision takes ``charge``,
    ``None`` where it is not known in every scenario. ``infeasible``: scenarios in which no plan is so slow.
    """

    name: str
    tokens: float
    episodes: int
    score: Estimate
    charge: float = 0.0
    silent: float = 0.0
    stale: int = 0
    decisions: int = 0
    slow: Estimate = Estimate(None)
    best: float | None = None
    infeasible: int = 0


class Place(Struct, frozen=True):
    """Where on a curve something happens, in tokens a beat, with its interval: ``-inf`` is everywhere that
    was played, ``inf`` nowhere. ``None``: there are too few speeds to tell."""

    tokens: float
    low: float
    high: float


class Curve(Struct, frozen=True):
    """An agent's scores by its speed, the slowest first.

    ``greedy``, ``random``: without a clock. ``area``: the mean score from the first speed to the last one.
    ``half``: where half of the score without a clock is reached, if the metric has the better the higher.
    ``break_even``, ``over_random``: from where on it is not below these.
    """

    world: str
    rules: str
    agent: str
    stand_in: bool
    metric: Metric
    beat_seconds: float
    speeds: tuple[Speed, ...]
    greedy: Estimate
    random: Estimate
    area: Estimate
    half: Place | None
    break_even: Place | None
    over_random: Place | None

    @property
    def clocked(self) -> tuple[Speed, ...]:
        """The speeds with a clock."""
        return tuple(speed for speed in self.speeds if speed.tokens < inf)


# --- what was played -------------------------------------------------------------------------------------


def tokens_a_beat(clock: Clock, world: AnyWorld) -> float | None:
    """What a clock lets be generated in a beat; ``None`` where it charges no tokens, or seats differ."""
    rates = {(profile.decode, profile.unit_microseconds) for profile in clock.profiles.values()}
    decode, unit = next(iter(rates))
    if clock.mode != "tokens" or len(rates) > 1 or not decode:
        return None
    return float(decode) * _beat(world) / unit / float(clock.pace)


def _beat(world: AnyWorld) -> int:
    """Microseconds."""
    kept = timed(world)
    return kept.beat_ticks * kept.tick_microseconds


def curves(world: WorldScores) -> list[Curve]:
    """The curve of each agent that was played at more than one speed, one of them with a clock."""
    by_agent = grouped(world.answered, lambda row: (row[0].header.rules_name, row[0].header.team))
    found = []
    for rows in by_agent.values():
        kept = world_of(rows[0][0]) if any(row[0].header.clock for row in rows) else None
        speeds: dict[float, list[Measured]] = {}
        for row in rows if kept is not None else ():
            clock = row[0].header.clock
            tokens = inf if clock is None else tokens_a_beat(clock, world_of(row[0]))
            if tokens is not None:
                speeds.setdefault(tokens, []).append(row)
        if len(speeds) > 1 and kept is not None:
            found.append(_curve(world, kept, {tokens: speeds[tokens] for tokens in sorted(speeds)}))
    return found


def _curve(world: WorldScores, kept: AnyWorld, speeds: Mapping[float, Sequence[Measured]]) -> Curve:
    played = {tokens: {play_of(row[0]): row for row in rows} for tokens, rows in speeds.items()}
    common = set.intersection(*map(set, played.values()))
    episodes = {tokens: {play: rows[play] for play in common} for tokens, rows in played.items()}
    first = next(iter(speeds.values()))[0][0]
    scripts = Scripts(world, episodes, first.header.rules_name)
    metric = next(metric for metric in with_the_headlines(world) if metric.better != "neither")
    found = tuple(_speed(metric, tokens, rows, scripts) for tokens, rows in episodes.items())
    series = {tokens: {play: row[1] for play, row in rows.items()} for tokens, rows in episodes.items()}
    drawn = _Drawn(metric, [*series.values(), scripts.greedy, scripts.random])
    clocked = [log2(tokens) for tokens in series if tokens < inf]
    number = len(clocked)
    pass_greedy, pass_random = (partial(passes, clocked, beside=side) for side in (-2, -1))
    return Curve(
        world.world,
        first.header.rules_name,
        first.header.team,
        stood_in(first),
        metric,
        _beat(kept) / SECOND,
        found,
        _estimate(metric, scripts.greedy),
        _estimate(metric, scripts.random),
        drawn.estimate(lambda values: area(clocked, values[:number])),
        drawn.place(partial(_half, clocked)) if inf in series and metric.better == "higher" else None,
        drawn.place(pass_greedy) if scripts.greedy and number >= LEAST_SPEEDS else None,
        drawn.place(pass_random) if scripts.random and number >= LEAST_SPEEDS else None,
    )


def _estimate(metric: Metric, rows: Rows) -> Estimate:
    return estimate(metric, [(play[0], measures) for play, measures in rows.items()])


def _speed(metric: Metric, tokens: float, rows: Mapping[Play, Measured], scripts: Scripts) -> Speed:
    score = _estimate(metric, {play: row[1] for play, row in rows.items()})
    clock = next(iter(rows.values()))[0].header.clock if rows else None
    if clock is None:
        return Speed("∞", inf, len(rows), score)
    spans = [span_of(row[0]) for row in rows.values()]
    thoughts, charge = sum(span.thoughts for span in spans), sum(span.charge for span in spans)
    mean = charge / thoughts if thoughts else 0.0
    best, infeasible = scripts.best(metric, rows, mean)
    return Speed(
        clock.label,
        tokens,
        len(rows),
        score,
        mean,
        min(charge / time, 1.0) if (time := sum(span.time for span in spans)) else 0.0,
        sum(stale(row[0]) for row in rows.values()),
        sum(span.decisions for span in spans),
        _estimate(metric, scripts.slow(tokens)),
        best,
        infeasible,
    )


# --- what a curve says -----------------------------------------------------------------------------------


def area(places: Sequence[float], values: Sequence[float]) -> float:
    """The trapezoid of the values over the places, divided by the width: their mean along the curve."""
    if len(places) < 2:
        return values[0]
    parts = zip(places, places[1:], values, values[1:], strict=False)
    return sum((b - a) * (v + w) / 2 for a, b, v, w in parts) / (places[-1] - places[0])


def crossing(places: Sequence[float], above: Sequence[float]) -> float:
    """The least place from which on nothing is below 0, between two places by a straight line.

    ``-inf`` if nothing is, ``inf`` if the last one is.
    """
    below = [index for index, value in enumerate(above) if value < -SAME]
    if not below:
        return -inf
    last = below[-1]
    if last == len(above) - 1:
        return inf
    rise = above[last + 1] - above[last]
    return places[last] + (places[last + 1] - places[last]) * -above[last] / rise


def passes(places: Sequence[float], values: Sequence[float], sign: int, beside: int) -> float:
    """From where on the curve is not below the script whose value stands there."""
    return crossing(places, [sign * (value - values[beside]) for value in values[: len(places)]])


def _half(places: Sequence[float], values: Sequence[float], sign: int) -> float:
    """Where half of the value without a clock is reached, which stands behind the others."""
    return crossing(places, [value - values[len(places)] / 2 for value in values[: len(places)]])


class _Drawn:
    """The figures of several series over the same scenarios, as they are and in each draw."""

    def __init__(self, metric: Metric, series: Sequence[Rows]) -> None:
        self._sign = -1 if metric.better == "lower" else 1
        ids = list(dict.fromkeys(play[0] for play in series[0]))
        clusters = [
            [[measures for play, measures in rows.items() if play[0] == id] for id in ids] for rows in series
        ]
        generator = random.Random(0)
        draws = [generator.choices(range(len(ids)), k=len(ids)) for _ in range(DRAWS if len(ids) > 1 else 0)]
        self.values = list(self._over(metric, clusters, range(len(ids))))
        self.draws = [list(self._over(metric, clusters, draw)) for draw in draws]

    def _over(
        self, metric: Metric, clusters: Sequence[Sequence[Sequence[Measures]]], chosen: Sequence[int]
    ) -> Iterator[float]:
        for of_series in clusters:
            value = metric.over([row for index in chosen for row in of_series[index]])
            yield 0.0 if value is None else value

    def _ends(self, found: list[float]) -> tuple[float, float]:
        found.sort()
        outside = round(len(found) * MISSED / 2)
        return found[outside], found[-1 - outside]

    def estimate(self, of: Callable[[Sequence[float]], float]) -> Estimate:
        """A figure with its interval."""
        if not self.draws:
            return Estimate(of(self.values), method="one scenario")
        return Estimate(of(self.values), *self._ends([of(draw) for draw in self.draws]), "bootstrap")

    def place(self, of: Callable[[Sequence[float], int], float]) -> Place:
        """A place, given as a logarithm, with its interval."""
        found = of(self.values, self._sign)
        low, high = (
            self._ends([of(draw, self._sign) for draw in self.draws]) if self.draws else (found, found)
        )
        return Place(*(_tokens(each) for each in (found, low, high)))


def _tokens(place: float) -> float:
    return place if place in (inf, -inf) else 2.0**place

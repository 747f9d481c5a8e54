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
from typing import Literal

from msgspec import Struct

from backburner.agents.roster import AnyWorld
from backburner.agents.spec import parted
from backburner.evaluation.comparing.as_slow import Play, Rows, Scripts, play_of, span_of, stale
from backburner.evaluation.scoring.scores import WorldScores
from backburner.evaluation.scoring.statistics import MISSED, SAME, estimate
from backburner.evaluation.scoring.summary import with_the_headlines
from backburner.evaluation.scoring.usage import stood_in
from backburner.kernel.clock import SECOND, Clock, bounds_of, timed
from backburner.kernel.episode import together
from backburner.kernel.experiments import Experiment
from backburner.kernel.replay import world_of
from backburner.kernel.scoring import Estimate, Measured, Measures, Metric, grouped

DRAWS = 1000
"""Of scenarios, for an interval."""

Axis = Literal["tokens", "latency"]

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
    """An agent's scores by its speed, the slowest first. ``axis``: whether that is tokens a beat, or thoughts
    a beat of a script that has a latency.

    ``greedy``, ``random``: without a clock. ``area``: the mean score from the first speed to the last one.
    ``half``: where half of the score without a clock is reached, if the metric has the better the higher.
    ``break_even``, ``over_random``: from where on it is not below these.
    """

    world: str
    rules: str
    agent: str
    axis: Axis
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


def latency_rate(clock: Clock, world: AnyWorld) -> float | None:
    """Thoughts a beat of scripts that have a latency; ``None`` for other clocks, or if seats differ."""
    spans = {profile.latency for profile in clock.profiles.values()}
    if clock.mode != "latency" or len(spans) > 1:
        return None
    mean = sum(bounds_of(spans.pop())) / 2
    return _beat(world) / mean if mean else None


RATES: Mapping[Axis, Callable[[Clock, AnyWorld], float | None]] = {
    "tokens": tokens_a_beat,
    "latency": latency_rate,
}
"""What stands on each axis."""


def curves(world: WorldScores, *, whole: bool = True) -> list[Curve]:
    """The curves of each agent that was played at more than one speed, one of them with a clock.

    Unless ``whole``, its speeds have their scores and nothing else, for which nothing is played or planned.
    """
    runs = grouped((line.experiment for cell in world.cells for line in cell.lines), unclocked)
    found = []
    for (_, agent), own in runs.items():
        rows = [row for one in own for row in one.rows if world.counting.counts(row)]
        for axis, rate_of in RATES.items():
            speeds = _by_rate(rows, rate_of)
            common = set.intersection(*map(set, speeds.values())) if len(speeds) > 1 else set()
            if common and speeds.keys() != {inf}:
                alike = {
                    rate: {play: row for play, row in speeds[rate].items() if play in common}
                    for rate in sorted(speeds)
                }
                found.append(_curve(world, agent, axis, alike, whole=whole))
    return found


def unclocked(run: Experiment) -> tuple[str, str]:
    """Rules and name of an experiment, without what says how fast its agents think."""
    header = run.rows[0][0].header
    names = [parted(header.players[seat].name)[0] for seat in header.seats if seat in header.players]
    return run.rules, together(names) + run.agent.removeprefix(header.agent)


def _by_rate(
    rows: Sequence[Measured], rate_of: Callable[[Clock, AnyWorld], float | None]
) -> dict[float, dict[Play, Measured]]:
    """What was played at each rate; of several clocks with one rate that with the most episodes."""
    found: dict[float, dict[str, dict[Play, Measured]]] = {}
    for row in rows:
        clock = row[0].header.clock
        rate = inf if clock is None else rate_of(clock, world_of(row[0]))
        if rate is not None:
            of_rate = found.setdefault(rate, {})
            of_rate.setdefault(row[0].header.agent, {})[play_of(row[0])] = row
    return {rate: max(of_rate.values(), key=len) for rate, of_rate in found.items()}


def _curve(
    world: WorldScores,
    agent: str,
    axis: Axis,
    speeds: Mapping[float, Mapping[Play, Measured]],
    *,
    whole: bool,
) -> Curve:
    first = next(row[0] for row in next(iter(speeds.values())).values())
    scripts = Scripts(world, speeds, first.header.rules_name)
    metric = next(metric for metric in with_the_headlines(world) if metric.better != "neither")
    series = {rate: {play: row[1] for play, row in rows.items()} for rate, rows in speeds.items()}
    drawn = _Drawn(metric, [*series.values(), scripts.greedy, scripts.random])
    clocked = [log2(rate) for rate in series if rate < inf]
    number = len(clocked)
    pass_greedy, pass_random = (partial(passes, clocked, beside=side) for side in (-2, -1))
    enough = axis == "tokens" and number >= LEAST_SPEEDS
    return Curve(
        world.world,
        first.header.rules_name,
        agent,
        axis,
        stood_in(first),
        metric,
        _beat(world_of(first)) / SECOND,
        tuple(_speed(metric, rate, rows, scripts if whole else None) for rate, rows in speeds.items()),
        _estimate(metric, scripts.greedy),
        _estimate(metric, scripts.random),
        drawn.estimate(lambda values: area(clocked, values[:number])),
        drawn.place(partial(_half, clocked)) if inf in series and metric.better == "higher" else None,
        drawn.place(pass_greedy) if scripts.greedy and enough else None,
        drawn.place(pass_random) if scripts.random and enough else None,
    )


def _estimate(metric: Metric, rows: Rows) -> Estimate:
    return estimate(metric, [(play[0], measures) for play, measures in rows.items()])


def _speed(metric: Metric, tokens: float, rows: Mapping[Play, Measured], scripts: Scripts | None) -> Speed:
    score = _estimate(metric, {play: row[1] for play, row in rows.items()})
    header = next(iter(rows.values()))[0].header
    if header.clock is None or scripts is None:
        return Speed("∞" if header.clock is None else header.clock.label, tokens, len(rows), score)
    spans = [span_of(row[0]) for row in rows.values()]
    thoughts, charge = sum(span.thoughts for span in spans), sum(span.charge for span in spans)
    mean = charge / thoughts if thoughts else 0.0
    best, infeasible = scripts.best(metric, rows, mean)
    return Speed(
        header.clock.label or f"{mean / SECOND:.6g} s",
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

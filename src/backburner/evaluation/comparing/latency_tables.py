"""Curves of speed as tables, as a chart, as sentences: from which speed on a model is worth asking."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf, log2

from backburner.agents.planned import GREEDY
from backburner.evaluation.comparing.latency import Axis, Curve, Place, Speed
from backburner.evaluation.tables.words import compact, interval_text, number_text
from backburner.kernel.charts import Figure, Line, Lines, Point
from backburner.kernel.scoring import Estimate, Section, grouped

APART = 1.0
"""How far play without a clock stands from the fastest speed, in doublings."""

TITLES: Mapping[Axis, str] = {"tokens": "Score by speed", "latency": "Score by latency"}
PLACES_TITLE = "Score by speed, in numbers"
AXES: Mapping[Axis, str] = {"tokens": "tokens", "latency": "thoughts"}
NOTE = "stand-ins, no models"

TEXT = (
    "{metric} of agents by how fast they think, over the scenarios and seeds that were played at each speed: "
    "{axis} in a beat of {beat:g} s, the usual time between two decisions of good play. Charge: seconds of "
    "the world that a thought took in the mean; thinking: the share of the time that seats were silent; "
    "stale: decisions that were refused, and would not have been when their seat was asked. As slow: greedy, "
    "each of its thoughts as long as the agent's of the same number. Cost of time: what greedy loses by "
    "that; cost of decisions: what the agent is behind it. Best: the best plan of which each decision takes "
    "the charge, which is no bound, as single thoughts are shorter or longer."
)
PLACES_TEXT = (
    "Area: the mean {metric} from the slowest speed to the fastest one, by their logarithm; curves with the "
    "same ends compare. Half: where half of the score without a clock is reached. Worth asking: from where "
    "on an agent is not below greedy without a clock, and below random play. Tokens a beat, with 95 % "
    "intervals of a bootstrap over scenarios."
)


def latency_section(curves: Sequence[Curve]) -> Section:
    """A row for each agent and speed of one world."""
    first = curves[0]
    metric = first.metric
    rows = tuple(_row(curve, speed) for curve in curves for speed in curve.speeds)
    rate = f"{AXES[first.axis]} a beat"
    columns = (
        "agent", "speed", rate, "episodes", "charge", "thinking", "stale", metric.key, "as slow",
        "cost of time", "cost of decisions", "best",
    )  # fmt: skip
    text = TEXT.format(metric=metric.key, beat=first.beat_seconds, axis=AXES[first.axis])
    return Section(titled(TITLES[first.axis], curves), text, columns, rows)


def titled(title: str, curves: Sequence[Curve]) -> str:
    """The title, which says so where it is about stand-ins."""
    return f"{title} ({NOTE})" if any(curve.stand_in for curve in curves) else title


def _row(curve: Curve, speed: Speed) -> tuple[object, ...]:
    infeasible = f"infeasible in {speed.infeasible}" if speed.infeasible else number_text(speed.best)
    clocked = speed.tokens < inf
    return (
        _name(curve, [curve]),
        speed.name,
        _rate(speed.tokens),
        speed.episodes,
        f"{speed.charge / 1e6:.3g} s" if clocked else "0 s",
        f"{100 * speed.silent:.0f} %",
        f"{speed.stale} of {speed.decisions}" if clocked else "–",
        interval_text(speed.score),
        interval_text(speed.slow) if clocked else interval_text(curve.greedy),
        number_text(_less(curve.greedy, speed.slow) if clocked else None),
        number_text(_less(speed.slow if clocked else curve.greedy, speed.score)),
        infeasible,
    )


def _rate(rate: float) -> str:
    return "∞" if rate == inf else compact(rate, 1e4) if rate >= 100 else f"{rate:.3g}"


def _less(one: Estimate, other: Estimate) -> float | None:
    return None if one.value is None or other.value is None else one.value - other.value


def _name(curve: Curve, curves: Sequence[Curve]) -> str:
    several = len({each.rules for each in curves}) > 1
    return f"{curve.agent}, {curve.rules}" if several else curve.agent


def places_section(curves: Sequence[Curve]) -> Section:
    """What each whole curve says, a row for each."""
    rows = tuple(
        (
            _name(curve, curves),
            f"{_tokens(curve.speeds[0].tokens)} to {_tokens(curve.clocked[-1].tokens)}",
            interval_text(curve.area),
            _half(curve.half),
            place_text(curve.break_even),
            place_text(curve.over_random),
        )
        for curve in curves
    )
    columns = ("agent", "from, to", "area", "half at", "worth asking from", "above random from")
    return Section(
        titled(PLACES_TITLE, curves), PLACES_TEXT.format(metric=curves[0].metric.key), columns, rows
    )


def _half(place: Place | None) -> str:
    return "none" if place is None or abs(place.tokens) == inf else place_text(place)


def place_text(place: Place | None) -> str:
    """``1.2k [900, 2k]``; ``always`` and ``never`` for what lies outside; a dash where nothing is told."""
    if place is None:
        return "–"
    found, *ends = (_tokens(each) for each in (place.tokens, place.low, place.high))
    return found if ends == [found, found] else f"{found} [{', '.join(ends)}]"


def _tokens(tokens: float) -> str:
    return "always" if tokens == -inf else "never" if tokens == inf else _rate(tokens)


def sentences(curves: Sequence[Curve]) -> Iterator[str]:
    """From which speed on each agent is worth asking instead of a script."""
    for curve in (curve for curve in curves if curve.axis == "tokens"):
        who = f"{_name(curve, curves)}{f' ({NOTE})' if curve.stand_in else ''}"
        of = f"by {curve.metric.key} in {curve.world}"
        place = curve.break_even
        if place is None:
            few = len(curve.clocked) < 3
            why = "it takes three speeds to tell" if few else "nothing is known of greedy there"
            yield f"{who}: from which speed on it is worth asking, {of}: {why}"
            continue
        first, last = (_tokens(curve.clocked[index].tokens) for index in (0, -1))
        sure = place.low == place.high
        spread = "" if sure else f"; 95 % interval: {_tokens(place.low)} to {_tokens(place.high)}"
        yield f"{who} {_worth(curve, place, first, last)}, {of}{spread}"


def _worth(curve: Curve, place: Place, first: str, last: str) -> str:
    if place.tokens == -inf:
        return f"is worth asking instead of greedy at every speed that was played, from {first} tokens a beat"
    if place.tokens == inf:
        return f"is at no speed that was played, up to {last} tokens a beat, worth asking instead of greedy"
    second = compact(place.tokens / curve.beat_seconds, 1e4)
    return (
        f"is worth asking instead of greedy from {_tokens(place.tokens)} tokens a beat on ({second} a second)"
    )


# --- as a chart ------------------------------------------------------------------------------------------


def latency_chart(curves: Sequence[Curve]) -> Lines:
    """Score by speed: a line for each agent, and what it stands beside."""
    clocked = sorted({speed.tokens for curve in curves for speed in curve.clocked})
    end = log2(clocked[-1]) + APART
    lines = [line for curve in curves for line in _lines(curve, curves, end)]
    first = curves[0]
    ticks = [(log2(rate), _tick(rate, first)) for rate in clocked]
    metric = curves[0].metric
    of_tokens = first.axis == "tokens"
    beat = f"tokens in a beat of {first.beat_seconds:g} s" if of_tokens else "seconds a decision"
    title = f"{metric.key} by {'speed' if of_tokens else 'latency'}, {first.world}"
    return Lines(
        titled(title, curves),
        f"{beat}, by their logarithm",
        titled(f"{metric.key}, {metric.title}", curves),
        tuple(lines),
        full=100.0 if metric.share or metric.highest == 100 else 0.0,
        ticks=(*ticks, (end, "∞" if of_tokens else "0")),
        apart=end,
    )


def _tick(rate: float, curve: Curve) -> str:
    """The speed under the axis: tokens a beat, or the seconds of a decision."""
    return _rate(rate) if curve.axis == "tokens" else f"{curve.beat_seconds / rate:.3g}"


def _lines(curve: Curve, curves: Sequence[Curve], end: float) -> Iterator[Line]:
    """An agent's line, and those of scripts that are as slow, unless another agent's are there already."""
    name = _name(curve, curves)

    def x(speed: Speed) -> float:
        return log2(speed.tokens) if speed.tokens < inf else end

    yield Line(name, tuple(p for speed in curve.speeds if (p := _point(x(speed), speed.score))))
    if not any(as_slow(curve, other) for other in curves[: curves.index(curve)]):
        of = "" if all(as_slow(curve, other) for other in curves) else f" as {name}"
        slow = tuple(p for speed in curve.clocked if (p := _point(x(speed), speed.slow)))
        if slow and curve.agent != GREEDY:
            yield Line(f"greedy, as slow{of}", slow)
        best = tuple(Point(x(speed), speed.best) for speed in curve.clocked if speed.best is not None)
        if best:
            yield Line(f"the best plan, each decision as slow{of}", best, quoted=True)
    if curve is curves[-1]:
        for script, figure in (("greedy, without a clock", curve.greedy), ("random play", curve.random)):
            if figure.value is not None and not (script.startswith(GREEDY) and curve.agent == GREEDY):
                places = (*map(x, curve.clocked), end)
                yield Line(script, tuple(Point(place, figure.value) for place in places))


ALIKE = 0.1
"""Charges that differ by less than this share of the larger one are drawn as one."""


def as_slow(one: Curve, other: Curve) -> bool:
    """Whether two agents were about as slow at the same speeds."""
    pairs = [*zip(one.clocked, other.clocked, strict=False)]
    return len(one.clocked) == len(other.clocked) and all(
        a.tokens == b.tokens and abs(a.charge - b.charge) <= ALIKE * max(a.charge, b.charge) for a, b in pairs
    )


def _point(x: float, figure: Estimate) -> Point | None:
    return None if figure.value is None else Point(x, figure.value, figure.low, figure.high)


CAPTION = (
    "How well agents do by how fast they think, with 95 % intervals over scenarios; dashed and thin the best "
    "plan of which each decision takes as long as the agent's did in the mean."
)


def latency_figure(curves: Sequence[Curve]) -> Figure:
    """The chart as a figure that is exported."""
    key = "speed" if curves[0].axis == "tokens" else "latency"
    return Figure(key, titled(TITLES[curves[0].axis], curves), CAPTION, (latency_chart(curves),))


def by_axis(curves: Sequence[Curve]) -> list[list[Curve]]:
    """Curves over tokens, then those over latencies, where there are any."""
    return list(grouped(sorted(curves, key=lambda curve: curve.axis != "tokens"), lambda c: c.axis).values())

"""Learning curves: how well a network plays held-out seeds, point by point, as JSON lines, and other agents
beside it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.evaluation.scoring.statistics import estimate
from backburner.kernel import registry
from backburner.kernel.charts import Line, Lines, Point
from backburner.kernel.files import decoded, read_json, read_regular, write_whole
from backburner.kernel.play import play
from backburner.kernel.scoring import Estimate, Measures, Metric, mean
from backburner.training.learner.configuration import Configuration, expanded
from backburner.training.learner.rollouts import AnyLane, Lane, lane_of
from backburner.training.pay import share

SCORE = "score"

SCORED = Metric(
    SCORE, "score", "", "higher", lambda rows: mean(row[SCORE] for row in rows), "mean of the scores"
)
"""The mean score of episodes, for worlds without entities."""


class Figures(Struct, frozen=True):
    """Figures over test seeds, with their 95 % intervals: the mean ``score``, and the world's ``metric`` (by
    its name) overall and in each of the ``scenarios``."""

    score: Estimate
    metric: str = ""
    value: Estimate | None = None
    scenarios: Mapping[str, float | None] = {}


class CurvePoint(Struct, frozen=True, omit_defaults=True):
    """How well the network plays after so many ``steps`` of play (of all bodies at once) and so much CPU
    time.

    ``play``: on the test seeds of the scenarios it trains on; ``held_out``: of those it does not. ``entropy``
    and ``moved`` are those of the last iteration.
    """

    iteration: int
    steps: int
    cpu_seconds: float
    play: Figures
    held_out: Figures | None = None
    entropy: float = 0.0
    moved: float = 0.0


def figures(lanes: Sequence[AnyLane], play: Callable[[Sequence[AnyLane]], object]) -> Figures:
    """What ``play`` reaches on lanes that have begun."""
    play(lanes)
    scores: list[tuple[object, Measures]] = []
    rows: list[tuple[object, Measures]] = []
    by_scenario: dict[str, list[Measures]] = {}
    for lane in lanes:
        for e, score in enumerate(lane.scores):
            scenario = (lane.world.id, lane.seeds[e])
            scores.append((scenario, {SCORE: float(score)}))
            if lane.metric:
                measures = lane.measures(e)
                rows.append((scenario, measures))
                by_scenario.setdefault(lane.world.id, []).append(measures)
    mean_score = estimate(SCORED, scores)
    if not rows:
        return Figures(mean_score)
    metric = metric_of(lanes[0])
    each = {id: metric.over(measures) for id, measures in by_scenario.items()}
    return Figures(mean_score, metric.key, estimate(metric, rows), each)


def returns_of(lane: AnyLane) -> list[float]:
    """What each episode of a lane has come to, as a share: the metric that is measured, where it is defined;
    the score, up to 1, in a lane without one."""
    if not lane.metric:
        return [min(1.0, max(0.0, float(score))) for score in lane.scores]
    metric = metric_of(lane)
    values = [metric.over([lane.measures(e)]) for e in range(lane.count)]
    return [share(metric, value) for value in values if value is not None]


def metric_of(lane: AnyLane) -> Metric:
    """The metric that is measured in a lane."""
    metrics = registry.scoring(lane.world.id.partition("/")[0]).metrics
    return next(metric for metric in metrics if metric.key == lane.metric)


def read_curve(file: Path) -> list[CurvePoint]:
    """All points of a curve; raises ``BadFile``."""
    lines = enumerate(read_regular(file).splitlines(), 1)
    return [decoded(line, file, CurvePoint, "a point", f"line {number}") for number, line in lines]


def write_curve(file: Path, points: Sequence[CurvePoint]) -> None:
    """Write a curve, whole or not at all."""
    write_whole(file, b"".join(msgspec.json.encode(point) + b"\n" for point in points))


def chart(points: Sequence[CurvePoint], beside: Mapping[str, float]) -> tuple[Lines, Lines]:
    """The curve over steps of play and over CPU seconds, both by powers of ten, so that it begins with the
    first evaluation after the start; ``beside``: levels of other agents, by name."""
    shown = [point for point in points if _main(point.play).value is not None and point.steps]
    title = shown[0].play.metric or "mean score" if shown else "score"

    def lines(x: Callable[[CurvePoint], float], unit: str) -> Lines:
        made = [Line("test seeds", tuple(_point(x(point), point.play) for point in shown))]
        held = [(point, point.held_out) for point in shown if point.held_out is not None]
        if held:
            made.append(Line("held-out scenarios", tuple(_point(x(at), play) for at, play in held)))
        ends = [x(point) for point in (shown[:1] + shown[-1:])]
        made += [
            Line(name, tuple(Point(end, level) for end in ends), quoted=True)
            for name, level in beside.items()
        ]
        return Lines(f"{title} over {unit}", unit, title, tuple(made), powers=True, bands=True)

    return lines(lambda point: point.steps, "steps of play"), lines(
        lambda point: max(1, round(point.cpu_seconds)), "CPU seconds"
    )


def _main(play: Figures) -> Estimate:
    return play.score if play.value is None else play.value


def _point(x: float, play: Figures) -> Point:
    figure = _main(play)
    return Point(x, figure.value or 0.0, figure.low, figure.high)


# --- other agents on the same seeds ----------------------------------------------------------------------


BESIDE = "beside.json"

BOUND = "no play passes"
"""The name of the proven bound among other agents' levels."""


def levels_of(
    configuration: Configuration, folder: Path, agents: Sequence[str], tell: Callable[[str], None]
) -> dict[str, float]:
    """Each agent's figure on the test seeds of the scenarios that are trained on: the curve's metric.

    Beside them what no play of these episodes passes, where the world knows it. What was played once is kept
    in the folder. Raises ``BadFile``, and what making an agent raises.
    """
    file = folder / BESIDE
    kept = read_json(file, dict[str, float], "figures by agent") if file.exists() else {}
    for name in agents:
        if name not in kept:
            tell(f"{name} plays")
            kept |= _levels(configuration, name)
            write_whole(file, msgspec.json.encode(kept))
    named = (*agents, *(name for name in kept if name == BOUND)) if agents else tuple(kept)
    return {name: kept[name] for name in named}


def _levels(configuration: Configuration, name: str) -> dict[str, float]:
    """The figure of an agent, and the bound on it."""
    rows: list[tuple[object, Measures]] = []
    metric = SCORED
    for id in expanded(configuration.scenarios):
        world = registry.world(id, rules=configuration.rules, limits="article")
        lane = lane_of(world, configuration, 1)
        policies = make_policies(AgentSpec(name), world)
        for seed in configuration.test_seeds.all:
            states: list[Any] = []
            episode = asyncio.run(play(world, policies, seed, watch=states.append))
            if isinstance(lane, Lane) and not lane.metric:
                rows.append(((id, seed), {SCORE: lane.episodes.batch.encoding.score(states[-1])}))
            else:
                metric = metric_of(lane)
                of_world = world.id.partition("/")[0]
                bounds = registry.bounds(of_world)(episode)
                rows.append(((id, seed), {**registry.scoring(of_world).measure(episode), **bounds}))
    bound = metric.bound([measures for _, measures in rows])
    found = {name: estimate(metric, rows).value or 0.0}
    return found if bound is None else {**found, BOUND: bound}

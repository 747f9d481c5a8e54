"""How well other agents play what a training is tested on, in the exact world."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.evaluation.scoring.statistics import estimate
from backburner.kernel import registry
from backburner.kernel.files import read_json, write_whole
from backburner.kernel.play import play
from backburner.kernel.scoring import Measures
from backburner.training.learner.configuration import Configuration, expanded
from backburner.training.learner.curve import SCORE, SCORED, metric_of
from backburner.training.learner.lanes import Lane, lane_of

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

"""Thinking at a desk takes minutes: with none all is as without a clock; the longer, the less is served."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from statistics import fmean

from backburner.agents.spec import AgentSpec
from backburner.evaluation.running import runner
from backburner.evaluation.running.jobs import jobs_of
from backburner.evaluation.scoring import scores
from backburner.kernel import registry

SECONDS = (0, 15, 30, 60, 120, 240)


def test_the_longer_each_call_is_thought_about_the_less_is_served(tmp_path: Path) -> None:
    """The first ten days of ``standard``; 0 is as without a clock, step by step. A mean
    tempo of ten days may rise by chance: one more day on which all is done and right is worth up to ten."""
    ids = registry.expand("desk/standard")[:10]
    names = ["critical", *(f"critical@latency={seconds}" for seconds in SECONDS)]
    runner.run(jobs_of(ids, list(map(AgentSpec, names)), 1, "standard", "article"), tmp_path)
    (world,) = scores.score(episode for _, episode in scores.load(tmp_path).episodes)
    measured = {(episode.header.agent, episode.header.id): (episode, of) for episode, of in world.measured}
    assert len(measured) == 70
    for id in ids:
        (plain, figures), (clocked, same) = (measured[name, id] for name in names[:2])
        assert [one.digest for one in plain.entries] == [one.digest for one in clocked.entries]
        assert figures == same
    for metric, chance in (("served", 0), ("tempo", 5)):
        curve = [fmean(measured[name, id][1][metric] or 0 for id in ids) for name in names[1:]]
        assert all(after < before + chance for before, after in pairwise(curve)), (metric, curve)
        assert curve[-1] < curve[0] / 2

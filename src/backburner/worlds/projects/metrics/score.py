"""How a project is measured: what was completed, when, and how near that is to the proven least time."""

from __future__ import annotations

from collections.abc import Sequence

from backburner.kernel.episode import Episode
from backburner.kernel.proven import REACHED, REGRET, ProvenScoring
from backburner.kernel.scoring import COMPLETED, Measures, Metric, mean_of
from backburner.worlds.projects.game import catalogue

DONE = Metric(
    *("done", "activities completed", "%", "higher", mean_of("score"), "100 · done / all"),
    lowest=0,
    highest=100,
)

TIME = Metric("time", "time of a completed project", "", "lower", mean_of("time"), "mean(T)", lowest=0)


class ProjectsScoring(ProvenScoring):
    """See ``kernel.proven``: with the time of what was completed, and the share of what was not."""

    metrics: Sequence[Metric] = (COMPLETED, REACHED, REGRET, DONE, TIME)

    def group(self, episode: Episode) -> str:
        """Scenarios whose times are in one unit belong together."""
        return f"in {catalogue.of(episode.header).time_unit}"

    def measure(self, episode: Episode) -> Measures:
        """Those of ``ProvenScoring``, and the ``time``."""
        found = dict(super().measure(episode))
        unit = catalogue.of(episode.header).time_unit
        return {**found, "time": found[unit]} if found.get("completed") else found


scoring = ProjectsScoring()

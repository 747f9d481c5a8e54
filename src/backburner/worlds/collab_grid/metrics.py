"""What is measured on the grid: orders delivered, whether all were, in how many steps beside the least."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from backburner.kernel.episode import Episode
from backburner.kernel.scoring import Measures, Metric, Scoring, mean, mean_of, success
from backburner.worlds.collab_grid.game.catalogue import catalogue, optimum_of


def optimality(rows: Sequence[Measures]) -> float | None:
    """The mean of steps taken over least steps, over successes whose least steps are proven."""
    return mean(row["steps"] / row["optimum"] for row in rows if "optimum" in row and "steps" in row)


TIME = "mean of T over successes"
TIME_RATIO = "mean of T / T* over successes; T*: proven least steps by moves"

of_steps = partial(Metric, better="lower")
counted = partial(Metric, formula="mean count", lowest=0)

METRICS = (
    Metric("SR", "success rate", "%", "higher", success, "100 · S / N", share=True),
    of_steps("Steps", "steps of successes", "steps", over=mean_of("steps"), formula=TIME, lowest=0),
    of_steps("T/T*", "steps over least steps", "", over=optimality, formula=TIME_RATIO, lowest=1),
    counted("Delivered", "orders delivered", "orders", "higher", over=mean_of("delivered")),
    counted("Refused", "actions refused", "actions", "lower", over=mean_of("refused")),
)


class CollabGridScoring(Scoring):
    """See ``kernel.scoring.Scoring`` for what each part promises."""

    metrics: Sequence[Metric] = METRICS
    main: Sequence[str] = ("SR", "Steps", "T/T*")

    def group(self, episode: Episode) -> str:
        """The level of a published order."""
        level = episode.header.scenario.get("level")
        return "other orders" if level is None else f"level {level}"

    def measure(self, episode: Episode) -> Measures:
        """Orders, steps where all were delivered, refusals; the least steps, where they are proven."""
        header = episode.header
        world = catalogue.of(header)
        numbers = (
            episode.ending.numbers if episode.ending else world.outcome(world.start(header.seed)).numbers
        )
        measures = {
            "success": float(numbers["completed"]),
            "delivered": float(numbers["delivered"]),
            "refused": float(sum(len(entry.refusals) for entry in episode.entries)),
        }
        if numbers["completed"]:
            measures["steps"] = float(numbers["steps"])
        known = optimum_of(world.id, world.rules.name)
        if known is not None and known.status == "optimal":
            measures["optimum"] = float(known.steps)
        return measures


scoring = CollabGridScoring()

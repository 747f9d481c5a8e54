"""What Inspect finds when it looks for ``backburner/...``: the entry point of the package."""

from backburner.inspect.scoring import article, failed, figure, high_95, low_95, standard_error
from backburner.inspect.tasks import TASKS, play

__all__ = ["TASKS", "article", "failed", "figure", "high_95", "low_95", "play", "standard_error"]

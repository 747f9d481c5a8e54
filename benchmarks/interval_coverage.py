"""How often 95 % intervals hold the truth, and how wide they are: the tables of docs/statistics.md.

``python benchmarks/interval_coverage.py [SAMPLES]``, a few minutes with 2000. Standard errors are at most 0.5
points then.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.evaluation.samples import SHAPES, covered, intervals

SCENARIOS = (3, 5, 10, 30)


def main(samples: int) -> None:
    """Print a row for each distribution and number of seeds: coverage (median width) by scenarios."""
    print("| figures | seeds |" + "".join(f" {n} scenarios |" for n in SCENARIOS))
    print("|---|---|" + "---|" * len(SCENARIOS))
    for shape in SHAPES:
        for seeds in shape.seeds:
            cells = [intervals(shape, scenarios, seeds, samples) for scenarios in SCENARIOS]
            shown = [
                f"{covered(shape, found):.0f} % ({statistics.median(high - low for low, high in found):.3g})"
                for found in cells
            ]
            print(f"| {shape.name} | {seeds} | {' | '.join(shown)} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)

"""The recipe of the headline's suites that are built: bands of gap, parts of lengths, half in nonsense."""

from __future__ import annotations

from backburner.generation.measure import GAP
from backburner.generation.names import NONSENSE
from backburner.generation.steer import Cell, Range
from backburner.kernel.generating import Generator

BUILT = "built-1"

BANDS = {
    "min": (Range(0.02, 0.08), Range(0.12, 0.2), Range(0.3, None)),
    "max": (Range(0, 0), Range(0.1, 0.25), Range(0.3, None)),
}
"""Of the yardstick's gap, by the sense of a world; in worlds of orders a gap is a fraction of few orders."""

SPARE_ATTENTION = Range(None, 0.9)
"""In the upper two bands: never to be idle is not all that there is to do."""


def headline_cells(generator: Generator) -> list[Cell]:
    """Each band with each part of the lengths that the world gives, in a plausible theme and in nonsense."""
    gap = f"{GAP}:{generator.yardstick}"
    return [
        Cell(
            {
                gap: band,
                **({"attention": SPARE_ATTENTION} if number and generator.sense == "min" else {}),
                "length": Range(low, high),
            },
            theme,
        )
        for number, band in enumerate(BANDS[generator.sense])
        for low, high in generator.lengths
        for theme in ("", NONSENSE)
    ]

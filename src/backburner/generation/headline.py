"""The recipe of the headline's suites that are built: bands of gap, parts of lengths, half in nonsense."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

from backburner.evaluation.running.pool import Run
from backburner.generation.measure import GAP, played
from backburner.generation.names import NONSENSE
from backburner.generation.steer import Cell, Range
from backburner.kernel import packs, registry
from backburner.kernel.answers import Answered, answers_at
from backburner.kernel.built import BANDS, EDITIONS, Band, BuiltFile, BuiltScenario, Edition
from backburner.kernel.errors import Refused
from backburner.kernel.files import read_json
from backburner.kernel.generating import Generator, attained, generator_of
from backburner.kernel.values import digest

GAPS = {
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
                gap: asked,
                **({"attention": SPARE_ATTENTION} if band != "low" and generator.sense == "min" else {}),
                "length": Range(low, high),
            },
            theme,
            band,
        )
        for band, asked in zip(BANDS, GAPS[generator.sense], strict=True)
        if band in generator.bands
        for low, high in generator.lengths
        for theme in ("", NONSENSE)
    ]


# --- as a file that ships ----------------------------------------------------------------------------------

SEEDS = (100, 131)
"""The first and the last seed of the reference: others than those by which scenarios were chosen, as what is
chosen by a few plays regresses."""

MEET = 0.95
"""A band in which busy play attains more than this on the mean leaves too little to be won."""


def packed(
    world: str,
    source: str,
    folder: Path,
    bands: Mapping[str, Band],
    run: Run,
    edition: Edition = EDITIONS[0],
) -> BuiltFile:
    """The scenarios of a build of this recipe, as they ship in an edition; ``bands``: of those that are kept,
    by their names, in the order of the cells. Raises ``Refused`` where a band leaves nothing to be won.
    """
    offered, answers = registry.catalogue(world), answers_at(folder)
    pieces = []
    for name, band in bands.items():
        raw = read_json(folder / f"{name}.json")
        pieces.append((world, name, band, raw, answers[digest(offered.read(raw, name)[1])]))
    made = {one.name: one for one in run(partial(_reference, edition), pieces)}
    found = BuiltFile(source, packs.pack(world).version, SEEDS, tuple(made[name] for name in bands), edition)
    busy = {band: fmean(one.busy for one in own) for band, own in found.bands.items()}
    if near := [f"{mean:.3f} in the band {band}" for band, mean in busy.items() if mean > MEET]:
        why = "nothing is to be won there; its generator may have fewer bands, or other lengths"
        raise Refused(f"{world}: busy play attains {', '.join(near)}: {why}")
    return found


def _reference(edition: str, piece: tuple[str, str, Band, Any, Answered]) -> BuiltScenario:
    """One scenario with what busy and random play attain of it."""
    world_name, name, band, raw, answer = piece
    offered = registry.catalogue(world_name)
    scenario = offered.read(raw, name)[1]
    world = offered.build(f"{world_name}/{edition}/{name}", scenario, "standard", "article")
    generator = generator_of(world_name)
    first, last = SEEDS

    def mean(script: str) -> float:
        results = [played(world, generator, script, seed) for seed in range(first, last + 1)]
        return round(fmean(attained(result, answer.best, generator.sense) for result in results), 6)

    fields = {key: value for key, value in raw.items() if key not in ("world", "id")}
    return BuiltScenario(name, band, fields, answer, mean("busy"), mean("random"))

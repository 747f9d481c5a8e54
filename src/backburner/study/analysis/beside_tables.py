"""People beside models as tables, charts and a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

import msgspec

from backburner.evaluation.tables.figures import write_figures
from backburner.evaluation.tables.sections import interval_text, p_text
from backburner.kernel.charts import Bars, Figure, Group
from backburner.kernel.files import write_whole
from backburner.kernel.scoring import Estimate, Section
from backburner.study.analysis.beside import People, WorldBeside
from backburner.study.analysis.page import Part, page_of, shown

NAME = 24
"""Characters of a name in a line, so that tables stand in a terminal of 80 columns."""

PAGE, DATA = "people-and-models.html", "people-and-models.json"

FIGURES = (
    "Over the scenarios that people and models have both played alike. 95 % intervals: over people, and "
    "for models over scenarios, or over seeds where there is one scenario."
)
DIFFERENCES = (
    "Each person's values less the model's mean on the same scenario, averaged by person: people less "
    "model, with its 95 % interval, which knows how people differ and how the model's seeds do. p: "
    "Welch's t, corrected for all pairs by Holm's method."
)
NO_LUCK = " With one seed of a scenario, marked *, the model's own luck is not in the interval."


def sections_of(found: People) -> list[Section]:
    """Two tables for each world: the players' figures, and the differences."""
    return [
        section
        for world in found.worlds
        for section in (_figures(world), _differences(world))
        if section.rows
    ]


def _figures(world: WorldBeside) -> Section:
    rows: list[tuple[Any, ...]] = []
    for player in world.players:
        figures = (_broken(player.figures[key]) for key, _, _ in world.metrics)
        who = "people" if player.people else "model"
        rows.append(
            (
                player.name,
                who,
                player.units,
                player.scenarios,
                player.episodes,
                *figures,
            )
        )
    titles = (f"{key} ({unit})" if unit else key for key, _, unit in world.metrics)
    columns = ("player", "", "units", "scenarios", "episodes", *titles)
    return Section(f"{world.world}: people and models", FIGURES, columns, tuple(rows))


def _broken(estimate: Estimate) -> str:
    return interval_text(estimate).replace(" [", "\n[")


def _differences(world: WorldBeside) -> Section:
    rows = tuple(
        (
            each.metric,
            "\n".join((*wrap(f"{each.people} –", NAME), *wrap(each.model, NAME))),
            _broken_signed(each.difference) + ("" if each.luck else " *"),
            p_text(each.corrected),
            each.units,
            each.scenarios,
        )
        for each in world.differences
    )
    text = DIFFERENCES + (NO_LUCK if any(not each.luck for each in world.differences) else "")
    columns = ("metric", "who", "difference", "p", "units", "scenarios")
    return Section(f"{world.world}: differences", text, columns, rows)


def _broken_signed(estimate: Estimate) -> str:
    return interval_text(estimate, signed=True).replace(" [", "\n[")


def figures_of(found: People) -> list[tuple[str, Figure]]:
    """For each world a figure with a chart for each metric, people first."""
    figures = []
    for world in found.worlds:
        charts = tuple(_chart(world, *metric) for metric in world.metrics)
        caption = "People by condition and models, over the scenarios that both have played alike."
        figures.append((world.world, Figure("people-and-models", world.world, caption, charts)))
    return figures


def _chart(world: WorldBeside, key: str, title: str, unit: str) -> Bars:
    groups = [
        Group(
            name,
            tuple(
                player.figures[key].bar(player.name) for player in world.players if player.people is people
            ),
        )
        for name, people in (("people", True), ("models", False))
    ]
    return Bars(f"{key}, {title}", unit or key, tuple(groups))


def write_comparison(found: People, folder: Path) -> list[Path]:
    """Write page, JSON and pictures into a folder, each whole or not at all; their paths."""
    page, data = folder / PAGE, folder / DATA
    write_whole(data, msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
    write_whole(page, html(found).encode())
    return [page, data, *write_figures(figures_of(found), folder / "figures")]


def html(found: People) -> str:
    """The comparison as a page; it loads nothing and needs no network."""
    parts: Sequence[Part] = [
        Part(f"w{place}", world.world, "", figure, shown([_figures(world), _differences(world)]))
        for place, (world, (_, figure)) in enumerate(zip(found.worlds, figures_of(found), strict=True), 1)
    ]
    heading = "The same scenarios, rules and metrics for both."
    return page_of("People and models", heading, found.remarks, [], parts)

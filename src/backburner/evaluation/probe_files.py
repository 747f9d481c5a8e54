"""Probes kept in files beside records, and what reports show of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from backburner.evaluation.probing import Probe
from backburner.evaluation.scoring.scores import WorldScores
from backburner.kernel.charts import Bar, Bars, Figure, Group
from backburner.kernel.errors import BadFile
from backburner.kernel.files import read_json, write_whole
from backburner.kernel.scoring import Section, grouped

PROBE = ".probe.json"
LONGEST_NAME = 150

TEXT = (
    "Recorded decisions that were asked for again and again: the share of answers whose score is above 0, "
    "with Clopper and Pearson's exact 95 % interval, the mean score, and what was wrong, as they were judged "
    "when they were asked for."
)
COLUMNS = ("scenario", "step", "seat", "agent", "answers", "criterion", "above 0, %", "95 %", "mean", "wrong")


def write_probe(probe: Probe, folder: Path) -> Path:
    """Write a probe to ``<folder>/<scenario>-step-<n>-<agent>.probe.json``; one of the same name goes."""
    words = f"{probe.id}-step-{probe.at}-{probe.seat}-{probe.agent}"
    name = re.sub(r"[^A-Za-z0-9_.+=,]+", "-", words).strip("-")[:LONGEST_NAME]
    path = folder / f"{name}{PROBE}"
    write_whole(path, msgspec.json.format(msgspec.json.encode(probe), indent=1) + b"\n")
    return path


def probes_in(folder: Path) -> tuple[list[Probe], list[str]]:
    """The probes under a folder, and a line about each file that holds none."""
    probes: list[Probe] = []
    unusable: list[str] = []
    for path in sorted(folder.rglob(f"*{PROBE}")) if folder.is_dir() else []:
        try:
            probes.append(read_json(path, Probe, "a probe"))
        except BadFile as error:
            unusable.append(f"left out: {error}")
    return probes, unusable


def with_probes(scored: Sequence[WorldScores], folder: Path) -> list[WorldScores]:
    """The scores with a table and a figure of the probes of each world that lie in the folder."""
    probes, unusable = probes_in(folder)
    of_world = grouped(probes, lambda probe: probe.id.partition("/")[0])
    told = [_told(world, of_world.get(world.world, [])) for world in scored]
    return [replace(told[0], left_out=(*told[0].left_out, *unusable)), *told[1:]] if told else told


def _told(world: WorldScores, probes: Sequence[Probe]) -> WorldScores:
    if not probes:
        return world
    section, figure = probes_section(probes), probes_figure(probes)
    return replace(world, sections=(*world.sections, section), figures=(*world.figures, figure))


def probes_section(probes: Sequence[Probe]) -> Section:
    """A row for each criterion of each probe."""
    rows = [
        (
            probe.id.partition("/")[2],
            probe.at,
            probe.seat,
            probe.agent,
            len(probe.answers) - probe.failed,
            verdict.criterion,
            round(verdict.success, 1),
            f"[{verdict.low:.0f}, {verdict.high:.0f}]",
            round(verdict.mean, 3),
            ", ".join(f"{note} {number}" for note, number in verdict.notes.items()) or "–",
        )
        for probe in probes
        for verdict in probe.verdicts
    ]
    return Section("Probed decisions", TEXT, COLUMNS, tuple(rows))


def probes_figure(probes: Sequence[Probe]) -> Figure:
    """A chart for each criterion: a group for each decision, a bar for each agent."""
    criteria = dict.fromkeys(verdict.criterion for probe in probes for verdict in probe.verdicts)
    decisions = grouped(probes, lambda probe: f"{probe.id.partition('/')[2]}, step {probe.at}, {probe.seat}")
    charts = []
    for criterion in criteria:
        groups = []
        for name, mine in decisions.items():
            bars = (
                Bar(probe.agent, verdict.success, verdict.low, verdict.high)
                for probe in mine
                for verdict in probe.verdicts
                if verdict.criterion == criterion
            )
            groups.append(Group(name, tuple(bars)))
        charts.append(Bars(criterion, "% of answers", tuple(groups), 100.0))
    return Figure("probes", "Probed decisions", TEXT, tuple(charts))

"""What ``reproduce`` shows of articles where nothing is played: tables and figures of the data sets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from backburner.cli.common import out, print_json, remark
from backburner.evaluation.tables.figures import graphs_section, write_figures, write_graphs
from backburner.evaluation.tables.sections import plain_table, section_table
from backburner.kernel import packs, registry
from backburner.kernel.charts import Figure
from backburner.kernel.reproduction import Reproduction
from backburner.kernel.scoring import Section


def tell_data(world: str, made: Reproduction, folder: Path, dry_run: bool, json: bool) -> None:
    """The tables are printed, the pictures written into the folder; with ``dry_run`` nothing is."""
    if dry_run:
        remark(f"{world}/{made.name}: {made.shows}; nothing is played, no model is asked")
        return
    columns, rows = _statistics(made)
    sections, figures = _of_data(world, made)
    drawn = write_figures(((world, figure) for figure in figures), folder / "figures") if figures else []
    if made.graphs:
        sections = [*sections, graphs_section(made.graphs)]
        drawn += write_graphs(made.graphs, folder / "graphs")
    if json:
        table = [dict(zip(columns, row, strict=True)) for row in rows]
        print_json(
            {"id": f"{world}/{made.name}", "statistics": table, "sections": sections, "figures": drawn}
        )
        return
    if rows:
        out.print(plain_table(columns, rows, out.width, f"{world}: {made.shows}"))
    for section in sections:
        out.print(section_table(section, out.width))
    for path in drawn:
        out.print(f"figure: {path}", markup=False, highlight=False, soft_wrap=True)
    if made.differs:
        remark(f"not as in the article: {made.differs}")


def _statistics(made: Reproduction) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    if not made.statistics:
        return (), ()
    return registry.scoring(registry.split(made.statistics)[0]).statistics(registry.expand(made.statistics))


def _of_data(world: str, made: Reproduction) -> tuple[Sequence[Section], Sequence[Figure]]:
    if not made.data:
        return (), ()
    found: tuple[Sequence[Section], Sequence[Figure]] = packs.part(world, made.data)()
    return found

"""What scenarios and suites ask of a player, as tables: by ``measure``, ``list`` and ``show``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.text import Text

from backburner.cli.console import advancing, out, print_json, progress_bar, remark
from backburner.evaluation.tables.terminal import plain_table
from backburner.generation.survey import Published, Surveyed, surveyed
from backburner.kernel.generating import generator_of


def tell_dials(
    ids: Sequence[str], *, choice: bool = False, json: bool = False, suites: Mapping[str, Published] = {}
) -> bool:
    """Print the dials of scenarios, behind what published suites of worlds ask; whether all are proven."""
    rows = []
    with progress_bar() as bar:
        told = advancing(bar, "scenarios")
        for id in ids:
            rows.append(surveyed(id, choice=choice))
            told(len(ids))
    if json:
        asks = list(suites.values())
        print_json(asks[0] if len(asks) == 1 and not rows else [*asks, *rows])
    else:
        for world, found in suites.items():
            out.print(suites_table(world, found, out.width))
        if rows:
            out.print(dials_table(rows, out.width))
        remark(*(f"{row.id}: {row.note}" for row in rows if row.note and (row.status or len(rows) > 1)))
    return all(row.best is not None for row in rows)


FIRST_DIALS = ("length", "width", "attention", "chain", "contention", "slack", "pressure")


def dials_table(rows: Sequence[Surveyed], width: int) -> Text:
    """The dials of scenarios, a row for each; the gaps of scripts in per cent."""
    there = dict.fromkeys(dial for row in rows for dial in row.dials)
    dials = [*(dial for dial in FIRST_DIALS if dial in there), *(d for d in there if d not in FIRST_DIALS)]
    if len(rows) == 1:
        (row,) = rows
        cells: list[tuple[object, ...]] = [(dial, row.dials[dial]) for dial in dials]
        cells += [("best", row.best), ("status", row.status or row.note)]
        return plain_table((row.id, "value"), cells, width)
    shown = [dial for dial in dials if dial in FIRST_DIALS or dial.startswith("gap:")]
    columns = ("scenario", "best", *shown, "saturated")
    return plain_table(
        columns,
        [(row.id, row.best, *map(row.dials.get, shown), _yes(row.saturated)) for row in rows],
        width,
    )


def _yes(value: bool | None) -> str:
    return "" if value is None else "yes" if value else "no"


def suites_table(world: str, asks: Published, width: int) -> Text:
    """What the published suites of a world ask: medians over what is proven."""
    there = dict.fromkeys(dial for suite in asks.suites for dial in suite.dials)
    gaps = ("gap:busy", "gap:greedy", f"gap:{generator_of(world).yardstick}")
    shown = [dial for dial in there if dial in FIRST_DIALS or dial in gaps]
    columns = ("suite", "proven", "saturated", "at load", *shown)
    rows = [
        (
            f"{world}/{suite.suite}",
            f"{suite.proven} of {suite.scenarios}",
            suite.saturated,
            suite.at_load,
            *map(suite.dials.get, shown),
        )
        for suite in asks.suites
    ]
    return plain_table(columns, rows, width)

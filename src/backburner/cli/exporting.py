"""``export``: what was played as files for other programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from backburner.cli.common import JsonOption, KeyOption, print_json, remark
from backburner.cli.records import opened
from backburner.cli.reporting import (
    FailedOption,
    OwnOption,
    PricesOption,
    ToGoOption,
    WithoutOption,
    read_and_scored,
)
from backburner.evaluation import scores
from backburner.evaluation.alike import Counting
from backburner.evaluation.export.latex import write_latex
from backburner.evaluation.export.rows import Export, export_of
from backburner.evaluation.export.tables import write_csv, write_parquet
from backburner.evaluation.figures import figures_of, write_figures
from backburner.evaluation.usage import read_prices
from backburner.kernel.errors import BadFile, MissingExtra, Refused, UnknownName
from backburner.kernel.files import check_destination


def _latex(export: Export, folder: Path, every_metric: bool) -> list[Path]:
    return write_latex(export.worlds, folder, every_metric=every_metric)


def _pictures(kind: str) -> Callable[[Export, Path, bool], list[Path]]:
    def write(export: Export, folder: Path, every_metric: bool) -> list[Path]:
        return write_figures(figures_of(export.worlds), folder, kind)

    return write


FORMATS: Mapping[str, Callable[[Export, Path, bool], list[Path]]] = {
    "csv": lambda export, folder, every_metric: write_csv(export, folder),
    "parquet": lambda export, folder, every_metric: write_parquet(export, folder),
    "latex": _latex,
    "svg": _pictures("svg"),
    "pdf": _pictures("pdf"),
}
"""Each format with what writes it into a folder."""


NEEDS: Mapping[str, tuple[str, str]] = {
    "parquet": ("pyarrow", "data"),
    "latex": ("pylatexenc", "data"),
    "pdf": ("typst", "pdf"),
}
"""The library that a format needs, and the extra that it belongs to."""


def check_formats(names: Iterable[str]) -> None:
    """Raise ``UnknownName`` or ``MissingExtra`` for the first that cannot be written, before anything is."""
    for name in names:
        if name not in FORMATS:
            raise UnknownName("format", name, FORMATS)
        if name in NEEDS:
            library, extra = NEEDS[name]
            try:
                import_module(library)
            except ImportError as error:
                raise MissingExtra(extra, f"--format {name}") from error


def export(
    source: Annotated[Path, typer.Argument(help="A folder of records, a record, or an Inspect log.")],
    formats: Annotated[
        list[str],
        typer.Option("--format", help=f"What to write: {', '.join(FORMATS)}; repeatable."),
    ],
    to: Annotated[Path, typer.Option("--out", help="Folder for the files.")],
    every_metric: Annotated[
        bool, typer.Option("--all", help="In LaTeX every metric, not only the main ones.")
    ] = False,
    to_go: ToGoOption = None,
    prices: PricesOption = None,
    key: KeyOption = None,
    count_failed: FailedOption = False,
    own: OwnOption = False,
    without: WithoutOption = None,
    json: JsonOption = False,
) -> None:
    """What was played as files: tables (csv, parquet), an article's tables (latex), figures (svg, pdf)."""
    check_formats(formats)
    if to.exists() and not to.is_dir():
        raise BadFile(to, "", "is a file; name a folder")
    check_destination(to / "any")
    if source.resolve() == to.resolve():
        raise Refused(f"{to} holds the records; name another folder for the files")
    paid = None if prices is None else read_prices(prices)
    source = opened(source)
    loaded, scored = read_and_scored(source, key, to_go, Counting(count_failed, own, tuple(without or ())))
    loaded = scores.used(loaded, scored)
    for line in loaded.unusable:
        remark(line)
    whole = export_of(loaded, scored, source, paid)
    written = [path for name in dict.fromkeys(formats) for path in FORMATS[name](whole, to, every_metric)]
    if json:
        print_json({"files": written})
        return
    remark(f"{len(written)} files: {to}")

"""``export``: what was played as files for other programs; suites as data to train with."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, ClassVar

import typer
from msgspec import Struct

from backburner.cli import completion
from backburner.cli.agents import let_own_agents_be_found
from backburner.cli.console import out, print_json, progress_bar, remark
from backburner.cli.options import JsonOption, LimitsOption, RulesOption, differing, flag_of
from backburner.cli.records import Counted, opened, read_and_scored
from backburner.evaluation.scoring import scores
from backburner.evaluation.tables.export import Export, export_of, write_export
from backburner.evaluation.tables.figures import figures_of, write_figures
from backburner.evaluation.tables.latex import write_latex
from backburner.kernel import packs
from backburner.kernel.errors import BadFile, MissingExtra, Refused, UnknownName
from backburner.kernel.files import check_destination
from backburner.kernel.registry import is_folder, split
from backburner.training.export.dataset import MARK, export_data, summary
from backburner.training.export.demonstrations import Settings, names_in, once


def _latex(export: Export, folder: Path, every_metric: bool) -> list[Path]:
    return write_latex(export.worlds, folder, every_metric=every_metric)


def _pictures(kind: str) -> Callable[[Export, Path, bool], list[Path]]:
    def write(export: Export, folder: Path, every_metric: bool) -> list[Path]:
        return write_figures(figures_of(export.worlds), folder, kind)

    return write


FORMATS: Mapping[str, Callable[[Export, Path, bool], list[Path]]] = {
    "csv": lambda export, folder, every_metric: write_export(export, folder, "csv"),
    "parquet": lambda export, folder, every_metric: write_export(export, folder, "parquet"),
    "latex": _latex,
    "svg": _pictures("svg"),
    "pdf": _pictures("pdf"),
}
"""Each format of records with what writes it into a folder."""

DATA = ("messages", "trajectories")
"""The formats of data to train with, which are made of suites; see ``training.export``."""


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
            raise UnknownName("format", name, (*FORMATS, *DATA))
        if name in NEEDS:
            library, extra = NEEDS[name]
            try:
                import_module(library)
            except ImportError as error:
                raise MissingExtra(extra, f"--format {name}") from error


class OfRecords(Counted, frozen=True):
    """What is said of an export of records; each field is an option."""

    PANEL: ClassVar[str] = "Of records"

    every_metric: Annotated[
        bool, typer.Option("--all", help="In LaTeX every metric, not only the main ones.")
    ] = False


class OfSuites(Struct, frozen=True):
    """What is said of an export of suites; each field is an option."""

    PANEL: ClassVar[str] = "Of suites: data to train with"

    agents: Annotated[str, typer.Option("--agents", help="Who plays: oracle (proven plans), greedy ...")] = (
        "oracle"
    )
    methods: Annotated[
        str, typer.Option("--method", help="Whose conversations messages are: act, react@calls=together, ...")
    ] = "act"
    no_thoughts: Annotated[bool, typer.Option("--no-thoughts", help="Answers without thoughts.")] = False
    seeds: Annotated[
        int, typer.Option("--seeds", help="Episodes of each scenario and agent.", min=1, max=1_000_000)
    ] = 1
    rules: RulesOption = "standard"
    limits: LimitsOption = "article"
    plan_seconds: Annotated[
        float | None,
        typer.Option(
            "--plan-seconds",
            help="Seconds for one plan of the oracle; if not named 60, or 5 where it does not play.",
            min=0.1,
        ),
    ] = None
    keep: Annotated[
        Path | None, typer.Option("--keep", help="A file of the oracle's plans, as solve --keep has it.")
    ] = None
    unproven: Annotated[
        bool, typer.Option("--unproven", help="Plans of the oracle that are not proven best as well.")
    ] = False
    effort: Annotated[
        float, typer.Option("--effort", help="Of the search for what a state is worth; 0: none.", min=0)
    ] = 1.0
    validation: Annotated[
        float, typer.Option("--validation", help="Share of the scenarios to validate with.", min=0, max=1)
    ] = 0.1
    test: Annotated[
        float, typer.Option("--test", help="Share of the scenarios to test with.", min=0, max=1)
    ] = 0.1
    hold_out: Annotated[
        str, typer.Option("--hold-out", help="Parts that the test alone has: 'task lab1,task lab2'.")
    ] = ""
    workers: Annotated[int | None, typer.Option("--workers", help="Processes.", min=1)] = None


ANY_RECORDS, ANY_SUITES = OfRecords(), OfSuites()
"""Where nothing is said."""


def export(
    places: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE... [OUT]",
            help="Records (a folder, a record, an Inspect log), or scenarios and suites; and, without --out, "
            "the folder for the files.",
            autocompletion=completion.scenarios,
        ),
    ],
    formats: Annotated[
        list[str],
        typer.Option(
            "--format",
            help=f"Of records: {', '.join(FORMATS)}; repeatable. Of suites: {' or '.join(DATA)}.",
        ),
    ],
    to: Annotated[Path | None, typer.Option("--out", help="Folder for the files.")] = None,
    of_records: OfRecords = ANY_RECORDS,
    of_suites: OfSuites = ANY_SUITES,
    json: JsonOption = False,
) -> None:
    """Records as tables (csv, parquet, latex) and figures (svg, pdf); suites as data to train with.

    Of scenarios and suites come Parquet files with a data card, which datasets.load_dataset reads: messages
    are demonstrations as the conversations that a prompting method has with a model, trajectories all states
    with what could be decided there and what that is worth. Stopped, the same command goes on.
    """
    sources, folder = _parted(places, to)
    if wanted := [name for name in dict.fromkeys(formats) if name in DATA]:
        if len(dict.fromkeys(formats)) > 1:
            raise Refused(f"--format {wanted[0]} is written alone, into a folder of its own")
        _refuse(of_records, ANY_RECORDS, f"is for records, and --format {wanted[0]} for suites")
        _export_suites(wanted[0], sources, folder, of_suites, json)
        return
    check_formats(formats)
    _refuse(of_suites, ANY_SUITES, f"is for suites (--format {' or '.join(DATA)})")
    if len(sources) > 1:
        raise Refused(f"records of one folder are exported, not of {len(sources)}: {', '.join(sources)}")
    if not Path(sources[0]).exists() and split(sources[0])[0] in packs.names():
        raise Refused(f"{sources[0]} is played, and no records; of it comes --format {' or '.join(DATA)}")
    _export_records(Path(sources[0]), dict.fromkeys(formats), folder, of_records, json)


def _parted(places: Sequence[str], to: Path | None) -> tuple[list[str], Path]:
    """(what is exported, where to); raises ``Refused`` if only one of them is named."""
    if to is not None:
        return list(places), to
    if len(places) < 2:
        raise Refused(f"where to? Name a folder: backburner export {places[0]} --format ... FOLDER")
    return list(places[:-1]), Path(places[-1])


def _refuse(said: Struct, usual: Struct, why: str) -> None:
    if names := differing(said, usual):
        raise Refused(f"{flag_of(type(said), names[0])} {why}")


def _export_records(source: Path, formats: Iterable[str], to: Path, said: OfRecords, json: bool) -> None:
    if to.exists() and not to.is_dir():
        raise BadFile(to, "", "is a file; name a folder")
    check_destination(to / "any")
    if source.resolve() == to.resolve():
        raise Refused(f"{to} holds the records; name another folder for the files")
    paid = said.paid
    source = opened(source)
    loaded, scored = read_and_scored(source, said)
    loaded = scores.used(loaded, scored)
    for line in loaded.unusable:
        remark(line)
    whole = export_of(loaded, scored, source, paid)
    written = [path for name in formats for path in FORMATS[name](whole, to, said.every_metric)]
    if json:
        print_json({"files": written})
        return
    remark(f"{len(written)} files: {to}")


def _export_suites(format: Any, suites: Sequence[str], to: Path, said: OfSuites, json: bool) -> None:
    for name in suites:
        if is_folder(name) and not any(Path(name).glob("*.json")) and any(Path(name).rglob("*.jsonl")):
            raise Refused(f"{name} holds records; --format {format} is for scenarios and suites")
    let_own_agents_be_found()
    settings = Settings(
        format=format,
        suites=tuple(suites),
        agents=once(names_in(said.agents)),
        methods=once(names_in(said.methods)),
        thoughts=not said.no_thoughts,
        seeds=said.seeds,
        rules=said.rules,
        limits=said.limits,
        plan_seconds=said.plan_seconds,
        unproven=said.unproven,
        effort=said.effort,
        validation=said.validation,
        test=said.test,
        hold_out=once(names_in(said.hold_out)) if said.hold_out else (),
    )
    workers = said.workers or os.cpu_count() or 1
    with progress_bar() as bar:
        task = bar.add_task("scenarios", total=None)
        try:
            made = export_data(
                settings,
                to,
                workers=workers,
                keep=said.keep,
                begin=lambda number: bar.update(task, total=number),
                advance=lambda: bar.advance(task),
            )
        except KeyboardInterrupt:
            remark("stopped; the same command goes on from here")
            raise
    if json:
        print_json(summary(made))
        return
    for file in made.files:
        out.print(f"{file.rows:>8}  {file.path}", highlight=False, markup=False)
    for line in made.left_out[:MOST_TOLD]:
        remark(f"left out: {line.what}: {line.why}")
    if len(made.left_out) > MOST_TOLD:
        remark(f"... and {len(made.left_out) - MOST_TOLD} more: {to / MARK}")
    remark(f"how it was made, splits and columns: {to / 'README.md'}")


MOST_TOLD = 10
"""Things that were left out that are told at the end."""

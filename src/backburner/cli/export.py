"""``export``: what was played as files for other programs; suites as data to train with, or as problems in
the formats of other programs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec import Struct

from backburner.cli import completion
from backburner.cli.agents import let_own_agents_be_found
from backburner.cli.console import out, print_json, progress_bar, remark
from backburner.cli.grammar import Key, about, keys_of, named, read
from backburner.cli.options import JsonOption
from backburner.cli.records import (
    EVERYTHING,
    Counted,
    converted_log,
    opened,
    read_and_scored,
)
from backburner.evaluation.scoring import scores
from backburner.evaluation.tables.export import Export, export_of, write_export
from backburner.evaluation.tables.figures import figures_of, write_figures
from backburner.evaluation.tables.latex import write_latex
from backburner.formats.files import FORMATS as PROBLEMS
from backburner.formats.suites import MANIFEST, Row, export_scenario, export_suites
from backburner.kernel import packs, registry
from backburner.kernel.errors import BadFile, Refused, UnknownName, amount, needs_extra
from backburner.kernel.files import check_destination
from backburner.kernel.registry import is_folder, split
from backburner.training.export.dataset import MARK, export_data, summary
from backburner.training.export.demonstrations import Settings, names_in, once


class Nothing(Struct, frozen=True):
    """Of a format of which there is nothing to be said."""


class OfLatex(Struct, frozen=True):
    """What is said of tables in LaTeX; each field is a key behind the format."""

    all: Annotated[bool, Key("yes: every metric, not only the main ones.")] = False


def _latex(export: Export, folder: Path, said: Any) -> list[Path]:
    return write_latex(export.worlds, folder, every_metric=said.all)


def _pictures(kind: str) -> Callable[[Export, Path, Any], list[Path]]:
    def write(export: Export, folder: Path, said: Any) -> list[Path]:
        return write_figures(figures_of(export.worlds), folder, kind)

    return write


FORMATS: Mapping[str, Callable[[Export, Path, Any], list[Path]]] = {
    "csv": lambda export, folder, said: write_export(export, folder, "csv"),
    "parquet": lambda export, folder, said: write_export(export, folder, "parquet"),
    "latex": _latex,
    "svg": _pictures("svg"),
    "pdf": _pictures("pdf"),
}
"""Each format of records with what writes it into a folder."""

DATA = ("messages", "trajectories")
"""The formats of data to train with, which are made of suites; see ``training.export``."""

RECORDS = "records"
"""The format of logs of Inspect: their episode records, as files that commands read."""


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
            raise UnknownName("format", name, (*FORMATS, *DATA, RECORDS, *PROBLEMS))
        if name in NEEDS:
            library, extra = NEEDS[name]
            with needs_extra(extra, f"--format {name}"):
                import_module(library)


class OfSuites(Struct, frozen=True):
    """What is said of data to train with; each field is a key behind the format."""

    agents: Annotated[str, Key("Who plays: oracle (proven plans), greedy ...; else oracle.", free=True)] = (
        "oracle"
    )
    methods: Annotated[
        str, Key("Whose conversations messages are: act, react@calls=together, ...; else act.", free=True)
    ] = "act"
    thoughts: Annotated[bool, Key("no: answers without thoughts.")] = True
    seeds: Annotated[int, Key("Episodes of each scenario and agent; else 1.", least=1, most=1_000_000)] = 1
    rules: Annotated[str, Key("Rule set; else standard.", free=True)] = "standard"
    limits: Annotated[str, Key("Limits: article or none.")] = "article"
    plan_seconds: Annotated[
        float | None,
        Key("Seconds for one plan of the oracle; else 60, or 5 where it does not play.", least=0.1),
    ] = None
    keep: Annotated[Path | None, Key("A file of the oracle's plans, as solve --keep has it.")] = None
    unproven: Annotated[bool, Key("yes: plans of the oracle that are not proven best as well.")] = False
    effort: Annotated[float, Key("Of the search for what a state is worth; else 1, 0: none.", least=0)] = 1.0
    validation: Annotated[
        float, Key("Share of the scenarios to validate with; else 0.1.", least=0, most=1)
    ] = 0.1
    test: Annotated[float, Key("Share of the scenarios to test with; else 0.1.", least=0, most=1)] = 0.1
    hold_out: Annotated[str, Key("Parts that the test alone has: task lab1,task lab2.", free=True)] = ""
    workers: Annotated[int | None, Key("Processes.", least=1)] = None


class OfProblems(Struct, frozen=True):
    """What is said of problems in a format; each field is a key behind it."""

    strict: Annotated[bool, Key("on: refuse what the format cannot say, in place of leaving it out.")] = False


def _of_problems() -> str:
    each = ", ".join(f"{name} ({format.about})" for name, format in PROBLEMS.items())
    return about(
        keys_of(OfProblems), f"Of scenarios that are scheduling problems or planning tasks: {each}, with"
    )


def _of_records() -> str:
    return f"Of records: {', '.join(FORMATS)} (latex@all=yes: every metric); repeatable. Of logs: {RECORDS}."


def _of_suites() -> str:
    return about(keys_of(OfSuites), f"Of suites: {' or '.join(DATA)}, with")


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
            metavar="NAME[@KEY=VALUE,...]",
            help=f"{_of_records()}\n\n{_of_suites()}\n\n{_of_problems()}",
        ),
    ],
    to: Annotated[Path | None, typer.Option("--out", help="Folder for the files.")] = None,
    count: Counted = EVERYTHING,
    json: JsonOption = False,
) -> None:
    """Records as tables and figures, suites as data to train with, or problems for other programs.

    Of scenarios and suites come Parquet files with a data card, which datasets.load_dataset reads: messages
    are demonstrations as the conversations that a prompting method has with a model, trajectories all states
    with what could be decided there and what that is worth. Stopped, the same command goes on.

    A scenario that is one scheduling problem or planning task becomes a file, a suite a folder with a
    manifest.json. What the
    format cannot say is told.
    """
    sources, folder = _parted(places, to)
    wanted = dict(map(named, dict.fromkeys(formats)))
    alone = [name for name in wanted if name in (*DATA, RECORDS, *PROBLEMS)]
    if alone and len(wanted) > 1:
        raise Refused(f"--format {alone[0]} is written alone, into a folder of its own")
    if alone and count != EVERYTHING:
        raise Refused(f"--count is for tables, not for --format {alone[0]}")
    if alone == [RECORDS]:
        _export_logs(sources, folder, json)
        return
    if alone and alone[0] in PROBLEMS:
        strict = read(OfProblems, wanted[alone[0]], f"--format {alone[0]}").strict
        _export_problems(alone[0], sources, folder, strict, json)
        return
    if alone:
        said = read(OfSuites, wanted[alone[0]], f"--format {alone[0]}")
        _export_suites(alone[0], sources, folder, said, json)
        return
    check_formats(wanted)
    how = {
        name: read(OfLatex if name == "latex" else Nothing, tail, f"--format {name}")
        for name, tail in wanted.items()
    }
    if len(sources) > 1:
        raise Refused(f"records of one folder are exported, not of {len(sources)}: {', '.join(sources)}")
    source, paid = Path(sources[0]), count.paid
    if not source.exists() and split(sources[0])[0] in packs.names():
        known = " or ".join((*DATA, *PROBLEMS))
        raise Refused(f"{sources[0]} is played, and no records; of it comes --format {known}")
    _check_apart(source, folder)
    loaded, scored = read_and_scored(source := opened(source), count)
    loaded = scores.used(loaded, scored)
    remark(*loaded.unusable)
    whole = export_of(loaded, scored, source, paid)
    written = [path for name, each in how.items() for path in FORMATS[name](whole, folder, each)]
    if json:
        print_json({"files": written})
        return
    remark(f"{len(written)} files: {folder}")


def _parted(places: Sequence[str], to: Path | None) -> tuple[list[str], Path]:
    """(what is exported, where to); raises ``Refused`` if only one of them is named."""
    if to is not None:
        return list(places), to
    if len(places) < 2:
        raise Refused(f"where to? Name a folder: backburner export {places[0]} --format ... FOLDER")
    return list(places[:-1]), Path(places[-1])


def _check_apart(source: Path, to: Path) -> None:
    if to.exists() and not to.is_dir():
        raise BadFile(to, "", "is a file; name a folder")
    check_destination(to / "any")
    if source.resolve() == to.resolve():
        raise Refused(f"{to} holds the records; name another folder for the files")


def _export_logs(logs: Sequence[str], to: Path, json: bool) -> None:
    converted = {log: converted_log(Path(log), to) for log in logs}
    if json:
        print_json(converted)
        return
    for log, result in converted.items():
        remark(
            f"{log}: {amount(len(result.written), 'records')} written, {len(result.kept)} there already: {to}"
        )
        for sample in result.unfinished:
            remark(f"  {sample} was not played to its end")
        for line in result.unusable:
            remark(f"  {line}")


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
        thoughts=said.thoughts,
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


def _export_problems(format: str, names: Sequence[str], to: Path, strict: bool, json: bool) -> None:
    ids = [id for name in names for id in registry.expand(name)]
    if len(ids) == 1 and not to.is_dir():
        row = export_scenario(ids[0], format, to, strict=strict)
        if json:
            print_json(row)
        _tell_lost([row])
        return
    with progress_bar() as bar:
        task = bar.add_task("scenarios", total=len(ids))
        made = export_suites(names, format, to, strict=strict, advance=lambda: bar.advance(task))
    if json:
        print_json(made)
    _tell_lost(made.files)
    for each in made.left_out[:MOST_TOLD]:
        remark(f"left out: {each.id}: {each.why}")
    remark(f"{amount(len(made.files), 'files')}, {len(made.left_out)} left out: {to / MANIFEST}")


def _tell_lost(rows: Sequence[Row]) -> None:
    lost = [f"{row.id}: lost: {line}" for row in rows for line in row.lost]
    remark(*lost[:MOST_TOLD], *([f"... and {len(lost) - MOST_TOLD} more"] if len(lost) > MOST_TOLD else []))


MOST_TOLD = 10
"""Things that were left out that are told at the end."""

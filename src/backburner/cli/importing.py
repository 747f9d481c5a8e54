"""``import``: a problem in a file of another program as a scenario that is played."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct

from backburner.cli.console import remark
from backburner.cli.grammar import Key, about, keys_of, named, read
from backburner.formats.files import READERS, imported
from backburner.kernel import registry
from backburner.kernel.files import write_whole


class OfFile(Struct, frozen=True):
    """What is said of a file; each field is a key behind its name."""

    format: Annotated[str, Key("What it is, where its ending does not say.", values=tuple(READERS))] = ""
    item: Annotated[str, Key("Which of several problems, by its id.")] = ""


def import_(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE[@KEY=VALUE,...]", help=about(keys_of(OfFile), "A problem, with")),
    ],
    to: Annotated[Path, typer.Option("--out", help="The scenario file to write.")],
) -> None:
    """A scenario out of a problem of another program: a job shop, a project of PSPLIB, a graph ...

    Every command takes the file. Nothing in the other program's file is executed.
    """
    name, tail = named(file)
    said = read(OfFile, tail, file)
    problem = imported(Path(name), format=said.format, item=said.item)
    write_whole(to, registry.scenario_file_of(problem, Path(name).stem))
    remark(f"{len(problem.activities)} activities: backburner play {to}")

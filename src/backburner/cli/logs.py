"""``convert``, and logs of Inspect wherever a command takes records."""

from __future__ import annotations

import atexit
import shutil
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Annotated

import typer

from backburner.cli.common import JsonOption, print_json, remark
from backburner.evaluation.jobs import records
from backburner.kernel.errors import MissingExtra, Refused

if TYPE_CHECKING:
    from backburner.inspect.convert import Converted

LOG = ".eval"


def convert(
    logs: Annotated[list[Path], typer.Argument(help="Logs of Inspect (*.eval).")],
    out_dir: Annotated[Path, typer.Option("--out", help="Folder for the records.")] = Path("runs"),
    json: JsonOption = False,
) -> None:
    """The episode records in logs of Inspect, as files that commands read."""
    found = {str(log): _converted(log, out_dir) for log in logs}
    if json:
        print_json(found)
        return
    for log, what in found.items():
        remark(f"{log}: {len(what.written)} records written, {len(what.kept)} there already: {out_dir}")
        for sample in what.unfinished:
            remark(f"  {sample} was not played to its end")


def opened(path: Path) -> Path:
    """A folder with the records of a log, which is there until the command ends; any other path as it is."""
    if path.suffix != LOG or path.is_dir():
        return path
    folder = Path(mkdtemp(prefix="backburner-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for sample in _converted(path, folder).unfinished:
        remark(f"{path}: {sample} was not played to its end")
    return folder


def opened_one(path: Path) -> Path:
    """The only record of a log; any other path as it is. Raises ``Refused`` where there are several."""
    folder = opened(path)
    if folder == path:
        return path
    found = list(records(folder))
    if len(found) != 1:
        raise Refused(f"{path} has {len(found)} records; backburner convert makes files of them")
    return found[0]


def _converted(log: Path, out: Path) -> Converted:
    try:
        import inspect_ai  # noqa: F401
    except ImportError as error:
        raise MissingExtra("inspect", "reading a log of Inspect") from error
    from backburner.inspect.convert import convert

    return convert(log, out)

"""What a study has gathered, as tables that any program reads, with the records of its games."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from backburner.evaluation.tables.schema import write_table
from backburner.study.export.data import Data
from backburner.study.export.tables import RECRUITED, TABLES, rows_of

FORMATS = ("csv", "parquet")
"""What tables can be written as."""


def write_export(data: Data, folder: Path, formats: Iterable[str]) -> list[Path]:
    """Write every table in each format, and the records of those who agreed; the files.

    Raises ``MissingExtra`` for Parquet without pyarrow, ``BadFile`` for what cannot be written.
    """
    tables = (*TABLES, RECRUITED) if data.personal else TABLES
    written = [
        write_table(table, rows_of(data, table.name), folder, name)
        for name in dict.fromkeys(formats)
        for table in tables
    ]
    games = {played.game for one in data.people for _, _, played in data.episodes(one)}
    for game in sorted(games):
        source = data.records / f"{game}.jsonl"
        if source.exists():
            (folder / "records").mkdir(parents=True, exist_ok=True)
            written.append(Path(shutil.copyfile(source, folder / "records" / source.name)))
    return written

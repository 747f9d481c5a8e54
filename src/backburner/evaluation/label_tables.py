"""Labels as tables: read from and written to CSV and JSON Lines, for those who label elsewhere."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, get_args

import msgspec

from backburner.evaluation.labelling import Item, Settled
from backburner.evaluation.labels import (
    LONGEST_REMARK,
    LabelFile,
    Role,
    Said,
    check_name,
    file_of,
    now,
)
from backburner.kernel.errors import BackburnerError, BadFile, UnknownName
from backburner.kernel.files import cells, decoded, read_text, write_whole

COLUMNS = (
    "world", "set", "version", "record", "file", "id", "at", "seat", "annotator", "role", "label", "remark",
    "time", "blind", "model", "prompts",
)  # fmt: skip
"""Of an export. An import needs ``label`` and ``record`` or ``file``, and knows all of these."""

MOST_BYTES = 64 << 20

SETTLED = "settled"
"""Who the labels are of that an export adds for each case: what all that was said comes to."""


def import_labels(
    file: Path, records: Path, items: Sequence[Item], annotator: str, set_name: str = ""
) -> dict[str, int]:
    """Take the labels of a CSV or JSON Lines file over; how many of each annotator.

    A row tells its case by ``record`` (a digest, as exports have it) or ``file`` (the record's path in the
    folder), and for a decision by ``at`` and, where several seats decide, ``seat``. ``annotator`` is whose
    rows are that do not say it; rows that an export adds for what was settled are passed over. All rows are
    taken or none. Raises ``BadFile`` naming the first row that cannot be, ``Refused`` as ``LabelFile`` does.
    """
    index = _Index(records, items, set_name)
    said: dict[str, list[Said]] = {}
    for number, row in _rows(file):
        if row.get("annotator") == SETTLED:
            continue
        try:
            one = index.said(row, annotator)
        except (BackburnerError, ValueError) as error:
            raise BadFile(file, f"row {number}", str(error)) from error
        said.setdefault(one.annotator, []).append(one)
    if not said:
        raise BadFile(file, "", "holds no labels")
    with ExitStack() as stack:
        opened = {name: stack.enter_context(LabelFile(file_of(records, name))) for name in said}
        for name, lines in said.items():
            opened[name].add(lines)
    return {name: len(lines) for name, lines in said.items()}


def _rows(file: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """(its number from 1, without a heading; the row) of each row that says something."""
    text = read_text(file, MOST_BYTES)
    if text.lstrip().startswith("{"):
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                row = decoded(line.encode(), file, dict[str, Any], "a JSON object", f"row {number}")
                yield number, row
        return
    rows = cells(text, file)
    _, heading = next(rows, (0, []))
    for unknown in set(heading) - set(COLUMNS):
        raise BadFile(file, "row 0", str(UnknownName("column", unknown, COLUMNS)))
    for number, (_, row) in enumerate(rows, 1):
        yield number, {name: value for name, value in zip(heading, row, strict=False) if value}


class _Index:
    """Finds the item that a row is about."""

    def __init__(self, records: Path, items: Sequence[Item], set_name: str) -> None:
        self._set = set_name
        root = records if records.is_dir() else records.parent
        self._of_record: dict[str, list[Item]] = {}
        for item in items:
            for name in (item.key.record, str(item.path), _relative(item.path, root)):
                self._of_record.setdefault(name, []).append(item)

    def said(self, row: Mapping[str, Any], annotator: str) -> Said:
        """The row as a line of its annotator. Raises ``BackburnerError`` or ``ValueError``."""
        item = self._item(row)
        label, role = str(row.get("label", "")).strip(), str(row.get("role", "person"))
        if role not in get_args(Role):
            raise UnknownName("role", role, get_args(Role))
        if label not in item.choices:
            raise UnknownName("label", label, item.choices)
        remark = str(row.get("remark", ""))
        if len(remark) > LONGEST_REMARK:
            raise ValueError(f"a remark has at most {LONGEST_REMARK} characters")
        line = {
            "annotator": check_name(str(row.get("annotator") or annotator)),
            "role": role,
            "world": item.key.world,
            "set": item.key.set,
            "version": item.labels.version,
            "record": item.key.record,
            "label": label,
            "time": str(row.get("time") or now()),
            "at": item.key.at,
            "seat": item.key.seat,
            "remark": remark,
            "blind": str(row.get("blind", "")).casefold() in ("true", "1", "yes"),
            "model": str(row.get("model", "")),
            "prompts": str(row.get("prompts", "")),
        }
        if str(row.get("version") or item.labels.version) != str(item.labels.version):
            raise ValueError(f"version {row['version']} of {item.key.set}; here it has {item.labels.version}")
        return msgspec.convert(line, Said)

    def _item(self, row: Mapping[str, Any]) -> Item:
        name = str(row.get("record") or row.get("file") or "")
        if not name:
            raise ValueError("it names no record: give its digest (record) or its path (file)")
        mine = self._of_record.get(name)
        if mine is None:
            raise UnknownName("record", name, self._of_record, "this folder, of those with cases")
        wanted = str(row.get("set") or self._set or mine[0].key.set)
        at, seat = str(row.get("at", "")), str(row.get("seat", ""))
        for item in mine:
            placed = at in ("", "-1") if item.key.at < 0 else at == str(item.key.at)
            if item.key.set == wanted and placed and seat in ("", item.key.seat):
                return item
        where = f", step {at}" if at else ""
        raise ValueError(f"no case of {wanted} in {name}{where}{f', {seat}' if seat else ''}")


def _relative(path: Path, root: Path) -> str:
    return str(path.relative_to(root)) if path.is_relative_to(root) else path.name


def export_labels(file: Path, records: Path, settled: Sequence[Settled], blind: bool = False) -> int:
    """Write every label to a CSV file, or to JSON Lines if the file is called so; how many.

    Each case has a row more with what its labels come to, or what the record decides: its annotator is
    ``settled``, and its role tells how. With ``blind`` no row names a record's file, which bears the
    agent's name.
    """
    root = records if records.is_dir() else records.parent
    rows = [row for one in settled for row in _exported(one, "" if blind else _relative(one.item.path, root))]
    if file.suffix in (".jsonl", ".ndjson"):
        raise BadFile(file, "", "records are called so; name it *.json or *.csv")
    if file.suffix == ".json":
        content = b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
    else:
        out = io.StringIO(newline="")
        writer = csv.DictWriter(out, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
        content = out.getvalue().encode()
    write_whole(file, content)
    return len(rows)


def _exported(one: Settled, path: str) -> Iterator[dict[str, Any]]:
    item = one.item
    case = {
        "world": item.key.world,
        "set": item.key.set,
        "version": item.labels.version,
        "record": item.key.record,
        "file": path,
        "id": item.episode.header.id,
        "at": "" if item.key.at < 0 else item.key.at,
        "seat": item.key.seat,
    }
    for said in one.said:
        own = {name: getattr(said, name) for name in ("annotator", "role", "label", "remark", "time")}
        yield {**case, **own, "blind": said.blind or "", "model": said.model, "prompts": said.prompts}
    yield {**case, "annotator": SETTLED, "role": one.how, "label": one.label}

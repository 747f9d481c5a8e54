"""Labels as tables: in files for those who label elsewhere, and in the report of a folder of records.

Files are CSV or JSON Lines, read and written. A report has measures, tables of classes, and who labelled.
"""

from __future__ import annotations

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from backburner.evaluation.labels.agreement import agreements, kappa_text, who
from backburner.evaluation.labels.cases import (
    How,
    Item,
    Settled,
    items_of,
    label_measures,
    settle,
    usable,
)
from backburner.evaluation.labels.label_files import (
    LONGEST_REMARK,
    LabelFile,
    Role,
    Said,
    check_name,
    file_of,
    now,
    read_labels,
    record_digest,
)
from backburner.evaluation.scoring.scores import Records, WorldScores
from backburner.kernel.charts import Figure, Stack, Stacks
from backburner.kernel.episode import Episode
from backburner.kernel.errors import BackburnerError, BadFile, MissingExtra, UnknownName
from backburner.kernel.files import cells, decoded, read_text, write_whole
from backburner.kernel.scoring import Measures, Section

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
        "id": item.id,
        "at": "" if item.key.at < 0 else item.key.at,
        "seat": item.key.seat,
    }
    for said in one.said:
        own = {name: getattr(said, name) for name in ("annotator", "role", "label", "remark", "time")}
        yield {**case, **own, "blind": said.blind or "", "model": said.model, "prompts": said.prompts}
    yield {**case, "annotator": SETTLED, "role": one.how, "label": one.label}


# --- in a report -----------------------------------------------------------------------------------------


UNLABELLED = "unlabelled"

HOWS: Mapping[How, str] = {
    "record": "by the record",
    "adjudicator": "adjudicated",
    "people": "by people",
    "people and judges": "by people and a model",
    "judges": "by a model alone",
    "tied": "tied",
    "none": UNLABELLED,
}
"""What decided about cases, as tables call it."""


class LabelReport(Struct, frozen=True):
    """The labels of a folder: ``settled`` has every case, ``unusable`` what does not count and why."""

    settled: tuple[Settled, ...] = ()
    unusable: tuple[str, ...] = ()
    measures: Mapping[str, Measures] = {}

    def of(self, episode: Episode) -> Measures:
        """What the labels give an episode; nothing where there are none."""
        return self.measures.get(record_digest(episode), {}) if self.measures else {}


def labels_in(path: Path, loaded: Records) -> LabelReport:
    """The labels that lie beside the records of ``path``; an empty report where there are none."""
    labels = read_labels(path)
    if not labels.said:
        return LabelReport(unusable=labels.unusable)
    found = items_of(loaded.episodes)
    settled = settle(found.items, labels)
    wrong = usable(found.items, labels)[1]
    return LabelReport(tuple(settled), (*labels.unusable, *wrong), label_measures(settled))


def with_labels(scored: Sequence[WorldScores], report: LabelReport) -> list[WorldScores]:
    """The scores with the tables and figures of labels, and what of the labels cannot be used."""
    told = list(map(replace, scored))
    for index, world in enumerate(told):
        mine = [one for one in report.settled if one.item.key.world == world.world]
        sections = (*world.sections, *label_sections(mine))
        left_out = (*world.left_out, *(report.unusable if index == 0 else ()))
        figures = (*world.figures, *label_figures(mine))
        told[index] = replace(world, sections=sections, figures=figures, left_out=left_out)
    return told


def _labelled_sets(settled: Sequence[Settled]) -> Iterator[list[Settled]]:
    """The cases of each label set in which anybody has labelled anything."""
    sets: dict[str, list[Settled]] = defaultdict(list)
    for one in settled:
        sets[one.item.key.set].append(one)
    return (cases for cases in sets.values() if any(one.said for one in cases))


def label_sections(settled: Sequence[Settled]) -> list[Section]:
    """Of each set of one world that somebody has labelled: the classes, how they were found, who labelled."""
    sections: list[Section] = []
    for cases in _labelled_sets(settled):
        sections += [_classes(cases), _decided(cases), _annotators(cases)]
    return sections


def _by_agent(settled: Sequence[Settled]) -> dict[str, list[Settled]]:
    found: dict[str, list[Settled]] = {}
    for one in settled:
        found.setdefault(one.item.agent, []).append(one)
    return found


def _classes(settled: Sequence[Settled]) -> Section:
    labels = settled[0].item.labels
    met = [key for key in labels.keys if any(one.label == key for one in settled)]
    rows: list[tuple[Any, ...]] = []
    for agent, mine in _by_agent(settled).items():
        counts = Counter(one.label for one in mine)
        shares = (round(100 * counts[key] / len(mine), 1) for key in (*met, ""))
        rows.append((agent, len(mine), *shares))
    return Section(
        f"Labelled: {labels.title}",
        f"In per cent of all {labels.of}s that this is asked of, by the record or by settled labels.",
        ("agent", "cases", *met, UNLABELLED),
        tuple(rows),
    )


def _decided(settled: Sequence[Settled]) -> Section:
    met = [how for how in HOWS if any(one.how == how for one in settled)]
    rows: list[tuple[Any, ...]] = []
    for agent, mine in _by_agent(settled).items():
        counts = Counter(one.how for one in mine)
        rows.append((agent, *(counts[how] for how in met)))
    return Section(
        f"How it was decided: {settled[0].item.labels.title}",
        "Numbers of cases. An adjudicator's label settles a case, else the majority of people; where they "
        "are divided a model's label counts as one more, and where nobody labelled, it stands alone.",
        ("agent", *(HOWS[how] for how in met)),
        tuple(rows),
    )


def _annotators(settled: Sequence[Settled]) -> Section:
    """Who labelled how much, and how far each two agree."""
    text = "Cohen's kappa of each two over the cases that both labelled; 95 % jackknife intervals."
    try:
        found = next(agreements(settled))
    except MissingExtra as error:
        found = next(agreements(settled, coefficients=False))
        text = f"Kappas are left out: {error}"
    rows: list[tuple[Any, ...]] = []
    for name, number in found.annotators.items():
        rows.append((who(found.roles, name), found.roles[name], number, "", ""))
    for pair in found.pairs:
        names = f"{who(found.roles, pair.one)}, {who(found.roles, pair.other)}"
        rows.append((names, "both", pair.kappa.cases, round(pair.agreeing, 1), kappa_text(pair.kappa)))
    if found.together is not None:
        kappa = found.together.kappa
        rows.append(("all (Fleiss)", "all", kappa.cases, "", kappa_text(kappa)))
    columns = ("annotator", "role", "cases", "agree (%)", "kappa")
    return Section(f"Who labelled: {found.labels.title}", text, columns, tuple(rows))


def label_figures(settled: Sequence[Settled]) -> Iterator[Figure]:
    """A figure of the classes of each set of one world that somebody has labelled."""
    for cases in _labelled_sets(settled):
        labels = cases[0].item.labels
        parts = (*labels.keys, UNLABELLED)
        stacks = []
        for agent, mine in _by_agent(cases).items():
            counts = Counter(one.label or UNLABELLED for one in mine)
            shares = {part: 100 * counts[part] / len(mine) for part in parts}
            stacks.append(Stack(f"{agent} ({len(mine)})", shares))
        chart = Stacks(labels.title, f"% of {labels.of}s", parts, tuple(stacks), 100.0)
        caption = "By the record or by settled labels; what neither decides is shown as unlabelled."
        yield Figure(f"labels-{labels.name}", f"Labelled: {labels.title}", caption, (chart,))

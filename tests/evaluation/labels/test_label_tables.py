"""Labels from and to CSV and JSON Lines: all rows or none, and back again."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from backburner.evaluation.labels.cases import items_of, settle
from backburner.evaluation.labels.label_files import folder_of, read_labels
from backburner.evaluation.labels.label_tables import COLUMNS, export_labels, import_labels
from backburner.evaluation.scoring.scores import load
from backburner.kernel.errors import BadFile
from support.evaluation.failed_kitchens import write_failures


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    folder.mkdir()
    write_failures(folder)
    return folder


def taken(runs: Path, text: str, name: str = "given.csv") -> dict[str, int]:
    file = runs.parent / name
    file.write_bytes(text.encode())
    return import_labels(file, runs, items_of(load(runs).episodes).items, "me")


def test_rows_name_a_record_by_its_path_and_say_who(runs: Path) -> None:
    given = 'file,label,annotator,remark\nkitchen0.jsonl,state,ann,"so, so"\nkitchen1.jsonl,goal: order,,\n'
    assert taken(runs, given) == {"ann": 1, "me": 1}
    said = {(one.annotator, one.label, one.remark, one.role) for one in read_labels(runs).said}
    assert said == {("ann", "state", "so, so", "person"), ("me", "goal: order", "", "person")}


def test_an_export_taken_over_elsewhere_comes_to_the_same(runs: Path, tmp_path: Path) -> None:
    taken(runs, "file,label,annotator\nkitchen0.jsonl,state,ann\nkitchen0.jsonl,other,bob\n")
    settled = settle(items_of(load(runs).episodes).items, read_labels(runs))
    for name in ("out.csv", "out.json"):
        out = tmp_path / name
        assert export_labels(out, runs, settled) == 2 + 4
        before = read_labels(runs).said
        for file in folder_of(runs).iterdir():
            file.unlink()
        assert import_labels(out, runs, [one.item for one in settled], "me") == {"ann": 1, "bob": 1}
        assert read_labels(runs).said == before
    rows = list(csv.DictReader((tmp_path / "out.csv").open()))
    assert tuple(rows[0]) == COLUMNS
    decided = [(row["role"], row["label"]) for row in rows if row["annotator"] == "settled"]
    assert sorted(decided) == [("none", ""), ("none", ""), ("record", "action"), ("tied", "")]
    assert json.loads((tmp_path / "out.json").read_text().splitlines()[0])["label"] == "state"


def test_a_blind_export_names_no_file_that_bears_the_agent_s_name(runs: Path, tmp_path: Path) -> None:
    settled = settle(items_of(load(runs).episodes).items, read_labels(runs))
    export_labels(tmp_path / "out.csv", runs, settled, blind=True)
    assert "kitchen0" not in (tmp_path / "out.csv").read_text()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "holds no labels"),
        ("file,label\n", "holds no labels"),
        ("file,lable\n", "row 0: unknown column 'lable'; did you mean label"),
        ("label\nstate\n", "row 1: it names no record"),
        ("file,label\nkitchen9.jsonl,state\n", "row 1: unknown record .*did you mean .*kitchen"),
        ("file,label\nkitchen0.jsonl,stat\n", "row 1: unknown label 'stat'; did you mean state"),
        ("file,label\nkitchen0.jsonl,state\nkitchen1.jsonl,action\n", "row 2: unknown label 'action'"),
        ("file,label,at\nkitchen0.jsonl,state,4\n", "row 1: no case of failures in kitchen0.jsonl, step 4"),
        ("file,label,version\nkitchen0.jsonl,state,7\n", "row 1: version 7 of failures; here it has 1"),
        ("file,label,role\nkitchen0.jsonl,state,boss\n", "row 1: unknown role 'boss'"),
        ("file,label,annotator\nkitchen0.jsonl,state,judge:me\n", "row 1: annotator 'judge:me'"),
        ("file,label,remark\nkitchen0.jsonl,state," + "x" * 2001, "row 1: a remark has at most 2000"),
        ('file,label\n"kitchen0.jsonl,state\n', "not CSV"),
        ("file,label\nkitchen0.jsonl," + "x" * 200_000, "not CSV"),
        ('{"file": "kitchen0.jsonl", "label": "state"}\n{"file": \n', "row 2: not a JSON object"),
        ('{"file": [], "label": {}}\n', "row 1: it names no record"),
        ("\x00", "row 0: unknown column"),
    ],
)
def test_a_file_with_a_bad_row_changes_nothing(runs: Path, text: str, why: str) -> None:
    with pytest.raises(BadFile, match=why) as caught:
        taken(runs, text)
    assert str(caught.value).isprintable()
    assert read_labels(runs).said == ()


def test_what_is_no_text_and_a_record_s_name_are_refused(runs: Path) -> None:
    (runs.parent / "bad.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadFile, match="not UTF-8"):
        import_labels(runs.parent / "bad.csv", runs, [], "me")
    with pytest.raises(BadFile, match="records are called so"):
        export_labels(runs / "out.jsonl", runs, [])

"""Tables of a study are read or refused with one line that names file, line and field."""

from __future__ import annotations

from pathlib import Path

import pytest

from backburner.kernel.errors import BackburnerError, BadFile, Refused
from backburner.study.analysis.data import read_csv, read_data
from backburner.study.analysis.tables import MEASURES, TABLES
from support.promptly import least_seconds
from support.study.study_data import write_measures, write_study, write_table


def refused(folder: Path) -> str:
    with pytest.raises(BackburnerError) as told:
        read_data(folder)
    message = str(told.value).replace(str(folder), "DATA")
    assert "\n" not in message
    return message


def changed(folder: Path, table: str, line: int, old: str, new: str) -> Path:
    """One line of a written study, changed."""
    path = folder / f"{table}.csv"
    lines = path.read_text("utf-8").split("\n")
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new)
    path.write_text("\n".join(lines), "utf-8")
    return folder


def test_every_table_needs_some_of_its_columns() -> None:
    for table in TABLES:
        assert set(table.needed) < {column.name for column in table.columns}
        assert table.needed


def test_a_written_study_is_read(tmp_path: Path) -> None:
    data = read_data(write_study(tmp_path))
    assert {name: len(rows) for name, rows in data.items() if len(rows)} == {
        "conditions": 5,
        "participants": 12,
        "episodes": 60,
        "measures": 60,
        "items": 4,
        "answers": 12 * (5 + 3 * 4),
    }
    assert data["measures"].of("value")[0] == pytest.approx(float(data["measures"].of("value")[0]))


@pytest.mark.parametrize(
    ("table", "line", "old", "new", "told"),
    [
        ("measures", 7, ",CoS,", ",CoS,x", "DATA/measures.csv: line 7, value: 'x0."),
        ("measures", 3, ",CoS,", ",CoS,inf,", "line 3: 7 fields where the first line names 6"),
        ("measures", 5, "p01-4", "p01-9", "line 5, episode: 'p01-9' is not in episodes.csv; did you mean p0"),
        ("measures", 5, "p01-4", "p01-3", "line 5, measure: p01-3 CoS stands in line 4 already"),
        ("episodes", 2, ",p01,", ",p99,", "line 2, participant: 'p99' is not in participants.csv"),
        ("episodes", 2, ",1,", ",1.5,", "line 2, order: '1.5' is no integer"),
        ("answers", 4, "trust", "truste", "line 4, item: 'truste' is not in items.csv; did you mean trust?"),
        ("items", 2, ",1,5,", ",1,wide,", "items.csv: line 2, highest: 'wide' is no number"),
        ("answers", 2, "p01,", ",", "answers.csv: line 2, participant: is empty"),
        (
            "episodes",
            1,
            "condition",
            "conditions",
            "episodes.csv: no column 'condition'; is it 'conditions'?",
        ),
    ],
)
def test_one_bad_row_is_told_by_file_line_and_field(
    tmp_path: Path, table: str, line: int, old: str, new: str, told: str
) -> None:
    assert told in refused(changed(write_study(tmp_path), table, line, old, new))


@pytest.mark.parametrize("value", ["inf", "-inf", "1e300", "1e999", "0x10", "1,5", "ten"])
def test_numbers_are_finite_ones(tmp_path: Path, value: str) -> None:
    folder = write_measures(tmp_path, [("p1", "a", 1.0), ("p2", "b", value)])
    assert "line 3, value" in refused(folder)


@pytest.mark.parametrize("value", ["", "NA", "NaN", "nan"])
def test_missing_values_are_no_error(tmp_path: Path, value: str) -> None:
    folder = write_measures(tmp_path, [("p1", "a", 1.0), ("p2", "b", value)])
    assert read_data(folder)["measures"].of("value") == [1.0, None]


def test_what_is_no_study_is_refused(tmp_path: Path) -> None:
    assert "no folder" in refused(tmp_path / "nowhere")
    assert "neither measures nor answers" in refused(tmp_path)
    write_table(tmp_path, "measures", [{"episode": "e", "measure": "m", "value": 1}])
    assert "measures without episodes" in refused(tmp_path)
    (tmp_path / "measures.csv").write_bytes(b"episode,measure,value\ne,\xff,1\n")
    assert "line 2: not UTF-8" in refused(tmp_path)
    (tmp_path / "measures.csv").write_text('episode,measure,value\ne,"m,1\n')
    assert "not CSV" in refused(tmp_path)
    (tmp_path / "measures.csv").write_text(f"episode,measure,value\ne,{'m' * 30_000},1\n")
    assert "line 2, measure: more than 20000 characters" in refused(tmp_path)
    (tmp_path / "measures.csv").write_text("")
    assert "no column 'episode'" in refused(tmp_path)


def test_texts_that_an_export_kept_from_being_formulas_are_what_they_were(tmp_path: Path) -> None:
    folder = write_measures(tmp_path, [("'=p1", "a", -1.0)])
    assert read_data(folder)["episodes"].of("participant") == ["=p1"]
    assert read_data(folder)["measures"].of("value") == [-1.0]


def test_parquet_holds_the_same(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    import pyarrow
    from pyarrow import csv, parquet

    folder = write_study(tmp_path / "csv")
    (tmp_path / "parquet").mkdir()
    for path in folder.glob("*.csv"):
        parquet.write_table(csv.read_csv(path), tmp_path / "parquet" / f"{path.stem}.parquet")
    sheets, columns = read_data(folder), read_data(tmp_path / "parquet")
    for name, rows in sheets.items():
        assert columns[name].cells.equals(rows.cells)
    table = pyarrow.table({"episode": ["p01-1"], "measure": ["CoS"], "value": [[1.0]]})
    parquet.write_table(table, tmp_path / "parquet" / "measures.parquet")
    assert "measures.parquet: row 1, value" in refused(tmp_path / "parquet")
    (tmp_path / "parquet" / "measures.parquet").write_bytes(b"PAR1 and no more")
    assert "not Parquet" in refused(tmp_path / "parquet")


def test_a_megabyte_is_read_quickly(tmp_path: Path) -> None:
    path = tmp_path / "measures.csv"
    lines = (f"participant-{i}-1,collaboration score,{i / 7:.4f}" for i in range(24_000))
    path.write_text("episode,measure,value\n" + "\n".join(lines))
    assert path.stat().st_size > 1_000_000
    assert least_seconds(lambda: read_csv(path, MEASURES), enough=0.05) < 0.1


def test_a_large_file_is_refused_without_being_read(tmp_path: Path) -> None:
    path = tmp_path / "measures.csv"
    with path.open("wb") as stream:
        stream.truncate(2**27)
    with pytest.raises((BadFile, Refused)):
        read_data(tmp_path)

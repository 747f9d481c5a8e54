"""What was played as files: tables that join, bytes that stay, texts that are no formulas and no commands."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from backburner.cli import app
from backburner.evaluation.tables.latex import tex
from backburner.evaluation.tables.rows import TABLES
from backburner.kernel.episode import read_episode, write_episode
from backburner.kernel.errors import BackburnerError, MissingExtra

IDS = ("timearena/household9", "timearena/household4", "recipe2plan/quick")
FORMULA = "=cmd|' /C calc'!A0"
"""An agent's name that a spreadsheet would run."""


def run(*arguments: str | Path) -> None:
    result = CliRunner().invoke(app, [*map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == 0, result.output


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Greedy and random, and a stranger's record: an agent whose name is a formula and breaks LaTeX."""
    folder = tmp_path_factory.mktemp("export") / "runs"
    run("run", *IDS, "--agent", "greedy", "--agent", "random", "--seeds", "2", "--out", folder)
    run("run", IDS[0], "--agent", "act", "--model", "stand-in:skill=0.7", "--out", folder)
    episode = read_episode(next(folder.glob("timearena/*/random/household9*seed0*")))
    header = episode.header
    named = {seat: replace(player, name=FORMULA) for seat, player in header.players.items()}
    write_episode(replace(episode, header=replace(header, players=named)), folder / "strange.jsonl")
    odd = "\\input{x} 模型_τ%\x1b[31m"
    named = {seat: replace(player, name=odd) for seat, player in header.players.items()}
    write_episode(replace(episode, header=replace(header, players=named)), folder / "stranger.jsonl")
    return folder


@pytest.fixture(scope="module")
def out(runs: Path) -> Path:
    folder = runs.parent / "out"
    run("export", runs, "--format", "csv", "--format", "parquet", "--format", "latex", "--out", folder)
    return folder


def table(out: Path, name: str) -> list[dict[str, str]]:
    with (out / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_names_of_columns_are_stable() -> None:
    spent = "calls input_tokens output_tokens cached_tokens reasoning_tokens call_seconds"
    assert {each.name: " ".join(column.name for column in each.columns) for each in TABLES} == {
        "episodes": "episode world scenario group rules agent seed counts stand_in informed models status "
        f"reason error steps refusals {spent} lost_calls cost currency world_version backburner_version "
        "time_unit scenario_digest",
        "measures": "episode kind name unit value",
        "scores": "world group rules agent printed metric title unit better main value low high method n "
        "failed scenarios missing source",
        "pairs": "world rules metric unit one other scenarios difference low high method effect p "
        "p_corrected",
        "ranks": "world rules metric agent scenarios lead best worst",
        "speeds": "world rules agent stand_in speed tokens_a_beat metric episodes value low high "
        "charge silent stale decisions as_slow greedy random best",
        "decisions": "episode step seat player model text decision thoughts refused refusal fault "
        f"{spent} endings",
        "events": "episode step position time what lane label key kind value",
        "columns": "table column type unit meaning",
    }


def test_there_is_a_row_for_each_episode_figure_decision_and_event(runs: Path, out: Path) -> None:
    episodes = {row["episode"]: row for row in table(out, "episodes")}
    records = {path.relative_to(runs).as_posix(): read_episode(path) for path in runs.rglob("*.jsonl")}
    assert list(episodes) == sorted(episodes, key=lambda key: (episodes[key]["world"], key))
    assert episodes.keys() == records.keys()
    for name, count in (
        ("decisions", lambda episode: sum(len(entry.answers) for entry in episode.entries)),
        ("events", lambda episode: len(list(episode.events()))),
    ):
        rows = table(out, name)
        for key, episode in records.items():
            assert sum(row["episode"] == key for row in rows) == count(episode)
    # household9 takes greedy 12 minutes, household4 14: CT is their mean
    (figure,) = [
        row
        for row in table(out, "scores")
        if (row["agent"], row["metric"], row["world"], row["printed"])
        == ("greedy", "CT", "timearena", "false")
    ]
    assert (figure["value"], figure["unit"], figure["better"], figure["n"]) == ("12.0", "min", "lower", "2")
    assert any(row["printed"] == "true" and row["agent"] == "GPT-4" for row in table(out, "scores"))


def test_each_column_is_told_of(out: Path) -> None:
    told = {(row["table"], row["column"]): row for row in table(out, "columns")}
    assert len(told) == sum(len(each.columns) for each in TABLES)
    assert all(row["meaning"] for row in told.values())
    assert told["episodes", "call_seconds"]["unit"] == "seconds"


def test_the_same_records_give_the_same_bytes(runs: Path, out: Path, tmp_path: Path) -> None:
    run("export", runs, "--format", "csv", "--format", "parquet", "--format", "latex", "--out", tmp_path)
    for file in sorted(out.iterdir()):
        assert (tmp_path / file.name).read_bytes() == file.read_bytes(), file.name


def test_no_text_is_a_formula_to_a_spreadsheet(out: Path) -> None:
    agents = {row["agent"] for row in table(out, "episodes")}
    assert f"'{FORMULA}" in agents and FORMULA not in agents
    for file in out.glob("*.csv"):
        with file.open(newline="", encoding="utf-8") as stream:
            for row in csv.reader(stream):
                for cell in row:
                    assert not cell.startswith(("=", "@", "\t", "+")) or re.fullmatch(r"\+?[\d.]+", cell)
                    assert not cell.startswith("-") or re.fullmatch(r"-[\d.e-]+", cell)


def test_parquet_holds_what_csv_holds_and_texts_as_they_are(out: Path) -> None:
    pandas = pytest.importorskip("pandas")
    parquet = pytest.importorskip("pyarrow.parquet")
    for each in TABLES:
        frame = pandas.read_parquet(out / f"{each.name}.parquet")
        assert list(frame.columns) == [column.name for column in each.columns]
        assert len(frame) == len(table(out, each.name))
    assert FORMULA in set(pandas.read_parquet(out / "episodes.parquet")["agent"])
    field = parquet.read_schema(out / "episodes.parquet").field("call_seconds")
    assert field.metadata[b"unit"] == b"seconds" and str(field.type) == "double"


def test_the_queries_of_the_page_run(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    duckdb = pytest.importorskip("duckdb")
    monkeypatch.chdir(out)
    page = (Path(__file__).parents[3] / "docs" / "reports.md").read_text()
    queries = re.findall(r"```sql\n(.*?)```", page, re.DOTALL)
    spending, refused, busy = (duckdb.sql(query).fetchall() for query in queries)
    assert ("timearena", "greedy", 2) in {row[:3] for row in spending}
    assert {row[2] for row in refused} <= {1, 2, 3}
    found = {row[2]: row[3:] for row in busy if row[:2] == ("timearena/household9", "greedy")}
    assert found == {"agent": (12.0, "minutes"), "radio": (7.0, "minutes")}


# --- LaTeX -------------------------------------------------------------------------------------------------


def test_nothing_in_a_name_is_a_command_to_latex() -> None:
    assert (
        tex(r"a_b & 5% \input{/etc/passwd}") == r"a{\_}b {\&} 5{\%} {\textbackslash}input{\{}/etc/passwd{\}}"
    )
    assert tex("模") == r"\ensuremath{\langle}\texttt{U+6A21}\ensuremath{\rangle}"
    assert tex("τ ≤ 1\n2") == r"{\ensuremath{\tau}} {\ensuremath{\leq}} 1 2"


def test_a_table_of_latex_is_whole(out: Path) -> None:
    walker = pytest.importorskip("pylatexenc.latexwalker")
    text = (out / "timearena.tex").read_text()
    walker.LatexWalker(text, tolerant_parsing=False).get_latex_nodes()
    (columns,) = set(re.findall(r"\\begin\{tabular\}\{(\w+)\}", text))
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert all(len(re.findall(r"(?<!\\)(?<!\{\\)&", row)) == len(columns) - 1 for row in rows)
    greedy = next(row for row in rows if row.startswith("greedy"))
    assert r"\textbf{" in greedy and r"{\scriptsize[" in (out / "recipe2plan.tex").read_text()
    assert any(row.startswith(r"act(stand-in:skill=0.7)$^\dagger$") for row in rows)
    assert any(row.startswith(r"\textit{GPT-4} & & ") for row in rows)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex here")
def test_pdflatex_sets_all_tables(out: Path, tmp_path: Path) -> None:
    command = [
        "pdflatex",
        "-interaction=nonstopmode",
        "-halt-on-error",
        f"-output-directory={tmp_path}",
        "tables.tex",
    ]
    done = subprocess.run(command, cwd=out, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "tables.pdf").read_bytes().startswith(b"%PDF")


# --- pictures ----------------------------------------------------------------------------------------------


def test_a_figure_is_a_page_of_vectors_with_its_font(runs: Path, tmp_path: Path) -> None:
    pytest.importorskip("typst")
    pdfium = pytest.importorskip("pypdfium2")
    run("export", runs, "--format", "pdf", "--format", "svg", "--out", tmp_path)
    pictures = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.svg"))
    assert [path.with_suffix(".pdf") for path in pictures] == sorted(
        path.relative_to(tmp_path) for path in tmp_path.rglob("*.pdf")
    )
    for picture in pictures:
        drawn = (tmp_path / picture).read_text()
        assert "var(" not in drawn  # a file's colours do not hang on a page
        content = (tmp_path / picture.with_suffix(".pdf")).read_bytes()
        page = pdfium.PdfDocument(content)[0]
        width = float(re.search(r' width="([\d.]+)"', drawn)[1])  # type: ignore[index]
        assert page.get_width() == pytest.approx(0.75 * width, abs=0.1)
        assert b"/FontFile" in content and b"/Subtype/Image" not in content
        assert "greedy" in re.sub(r"\s", "", page.get_textpage().get_text_range())


def test_a_picture_is_the_same_bytes_each_time() -> None:
    pytest.importorskip("typst")
    from backburner.drawing.charts import chart_svg
    from backburner.evaluation.tables.figures import pdf_of
    from backburner.kernel.charts import Bar, Bars, Group

    chart = Bars('quo"te \\ #x', "%", (Group("γ", (Bar("one", 1.0), Bar("two <&>", 2.0, 1.0, 3.0))),))
    assert pdf_of(chart_svg(chart), chart.title) == pdf_of(chart_svg(chart), chart.title)


# --- the command -------------------------------------------------------------------------------------------


def test_an_unknown_format_is_answered_with_the_nearest(runs: Path, tmp_path: Path) -> None:
    with pytest.raises(BackburnerError, match=r"unknown format 'parket'.*did you mean parquet"):
        run("export", runs, "--format", "parket", "--out", tmp_path)
    assert not list(tmp_path.iterdir())
    with pytest.raises(BackburnerError, match="holds the records"):
        run("export", runs, "--format", "csv", "--out", runs)
    with pytest.raises(BackburnerError, match="is a file"):
        run("export", runs, "--format", "csv", "--out", runs / "strange.jsonl")


@pytest.mark.parametrize(
    ("format", "library", "extra"),
    [("parquet", "pyarrow", "data"), ("latex", "pylatexenc", "data"), ("pdf", "typst", "pdf")],
)
def test_what_is_not_installed_is_told_before_anything_is_written(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str, library: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtra, match=rf"--format {format} needs an optional part: .*\[{extra}\]"):
        run("export", runs, "--format", "csv", "--format", format, "--out", tmp_path)
    assert not list(tmp_path.iterdir())

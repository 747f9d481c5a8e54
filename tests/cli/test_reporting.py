"""Reports on the command line: spending and prices, paired differences, figures as files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from typer.testing import CliRunner

from backburner.cli import app
from backburner.kernel.errors import BackburnerError

runner = CliRunner()

IDS = ("timearena/household9", "timearena/household4")


def run(*arguments: str | Path, code: int = 0) -> tuple[str, str]:
    result = runner.invoke(app, [*map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.stdout, result.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two scenarios, played by greedy, at random, and by a model that says the same two lines."""
    path = tmp_path_factory.mktemp("runs")
    script = path.parent / "script.txt"
    script.write_text("wait\n\n")
    agents = ("--agent", "greedy", "--agent", "random", "--agent", "act")
    run("run", *IDS, *agents, "--model", f"script:{script}", "--seeds", "2", "--out", path)
    return path


@pytest.fixture
def prices(tmp_path: Path) -> Path:
    return priced(tmp_path, "scripted")


def priced(folder: Path, model: str) -> Path:
    file = folder / "prices.json"
    price = {"input_per_million": 2.0, "output_per_million": 8.0}
    file.write_text(json.dumps({"currency": "EUR", "models": {model: price}}))
    return file


def reported(folder: Path, *options: str | Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run("report", folder, "--json", *options)[0])
    return found


def test_spending_is_of_the_agents_that_asked_a_model(folder: Path, prices: Path) -> None:
    (world,) = reported(folder, "--count", f"prices={prices}")["scores"]
    (one,) = world["spending"]
    assert (one["agent"], one["models"], one["episodes"]) == ("act(scripted)", ["scripted"], 4)
    total = one["total"]
    assert total["calls"] == one["answers"] and one["endings"]["empty"] > 0
    assert one["money"] == pytest.approx((2 * total["input_tokens"] + 8 * total["output_tokens"]) / 1e6)
    assert one["currency"] == "EUR"


def test_spending_is_told_in_the_terminal_and_on_the_page(folder: Path, prices: Path) -> None:
    text, _ = run("score", folder, "--count", f"prices={prices}", "--all")
    run("report", folder, "--count", f"prices={prices}")
    page = (folder / "report.html").read_text()
    for words in ("What the answers took", "What the answers cost", "EUR"):
        assert words in text and words in page
    run("report", folder)
    assert "What the answers cost" not in (folder / "report.html").read_text()
    assert "What the answers took" in run("score", folder, "--all")[0]


def test_a_model_without_a_price_is_named(folder: Path, tmp_path: Path) -> None:
    text, remarks = run("report", folder, "--count", f"prices={priced(tmp_path, 'scripted-2')}")
    assert "unknown" in text
    assert "no price for model 'scripted'" in remarks and "did you mean scripted-2" in remarks


def test_a_faulty_price_file_is_told_before_anything_is_read(tmp_path: Path) -> None:
    (tmp_path / "prices.json").write_text('{"models": {"small": {"input_per_million": 1}}}')
    with pytest.raises(BackburnerError, match=r"model 'small'.*output_per_million"):
        run("report", tmp_path / "nowhere", "--count", f"prices={tmp_path / 'prices.json'}")


def test_two_agents_are_compared_in_pairs(folder: Path) -> None:
    (found,) = reported(folder, "--compare", "greedy", "random")["comparisons"]
    assert (found["world"], found["pairs"], found["scenarios"]) == ("timearena", 4, 2)
    by_metric = {one["metric"]: one for one in found["differences"]}
    # greedy needs the least minutes; at random it takes longer
    assert by_metric["CT"]["difference"]["value"] < 0 and by_metric["CT"]["better"] == 100

    text, _ = run("report", folder, "--compare", "greedy", "random")
    assert "greedy against random, timearena" in text
    assert "greedy against random, timearena" in (folder / "report.html").read_text()


def test_two_folders_are_compared_in_pairs(folder: Path) -> None:
    (standard,) = folder.glob("timearena/standard")
    one, other = (str(standard / agent) for agent in ("greedy", "random"))
    by_folder = reported(folder, "--compare", one, other)["comparisons"][0]["differences"]
    by_agent = reported(folder, "--compare", "greedy", "random")["comparisons"][0]["differences"]
    assert by_folder == by_agent


def test_who_did_not_play_is_told_with_the_nearest(folder: Path) -> None:
    with pytest.raises(BackburnerError, match=r"'gredy'.*did you mean greedy"):
        run("report", folder, "--compare", "gredy", "random")


def test_every_figure_is_a_file(folder: Path, tmp_path: Path) -> None:
    _, remarks = run("export", folder, "--format", "svg", tmp_path / "figures")
    files = sorted(path.name for path in (tmp_path / "figures" / "timearena").iterdir())
    assert files[0] == "figure-3.svg" and len(files) == 3  # and the scores over time of two scenarios
    assert "3 files" in remarks
    for file in (tmp_path / "figures").rglob("*.svg"):
        assert ET.parse(file).getroot().tag.endswith("svg")


def test_the_page_says_what_went_wrong_in_all_worlds(folder: Path) -> None:
    run("report", folder)
    page = (folder / "report.html").read_text()
    assert "What went wrong" in page and ">unreadable</th>" in page
    (world,) = reported(folder)["scores"]
    act = next(one for one in world["failures"] if one["agent"] == "act(scripted)")
    assert act["refused"] == act["by_family"]["unreadable"] > 0


def test_a_stand_in_is_told_from_a_model(tmp_path: Path) -> None:
    """Its name, a line on the screen and on the page, and no tokens and no money."""
    runs, model = tmp_path / "runs", "stand-in:seed=2,skill=0.50"
    run("run", IDS[0], "--agent", "act", "--model", model, "--out", runs)
    assert (runs / "timearena" / "standard" / "act(stand-in%3Askill=0.5,seed=2)").is_dir()
    assert "1 kept" in run("run", IDS[0], "--agent", "act", "--model", model, "--out", runs)[0]
    told = "stand-in:skill=0.5,seed=2 is no model"
    assert "† no model, but a stand-in" in run("score", runs)[0]
    assert told in run("score", runs, "--all")[1].replace("\n", " ")
    screen, remarks = run("score", runs, "--count", f"prices={priced(tmp_path, 'other')}", "--all")
    assert told in remarks.replace("\n", " ")
    assert "no price for" not in remarks
    assert "none" in screen and "unknown" not in screen
    run("report", runs)
    assert told in (runs / "report.html").read_text()


def test_every_figure_is_a_pdf_too_if_that_is_asked_for(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("typst")
    _, remarks = run("export", folder, "--format", "svg", "--format", "pdf", tmp_path)
    assert "6 files" in remarks
    stems = {path.stem for path in tmp_path.rglob("*.svg")}
    assert stems == {path.stem for path in tmp_path.rglob("*.pdf")} and len(stems) == 3


# --- one table a world -----------------------------------------------------------------------------------


@pytest.fixture
def no_width(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody says how wide the screen is, as pytest-xdist says to its workers."""
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.mark.usefixtures("no_width")
def test_run_score_and_report_end_with_one_table_a_world(folder: Path, tmp_path: Path) -> None:
    """Greedy is the first row: household4 and household9 take it 26 minutes, 200 points in all."""
    title = "timearena, standard rules: 2 scenarios"
    for arguments in (
        ("score", folder),
        ("report", folder, "--out", tmp_path / "page.html"),
        ("run", *IDS, "--agent", "greedy", "--agent", "random", "--seeds", "2", "--out", folder),
    ):
        text, remarks = run(*arguments)
        lines = text.splitlines()
        at = lines.index(title)
        assert "AS % ↑" in lines[at + 1] and "CT min ↓" in lines[at + 1]
        assert lines[at + 3].startswith("greedy") and " 7.7 " in lines[at + 3]
        assert "Waits and loops" not in text
        assert f"backburner score {folder} --all (or --world NAME)" in remarks.replace("\n", " ")


@pytest.mark.usefixtures("no_width")
def test_what_goes_into_a_file_is_plain_and_has_every_name_in_full(folder: Path, tmp_path: Path) -> None:
    agent = "react@history=last-observation-reasoning-action"
    script = tmp_path / "script.txt"
    script.write_text("wait\n")
    long = ("--agent", agent, "--model", f"script:{script}@max_tokens=20")
    text, _ = run("run", IDS[0], *long, "--out", tmp_path / "runs")
    assert f"{agent}(scripted)" in text and "…" not in text and "\x1b" not in text
    assert all(line == line.rstrip() for line in text.splitlines())


def test_everything_of_one_world_is_printed_by_its_name(folder: Path) -> None:
    assert "Waits and loops" in run("score", folder, "--world", "timearena")[0]
    with pytest.raises(BackburnerError, match=r"unknown world 'timearna'.*did you mean timearena"):
        run("score", folder, "--world", "timearna")


def test_what_models_cost_stands_in_the_table(folder: Path, prices: Path) -> None:
    """Only act asked a model; the others have a dash."""
    text, _ = run("score", folder, "--count", f"prices={prices}")
    title, *rows = [line.split() for line in text.splitlines()[1:6] if not line.startswith("─")]
    assert title[-1] == "EUR" and {row[0]: row[-1] == "–" for row in rows} == {
        "greedy": True, "random": True, "act(scripted)": False
    }  # fmt: skip


def test_inspect_takes_no_stand_in(tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai")
    arguments = ("run", IDS[0], "--agent", "act", "--out", str(tmp_path))
    with pytest.raises(BackburnerError, match="plays with engine=own alone"):
        runner.invoke(app, [*arguments, "--model", "stand-in@engine=inspect"], catch_exceptions=False)

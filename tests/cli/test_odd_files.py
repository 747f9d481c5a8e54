"""What stands in a folder of records under a record's name, and is none."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import backburner
from backburner.cli import app
from backburner.kernel.errors import BackburnerError, BadFile


def test_a_check_of_a_folder_names_pipes_and_links_to_nothing(tmp_path: Path) -> None:
    world = backburner.world("timearena/cooking1")
    episode = backburner.play_now(world, backburner.FirstLegalPolicy(), max_steps=2)
    backburner.write_episode(episode, tmp_path / "good.jsonl")
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "gone.jsonl").symlink_to("nowhere")
    (tmp_path / "folder.jsonl").mkdir()
    result = CliRunner().invoke(app, ["verify", str(tmp_path)])
    told = "".join((result.stdout + result.stderr).split())
    assert result.exit_code == 1
    assert "isnoregularfile" in told
    assert "Nosuchfileordirectory" in told
    assert "1of3recordsreplayed" in told


def run(*arguments: object) -> tuple[int, str]:
    """The exit code of a command, and all that it says, on one line."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    said = str(result.exception) if isinstance(result.exception, BackburnerError) else ""
    return result.exit_code, " ".join((result.stdout + result.stderr + said).split())


def test_a_folder_without_records_is_no_folder_in_which_all_is_equal(tmp_path: Path) -> None:
    code, said = run("verify", tmp_path)
    assert code and "no episode record (*.jsonl) in this folder" in said and "equal" not in said


def test_a_report_of_nobody_is_refused_and_writes_nothing(tmp_path: Path) -> None:
    world = backburner.world("timearena/cooking1")
    episode = backburner.play_now(world, backburner.FirstLegalPolicy())
    backburner.write_episode(episode, tmp_path / "good.jsonl")
    for command in ("score", "report", "export"):
        more = ("--format", "csv", "--out", tmp_path / "tables") if command == "export" else ()
        code, said = run(command, tmp_path, "--count", "without=first-legal", *more)
        assert code and "--count without= leaves no agent" in said, command
    assert [file.name for file in tmp_path.iterdir()] == ["good.jsonl"]


def test_an_agent_is_not_compared_with_itself(tmp_path: Path) -> None:
    world = backburner.world("timearena/cooking1")
    backburner.write_episode(backburner.play_now(world, backburner.FirstLegalPolicy()), tmp_path / "a.jsonl")
    code, said = run("report", tmp_path, "--compare", "first-legal", "first-legal")
    assert code and "--compare first-legal first-legal: both sides are the same" in said


def test_a_file_of_an_editor_that_marks_its_encoding_is_read(tmp_path: Path) -> None:
    """Notepad and PowerShell begin files in UTF-8 with a byte order mark; other encodings are named."""
    text = Path(__file__).parents[2].joinpath("docs/add-a-scenario.md").read_text()
    scenario = text.split("```json\n", 1)[1].split("```")[0]
    file = tmp_path / "marked.json"
    file.write_bytes(b"\xef\xbb\xbf" + scenario.encode())
    assert backburner.world(str(file)).scenario
    file.write_text(scenario, "utf-16")
    with pytest.raises(BadFile, match=r"not JSON: it is UTF-16; save it as UTF-8"):
        backburner.world(str(file))


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes on Linux alone")
def test_a_folder_may_have_a_name_that_is_no_text(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"r\xfcns")
    world = backburner.world("timearena/cooking1")
    backburner.write_episode(backburner.play_now(world, backburner.FirstLegalPolicy()), folder / "a.jsonl")
    code, said = run("report", folder)
    assert (code, (folder / "report.html").read_text("utf-8").count("r?ns") > 0) == (0, True), said

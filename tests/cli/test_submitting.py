"""``submit`` and ``verify`` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from backburner.cli import app
from backburner.kernel.errors import BackburnerError

runner = CliRunner()


def run(*arguments: str | Path, code: int = 0) -> tuple[str, str]:
    result = runner.invoke(app, [*map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.stdout, result.stderr


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("submitting")
    run(
        "run",
        "timearena/lab1",
        "timearena/lab2",
        "--agent",
        "serial",
        "--seeds",
        "2",
        "--out",
        folder / "runs",
    )
    (folder / "about.json").write_text(
        '{"agent": "One thing at a time", "organisation": "Lab", "models": ["none"],'
        '"links": ["https://example.org/serial"]}'
    )
    about = ("--about", folder / "about.json")
    shown, said = run("submit", folder / "runs", "--out", folder / "made", *about)
    assert "One thing" not in shown and "headline –, 4 records, 2 seeds" in shown
    assert "missing: 28 of 30 scenarios of timearena/singles" in said
    return folder / "made"


def test_a_submission_is_verified(made: Path) -> None:
    shown, said = run("verify", made)
    assert "verified  figures:" in shown and "claimed   agent:" in shown and "timearena" in shown
    assert "One thing at a time: 4 records," in said and "all equal" in said
    found = json.loads(run("verify", made, "--json")[0])
    assert found["about"]["links"] == ["https://example.org/serial"] and found["problems"] == []


def test_what_was_tampered_with_is_told_and_exits_with_1(made: Path, tmp_path: Path) -> None:
    import shutil

    copy = Path(shutil.copytree(made, tmp_path / "copy"))
    record = next(copy.rglob("*.jsonl"))
    record.write_bytes(record.read_bytes().replace(b"lab", b"LAB", 1))
    shown, said = run("verify", copy, code=1)
    assert f"{record}: is not the file that submission.json lists" in said and not shown
    assert "1 problem" in said and "problems" not in said


def test_records_are_verified_by_the_same_word(made: Path) -> None:
    record = next(made.rglob("*.jsonl"))
    assert "claimed" in run("verify", record)[0]
    assert "4 of 4 records replayed" in run("verify", made / "records")[1]
    assert json.loads(run("verify", record, "--json")[0])["check"]["finished"]
    one, other = (run(*line)[0] for line in (("verify", record), ("verify", record, "--over", "timearena")))
    assert one == other


def test_words_of_the_submitter_are_plain(made: Path, tmp_path: Path) -> None:
    runs = made.parent / "runs"
    for name, why in (("a\x1b[31m", "no text"), ("x" * 300, "at most 200")):
        with pytest.raises(BackburnerError, match=why):
            run("submit", runs, "--out", tmp_path / "out", "--about", f"agent={name}")
    with pytest.raises(BackburnerError, match="unknown exception 'stand-in'; did you mean stand-ins"):
        run("submit", runs, "--out", tmp_path / "out", "--allow", "stand-in")
    with pytest.raises(BackburnerError, match=r"links\[0\]: 'javascript:x': write an address that begins"):
        run("submit", runs, "--out", tmp_path / "out", "--about", "link=javascript:x")
    assert not (tmp_path / "out").exists()


def test_a_headline_is_asked_for_over_some_worlds(made: Path) -> None:
    shown, said = run("score", made.parent / "runs", "--over", "timearena", code=1)
    assert "timearena/singles" in shown and "2 of" in shown
    assert "serial has no headline score: missing are 28 of 30 scenarios" in said
    with pytest.raises(BackburnerError, match="unknown world 'timearean'"):
        run("score", made.parent / "runs", "--over", "timearean")


def test_references_are_written_by_one_command(tmp_path: Path) -> None:
    file = tmp_path / "headline.json"
    run("solve", "collab_overcooked", "--write-references", f"{file}@seeds=1")
    found = json.loads(file.read_text())
    assert (found["seeds"], found["left_out"], len(found["references"])) == (1, [], 30)
    assert found["source"] == "backburner solve collab_overcooked --write-references FILE@seeds=1"

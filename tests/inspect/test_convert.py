"""Logs of Inspect as records, and what is no such log."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from inspect_ai.log import read_eval_log, write_eval_log
from typer.testing import CliRunner

from backburner.cli import app
from backburner.evaluation.records import records
from backburner.inspect.samples import convert
from backburner.kernel.claims import check
from backburner.kernel.episode import read_episode
from backburner.kernel.errors import BackburnerError, BadFile, Refused, install_command


@pytest.fixture
def log(evaluate, answers, tmp_path: Path) -> Path:
    """A log of two episodes."""
    evaluate("backburner/timearena", task_args={"suite": "quick"}, limit=2)
    return next((tmp_path / "logs").glob("*.eval"))


def changed(log: Path, **store: object) -> Path:
    """The log with something else in the store of its first sample."""
    read = read_eval_log(str(log))
    assert read.samples is not None
    read.samples[0].store.update({f"backburner:{key}": value for key, value in store.items()})
    write_eval_log(read, str(log))
    return log


def test_records_come_out_once(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    first, second = convert(log, out), convert(log, out)
    assert (len(first.written), first.kept, first.unfinished) == (2, (), ())
    assert (second.written, second.kept) == ((), first.written)
    assert sorted(first.written) == list(records(out))
    for path in first.written:
        episode = read_episode(path)
        assert check(episode) == len(episode.entries) > 0


def test_another_record_is_not_overwritten(log: Path, tmp_path: Path) -> None:
    first = convert(log, tmp_path).written[0]
    first.write_text("mine")
    with pytest.raises(Refused, match="another record"):
        convert(log, tmp_path)
    assert first.read_text() == "mine"


@pytest.mark.parametrize("attempts", [7, [None], ["no record"], ["[" * 100_000], [{"a": 1}]])
def test_a_sample_whose_record_is_none_stops_no_other(log: Path, tmp_path: Path, attempts: object) -> None:
    found = convert(changed(log, attempts=attempts), tmp_path)
    assert len(found.written) == 1 and len(found.unusable) == 1
    assert "sample timearena/cooking1.seed0: left out, because " in found.unusable[0]
    result = CliRunner().invoke(app, ["score", str(log)])
    assert result.exit_code == 0 and "left out, because" in result.stderr


@pytest.mark.parametrize("file", ["a\0b.jsonl", "../outside.jsonl", "/tmp/outside.jsonl", ""])  # noqa: S108  never written
def test_a_log_writes_nothing_outside_the_folder(log: Path, tmp_path: Path, file: str) -> None:
    with pytest.raises(BadFile, match="within the folder"):
        convert(changed(log, file=file), tmp_path / "out")
    assert not list(tmp_path.rglob("outside.jsonl"))


@pytest.mark.parametrize("attempts", [[], "cut"])
def test_an_unfinished_episode_is_named_and_left_out(log: Path, tmp_path: Path, attempts: object) -> None:
    if attempts == "cut":
        read = read_eval_log(str(log))
        assert read.samples is not None
        lines = read.samples[0].store["backburner:attempts"][-1].splitlines(keepends=True)
        attempts = ["".join(lines[:-1])]
    found = convert(changed(log, attempts=attempts), tmp_path)
    assert (len(found.written), found.unfinished) == (1, ("timearena/cooking1.seed0",))


def test_what_is_no_log_is_named(tmp_path: Path) -> None:
    file = tmp_path / "x.eval"
    for content in (b"", b"nonsense", b"PK\x03\x04"):
        file.write_bytes(content)
        with pytest.raises(BadFile, match=r"x\.eval"):
            convert(file, tmp_path)
    with pytest.raises(BadFile, match="no such file"):
        convert(tmp_path / "none.eval", tmp_path)


def test_commands_read_logs_as_they_read_records(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run = CliRunner().invoke
    assert run(app, ["export", str(log), "--format", "records", "--out", str(out)]).exit_code == 0
    own, logged = (json.loads(run(app, ["score", str(path), "--json"]).stdout) for path in (out, log))
    assert own == logged and own[0]["rows"]
    assert run(app, ["report", str(log)]).exit_code == 0
    assert log.with_suffix(".html").read_text().startswith("<!")
    several = run(app, ["replay", str(log)])
    assert isinstance(several.exception, Refused) and "2 records" in str(several.exception)


def test_without_inspect_the_command_says_how_to_install_it(
    log: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "inspect_ai", None)
    for command in (
        ["export", str(log), "--format", "records", "--out", str(tmp_path / "out")],
        ["score", str(log)],
        ["run", "timearena/cooking1", "--agent", "act", "--model", "m@engine=inspect"],
    ):
        result = CliRunner().invoke(app, command)
        assert isinstance(result.exception, BackburnerError)
        assert install_command("inspect") in str(result.exception)


def test_a_log_that_swells_is_one_line_and_nothing_is_written(log: Path, tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.eval"
    with ZipFile(log) as read, ZipFile(bomb, "w", ZIP_DEFLATED) as made:
        for name in read.namelist():
            more = b" " * (16 << 20) if name.startswith("samples/") else b""
            made.writestr(name, read.read(name) + more)
    for command in (
        ["export", str(bomb), "--format", "records", "--out", str(tmp_path / "out")],
        ["verify", str(bomb)],
    ):
        with pytest.raises(BadFile, match=r"'samples/.*cooking1.seed0_epoch_1.json': more than 300 times"):
            CliRunner().invoke(app, command, catch_exceptions=False)
    assert not (tmp_path / "out").exists()


WAITS = """
import sys, threading
from backburner.inspect import samples
from backburner.cli import main

def endless(*_, **__):
    print("reading", flush=True)
    threading.Event().wait()
    yield

samples.read_eval_log_samples = endless
sys.argv = ["backburner", "export", sys.argv[1], "--format", "records", "--out", "out"]
main()
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_reader_that_never_ends_is_not_waited_for(log: Path, tmp_path: Path, number: int) -> None:
    """However Inspect's reader hangs, whoever ends the command ends it."""
    command = [sys.executable, "-c", WAITS, str(log)]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "reading\n"
        process.send_signal(number)
        assert process.wait(120) == 128 + number

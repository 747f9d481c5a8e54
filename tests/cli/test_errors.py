"""Whatever is wrong with a command is told in one line, and nothing foreign reaches the terminal raw."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.text import Text
from typer.testing import CliRunner

import backburner
from backburner.cli import app
from backburner.cli.console import complain, err, out, remark
from support.command_line import complaint
from support.evaluation.forged import forge

NASTY = "\x1b]0;mine\x07\x1b[2J\x9b31m\x7f[red]agent[/red]\u202eback"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("shwo", "unknown command 'shwo'; did you mean show?"),
        ("show --svgg x", "unknown option '--svgg' in backburner show; did you mean --svg?"),
        ("serve --demo", "unknown option '--demo' in backburner serve; did you mean --games demo=?"),
        (
            "run x --pace 2",
            "unknown option '--pace' in backburner run; did you mean --share or --clock MODE@pace=?",
        ),
        ("--hlep", "unknown option '--hlep' in backburner; did you mean --help?"),
        ("show", "missing argument 'scenario'; see backburner show --help"),
        ("show a b", "got unexpected extra argument(s) (b); see backburner show --help"),
        ("play --partner", "option '--partner' requires an argument"),
        ("run x --seeds many", "invalid value for '--seeds': "),
        ("build timarena --out new", "unknown world 'timarena'; did you mean timearena?"),
        ("show timearena/cooking11", "unknown task"),
        ("report nowhere", "nowhere: no such file or folder"),
    ],
)
def test_every_error_is_one_line(arguments: str, line: str) -> None:
    message = complaint(*arguments.split())
    assert message.startswith(f"backburner: {line}") and message.count("\n") == 1 and message.endswith("\n")


def test_an_unknown_option_of_few_letters_is_one_line_too() -> None:
    assert complaint("list", "-z").startswith("backburner: unknown option '-z' in backburner list; known: ")


def test_a_name_is_quoted_and_not_obeyed() -> None:
    message = complaint("show", f"--{NASTY}")
    assert message.replace("\n", "").isprintable() and "[red]" in message
    assert complaint(f"{NASTY}").replace("\n", "").isprintable()


def test_help_is_no_error() -> None:
    """Without a command there is help, and exit code 2 as for every request that says too little."""
    run = subprocess.run([sys.executable, "-m", "backburner"], capture_output=True, text=True)
    assert run.returncode == 2 and "check-plan" in run.stdout and run.stderr == ""
    run = subprocess.run([sys.executable, "-m", "backburner", "--help"], capture_output=True, text=True)
    assert run.returncode == 0 and "check-plan" in run.stdout


@pytest.mark.parametrize("console", [out, err])
def test_consoles_print_no_foreign_control_characters(
    console: object, capsys: pytest.CaptureFixture[str]
) -> None:
    for printed in (NASTY, Text(NASTY)):
        (out if console is out else err).print(printed, markup=False, highlight=False, soft_wrap=True)
    complain(f"first {NASTY}\nsecond")
    remark(NASTY)
    text = "".join(capsys.readouterr())
    assert text.replace("\n", "").isprintable() and text.count("[red]agent[/red]") == 4
    assert "\nsecond\n" in text, "lines of our own stay"


def test_records_of_strangers_are_shown_without_what_they_would_do(tmp_path: Path) -> None:
    runner = CliRunner()
    world = backburner.world("timearena/household9")
    foreign = tmp_path / "foreign.jsonl"
    backburner.write_episode(backburner.play_now(world, backburner.FirstLegalPolicy(), max_steps=2), foreign)

    def nasty(objects: list[dict[str, Any]]) -> None:
        for player in objects[0]["players"].values():
            player["name"] = NASTY
        objects[-1] |= {"status": "failed", "reason": NASTY, "error": NASTY}

    forge(foreign, nasty)
    for command in ("replay", "report", "score"):
        result = runner.invoke(app, [command, str(foreign)])
        assert result.exit_code == 0, result.output
        assert result.output.replace("\n", "").isprintable(), command
        assert "[red]" in result.output, command


def test_a_picture_does_not_go_to_a_link_that_leads_to_itself(tmp_path: Path) -> None:
    loop = tmp_path / "loop.svg"
    loop.symlink_to(loop)
    arguments = ["run", "timearena/household9", "--agent", "first-legal", "--out", str(tmp_path)]
    assert CliRunner().invoke(app, arguments).exit_code == 0
    record = next(tmp_path.rglob("*.jsonl"))
    assert "levels of symbolic links" in complaint("replay", str(record), "--svg", str(loop))


def test_what_is_no_record_is_told_in_a_sentence(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    result = CliRunner().invoke(app, ["verify", str(pipe)])
    assert result.exit_code and "left out, because it is no regular file" in result.stderr


def test_what_is_read_is_never_written_over(tmp_path: Path) -> None:
    runner = CliRunner()
    arguments = ["run", "timearena/household9", "--agent", "first-legal", "--out", str(tmp_path)]
    assert runner.invoke(app, arguments).exit_code == 0
    record = next(tmp_path.rglob("*.jsonl"))
    content = record.read_bytes()
    assert complaint("replay", str(record), "--svg", str(record)).startswith(
        f"backburner: {record} is what is read"
    )
    assert complaint("replay", str(record), "--html", str(record)).startswith(
        f"backburner: {record} is what is read"
    )
    assert complaint("report", tmp_path, "--out", record).startswith(f"backburner: {record} is a record")
    assert record.read_bytes() == content


def test_every_play_has_a_record_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(3):  # within a second
        stopped = CliRunner().invoke(app, ["play", "timearena/household9"], input="wait\n")
        assert stopped.exit_code == 130  # the input ends before play does
    assert len(list(Path("plays").iterdir())) == 3

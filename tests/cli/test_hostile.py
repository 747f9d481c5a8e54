"""What strangers send: nothing of it reaches the terminal raw, hangs a command, or fills a screen."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from backburner.cli.console import print_json
from backburner.kernel import packs, registry
from backburner.kernel.episode import Episode, read_episode, write_episode
from backburner.kernel.errors import BackburnerError, BadFile, Refused, one_line
from backburner.kernel.values import Thought
from support.command_line import ran
from support.undrawn import undraw

NASTY = "\x1b]0;mine\x07\x1b[2J\x9b31m\x7f[red]a[/red][link=file:///]\u202eback\u2066\u200b[/bogus]\r\x08"


def assert_harmless(text: str) -> None:
    assert text.replace("\n", "").isprintable(), ascii(text)


def test_what_is_not_printed_is_shown() -> None:
    assert one_line("\x1b[2J\u202e\x7f\x9b|\u2066\u200b") == r"\x1b[2J\u202e\x7f\x9b|\u2066\u200b"
    assert one_line("a\tb\nc") == "a b c"
    assert str(BadFile("x\x1b", "y", "z")) == r"x\x1b: y: z"


def test_json_holds_the_same_in_signs_that_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    value = {NASTY: [NASTY, "é 中 😀", "\U000e0001"]}
    print_json(value)
    text = capsys.readouterr().out
    assert_harmless(text)
    assert json.loads(text) == value and "é 中 😀" in text


def test_errors_are_cut_in_their_middle() -> None:
    name = "n" * 10_000
    for error in (
        BadFile("f.json", f"recipes[3] {name!r}", f"{name!r} is none; did you mean 'pot'?"),
        Refused(name),
    ):
        assert len(str(error)) <= 1000
    text = str(BadFile("f.json", "recipes[3]", f"{name!r} is none; did you mean 'pot'?"))
    assert text.startswith("f.json: recipes[3]: 'nnn") and text.endswith("is none; did you mean 'pot'?")
    assert str(BackburnerError()) == ""


def hostile_record(folder: Path, world: str) -> Path:
    """A record of a short play, with strangers' words wherever words may stand."""
    out = folder / world
    assert ran("run", registry.expand(f"{world}/quick")[0], "--agent", "random", "--out", out)[0] == 0
    record = next(out.rglob("*.jsonl"))
    episode = read_episode(record)
    assert episode.ending is not None
    players = {seat: replace(player, name=NASTY) for seat, player in episode.header.players.items()}
    header = replace(episode.header, time_unit=NASTY, version=NASTY, players=players)
    entries = tuple(
        replace(
            entry,
            answers={
                seat: replace(answer, text=NASTY, thoughts=(Thought(NASTY, NASTY),))
                for seat, answer in entry.answers.items()
            },
            events=tuple(replace(event, label=NASTY) for event in entry.events),
        )
        for entry in episode.entries
    )
    ending = replace(episode.ending, reason=NASTY, error=NASTY, status="failed")
    write_episode(Episode(header, entries, ending), record)
    return record


@pytest.mark.parametrize("world", packs.names())
def test_records_of_strangers_in_every_world(world: str, tmp_path: Path) -> None:
    record = hostile_record(tmp_path, world)
    for arguments in (
        ("replay", record),
        ("replay", record, "--json"),
        ("verify", record),
        ("score", record),
        ("report", record, "--out", tmp_path / "page.html"),
        ("check-plan", record),
        ("probe", record, "--at", "0", "--agent", "random", "--times", "1"),
        ("run", registry.expand(f"{world}/quick")[0], "--agent", "random", "--out", tmp_path / world),
    ):
        code, out, err = ran(*arguments)
        assert code in (0, 1, 2) and "Traceback" not in err, err
        assert_harmless(out + err)
        if arguments == ("replay", record):
            assert code == 0 and r"\x1b]0;mine" in out


def test_names_of_strangers_in_arguments(tmp_path: Path) -> None:
    file = tmp_path / f"a{NASTY.replace('/', '')}.json"
    for arguments in (
        *(
            (command, NASTY)
            for command in ("show", "list", "play", "run", "solve", "replay", "score", "report")
        ),
        ("check-plan", NASTY, "--scenario", NASTY),
        ("probe", NASTY, "--at", "0", "--agent", NASTY),
        ("build", NASTY, "--out", tmp_path / "built"),
        ("export", NASTY, "--format", "records", "--out", tmp_path / "out"),
        (NASTY,),
        ("show", f"timearena/{NASTY}"),
        ("show", f"timearena/cooking1@{NASTY}=1"),
        ("show", "timearena/cooking1", "--rules", NASTY),
        ("show", "timearena/cooking1", "--limits", NASTY),
        ("show", "timearena/cooking1", "--prompt", NASTY),
        ("run", "timearena/cooking1", "--agent", NASTY),
        ("run", "timearena/cooking1", "--agent", f"os:{NASTY}"),
        ("run", "timearena/cooking1", "--seeds", NASTY),
        ("run", "timearena/cooking1", "--agent", "act", "--model", f"script:{NASTY}"),
        ("play", "timearena/cooking1", "--seat", NASTY),
        ("report", tmp_path, "--count", f"prices={file}"),
    ):
        code, out, err = ran(*arguments)
        assert code == 2 and out == "" and err.startswith("backburner: ") and err.count("\n") == 1, arguments
        assert_harmless(err)


def test_a_fault_of_ours_is_told_without_what_strangers_wrote_into_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        warnings.warn(NASTY, stacklevel=1)
        logging.getLogger("somebody").warning(NASTY)
        raise KeyError(f"{NASTY}".encode(), Exception(NASTY))

    monkeypatch.setattr(registry, "expand", broken)
    code, out, err = ran("list", "timearena/quick")
    assert (code, out) == (1, "") and "Traceback" in err and "KeyError" in err
    assert_harmless(err)


READING = {
    "replay": ("replay", "{}.jsonl"),
    "score": ("score", "{}.jsonl"),
    "scenario": ("show", "{}.json"),
    "check-plan": ("check-plan", "{}.json"),
    "check-plan of a text": ("check-plan", "{}.txt", "--scenario", "recipe2plan/Cobbler+Pancakes"),
    "keys": ("play", "robotouille/synchronous/1@seed=42", "--keys", "{}.json"),
    "rendering": ("show", "robotouille/synchronous/1@seed=42", "--svg", "a.svg", "--rendering", "{}.json"),
    "prices": ("report", ".", "--count", "prices={}.json"),
    "script": ("run", "timearena/cooking1", "--agent", "act", "--model", "script:{}.txt"),
    "keep": ("solve", "timearena/cooking1", "--keep", "{}.json"),
    "replayed agent": ("run", "timearena/cooking1", "--agent", "replay:{}.jsonl"),
}


@pytest.mark.parametrize("how", READING)
def test_only_files_are_read_and_no_huge_ones(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe would be waited for, ``/dev/zero`` read for ever."""
    monkeypatch.chdir(tmp_path)
    suffix = Path(next(each for each in READING[how] if "{}" in each)).suffix
    os.mkfifo(f"pipe{suffix}")
    Path(f"zero{suffix}").symlink_to("/dev/zero")
    Path(f"folder{suffix}").mkdir()
    with Path(f"huge{suffix}").open("wb") as file:
        file.truncate(2**40)
    for name in ("pipe", "zero", "huge", *(["folder"] if how not in ("score", "scenario") else [])):
        code, out, err = ran(*(each.format(name) for each in READING[how]))
        lines = 2 if how == "score" and name == "huge" else 1  # that there is none, and why it is left out
        assert code == 2 and out == "" and err.count("\n") == lines, (name, out, err)
        assert f"{name}{suffix}" in err


WRITING = {
    "svg": ("show", "timearena/cooking1", "--svg", "{}"),
    "page": ("report", "played", "--out", "{}"),
    "keep": ("solve", "timearena/cooking1", "--keep", "{}"),
    "optima": ("solve", "timearena/cooking1", "--write-optima", "{}"),
    "play": ("play", "timearena/cooking1", "--out", "{}"),
}


@pytest.mark.parametrize("how", WRITING)
def test_a_folder_is_not_written_over(how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("played").mkdir()
    code, out, err = ran(*(each.format(".") for each in WRITING[how]))
    assert code == 2 and out == "" and err.startswith("backburner: .") and err.count("\n") == 1, err
    assert tmp_path.is_dir()


def test_records_go_into_a_folder(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    for arguments in (
        ("run", "timearena/cooking1", "--out", file),
        ("export", "x.eval", "--format", "records", "--out", file),
    ):
        code, out, err = ran(*arguments)
        assert code == 2 and out == "" and err.count("\n") == 1, err
    assert file.read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("play timearena/pairs", "timearena/pairs is a suite of 30 scenarios; name one, such as timearena/"),
        ("show cooking1", "unknown world 'cooking1'; did you mean timearena/cooking1?"),
        (
            "run quick",
            "unknown world 'quick'; did you mean clocked_kitchen/quick or ",
        ),
        (
            "run x --seeds many",
            "invalid value for '--seeds': write a whole number; see backburner run",
        ),
        ("run x --seeds 0", "invalid value for '--seeds': write at least 1; see backburner run --help"),
        ("solve x --time-limit soon", "invalid value for '--time-limit': write a number; see "),
        ("show timearena/cooking1 --svg a.svg --rendering none.json", "none.json: No such file or directory"),
        ("show timearena/cooking1 --rendering none.json", "none.json: No such file or directory"),
    ],
)
def test_what_is_meant_is_offered(
    arguments: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = ran(*arguments.split())
    assert code == 2 and out == "" and err.startswith(f"backburner: {line}") and err.count("\n") == 1, err


def test_a_rendering_that_would_draw_nothing_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendering = tmp_path / "rendering.json"
    rendering.write_text("{}")
    undraw(monkeypatch)
    for more, why in (((), "is drawn as a graph"), (("--svg", tmp_path / "a.svg"), "is drawn as a graph")):
        code, _, err = ran("show", "timearena/cooking1", "--rendering", rendering, *more)
        assert code == 2 and why in err
    assert not (tmp_path / "a.svg").exists()


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "cp437"])
def test_what_an_encoding_has_no_sign_for_stops_no_command(
    encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``–``, ``↑`` and ``…`` stand in tables and pages; an old code page, or C's locale, has none."""
    monkeypatch.chdir(tmp_path)

    def shown(*arguments: object) -> str:
        run = ran(*arguments, columns=100, encoding=encoding)
        assert (run.code, "Traceback" in run.stderr) == (0, False), run.stderr
        return run.stdout

    assert "AS %" in shown("run", "timearena/lab1", "--agent", "serial", "--out", "runs é")
    assert json.loads(shown("score", "runs é", "--json"))[0]["world"] == "timearena"
    assert shown("show", "timearena/lab1")


def test_a_process_takes_the_encoding_that_python_is_told(tmp_path: Path) -> None:
    surroundings = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "backburner", "show", "timearena/lab1"]
    done = subprocess.run(command, capture_output=True, env=surroundings, cwd=tmp_path)
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False), done.stderr

"""``backburner live`` without Node or a server: what is missing is one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from backburner.cli import app
from backburner.cli.on_server import NODE_FOLDER
from backburner.kernel.errors import BackburnerError
from backburner.live.install import NotInstalled


def said(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["live", *arguments])
    assert isinstance(result.exception, BackburnerError), result.output
    return str(result.exception)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "name a scenario or a record, or try --demo"),
        (("minecraft/level_1",), "name the server: --server HOST:PORT, such as localhost:25565"),
        (("minecraft/level_1", "--server", "localhost"), "--server 'localhost' is no HOST:PORT"),
        (("minecraft/level_1", "--server", "localhost:99999"), "is no HOST:PORT"),
        (("minecraft/level_1", "--server", "localhost:²"), "is no HOST:PORT"),
        (("minecraft/level_1", "--listen", "8000"), "--listen says where the page of --demo is"),
        (("--demo", "plays/a.jsonl"), "--demo plays a scenario by agents without a model"),
        (("--demo", "--restore", "a.json"), "--restore FILE stands alone"),
        (("--demo", "--server", "example.org:25565"), "--demo starts a server of its own, at localhost:PORT"),
        (("--demo", "timearena/cooking1"), "cannot be played on a live server"),
    ],
)
def test_what_is_wrong_is_told(arguments: tuple[str, ...], told: str) -> None:
    assert told in said(*arguments)


def test_what_is_not_installed_is_told_before_anybody_plays(tmp_path: Path) -> None:
    arguments = ("minecraft/level_1", "--server", "localhost:25565")
    result = CliRunner().invoke(app, ["live", *arguments], env={NODE_FOLDER: str(tmp_path)})
    assert isinstance(result.exception, NotInstalled)
    assert "mineflayer" in str(result.exception)
    assert f": `BACKBURNER_NODE_FOLDER={tmp_path} backburner live --demo` gets" in str(result.exception)

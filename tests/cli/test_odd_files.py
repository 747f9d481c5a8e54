"""What stands in a folder of records under a record's name, and is none."""

from __future__ import annotations

import os
from pathlib import Path

from typer.testing import CliRunner

import backburner
from backburner.cli import app


def test_a_check_of_a_folder_names_pipes_and_links_to_nothing(tmp_path: Path) -> None:
    world = backburner.world("timearena/cooking1")
    episode = backburner.play_now(world, backburner.FirstLegalPolicy(), max_steps=2)
    backburner.write_episode(episode, tmp_path / "good.jsonl")
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "gone.jsonl").symlink_to("nowhere")
    (tmp_path / "folder.jsonl").mkdir()
    result = CliRunner().invoke(app, ["replay", str(tmp_path), "--check"])
    told = "".join((result.stdout + result.stderr).split())
    assert result.exit_code == 1
    assert "isnoregularfile" in told
    assert "Nosuchfileordirectory" in told
    assert "1of3recordsreplayed" in told

"""Records of a folder: what cannot be scored is named, and the rest is scored."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import backburner
from backburner.evaluation.scoring import scores
from backburner.kernel.episode import write_episode
from backburner.kernel.values import Seat, Step
from backburner.worlds.timearena.game.state import State
from backburner.worlds.timearena.game.world import TimeArena
from support.evaluation.forged import forge


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A good record, one that stops in the middle, one whose state is wrong, and a file that is none."""
    episode = backburner.play_now(backburner.world("timearena/household9"), backburner.FirstLegalPolicy())
    write_episode(episode, tmp_path / "good.jsonl")
    lines = (tmp_path / "good.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "cut.jsonl").write_text("".join(lines[:-2]))
    forge(
        tmp_path / "good.jsonl",
        lambda objects: objects[1].update(digest="0" * 16),
        tmp_path / "wrong.jsonl",
    )
    (tmp_path / "words.jsonl").write_text("no record\n")
    return tmp_path


def test_what_cannot_be_scored_is_named(folder: Path) -> None:
    loaded = scores.load(folder)
    assert [path.name for path, _ in loaded.episodes] == ["good.jsonl"]
    cut, words, wrong = loaded.unusable
    assert "cut.jsonl: left out, because it stops after step" in cut and "words.jsonl" in words
    assert "wrong.jsonl: left out, because it does not replay: " in wrong


def test_a_record_on_which_a_world_breaks_stops_no_other(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    episode = backburner.play_now(backburner.world("timearena/cooking1"), backburner.FirstLegalPolicy())
    write_episode(episode, folder / "breaks.jsonl")
    play = TimeArena.step

    def broken(world: TimeArena, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        if world.id == "timearena/cooking1":
            raise IndexError("list index out of range")
        return play(world, state, decisions)

    monkeypatch.setattr(TimeArena, "step", broken)
    loaded = scores.load(folder)
    assert [path.name for path, _ in loaded.episodes] == ["good.jsonl"]
    assert loaded.unusable[0].endswith("cannot play this record (IndexError: list index out of range)")

"""Kitchens on the command line: shown, played with keys, played back."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from backburner.cli import app
from backburner.kernel.episode import read_episode
from backburner.kernel.errors import Refused
from support.undrawn import undraw

KITCHEN = "robotouille/synchronous/1"


def run(*arguments: str, input: str | None = None, code: int = 0) -> Result:
    result = CliRunner().invoke(app, list(arguments), input=input, catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result


def play(record: Path, *lines: str, options: tuple[str, ...] = (), id: str = KITCHEN) -> Result:
    """The output of a person who types these lines, and then gives up, which is asked twice."""
    typed = "\n".join((*lines, "finish", "finish", ""))
    return run("play", id, "--limits", "none", "--out", str(record), *options, input=typed)


def test_show_draws_the_opening_scene(tmp_path: Path) -> None:
    shown = run("show", KITCHEN, "--limits", "none", "--scene", "--svg", str(tmp_path / "kitchen.svg"))
    root = ElementTree.parse(tmp_path / "kitchen.svg").getroot()
    words = "".join(root.itertext())
    assert KITCHEN in words and "robot1" in words and "table1" in words
    assert "▌table1" in shown.stdout


def test_show_draws_the_graph_of_each_dish_where_there_are_graphs_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = "robotouille/asynchronous/4"
    shown = run("show", two, "--limits", "none", "--svg", str(tmp_path / "graphs.svg"))
    assert "fry potato" in shown.stdout and "▌table1" in shown.stdout
    picture = (tmp_path / "graphs.svg").read_text()
    assert ">cook patty</text>" in picture and ">dish 2 (potato)</text>" in picture
    assert "▌table1" not in run("show", two, "--limits", "none", "--graph").stdout
    assert "fry potato" not in run("show", two, "--limits", "none", "--scene").stdout
    undraw(monkeypatch)
    with pytest.raises(Refused, match="has no scene"):
        run("show", "timearena/cooking1", "--scene")
    with pytest.raises(Refused, match="has no dependency graph"):
        run("show", "collab_overcooked/boiled_egg", "--graph")


def test_a_record_of_a_world_that_cannot_be_drawn_has_no_scenes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    undraw(monkeypatch)
    run("run", "timearena/household9", "--agent", "first-legal", "--out", str(tmp_path))
    record = str(next(tmp_path.rglob("*.jsonl")))
    with pytest.raises(Refused, match="timearena/household9 has no scenes"):
        run("replay", record, "--picture", str(tmp_path / "q.svg"))
    assert not (tmp_path / "q.svg").exists()


def test_images_that_are_not_there_are_told(tmp_path: Path) -> None:
    rendering = tmp_path / "rendering.json"
    rendering.write_text(json.dumps({"player": {"robot": {"front": "front.png"}}}))
    svg = str(tmp_path / "k.svg")
    shown = run("show", KITCHEN, "--limits", "none", "--svg", svg, "--rendering", str(rendering))
    assert "1 images are not there" in shown.stderr and "front.png" in shown.stderr


def test_a_kitchen_is_played_with_letters_and_played_back(tmp_path: Path) -> None:
    record = tmp_path / "play.jsonl"
    shown = play(record, "B", "space", "robot1 sings", options=("--strict",))
    assert "A place's letter" in shown.stdout and "space: wait" in shown.stdout
    episode = read_episode(record)
    acts = [entry.answers["robot1"].decision["acts"] for entry in episode.entries[:2]]
    assert acts[0][0].startswith("move(") and acts[1] == ["wait()"]
    page = tmp_path / "play.html"
    run("verify", str(record))
    run("replay", str(record), "--html", str(page))
    assert 'id="stage"' in page.read_text() and "robot1 sings" in page.read_text()
    assert run("replay", str(record)).stdout.count("robot1") == 1, "one lane"


def test_a_file_of_keys(tmp_path: Path) -> None:
    keys = tmp_path / "keys.json"
    entry = {"name": "wait", "input_instructions": {"key": "w", "at": None}}
    keys.write_text(json.dumps({"keyboard_actions": [entry]}))
    play(tmp_path / "play.jsonl", "w", options=("--keys", str(keys)))
    assert read_episode(tmp_path / "play.jsonl").entries[0].answers["robot1"].decision == {"acts": ["wait()"]}


def test_a_world_without_keys_says_so(tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_text("{}")
    with pytest.raises(Exception, match="cannot be played with keys"):
        run("play", "timearena/cooking1", "--keys", str(tmp_path / "keys.json"))


def test_each_robot_is_asked_by_name(tmp_path: Path) -> None:
    shown = play(tmp_path / "play.jsonl", "space", "space", id="robotouille/multi_agent/1")
    assert "robot1> " in shown.stdout and "robot2> " in shown.stdout


def test_timelines_put_robots_on_top(tmp_path: Path) -> None:
    """Also those of a dispatcher, which is no lane."""
    record = tmp_path / "play.jsonl"
    id = "robotouille/multi_agent/1@play=dispatcher"
    play(record, "robot2 space; robot1 space", id=id)
    rows = run("replay", str(record)).stdout.splitlines()
    assert [row.split()[0] for row in rows[1:3]] == ["robot1", "robot2"]

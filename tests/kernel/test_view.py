from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from backburner.kernel.errors import BadFile
from backburner.kernel.view import Click, ClickAction, Controls, Key, KeyAction, read_controls

VERBS = {"move": ("p1", "s1", "s2"), "cook": ("i1", "p1", "s1"), "wait": ()}


def figure_10(**changes: Any) -> dict[str, Any]:
    click = {"name": "move", "input_instructions": {"button": "left", "click_on": "s2"}}
    press = {"name": "cook", "input_instructions": {"key": "e", "at": "s1"}}
    return {"mouse_click_actions": [click], "keyboard_actions": [press | changes]}


def written(folder: Path, raw: Any) -> Path:
    file = folder / "input.json"
    file.write_text(raw if isinstance(raw, str) else json.dumps(raw))
    return file


def test_a_file_of_the_article_is_read(tmp_path: Path) -> None:
    assert read_controls(written(tmp_path, figure_10()), VERBS) == Controls(
        (ClickAction("move", Click("s2")),), (KeyAction("cook", Key("e", "s1")),)
    )


def test_a_key_may_be_pressed_anywhere(tmp_path: Path) -> None:
    raw = figure_10(name="wait", input_instructions={"key": "space", "at": None})
    assert read_controls(written(tmp_path, raw), VERBS).keyboard_actions[0].param is None


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("[", "not a file of keys and clicks"),
        ({"keyboard_action": []}, "keyboard_action"),
        (figure_10(name="cok"), r"keyboard_actions\[0\], field 'name': .*did you mean cook"),
        (
            figure_10(input_instructions={"key": "e", "at": "s9"}),
            r"'cook', field 'input_instructions': .*'s9'",
        ),
        (figure_10(input_instructions={"at": "s1"}), r"keyboard_actions\[0\].*|missing required field `key`"),
    ],
)
def test_a_mistake_is_told_with_its_place(tmp_path: Path, raw: Any, message: str) -> None:
    with pytest.raises(BadFile, match=message) as caught:
        read_controls(written(tmp_path, raw), VERBS)
    assert "input.json" in str(caught.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"none\.json"):
        read_controls(tmp_path / "none.json", VERBS)


def test_what_a_world_does_not_know_is_left_out() -> None:
    controls = Controls(
        (ClickAction("move", Click("s2")), ClickAction("fly", Click("s2"))),
        (KeyAction("cook", Key("e", "i9")), KeyAction("wait", Key("space"))),
    )
    assert [entry.name for _, entry in controls.known(VERBS).entries()] == ["move", "wait"]

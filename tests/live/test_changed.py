"""The list of what play has changed on a server, and putting it back later; the worker needs no Node."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from backburner.cli import app
from backburner.kernel.errors import BadFile, Refused
from backburner.live.bots import PUT_BACK, changed_in, file_for, told_changes
from backburner.live.messages import Change, Join
from support.live.farm import asked, farm_in

JOIN = Join(host="localhost", port=25565, bots=("alex", "steve"))
LISTED: dict[str, Any] = {
    "host": "localhost",
    "port": 25565,
    "version": "1.16.5",
    "auth": "offline",
    "bots": ["alex", "steve"],
    "changes": [{"kind": "block", "at": [1, 64, 2], "was": "air", "becomes": "chest"}],
}


def list_in(folder: Path, **more: Any) -> Path:
    file = folder / "changed.json"
    file.write_text(json.dumps({**LISTED, **more}))
    return file


def restore(folder: Path, file: Path, how: str = "well", *more: str) -> Result:
    node = farm_in(folder / "node", how)
    return CliRunner().invoke(app, ["live", "--restore", f"{file}@node_folder={node}", *more])


def test_a_list_says_which_bots_put_what_back_where(tmp_path: Path) -> None:
    found = changed_in(list_in(tmp_path))
    assert found.join == JOIN
    assert found.changes == (Change("block", "chest", "air", (1, 64, 2)),)


def test_many_blocks_that_change_alike_are_one_line() -> None:
    """Nine of a floor are, eight are not; what changes otherwise is a line of its own."""
    floor = [Change("block", "grass_block", "air", (x, 63, z)) for x in range(3) for z in range(3)]
    others = [Change("block", "air", "oak_log", (4, 64, 4)), Change("mob", "pig", None, (1, 64, 1))]
    assert list(told_changes([*floor, *others])) == [
        "9 blocks, 0 63 0 to 2 63 2: air -> grass_block",
        "block 4 64 4: oak_log -> air",
        "mob 1 64 1: nothing -> pig",
    ]
    assert len(list(told_changes(floor[:8]))) == 8


BAD: dict[str, dict[str, Any]] = {
    "Expected `int`, got `str` - at `$.port`": {"port": "25565"},
    "Object contains unknown field `more`": {"more": 1},
    r"at `$.changes[0].kind`": {"changes": [{"kind": "rocket", "becomes": "air"}]},
}


@pytest.mark.parametrize("told", BAD)
def test_what_is_no_list_is_told_in_a_line(told: str, tmp_path: Path) -> None:
    with pytest.raises(BadFile) as caught:
        changed_in(list_in(tmp_path, **BAD[told]))
    assert "changed.json: not a list of changes on a server: " in str(caught.value)
    assert told in str(caught.value) and "\n" not in str(caught.value)


def test_a_server_has_one_list_in_a_folder(tmp_path: Path) -> None:
    file = file_for(tmp_path, JOIN)
    assert file == tmp_path / "changed-on-localhost-25565.json"
    assert file_for(tmp_path, Join(host="::1", port=1, bots=())).name == "changed-on-__1-1.json"
    file.write_text("{}")
    with pytest.raises(Refused, match=f"`backburner live --restore {file}` does; remove it if"):
        file_for(tmp_path, JOIN)


def test_all_of_a_list_is_put_back(tmp_path: Path) -> None:
    result = restore(tmp_path, list_in(tmp_path))
    assert result.exit_code == 0 and result.output.splitlines() == [PUT_BACK], result.output
    assert asked(tmp_path / "node") == ["join", "restore", "leave"]


def test_what_cannot_be_put_back_is_told_and_the_list_named(tmp_path: Path) -> None:
    file = list_in(tmp_path)
    result = restore(tmp_path, file, "left")
    assert "could not be put back: block 1 64 2: air -> chest" in result.output
    assert f"{file} lists it; `backburner live --restore {file}` tries again" in result.output
    assert str(result.exception) == f"not all of {file} is put back"


def test_a_list_stands_alone(tmp_path: Path) -> None:
    result = restore(tmp_path, list_in(tmp_path), "well", "minecraft/level_1")
    assert str(result.exception) == "--restore FILE stands alone: the file says which server it is"


def test_where_a_list_is_left_nothing_is_built(tmp_path: Path) -> None:
    file_for(tmp_path, JOIN).write_text(json.dumps(LISTED))
    node = farm_in(tmp_path / "node")
    server = f"localhost:25565@agreed=yes,node_folder={node}"
    at = ["--server", server, "--out", str(tmp_path / "live.jsonl")]
    result = CliRunner().invoke(app, ["live", "minecraft/level_1", *at])
    assert "lists what was changed on localhost:25565 before and is not put back" in str(result.exception)
    assert not (tmp_path / "node" / "asked").exists() and not (tmp_path / "live.jsonl").exists()

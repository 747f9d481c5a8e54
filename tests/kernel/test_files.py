"""Files appear whole or not at all, and what cannot be read is one message."""

from __future__ import annotations

from pathlib import Path

import pytest

from backburner.kernel.errors import BadFile
from backburner.kernel.files import read_json, write_whole


def test_a_file_appears_with_its_folders_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "report.html"
    write_whole(path, b"first")
    write_whole(path, b"second")
    assert path.read_bytes() == b"second"
    assert list(path.parent.iterdir()) == [path]


def test_when_it_cannot_be_put_in_place_nothing_is_left_behind(tmp_path: Path) -> None:
    path = tmp_path / "taken"
    (path / "inside").mkdir(parents=True)
    with pytest.raises(OSError):
        write_whole(path, b"content")
    assert list(tmp_path.iterdir()) == [path]


def test_json_is_read_as_plain_values(tmp_path: Path) -> None:
    write_whole(tmp_path / "a.json", b'{"a": [1, null]}')
    assert read_json(tmp_path / "a.json") == {"a": [1, None]}


def test_what_is_no_json_is_named(tmp_path: Path) -> None:
    write_whole(tmp_path / "a.json", b"{")
    with pytest.raises(BadFile, match=r"a\.json: not JSON"):
        read_json(tmp_path / "a.json")
    with pytest.raises(BadFile, match=r"b\.json: No such file"):
        read_json(tmp_path / "b.json")
    with pytest.raises(BadFile, match="not a file's name"):
        read_json(tmp_path / "a\0.json")


def test_a_number_too_long_to_be_read_is_a_fault_of_the_content(tmp_path: Path) -> None:
    write_whole(tmp_path / "a.json", b"1" * 5000)
    with pytest.raises(BadFile, match=r"a\.json: not JSON"):
        read_json(tmp_path / "a.json")

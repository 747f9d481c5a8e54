"""Files appear whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from backburner.kernel.files import write_whole


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

"""Files appear whole or not at all, and what cannot be read is one message."""

from __future__ import annotations

import errno
import os
import re
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from backburner.kernel.errors import BadFile
from backburner.kernel.files import check_destination, read_json, write_secret, write_whole


def test_a_file_appears_with_its_folders_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "report.html"
    write_whole(path, b"first")
    write_whole(path, b"second")
    assert path.read_bytes() == b"second"
    assert list(path.parent.iterdir()) == [path]


def test_when_it_cannot_be_put_in_place_nothing_is_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    (tmp_path / "a.svg").write_bytes(b"before")
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(BadFile, match=r"a\.svg: No space left on device"):
        write_whole(tmp_path / "a.svg", b"content")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a.svg": b"before"}


@pytest.mark.parametrize("path", [".", "..", "/", "taken"])
def test_a_folder_is_refused_and_stays(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken" / "inside").mkdir(parents=True)
    for write in (lambda path: write_whole(path, b"content"), check_destination):
        with pytest.raises(BadFile, match=f"^{re.escape(path)}: is a folder; name a file in it$"):
            write(Path(path))
    assert list(tmp_path.iterdir()) == [tmp_path / "taken"]


def test_a_file_in_the_place_of_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "notes").write_bytes(b"mine")
    with pytest.raises(BadFile, match=r"picture\.svg: .*notes is a file, not a folder"):
        write_whole(tmp_path / "notes" / "more" / "picture.svg", b"content")
    assert (tmp_path / "notes").read_bytes() == b"mine"


def test_what_is_no_name_of_a_file_is_told(tmp_path: Path) -> None:
    for name in ("a\0b", "x" * 300):
        with pytest.raises(BadFile):
            write_whole(tmp_path / name, b"content")
    (tmp_path / "circle").symlink_to("circle")
    with pytest.raises(BadFile, match="circle"):
        write_whole(tmp_path / "circle", b"content")
    assert (tmp_path / "circle").is_symlink()


def test_what_a_link_points_to_is_written_and_the_link_stays(tmp_path: Path) -> None:
    """Also where nothing is there yet; nothing stays behind beside the link or the file."""
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "old.svg").write_bytes(b"before")
    for name in ("old.svg", "new.svg"):
        (tmp_path / "here" / name).symlink_to(f"../there/{name}")
        (tmp_path / "here" / f"far-{name}").symlink_to(name)
        write_whole(tmp_path / "here" / f"far-{name}", name.encode())
        assert (tmp_path / "here" / f"far-{name}").is_symlink() and (tmp_path / "here" / name).is_symlink()
        assert (tmp_path / "there" / name).read_bytes() == name.encode()
    assert len(list((tmp_path / "here").iterdir())) == 4 and len(list((tmp_path / "there").iterdir())) == 2


def test_a_device_is_written_to_and_stays_one() -> None:
    write_whole(Path("/dev/null"), b"content")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def no_room(*_: Any) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_on_a_full_disk_a_file_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the disk says only when it is asked to keep the bytes that it took them in vain."""
    (tmp_path / "a").write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", no_room)
    with pytest.raises(BadFile, match="a: No space left on device"):
        write_whole(tmp_path / "a", b"new", lasting=True)
    with pytest.raises(BadFile, match="secret: No space left on device"):
        write_secret(tmp_path / "secret", b"new")
    assert (tmp_path / "a").read_bytes() == b"old" and len(list(tmp_path.iterdir())) == 1


def test_a_secret_is_its_owner_s_alone_and_never_written_over(tmp_path: Path) -> None:
    write_secret(tmp_path / "in" / "secret", b"one")
    assert stat.S_IMODE((tmp_path / "in" / "secret").stat().st_mode) == 0o600
    with pytest.raises(BadFile, match="File exists"):
        write_secret(tmp_path / "in" / "secret", b"two")
    assert (tmp_path / "in" / "secret").read_bytes() == b"one"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_device_that_takes_nothing_says_so_and_stays() -> None:
    with pytest.raises(BadFile, match="/dev/full: No space left on device"):
        write_whole(Path("/dev/full"), b"content")
    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)


def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "link").symlink_to("pipe")
    for path in (pipe, tmp_path / "link"):
        with ThreadPoolExecutor(1) as reader:
            got = reader.submit(pipe.read_bytes)
            write_whole(path, b"content" * 100_000)
            assert got.result(timeout=10) == b"content" * 100_000
    assert pipe.is_fifo() and (tmp_path / "link").is_symlink()


ON_STDOUT = """
import sys
from pathlib import Path
from backburner.kernel.files import write_whole
print("before", flush=True)
write_whole(Path(sys.argv[1]), b"content\\n")
print("after")
"""


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="streams are no links on this system")
@pytest.mark.parametrize("path", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
def test_output_that_goes_into_a_file_goes_on_where_it_is(path: str, tmp_path: Path) -> None:
    """``backburner show ... --svg /dev/stdout > file``: neither the file nor what stands in it is lost."""
    (tmp_path / "link").symlink_to("/dev/stdout")
    with (tmp_path / "out.txt").open("wb") as file:
        command = [sys.executable, "-c", ON_STDOUT, path]
        subprocess.run(command, stdout=file, cwd=tmp_path, check=True)
    assert (tmp_path / "out.txt").read_text() == "before\ncontent\nafter\n"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link", "out.txt"]


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

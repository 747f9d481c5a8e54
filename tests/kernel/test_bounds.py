"""What may be decoded and unpacked is found out before it is."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from backburner.kernel import bounds
from backburner.kernel.bounds import MOST_NESTED, check_json, unpacked
from backburner.kernel.errors import BadFile
from backburner.kernel.files import MOST_CELLS, cells, read_json

TEXTS = st.text(alphabet=st.sampled_from('\\"[{]},:a\n\x00é'), max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXTS, inner, max_size=5),
    max_leaves=60,
)


def marks(value: Any) -> int:
    """Opening brackets and commas of a value: one fewer than its values, an empty list or object aside."""
    parts = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if parts is None else 1 + max(0, len(parts) - 1) + sum(map(marks, parts))


def deep(value: Any) -> int:
    parts = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if parts is None else 1 + max(map(deep, parts), default=0)


@given(value=VALUES, cut=st.integers(1, 7))
@example(value=["\\", '\\"[', {"]": "\\\\"}], cut=1)
def test_values_are_counted_outside_of_texts_however_a_file_is_portioned(value: Any, cut: int) -> None:
    text = json.dumps(value, ensure_ascii=False).encode()
    there = marks(value)
    portions = [text[start : start + cut] for start in range(0, len(text), cut)]
    assert b"".join(bounds._checked(portions, there)) == text
    if there:
        with pytest.raises(ValueError, match=f"more than {there - 1} values"):
            list(bounds._checked(portions, there - 1))
        with pytest.raises(ValueError, match=f"more than {there - 1} values"):
            check_json(text, there - 1)
    check_json(text, there)


@given(value=VALUES)
def test_depth_is_counted_outside_of_texts(value: Any) -> None:
    inside = json.dumps(value, ensure_ascii=False).encode()
    room = MOST_NESTED - deep(value)
    check_json(b"[" * room + inside + b"]" * room)
    with pytest.raises(ValueError, match="nested deeper"):
        check_json(b"[" * (room + 1) + inside + b"]" * (room + 1))


@pytest.mark.parametrize("unit", ["{},", "1000,", '"ab",', '{"a":[]},', "[[]],"])
def test_a_file_of_too_many_values_is_refused_before_it_is_decoded(
    unit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "many.json"
    file.write_text("[" + unit * bounds.MOST_VALUES + "1]")
    monkeypatch.setattr("msgspec.json.decode", lambda *_, **__: pytest.fail("it was decoded"))
    with pytest.raises(BadFile, match=f"many.json: not JSON: more than {bounds.MOST_VALUES} values"):
        read_json(file)


def test_a_table_of_too_many_cells_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=f"a.csv: more than {MOST_CELLS} cells"):
        next(cells("," * (MOST_CELLS + 1), tmp_path / "a.csv"))


# --- archives --------------------------------------------------------------------------------------------


def archive(tmp_path: Path, method: int = zipfile.ZIP_DEFLATED, **members: bytes) -> Path:
    file = tmp_path / "log.eval"
    with zipfile.ZipFile(file, "w", method) as made:
        for name, content in members.items():
            made.writestr(name, content)
    return file


def held(file: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as read:
        assert {info.compress_type for info in read.infolist()} <= {zipfile.ZIP_STORED}
        return {name: read.read(name) for name in read.namelist()}


def refused(file: Path, why: str, to: Path | None = None) -> None:
    with pytest.raises(BadFile, match=why) as error:
        unpacked(file, to or file.with_name("plain"))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_what_is_unpacked_is_what_was_packed(tmp_path: Path, method: int) -> None:
    members = {"header.json": b'{"a":1}', "b": json.dumps(list(range(300_000))).encode(), "empty": b""}
    unpacked(archive(tmp_path, method, **members), tmp_path / "plain")
    assert held(tmp_path / "plain") == members


def test_of_two_members_of_one_name_the_last_counts(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "two.eval", "w") as made:
        made.writestr("a", b"1")
        with pytest.warns(UserWarning, match="Duplicate"):
            made.writestr("a", b"2")
    unpacked(tmp_path / "two.eval", tmp_path / "plain")
    assert held(tmp_path / "plain") == {"a": b"2"}


def test_an_archive_that_swells_is_refused_by_its_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb = archive(tmp_path, sample=b'"' + b"x" * (4 << 20) + b'"')
    monkeypatch.setattr(zipfile.ZipExtFile, "read", lambda *_: pytest.fail("it was inflated"))
    refused(bomb, f"member 'sample': more than {bounds.MOST_RATIO} times as large as its room")
    monkeypatch.setattr(bounds, "MOST_MEMBER_BYTES", 1000)
    refused(bomb, "member 'sample': 4194306 bytes; at most 1000 are read")
    monkeypatch.setattr(bounds, "MOST_UNPACKED_BYTES", 10)
    refused(archive(tmp_path, a=b"1" * 6, b=b"1" * 6), "more than 10 bytes in all")
    monkeypatch.setattr(bounds, "MOST_MEMBERS", 1)
    refused(archive(tmp_path, a=b"1", b=b"1"), "more than 1 members")
    monkeypatch.undo()
    refused(archive(tmp_path, zipfile.ZIP_BZIP2, a=b"1" * 6), "member 'a': packed by method 12")


def test_a_directory_that_tells_another_size_is_found_out(tmp_path: Path) -> None:
    """One size in the local header and the directory, and more behind it; and less."""
    for told in (10, 5000):
        file = archive(tmp_path, a=b"1" * 1000)
        content = file.read_bytes()
        assert content.count(struct.pack("<L", 1000)) == 2
        file.write_bytes(content.replace(struct.pack("<L", 1000), struct.pack("<L", told)))
        refused(file, "member 'a': another size than|Bad CRC|no archive that can be read")


def test_values_in_a_member_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MOST_MEMBER_VALUES", 1000)
    refused(archive(tmp_path, a=b"[" + b"{}," * 1000 + b"1]"), "member 'a': more than 1000 values")
    refused(archive(tmp_path, a=b"[" * 200), "member 'a': nested deeper")
    unpacked(archive(tmp_path, a=b'"' + b"{}," * 1000 + b'"'), tmp_path / "plain")


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x05\x06" + bytes(18), b"PK\x01\x02" * 9])
def test_what_is_no_archive_is_refused_or_empty(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.eval").write_bytes(content)
    if content.startswith(b"PK\x05"):
        unpacked(tmp_path / "a.eval", tmp_path / "plain")
    else:
        refused(tmp_path / "a.eval", "a.eval: no archive that can be read")


@given(at=st.integers(0, 10_000), sign=st.integers(0, 255))
def test_a_changed_archive_is_refused_or_holds_bounded_members(at: int, sign: int) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("a", b"[1,2]" * 40)
        made.writestr("b", b"{}")
    content = bytearray(stream.getvalue())
    content[at % len(content)] = sign
    with TemporaryDirectory() as folder:
        (Path(folder) / "a.eval").write_bytes(content)
        try:
            unpacked(Path(folder) / "a.eval", Path(folder) / "plain")
        except BadFile as error:
            assert str(error).isprintable()

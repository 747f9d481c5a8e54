"""Labels on disk: whole lines or none, the last word counts, whatever a file holds."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from io import FileIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.evaluation.labels.label_files import (
    Key,
    LabelFile,
    Said,
    check_name,
    file_of,
    folder_of,
    read_labels,
    record_digest,
)
from backburner.kernel.episode import Entry
from backburner.kernel.errors import BadFile, Refused
from backburner.kernel.values import Usage, canonical_json
from support.evaluation.labelled import line
from support.evaluation.made_episodes import made
from support.promptly import within

ONE, OTHER = Key("tea", "failures", "0" * 16), Key("tea", "failures", "1" * 16, 3, "cook")


def add(folder: Path, *lines: Said) -> Path:
    path = file_of(folder, lines[0].annotator)
    with LabelFile(path) as file:
        for said in lines:
            file.add([said])
    return path


def test_the_last_word_on_a_case_counts_and_an_empty_one_takes_it_back(tmp_path: Path) -> None:
    add(tmp_path, line(ONE, "ann", "state"), line(ONE, "ann", "goal"), line(OTHER, "ann", "goal"))
    add(tmp_path, line(ONE, "bob", "state"), line(ONE, "bob", ""))
    found = read_labels(tmp_path)
    assert {(said.annotator, said.key, said.label) for said in found.said} == {
        ("ann", ONE, "goal"),
        ("ann", replace(OTHER, at=-1, seat=""), "goal"),
    }
    assert found.annotators == {"ann": "person"}


def test_half_a_line_is_passed_over_and_cut_off_before_the_next(tmp_path: Path) -> None:
    path = add(tmp_path, line(ONE, "ann", "state"))
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"annotator":"ann","role":"per')
    assert [said.label for said in read_labels(tmp_path).said] == ["state"]
    add(tmp_path, line(ONE, "ann", "goal"))
    assert path.read_bytes().startswith(whole) and path.read_bytes().count(b"\n") == 2
    assert read_labels(tmp_path).unusable == ()


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = add(tmp_path, line(ONE, "ann", "state"))
    before = path.read_bytes()

    class Full(FileIO):
        def write(self, content: Any) -> int:
            return super().write(bytes(content)[:10])

    with LabelFile(path) as file:
        file._file.close()
        file._file = Full(path, "a+b")
        with pytest.raises(BadFile, match="disk is full"):
            file.add([line(ONE, "ann", "goal")])
    assert path.read_bytes() == before


def test_two_sessions_under_one_name_are_refused(tmp_path: Path) -> None:
    with LabelFile(file_of(tmp_path, "ann")), pytest.raises(Refused, match="another session"):
        LabelFile(file_of(tmp_path, "ann"))
    with LabelFile(file_of(tmp_path, "ann")), LabelFile(file_of(tmp_path, "bob")):
        pass


WRITER = """
import sys
from pathlib import Path
from backburner.evaluation.labels.label_files import Key, LabelFile, file_of
from support.evaluation.labelled import line
with LabelFile(file_of(Path(sys.argv[1]), "ann")) as file:
    for number in range(100_000):
        file.add([line(Key("tea", "failures", f"{number:016x}"), "ann", "state")])
        print(number, flush=True)
"""


@pytest.mark.parametrize("after", [1, 7, 40])
def test_what_was_told_to_be_written_is_there_after_a_kill(tmp_path: Path, after: int) -> None:
    tests = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(tests)},
    ) as process:
        assert process.stdout is not None
        for _ in range(after):
            process.stdout.readline()
        time.sleep(0.001 * after)
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read().splitlines()
    told = after + len(rest)
    found = read_labels(tmp_path)
    assert told <= len(found.said) <= told + 1
    assert found.unusable == ()


HOSTILE = [
    b"",
    b"null",
    b"[]",
    b"{}",
    b"\xff\xfe",
    b"[" * 100_000,
    b'{"annotator": "\x1b[2J"}',
    canonical_json(line(ONE, "ann", "state")).replace(b'"state"', b'"' + b"x" * 500 + b'"'),
    canonical_json(line(ONE, "ann", "state")).replace(b'"version":1', b'"version":0'),
    canonical_json(line(ONE, "ann", "state")).replace(b"0" * 16, b"../../etc/passwd"),
    canonical_json(line(ONE, "ann", "state")).replace(b"{", b'{"more":1,', 1),
    b"9" * 5000,
]


@pytest.mark.parametrize("bad", HOSTILE)
def test_what_is_no_label_is_named_and_the_others_count(tmp_path: Path, bad: bytes) -> None:
    path = add(tmp_path, line(ONE, "ann", "state"))
    path.write_bytes(bad + b"\n" + path.read_bytes())
    found = read_labels(tmp_path)
    assert [said.label for said in found.said] == ["state"]
    (told,) = found.unusable
    assert "line 1: no label" in told and told.isprintable() and len(told) < 1100


@settings(max_examples=60)
@given(st.binary(max_size=400))
def test_any_bytes_are_read_without_an_error(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    folder = tmp_path_factory.mktemp("labels")
    folder_of(folder).mkdir()
    (folder_of(folder) / "x.labels").write_bytes(content)
    assert read_labels(folder).said == ()


def test_a_megabyte_of_nonsense_takes_a_tenth_of_a_second_and_a_few_lines(tmp_path: Path) -> None:
    folder_of(tmp_path).mkdir()
    (folder_of(tmp_path) / "x.labels").write_bytes(b"{}\n" * 333_000)
    (folder_of(tmp_path) / "folder.labels").mkdir()
    with within(0.3):
        found = read_labels(tmp_path)
    assert len(found.unusable) == 22


def test_names_that_no_file_can_have_are_told_apart(tmp_path: Path) -> None:
    names = ["ann", "Ann B.", "ann/../../x", "..", "judge:a/b", "judge:a:b", "ä"]
    paths = {file_of(tmp_path, name) for name in names}
    assert len(paths) == len(names)
    assert {path.parent for path in paths} == {folder_of(tmp_path)}


@pytest.mark.parametrize("name", ["", " ann", "a\nb", "\x1b[2J", "x" * 61, "judge:me"])
def test_names_that_nobody_has(name: str) -> None:
    with pytest.raises(Refused):
        check_name(name)


def test_a_record_keeps_its_digest_whatever_it_cost_and_has_another_after_another_play() -> None:
    episode = made(entries=[Entry(0, {}, "a")])
    (entry,) = episode.entries
    dearer = replace(episode, entries=(replace(entry, usage={"cook": Usage(3.0, 1)}),))
    newer = replace(episode, header=replace(episode.header, format=2))
    assert record_digest(episode) == record_digest(dearer) == record_digest(newer)
    assert record_digest(episode) != record_digest(replace(episode, entries=(replace(entry, digest="b"),)))
    assert record_digest(episode) != record_digest(made("other", entries=[Entry(0, {}, "a")]))

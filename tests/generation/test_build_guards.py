"""Builds guard their folder and their split: what is asked wrongly leaves nothing there, foreign bytes are
told in a line, two builds never write at once, and no shape of another split is kept."""

from __future__ import annotations

import json
import shutil
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from backburner.cli import app
from backburner.generation.build import ATTEMPTS, Folder
from backburner.generation.builder import builder_of
from backburner.generation.canonical import split_of
from backburner.generation.steer import MOST_CELLS, cells_of
from backburner.kernel import registry
from backburner.kernel.answers import FILE as ANSWERS
from backburner.kernel.errors import BackburnerError, BadFile, Refused
from support.command_line import Started
from support.folders import contents
from support.generation.builds import WORLD, build

SMALL = {"length": "6:8", "scenarios": 2}


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("two") / "new"
    build(out, **SMALL)
    return out


@pytest.fixture
def small(two: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(two, tmp_path / "small"))


# --- what is asked -----------------------------------------------------------------------------------------


def test_the_headlines_grid_is_refused_under_other_rules_than_its_own(tmp_path: Path) -> None:
    line = ("robotouille", "--grid", "built-1", "--rules", "released", "--out", str(tmp_path / "new"))
    told = CliRunner().invoke(app, ["build", *line], catch_exceptions=True)
    assert isinstance(told.exception, Refused)
    assert str(told.exception) == "robotouille: grid=built-1 is proven under rules=standard, not released"
    assert not (tmp_path / "new").exists()


def test_a_dial_more_or_less_is_another_build(small: Path) -> None:
    before = contents(small)
    with pytest.raises(Refused, match="another width: none, not 1:"):
        build(small, **SMALL, width="1:")
    with pytest.raises(Refused, match="another length: 6:8, not none"):
        build(small, scenarios=2)
    assert contents(small) == before


def test_folders_to_stay_apart_from_are_read_before_anything_is_written(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign" / registry.INDEX
    foreign.parent.mkdir()
    for content in (b"", b"\xff\x00", b"[" * 100_000, b'{"made_by": 1}', b"[]"):
        foreign.write_bytes(content)
        with pytest.raises(BadFile):
            build(tmp_path / "new", **SMALL, apart=str(foreign.parent))
    with pytest.raises(BackburnerError, match="no such scenario file"):
        build(tmp_path / "new", **SMALL, apart=str(tmp_path / "missing"))
    assert not (tmp_path / "new").exists()


def test_a_file_in_the_way_stays(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for out in (tmp_path / "file", tmp_path / "file" / "new", tmp_path):
        with pytest.raises(BackburnerError):
            build(out, **SMALL)
    assert contents(tmp_path) == {"file": b"mine"}


def test_a_grid_has_so_many_cells_and_no_more() -> None:
    twenty = "/".join(map(str, range(1, 21)))
    assert len(cells_of(f"width={twenty}+length={twenty}")) == MOST_CELLS
    with pytest.raises(Refused, match="more than 400 cells"):
        cells_of(f"width={twenty}+length={twenty}+depth=1/2")
    with pytest.raises(Refused, match="more than 400 cells"):
        cells_of("width=" + "/" * 10**7)
    with pytest.raises(Refused, match="width is said twice"):
        cells_of("width=1/2+width=3")


@pytest.mark.parametrize("value", ["::", "nan", "inf:", "1e400", "-5", "3:2", "1:2:3", ":", "9" * 5000])
def test_no_range_is_a_line(tmp_path: Path, value: str) -> None:
    with pytest.raises(Refused) as told:
        build(tmp_path / "new", width=value, scenarios=1)
    assert len(str(told.value)) < 300 and not (tmp_path / "new").exists()


@pytest.mark.parametrize("value", ["nan", "1e400", "-1", "many", "9" * 5000])
def test_no_value_of_a_knob_is_a_line(tmp_path: Path, value: str) -> None:
    with pytest.raises(Refused) as told:
        build(tmp_path / "new", set=f"steps={value}", scenarios=1)
    assert len(str(told.value)) < 300 and not (tmp_path / "new").exists()


# --- splits ------------------------------------------------------------------------------------------------


def test_what_is_asked_of_play_lets_no_other_split_in(tmp_path: Path) -> None:
    """A gap is not known before a draft is proven; that is no reason to take drafts of all splits."""
    build(tmp_path / "new", length="6:8", gap="busy=:2", split="test", scenarios=3)
    kept = json.loads((tmp_path / "new" / registry.INDEX).read_bytes())["kept"]
    assert [split_of(one["attempt"]["shape"]) for one in kept] == ["test"] * 3


def test_a_split_is_kept_to_where_nothing_is_proven(tmp_path: Path) -> None:
    """Builds by ways alone make any farm, as they did before there were splits, until one is asked for."""
    builder = builder_of("minecraft")
    usual = {each.name: each.default for each in builder.arguments if each.default is not None}
    builder.build(tmp_path / "new", {**usual, "scenarios": 2, "split": "dev"}, lambda total: None)
    kept = json.loads((tmp_path / "new" / registry.INDEX).read_bytes())["kept"]
    assert [split_of(one["attempt"]["shape"]) for one in kept] == ["dev"] * 2


# --- foreign bytes -----------------------------------------------------------------------------------------


SEALED_SHAPE = next(str(n) for n in range(1000) if split_of(str(n)) == "sealed")


def forged(line: bytes, **change: Any) -> bytes:
    return json.dumps({**json.loads(line), **change}).encode() + b"\n"


@pytest.mark.parametrize(
    "change",
    [
        {"cell": 1},
        {"cell": -1},
        {"cell": 10**30},
        {"number": 7},
        {"parameters": {}},
        {"parameters": {"steps": "six"}},
        {"name": "../../outside"},
        {"name": "/etc/passwd"},
        {"name": "a\nb"},
        {"name": ".."},
        {"verdict": "\x1b[2J"},
        {"verdict": "fits", "shape": SEALED_SHAPE},
        {"dials": {"width": "wide"}},
    ],
)
def test_attempts_that_are_none_of_this_build_are_refused(small: Path, change: Mapping[str, Any]) -> None:
    first, *others = (small / ATTEMPTS).read_bytes().splitlines(keepends=True)
    (small / ATTEMPTS).write_bytes(b"".join([forged(first, **change), *others]))
    before = contents(small)
    with pytest.raises(BadFile, match="line 1"):
        build(small, **SMALL)
    assert contents(small) == before and not (small.parent.parent / "outside.json").exists()


@pytest.mark.parametrize("file", [ATTEMPTS, ANSWERS, registry.INDEX])
@pytest.mark.parametrize(
    "content",
    [b"\xff\x00\n", b"[" * 100_000 + b"\n", b"{}\n", b'{"cell": ' + b"9" * 5000 + b"}\n", b"[]\n" * 99],
    ids=["binary", "deep", "empty", "long number", "lists"],
)
def test_foreign_files_of_a_build_are_told_in_a_line(small: Path, file: str, content: bytes) -> None:
    (small / file).write_bytes(content)
    before = contents(small)
    with pytest.raises((BadFile, Refused)):
        build(small, **SMALL)
    assert contents(small) == before


# --- at once, and stopped ----------------------------------------------------------------------------------


def test_two_builds_never_write_into_one_folder_at_once(small: Path) -> None:
    before = contents(small)
    other = Folder(small)
    with pytest.raises(Refused, match="another build writes there"):
        build(small, **SMALL)
    other.close()
    build(small, **SMALL)
    assert contents(small) == before


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("many") / "new"
    build(out, **SMALL | {"scenarios": 40})
    return out


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT])
def test_a_build_that_is_ended_goes_on_to_the_same_bytes(
    tmp_path: Path, many: Path, sign: signal.Signals
) -> None:
    """It is ended as soon as the first scenario is there; a file of which only a part was written goes."""
    out = tmp_path / "new"
    process = Started("build", WORLD, "--length", "6:8", "--scenarios", "40", "--out", out)
    while process.poll() is None and not list(out.glob("????????????.json")):
        time.sleep(0.01)
    process.kill(sign)
    _, said = process.so_far()
    assert {name for name in contents(out) if ".part-" not in name} < set(contents(many))
    if sign is signal.SIGINT:
        assert process.returncode == 130 and "the same command goes on from there" in said
    (out / "0123456789ab.json.part-1").write_text('{"world": ')
    build(out, **SMALL | {"scenarios": 40})
    assert contents(out) == contents(many)

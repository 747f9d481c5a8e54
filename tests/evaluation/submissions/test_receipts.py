"""Receipts: who came first by the board's own list, and whose plays are whose."""

from __future__ import annotations

from pathlib import Path

import pytest

from backburner.evaluation.submissions.originality import Arrival, copied, firsts, read_receipts, receive
from backburner.kernel.errors import BadFile


def arrival(folder: str, plays: str, submission: str = "a") -> Arrival:
    """Plays by letters."""
    return Arrival(folder, submission * 64, tuple(f"{ord(letter):016x}" for letter in plays))


def whose(file: Path, *arrivals: Arrival) -> dict[str, str]:
    """What a look finds of each that is there."""
    first = firsts(receive(file, arrivals), [one.folder for one in arrivals])
    return {one.folder: copied(one, first) for one in arrivals}


def test_who_was_seen_first_was_first(tmp_path: Path) -> None:
    file, honest, thief = tmp_path / "r", arrival("honest", "abcdef"), arrival("aaa", "abcdex")
    assert whose(file, honest) == {"honest": ""}
    found = whose(file, thief, honest)
    copying = "5 of its 6 records play what those of honest did (2"
    assert found["honest"] == "" and found["aaa"].startswith(copying)
    assert whose(file, thief, honest) == found, "a further look changes nothing"
    assert len(file.read_bytes().splitlines()) == 2


def test_half_alike_is_no_copy(tmp_path: Path) -> None:
    file = tmp_path / "r"
    whose(file, arrival("honest", "abcdef"))
    assert whose(file, arrival("honest", "abcdef"), arrival("other", "abcxyz"))["other"] == ""


def test_a_few_records_may_be_alike_by_chance(tmp_path: Path) -> None:
    file = tmp_path / "r"
    whose(file, arrival("honest", "abcdef"))
    assert whose(file, arrival("honest", "abcdef"), arrival("short", "abcd"))["short"] == ""


def test_plays_of_several_others_are_still_theirs(tmp_path: Path) -> None:
    file, one, two = tmp_path / "r", arrival("one", "abcdef"), arrival("two", "ghijkl")
    whose(file, one, two)
    found = whose(file, one, two, arrival("mixed", "abghxy"))["mixed"]
    assert found.startswith("4 of its 6 records play what those of one and 1 more did")


def test_who_submits_anew_was_there_before(tmp_path: Path) -> None:
    """The first one mends a note after a copy has come, and stays first."""
    file, thief = tmp_path / "r", arrival("aaa", "abcdef")
    whose(file, arrival("honest", "abcdef"))
    whose(file, arrival("honest", "abcdef"), thief)
    assert whose(file, arrival("honest", "abcdef", "b"), thief)["honest"] == ""


def test_an_early_name_helps_no_late_copy(tmp_path: Path) -> None:
    """A folder that came early with plays of its own is filled with others' later."""
    file, honest = tmp_path / "r", arrival("honest", "abcdef")
    whose(file, arrival("thief", "stuvwxyz"))
    whose(file, arrival("thief", "stuvwxyz"), honest)
    found = whose(file, arrival("thief", "abcdef", "b"), honest)
    assert found["honest"] == "" and "those of honest" in found["thief"]


def test_what_came_at_one_look_has_no_order(tmp_path: Path) -> None:
    found = whose(tmp_path / "r", arrival("a", "abcdef"), arrival("b", "abcdef"))
    assert all("nobody here can tell whose they are" in why for why in found.values())


def test_who_is_gone_takes_no_place(tmp_path: Path) -> None:
    file = tmp_path / "r"
    whose(file, arrival("old-name", "abcdef"))
    assert whose(file, arrival("new-name", "abcdef")) == {"new-name": ""}


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b'"folder":"one"', b'"folder":"two"', "line 1, field 'chain'"),
        (b'"look":1', b'"look":"x"', "line 1: no receipt"),
        (b'"when":"2', b'"when":"1', "line 1, field 'chain'"),
        (b"}\n", b"}", "line 1: was cut"),
    ],
)
def test_receipts_that_were_changed_are_told(tmp_path: Path, old: bytes, new: bytes, why: str) -> None:
    file = tmp_path / "r"
    receive(file, [arrival("one", "ab")])
    content = file.read_bytes().replace(old, new)
    file.write_bytes(content)
    with pytest.raises(BadFile, match=why):
        receive(file, [arrival("two", "cd")])
    assert file.read_bytes() == content, "nothing is written"


def test_a_line_that_was_dropped_is_told(tmp_path: Path) -> None:
    file = tmp_path / "r"
    receive(file, [arrival("one", "ab"), arrival("two", "cd")])
    file.write_bytes(file.read_bytes().splitlines(keepends=True)[1])
    with pytest.raises(BadFile, match="does not fit this line after those before it"):
        read_receipts(file)

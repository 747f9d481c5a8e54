"""The journal: chained lines of commitments, content that can go, what a killed program leaves."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from pathlib import Path

import pytest

from backburner.kernel.errors import BadFile, Refused
from backburner.study.entries import Spoke
from backburner.study.journal import Journal
from backburner.study.participants import cohort_of
from support.study.studies import Hall, found


def filled(folder: Path) -> Journal:
    journal = Journal(folder, write=True)
    for number in range(6):
        journal.append("p1" if number % 2 else "p2", Spoke(float(number), "en"))
    return journal


def said(journal: Journal) -> list[tuple[str, float]]:
    return [(entry.whose, json.loads(entry.content)["at"]) for entry in journal.entries()]


def test_what_is_written_is_read_in_its_order(tmp_path: Path) -> None:
    filled(tmp_path).close()
    assert said(Journal(tmp_path)) == [("p2", 0), ("p1", 1), ("p2", 2), ("p1", 3), ("p2", 4), ("p1", 5)]


def test_lines_tell_nothing_of_what_they_hold(tmp_path: Path) -> None:
    hall = Hall(tmp_path / "data")
    hall.through(hall.arrive(PID="secret-id"))
    journal = hall.conduct.journal.file.read_text()
    for word in ("secret-id", "Ada", "small", "fun", "egg", "DONE", "180000"):
        assert word not in journal
    line = json.loads(journal.splitlines()[3])
    assert line.keys() == {"number", "what", "whose", "commitment", "chain"}


@pytest.mark.parametrize("change", ["content", "line", "order", "missing", "put in"])
def test_whatever_is_changed_is_noticed(tmp_path: Path, change: str) -> None:
    filled(tmp_path).close()
    file = tmp_path / ("kept/p1.jsonl" if change in ("content", "missing") else "journal.jsonl")
    lines = file.read_text().splitlines()
    if change == "content":
        lines[1] = lines[1].replace('"at":3.0', '"at":3.5')
    elif change == "missing":
        del lines[1]
    elif change == "line":
        lines[2] = lines[2].replace('"p2"', '"p3"')
    elif change == "order":
        lines[2], lines[3] = lines[3], lines[2]
    else:
        lines.insert(3, lines[3])
    file.write_text("".join(f"{line}\n" for line in lines))
    with pytest.raises(BadFile):
        list(Journal(tmp_path).entries())


def test_a_forgotten_participant_leaves_a_tombstone_and_a_chain_that_holds(tmp_path: Path) -> None:
    journal = filled(tmp_path)
    before = journal.file.read_bytes()
    journal.forget("p1", "asked", "2026-11-22")
    assert not (tmp_path / "kept" / "p1.jsonl").exists()
    assert journal.file.read_bytes().startswith(before)
    with pytest.raises(Refused, match="forgotten"):
        journal.append("p1", Spoke(9.0, "en"))
    journal.append("p2", Spoke(9.0, "en"))
    journal.close()
    again = Journal(tmp_path)
    assert said(again) == [("p2", 0), ("p2", 2), ("p2", 4), ("p2", 9)]
    assert again.forgotten["p1"].reason == "asked"
    with pytest.raises(Refused, match="no participant"):
        filled(tmp_path / "other").forget("p9", "asked", "2026-11-22")


def test_commitments_cannot_be_tried_out_with_guesses(tmp_path: Path) -> None:
    """The same content twice has two commitments, as each has a salt of its own."""
    journal = Journal(tmp_path, write=True)
    for _ in range(2):
        journal.append("p1", Spoke(1.0, "en"))
    assert journal.lines[0].commitment != journal.lines[1].commitment


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_kill_loses_at_most_the_entry_that_was_being_written(tmp_path: Path, cut: int) -> None:
    journal = filled(tmp_path)
    kept, lines = tmp_path / "kept" / "p1.jsonl", tmp_path / "journal.jsonl"
    whole = kept.read_bytes(), lines.read_bytes()
    journal.append("p1", Spoke(7.0, "en"))
    journal.close()
    longer = kept.read_bytes(), lines.read_bytes()
    kept.write_bytes(longer[0])  # the content is there, its line is cut
    lines.write_bytes(longer[1][: len(whole[1]) + cut])
    mended = Journal(tmp_path, write=True)
    assert len(said(mended)) == 6
    mended.append("p1", Spoke(8.0, "en"))
    mended.close()
    assert said(Journal(tmp_path))[-1] == ("p1", 8)
    other = tmp_path / "other"
    filled(other).close()
    with (other / "kept" / "p1.jsonl").open("ab") as stream:  # half of the content, and no line
        stream.write(b'{"number":6,"salt":"00')
    again = Journal(other, write=True)
    again.append("p1", Spoke(8.0, "en"))
    assert len(said(again)) == 7


def test_a_kill_while_somebody_is_forgotten_is_finished_when_the_journal_is_opened(tmp_path: Path) -> None:
    journal = filled(tmp_path)
    content = (tmp_path / "kept" / "p1.jsonl").read_bytes()
    journal.forget("p1", "asked", "2026-11-22")
    journal.close()
    (tmp_path / "kept" / "p1.jsonl").write_bytes(content)
    assert Journal(tmp_path).leftovers()
    Journal(tmp_path, write=True).close()
    assert not Journal(tmp_path).leftovers()


def test_nobody_else_may_read_the_folder(tmp_path: Path) -> None:
    hall = Hall(tmp_path / "data")
    assert (hall.folder.stat().st_mode & 0o077) == 0
    assert ((hall.folder / "secret").stat().st_mode & 0o077) == 0


def test_nobody_else_may_read_the_folder_that_links_make(tmp_path: Path) -> None:
    """Links need a secret before there is any entry."""
    Journal(tmp_path / "data").secret()
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700


def test_everything_is_worked_out_from_the_journal(tmp_path: Path) -> None:
    hall = Hall(tmp_path / "data", found())
    hall.through(hall.arrive(PID="a"))
    read = cohort_of(Journal(hall.folder))
    assert read.people == hall.conduct.cohort.people


def test_what_is_written_beside_is_told_of_when_it_is_on_disk_in_its_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow disk keeps nobody but those who wait for it."""
    journal = Journal(tmp_path, write=True)
    journal.write_beside()
    opened, fsync = threading.Event(), os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (opened.wait(20), fsync(file))[1])

    async def served() -> None:
        for number in range(20):
            journal.append("p1", Spoke(float(number), "en"))
        journal.keep_record("game", b"record")
        waiting = asyncio.create_task(journal.settled())
        for _ in range(5):
            await asyncio.sleep(0.01)
        assert not waiting.done()
        gives_up = asyncio.create_task(journal.settled())
        await asyncio.sleep(0)
        gives_up.cancel()
        opened.set()
        await waiting
        assert said(Journal(tmp_path)) == [("p1", float(number)) for number in range(20)]
        assert (journal.records / "game.jsonl").read_bytes() == b"record"

    asyncio.run(served())
    journal.append("p2", Spoke(0.0, "en"))
    journal.forget("p1", "asked", "2026-11-22")
    assert not (tmp_path / "kept" / "p1.jsonl").exists()
    journal.close()
    assert said(Journal(tmp_path)) == [("p2", 0.0)]


@pytest.mark.parametrize("beside", [False, True])
def test_a_disk_that_fails_is_told_and_nothing_follows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beside: bool
) -> None:
    journal = filled(tmp_path)
    if beside:
        journal.write_beside()
    before = journal.file.read_bytes()

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(Refused, match="No space left"):
            journal.append("p1", Spoke(6.0, "en"))
            asyncio.run(journal.settled())
    with pytest.raises(Refused, match="No space left"):
        journal.append("p1", Spoke(7.0, "en"))
    journal.close()
    assert journal.file.read_bytes() == before
    Journal(tmp_path, write=True).close()
    assert len(said(Journal(tmp_path))) == 6

"""``annotate`` and ``agreement``: keys in, screens out, kills, judges, and the report behind it all."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prompt_toolkit.keys import Keys
from rich.cells import cell_len

from backburner.cli.label_screen import QUIT, Session, Work, _bindings, flowed, paged, wrapped
from backburner.evaluation.labels.label_files import read_labels
from support.at_terminal import Person
from support.command_line import Ran, ran
from support.evaluation.failed_kitchens import open_items, write_failures

HOSTILE = "\x1b[2J\x1b]0;owned\x07 \u202eevil 日本語日本語日本語 " + "x" * 200 + "\ttab"


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    folder.mkdir()
    write_failures(folder)
    return folder


def backburner(*args: object, keys: str = "", code: int = 0) -> Ran:
    run = ran(*args, typed=keys, columns=80)
    assert run.code == code, run.stderr
    return run


def said(runs: Path) -> list[tuple[str, str]]:
    return [(one.annotator, one.label) for one in read_labels(runs).said]


# --- one sitting, screen by screen ----------------------------------------------------------------------


class Scripted:
    """A terminal whose keys are given; ``screens`` has what was shown."""

    def __init__(self, keys: str, lines: Sequence[str] = (), columns: int = 80, rows: int = 24) -> None:
        self.columns, self.rows = columns, rows
        self.keys, self.lines = list(keys), list(lines)
        self.screens: list[list[str]] = []

    def show(self, lines: Sequence[str]) -> None:
        self.screens.append(list(lines))

    def key(self) -> str:
        return self.keys.pop(0) if self.keys else ""

    def line(self, prompt: str) -> str:
        return self.lines.pop(0)


def sat(folder: Path, terminal: Scripted, agent: str = "") -> list[tuple[str, str, str]]:
    """What is kept in a session over the open cases of a folder: (record, label, remark)."""
    kept: list[tuple[str, str, str]] = []
    items = open_items(folder)
    work = Work(
        items, {}, lambda item: agent, lambda item, label, note: kept.append((item.path.name, label, note))
    )
    Session(work, terminal).run()
    return kept


def test_keys_label_skip_undo_and_quit(runs: Path) -> None:
    """1 labels the first case; u takes that back; 2 labels it anew; s skips the second; 6 the third."""
    terminal = Scripted("1u2s6")
    assert sat(runs, terminal) == [
        ("kitchen0.jsonl", "state", ""),
        ("kitchen0.jsonl", "", ""),
        ("kitchen0.jsonl", "goal: bad start", ""),
        ("kitchen2.jsonl", "other", ""),
    ]
    heads = [screen[0] for screen in terminal.screens]
    places = [head.partition(": ")[2] for head in heads]
    assert [place[:6] for place in places] == ["1 of 3", "2 of 3", "1 of 3", "2 of 3", "3 of 3"]
    assert "[state; u takes it back]" in heads[1] and "[taken back]" in heads[2] and "[skipped]" in heads[4]


def test_pages_turn_and_definitions_are_told(runs: Path) -> None:
    terminal = Scripted("n bzaxq")
    assert sat(runs, terminal) == []
    pages = [screen[0].partition("page ")[2].partition(" ")[0] for screen in terminal.screens]
    last = pages[4]
    assert pages == ["1", "2", "3", "2", last, "1", "1"] and int(last) > 3
    assert "no such key" in terminal.screens[-1][0]
    told = Scripted("?   q")
    sat(runs, told)
    definitions = " ".join(line for screen in told.screens[1:] for line in screen)
    assert "misread what holds in the kitchen" in " ".join(definitions.split())
    assert "section A.9 of the article" in definitions


def test_a_remark_goes_with_the_next_label_alone(runs: Path) -> None:
    terminal = Scripted("r16", ["see step 3\x1b[2J"])
    kept = sat(runs, terminal)
    assert kept == [
        ("kitchen0.jsonl", "state", "see step 3\\x1b[2J"),
        ("kitchen1.jsonl", "other", ""),
    ]


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (40, 16), (200, 60)])
def test_every_screen_fits_and_holds_nothing_that_moves_the_cursor(
    tmp_path: Path, columns: int, rows: int
) -> None:
    write_failures(tmp_path, 2, HOSTILE)
    terminal = Scripted("?" + " " * 60 + "16", columns=columns, rows=rows)
    sat(tmp_path, terminal, agent="mean")
    assert len(terminal.screens) > 10
    for screen in terminal.screens:
        assert len(screen) < rows
        assert all(line.isprintable() and cell_len(line) <= columns for line in screen), screen
    assert any("日本語" in line for screen in terminal.screens for line in screen)


@given(st.text(max_size=300), st.integers(20, 100))
@settings(max_examples=100)
def test_any_line_is_wrapped_to_the_width(text: str, columns: int) -> None:
    for row in wrapped(text, columns):
        assert row.isprintable() and cell_len(row) <= columns
    (page, *_) = paged([text], columns, 5)
    assert len(page) == 5


def test_words_flow_on_as_few_rows_as_hold_them() -> None:
    assert flowed(["1 aa", "2 bb", "3 cc"], 11) == ["1 aa  2 bb", "3 cc"]
    assert flowed(["x" * 30], 10) == ["x" * 9 + "…"]


# --- the command ----------------------------------------------------------------------------------------


def test_a_session_goes_on_where_it_stopped(runs: Path) -> None:
    backburner("annotate", runs, "--annotator", "ann", keys="1q")
    run = backburner("annotate", runs, "--annotator", "ann", keys="26")
    assert "1 of 2" in run.stdout and "2 cases labelled, 0 left" in run.stderr
    assert said(runs) == [("ann", "state"), ("ann", "goal: bad start"), ("ann", "other")]
    again = backburner("annotate", runs, "--annotator", "ann", keys="1")
    assert "nothing left to label for ann" in again.stderr


def test_what_the_record_decides_is_asked_for_with_all_alone(runs: Path) -> None:
    assert "of 3" in backburner("annotate", runs, "--annotator", "ann", keys="q").stdout
    assert (
        "of 4" in backburner("annotate", runs, "--annotator", "ann", "--sample", "@all=yes", keys="q").stdout
    )


def test_blind_hides_agents_and_what_others_say(runs: Path) -> None:
    backburner("annotate", runs, "--annotator", "ann", keys="666")
    seen = backburner("annotate", runs, "--annotator", "bob", keys="q").stdout
    assert "agent: agent-x" in seen and "ann: other" in seen
    blind = backburner("annotate", runs, "--annotator", "bob", "--blind", keys="161").stdout
    assert "agent-" not in blind and "ann: other" not in blind and "kitchen0.jsonl" not in blind
    assert all(one.blind for one in read_labels(runs).said if one.annotator == "bob")


def test_adjudicators_see_what_is_divided_and_settle_it(runs: Path) -> None:
    backburner("annotate", runs, "--annotator", "ann", keys="111")
    backburner("annotate", runs, "--annotator", "bob", keys="116")
    seen = backburner("annotate", runs, "--annotator", "eve", "--adjudicate", keys="6").stdout
    assert "1 of 1" in seen and "ann: state" in seen and "bob: other" in seen
    (found,) = json.loads(backburner("annotate", runs, "--agreement", "--json").stdout)
    (divided,) = found["divided"]
    assert (divided["settled"], divided["how"]) == ("other", "adjudicator")
    assert [(pair["one"], pair["other"]) for pair in found["pairs"]] == [("ann", "bob")]


def test_status_and_agreement_are_told(runs: Path) -> None:
    backburner("annotate", runs, "--annotator", "ann", keys="116")
    backburner("annotate", runs, "--judge", "stand-in:skill=0.5")
    status = json.loads(backburner("annotate", runs, "--status", "--json").stdout)
    (told,) = status["sets"]
    assert (told["cases"], told["record"], told["people"]) == (4, 1, 3)
    names = [(one["name"], one["role"], one["labels"]) for one in status["annotators"]]
    assert names == [("ann", "person", 3), ("judge:stand-in:skill=0.5", "judge", 3)]
    out = backburner("annotate", runs, "--agreement").stdout
    assert "(no model)" in out and "kappa" in out
    assert all(cell_len(line) <= 80 for line in out.splitlines())


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--judge", "@at_once=2"], "name one model"),
        (["--judge", "x@at_once=0"], "at_once: write at least 1"),
        (["--judge", "x", "--status"], "one at a time"),
        (["--set", "failure"], "unknown label set 'failure'; did you mean failures"),
        (["--annotator", "judge:me"], "models are called so"),
    ],
)
def test_what_makes_no_sense_is_told_in_a_line(runs: Path, options: list[str], why: str) -> None:
    run = backburner("annotate", runs, *options, keys="1", code=2)
    assert why in run.stderr and "Traceback" not in run.stderr
    assert said(runs) == []


def test_no_labels_no_agreement(runs: Path) -> None:
    assert "nobody has labelled" in backburner("annotate", runs, "--agreement", code=2).stderr


# --- at a real terminal ---------------------------------------------------------------------------------


def test_a_session_killed_in_the_middle_loses_nothing(runs: Path) -> None:
    person = Person("annotate", str(runs), "--annotator", "ann")
    person.waits_for("q quit")
    person.types("1")
    person.waits_for("2 of 3")
    person.waits_for("q quit")
    person.types("6")
    person.waits_for("3 of 3")
    os.kill(person.pid, signal.SIGKILL)
    os.waitpid(person.pid, 0)
    assert said(runs) == [("ann", "state"), ("ann", "other")]
    again = Person("annotate", str(runs), "--annotator", "ann")
    again.waits_for("1 of 1")
    again.waits_for("q quit")
    again.types("r")
    again.waits_for("remark: ")
    again.types("last one\r")
    again.waits_for("q quit")
    again.types("1")
    assert again.ends() == 0, again.seen
    assert [one.remark for one in read_labels(runs).said] == ["", "", "last one"]


def test_ctrl_c_ends_a_session_with_what_was_labelled(runs: Path) -> None:
    person = Person("annotate", str(runs), "--annotator", "ann")
    person.waits_for("q quit")
    person.types("1")
    person.waits_for("2 of 3")
    person.waits_for("q quit")
    person.types("\x03")
    assert person.ends() in (0, 130), person.seen
    assert said(runs) == [("ann", "state")]


# --- the report, and every world ------------------------------------------------------------------------


def test_reports_use_the_labels_and_say_whose_they_are(runs: Path) -> None:
    before = backburner("score", runs, "--world", "robotouille").stdout
    assert "unlabelled" in before and "Who labelled" not in before
    backburner("annotate", runs, "--annotator", "ann", keys="116")
    (runs / "labels" / "bad.labels").write_bytes(b"nonsense\n")
    run = backburner("score", runs, "--world", "robotouille", "--json")
    (world,) = json.loads(run.stdout)
    sections = {section["title"]: section for section in world["sections"]}
    assert sections["Who labelled: Sources of failure"]["rows"] == [["ann", "person", 3, "", ""]]
    shares = dict(zip(sections["Labelled: Sources of failure"]["columns"], ("",) * 9, strict=False))
    assert {"state", "action", "other"} <= set(shares)
    assert any("bad.labels: line 1: no label" in line for line in world["left_out"])
    backburner("report", runs)
    backburner("export", runs, "--format", "svg", runs / "figures")
    assert "Who labelled" in (runs / "report.html").read_text()
    assert (runs / "figures" / "robotouille" / "labels-failures.svg").exists()


WORLDS = ("timearena", "recipe2plan", "cuisineworld", "collab_overcooked", "robotouille")


def test_every_world_is_rehearsed_from_play_to_report(tmp_path: Path) -> None:
    """Stand-ins play all worlds and judge each other; every set that has cases is labelled and reported."""
    out = tmp_path / "runs"
    backburner(
        "run",
        *(f"{name}/quick" for name in WORLDS),
        "--agent",
        "act",
        "--model",
        "stand-in:skill=0.2",
        "--out",
        out,
    )
    status = json.loads(backburner("annotate", out, "--status", "--json").stdout)
    assert {one["world"] for one in status["sets"]} >= {"recipe2plan", "cuisineworld", "robotouille"}
    for name in sorted({one["set"] for one in status["sets"]}):
        for skill in ("0.9", "0.6"):
            judge = (
                "--judge",
                f"stand-in:skill={skill}",
                "--set",
                name,
                "--sample",
                "12@all=yes",
            )
            backburner("annotate", out, *judge)
    found = json.loads(backburner("annotate", out, "--agreement", "--json").stdout)
    assert {one["world"] for one in found} == {one["world"] for one in status["sets"]}
    assert all(
        -1 <= pair["kappa"]["value"] <= 1 for one in found for pair in one["pairs"] if pair["kappa"]["value"]
    )
    backburner("report", out)
    assert "Who labelled" in (out / "report.html").read_text()


def test_ctrl_c_quits_too_where_it_comes_as_a_signal() -> None:
    """As it does when it is pressed between the drawing of a page and the reading of its key."""
    pressed = _bindings().get_bindings_for_keys((Keys.SIGINT,))[-1]
    event = Mock(data=Keys.SIGINT.value)
    pressed.handler(event)
    event.app.exit.assert_called_once_with(result=QUIT)

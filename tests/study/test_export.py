"""The tables: whose rows are there, what they hold, whom rules exclude; and what is forgotten is gone."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import msgspec
import pytest

from backburner.cli import app
from backburner.kernel.episode import read_episode
from backburner.kernel.errors import Refused
from backburner.study import pages
from backburner.study.analysis.flow import flow_section
from backburner.study.analysis.tables import TABLES as READ
from backburner.study.analysis.tables import FlowRow
from backburner.study.entries import Change, Decision
from backburner.study.export import write_export
from backburner.study.export.data import data_of
from backburner.study.export.flow import flow_of
from backburner.study.export.tables import TABLES
from backburner.study.participants import forget_all
from backburner.study.prose import plain
from support.study.studies import PAIRS, Hall, found

Rows = list[dict[str, str]]


def tables(hall: Hall, to: Path, **settings: Any) -> dict[str, Rows]:
    write_export(data_of(hall.folder, **settings), to, ["csv"])
    return {file.stem: list(csv.DictReader(file.open(encoding="utf-8"))) for file in to.glob("*.csv")}


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    """Two who are through (one of them reads nothing), one who declined, one who stopped, one under way."""
    h = Hall(tmp_path / "data")
    h.through(h.arrive(PID="one@platform"), fun=5)
    h.through(h.arrive(PID="second"), fun=2, attentive=False)
    h.send(h.arrive(PID="declines"))
    stops = h.arrive(PID="stops")
    h.send(stops, agreed=True, **{"0": "yes"})
    h.conduct.stop(stops, delete=False)
    h.send(h.arrive(PID="under way"), agreed=True, **{"0": "yes"})
    return h


def test_only_those_who_agreed_and_did_not_take_it_back_are_in_the_tables(hall: Hall, tmp_path: Path) -> None:
    found = tables(hall, tmp_path / "out")
    assert [row["status"] for row in found["participants"]] == ["finished", "finished", "open"]
    assert {row["stage"] for row in found["participants"]} == {"after", "read"}
    assert len(found["episodes"]) == 4
    assert {row["order"] for row in found["episodes"]} == {"1", "2"}
    assert all(float(row["seconds"]) == 60 for row in found["episodes"])
    people = {row["participant"] for row in found["participants"]}
    for name in ("episodes", "answers", "stages", "exclusions"):
        assert {row["participant"] for row in found[name]} <= people


def test_answers_join_their_games_and_personal_ones_are_asked_for(hall: Hall, tmp_path: Path) -> None:
    found = tables(hall, tmp_path / "out")
    games = {(row["participant"], row["condition"]): row["episode"] for row in found["episodes"]}
    rated = [row for row in found["answers"] if row["item"] == "fun"]
    assert sorted(row["value"] for row in rated) == ["2.0", "2.0", "5.0", "5.0"]
    assert all(games[row["participant"], row["condition"]] == row["episode"] for row in rated)
    assert {row["correct"] for row in found["answers"] if row["item"] == "check"} == {"true", "false"}
    assert {row["item"] for row in found["answers"]} == {"goal", "age", "fun", "ease", "calm", "check"}
    assert "recruited" not in found
    personal = tables(hall, tmp_path / "personal", personal=True)
    assert {row["text"] for row in personal["answers"] if row["item"] == "name"} == {"Ada"}
    assert {(row["recruited"], row["code"]) for row in personal["recruited"]} >= {
        ("one@platform", "DONE-1"),
        ("declines", "NO-1"),
    }


def test_rules_name_whom_they_exclude_and_nobodys_rows_are_left_out(hall: Hall, tmp_path: Path) -> None:
    found = tables(hall, tmp_path / "out")
    second = found["participants"][1]["participant"]
    assert [(row["participant"], row["rule"]) for row in found["exclusions"]] == [(second, "inattentive")]
    assert {row["rule"]: row["excluded"] for row in found["rules"]} == {"inattentive": "1", "quick": "0"}
    assert {row["participant"] for row in found["answers"]} >= {second}


def test_decisions_and_switches_are_tables_as_the_page_of_the_game_saw_them(
    hall: Hall, tmp_path: Path
) -> None:
    one = hall.arrive(PID="noticed")
    hall.send(one, agreed=True, **{"0": "yes"})
    hall.clock.now += 20
    hall.send(one)
    hall.send(one, goal="b", age=30.0)
    hall.open_games()
    page = hall.page(one)
    assert page.game is not None and page.game.offers == ("solid", "timeline", "recipes", "help")
    decision = Decision(3, 4.25, 0.05, 1, 0.5, "key", "2d")
    change = Change("solid", True, 7.5)
    hall.conduct.notice(one, pages.Notice(page.position, (decision,), (change,)))
    hall.conduct.notice(one, pages.Notice(0, (decision,)))  # consent is no game
    last = hall.conduct.cohort.one(one).last_at
    hall.restart()
    assert hall.conduct.cohort.one(one).last_at == last
    found = tables(hall, tmp_path / "out")
    (row,) = found["decisions"]
    told = {
        "participant": one,
        "stage": "game",
        "order": "1",
        "scenario": "timearena/cooking1",
        "seat": "agent",
    }
    told |= {"step": "3", "seconds": "4.25", "round_trip": "0.05", "away": "1", "away_seconds": "0.5"}
    assert row == told | {
        "condition": row["condition"],
        "episode": page.game.game,
        "input": "key",
        "view": "2d",
    }
    assert [(each["what"], each["on"], each["seconds"]) for each in found["changes"]] == [
        ("solid", "true", "7.5")
    ]
    hall.conduct.stop(one, delete=False)
    hall.conduct.notice(one, pages.Notice(page.position, (decision,)))  # who has stopped is not looked at
    assert len(hall.conduct.cohort.one(one).noticed[page.position]) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        '{"step":-5}',
        '{"seconds":-1}',
        '{"seconds":1e999}',
        '{"round_trip":"soon"}',
        '{"input":"mind"}',
        '{"view":"4d"}',
        '{"script":"x"}',
        '{"seconds":1e300}',
    ],
)
def test_what_a_page_notices_is_bounded(wrong: str) -> None:
    right = {
        "step": 0,
        "seconds": 1,
        "round_trip": None,
        "away": 0,
        "away_seconds": 0,
        "input": "",
        "view": "2d",
    }

    def notice(decisions: list[Any]) -> bytes:
        return msgspec.json.encode({"kind": "notice", "position": 1, "decisions": decisions})

    assert isinstance(pages.said(notice([right] * 100)), pages.Notice)
    with pytest.raises(Refused):
        pages.said(notice([right] * 101))
    with pytest.raises(Refused):
        field, value = wrong[1:-1].split(":")
        text = msgspec.json.encode(right).decode()[:-1] + f",{field}:{value}}}"
        pages.said(f'{{"kind":"notice","position":1,"decisions":[{text}]}}')


HURRIED = [
    {"name": "hurried", "measure": "minutes", "below": 5.0},
    {"name": "skimmed", "measure": "seconds:read", "below": 60.0},
    {"name": "short", "of": "episode", "measure": "seconds", "below": 1e6},
    {"name": "all", "of": "episode", "measure": "steps", "above": 0.0},
]


@pytest.mark.parametrize("rehearsal", [False, True])
def test_rules_about_time_exclude_none_of_a_rehearsal(tmp_path: Path, rehearsal: bool) -> None:
    """Simulated participants are fast: a rule about it would leave nobody, and nothing to analyse."""
    hall = Hall(tmp_path / "data", found(exclusions=HURRIED), rehearsal=rehearsal)
    hall.through(hall.arrive(PID="one"), fun=5)
    excluded = {row["rule"] for row in tables(hall, tmp_path / "out")["exclusions"]}
    assert excluded == ({"all"} if rehearsal else {"all", "hurried", "skimmed", "short"})


def test_metrics_are_those_of_the_record_that_is_exported_beside(hall: Hall, tmp_path: Path) -> None:
    found = tables(hall, tmp_path / "out")
    for row in found["episodes"]:
        episode = read_episode(tmp_path / "out" / row["record"])
        assert episode.header.id == row["scenario"]
        told = {r["measure"]: float(r["value"]) for r in found["measures"] if r["episode"] == row["episode"]}
        assert told["AS"] == 100.0
        assert int(row["steps"]) == len(episode.entries)


def test_every_column_is_in_the_codebook_and_what_is_analysed_is_there(hall: Hall, tmp_path: Path) -> None:
    found = tables(hall, tmp_path / "out")
    told = {(row["table"], row["column"]) for row in found["codebook"]}
    assert told == {(table.name, column.name) for table in TABLES for column in table.columns}
    for table in READ:
        header = (tmp_path / "out" / f"{table.name}.csv").read_text().splitlines()[0].split(",")
        assert {column.name for column in table.columns} <= set(header)
    assert all(row["meaning"] for row in found["codebook"])


def test_two_exports_of_the_same_data_are_the_same_bytes_and_parquet_has_the_same_rows(
    hall: Hall, tmp_path: Path
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    for name in ("one", "two"):
        write_export(data_of(hall.folder), tmp_path / name, ["csv", "parquet"])
    for file in (tmp_path / "one").rglob("*.csv"):
        assert file.read_bytes() == (tmp_path / "two" / file.relative_to(tmp_path / "one")).read_bytes()
        rows = list(csv.DictReader(file.open(encoding="utf-8")))
        table = parquet.read_table(file.with_suffix(".parquet"))
        assert table.num_rows == len(rows)
        assert table.column_names == list(csv.DictReader(file.open()).fieldnames or ())


def test_whoever_is_forgotten_is_in_no_table_and_their_records_are_gone(hall: Hall, tmp_path: Path) -> None:
    tables(hall, tmp_path / "before")
    one = hall.conduct.cohort.by_recruited("one@platform")
    assert one is not None
    hall.conduct.close()
    gone = forget_all(hall.folder, hall.found.study, ["one@platform"], expired=False, now=hall.clock())
    assert gone == {one.id: ["g1", "g2"]}
    after = tables(hall, tmp_path / "after", personal=True)
    assert one.id not in {row.get("participant") for rows in after.values() for row in rows}
    everything = b"".join(file.read_bytes() for file in hall.folder.rglob("*") if file.is_file())
    assert b"one@platform" not in everything
    assert not list(hall.folder.glob("records/g1.jsonl"))
    hall.restart()  # and the study goes on
    assert hall.page(hall.arrive(PID="second")).code == "DONE-1"
    assert hall.page(hall.arrive(PID="one@platform")).name == "withdrawn"


def test_who_stops_may_have_everything_deleted_at_once(hall: Hall) -> None:
    one = hall.arrive(PID="regrets")
    hall.send(one, agreed=True, **{"0": "yes"})
    assert hall.conduct.stop(one, delete=True)
    assert hall.page(one).stage == "end"
    assert "deleted" in plain(hall.page(one).text)
    assert not (hall.folder / "kept" / f"{one}.jsonl").exists()


def test_data_are_removed_when_their_time_is_up(hall: Hall) -> None:
    hall.conduct.close()
    days = hall.found.study.retention.days * 86_400
    for late, number in ((-1000.0, 0), (1000.0, 5)):
        gone = forget_all(hall.folder, hall.found.study, [], expired=True, now=hall.clock() + days + late)
        assert len(gone) == number


def test_a_partner_keeps_numbers_when_the_record_of_a_common_game_goes(tmp_path: Path) -> None:
    h = Hall(tmp_path / "data", found(**PAIRS))
    ids = []
    for pid in ("a", "b"):
        one = h.arrive(PID=pid)
        ids.append(one)
        h.send(one, agreed=True, **{"0": "yes"})
        h.clock.now += 20
        h.send(one)
        h.send(one, goal="b", age=30.0)
    h.play()
    h.conduct.forget(ids[0], "asked")
    out = tables(h, tmp_path / "out")
    (row,) = out["episodes"]
    assert (row["participant"], row["seat"], row["record"], row["people"]) == (ids[1], "assistant", "", "2")
    assert out["measures"]


def test_the_command_line_exports_and_forgets(
    hall: Hall, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from support.study.studies import SMALL

    file = tmp_path / "small.toml"
    file.write_text(SMALL, encoding="utf-8")
    where = ["--folder", str(hall.folder)]
    hall.conduct.close()
    app(["study", "export", str(file), "--out", str(tmp_path / "t"), *where], standalone_mode=False)
    assert (tmp_path / "t" / "codebook.csv").exists()
    app(["study", "forget", str(file), "second", *where], standalone_mode=False)
    assert len(list((hall.folder / "kept").glob("p*.jsonl"))) == 4
    name = capsys.readouterr().err.splitlines()[-1].partition(":")[0]
    app(["study", "forget", str(file), name, *where], standalone_mode=False)
    assert capsys.readouterr().err == "their data are removed already\n"


def rows_of_flow(rows: Rows) -> dict[tuple[str, ...], tuple[int, int]]:
    return {
        tuple(row[name] for name in ("step", "group", "condition", "detail")): (
            int(row["people"]),
            int(row["games"]),
        )
        for row in rows
    }


def total(flow: dict[tuple[str, ...], tuple[int, int]], *steps: str) -> int:
    return sum(people for key, (people, _) in flow.items() if key[0] in steps)


def test_the_flow_parts_all_who_came_by_what_became_of_them(hall: Hall, tmp_path: Path) -> None:
    """Of 6 one declines, one has everything deleted; 4 agree. Of these 2 read when they stop or wait, 2 play
    both conditions, and the rule excludes one of them."""
    assert hall.conduct.stop(hall.arrive(PID="regrets"), delete=True)
    hall.restart()
    flow = rows_of_flow(tables(hall, tmp_path / "out")["flow"])
    assert flow == {
        ("arrived", "", "", ""): (6, 0),
        ("forgotten", "", "", "withdrawn"): (1, 0),
        ("declined", "", "", ""): (1, 0),
        ("agreed", "", "", ""): (4, 0),
        ("not_allocated", "", "", "open: read"): (1, 0),
        ("not_allocated", "", "", "withdrew: read"): (1, 0),
        ("allocated", "", "", ""): (2, 0),
        ("played", "", "plain", ""): (2, 2),
        ("played", "", "other", ""): (2, 2),
        ("finished", "", "", ""): (2, 0),
        ("excluded", "", "", "inattentive"): (1, 2),
        ("counted", "", "plain", ""): (1, 1),
        ("counted", "", "other", ""): (1, 1),
        ("analysed", "", "", ""): (1, 2),
    }
    section = flow_section(flow_of(data_of(hall.folder)), {"other": "With others"})
    assert section.columns == ("", "people")
    foreign = flow_section([FlowRow("{0.__class__} {", "", "", "", 1, 0)], {})
    assert foreign.rows == (("{0.__class__} {", "1"),), "a step of another table is text, and no format"
    assert section.rows[:2] == (("arrived", "6"), ("  data removed: withdrawn", "1"))
    assert section.rows[-4:-1] == (
        ("  excluded: inattentive", "1 (2)"),
        ("  analysed in plain", "1 (1)"),
        ("  analysed in With others", "1 (1)"),
    )


def test_the_flow_of_a_design_between_subjects_tells_groups_and_games_that_are_left_out(
    tmp_path: Path,
) -> None:
    quick = {"name": "quick", "of": "episode", "measure": "seconds", "below": 1}
    h = Hall(tmp_path / "data", found(design={"kind": "between", "teams": 4}, exclusions=[quick]))
    for pid in "abc":
        h.through(h.arrive(PID=pid))
    hasty = h.arrive(PID="hasty")
    h.send(hasty, agreed=True, **{"0": "yes"})
    h.clock.now += 20
    h.send(hasty)
    h.send(hasty, goal="b", age=30.0)
    h.play(seconds=0.5)
    flow = rows_of_flow(tables(h, tmp_path / "out")["flow"])
    assert {flow["allocated", group, "", ""] for group in ("plain", "other")} == {(2, 0)}
    assert (total(flow, "arrived"), total(flow, "agreed"), total(flow, "allocated")) == (4, 4, 4)
    assert (total(flow, "finished"), total(flow, "open")) == (3, 1)
    assert [key[3] for key in flow if key[0] in ("open", "games_left_out")] == ["after 1/1", "quick"]
    assert (total(flow, "analysed"), total(flow, "without")) == (3, 1)

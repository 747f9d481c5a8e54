"""The data set as a folder: the same bytes each time, nothing half-written, read back by others."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from typer.testing import CliRunner

from backburner.cli import app
from backburner.kernel.errors import BackburnerError, MissingExtra, Refused
from backburner.training.export import tables
from backburner.training.export.dataset import Scenario, export_data, work_on
from backburner.training.export.demonstrations import Settings, names_in, once
from backburner.training.export.tables import TABLES

SUITE = "timearena/singles/lab"

MESSAGES = Settings(
    "messages", (SUITE,), agents=("oracle", "greedy"), methods=("act", "react@calls=together")
)
TRAJECTORIES = Settings("trajectories", (SUITE,), agents=("oracle", "random"), test=0.2)


def content(folder: Path) -> dict[str, str]:
    """The digest of every file, by its path."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return {
        file.relative_to(folder).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest() for file in files
    }


def rows(folder: Path, table: str, split: str = "train") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pyarrow.parquet.read_table(folder / table / f"{split}.parquet").to_pylist()
    return found


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("messages") / "data"
    export_data(MESSAGES, folder)
    return folder


@pytest.fixture(scope="module")
def trajectories(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trajectories") / "data"
    export_data(TRAJECTORIES, folder)
    return folder


# --- the same bytes ----------------------------------------------------------------------------------------


def test_the_same_command_gives_the_same_bytes_by_any_number_of_processes(
    messages: Path, trajectories: Path, tmp_path: Path
) -> None:
    export_data(MESSAGES, tmp_path / "m", workers=2)
    assert content(tmp_path / "m") == content(messages)
    export_data(TRAJECTORIES, tmp_path / "t", workers=2)
    assert content(tmp_path / "t") == content(trajectories)


def test_the_card_tells_the_digests_and_a_command_that_gives_these_bytes(messages: Path) -> None:
    card = (messages / "README.md").read_text("utf-8")
    found = content(messages)
    for path, digest in found.items():
        assert path in ("README.md", "export.json") or f"`{path}` {digest}" in card
    command = next(line for line in card.splitlines() if line.startswith("backburner export"))
    chosen = "agents=oracle,greedy,methods=act,react@calls=together"
    assert command == f"backburner export {SUITE} --format messages@{chosen}"


def test_nothing_of_the_machine_is_in_the_bytes(messages: Path) -> None:
    here = [str(messages).encode(), os.uname().nodename.encode(), str(time.gmtime().tm_year).encode()]
    for file in ("README.md", "export.json"):
        assert not [word for word in here if word in (messages / file).read_bytes()]


# --- what stands in it -------------------------------------------------------------------------------------


def is_conversation(messages: list[dict[str, str]]) -> bool:
    """What trainers take for one: roles and contents, in turn, and an answer at last."""
    roles = [message["role"] for message in messages]
    return (
        all(set(message) == {"role", "content"} and message["content"] for message in messages)
        and roles[-1] == "assistant"
        and all(one != other for one, other in pairwise(roles))
        and "system" not in roles[1:]
    )


def test_messages_are_conversations(messages: Path) -> None:
    found = rows(messages, "messages")
    assert len({row["id"] for row in found}) == len(found)
    assert {(row["agent"], row["method"]) for row in found} == {
        (agent, method) for agent in MESSAGES.agents for method in MESSAGES.methods
    }
    for row in found:
        assert is_conversation(row["messages"])
        assert all(row["messages"][place]["role"] == "assistant" for place in row["own"])
        assert row["completed"] and row["proven"] and row["regret"] == row["objective"] - row["best"]
        assert row["agent"] != "oracle" or row["regret"] == 0


def test_calls_have_columns_of_their_own_beside_methods_without_them(tmp_path: Path) -> None:
    """Of a row each, in one file: what is told in words has nulls there, and its messages are the same."""
    made: dict[str, dict[str, Any]] = {}
    for methods in (("act",), ("act", "calls")):
        folder = tmp_path / "+".join(methods)
        export_data(Settings("messages", ("timearena/lab1",), methods=methods, test=0, validation=0), folder)
        made |= {f"{row['method']} of {len(methods)}": row for row in rows(folder, "messages")}
    plain, mixed, calls = made["act of 1"], made["act of 2"], made["calls of 2"]
    assert "tools" not in plain and mixed["tools"] is None
    nothing = {"tool_calls": None, "tool_call_id": None}
    assert mixed["messages"] == [message | nothing for message in plain["messages"]]
    tools = {each["function"]["name"]: each for each in json.loads(calls["tools"])}
    assert {each["type"] for each in tools.values()} == {"function"} and "wait" in tools
    asked: list[str] = []
    for place, message in enumerate(calls["messages"]):
        for call in message["tool_calls"] or ():
            assert place in calls["own"] and message["content"] == "" and call["type"] == "function"
            parameters = tools[call["function"]["name"]]["function"]["parameters"]
            assert set(json.loads(call["function"]["arguments"])) == set(parameters["required"])
            asked.append(call["id"])
        assert message["role"] != "tool" or message["tool_call_id"] == asked[-1]
    assert len(asked) == len(set(asked)) == len(calls["own"])


def test_the_episodes_of_a_table_are_in_one_split_with_their_scenario(trajectories: Path) -> None:
    card = json.loads((trajectories / "export.json").read_text("utf-8"))
    assert set(card["split"].values()) == {"train", "validation", "test"}
    for table in TABLES["trajectories"]:
        for split in ("train", "validation", "test"):
            assert {card["split"][row["scenario"]] for row in rows(trajectories, table.name, split)} == {
                split
            }
    parts: dict[str, set[str]] = {}
    for split in ("train", "validation", "test"):
        for row in rows(trajectories, "scenarios", split):
            for part in row["parts"]:
                parts.setdefault(part, set()).add(split)
    assert len(parts) == 10 and all(len(splits) == 1 for splits in parts.values())


def test_pairs_are_conversations_with_two_endings(trajectories: Path) -> None:
    for row in rows(trajectories, "preferences"):
        assert is_conversation([*row["prompt"], *row["chosen"]])
        assert is_conversation([*row["prompt"], *row["rejected"]])
        assert row["kind"] != "costly" or row["lost"] > 0


def test_every_column_has_its_meaning_in_file_and_card(trajectories: Path) -> None:
    card = (trajectories / "README.md").read_text("utf-8")
    for table in TABLES["trajectories"]:
        schema = pyarrow.parquet.read_schema(trajectories / table.name / "train.parquet")
        assert schema.names == [column.name for column in table.columns]
        for column in table.columns:
            assert schema.field(column.name).metadata[b"meaning"].decode() == column.meaning
            assert f"| {column.name} | " in card


def test_row_groups_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "GROUP_ROWS", 5)
    export_data(Settings("messages", (SUITE,), test=0), tmp_path / "data")
    file = pyarrow.parquet.ParquetFile(tmp_path / "data" / "messages" / "train.parquet")
    assert [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)] == [5, 4]


def test_others_read_it_back(messages: Path, trajectories: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    datasets = pytest.importorskip(
        "datasets", reason="pip install datasets reads exports as trainers do; integrations/data does it too"
    )
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert datasets.load_dataset(str(messages), split="train").num_rows == len(rows(messages, "messages"))
    for table in TABLES["trajectories"]:
        found = datasets.load_dataset(str(trajectories), table.name)
        assert set(found) == {"train", "validation", "test"}


# --- what is left out --------------------------------------------------------------------------------------


def test_what_cannot_be_is_left_out_and_told(tmp_path: Path) -> None:
    settings = Settings(
        "messages",
        ("timearena/lab1", "recipe2plan/Cobbler+Pancakes"),
        agents=("oracle", "stepwise"),
        methods=("act", "plan-and-solve", "reasoned"),
        thoughts=False,
        seeds=2,
        test=0.5,
        validation=0,
    )
    made = export_data(settings, tmp_path / "data")
    told = {one.what: one.why for one in made.left_out}
    assert "chance changes nothing" in told["timearena/lab1 oracle 1"]
    assert "has no agent 'stepwise'" in told["timearena/lab1 stepwise 0"]
    assert "makes no sense" in told["timearena/lab1 oracle 0 plan-and-solve"]
    assert "asks for thoughts" in told["recipe2plan/Cobbler+Pancakes oracle 0 reasoned"]
    assert "timearena/lab1 oracle 1: chance changes nothing" in (tmp_path / "data/README.md").read_text()
    with pytest.raises(Refused, match="nothing can be exported: timearena/lab1 stepwise 0"):
        export_data(Settings("messages", ("timearena/lab1",), agents=("stepwise",)), tmp_path / "none")
    assert not (tmp_path / "none").exists() and not (tmp_path / "none.part").exists()


def test_plans_of_the_oracle_are_proven_unless_others_are_wanted(tmp_path: Path) -> None:
    id = "robotouille/multi_agent/1@seed=42"  # a plan ships that is not proven shortest
    with pytest.raises(Refused, match="not proven best"):
        export_data(Settings("messages", (id,)), tmp_path / "data")
    export_data(Settings("messages", (id,), unproven=True), tmp_path / "data")
    (row, *_) = rows(tmp_path / "data", "messages")
    assert row["regret"] is None and not row["proven"] and row["objective"] == row["best"]


def test_kept_plans_are_taken_from_their_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings("messages", ("timearena/lab1",))
    export_data(settings, tmp_path / "one", keep=tmp_path / "kept.jsonl")
    assert len((tmp_path / "kept.jsonl").read_text().splitlines()) == 1
    monkeypatch.setattr("backburner.scheduling.oracle.ScheduleOracle.solve", None)
    export_data(settings, tmp_path / "two", keep=tmp_path / "kept.jsonl")
    assert content(tmp_path / "one") == content(tmp_path / "two")


@pytest.mark.parametrize(("agents", "seconds"), ((("greedy",), 5.0), (("oracle", "greedy"), 60.0)))
def test_a_plan_is_looked_for_briefly_where_nobody_plays_it(
    agents: tuple[str, ...], seconds: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user's own scenario, of which no plan ships: it took the minute of a plan, no matter who played."""
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({"world": "collab_grid", "id": "lunch", "orders": ["boiled_egg"]}))
    given: list[float] = []

    def solved(world: object, time_limit_seconds: float, kept: object) -> None:
        given.append(time_limit_seconds)
        raise Refused("no plan")

    monkeypatch.setattr("backburner.training.export.demonstrations.solved_plan", solved)
    export_data(Settings("messages", (str(file),), agents=agents, effort=0), tmp_path / "data")
    (row,) = rows(tmp_path / "data", "scenarios")
    assert row["best"] is None and set(given) == {seconds}


# --- stopped, and bad input --------------------------------------------------------------------------------


def test_a_killed_export_leaves_nothing_and_goes_on(messages: Path, tmp_path: Path) -> None:
    command = [
        *(sys.executable, "-m", "backburner", "export", SUITE, "--format"),
        "messages@agents=oracle,greedy,methods=act,react@calls=together,workers=1",
        str(tmp_path / "data"),
    ]
    workshop = tmp_path / "data.part" / "scenarios"
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and not list(workshop.glob("*left out*")):
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (tmp_path / "data").exists()
    done = {file: file.stat().st_mtime_ns for file in workshop.glob("*.jsonl")}
    assert done
    begun: list[str] = []
    export_data(MESSAGES, tmp_path / "data", advance=lambda: begun.append("done"))
    assert len(begun) == 10
    assert content(tmp_path / "data") == content(messages)
    assert not workshop.parent.exists()


def test_what_another_command_has_begun_is_begun_anew(messages: Path, tmp_path: Path) -> None:
    workshop = tmp_path / "data.part"
    (workshop / "scenarios").mkdir(parents=True)
    (workshop / "asked.json").write_bytes(b"{}")
    (workshop / "scenarios" / "000000.left out.jsonl").write_bytes(b"")
    (workshop / "scenarios" / "000000.messages.jsonl").write_bytes(b"nonsense\n")
    export_data(MESSAGES, tmp_path / "data")
    assert content(tmp_path / "data") == content(messages)


def test_a_half_written_scenario_is_written_again(tmp_path: Path) -> None:
    """What is there last says that the others are whole; they are written whole or not at all themselves."""
    settings = Settings("messages", ("timearena/lab1",))
    (tmp_path / "scenarios").mkdir()
    work_on(Scenario(0, "timearena/lab1", 0), settings=settings, workshop=tmp_path, keep=None)
    names = {file.name for file in (tmp_path / "scenarios").iterdir()}
    assert names == {f"000000.{kind}.jsonl" for kind in ("messages", "scenarios", "left out")}


def test_a_former_data_set_is_replaced_and_nothing_else_ever_is(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    export_data(Settings("trajectories", (SUITE,), effort=0), folder)
    export_data(Settings("messages", ("timearena/lab1",)), folder)
    assert {file.name for file in folder.iterdir()} == {"README.md", "export.json", "messages", "scenarios"}
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.tex").write_text("years of work")
    with pytest.raises(Refused, match="holds other files"):
        export_data(MESSAGES, mine)
    assert content(mine).keys() == {"thesis.tex"}


def test_two_commands_do_not_write_one_folder(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl", reason="this system has no locks of files")
    workshop = tmp_path / "data.part"
    workshop.mkdir()
    with (workshop / "lock").open("ab") as lock:
        (workshop / "asked.json").write_bytes(b"{}")
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(Refused, match="another command"):
            export_data(MESSAGES, tmp_path / "data")


BAD: Mapping[str, tuple[list[str], str]] = {
    "suite": (["timearena/single", "--format", "messages", "OUT"], "did you mean singles"),
    "world": (["timearenas/quick", "--format", "messages", "OUT"], "did you mean timearena"),
    "format": ([SUITE, "--format", "message", "OUT"], "did you mean messages"),
    "agent": ([SUITE, "--format", "messages@agents=oracel", "OUT"], "did you mean oracle"),
    "model": ([SUITE, "--format", "messages@agents=react", "OUT"], "it asks a model"),
    "record": ([SUITE, "--format", "messages@agents=replay:x.jsonl", "OUT"], "a record is of one"),
    "method": ([SUITE, "--format", "messages@methods=reakt", "OUT"], "did you mean react"),
    "choice": ([SUITE, "--format", "messages@methods=react@call=together", "OUT"], "mean calls"),
    "rules": ([SUITE, "--format", "messages@rules=standart", "OUT"], "did you mean standard"),
    "part": ([SUITE, "--format", "messages@hold_out=task lab11", "OUT"], "did you mean task lab1"),
    "shares": ([SUITE, "--format", "messages@test=0.6,validation=0.4", "OUT"], "below 1"),
    "no folder": ([SUITE, "--format", "messages"], "where to?"),
    "a file": ([SUITE, "--format", "messages", "FILE"], "is a file"),
    "two": ([SUITE, "--format", "messages", "--format", "trajectories", "OUT"], "written alone"),
    "both": ([SUITE, "--format", "messages", "--format", "csv", "OUT"], "written alone"),
    "of records": ([SUITE, "--format", "messages", "--count", "own=yes", "OUT"], "is for tables"),
    "of suites": (["runs", "--format", "csv@agents=greedy", "OUT"], "unknown key 'agents' in --format csv"),
    "a folder of records": (["RUNS", "--format", "messages", "OUT"], "holds records"),
    "a suite of records": ([SUITE, "--format", "csv", "OUT"], "of it comes --format messages"),
    "no proof": (["clocked_kitchen/level_0", "--format", "messages", "OUT"], "its plan is not proven best"),
    "a name missing": ([SUITE, "--format", "messages@agents=oracle,", "OUT"], "beside a comma"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_before_anything_is_played(case: str, tmp_path: Path) -> None:
    arguments, why = BAD[case]
    (tmp_path / "file").write_text("x")
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "one.jsonl").write_text("x")
    places = {"OUT": str(tmp_path / "data"), "FILE": str(tmp_path / "file"), "RUNS": str(tmp_path / "runs")}
    with pytest.raises(BackburnerError) as error:
        CliRunner().invoke(app, ["export", *(places.get(a, a) for a in arguments)], catch_exceptions=False)
    assert why in str(error.value) and "\n" not in str(error.value)
    assert not (tmp_path / "data").exists() and not (tmp_path / "data.part").exists()


def test_without_pyarrow_the_install_command_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"\[data\]"):
        export_data(MESSAGES, tmp_path / "data")


def test_the_command_writes_and_tells_what_is_there(tmp_path: Path) -> None:
    where = str(tmp_path / "data")
    result = CliRunner().invoke(
        app, ["export", "timearena/lab1", "--format", "messages", where, "--json"], catch_exceptions=False
    )
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["rows"] == {"messages/train": 1, "scenarios/train": 1}
    assert sorted(told["files"]) == ["messages/train.parquet", "scenarios/train.parquet"]


def test_lists_of_names_keep_the_choices_of_methods_together() -> None:
    assert names_in("act,react@calls=together,history=none,io") == [
        "act",
        "react@calls=together,history=none",
        "io",
    ]
    assert once(["a", "b", "a"]) == ("a", "b")


def test_demonstrations_take_no_time(tmp_path: Path) -> None:
    settings = Settings("messages", ("timearena/lab1",), agents=("greedy@latency=2",))
    with pytest.raises(Refused, match="agents=greedy@latency=2: demonstrations take no time to think"):
        export_data(settings, tmp_path / "data")

"""Files of days: what is wrong with one is said with its place and the nearest name."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from backburner.kernel.errors import BadFile
from backburner.kernel.files import shipped
from backburner.worlds.desk.game.scenario_files import read_file


def counter() -> dict[str, Any]:
    return copy.deepcopy(shipped("backburner.worlds.desk", "made/counter", dict[str, Any]))


def test_a_file_is_read_and_written_again() -> None:
    path, scenario = read_file(counter(), "day.json")
    again = {"world": "desk", "id": path, **msgspec.to_builtins(scenario)}
    assert read_file(again, "day.json") == (path, scenario)


def at(*steps: Any, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(file: Any) -> None:
        for step in steps[:-1]:
            file = file[step]
        if value is ...:
            del file[steps[-1]]
        else:
            file[steps[-1]] = value

    return change


CELL = {"by": "table", "take": "cell", "of": "export refunds", "column": "total"}
DEEP = {"by": "values", "take": "sum", "of": [{"by": "values", "take": "max", "of": [
    {"by": "values", "take": "min", "of": [1, 2]}]}]}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            at("jobs", 4, "needs", value=["export order"]),
            "unknown job 'export order'; did you mean export orders",
        ),
        (at("jobs", 0, "tool", value="exprot"), "unknown tool 'exprot'; did you mean export"),
        (at("tools", 0, "resource", value="databse"), "unknown resource 'databse'; did you mean database"),
        (at("tools", 1, "name", value="check"), "'check' is a word of answers"),
        (at("tools", 1, "name", value="act"), "'act' is a word of answers"),
        (at("tools", 1, "name", value="look"), "'look' is a word of answers"),
        (at("jobs", 3, "subject", value="week"), "the tool 'rota' takes no subject"),
        (at("jobs", 2, "needs", value=["release"]), "a circle: "),
        (at("jobs", 4, "inputs", value={}), "'total' is not in both"),
        (at("jobs", 4, "inputs", "total", value={**CELL, "column": "sum"}), "has no column 'sum'"),
        (
            at("jobs", 4, "inputs", "total", value={**CELL, "of": "export refund"}),
            "did you mean export refunds",
        ),
        (at("jobs", 4, "needs", value=["export orders"]), "add it to the field 'needs'"),
        (at("jobs", 4, "inputs", "total", value="a lot"), "'a lot' is no whole number"),
        (at("jobs", 4, "inputs", "total", value=DEEP), "more than 2 operations"),
        (at("jobs", 2, "attempts", 1, "outcome", value="fails"), "the last one is ok"),
        (at("jobs", 2, "attempts", 0, "run", value=0), "work by hand, every time or never"),
        (at("jobs", 3, "silent", value=True), "work by hand is not silent"),
        (at("jobs", 2, "told", value={"least": 9, "most": 10}), "not within what is told"),
        (at("jobs", 2, "told", value={"least": 1, "most": 7}), "not within what is told"),
        (
            at("jobs", 0, "pause", value={"after": 10, "question": "?", "answer": "y"}),
            "the run takes 10 minutes",
        ),
        (at("jobs", 0, "yields", "rows", 1, value=["south"]), "there are 2 columns"),
        (at("requests", 0, "hands", value=9), "an answer takes 9 minutes"),
        (at("requests", 0, "answer", value="garden"), "'garden' is no choice"),
        (at("requests", 0, "name", value="rota"), "'rota' is a job"),
        (at("resources", 1, value={"name": "rota"}), "unknown resource 'runner'"),
        (at("tools", 2, "resource", value="rota"), "unknown resource 'rota'"),
        (at("tools", 3, "hands", value=0), "hands"),
        (at("optimum", "starts", "build?", value=...), "'build?' is not in both"),
        (at("opens", value="9 o'clock"), "opens"),
        (at("speed", value=2), "speed"),
    ],
)
def test_what_is_wrong_is_said(change: Callable[[dict[str, Any]], None], said: str) -> None:
    file = counter()
    change(file)
    with pytest.raises(BadFile) as error:
        read_file(file, "day.json")
    assert said in str(error.value) and "day.json" in str(error.value)


def test_choices_alone_never_decide_what_counts() -> None:
    file = counter()
    file["tools"][3]["inputs"] = [{"name": "total", "kind": "choice", "choices": ["ship", "hold"]}]
    file["jobs"][4]["inputs"] = {"total": "ship"}
    with pytest.raises(BadFile, match="choices alone can be guessed"):
        read_file(file, "day.json")


def test_a_day_that_asks_for_nothing_is_refused() -> None:
    file = counter()
    for job in file["jobs"]:
        job.pop("deliverable", None)
    with pytest.raises(BadFile, match="nothing is asked for"):
        read_file(file, "day.json")


def test_no_two_things_in_the_picture_have_one_name() -> None:
    file = counter()
    file["resources"].append({"name": "rota"})
    with pytest.raises(BadFile, match="'rota' is the name of a job"):
        read_file(file, "day.json")

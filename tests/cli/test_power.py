"""``power``: sample sizes before a study, from assumptions or from a pilot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from backburner.cli import app
from backburner.evaluation.comparing.power import of_rates
from backburner.kernel.errors import BackburnerError

runner = CliRunner()


def run(*arguments: str | Path, code: int = 0) -> str:
    result = runner.invoke(app, ["power", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.stdout


def sections(*arguments: str | Path) -> Any:
    return json.loads(run(*arguments, "--json"))


def test_spreads_and_a_difference_give_scenarios() -> None:
    """Half a standard deviation takes 34 pairs (a textbook's); of 10 + 30 / s² with 4 seeds as with 17.5."""
    (found,) = sections("--spread", "20", "--difference", "10", "--seeds", "1")
    assert found["rows"] == [["10", 34]]
    (found,) = sections("--spread", "20@seeds=20", "--difference", "10", "--seeds", "1", "--seeds", "4")
    (wide,) = sections("--spread", str(800**0.5), "--difference", "10", "--seeds", "1")
    (less,) = sections("--spread", str(500**0.5), "--difference", "10", "--seeds", "1")
    assert found["rows"][0] == ["10", wide["rows"][0][1], less["rows"][0][1]]


def test_scenarios_give_the_difference_that_they_find() -> None:
    (found,) = sections("--spread", "20", "--scenarios", "34", "--seeds", "1")
    assert found["rows"][0][0] == 34 and 9.7 < found["rows"][0][1] <= 10
    both = sections("--spread", "20", "--scenarios", "34", "--difference", "10")
    assert [section["columns"][0] for section in both] == ["difference", "scenarios"]
    (more,) = sections("--spread", "20", "--difference", "10", "--seeds", "1", "--power", "0.9")
    assert more["rows"] == [["10", 44]]


def test_success_rates_tell_how_they_vary() -> None:
    """40 and 50 %: 40 · 60 + 50 · 50 = 4900, a standard deviation of 70, and a difference of 10."""
    assert of_rates(40, 50).seeds == 4900
    (found,) = sections("--rates", "40", "50")
    assert found["rows"][0][0] == "10"
    assert (
        found["rows"][0][1]
        == sections("--spread", "70", "--difference", "10", "--seeds", "1")[0]["rows"][0][1]
    )
    assert "standard deviation of 0, and from seed to seed of one scenario with 70" in found["text"]


def test_a_pilot_tells_how_differences_vary(tmp_path: Path) -> None:
    ids = ("timearena/singles/lab", "timearena/singles/household")
    line = ["run", *ids, "--agent", "serial", "--agent", "random", "--seeds", "2", "--out", str(tmp_path)]
    assert runner.invoke(app, line).exit_code == 0
    (found,) = sections(tmp_path, "--compare", "random", "serial", "--metric", "AS*", "--difference", "5")
    assert found["title"] == "Scenarios that a comparison needs, timearena"
    assert "Differences between random and serial vary" in found["text"] and "AS* (%)" in found["text"]
    assert found["rows"][0][0] == "5" and found["rows"][0][1] > found["rows"][0][4] >= 2
    assert "scenarios" in run(tmp_path, "--compare", "random", "serial", "--scenarios", "10")
    with pytest.raises(BackburnerError, match="unknown metric 'AZ'"):
        run(tmp_path, "--compare", "random", "serial", "--metric", "AZ")
    with pytest.raises(BackburnerError, match="--compare A B"):
        run(tmp_path)


def test_of_a_pilot_over_several_worlds_one_may_be_picked(tmp_path: Path) -> None:
    ids = ("timearena/singles/lab", "recipe2plan/quick")
    line = ["run", *ids, "--agent", "first-legal", "--agent", "random", "--out", str(tmp_path)]
    assert runner.invoke(app, line).exit_code in (0, 1)
    pilot = (tmp_path, "--compare", "random", "first-legal", "--difference", "5")
    both = sections(*pilot)
    assert [one["title"].rpartition(", ")[2] for one in both] == ["recipe2plan", "timearena"]
    assert sections(*pilot, "--metric", "@world=timearena") == both[1:]
    (found,) = sections(*pilot, "--metric", "AS*")  # that only one of them has
    assert "AS* (%)" in found["text"]
    with pytest.raises(BackburnerError, match="unknown metric 'AZ' in recipe2plan, timearena"):
        sections(*pilot, "--metric", "AZ")
    with pytest.raises(BackburnerError, match=r"unknown world 'timarena' .*did you mean timearena"):
        sections(*pilot, "--metric", "@world=timarena")
    with pytest.raises(BackburnerError, match=r"unknown metric 'AS\*' in recipe2plan"):
        sections(*pilot, "--metric", "AS*@world=recipe2plan")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ((), "how do differences vary"),
        (("--spread", "3", "--rates", "1", "2"), "how do differences vary"),
        (("--spread", "0"), "need no test"),
        (("--rates", "40", "400"), "from 0 to 100"),
    ],
)
def test_what_makes_no_sense_is_told(line: tuple[str, ...], why: str) -> None:
    with pytest.raises(BackburnerError, match=why):
        run(*line)


def test_numbers_beyond_all_sense_are_refused() -> None:
    for spread in ("1e300@seeds=3", "3@seeds=1e300"):
        with pytest.raises(BackburnerError, match=r"--spread 1e[+]300: .* at most 1e[+]09"):
            run("--spread", spread, "--difference", "5")
    with pytest.raises(BackburnerError, match=r"--difference 1e[+]300: .* at most 1e[+]09"):
        run("--spread", "20", "--difference", "1e300")
    said = runner.invoke(app, ["power", "--spread", "20", "--difference", "inf"])
    assert said.exit_code == 2 and "write a finite number" in said.output
    with pytest.raises(BackburnerError, match="--difference 0: agents that do not differ"):
        run("--spread", "20", "--difference", "0")

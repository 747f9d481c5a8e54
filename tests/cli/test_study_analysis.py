"""``study analyse`` and ``study power`` at a terminal of 80 columns, as JSON, as files."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from support.study.study_data import write_measures, write_study, write_table

pytest.importorskip("statsmodels")

from backburner.cli import app
from backburner.kernel.errors import BackburnerError, MissingExtra
from support.command_line import ran

runner = CliRunner()


def run(*arguments: str | Path, code: int = 0) -> str:
    result = runner.invoke(app, ["study", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.stdout


def at_terminal(*arguments: str | Path) -> tuple[int, str, str]:
    """As a person at a terminal of 80 columns has it: exit code, stdout, stderr."""
    return ran("study", *arguments, columns=80)


def test_tables_stand_in_eighty_columns(tmp_path: Path) -> None:
    code, out, err = at_terminal("analyse", write_study(tmp_path), "--all")
    assert code == 0, err
    assert all(len(line) <= 80 for line in out.splitlines())
    words = " ".join(out.split())
    assert "one-way F(4, 55) = " in words and "repeated F(4, 44) = " in words
    assert "Mauchly's W" in words and "1 agent – alone" in words
    assert "take its values for independent" in err


def test_json_holds_every_figure(tmp_path: Path) -> None:
    found: Any = json.loads(run("analyse", write_study(tmp_path), "--json", "--contrast", "agents1/alone"))
    score = found["results"][0]
    assert (score["one_way"]["test"]["df1"], score["one_way"]["test"]["df2"]) == (4, 55)
    assert score["repeated"]["greenhouse_geisser"]["df2"] < 44
    assert len(score["pairs"]) == 10 and len(score["contrasts"]) == 1
    assert score["means"][0]["within"]["low"] < score["means"][0]["mean"]["value"]
    only = json.loads(run("analyse", tmp_path, "--json", "--only", "trust"))
    assert [each["variable"]["key"] for each in only["results"]] == ["trust"]


def test_files_are_a_page_that_loads_nothing_json_and_pictures(tmp_path: Path) -> None:
    folder, out = write_study(tmp_path / "data"), tmp_path / "out"
    run("analyse", folder, "--out", out)
    page = (out / "analysis.html").read_text("utf-8")
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
    assert "<script" not in page and "default-src 'none'" in page
    pictures = sorted(path.name for path in (out / "figures").glob("*.svg"))
    assert len(pictures) == 12 and "CoS-collaboration-score-means.svg" in pictures
    for path in (out / "figures").glob("*.svg"):
        ElementTree.fromstring(path.read_text("utf-8"))
    assert page.count("<svg") == 12 + 6, "the means of all six stand together as well"
    assert json.loads((out / "analysis.json").read_text("utf-8"))["design"] == "within"


def test_texts_of_the_data_are_no_markup(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>[red]\x1b[31m"
    values = [(f"p{i}{evil}", f"c{j}{evil}", float(i * j)) for i in range(4) for j in range(3)]
    folder = write_measures(tmp_path / "data", values)
    write_table(folder, "conditions", [{"condition": f"c{j}{evil}", "label": f"{j}{evil}"} for j in range(3)])
    run("analyse", folder, "--out", tmp_path / "out")
    page = (tmp_path / "out" / "analysis.html").read_text("utf-8")
    assert "<script" not in page and "\x1b" not in page
    code, out, err = at_terminal("analyse", folder, "--all")
    assert code == 0 and "\x1b[31m" not in out + err and "[red]" in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--only", "cos"), "did you mean CoS"),
        (("--contrast", "a"), "write conditions as A,B/C"),
        (("--contrast", "agent1/alone"), "did you mean agents1"),
        (("--design", "witin"), "did you mean within"),
    ],
)
def test_what_cannot_be_asked_is_told(tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    with pytest.raises(BackburnerError, match=told):
        run("analyse", write_study(tmp_path), *words)


def test_files_do_not_lie_among_the_data(tmp_path: Path) -> None:
    folder = write_study(tmp_path)
    with pytest.raises(BackburnerError, match="holds the data"):
        run("analyse", folder, "--out", folder)


def test_power_of_the_articles_study() -> None:
    """The effect of F(4, 55) = 28.11, with its interval; so large that a handful of people would find it."""
    found: Any = json.loads(run("power", "--conditions", "5", "--effect", "f_test=28.11:4:55", "--json"))
    assert found["effect"]["f"] == pytest.approx((28.11 * 4 / 55) ** 0.5)
    assert found["printed"]["low"] == pytest.approx(0.983, abs=1e-3)
    assert found["other"]["0.25"] == 21
    assert found["needed_simulated"] >= found["needed"]


def test_the_number_of_conditions_is_that_of_what_is_printed_or_of_the_means() -> None:
    printed = run("power", "--effect", "f_test=28.11:4:55", "--simulate", "studies=0", "--json")
    asked = run(
        "power", "--conditions", "5", "--effect", "f_test=28.11:4:55", "--simulate", "studies=0", "--json"
    )
    assert json.loads(printed) == json.loads(asked)
    means = json.loads(run("power", "--effect", "mean=3,mean=4,sd=1", "--simulate", "studies=0", "--json"))
    assert means["effect"]["conditions"] == 2
    for words in ([], ["--effect", "0.25"], ["--effect", "f_test=3:1.5:20"], ["--effect", "mean=3,sd=1"]):
        with pytest.raises(BackburnerError, match="how many conditions"):
            run("power", *words)


def test_power_by_both_ways() -> None:
    words = ("--conditions", "5", "--effect", "0.25", "--participants", "24", "--simulate", "studies=2000")
    (line,) = json.loads(run("power", *words, "--json"))["powers"]
    assert line["power"] == pytest.approx(0.873, abs=1e-3)
    assert line["simulated"]["low"] < line["power"]
    out = run("power", *words)
    assert "87.3 %" in out
    means = run("power", "--conditions", "2", "--effect", "mean=3,mean=4,sd=1", "--design", "between")
    assert "f = 0.5" in means


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "how large is the effect"),
        (("--effect", "mean=3,sd=1,f_test=1:2:3"), "how large is the effect"),
        (("--effect", "0"), "an effect of 0"),
        (("--effect", "inf"), "write a finite number"),
        (("--effect", "0.2", "--design", "within@correlation=1"), "between -0.50 and 1"),
        (("--effect", "0.2", "--design", "within@epsilon=0.2"), "an epsilon of 0.2"),
        (("--effect", "mean=1,sd=1"), "a mean for each of the 3 conditions"),
        (("--effect", "f_test=1:2:nan"), "finite number"),
        (("--effect", "f_test=1:2:0"), "above 0"),
        (("--effect", "0.01", "--participants", "20000", "--simulate", "studies=200000"), "fewer will do"),
    ],
)
def test_power_that_makes_no_sense_is_told(words: tuple[str, ...], told: str) -> None:
    with pytest.raises(BackburnerError, match=told):
        run("power", "--conditions", "3", *words)


@pytest.mark.parametrize("words", [("analyse", "x"), ("compare", "x", "y"), ("power", "--conditions", "3")])
def test_without_the_library_the_extra_is_named(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "statsmodels", None)
    with pytest.raises(MissingExtra, match=r"study|statsmodels"):
        run(*words)

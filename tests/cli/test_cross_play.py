"""``run --cross-play`` plays all teams, tells who plays well with whom, and goes on where it was stopped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from backburner.cli import app

AGENTS = ("--agent", "greedy", "--agent", "clumsy")
SUITE = "collab_overcooked/level1"


def said(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> Path:
    """Two cooks with themselves and with each other, in both seats, in five kitchens."""
    folder = tmp_path_factory.mktemp("cross-play")
    told = said("run", SUITE, *AGENTS, "--cross-play", "--out", str(folder))
    assert "20 episodes played" in told and "Cross-play: SR, 2 seats, standard rules" in told
    assert "Cross-play: PC" not in told
    return folder


def test_the_same_command_goes_on(played: Path) -> None:
    told = said("run", SUITE, *AGENTS, "--cross-play", "--out", str(played))
    assert "0 episodes played, 20 kept" in told and "best response" in told


def test_score_has_the_numbers(played: Path) -> None:
    (world,) = json.loads(said("score", str(played), "--json"))
    by_metric = {found["metric"]: found for found in world["cross_play"]}
    found = by_metric["SR"]
    assert (found["seats"], found["over"], found["drawn"]) == (["chef", "assistant"], 5, "scenarios")
    assert found["agents"] == ["clumsy", "greedy"] and len(found["meetings"]) == 8
    clumsy, greedy = found["standings"]
    assert greedy["self_play"]["value"] == 100
    assert set(clumsy["by_seat"]) == {"chef", "assistant"}
    for one in (clumsy, greedy, found["overall"]):
        mean = sum(seat["value"] for seat in one["by_seat"].values()) / 2
        assert one["cross_play"]["value"] == pytest.approx(mean)
        gap = one["self_play"]["value"] - one["cross_play"]["value"]
        assert one["gap"]["value"] == pytest.approx(gap)


def test_the_report_has_table_and_picture(played: Path, tmp_path: Path) -> None:
    said("report", str(played), "--out", str(tmp_path / "page.html"))
    said("export", str(played), "--format", "svg", str(tmp_path / "figures"))
    page = (tmp_path / "page.html").read_text()
    assert "Cross-play: SR, 2 seats, standard rules" in page
    assert "SR, standard rules" in page and "rows: chef, columns: assistant" in page
    drawn = sorted(path.name for path in (tmp_path / "figures/collab_overcooked").glob("cross-play*"))
    assert "cross-play-sr-standard-rules.svg" in drawn


def test_a_folder_without_such_records_says_nothing_of_it(tmp_path: Path) -> None:
    told = said(
        "run", "collab_overcooked/baked_bell_pepper", "--agent", "greedy+clumsy", "--out", str(tmp_path)
    )
    assert "Cross-play" not in told
    assert "Cross-play" not in said("score", str(tmp_path), "--all")
    (world,) = json.loads(said("score", str(tmp_path), "--json"))
    assert world["cross_play"] == []


def test_models_are_crossed_as_well(tmp_path: Path) -> None:
    told = said(
        "run", "cuisineworld/level_0@seats=each,tau=1.5", "--agent", "act", "--agent", "greedy", "--model",
        "stand-in:skill=0.5", "--cross-play", "--out", str(tmp_path),
    )  # fmt: skip
    assert "4 episodes played" in told and "act(stand-in:skill=0.5)" in told


def test_one_model_for_one_seat_cannot_be_crossed(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        app,
        ["run", "collab_overcooked/quick", "--agent", "act", "--agent", "greedy", "--model", "chef=m",
         "--cross-play", "--out", str(tmp_path)],
    )  # fmt: skip
    assert result.exit_code != 0 and "--model SEAT=NAME is one seat's model" in str(result.exception)


def test_kitchens_that_nobody_has_seen(tmp_path: Path) -> None:
    """Floors made from a seed of one's own, in which agents meet that never did."""
    kitchens = str(tmp_path / "kitchens")
    said("build", "clocked_kitchen@level=level_0,kitchens=2,seed=77", "--out", kitchens)
    told = said(
        "run", kitchens, "--agent", "greedy", "--agent", "first-legal", "--cross-play", "--out",
        str(tmp_path / "runs"),
    )  # fmt: skip
    assert "8 episodes played" in told and "Cross-play:" in told

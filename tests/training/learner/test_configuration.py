"""What a training may be asked for, and what is said where it may not."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from backburner.kernel.errors import BackburnerError, BadFile, Refused
from backburner.training.learner.configuration import (
    Configuration,
    Seeds,
    changed,
    read_configuration,
    shipped_configuration,
)
from backburner.training.learner.rollouts import lanes_of
from backburner.training.learner.train import train
from support.command_line import complaint

LEVEL = "cuisineworld/level_0@seed=play"


def test_a_configuration_is_a_file(tmp_path: Path) -> None:
    written = Configuration(scenarios=(LEVEL,), hidden=7)
    (tmp_path / "a.json").write_bytes(msgspec.json.encode(written))
    assert read_configuration(tmp_path / "a.json") == written


def test_a_configuration_without_a_curriculum_says_nothing_of_one() -> None:
    """So that the folders of earlier runs go on, and networks have the headers that they had."""
    assert b"curriculum" not in msgspec.json.encode(Configuration(scenarios=(LEVEL,)))


@pytest.mark.parametrize(
    "content", [b"", b"[]", b'{"scenarios": 3}', b'{"scenarios": [], "more": 1}', b"[" * 9999]
)
def test_another_file_is_refused_in_a_line(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(content)
    with pytest.raises(BadFile) as raised:
        read_configuration(tmp_path / "a.json")
    assert str(raised.value).startswith(str(tmp_path)) and "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"hidden": 0}, "hidden is 1 at least, not 0"),
        ({"discount": 1.5}, "discount is 1 at most, not 1.5"),
        ({"test_seeds": Seeds(10_500, 1)}, "overlap; what is learnt is tested on seeds of its own"),
        ({"seeds": Seeds(0, 0)}, "there is one at least"),
        ({"curriculum": "progress"}, "'drawn' says how many"),
        ({"scenarios": ()}, "name one scenario at least"),
        ({"scenarios": ("cuisineworld/level_99",)}, "did you mean"),
        ({"held_out": (LEVEL,)}, "is trained on and held out"),
        (
            {"held_out": ("timearena/cooking1",)},
            "one network plays one world, not cuisineworld and timearena",
        ),
    ],
)
def test_what_cannot_be_is_refused(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(BackburnerError, match=why):
        changed(Configuration(scenarios=(LEVEL,)), **changes)


def test_a_list_network_plays_one_list_of_codes() -> None:
    made = Configuration(scenarios=(LEVEL,), network="list")
    with pytest.raises(Refused, match="has other codes or features than cuisineworld/level_0"):
        lanes_of((LEVEL, "cuisineworld/level_1@seed=play"), made, 1)


def test_an_unknown_reward_is_told_with_those_that_there_are() -> None:
    with pytest.raises(BackburnerError, match=r"unknown reward 'scores'.*did you mean score"):
        lanes_of((LEVEL,), Configuration(scenarios=(LEVEL,), reward="scores"), 1)


def test_without_torch_it_is_said_how_to_install_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(Refused, match=r"training needs torch, .*pip install torch==2\.13\.0"):
        train(Configuration(scenarios=(LEVEL,)), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_the_command_tells_what_is_wrong_in_a_line(tmp_path: Path) -> None:
    for arguments, why in (
        (["robotouille"], "no training ships with this world"),
        ([LEVEL, "--set", "network=tree"], "unknown value 'tree' in --set: network"),
        ([str(tmp_path / "none.json")], "No such file"),
    ):
        told = complaint("train", *arguments, "--out", tmp_path / "run")
        assert why in told and len(told.splitlines()) == 1


def test_a_world_without_a_training_says_so() -> None:
    with pytest.raises(Refused, match="no training ships with this world"):
        shipped_configuration("robotouille")


@pytest.mark.parametrize("level", ["level_1", "level_2", "level_4", "older_level_1"])
def test_the_examples_are_configurations(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).resolve().parents[3])
    file = Path("examples") / f"table_12_{level}.json"
    made = read_configuration(file)
    assert made.network == "list" and made.test_seeds.count == 64

"""Nobody earns without playing: every world, face and reward, by whoever tries to."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from backburner.arrays.rewards import POTENTIAL
from backburner.kernel import packs
from backburner.training.adversaries import (
    ADVERSARIES,
    BESIDE_GREEDY,
    CASES,
    GOLD,
    GREEDY,
    Face,
    Gym,
    Script,
    Talk,
    Tools,
    Zoo,
    earned,
    earnings,
    gamed,
    settings_of,
)
from backburner.training.conversation import Setting
from backburner.training.pay import METRIC, RELATIVE

pytest.importorskip("gymnasium", reason="needs: pip install -e '.[rl]'")
pytest.importorskip("ortools", reason="the oracles need it: pip install -e '.[solve]'")

COOKING = "timearena/cooking1"

SEVERAL = "cuisineworld/level_0@tau=1.5,seats=each"
"""Looks ahead for every seat at each step, so that few of its rewards are tried here."""


def test_every_world_is_among_the_cases() -> None:
    assert {scenario.partition("/")[0] for scenario in CASES} == set(packs.names())


@pytest.mark.parametrize("face", [Talk, Tools, Gym, Zoo])
@pytest.mark.parametrize("scenario", [case for case in CASES if not case.startswith(SEVERAL)])
def test_nobody_earns_more_than_greedy_and_gold_earns_most(scenario: str, face: Callable[..., Face]) -> None:
    for setting in settings_of(scenario, CASES[scenario], face):  # type: ignore[arg-type]
        table = earnings(face(scenario, setting), seconds=2)
        assert not gamed(table), (setting, table)
        if setting.pay == RELATIVE:
            assert table["quits"] == pytest.approx(0) == table["sleeps"]


def test_under_released_rules_nobody_does_either() -> None:
    for setting in settings_of(COOKING, Setting(rules="released"), Talk):
        assert not gamed(earnings(Talk(COOKING, setting), seconds=2)), setting


def test_a_silent_seat_beside_dispatched_partners_adds_nothing_whatever_the_reward() -> None:
    """The articles' own rewards charge for steps, so that it matters how they are counted."""
    for reward in (METRIC, "article"):
        face = Talk(SEVERAL, replace(BESIDE_GREEDY, reward=reward, pay=RELATIVE))
        assert earned(face, Script()) == pytest.approx(0)
        assert earned(face, Script((), "noop_agent0")) == pytest.approx(0)
        assert earned(face, Script((), "")) <= 1e-6


class Careless(Talk):
    """Lets go of whoever leaves, as shaping must not."""

    def leave(self) -> float:
        return 0.0


def test_a_face_that_charges_nobody_for_leaving_is_noticed() -> None:
    face = Careless("robotouille/synchronous/1@seed=42", Setting(reward=POTENTIAL))
    wrong = gamed(earnings(face, seconds=2))
    assert wrong and wrong[0].startswith("quits earns 0, greedy -")


def test_gold_that_is_not_the_best_is_noticed() -> None:
    table = dict.fromkeys((GREEDY, GOLD, *ADVERSARIES), 0.0)
    assert gamed(table) == []
    assert gamed({**table, GREEDY: 1.0}) == ["greedy earns 1, gold 0"]


def test_the_page_has_what_the_script_prints() -> None:
    root = Path(__file__).parents[2]
    command = [sys.executable, str(root / "benchmarks" / "adversaries.py"), COOKING]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    page = (root / "docs" / "rewards.md").read_text()
    printed = done.stdout.splitlines()
    assert len(printed) > 3 and all(f"\n{line}\n" in page for line in printed)

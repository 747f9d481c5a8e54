"""Counts of the released program as they were read out of it, and our words beside those of the sources."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import backburner.worlds.robotouille as package
from backburner.worlds.robotouille.game.catalogue import limits_of
from backburner.worlds.robotouille.game.compiled import RELEASED_COUNT
from backburner.worlds.robotouille.game.rule_set import PRESETS, RELEASED
from backburner.worlds.robotouille.game.scenarios import Scenario, shipped_problem, task_file, tasks
from support.facts import FOLDER, facts_about
from support.robotouille.kitchens import holds, say, world_in
from support.words import runs

PAGE = Path(__file__).resolve().parents[3] / "docs" / "worlds" / "robotouille.md"
ARTICLE = FOLDER.parent / "papers" / "robotouille.txt"
RELEASE = FOLDER.parent / "upstream" / "robotouille"


def test_ticks_and_repetitions() -> None:
    timing = facts_about("robotouille")["timing"]
    assert timing["repetitions"] == RELEASED_COUNT
    assert timing["steps_after_the_triggering_step"] == timing["delayed_ticks"] - 1 == RELEASED_COUNT
    assert timing["tick_on_action_step"] is True
    for rules in PRESETS:
        world = world_in(["stove patty"], rules=rules)
        state = say(world, world.start(), "robot1 cooks patty1 on stove1")
        for _ in range(timing["steps_after_the_triggering_step"]):
            assert not holds(world, state, "iscooked(patty1)")
            state = say(world, state, "Wait")
        assert holds(world, state, "iscooked(patty1)")


def test_a_limit_of_half_a_step_allows_that_step() -> None:
    """The program goes on while fewer steps than 22.5 have passed, so that a 23rd is made."""
    assert task_file().limit_factor == facts_about("robotouille")["evaluation"]["step_limit_multiplier"]
    scenario = Scenario(shipped_problem("synchronous/5"), task="synchronous/5")
    assert tasks()["synchronous/5"].step_limit == 22.5
    assert limits_of("robotouille/synchronous/5", scenario, RELEASED).steps == 23


@pytest.mark.parametrize("source", [ARTICLE, RELEASE], ids=["article", "release"])
def test_our_words_are_our_own(source: Path) -> None:
    """Docstrings, comments, what is told in play, and the page about this world."""
    if not source.exists():
        pytest.skip(f"the source is not there ({source})")
    files = [source] if source.is_file() else [file for file in source.rglob("*") if file.is_file()]
    known = {run for file in files for run in runs(file.read_text(encoding="utf-8", errors="replace"))}
    assert known
    for file, text in ours():
        found = [" ".join(run) for run in runs(text) if run in known]
        assert not found, f"{file}: {found}"


def ours() -> Iterator[tuple[Path, str]]:
    (folder,) = package.__path__
    for file in (*sorted(Path(folder).rglob("*.py")), PAGE):
        yield file, file.read_text(encoding="utf-8")

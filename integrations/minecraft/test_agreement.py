"""The text world and the server agree: a slice of what ``agreement.py`` plays, and what it makes of a
difference."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest
from agreement import Kept, Outcome, all_of
from comparing import CLOCK, SPARE, Play, differences, plays, policies_of, steps_of

from backburner.kernel import registry
from backburner.kernel.episode import Episode, read_episode
from backburner.kernel.play import play_now
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.replay import check
from backburner.live.install import Setup
from backburner.live.stage import Stage, stage_of
from backburner.worlds.minecraft.game.actions import Calls
from backburner.worlds.minecraft.game.report import Report, SeenBody
from backburner.worlds.minecraft.game.state import State

STEPS = 14


def test_the_chest_is_the_same_after_each_step(setup: Setup, tmp_path: Path) -> None:
    kept, told = Kept(tmp_path), list[Outcome]()
    wanted = plays(["minecraft/level_1", "minecraft/farm/7"], ["standard", "released"], ["greedy"])
    asyncio.run(all_of(wanted, setup, kept, STEPS, told.append))
    assert [outcome.play for outcome in told] == wanted and kept.outcomes() == dict(
        zip(wanted, told, strict=True)
    )
    for outcome in told:
        assert outcome.good and outcome.steps == outcome.agrees == STEPS, outcome
        live = read_episode(kept.live(outcome.play))
        assert check(live) == len(live.entries) == 2 * STEPS


PLAY = Play("minecraft/level_1", "standard", "greedy")


class Seen:
    """A server on which all is as predicted, but in one step."""

    name, informed, settings = "seen", True, {}

    def __init__(self, step: int, report: Report) -> None:
        self.step, self.report = step, report

    async def decide(self, turn: Turn, memory: object) -> Reply:
        state: State = turn.state
        return Reply(Calls((), report=self.report if state.steps + 1 == self.step else None), memory)


def both(rules: str, step: int, report: Report) -> tuple[Episode, Episode, Stage]:
    """Greedy's play as text, and the same decisions where one step is seen otherwise."""
    stage = stage_of(registry.world("minecraft/level_1", rules=rules, limits="none"))
    most = 12
    text = play_now(stage.text, policies_of("greedy", stage), max_steps=most)
    policies = {**policies_of("greedy", stage), stage.seat: Seen(step, report)}
    return text, play_now(stage.world, policies, max_steps=most * stage.phases), stage


def test_where_all_is_as_predicted_nothing_differs() -> None:
    text, live, stage = both("standard", 0, Report(1))
    assert differences(text, live, stage) == [] and steps_of(live, stage.world) == 12


def test_what_is_not_as_predicted_is_told_and_explains_nothing() -> None:
    text, live, stage = both("standard", 2, Report(110, chest=(("dirt", 1),)))
    first, second, *_ = differences(text, live, stage)
    assert str(first) == "step 2, chest: 1 dirt; as text: nothing" == str(second)
    text, live, stage = both("standard", 1, Report(110, bots=(SeenBody("steve", (50.0, 50.0)),)))
    assert differences(text, live, stage)[0].what == "place of steve"
    assert all(not each.why for each in differences(text, live, stage))


def test_what_lies_beside_the_meat_is_explained_where_one_stack_is_fetched() -> None:
    spare = Report(110, bots=(SeenBody("alex", (0.0, 0.0), (("feather", 2),)),))
    for rules, why in (("released", SPARE), ("standard", "")):
        text, live, stage = both(rules, 1, spare)
        found = differences(text, live, stage)
        assert next(each.why for each in found if each.what == "alex") == why


def test_a_step_that_lasts_longer_may_leave_the_furnace_elsewhere() -> None:
    """Greedy puts in and takes out as planned; where a step lasts 3 minutes, the fire is out meanwhile."""
    found = []
    for step in range(1, 12):
        text, live, stage = both("standard", step, Report(3600))
        found += differences(text, live, stage)
    assert {each.why for each in found} == {CLOCK}


def test_what_is_kept_is_read_again_but_for_a_line_that_was_cut_off(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    assert kept.outcomes() == {}
    first = Outcome(PLAY, "plan", 60, 60, 3, 9.0)
    later = Outcome(PLAY, "plan", 60, 59, 3, 9.0, "chest", error="the server is gone")
    with (tmp_path / "plays.jsonl").open("wb") as file:
        file.write(msgspec.json.encode(first)[:-9])
    kept.add(first)
    assert kept.outcomes() == {PLAY: first} and first.good
    kept.add(later)
    assert kept.outcomes() == {PLAY: later} and not later.good


def test_some_steps_of_a_play_do_not_stand_for_all_of_it() -> None:
    some, whole = Outcome(PLAY, "plan", 20, 20, 1, 3.0, most=20), Outcome(PLAY, "plan", 60, 60, 3, 9.0)
    assert some.serves(20) and not some.serves(None) and not some.serves(30)
    assert whole.serves(None) and not whole.serves(20)
    assert not Outcome(PLAY, "plan", 20, 20, 1, 3.0, error="the server is gone").serves(None)


def test_a_plan_is_made_once(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    file = kept.text(PLAY)
    made = file.stat().st_mtime_ns
    assert kept.text(PLAY) == file and file.stat().st_mtime_ns == made
    with pytest.raises(FileNotFoundError):
        kept.live(PLAY).stat()

"""The text world and the server agree: a slice of what ``agreement.py`` plays, and what it makes of a
difference."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import msgspec
import pytest
from agreement import Kept, Outcome, all_of
from comparing import CLOCK, LATE, ORDERS, SPARE, Play, differences, plays, policies_of, steps_of
from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.claims import check
from backburner.kernel.episode import Episode, read_episode, write_episode
from backburner.kernel.play import play_now
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.values import Step
from backburner.live.install import Setup
from backburner.live.stage import Stage, stage_of
from backburner.worlds.minecraft.game.actions import Calls, Came, Report, SeenBody
from backburner.worlds.minecraft.game.physics import Furnace
from backburner.worlds.minecraft.game.state import State

STEPS = 14


def test_the_chest_is_the_same_after_each_step(setup: Setup, tmp_path: Path) -> None:
    kept, told = Kept(tmp_path), list[Outcome]()
    ids, rules = ["minecraft/level_1", "minecraft/farm/7"], ["standard", "released"]
    wanted = [*plays(ids, rules, ["greedy"]), *plays(ids[:1], rules, ["chaos"], seed=1)]
    asyncio.run(all_of(wanted, setup, kept, STEPS, told.append))
    assert [outcome.play for outcome in told] == wanted and kept.outcomes() == dict(
        zip(wanted, told, strict=True)
    )
    for outcome in told:
        assert outcome.good and outcome.steps == outcome.agrees == STEPS, outcome
        live = read_episode(kept.live(outcome.play))
        assert check(live) == len(live.entries) == 2 * STEPS


PLAY = Play("minecraft/level_1", "standard", "greedy")


Reports = Callable[[State, Step[State]], Report | None]
"""What is reported of a step, by the state before it and what is predicted."""


class Seen:
    """A server on which all is as predicted, but in what is reported."""

    name, informed, settings = "seen", True, {}

    def __init__(self, stage: Stage, reports: Reports) -> None:
        self.stage, self.reports = stage, reports

    async def decide(self, turn: Turn, memory: object) -> Reply:
        state: State = turn.state
        predicted = self.stage.world.step(state, {self.stage.seat: self.stage.as_predicted})
        return Reply(Calls((), report=self.reports(state, predicted)), memory)


def at_step(number: int, report: Report) -> Reports:
    return lambda state, predicted: report if predicted.state.steps == number else None


def both(
    rules: str, reports: Reports, id: str = "minecraft/level_1", agent: str = "greedy", most: int = 12
) -> tuple[Episode, Episode, Stage]:
    """An agent's play as text, and the same decisions where this is seen."""
    stage = stage_of(registry.world(id, rules=rules, limits="none"))
    text = play_now(stage.text, policies_of(agent, stage), max_steps=most)
    with NamedTemporaryFile(suffix=".jsonl") as file:
        write_episode(text, Path(file.name))
        same = policies_of(f"replay:{file.name}", stage)
    policies = {**same, stage.seat: Seen(stage, reports)}
    return text, play_now(stage.world, policies, max_steps=most * stage.phases), stage


@pytest.mark.parametrize("agent", ["greedy", "chaos", "random", "learned"])
def test_where_all_is_as_predicted_nothing_differs(agent: str) -> None:
    text, live, stage = both("standard", lambda state, predicted: None, agent=agent)
    assert differences(text, live, stage) == [] and steps_of(live, stage.world) == 12


DIFFERENT = {
    "chest: 1 dirt; as text: nothing": {"chest": (("dirt", 1),)},
    "furnace's input: 2 mutton; as text: nothing": {"furnace": Furnace(("mutton", 2))},
    "refused: no_block alex": {"calls": (Came("alex", 9, "no_block"),)},
    "place of steve: (50, 50); as text: ": {"bots": (SeenBody("steve", (50.0, 50.0)),)},
}


@pytest.mark.parametrize("told", DIFFERENT)
def test_what_is_not_as_predicted_is_told_and_explains_nothing(told: str) -> None:
    def reports(state: State, predicted: Step[State]) -> Report | None:
        more: dict[str, Any] = DIFFERENT[told]
        then = predicted.state
        return Report(then.ticks - state.ticks, **more) if then.steps == 2 else None

    found = differences(*both("standard", reports))
    assert str(found[0]).startswith(f"step 2, {told}")
    assert all(not each.why for each in found)


def test_orders_that_run_out_in_a_step_that_lasts_too_long_are_told_and_not_explained() -> None:
    found = differences(*both("standard", at_step(5, Report(3600))))
    assert ("ran out", "") in {(each.what, each.why) for each in found if each.step == 5}


def test_an_order_that_runs_out_just_before_its_dish_comes_is_explained() -> None:
    """Every action takes ten ticks more, in steps that last as the rules say."""

    def reports(state: State, predicted: Step[State]) -> Report:
        began, ended = (
            {each.lane: each.time for each in predicted.events if each.what == what and each.kind == "work"}
            for what in ("start", "end")
        )
        came = (
            Came(bot, round(20 * (ended[bot] - began[bot])) + 10)
            for bot in ("alex", "steve")
            if bot in began and bot in ended
        )
        killed = predicted.state.feedback.killed
        return Report(predicted.state.ticks - state.ticks, tuple(came), killed)

    found = differences(*both("standard", reports, most=40))
    assert {each.what for each in found} == set(ORDERS) and {each.why for each in found} == {LATE}


def test_what_lies_beside_the_meat_is_explained_where_one_stack_is_fetched() -> None:
    spare = Report(110, bots=(SeenBody("alex", (0.0, 0.0), (("feather", 2),)),))
    for rules, why in (("released", SPARE), ("standard", "")):
        found = differences(*both(rules, at_step(1, spare)))
        assert next(each.why for each in found if each.what == "alex") == why


def test_a_furnace_that_is_some_ticks_behind_is_explained() -> None:
    """What is in it is as predicted after each step, and comes to something else in the course of many."""

    def reports(state: State, predicted: Step[State]) -> Report:
        furnace = predicted.state.furnace
        slow = replace(furnace, progress=max(min(furnace.progress, 1), furnace.progress - 60))
        return Report(predicted.state.ticks - state.ticks, furnace=slow)

    found = differences(*both("standard", reports))
    assert found and {each.why for each in found} == {CLOCK}


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

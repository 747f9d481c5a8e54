"""The released Reflexion loop in worked examples: two calls of the environment in one minute."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.kernel.claims import check
from backburner.kernel.play import play_now
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.testing import check_world
from backburner.kernel.values import Step
from backburner.worlds.timearena.game import RELEASED, Limits, TimeArena
from backburner.worlds.timearena.game.rule_set import DEFECTS, REFLEXION, STANDARD
from backburner.worlds.timearena.game.state import Driver, State
from backburner.worlds.timearena.game.transition import AGENT
from backburner.worlds.timearena.metrics.analysis import action_types
from support.timearena.play import Game, choices, decision_of, paths, world_of

RULES = "released-reflexion"


def told(game: Game) -> list[str]:
    """Without the list of all actions that follows an invalid one."""
    lines = game.world.describe(game.world.observe(game.state, AGENT)).splitlines()
    return [line for line in lines if line != "Actions:" and not line.startswith("- ")]


def test_the_rule_set_is_the_released_one_with_second_tries() -> None:
    assert replace(REFLEXION, name="released", second_try=False) == RELEASED
    assert all(getattr(REFLEXION, field) for field in DEFECTS)
    assert not RELEASED.second_try and not STANDARD.second_try


def test_a_refused_first_and_a_sound_second_action_take_one_minute_of_the_limits() -> None:
    """The radio runs for 7 minutes of its own: two of them pass in minute 1, so it ends at 6."""
    game = Game("household9", RULES).say("activate radio")  # 0-1
    assert game.say("read newspaper").state.minute == 1  # refused: something else is wanted
    assert (game.refused, game.state.errors_in_a_row) == ("dependency_violation", 0)
    assert told(game)[-1] == "Minute 1. Which action do you take in its place?"
    game.say("wait")
    assert (game.state.minute, game.state.errors_in_a_row, game.refused) == (2, 0, "")
    assert game.say("wait", "wait", "wait").reports == set()  # 5
    assert game.say("wait").reports == {("radio", "done")} and game.state.minute == 6


def test_a_malformed_first_action_lets_nothing_go_on() -> None:
    game = Game("household9", RULES).say("activate radio", "sing", "wait")
    assert (game.state.minute, game.state.lost_minutes) == (2, 0)


def test_only_the_second_refusal_is_one_in_a_row() -> None:
    game = Game("household9", RULES, Limits(errors=2)).say("sing", "sing")
    assert (game.state.minute, game.state.errors_in_a_row, game.state.ended) == (1, 1, "")
    assert game.say("sing").state.ended == ""
    assert game.say("hum").state.ended == "error_limit"


def test_while_the_second_action_keeps_the_agent_busy_the_refused_text_is_repeated() -> None:
    """Folding takes 3 minutes: begun at 0, gone on with at 1 (of which nothing is told) and at 2."""
    game = Game("household9", RULES).say("sing", "fold quilt")
    refused = "This is not one of the actions."
    assert (
        game.refused == ""
        and game.state.minute == 1
        and told(game)
        == [
            "You begin to fold quilt; this takes 3 minutes.",
            refused,
            "Minute 1. Which action do you take in its place?",
        ]
    )
    assert told(game.say("fold quilt")) == [refused, "Minute 2. Which action do you take in its place?"]
    assert told(game.say("fold quilt")) == ["quilt is tidy.", "Minute 3. Your action?"]
    assert [(event.time, event.what) for event in game.events if event.label == "fold quilt"] == [
        (0, "start"), (1, "pause"), (1, "resume"), (2, "pause"), (2, "resume"), (3, "end"),
    ]  # fmt: skip


def test_begun_work_keeps_its_minutes_and_is_announced_anew_after_a_wait() -> None:
    game = Game("household9", RULES).say("sing", "fold quilt", "wait", "fold quilt")
    assert told(game) == [  # 0-1, wait 1-2, 2-4
        "You begin to fold quilt; this takes 2 minutes.",
        "quilt is tidy.",
        "Minute 4. Your action?",
    ]


def test_a_refused_text_that_has_become_possible_is_carried_out() -> None:
    """``read newspaper`` is refused at 0 and repeated until the newspaper is found, which takes 3 minutes."""
    game = Game("household9", RULES).say("read newspaper", *["find newspaper"] * 3)
    assert game.state.minute == 3 and game.refused == ""
    assert game.finished("find newspaper") and not game.finished("read newspaper")
    game = Game("household9", RULES).say("activate radio", *["wait"] * 4)
    assert game.say("activate radio", "fold quilt").refused == ""  # radio over at 5: no longer in use
    assert told(game)[0].startswith("You begin to fold quilt")


def test_work_on_one_thing_goes_on_with_another_second_thing() -> None:
    """The minutes belong to the thing and its verb: catalyst into one beaker, then into the other."""
    game = Game("lab7+lab9", RULES)
    game.say("find oxidizing_agent", "find benzyl_alcohol", "wash beaker_1", "wash beaker_2", "sing")
    game.say("add oxidizing_agent to beaker_2", "add oxidizing_agent to beaker_1")
    assert "You begin to add oxidizing_agent to beaker_1" in "\n".join(told(game))


def test_what_ends_while_nothing_is_told_holds_its_things_until_something_is() -> None:
    """Rice cooks from 2 to 6 and ends in the second of three minutes of washing, which is silent.

    It follows from when the released program notices what has ended; no recording at hand shows it.
    """
    game = Game("cooking1", RULES).say("pick rice", "cook rice in pot", "wait", "sing", "wash dish")
    assert game.state.minute == 5 and not game.finished("cook rice in pot")
    game.say("wash dish")
    assert game.state.minute == 6 and game.finished("cook rice in pot")
    assert game.state.running and not game.reports
    assert game.say("add rice to dish").state.minute == 7  # in use still, so refused
    assert ("rice", "cooked") in game.reports and not game.state.running
    assert game.refused == "object_occupied"


def test_the_last_minute_of_the_limit_is_the_last() -> None:
    game = Game("household9", RULES, Limits(minutes=2)).say("sing", "fold quilt")
    assert game.state.minute == 1 and not game.state.ended
    assert game.say("fold quilt").state.ended == "time_limit"
    assert game.state.minute == 2 and not game.finished("fold quilt")


def test_only_a_second_result_that_is_sound_completes() -> None:
    """The radio ends last, while two actions are refused in one minute."""
    game = Game("household9", RULES).say("fold quilt", "find newspaper", "read newspaper", "activate radio")
    game.say(*["wait"] * 5)
    assert game.state.score < 100
    game.say("fold quilt", "fold quilt")
    assert (game.state.score, game.state.ended) == (100, "")
    assert game.say("sing", "wait").state.ended == "completed"


@settings(max_examples=60)
@given(paths(), choices)
def test_without_refusals_it_is_the_released_game(path: str, numbers: list[int]) -> None:
    """Step by step the same state, but for what the loop remembers; up to the first refusal."""
    plain, loop = world_of(path, "released", "article"), world_of(path, RULES, "article")
    one, other = plain.start(), loop.start()
    for number in numbers:
        if not plain.deciders(one):
            break
        decision = decision_of(plain, one, number)
        step, same = plain.step(one, {AGENT: decision}), loop.step(other, {AGENT: decision})
        if step.refusals:
            break
        one, other = step.state, same.state
        fields = [name for name in one.__struct_fields__ if name not in ("driver", "feedback", "reports")]
        assert [getattr(one, name) for name in fields] == [getattr(other, name) for name in fields]


@settings(max_examples=80)
@given(paths(), st.sampled_from(["article", "none", Limits(minutes=11), Limits(errors=2)]), choices)
def test_minutes_scores_and_limits(path: str, limits: object, numbers: list[int]) -> None:
    world = world_of(path, RULES, limits)
    state = world.start()
    for number in numbers:
        if not world.deciders(state):
            break
        step = world.step(state, {AGENT: decision_of(world, state, number)})
        assert_sound(world, state, step)
        state = step.state


def assert_sound(world: TimeArena, before: State, step: Step[State]) -> None:
    after = step.state
    assert after.minute >= before.minute and after.score >= before.score
    assert after.finished & before.finished == before.finished
    if world.limits.minutes is not None:
        assert after.minute <= world.limits.minutes
    assert isinstance(after.driver, Driver)
    wanted = after.driver.own is not None
    assert not (wanted and after.ended)
    question = world.question(world.observe(after, AGENT))
    assert (question is not None and question.correction) == wanted


@pytest.mark.parametrize("path", ["household9", "cooking2+lab9@kit=one", "lab1+lab1"])
def test_the_contract_is_kept(path: str) -> None:
    checked = check_world(world_of(path, RULES, "article"), episodes=2, max_steps=80)
    assert checked.ran["records_replay"] > 0 and checked.ran["bad_decisions_are_refused"] > 0


def test_action_types_count_answers_and_not_the_repeated_text() -> None:
    """A refusal, a valid action in its place, the same carried on, a wait."""
    world = world_of("household9", RULES)
    said = iter(["sing", "fold quilt", "fold quilt", "fold quilt", "wait", "quit"])

    class Says:
        name, informed, settings = "says", False, {}

        async def decide(self, turn: Turn, memory: object) -> Reply:
            return Reply(next(said))

    episode = play_now(world, Says())
    types = list(action_types(episode, world))
    assert types == ["invalid", "valid", "valid", "valid", "unnecessary wait", "gave up"]
    assert check(episode) == 6

"""The transition by worked examples: the clock, the order of checks, and how an episode ends.

The minutes in the comments are those of the agent's clock, which starts at 0. What is tested here
holds under both presets, unless a test says otherwise; where they differ is in ``test_rule_set``.
"""

from __future__ import annotations

from typing import Any

import pytest

from backburner.kernel.values import Event, Fault, Refusal
from backburner.worlds.timearena.game import Act, Limits, Quit, Wait
from backburner.worlds.timearena.game.state import UNREADABLE, State
from support.timearena.play import Game, play_out, world_of

both_presets = pytest.mark.parametrize("rules", ["standard", "released"])


# --- the clock ------------------------------------------------------------------------------------


@both_presets
def test_an_action_that_occupies_the_agent_runs_to_its_end(rules: str) -> None:
    game = Game("cooking1", rules).say("wash dish")
    assert game.state.minute == 3
    assert game.reports == {("dish", "clean")}
    assert game.state.feedback.minutes == 3


@both_presets
def test_background_work_goes_on_while_the_agent_is_busy(rules: str) -> None:
    """Rice cooks 5-9, beef is picked 6-8, and the rice is done with the wait 8-9."""
    game = Game("cooking1", rules).say("pick rice", "wash dish")
    assert game.state.minute == 5
    game.say("cook rice in pot")
    assert game.state.minute == 6 and game.state.feedback.minutes == 4
    game.say("pick beef")
    assert game.state.minute == 8 and game.reports == {("beef", "picked")}
    game.say("wait")
    assert game.state.minute == 9 and game.reports == {("rice", "cooked")}


@both_presets
def test_a_background_action_of_one_minute_starts_and_ends_at_once(rules: str) -> None:
    """lab9: wash 0-1, find 1-3, add 3-6, find 6-7, add 7-10, heat 10-15, then cool 15-16."""
    game = Game("lab9", rules).say("wash beaker")
    for thing in ("benzyl_alcohol", "oxidizing_agent"):
        game.say(f"find {thing}", f"add {thing} to beaker")
    game.say("heat beaker", *["wait"] * 4)
    assert game.state.minute == 15
    game.say("cool beaker")
    assert game.state.minute == 16 and game.reports == {("beaker", "cool")} and not game.state.running


@both_presets
def test_what_ends_while_the_agent_is_busy_is_credited_then_and_told_later(rules: str) -> None:
    """household10: rag 0-5, purifier 5-12, table 6-10, coffee table 10-13. Its minutes are 5, 7, 4, 3."""
    game = Game("household10", rules)
    game.say("wash rag", "activate air_purifier", "wipe table", "wipe coffee_table")
    assert game.state.minute == 13
    assert game.state.reports == (("air_purifier", "done"), ("coffee_table", "clean"))
    # of 19 minutes: 5 are 26 per cent, 5 + 4 are 47, 5 + 4 + 7 are 84
    assert game.scores == [(5, 26), (10, 47), (12, 84), (13, 100)]


@both_presets
def test_what_ends_first_is_told_first(rules: str) -> None:
    """Purifier 0-7, sweeper 1-5, rag 2-7. In the same minute: faucet 0-5 before sweeper 1-5."""
    game = Game("household8+household10", rules)
    game.say("activate air_purifier", "activate sweeper", "wash rag")
    assert game.state.reports == (("sweeper", "done"), ("air_purifier", "done"), ("rag", "clean"))
    game = Game("household8+household10", rules)
    game.say("activate faucet", "activate sweeper", "wash rag")
    assert game.state.reports == (("faucet", "done"), ("sweeper", "done"), ("rag", "clean"))


@both_presets
def test_things_are_occupied_until_the_action_ends(rules: str) -> None:
    """Rice and pot 2-6; at 6 both are free in the same minute."""
    game = Game("cooking1", rules).say("pick rice", "cook rice in pot")
    assert game.say("add rice to dish").refused == "object_occupied"
    assert game.refusal.get("object") == "rice"
    assert game.say("cook rice in pot").refusal.get("object") == ("pot" if rules == "released" else "rice")
    game.say("wait")
    assert game.state.minute == 6 and not game.state.running
    assert game.say("wash dish", "add rice to dish").refused == ""


@both_presets
def test_waiting_is_allowed_with_nothing_to_wait_for(rules: str) -> None:
    game = Game("cooking1", rules).say("wait", "wait")
    assert game.state.minute == 2 and game.state.finished == 0 and not game.last.refusals


@both_presets
def test_the_events_of_a_short_play(rules: str) -> None:
    """From events alone the kernel draws the chart: the agent's lane, the lane of each container."""
    game = Game("cooking1", rules).say("pick rice", "cook rice in pot", "sing")
    told = [(e.time, e.what, e.lane, e.label, e.kind) for e in game.events if e.what != "score"]
    code = "unreadable" if rules == "standard" else "invalid_action"
    assert told == [
        (0, "start", "agent", "pick rice", "work"),
        (2, "end", "agent", "pick rice", "work"),
        (2, "start", "agent", "start cook rice in pot", "work"),
        (2, "start", "pot", "cook rice in pot", "work"),
        (3, "end", "agent", "start cook rice in pot", "work"),
        (3, "start", "agent", code, "refused"),
        (4, "end", "agent", code, "refused"),
    ]


# --- the order of checks: form, thing, things together, needs, already finished --------------------


@both_presets
def test_form_comes_before_things(rules: str) -> None:
    """Both are wrong in "clean moon"; a verb that another task has counts as unknown."""
    assert Game("cooking1", rules).say("clean moon").refused == "invalid_action"
    assert Game("cooking1", rules).say("hoe land").refused == "invalid_action"
    assert Game("cooking1", rules).say("wash moon").refused == "nonexistent_object"


@both_presets
def test_things_come_before_needs(rules: str) -> None:
    """The pot is not asked whether the beef could go in; the beef is not chopped either."""
    game = Game("cooking1", rules)
    assert game.say("chop dish").refused == "mismatch"
    assert game.say("chop beef").refused == "dependency_violation"
    assert game.refusal.get("because") == ("beef", "unpicked")


@both_presets
def test_occupied_comes_before_needs_and_before_already_finished(rules: str) -> None:
    game = Game("cooking1", rules).say("pick rice", "cook rice in pot")
    assert game.say("pick rice").refused == "object_occupied"  # finished, and in the pot


@both_presets
def test_what_is_finished_is_not_begun_again(rules: str) -> None:
    game = Game("cooking1", rules).say("wash dish", "wash dish")
    assert game.refused == "already_completed" and game.state.minute == 4


def test_needs_come_before_already_finished() -> None:
    """Rice is in dish_1. Asked for dish_2 the release misses a clean dish first."""
    game = Game("cooking1+cooking2", "released")
    game.say("pick rice", "cook rice in pot_1", "wash dish_1", "add rice to dish_1")
    assert game.finished("add rice to dish_1")
    assert game.say("add rice to dish_2").refused == "dependency_violation"
    assert game.say("wash dish_2", "add rice to dish_2").refused == "already_completed"


@both_presets
def test_tasks_are_kept_apart_before_needs(rules: str) -> None:
    """Rice of one task, dish of the other: refused whatever has been done (cooking1+cooking7)."""
    game = Game("cooking1+cooking7", rules).say("add rice_1 to dish_2")
    assert game.refused == "task_mismatch" and game.refusal.get("objects") == ("rice_1", "dish_2")


@both_presets
def test_kit_is_for_everybody(rules: str) -> None:
    """pot_2 came with the second task; the rice of the first may be cooked in it."""
    game = Game("cooking1+cooking7", rules).say("pick rice_1", "cook rice_1 in pot_2", *["wait"] * 3)
    assert game.reports == {("rice_1", "cooked")}
    assert game.say("pick rice_2", "cook rice_2 in pot_2").refused == ""


def test_every_code_has_its_family() -> None:
    game = Game("cooking1", "released")
    families = {}
    for text in ("sing", "wash moon", "chop dish", "chop rice", "chop beef", "pick rice", "pick rice"):
        game.say(text)
        families |= {refusal.code: refusal.fault for refusal in game.last.refusals}
    game.say("cook rice in pot", "pick rice")
    families[game.refused] = game.refusal.fault
    assert families == {
        "invalid_action": Fault.UNREADABLE,
        "nonexistent_object": Fault.UNKNOWN_THING,
        "mismatch": Fault.MISMATCH,
        "dependency_violation": Fault.MISSING_PREREQUISITE,
        "already_completed": Fault.ALREADY_DONE,
        "object_occupied": Fault.OCCUPIED,
    }


# --- decisions of any other kind -------------------------------------------------------------------


@both_presets
@pytest.mark.parametrize(
    "decision",
    [None, "wash dish", 7, [], {}, UNREADABLE, Act("wash", "dish", "dish"), Act("cook in", "rice")],
    ids=repr,
)
def test_what_is_no_decision_costs_a_minute(rules: str, decision: Any) -> None:
    game = Game("cooking1", rules).decide(decision)
    assert game.state.minute == 1 and game.state.errors_in_a_row == 1
    assert game.refusal.fault is Fault.UNREADABLE and game.refusal.seat == "agent"


@both_presets
@pytest.mark.parametrize(
    "decision",
    [
        Act(["wash"], "dish"),
        Act("wash", {}),
        Act("cook in", "rice", ("pot", [])),
        Act(None, None),
        Act("wash", ""),
        Act("add to", "", "dish"),
    ],
    ids=repr,
)
def test_an_act_that_is_not_made_of_words_costs_a_minute(rules: str, decision: Act) -> None:
    game = Game("cooking1", rules).decide(decision)
    assert game.state.minute == 1
    assert game.refused == ("nonexistent_object" if decision.first == "" else "invalid_action")


def test_a_missing_decision_is_an_unreadable_one() -> None:
    world = world_of("cooking1")
    step = world.step(world.start(), {})
    assert step.state.minute == 1 and step.refusals[0].fault is Fault.UNREADABLE


# --- errors in a row, and limits --------------------------------------------------------------------


@both_presets
def test_an_accepted_decision_ends_the_row_of_errors(rules: str) -> None:
    game = Game("cooking1", rules)
    assert game.say("sing", "sing", "sing", "sing").state.errors_in_a_row == 4
    assert game.say("wait").state.errors_in_a_row == 0
    assert game.say("sing").state.errors_in_a_row == 1
    assert game.say("pick rice").state.errors_in_a_row == 0


@both_presets
def test_the_fifth_error_in_a_row_ends_the_episode_after_its_minute(rules: str) -> None:
    """Article, section 4.1. Kinds of errors may differ."""
    game = Game("cooking1", rules, "article")
    game.say("sing", "wash moon", "chop dish", "chop beef")
    assert game.state.ended == ""
    game.say("add rice to dish")
    assert (game.state.ended, game.state.minute) == ("error_limit", 5)
    assert game.world.outcome(game.state).status == "cut off"


@both_presets
def test_the_fifth_error_in_the_last_minute_is_out_of_time(rules: str) -> None:
    game = Game("cooking1", rules, Limits(minutes=5, errors=5)).say(*["sing"] * 5)
    assert (game.state.ended, game.state.minute) == ("time_limit", 5)


@both_presets
def test_an_action_is_cut_off_at_the_time_limit(rules: str) -> None:
    """Washing the rag takes 0-5, the limit is 4: nothing is earned, and the activity is broken off."""
    game = Game("household10", rules, Limits(minutes=4)).say("wash rag")
    assert (game.state.ended, game.state.minute) == ("time_limit", 4)
    assert (game.state.finished, game.state.score, game.state.reports) == (0, 0, ())
    assert game.events[-1] == Event(4, "pause", "agent", "wash rag", "wash rag@0", "work")


@both_presets
def test_an_action_that_ends_with_the_last_minute_counts(rules: str) -> None:
    game = Game("household10", rules, Limits(minutes=5)).say("wash rag")
    assert (game.state.ended, game.state.minute, game.state.score) == ("time_limit", 5, 26)


@both_presets
def test_background_work_is_broken_off_at_the_time_limit(rules: str) -> None:
    """The purifier would run 0-7; until the limit at 6 the agent washes the rag 1-6."""
    game = Game("household10", rules, Limits(minutes=6)).say("activate air_purifier", "wash rag")
    assert game.state.ended == "time_limit"
    assert [running.ends for running in game.state.running] == [7]
    assert [(e.time, e.what, e.lane) for e in game.events[-2:]] == [
        (6, "score", ""),
        (6, "pause", "air_purifier"),
    ]


@both_presets
def test_completion_in_the_last_minute_is_completion(rules: str) -> None:
    game = Game("household10", rules, Limits(minutes=13))
    game.say("wash rag", "activate air_purifier", "wipe table", "wipe coffee_table")
    assert (game.state.ended, game.state.minute) == ("completed", 13)


def test_the_article_gives_forty_minutes_for_each_task() -> None:
    assert world_of("cooking1", limits="article").limits == Limits(40, 5)
    assert world_of("cooking1+cooking2", limits="article").limits == Limits(80, 5)
    assert world_of("cooking1+lab2+lab3", limits="article").limits == Limits(120, 5)
    assert world_of("cooking1", limits="none").limits == Limits(None, None)


@both_presets
def test_without_limits_nothing_but_the_task_ends_the_episode(rules: str) -> None:
    game = Game("cooking1", rules, "none").say(*["sing"] * 60)
    assert game.state.ended == "" and game.state.minute == 60


# --- how an episode ends ------------------------------------------------------------------------------


@both_presets
@pytest.mark.parametrize("text", ["quit", "exit", "EXIT", " Quit "])
def test_giving_up_takes_no_time(rules: str, text: str) -> None:
    game = Game("cooking1", rules).say("pick rice", "cook rice in pot", text)
    assert (game.state.ended, game.state.minute) == ("quit", 3)
    assert [(e.what, e.lane) for e in game.last.events] == [("pause", "pot")]
    outcome = game.world.outcome(game.state)
    assert (outcome.status, outcome.reason) == ("ended", "quit")
    assert outcome.numbers == {"minutes": 3, "score": 8, "completed": 0}  # 2 of 23 minutes


@both_presets
def test_play_completes_with_the_end_of_the_last_action(rules: str) -> None:
    """household9: find 0-3, radio 3-10, read 4-9, fold 9-12."""
    game = Game("household9", rules, "article")
    game.say("find newspaper", "activate radio", "read newspaper", "fold quilt")
    outcome = game.world.outcome(game.state)
    assert (outcome.status, outcome.reason) == ("ended", "completed")
    assert outcome.numbers == {"minutes": 12, "score": 100, "completed": 1}
    assert game.world.deciders(game.state) == ()


@both_presets
def test_after_the_end_nothing_follows(rules: str) -> None:
    game = Game("cooking1", rules).say("quit")
    for decision in (Wait(), Quit(), Act("wash", "dish"), UNREADABLE, None):
        step = game.world.step(game.state, {"agent": decision})
        assert step.state is game.state and step.events == () and step.refusals == ()


def test_the_release_notes_no_completion_in_a_malformed_step() -> None:
    """household9: find 0-3, read 3-8, fold 8-11, radio 11-18, refused at every minute from 12 on.

    At 18 everything is finished. The seventh error in a row, 18-19, ends the episode, and the stored
    flag is that of its step: a malformed answer leaves it unset.
    """
    for last, completed in (("read newspaper", 1), ("sing", 0)):
        game = Game("household9", "released", Limits(errors=7))
        game.say("find newspaper", "read newspaper", "fold quilt", "activate radio")
        game.say(*["read newspaper"] * 6, last)
        assert (game.state.minute, game.state.score, game.state.ended) == (19, 100, "error_limit")
        assert game.world.outcome(game.state).numbers["completed"] == completed


def test_the_seed_has_no_effect() -> None:
    world = world_of("cooking1")
    assert world.start(1) == world.start(2) == State()


def test_the_score_is_rounded_down() -> None:
    """cooking1 has 23 minutes: 2 of them are 8.7 per cent, 22 of them 95.7."""
    assert Game("cooking1").say("pick rice").state.score == 8
    world = world_of("cooking1")
    assert world.compiled.total_minutes == 23
    assert play_out(world).score == 100


def test_refusals_carry_the_seat_and_the_reason() -> None:
    game = Game("cooking1").say("chop beef")
    assert game.last.refusals == (
        Refusal(
            "dependency_violation",
            Fault.MISSING_PREREQUISITE,
            (("object", "beef"), ("because", ("beef", "unpicked"))),
            seat="agent",
        ),
    )
    assert game.state.feedback.refusal == game.refusal


@pytest.mark.parametrize("rules", ["standard", "released"])
def test_what_ends_after_the_first_minute_of_a_cut_action_is_never_told(rules: str) -> None:
    """household9: radio 0-7, find 1-4, read 4-9.

    With a limit of 8 the reading is cut at 8; the radio stops at 7, and nobody is asked again.
    """
    game = Game("household9", rules, limits=Limits(minutes=8))
    game.say("activate radio", "find newspaper", "read newspaper")
    assert (game.state.minute, game.state.ended, game.state.reports) == (8, "time_limit", ())
    assert any(event.what == "end" and event.label == "activate radio" for event in game.last.events)


def test_giving_up_leaves_what_was_noted() -> None:
    """lab1: everything ends at 13, during a refusal that the release does not take for completion."""
    wait = ["wait"] * 3
    opening = ["wash test_tube", "add solution to test_tube", "heat test_tube", *wait]
    game = Game("lab1", "released").say(*opening, "wash solution", "quit")  # mismatch at 12-13
    assert game.world.outcome(game.state).numbers == {"minutes": 13, "score": 61, "completed": 1}
    game = Game("lab1", "released").say(*opening, "wash solution", "jump", "quit")
    assert game.world.outcome(game.state).numbers == {"minutes": 14, "score": 61, "completed": 0}

"""Every defect of the released program, with and without: one field of ``Rules`` each.

Each example plays the same decisions under rules that differ from the standard in one field. Times
are in seconds; ``SOUP`` and the others stand in ``support.recipe2plan.play``.
"""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from backburner.worlds.recipe2plan.game import RELEASED, STANDARD, Limits, Rules
from backburner.worlds.recipe2plan.game.compiled import COOK
from backburner.worlds.recipe2plan.game.rule_set import DEFECTS
from support.recipe2plan.play import BREAD, PIE, SOUP, Game, kitchen_of, standard_but

with_and_without = pytest.mark.parametrize("defect", [True, False], ids=["with the defect", "without"])

SOUP_STANDS = ((1, "Soup", 600, 0), (0, "Soup", 300, 0), (2, "Soup", 60, 600), (3, "Soup", 120, 660))
"""The water boils 0-600, the leek is chopped 0-300 and put in 600-660; the soup stands 660-780."""


def test_the_presets_have_all_defects_or_none() -> None:
    assert [getattr(STANDARD, field) for field in DEFECTS] == [False] * 12
    assert [getattr(RELEASED, field) for field in DEFECTS] == [True] * 12
    assert (STANDARD.name, RELEASED.name) == ("standard", "released")


def test_rules_of_older_records_mean_what_they_meant() -> None:
    """Version 1 had ten defects and no choices; what came later is as it was then."""
    later = dict.fromkeys(("second_0_forgotten", "reasoning_is_read"), False)
    older = {field: True for field in DEFECTS if field not in later}
    rules = msgspec.convert({"name": "released", **older}, Rules)
    assert rules == replace(RELEASED, **later)


# --- refused_actions_move_clock --------------------------------------------------------------------


@with_and_without
def test_a_refused_action_and_the_clock(defect: bool) -> None:
    """The leek cannot go in at 100. If that moves the clock, chopping at 0 comes too late."""
    game = Game(kitchen_of(SOUP, rules=standard_but(refused_actions_move_clock=defect)))
    game.cook((2, "Soup", 60, 100))
    assert game.refused == "dep_incomplete" and game.clock == (100 if defect else 0)
    lost = [(event.time, event.what, event.lane, event.kind) for event in game.last.events]
    assert lost == ([(0, "start", COOK, "refused"), (100, "end", COOK, "refused")] if defect else [])
    assert game.cook((0, "Soup", 300, 0)).refused == ("past_time" if defect else "")


@with_and_without
def test_an_unknown_step_never_moves_the_clock(defect: bool) -> None:
    game = Game(kitchen_of(SOUP, rules=standard_but(refused_actions_move_clock=defect)))
    assert game.cook((5, "Soup", 60, 100)).refused == "unknown_step" and game.clock == 0
    assert game.cook((0, "Stew", 60, 100)).refused == "unknown_recipe" and game.clock == 0


@with_and_without
def test_what_runs_by_itself_ends_while_the_refused_action_is_waited_for(defect: bool) -> None:
    game = Game(kitchen_of(SOUP, rules=standard_but(refused_actions_move_clock=defect)))
    game.each((1, "Soup", 600, 0), (2, "Soup", 60, 700))
    boiled = [event.time for event in game.last.events if event.lane == "stove"]
    assert boiled == ([600] if defect else [])


# --- zero_length_actions ---------------------------------------------------------------------------


@with_and_without
def test_no_time_at_all(defect: bool) -> None:
    game = Game(kitchen_of(SOUP, rules=standard_but(zero_length_actions=defect)))
    assert game.cook((0, "Soup", 0, 0)).refused == ("" if defect else "no_duration")
    assert game.left(0, "Soup") == 300


@with_and_without
def test_a_running_step_is_ended_by_a_piece_of_no_length(defect: bool) -> None:
    """The soup stands until 780. With the trick at 700 it can be seasoned at 700."""
    game = Game(kitchen_of(SOUP, rules=standard_but(zero_length_actions=defect))).each(*SOUP_STANDS)
    assert game.cook((3, "Soup", 0, 700)).refused == ("" if defect else "no_duration")
    game.cook((4, "Soup", 90, 700))
    assert game.refused == ("" if defect else "dep_unfinished")
    assert defect or game.refusal.get("finish") == 780


@with_and_without
def test_a_lag_starts_again_after_a_piece_of_no_length(defect: bool) -> None:
    """Seasoning must start by 780 + 60 = 840. With the trick at 900, by 960."""
    game = Game(kitchen_of(SOUP, rules=standard_but(zero_length_actions=defect))).each(*SOUP_STANDS)
    game.cook((3, "Soup", 0, 900))
    assert game.cook((4, "Soup", 90, 960)).refused == ("" if defect else "time_constraint")


def test_a_piece_of_no_length_and_its_appliance() -> None:
    """The water boils 0-600. The stove lets it be ended at its own start, or when it is over, not between.

    The stove stays in use until 600, the step is complete only once, and nobody sees it running.
    """
    game = Game(kitchen_of(SOUP, rules=standard_but(zero_length_actions=True))).cook((1, "Soup", 600, 0))
    assert game.cook((1, "Soup", 0, 100)).refused == "object_occupied"
    assert game.cook((1, "Soup", 0, 0)).refused == ""
    assert game.state.kitchen.done == 1 and len(game.state.kitchen.running) == 1
    seen = game.world.observe(game.state, COOK)
    assert seen.under_way == () and [thing.occupied for thing in seen.appliances] == [False, False, True]
    assert [(event.time, event.what) for event in game.last.events] == [(0, "start"), (0, "end")]
    assert game.cook((1, "Soup", 0, 600)).refused == ""


def test_no_rules_accept_less_than_nothing() -> None:
    game = Game(kitchen_of(SOUP, rules="released"))
    assert game.cook((0, "Soup", -60, 0)).refused == "no_duration" and game.left(0, "Soup") == 300


# --- lags_checked_first ----------------------------------------------------------------------------


@with_and_without
def test_a_step_that_is_done_is_repeated_after_its_limit(defect: bool) -> None:
    """The leek went in at 600. Tried again at 800, it is 200 after the water boiled, and not 120."""
    limits = Limits(lag_violation_ends=True)
    world = kitchen_of(SOUP, rules=standard_but(lags_checked_first=defect), limits=limits)
    game = Game(world).each(*SOUP_STANDS).cook((2, "Soup", 60, 800))
    assert game.refused == ("time_constraint" if defect else "already_done")
    assert game.ended == ("time_constraint" if defect else "")


@with_and_without
def test_a_step_is_too_late_and_its_prerequisite_is_missing(defect: bool) -> None:
    game = Game(kitchen_of(SOUP, rules=standard_but(lags_checked_first=defect)))
    game.each((1, "Soup", 600, 0), (2, "Soup", 60, 721))
    assert game.refused == ("time_constraint" if defect else "dep_incomplete")


# --- expired_lags_unnoticed ------------------------------------------------------------------------


@with_and_without
def test_a_limit_passes_while_the_cook_does_something_else(defect: bool) -> None:
    """The water boils 0-600, so the leek goes in by 720. But the cook kneads 300-780."""
    rules = standard_but(expired_lags_unnoticed=defect)
    game = Game(kitchen_of(SOUP, BREAD, rules=rules, limits=Limits(lag_violation_ends=True)))
    game.each((1, "Soup", 600, 0), (0, "Soup", 300, 0), (1, "Bread", 480, 300))
    assert game.refused == "" and game.clock == 780
    assert game.ended == ("" if defect else "time_constraint")
    assert ("Too late: step 2 of Soup" in game.told()) is not defect


def test_a_limit_has_not_passed_in_its_last_second() -> None:
    """Kneading 0-480 and chopping for 240 leads to 720, the last second; one more is one too many."""
    game = Game(kitchen_of(SOUP, BREAD))
    game.each((1, "Soup", 600, 0), (1, "Bread", 480, 0), (0, "Soup", 240, 480))
    assert game.clock == 720 and game.world.observe(game.state, COOK).missed == ()
    missed = game.world.observe(game.cook((0, "Soup", 1, 720)).state, COOK).missed
    assert [(lag.recipe, lag.step, lag.after, lag.seconds) for lag in missed] == [("Soup", 2, 1, 120)]


# --- running_mixed_up ------------------------------------------------------------------------------


@with_and_without
def test_a_running_step_is_tried_again(defect: bool) -> None:
    game = Game(kitchen_of(SOUP, rules=standard_but(running_mixed_up=defect))).each(*SOUP_STANDS)
    game.cook((3, "Soup", 120, 700))
    assert game.refused == ("already_done" if defect else "already_running")
    assert defect or game.refusal.get("finish") == 780
    assert game.cook((3, "Soup", 120, 780)).refused == "already_done"  # it is over by then


@with_and_without
def test_too_long_a_piece_of_a_begun_step(defect: bool) -> None:
    """100 of 300 are chopped, so 300 more are too long; only at the end of the piece is that said."""
    game = Game(kitchen_of(SOUP, rules=standard_but(running_mixed_up=defect))).cook((0, "Soup", 100, 0))
    assert game.cook((0, "Soup", 300, 100)).refused == "duration_exceeds"
    assert game.cook((0, "Soup", 300, 150)).refused == ("already_running" if defect else "duration_exceeds")


# --- second_0_forgotten ----------------------------------------------------------------------------


@with_and_without
def test_too_long_a_piece_of_a_step_of_which_no_second_was_done_at_second_0(defect: bool) -> None:
    """Zero seconds of chopping end at 0. Only rules that mix up what runs look at that; of a piece that
    ended later they all do."""
    rules = standard_but(running_mixed_up=True, zero_length_actions=True, second_0_forgotten=defect)
    game = Game(kitchen_of(SOUP, rules=rules)).cook((0, "Soup", 0, 0))
    game.cook((0, "Soup", 310, 60))
    assert game.refused == ("duration_exceeds" if defect else "already_running")
    assert game.each((0, "Soup", 0, 100), (0, "Soup", 310, 160)).refused == "already_running"


# --- lags_bind_first_piece, a choice ---------------------------------------------------------------

SEASONED_TWICE = ((4, "Soup", 30, 780), (4, "Soup", 60, 841))
"""The soup stands 660-780, so the seasoning starts by 840: its first piece does, its second does not."""


@pytest.mark.parametrize("first_only", [True, False], ids=["first piece", "every piece"])
def test_a_lag_of_a_step_in_pieces(first_only: bool) -> None:
    rules = standard_but(lags_bind_first_piece=first_only)
    game = Game(kitchen_of(SOUP, rules=rules)).each(*SOUP_STANDS, *SEASONED_TWICE)
    assert game.refused == ("" if first_only else "time_constraint")
    told = "if it is split, so must its first piece" if first_only else "if it is split, so must each piece"
    assert f"Step 4 must start within 1 min after the end of step 3; {told}" in game.world.briefing(COOK)
    if not first_only:
        assert "Step 4 of Soup comes too late: each piece of it has to start within 1 min" in game.told()


def test_a_problem_says_where_its_plans_are_not_all_that_the_rules_allow() -> None:
    """The solver's pieces all keep their limits. Bread has none, so that nothing is left out there."""
    rules = standard_but(lags_bind_first_piece=True)
    soup, bread = (kitchen_of(recipe, rules=rules) for recipe in (SOUP, BREAD))
    (soup_problem,), (bread_problem,) = (world.problems().values() for world in (soup, bread))
    assert not soup_problem.complete and "each piece of a split step keeps its limits" in soup_problem.space
    assert bread_problem.complete and all(one.complete for one in kitchen_of(SOUP).problems().values())


@pytest.mark.parametrize("first_only", [True, False], ids=["first piece", "every piece"])
def test_a_lag_that_can_no_longer_be_kept_by_a_step_in_pieces(first_only: bool) -> None:
    """Kneading 810-1290 lets 840 pass, when the seasoning has begun and when it has not."""
    rules = standard_but(lags_bind_first_piece=first_only)
    for begun, lost in (((4, "Soup", 30, 780), not first_only), ((0, "Bread", 600, 780), True)):
        game = Game(kitchen_of(SOUP, BREAD, rules=rules)).each(*SOUP_STANDS, begun, (1, "Bread", 480, 810))
        pieces = "the first piece" if first_only else "each piece"
        assert (f"Too late: {pieces} of step 4 of Soup had to start within 1 min" in game.told()) is lost


# --- goes_on_when_complete -------------------------------------------------------------------------


@with_and_without
def test_when_every_step_is_complete(defect: bool) -> None:
    """The oven heats 0-600, the pie bakes 600-1500: with its start, all is done but the waiting."""
    game = Game(kitchen_of(PIE, rules=standard_but(goes_on_when_complete=defect)))
    game.each((0, "Pie", 600, 0), (1, "Pie", 900, 600))
    assert game.ended == ("" if defect else "completed")
    game.cook(finish=True)
    assert game.ended == ("finish" if defect else "completed")
    outcome = game.world.outcome(game.state)
    assert (outcome.status, outcome.numbers["completed"], outcome.numbers["seconds"]) == ("ended", 1, 1500)


# --- last_revision_ends_play -----------------------------------------------------------------------


@with_and_without
def test_the_action_after_the_last_revision(defect: bool) -> None:
    """One revision: after a refusal, one more try. If it succeeds, play may go on."""
    world = kitchen_of(SOUP, rules=standard_but(last_revision_ends_play=defect), limits=Limits(revisions=1))
    game = Game(world).each((2, "Soup", 60, 0), (0, "Soup", 300, 0))
    assert game.refused == "" and game.ended == ("revision_limit" if defect else "")
    again = Game(world).each((2, "Soup", 60, 0), (3, "Soup", 120, 0))
    assert again.refused == "dep_incomplete" and again.ended == "revision_limit"


# --- stuck_by_message ------------------------------------------------------------------------------


@with_and_without
@pytest.mark.parametrize(
    "tries",
    [
        [(2, "Soup", 60, start) for start in (0, 10, 20)],  # the message does not tell the start
        [(0, "Soup", seconds, 0) for seconds in (310, 330, 350)],  # each is told as 5 minutes
        [(0, "Soup", seconds, 0) for seconds in (3610, 5000, 7190)],  # each is told as 1 hour
    ],
    ids=["another start", "another length", "another long length"],
)
def test_three_different_actions_with_one_message(defect: bool, tries: list[tuple]) -> None:
    world = kitchen_of(SOUP, rules=standard_but(stuck_by_message=defect), limits=Limits(same_failure=3))
    assert Game(world).each(*tries).ended == ("stuck" if defect else "")


@with_and_without
def test_one_action_with_different_messages(defect: bool) -> None:
    """Something else is done in between in the same decision, so another leek-less thing is missing."""
    world = kitchen_of(SOUP, rules=standard_but(stuck_by_message=defect), limits=Limits(same_failure=3))
    put_in = (2, "Soup", 60, 600)
    game = Game(world).cook(put_in).cook((0, "Soup", 300, 0), put_in).cook((1, "Soup", 600, 300), put_in)
    assert [game.refused, game.refusal.get("needs"), game.refusal.get("finish")] == ["dep_unfinished", 1, 900]
    assert game.ended == ("" if defect else "stuck")


def test_the_message_tells_which_of_several_actions_it_was() -> None:
    """The leek is missing each time: as the only action, then thrice as the second one."""
    put_in = (2, "Soup", 60, 600)
    rules = standard_but(stuck_by_message=True)
    game = Game(kitchen_of(SOUP, rules=rules, limits=Limits(same_failure=3))).cook(put_in)
    for begin in (0, 60):
        game.cook((0, "Soup", 60, begin), put_in)
        assert game.refusal.get("needs") == 0 and game.ended == ""
    assert game.cook((0, "Soup", 60, 120), put_in).ended == "stuck"


@with_and_without
def test_the_same_action_three_times(defect: bool) -> None:
    world = kitchen_of(SOUP, rules=standard_but(stuck_by_message=defect), limits=Limits(same_failure=3))
    game = Game(world).each((2, "Soup", 60, 0), (2, "Soup", 60, 0), (0, "Soup", 60, 0), (2, "Soup", 60, 60))
    assert game.ended == ""  # what was accepted broke the series
    assert game.each((2, "Soup", 60, 60), (2, "Soup", 60, 60)).ended == "stuck"


@with_and_without
def test_three_answers_without_an_action(defect: bool) -> None:
    world = kitchen_of(SOUP, rules=standard_but(stuck_by_message=defect), limits=Limits(same_failure=3))
    assert Game(world).say("Hm.", "Well.", "I see.").ended == "stuck"


# --- thoughts_are_read -----------------------------------------------------------------------------


@with_and_without
def test_a_step_that_is_only_thought_of(defect: bool) -> None:
    """With the thought's step 0 first, the cook is busy until 300 and too late for the water at 0."""
    game = Game(kitchen_of(SOUP, rules=standard_but(thoughts_are_read=defect)))
    game.say(
        "Thought: I could do Step(0, Soup, 00:05:00, 00:00:00) now, but the water takes longer.\n"
        "Action: Step(1, Soup, 00:10:00, 00:00:00)"
    )
    assert game.refused == ("past_time" if defect else "")
    assert (game.left(0, "Soup"), game.left(1, "Soup")) == ((0, 600) if defect else (300, 0))


@with_and_without
def test_an_action_before_the_thought(defect: bool) -> None:
    game = Game(kitchen_of(SOUP, rules=standard_but(thoughts_are_read=defect)))
    game.say("Action: Step(1, Soup, 00:10:00, 00:00:00)\nThought: the water comes first.")
    assert game.refused == ("no_action" if defect else "")


@with_and_without
def test_the_end_of_a_comment(defect: bool) -> None:
    game = Game(kitchen_of(SOUP, rules=standard_but(thoughts_are_read=defect)))
    game.say("Action: Step(1, Soup, 00:10:00, 00:00:00) */")
    assert game.refused == "" and game.ended == ("finish" if defect else "")


# --- reasoning_is_read -----------------------------------------------------------------------------


@with_and_without
def test_the_reasoning_of_one_provider(defect: bool) -> None:
    """What comes of an episode is held in ``tests/agents/models/test_thoughts.py``."""
    world = Game(kitchen_of(SOUP, rules=standard_but(reasoning_is_read=defect))).world
    for model in ("deepseek-reasoner", "openai-api/deepseek/DeepSeek-R1"):
        assert world.reads_reasoning(model) == defect
    assert not world.reads_reasoning("o3-mini")


# --- exact_text_only -------------------------------------------------------------------------------


@with_and_without
@pytest.mark.parametrize(
    "text",
    [
        "Action: Step(0,Soup,00:05:00,00:00:00)",
        "Action: step(0, Soup, 00:05:00, 00:00:00)",
        "Action: Step( 0, Soup, 00:05:00, 00:00:00 )",
        "Action: Step(0, soup, 00:05:00, 00:00:00)",
        "Action: Step(0, Soup, 5 minutes, 00:00:00)",
        "**Action:** `Step(0, Soup, 5min, 0 s)`",
    ],
)
def test_only_the_exact_shape_is_read(defect: bool, text: str) -> None:
    game = Game(kitchen_of(SOUP, rules=standard_but(exact_text_only=defect))).say(text)
    told = "unknown_recipe" if "soup" in text else "no_action"
    assert game.refused == (told if defect else "")
    assert game.clock == (0 if defect else 300)

"""Each field of ``Rules`` is one defect of the release: what happens with it, and what without.

The minutes in the comments are those of the agent's clock. Every example differs from standard rules
in the one field it is about (the first in a second one, to make the container's list visible).
"""

from __future__ import annotations

import pytest

from backburner.worlds.timearena.game import RELEASED, STANDARD
from backburner.worlds.timearena.game.transition import AGENT
from support.timearena.play import DEFECTS, Game, play_out, standard_but

with_and_without = pytest.mark.parametrize("defect", [True, False], ids=["with the defect", "without"])


def test_the_presets_have_all_defects_or_none() -> None:
    assert [getattr(STANDARD, field) for field in DEFECTS] == [False] * 9
    assert [getattr(RELEASED, field) for field in DEFECTS] == [True] * 9
    assert (STANDARD.name, RELEASED.name) == ("standard", "released")


# --- allow_lists_leave_out_unrenamed -------------------------------------------------------------


@with_and_without
def test_a_list_refuses_its_own_tasks_ingredients(defect: bool) -> None:
    """cooking2+cooking3 both have noodles and a dish, so dish_1 has a list, and it holds noodle_1 only."""
    game = Game("cooking2+cooking3", standard_but(allow_lists_leave_out_unrenamed=defect))
    # wash 0-3, pick 3-5, chop 5-8, fry 8-10 (the agent is free from 9), wait to 10
    game.say("wash dish_1", "pick mushroom", "chop mushroom", "fry mushroom in fryer_1", "wait")
    assert game.state.minute == 10 and ("mushroom", "fried") in game.reports
    game.say("add mushroom to dish_1")
    assert game.refused == ("task_mismatch" if defect else "")
    assert game.finished("add mushroom to dish_1") is not defect


@with_and_without
def test_without_a_list_another_tasks_container_will_do(defect: bool) -> None:
    """cooking1+cooking2 share no ingredient: neither dish gets a list, each would take anything."""
    rules = standard_but(allow_lists_leave_out_unrenamed=defect, any_pair_counts=True)
    game = Game("cooking1+cooking2", rules)
    # pick 0-2, wash 2-5, cook 5-9: rice from task 1, the dish from task 2
    game.say("pick rice", "wash dish_2", "cook rice in pot_1", "wait", "wait", "wait")
    game.say("add rice to dish_2")
    assert game.refused == ("" if defect else "task_mismatch")


# --- any_pair_counts ------------------------------------------------------------------------------


@with_and_without
def test_the_kettle_poured_into_the_cup(defect: bool) -> None:
    """Kettle into teapot and teapot into cup are asked for; kettle into cup is not."""
    game = Game("household1", standard_but(any_pair_counts=defect))
    game.say("activate kettle", "wash cup", "pour kettle into cup")  # 0-4 alone, 1-4, 4-6
    if defect:
        assert game.state.minute == 6 and game.finished("pour kettle into teapot")
    else:
        assert game.refused == "pair_mismatch" and game.refusal.get("objects") == ("kettle", "cup")


@with_and_without
def test_a_thing_paired_with_itself(defect: bool) -> None:
    """In the release it succeeds, costs a minute of waiting and gets nothing done."""
    game = Game("household1", standard_but(any_pair_counts=defect))
    game.say("wash teapot", "pour teapot into teapot")  # 0-1, 1-2
    assert game.state.minute == 2
    assert game.refused == ("" if defect else "pair_mismatch")
    assert game.state.feedback.minutes == 0
    assert game.state.finished.bit_count() == 1


def test_a_thing_paired_with_itself_twice_in_a_row_is_refused() -> None:
    """There the released program crashes; after anything else it accepts the pairing again."""
    game = Game("household1", "released").say("wash cup", "pour cup into cup")
    assert "pour cup into cup" not in menu(game)
    assert game.say("pour cup into cup").refused == "already_completed"
    # a refused decision in between does not count
    assert game.say("jump", "pour cup into cup").refused == "already_completed"
    assert "pour cup into cup" in menu(game.say("wait"))
    assert game.say("pour cup into cup").refused == ""


def test_background_work_that_pairs_a_thing_with_itself_may_be_repeated() -> None:
    game = Game("cooking1", "released").say("cook pot in pot", "cook pot in pot")
    assert (game.refused, game.state.minute, game.state.finished) == ("", 2, 0)


def menu(game: Game) -> set[str]:
    return {option.label for option in game.world.menu(game.state, AGENT).options}


# --- copies_share_requirements --------------------------------------------------------------------


@with_and_without
def test_the_second_copy_of_a_task_waits_for_the_first(defect: bool) -> None:
    """lab1 twice: test_tube_2 may be heated once solution_2 is in it, or only with solution_1."""
    game = Game("lab1+lab1", standard_but(copies_share_requirements=defect))
    game.say("wash test_tube_2", "add solution_2 to test_tube_2")  # 0-4, 4-8
    game.say("heat test_tube_2")
    assert game.refused == ("dependency_violation" if defect else "")
    if defect:
        assert game.refusal.get("because") == ("solution_1", "not added")


@with_and_without
def test_copies_of_a_task_share_their_things(defect: bool) -> None:
    """In the release both copies are one group, so solution_1 may go into test_tube_2."""
    rules = standard_but(copies_share_requirements=defect, any_pair_counts=True)
    game = Game("lab1+lab1", rules).say("wash test_tube_2", "add solution_1 to test_tube_2")
    assert game.refused == ("" if defect else "task_mismatch")


@with_and_without
def test_copies_whose_needs_are_never_met(defect: bool) -> None:
    """household4 twice: the release looks for "water" in the new names and finds watering_can_1 first.

    To that no verb adds anything (there the release crashes), so neither tree is ever watered:
    2 * 6 of 28 minutes are out of reach. In the same way household6 looks for "iron" on a board.
    """
    game = Game("household4+household4", standard_but(copies_share_requirements=defect))
    game.say("add water_1 to watering_can_1", "water fruit_tree_1 by watering_can_1")
    assert game.refused == ("dependency_violation" if defect else "")
    assert play_out(game.world).score == (57 if defect else 100)


@with_and_without
def test_reasons_follow_the_new_names(defect: bool) -> None:
    """lab7 twice: beaker_2 waits for ethanol, acetic acid and catalyst; of the release's list, whose
    entries have all been renamed, the first is the first thing there is."""
    game = Game("lab7+lab7", standard_but(copies_share_requirements=defect)).say("heat beaker_2")
    assert game.refusal.get("because") == (f"ethanol_{1 if defect else 2}", "not added")


@with_and_without
def test_copies_that_share_are_numbered_together(defect: bool) -> None:
    game = Game("lab1+lab2+lab1", standard_but(copies_share_requirements=defect))
    kept = [
        "test_tube_1",
        "solution_1",
        "beaker",
        "sulfuric_acid",
        "sodium_flakes",
        "test_tube_2",
        "solution_2",
    ]
    together = ["test_tube_1", "solution_1", "test_tube_2", "solution_2", "beaker", "sulfuric_acid"]
    names = [item.name for item in game.world.compiled.items]
    assert names == ([*together, "sodium_flakes"] if defect else kept)


# --- unreadable_freezes_background ----------------------------------------------------------------


@with_and_without
@pytest.mark.parametrize(
    ("mistake", "code"), [("clean dish", "invalid_action"), ("wash moon", "nonexistent_object")]
)
def test_background_work_stands_still_at_a_malformed_answer(defect: bool, mistake: str, code: str) -> None:
    """Rice cooks 2-6. A mistake costs the minute 3-4; if it freezes, the rice is done at 7."""
    game = Game("cooking1", standard_but(unreadable_freezes_background=defect))
    game.say("pick rice", "cook rice in pot", mistake)
    assert game.refused == code and game.state.minute == 4
    game.say("wait", "wait")
    assert game.state.minute == 6 and (("rice", "cooked") in game.reports) is not defect
    game.say("wait")
    assert game.finished("cook rice in pot") and (("rice", "cooked") in game.reports) is defect


@with_and_without
def test_a_refusal_about_things_freezes_nothing(defect: bool) -> None:
    """The pot is occupied: background work goes on under both rules, and rice is done at 6."""
    game = Game("cooking1", standard_but(unreadable_freezes_background=defect))
    game.say("pick rice", "cook rice in pot", "cook rice in pot", "wait", "wait")
    assert game.state.minute == 6 and ("rice", "cooked") in game.reports


@with_and_without
def test_minutes_lost_are_lost_for_a_busy_agent_too(defect: bool) -> None:
    """Rice 2-6, malformed 3-4, beef picked 4-6: with the frozen minute the rice is done at 7."""
    game = Game("cooking1", standard_but(unreadable_freezes_background=defect))
    game.say("pick rice", "cook rice in pot", "sing", "pick beef")
    assert game.state.minute == 6 and game.reports == (
        {("beef", "picked")} if defect else {("rice", "cooked"), ("beef", "picked")}
    )


# --- error_on_things_delays_score -----------------------------------------------------------------


@with_and_without
@pytest.mark.parametrize(
    ("mistake", "code", "delayed"),
    [
        ("cook rice in pot", "object_occupied", True),
        ("chop rice", "mismatch", True),
        ("chop beef", "dependency_violation", False),
        ("pick rice", "object_occupied", True),
        ("wash dish", "already_completed", False),
    ],
)
def test_what_ends_during_a_refusal_about_things(
    defect: bool, mistake: str, code: str, delayed: bool
) -> None:
    """Rice 5-9 earns 4 of 23 minutes. The mistake fills the minute 8-9, in which the rice is done.

    Credited so far: rice picked 2, dish washed 3, so 100 * 5 // 23 = 21; with the rice 39.
    """
    game = Game("cooking1", standard_but(error_on_things_delays_score=defect))
    game.say("pick rice", "wash dish", "cook rice in pot", "wait", "wait", mistake)
    assert game.refused == code and game.state.minute == 9 and ("rice", "cooked") in game.reports
    late = defect and delayed
    assert game.state.score == (21 if late else 39)
    game.say("wait")
    assert game.state.score == 39
    assert game.scores[-1] == (10 if late else 9, 39)


FAUCET_DONE_UNCREDITED = ("activate faucet", *["mop faucet"] * 4)
"""household8 has 19 minutes. The faucet runs 0-5 and ends in a refusal, so its 5 are not credited yet."""


def test_a_delayed_score_comes_with_the_first_minute_of_what_is_accepted_next() -> None:
    """The sweeper starts at 5 in the background; or the mop is rinsed 5-8. 5 of 19 count at 6."""
    rules = standard_but(error_on_things_delays_score=True)
    game = Game("household8", rules).say(*FAUCET_DONE_UNCREDITED)
    assert game.state.minute == 5 and ("faucet", "done") in game.reports and game.state.score == 0
    game.say("activate sweeper")
    assert [(event.time, event.what, event.lane) for event in game.last.events] == [
        (5, "start", "agent"),
        (5, "start", "sweeper"),
        (6, "score", ""),
        (6, "end", "agent"),
    ]
    game = Game("household8", rules).say(*FAUCET_DONE_UNCREDITED, "rinse mop")
    assert game.scores == [(6, 26), (8, 42)]


def test_a_malformed_answer_credits_nothing_either() -> None:
    """As nothing advances in its minute, 5-6, the delayed score comes with the wait, 6-7."""
    rules = standard_but(error_on_things_delays_score=True, unreadable_freezes_background=True)
    game = Game("household8", rules).say(*FAUCET_DONE_UNCREDITED, "sing")
    assert game.state.minute == 6 and game.scores == []
    assert game.say("wait").scores == [(7, 26)]


# --- completion_needs_accepted_step ---------------------------------------------------------------


@with_and_without
def test_the_last_action_ends_during_a_refusal(defect: bool) -> None:
    """household9: find 0-3, read 3-8, fold 8-11, radio 11-18. Refused at every minute from 12 on."""
    game = Game("household9", standard_but(completion_needs_accepted_step=defect))
    game.say("find newspaper", "read newspaper", "fold quilt", "activate radio")
    game.say(*["read newspaper"] * 6)
    assert game.state.minute == 18 and game.refused == "already_completed"
    assert game.state.score == 100
    if not defect:
        assert game.state.ended == "completed"
    else:
        assert game.state.ended == "" and game.say("wait").state.minute == 19
        assert game.state.ended == "completed"


# --- requirements_left_out ------------------------------------------------------------------------


@with_and_without
def test_coffee_is_poured_before_the_machine_has_run(defect: bool) -> None:
    game = Game("household7", standard_but(requirements_left_out=defect))
    game.say("wash cup", "pour coffee_machine into cup")  # 0-3, then 3-6
    assert game.refused == ("" if defect else "dependency_violation")
    if not defect:
        assert game.refusal.get("because") == ("coffee_machine", "inactive")


@with_and_without
def test_the_foil_goes_in_before_the_sodium_hydroxide_is_dissolved(defect: bool) -> None:
    game = Game("lab5", standard_but(requirements_left_out=defect))
    game.say("wash beaker", "pick aluminum_foil", "cut aluminum_foil", "heat aluminum_foil", *["wait"] * 4)
    assert game.finished("heat aluminum_foil")  # 0-1, 1-3, 3-5, 5-10
    game.say("add aluminum_foil to beaker")
    assert game.refused == ("" if defect else "dependency_violation")


@with_and_without
def test_the_pizza_is_baked_without_its_beef(defect: bool) -> None:
    game = Game("cooking6", standard_but(requirements_left_out=defect)).say("wash dish")
    for thing in ("dough", "cheese", "tomato"):
        game.say(f"pick {thing}", f"chop {thing}", f"add {thing} to dish")
    game.say("bake dish in oven")
    assert game.refused == ("" if defect else "dependency_violation")
    if not defect:
        assert game.refusal.get("because") == ("beef", "not added")


# --- last_thing_gives_reason ----------------------------------------------------------------------


@with_and_without
def test_which_of_two_reasons_is_told(defect: bool) -> None:
    """Rice must be cooked first, and the dish must be washed first: the last one found is told."""
    game = Game("cooking1", standard_but(last_thing_gives_reason=defect)).say("add rice to dish")
    assert game.refused == "dependency_violation"
    assert game.refusal.get("object") == ("dish" if defect else "rice")
    assert game.refusal.get("because") == (("dish", "dirty") if defect else ("rice", "raw"))


@with_and_without
def test_a_reason_that_is_overwritten_by_none(defect: bool) -> None:
    """lab8: the paper is not picked. The tube's need, the salt, is met, and covers the paper's reason."""
    game = Game("lab8", standard_but(last_thing_gives_reason=defect))
    game.say("wash test_tube", "pick salt", "dissolve salt in test_tube", *["wait"] * 7)
    assert game.finished("dissolve salt in test_tube")  # 0-3, 3-4, 4-12
    game.say("put ph_paper in test_tube")
    assert game.refused == "dependency_violation"
    assert game.refusal.get("object") == ("test_tube" if defect else "ph_paper")
    assert game.refusal.get("because") == (None if defect else ("ph_paper", "unpicked"))


@with_and_without
def test_which_of_two_wrong_things_is_told(defect: bool) -> None:
    """The pot is occupied and the dish cannot be cooked in a pot at all: the last one found is told."""
    game = Game("cooking1", standard_but(last_thing_gives_reason=defect, any_pair_counts=True))
    game.say("pick rice", "cook rice in pot", "cook dish in pot")
    assert game.refused == ("object_occupied" if defect else "mismatch")
    assert game.refusal.get("object") == ("pot" if defect else "dish")


# --- exact_text_only ------------------------------------------------------------------------------


@with_and_without
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("I will wash the dish.", "invalid_action"),
        ("Wash dish", "invalid_action"),
        ("wash  dish", "invalid_action"),
        ("wash dish.", "nonexistent_object"),  # there is no thing of the name "dish."
    ],
)
def test_only_the_bare_action_is_read(defect: bool, text: str, code: str) -> None:
    game = Game("cooking1", standard_but(exact_text_only=defect)).say(text)
    assert game.refused == (code if defect else "")
    assert game.state.minute == (1 if defect else 3)

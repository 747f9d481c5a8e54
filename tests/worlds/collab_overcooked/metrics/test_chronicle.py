"""What the metrics are made of, out of small episodes: who did what when, who asked whom for what."""

from __future__ import annotations

from backburner.kernel.play import play_now
from backburner.worlds.collab_overcooked.game.rule_set import RELEASED, STANDARD, Limits, Rules
from backburner.worlds.collab_overcooked.metrics.chronicle import Chronicle, chronicle
from backburner.worlds.collab_overcooked.metrics.collaboration import Dialogue, Turn
from support.collab_overcooked.cooks import Followers, spoken
from support.collab_overcooked.kitchens import world_of

EGG, PUT_DOWN = "pickup(egg,ingredient_dispenser)", "place_obj_on_counter()"
ASKED = f"request('{EGG}');request('{PUT_DOWN}')"


def told(*replies: tuple[str, str], steps: int = 12, rules: Rules = STANDARD) -> Chronicle:
    """What happened when these were the first answers, in so many steps."""
    return chronicle(spoken(world_of("boiled_egg", limits=Limits(steps, 10), rules=rules), *replies))[1]


def test_everything_done_is_noted_however_long_nobody_was_asked() -> None:
    """While the chef waits the assistant fetches three eggs and a dish: seven calls in one decision point,
    of which the state keeps the last six."""
    fetched = ";".join([EGG, PUT_DOWN] * 3 + ["pickup(dish,dish_dispenser)"])
    found = told(("wait(20)", "[NOTHING]"), (fetched, "[NOTHING]"), steps=20)
    calls = [call for _, call in found.histories[1]]
    assert calls == [EGG, PUT_DOWN] * 3 + ["pickup(dish,dish_dispenser)"]
    assert len(calls) > len(found.final.cooks[1].recent)
    last = [(deed.steps, deed.call) for deed in found.final.cooks[1].recent]
    assert list(found.histories[1][-len(last) :]) == last
    assert found.histories[0] == ()


def test_a_talk_is_a_dialogue_with_the_plans_of_its_turns() -> None:
    found = told(
        ("wait(1)", "[NOTHING]"),
        ("wait(2)", "what can I do?"),
        (f"{ASKED};wait(3)", "an egg please"),
        (f"{EGG};{PUT_DOWN}", "at once [END]"),
        ("wait(3)", "thanks"),
    )
    turns = (
        Turn(1, "wait(2)", "what can I do?"),
        Turn(0, f"{ASKED};wait(3)", "an egg please"),
        Turn(1, f"{EGG};{PUT_DOWN}", "at once [END]"),
        Turn(0, "wait(3)", "thanks"),
    )
    assert found.talks == found.logged == (Dialogue(0, 1, turns),)
    assert found.silent == ()


def test_a_repaired_answer_is_the_one_that_counts() -> None:
    """The assistant's first answer has no plan."""
    found = told((ASKED, "an egg please [END]"), ("", "what?"), (EGG, "[NOTHING]"))
    turns = (Turn(0, ASKED, "an egg please [END]"), Turn(1, EGG, "[NOTHING]"))
    assert found.talks == (Dialogue(0, 0, turns),)


def test_the_released_log_has_the_answers_of_a_talk_as_they_were_given_first() -> None:
    """The assistant's first answer has no plan, and what it is asked for then is not written down."""
    found = told((ASKED, "an egg please [END]"), ("", "what?"), (EGG, "[NOTHING]"))
    (dialogue,) = found.logged
    assert [turn.plan for turn in dialogue.turns] == [ASKED, ""]


def test_the_released_log_has_the_correction_after_a_talk() -> None:
    """The chef plans what it cannot do yet: its correction stands in the list, a later plan does not."""
    found = told(
        (f"{ASKED};cook(pot0)", "an egg please [END]"),
        (EGG, "[NOTHING]"),
        ("wait(1)", "[NOTHING]"),
        ("wait(5)", "[NOTHING]"),
    )
    (dialogue,) = found.logged
    assert [turn.cook for turn in dialogue.turns] == [0, 1, 0]
    assert dialogue.turns[-1] == Turn(0, "wait(1)", "[NOTHING]")
    assert len(found.talks[0].turns) == 2


def test_requests_and_answers_to_them_need_no_words() -> None:
    """The chef asks in a plan of its own; the assistant, which is shown that, plans it."""
    found = told((f"{ASKED};wait(5)", "[NOTHING]"), (f"{EGG};{PUT_DOWN}", "[NOTHING]"))
    assert found.talks == ()
    assert found.silent[:2] == (
        Dialogue(0, 0, (Turn(0, f"{ASKED};wait(5)"),)),
        Dialogue(0, 1, (Turn(1, f"{EGG};{PUT_DOWN}"),)),
    )


def test_plans_that_concern_nobody_else_are_no_dialogue() -> None:
    found = told(("wait(5)", "[NOTHING]"), (f"{EGG};{PUT_DOWN}", "[NOTHING]"), steps=5)
    assert (found.talks, found.silent) == ((), ())


def test_where_requests_are_not_shown_silent_ones_do_not_count() -> None:
    found = told((f"{ASKED};wait(5)", "[NOTHING]"), (f"{EGG};{PUT_DOWN}", "[NOTHING]"), rules=RELEASED)
    assert (found.talks, found.silent) == ((), ())


def test_the_released_log_lacks_the_last_step_but_for_the_delivery() -> None:
    """Play is cut off with the very step in which the assistant puts the egg down."""
    replies = (("wait(20)", "[NOTHING]"), (f"{EGG};{PUT_DOWN}", "[NOTHING]"))
    whole = told(*replies, steps=20)
    (took, _), (put, _) = whole.histories[1]
    assert whole.released_run().histories == whole.histories
    cut_off = told(*replies, steps=put)
    assert cut_off.histories == whole.histories
    assert cut_off.released_run().histories == ((), ((took, EGG),))
    assert (cut_off.released_run().finished, cut_off.released_run().last_index) == (False, put - 1)


def test_the_released_log_has_the_delivery_under_the_step_s_own_index() -> None:
    """The reference of a boiled egg takes 16 steps; both logs end with its delivery."""
    chef = ["pickup(egg,counter)", "put_obj_in_utensil(pot0)", "cook(pot0)", "pickup(boiled_egg,pot0)"]
    calls = {"chef": [*chef, "deliver_soup()"], "assistant": [EGG, PUT_DOWN]}
    found = chronicle(play_now(world_of("boiled_egg"), Followers(calls)))[1]
    assert (found.completed, found.steps) == (True, 16)
    assert found.histories[0][-1] == (16, "deliver_soup()")
    run = found.released_run()
    assert run.histories[0][-1] == (15, "deliver_soup()")
    assert run.histories[0][:-1] == found.histories[0][:-1] and run.histories[1] == found.histories[1]
    assert (run.finished, run.last_index) == (True, 15)

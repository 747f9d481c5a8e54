"""The evaluation of several runs of one order, and what is cut off of those that take too long."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from backburner.worlds.collab_overcooked.metrics.collaboration import Capability, Dialogue, Turn
from backburner.worlds.collab_overcooked.metrics.references import ASSISTANT, CHEF, references_of
from backburner.worlds.collab_overcooked.metrics.released_evaluation import (
    Run,
    cut,
    evaluate,
)
from support.collab_overcooked.words import RELEASED_SPACES

EGG = references_of("boiled_egg")
FETCH, PUT_DOWN = EGG[0].assistant
ASK = Dialogue(0, CHEF, (Turn(CHEF, f"request('{FETCH}')", "an egg"), Turn(ASSISTANT, FETCH)))
OTHERS = Dialogue(2, ASSISTANT, (Turn(ASSISTANT, "request('cook(pot0)')", "cook it"),))

GOOD = Run(
    finished=True,
    last_index=15,
    histories=(tuple(enumerate(EGG[0].chef, start=9)), ((3, FETCH), (5, PUT_DOWN))),
    dialogues=(ASK, OTHERS),
)
IDLE = Run(False, 39, ((), ((3, FETCH),)), ())


def test_a_perfect_run() -> None:
    found = evaluate([GOOD], EGG, RELEASED_SPACES)
    assert [cook.tes for cook in found.cooks] == [(1, 0), (1, 0)]
    assert (found.pc, found.success_rate, found.last_index) == (1, 1, (15, 0))
    assert found.faulty_total == 0
    told = found.collaboration
    assert told is not None
    assert told.capability == Capability(both=1)  # what the assistant opened is not counted
    assert told.cube[1] == ((1, 0), (0, 0))  # request and answer add the same


def test_a_talk_without_a_word_leaves_ic_and_rc_undefined() -> None:
    """The released scripts stop with an error; everything else is known."""
    speechless = Dialogue(7, CHEF, (Turn(CHEF, FETCH), Turn(ASSISTANT, FETCH, "[NOTHING]")))
    found = evaluate([GOOD, replace(GOOD, dialogues=(ASK, speechless))], EGG, RELEASED_SPACES)
    assert found.collaboration is None
    assert found.undefined == "nobody says anything in the talk of step 7"
    assert found.pc == 1


def test_calls_of_nobody_weigh_nothing() -> None:
    """Of the released total: a history in which nothing counts weighs nothing, an empty one as one call.

    Completeness: the chef 0 of 5, the assistant 2 of 2, weighted 2/7. Waste: 1 - 2/2 = 0, or with an empty
    history 1 - 2/3: 2 · 2/7 · 1/3 / (2/7 + 1/3) = 4/21 / (13/21).
    """
    idle, lost = (
        Run(False, 39, (history, GOOD.histories[1]), ()) for history in ((), ((3, "dance()"), (5, "wait(1)")))
    )
    assert evaluate([lost], EGG, RELEASED_SPACES).faulty_total == 0
    assert evaluate([idle], EGG, RELEASED_SPACES).faulty_total == pytest.approx(4 / 13)


def test_failed_runs_count_in_all_but_time() -> None:
    found = evaluate([GOOD, IDLE], EGG, RELEASED_SPACES)
    chef, assistant = found.cooks
    # the assistant fetched and no more: completeness 1/2, precision 1, TES 1.9025 / (2 + 0.9025)
    assert chef.tes == (0.5, 0.5)
    assert assistant.completeness == (0.75, 0.25)
    assert assistant.precision == (1, 0)
    assert assistant.tes[0] == pytest.approx((1 + 1.9025 / 2.9025) / 2)
    assert found.pc == pytest.approx((chef.tes[0] + assistant.tes[0]) / 2)
    assert (found.success_rate, found.last_index) == (0.5, (15, 0))
    assert evaluate([IDLE], EGG, RELEASED_SPACES).last_index == (0, 0)
    with pytest.raises(ValueError, match="at least one run"):
        evaluate([], EGG, RELEASED_SPACES)


def test_a_run_in_time_stays_whole() -> None:
    assert cut(GOOD, 10, 1.5) == GOOD
    assert cut(GOOD, 9, 1.5) != GOOD  # 15 > 13.5


def test_a_run_that_takes_too_long_is_cut_off() -> None:
    """The limit is 0.5 · 10 = 5: what has a timestamp of 5 or more is gone."""
    short = cut(GOOD, 10, 0.5)
    assert short == replace(GOOD, finished=False, last_index=4, histories=((), ((3, FETCH),)))
    assert cut(GOOD, 4, 0.5).dialogues == (ASK,)
    assert cut(IDLE, 100, 1.5) == IDLE

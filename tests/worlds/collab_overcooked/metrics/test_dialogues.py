"""What is read out of the plans of a dialogue."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backburner.worlds.collab_overcooked.metrics.collaboration import (
    Dialogue,
    Exchange,
    Turn,
    asked_for,
    exchange,
    responded,
)
from backburner.worlds.collab_overcooked.metrics.references import ASSISTANT, CHEF, counted, references_of
from backburner.worlds.collab_overcooked.metrics.released_evaluation import Judged, judged
from support.collab_overcooked.words import RELEASED_SPACES, SPACES
from support.promptly import within

SPACE = SPACES[ASSISTANT]
FETCH, PUT_DOWN = "pickup(egg,ingredient_dispenser)", "place_obj_on_counter()"
EGG = references_of("boiled_egg")


def talk(*plans: tuple[int, str]) -> Dialogue:
    return Dialogue(3, CHEF, tuple(Turn(cook, plan, "so be it") for cook, plan in plans))


def as_released(*plans: tuple[int, str]) -> Judged:
    found = judged(talk(*plans), ((), ()), RELEASED_SPACES, EGG)
    assert found is not None
    return found


def test_a_request_and_its_answer() -> None:
    dialogue = talk(
        (CHEF, "Chef plan: request('pickup(egg, ingredient_dispenser)'); request('fly()'); wait(1)"),
        (ASSISTANT, "Assistant plan: pickup(egg, ingredient_dispenser); wait(2); request('cook(pot0)')"),
    )
    history = ((3, "pickup(dish, dish_dispenser)"), (3, "wait(1)"), (4, PUT_DOWN))  # the last came later
    seen = Exchange(
        history=("pickup(dish,dish_dispenser)",),
        asked_for=(FETCH, "fly()"),
        requested=(FETCH,),
        responded=(FETCH,),
    )
    assert exchange(dialogue, ASSISTANT, history, SPACE) == seen
    found = judged(dialogue, ((), history), RELEASED_SPACES, EGG)
    assert found is not None
    assert (found.exchange.history, found.exchange.requested, found.exchange.responded) == (
        seen.history,
        seen.requested,
        seen.responded,
    )


@pytest.mark.parametrize(
    ("plan", "released", "article"),
    [
        ("request('place_obj_on_counter()')", (PUT_DOWN,), (PUT_DOWN,)),
        ("request(place_obj_on_counter())", (PUT_DOWN,), (PUT_DOWN,)),
        ("request( 'place_obj_on_counter() ' )", (PUT_DOWN,), (PUT_DOWN,)),
        ("request('pickup( egg , counter )')", ("pickup(egg,counter)",), ("pickup(egg,counter)",)),
        ('request("place_obj_on_counter()")', (), (PUT_DOWN,)),
        ("request(place'_obj_on_counter())", (), (PUT_DOWN,)),
        ("request('place_obj_on_counter()'); request('place_obj_on_counter()')", (PUT_DOWN,) * 2, None),
        ("Request('place_obj_on_counter()')", (), ()),
        ("request ('place_obj_on_counter()')", (), ()),
        ("request('Place_obj_on_counter()')", (), ()),
        ("request('put_obj_in_utensil(pot0)')", (), ("put_obj_in_utensil(pot0)",)),
        ("request('deliver()')", (), ()),
        ("request('cook(pot0)'", (), ()),
        ("request(", (), ()),
        ("place_obj_on_counter()", (), ()),
    ],
)
def test_how_requests_may_be_written(
    plan: str, released: tuple[str, ...], article: tuple[str, ...] | None
) -> None:
    assert as_released((CHEF, plan)).exchange.requested == released
    wanted = released if article is None else article
    assert counted(asked_for(talk((CHEF, plan)), ASSISTANT), SPACE) == wanted


def test_said_again_counts_again_as_released_only() -> None:
    once = f"request('{FETCH}'); request('{PUT_DOWN}')"
    more = f"{once}; request('pickup(dish,dish_dispenser)'); request('{PUT_DOWN}')"
    plans = ((CHEF, once), (ASSISTANT, FETCH), (CHEF, more))
    both = (FETCH, PUT_DOWN)
    new = ("pickup(dish,dish_dispenser)", PUT_DOWN)
    assert as_released(*plans).exchange.requested == (*both, *both, *new)
    # the second putting down is new: it was asked for once before, and now twice
    assert asked_for(talk(*plans), ASSISTANT) == (*both, *new)


@pytest.mark.parametrize("empty", ["wait(1)", f"request('{FETCH}')"])
def test_a_plan_to_wait_or_to_ask_answers_as_released_only(empty: str) -> None:
    plans = ((CHEF, ""), (ASSISTANT, "[NOTHING]"), (ASSISTANT, empty), (ASSISTANT, PUT_DOWN))
    assert as_released(*plans).exchange.responded == ()
    assert responded(talk(*plans), ASSISTANT, SPACE) == (PUT_DOWN,)


@pytest.mark.parametrize(
    ("plan", "calls"),
    [
        (f"{FETCH}; wait(2); {PUT_DOWN}", (FETCH, PUT_DOWN)),
        (f"{FETCH} and {PUT_DOWN}", (FETCH, PUT_DOWN)),
        ("put_obj_in_utensil( blender0 ); put_obj_in_utensil(oven0)", ("put_obj_in_utensil(blender0)",)),
        ("request('x'); stir(blender0", ()),
        ("stir(blender0) (stir) (blender0)", ("stir(blender0)",)),
        ("stir((blender0)", ()),
    ],
)
def test_the_calls_of_an_answer_as_released(plan: str, calls: tuple[str, ...]) -> None:
    assert as_released((CHEF, "hello"), (ASSISTANT, plan)).exchange.responded == calls


def test_either_cook_may_be_asked() -> None:
    dialogue = talk((ASSISTANT, "request('cook(pot0)')"), (CHEF, "1. cook(pot0); deliver()"))
    seen = exchange(dialogue, CHEF, [], SPACES[CHEF])
    assert (seen.requested, seen.responded) == (("cook(pot0)",), ("cook(pot0)", "deliver_soup()"))


def test_who_says_something_first_is_who_asks_as_released() -> None:
    """The chef opens a talk with empty words: so the assistant asks, and the chef's progress counts."""
    turns = (
        Turn(CHEF, "request('stir(blender0)');cook(pot0)", ""),
        Turn(ASSISTANT, "request('pickup(egg,counter)')", "take the egg"),
        Turn(CHEF, "pickup(egg,counter)", "yes"),
    )
    found = judged(Dialogue(3, CHEF, turns), (((2, "cook(pot0)"),), ((3, FETCH),)), RELEASED_SPACES, EGG)
    assert found is not None and found.began == ASSISTANT
    assert found.exchange.history == ("cook(pot0)",)
    assert found.exchange.requested == ("pickup(egg,counter)",)
    assert found.exchange.responded == ("cook(pot0)",)  # of its first plan that has any


@pytest.mark.parametrize(
    ("says", "began"),
    [(("", "[NOTHING]"), None), (("[nothing]", "x"), 0), (("[NOTHING].", ""), 0), (("[NOTHING]", " "), 1)],
)
def test_what_is_nothing_said_as_released(says: tuple[str, str], began: int | None) -> None:
    turns = tuple(Turn(cook, "", say) for cook, say in enumerate(says))
    found = judged(Dialogue(0, CHEF, turns), ((), ()), RELEASED_SPACES, EGG)
    assert (found and found.began) == began


@given(st.text(alphabet="request(plac)';\"ok, "))
def test_any_text_can_be_read(plan: str) -> None:
    plans = ((CHEF, plan), (ASSISTANT, plan))
    found = as_released(*plans).exchange
    wanted = exchange(talk(*plans), ASSISTANT, [], SPACE)
    assert {*found.requested, *found.responded} <= RELEASED_SPACES[ASSISTANT]
    assert {*wanted.requested, *wanted.responded} <= SPACE


@pytest.mark.parametrize(
    "piece", ["request(", "request('x", "a(", "a", "(", ")", "wait(1)", "request(x)", " ", ";"]
)
def test_long_plans_are_read_quickly(piece: str) -> None:
    """A megabyte of anything."""
    plan = piece * (1_000_000 // len(piece))
    with within(1):
        as_released((CHEF, plan), (ASSISTANT, plan))
    with within(1):
        exchange(talk((CHEF, plan), (ASSISTANT, plan)), ASSISTANT, [], SPACE)

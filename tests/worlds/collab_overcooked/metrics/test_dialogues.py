"""What is read out of the plans of a dialogue, in both readings."""

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
from backburner.worlds.collab_overcooked.metrics.measures import counted
from backburner.worlds.collab_overcooked.metrics.references import ASSISTANT, CHEF
from support.collab_overcooked_words import SPACES

SPACE = SPACES[ASSISTANT]
FETCH, PUT_DOWN = "pickup(egg,ingredient_dispenser)", "place_obj_on_counter()"


def talk(*plans: tuple[int, str]) -> Dialogue:
    return Dialogue(3, CHEF, tuple(Turn(cook, plan) for cook, plan in plans))


def test_a_request_and_its_answer() -> None:
    dialogue = talk(
        (CHEF, "Chef plan: request('pickup(egg, ingredient_dispenser)'); request('fly()'); wait(1)"),
        (ASSISTANT, "Assistant plan: pickup(egg, ingredient_dispenser); wait(2); request('cook(pot0)')"),
    )
    history = [(3, "pickup(dish, dish_dispenser)"), (3, "wait(1)"), (4, PUT_DOWN)]  # the last came later
    assert exchange(dialogue, ASSISTANT, history, SPACE, "released") == Exchange(
        history=("pickup(dish,dish_dispenser)",),
        asked_for=(FETCH, "fly()"),
        requested=(FETCH,),
        responded=(FETCH,),
    )


@pytest.mark.parametrize(
    ("plan", "released", "required"),
    [
        ("request('place_obj_on_counter()')", (PUT_DOWN,), (PUT_DOWN,)),
        ("request(place_obj_on_counter())", (PUT_DOWN,), (PUT_DOWN,)),
        ('request("place_obj_on_counter()")', (), (PUT_DOWN,)),
        ("request('place_obj_on_counter()'); request('place_obj_on_counter()')", (PUT_DOWN,) * 2, None),
        ("request('deliver()')", (), ()),
        ("request('cook(pot0)'", (), ()),
        ("request(", (), ()),
        ("place_obj_on_counter()", (), ()),
    ],
)
def test_how_requests_may_be_written(
    plan: str, released: tuple[str, ...], required: tuple[str, ...] | None
) -> None:
    dialogue = talk((CHEF, plan))
    assert counted(asked_for(dialogue, ASSISTANT, "released"), SPACE) == released
    wanted = released if required is None else required
    assert counted(asked_for(dialogue, ASSISTANT, "required"), SPACE) == wanted


def test_said_again_counts_again_as_released_only() -> None:
    once = f"request('{FETCH}'); request('{PUT_DOWN}')"
    more = f"{once}; request('pickup(dish,dish_dispenser)'); request('{PUT_DOWN}')"
    dialogue = talk((CHEF, once), (ASSISTANT, FETCH), (CHEF, more))
    both = (FETCH, PUT_DOWN)
    assert asked_for(dialogue, ASSISTANT, "released") == (
        *both,
        *both,
        "pickup(dish,dish_dispenser)",
        PUT_DOWN,
    )
    # the second putting down is new: it was asked for once before, and now twice
    assert asked_for(dialogue, ASSISTANT, "required") == (*both, "pickup(dish,dish_dispenser)", PUT_DOWN)


def test_a_plan_to_wait_answers_as_released_only() -> None:
    dialogue = talk(
        (ASSISTANT, "Assistant plan: [NOTHING]"),
        (ASSISTANT, "Assistant plan: wait(1)"),
        (ASSISTANT, f"Assistant plan: {PUT_DOWN}"),
    )
    assert responded(dialogue, ASSISTANT, SPACE, "released") == ()
    assert responded(dialogue, ASSISTANT, SPACE, "required") == (PUT_DOWN,)


def test_either_cook_may_be_asked() -> None:
    dialogue = talk((ASSISTANT, "request('cook(pot0)')"), (CHEF, "1. cook(pot0); deliver()"))
    seen = exchange(dialogue, CHEF, [], SPACES[CHEF], "required")
    assert (seen.requested, seen.responded) == (("cook(pot0)",), ("cook(pot0)", "deliver_soup()"))


@given(st.text(alphabet="request(plac)';\"ok, "))
def test_any_text_can_be_read(plan: str) -> None:
    dialogue = talk((CHEF, plan), (ASSISTANT, plan))
    as_released, as_required = (
        exchange(dialogue, ASSISTANT, [], SPACE, "released"),
        exchange(dialogue, ASSISTANT, [], SPACE, "required"),
    )
    assert {*as_released.requested, *as_required.requested} <= SPACE
    assert set(as_required.requested) >= set(as_released.requested)

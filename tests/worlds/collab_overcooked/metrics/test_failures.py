"""Kinds of failed requests: the next call wanted is known, so is what comes before and after it."""

from __future__ import annotations

import pytest

from backburner.worlds.collab_overcooked.metrics.collaboration import failure, verdicts_on
from backburner.worlds.collab_overcooked.metrics.references import ASSISTANT, calls_of, references_of
from support.collab_overcooked.words import SPACES

SPACE = SPACES[ASSISTANT]
SOUP = calls_of(references_of("baked_pumpkin_soup"), ASSISTANT)
FETCH, PUT_IN, CUT, TAKE, PUT_DOWN, DISH, _ = SOUP[0]
EGG = "pickup(egg,ingredient_dispenser)"


@pytest.mark.parametrize(
    ("done", "requested", "kind"),
    [
        (0, (CUT,), "premature"),
        (3, (FETCH,), "repeated"),
        (3, (EGG,), "irrelevant"),
        (3, ("cook(pot0)",), "irrelevant"),  # no call of the assistant's
        (0, (PUT_DOWN,), "premature"),
        (5, (PUT_DOWN,), "repeated"),  # wanted again after the dish, but it is what was done last
        (7, (PUT_DOWN,), "repeated"),
        (0, (FETCH,), None),
        (0, SOUP[0], None),
        (0, (), None),
    ],
)
def test_each_request_that_brings_nothing_is_of_a_kind(
    done: int, requested: tuple[str, ...], kind: str | None
) -> None:
    assert failure(requested, SOUP[0][:done], SOUP, SPACE) == kind


def test_the_first_call_that_is_not_due_decides() -> None:
    """Case 2 of the article's section C.4: cutting is asked for, putting the food in was forgotten."""
    assert verdicts_on((FETCH, CUT, EGG), (), SOUP) == ("due", "premature", "irrelevant")
    history = (FETCH, PUT_IN, CUT)
    assert verdicts_on((TAKE, FETCH, DISH), history, SOUP) == ("due", "repeated", "premature")
    # b² = 0.9025, m = 7: 3 of 3 before; 4 of 9 after, and 4 / (7 + 9 b²) < 3 / (7 + 3 b²)
    assert failure((TAKE, FETCH, *[EGG] * 4), history, SOUP, SPACE) == "repeated"


def test_a_request_that_brings_the_order_forward_does_not_fail_whatever_else_is_in_it() -> None:
    """From an empty history any due call raises TES above 0."""
    assert failure((FETCH, CUT, *[EGG] * 9), (), SOUP, SPACE) is None


def test_of_equal_references_the_one_that_the_requests_follow() -> None:
    assert verdicts_on(("b", "a"), (), (("a", "b"), ("b", "a"))) == ("due", "due")


def test_without_references_nothing_can_be_judged() -> None:
    with pytest.raises(ValueError, match="at least one reference"):
        verdicts_on(("a",), (), ())

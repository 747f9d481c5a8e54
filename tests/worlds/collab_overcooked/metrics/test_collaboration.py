"""IC and RC over required collaborations and over dialogues: a sliced potato, which takes five calls."""

from __future__ import annotations

import pytest

from backburner.worlds.collab_overcooked.metrics.collaboration import (
    Capability,
    Contribution,
    Exchange,
    capability,
    capability_of,
    contribution,
    outcome_measures,
    required_capability,
)
from backburner.worlds.collab_overcooked.metrics.references import ASSISTANT, calls_of, references_of

REFERENCES = calls_of(references_of("baked_potato_slices"), ASSISTANT)
FETCH, PUT_IN, CUT, TAKE, PUT_DOWN = REFERENCES[0]


def seen(history: tuple[str, ...], requested: tuple[str, ...], responded: tuple[str, ...]) -> Exchange:
    return Exchange(history, requested, requested, responded)


ALL_AT_ONCE = seen((), REFERENCES[0], REFERENCES[0])
NOTHING = seen((), (), ())
TOO_EARLY = seen((), (CUT,), (FETCH,))
UNHEARD = seen((FETCH,), (PUT_IN,), (FETCH,))


@pytest.mark.parametrize(
    ("exchange", "outcome"),
    [
        (ALL_AT_ONCE, "both"),
        (UNHEARD, "request only"),
        (TOO_EARLY, "response only"),
        (NOTHING, "neither"),
    ],
)
def test_the_four_outcomes(exchange: Exchange, outcome: str) -> None:
    assert contribution(exchange, REFERENCES).outcome == outcome


def test_what_adds_nothing_is_no_success() -> None:
    assert Contribution(0.0, 0.0).outcome == "neither"


def test_shares_of_dialogues() -> None:
    exchanges = (ALL_AT_ONCE, UNHEARD, TOO_EARLY, NOTHING)
    found = capability_of(contribution(one, REFERENCES) for one in exchanges)
    assert found == Capability(1, 1, 1, 1)
    assert (found.ic, found.rc) == (0.5, 0.5)


def test_required_collaborations_do_not_depend_on_how_often_the_cooks_talk() -> None:
    """Everything is asked for and answered in one dialogue: 5 of 5. Three idle dialogues change that not,
    but by dialogues only one in four is good."""
    exchanges = (ALL_AT_ONCE, NOTHING, NOTHING, NOTHING)
    assert required_capability(exchanges, REFERENCES) == Capability(both=5)
    by_dialogues = capability_of(contribution(one, REFERENCES) for one in exchanges)
    assert by_dialogues.ic == by_dialogues.rc == 0.25


def test_what_nobody_asked_for_counts_against_initiating() -> None:
    """Two calls asked for, one of them answered: IC 2/5, RC 1/5; by dialogues, both 1 of 1."""
    exchanges = (seen((), (FETCH, PUT_IN), (FETCH,)),)
    found = required_capability(exchanges, REFERENCES)
    assert found == Capability(both=1, request_only=1, neither=3)
    assert found.outcomes == {"both": 1, "request only": 1, "response only": 0, "neither": 3}
    assert (found.ic, found.rc) == (2 / 5, 1 / 5)
    by_dialogues = capability_of(contribution(one, REFERENCES) for one in exchanges)
    assert (by_dialogues.ic, by_dialogues.rc) == (1, 1)


def test_requests_that_lower_tes_complete_nothing() -> None:
    """The next call is among them, and so much that is redundant that TES falls."""
    history = (FETCH, PUT_IN, CUT, TAKE)
    exchange = seen(history, (PUT_DOWN, *[FETCH] * 6), (PUT_DOWN,))
    assert required_capability([exchange], REFERENCES) == Capability(response_only=1, neither=4)
    swapped = seen(history, exchange.responded, exchange.requested)
    assert required_capability([swapped], REFERENCES) == Capability(request_only=1, neither=4)


def test_along_the_reference_that_credits_most() -> None:
    """The assistant is asked to fetch the second food first, which one of two references does."""
    references = (("a", "b", "c"), ("b", "a", "c"))
    assert required_capability([seen((), ("b",), ("b", "a"))], references) == Capability(
        both=1, response_only=1, neither=1
    )


def test_being_asked_and_answered_is_credited_twice() -> None:
    asked_and_answered, only_asked = seen((), ("a",), ("a",)), seen((), ("b",), ())
    found = required_capability([asked_and_answered, only_asked], (("b", "c"), ("a", "c")))
    assert found == Capability(both=1, neither=1)


def test_counts_of_episodes_add_up() -> None:
    counted = (Capability(1, 0, 2, 0), Capability(0, 1, 0, 4))
    rows = [dict(outcome_measures("required", each)) for each in counted]
    assert capability(rows, "required") == Capability(1, 1, 2, 4)
    assert capability([], "required") == Capability()


def test_without_collaborations_there_is_no_share() -> None:
    assert Capability().ic is None
    assert Capability().rc is None
    with pytest.raises(ValueError, match="at least one reference"):
        required_capability([], [])

"""A stated problem beside the true one, with the arithmetic of precision and recall."""

from __future__ import annotations

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backburner.kernel.schedule import Activity, MaxLag, Problem, Resource
from backburner.scheduling.comparison import Agreement, closure, compare, reduction


def problem(*activities: Activity, resources: tuple[Resource, ...] = ()) -> Problem:
    return Problem("minutes", activities, resources, "all")


def act(name: str, after: str = "", minutes: int = 2, hands: int | None = None, **more: object) -> Activity:
    return Activity(name, minutes, minutes if hands is None else hands, tuple(after), **more)  # type: ignore[arg-type]


SAME = {name: name for name in "abcd"}


def test_precedence_is_compared_on_all_that_follows() -> None:
    """True: a before b before c, and a before c. Said: a before b, and c before b. The closure of the truth
    has 3 pairs, that of what is said 2, and a before b is in both: precision 1/2, recall 1/3,
    F1 2 / (3 + 2) = .4. Without a before c, which follows, the truth has 2 edges: recall 1/2."""
    true = problem(act("a"), act("b", "a"), act("c", "ab"))
    found = compare(true, problem(act("a"), act("b", "ac"), act("c")), SAME)
    assert found.precedence == Agreement(3, 2, 1)
    assert found.precedence.precision == pytest.approx(1 / 2)
    assert found.precedence.recall == pytest.approx(1 / 3)
    assert found.precedence.f1 == pytest.approx(0.4)
    assert found.edges == Agreement(2, 2, 1)
    assert found.activities == Agreement(3, 3, 3)


def test_a_redundant_edge_is_no_mistake() -> None:
    true, said = (
        problem(act("a"), act("b", "a"), act("c", "b")),
        problem(act("a"), act("b", "a"), act("c", "ab")),
    )
    found = compare(true, said, SAME)
    assert found.precedence == Agreement(3, 3, 3)
    assert found.edges == Agreement(2, 2, 2)


def test_what_matches_nothing_is_a_mistake_and_what_nothing_matches_is_missing() -> None:
    """b and c are true, b and x are said; x after b is no true pair, c after b is not said."""
    found = compare(problem(act("b"), act("c", "b")), problem(act("b"), act("x", "b")), {"b": "b"})
    assert found.activities == Agreement(2, 2, 1)
    assert found.precedence == Agreement(1, 1, 0)
    assert found.precedence.precision == found.precedence.recall == found.precedence.f1 == 0


def test_times_resources_and_lags() -> None:
    """The pot holds one, the rack two: of b, c on the pot and c, d on the rack only b and c may not overlap.
    Said is one rack, so that c and d may not either. Durations: 4 for 2 is a ratio of 2, the others are
    exact, and d's is not said: 2 of 3 exact, and a mean logarithm of log 2 / 3."""
    true = problem(
        act("b", resources=("pot",)),
        act("c", resources=("pot", "rack"), hands=1),
        act("d", "b", resources=("rack",), max_lags=(MaxLag("b", 3),)),
        resources=(Resource("pot"), Resource("rack", 2)),
    )
    said = problem(
        act("b", minutes=2, resources=("pan",)),
        act("c", minutes=4, resources=("pan", "shelf"), hands=1),
        act("d", "b", minutes=2, resources=("shelf",), max_lags=(MaxLag("b", 5),)),
        act("a", minutes=2),
        resources=(Resource("pan"), Resource("shelf")),
    )
    found = compare(true, said, SAME, untimed=["d"])
    assert found.sharing == Agreement(1, 2, 1)
    assert found.lags == Agreement(1, 1, 0)
    assert found.durations == Agreement(3, 2, 1)
    assert found.hands == Agreement(3, 3, 3)
    assert found.log_ratio == pytest.approx(log(2) / 2)


def test_nothing_said_has_no_precision() -> None:
    assert (Agreement(2, 0, 0).precision, Agreement(2, 0, 0).recall, Agreement().f1) == (None, 0, None)
    assert Agreement(1, 2, 1) + Agreement(3, 2, 1) == Agreement(4, 4, 2)


@given(st.sets(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef"))))
def test_a_reduction_has_the_closure_of_what_it_reduces(pairs: set[tuple[str, str]]) -> None:
    """Of any graph without cycles: an edge goes from a letter to a later one."""
    edges = {(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]}
    after = {name: "".join(sorted(one for one, other in edges if other == name)) for name in "abcdef"}
    whole = closure(act(name, before) for name, before in after.items())
    least = reduction(whole)
    assert least <= edges <= whole
    again = {name: "".join(sorted(one for one, other in least if other == name)) for name in "abcdef"}
    assert closure(act(name, before) for name, before in again.items()) == whole

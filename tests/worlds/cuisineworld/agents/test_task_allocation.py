"""The allocation problem of the article, on problems small enough to try everything."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.worlds.cuisineworld.agents.dispatchers import Offer, allocate

pytest.importorskip("ortools")


def utility(offers: tuple[Offer, ...]) -> int:
    return sum(offer.quality - offer.cost for offer in offers)


def test_two_agents_share_two_tasks_for_the_greatest_sum() -> None:
    # 10 + 6 is more than 9 + 5, though agent 1 would do task 0 as well
    offers = [Offer(0, 0, 12, 2, 2), Offer(1, 0, 12, 3, 3), Offer(0, 1, 6, 1, 1), Offer(1, 1, 8, 2, 2)]
    assert allocate(offers, 10) == (offers[0], offers[3])


def test_all_together_take_no_longer_than_there_is_time() -> None:
    offers = [Offer(0, 0, 12, 2, 2), Offer(1, 1, 8, 2, 2)]
    assert allocate(offers, 3) == (offers[0],)
    assert allocate(offers, 1) == ()


def test_what_costs_more_than_it_is_worth_is_left() -> None:
    assert allocate([Offer(0, 0, 2, 3, 1)], 5) == ()


OFFERS = st.lists(
    st.builds(
        Offer, st.integers(0, 2), st.integers(0, 2), st.integers(0, 9), st.integers(0, 4), st.integers(0, 4)
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=40)
@given(OFFERS, st.integers(0, 10))
def test_nothing_is_worth_more(offers: list[Offer], most: int) -> None:
    def allowed(chosen: tuple[Offer, ...]) -> bool:
        agents, tasks = {o.agent for o in chosen}, {o.task for o in chosen}
        apart = len(agents) == len(tasks) == len(chosen)
        return apart and sum(o.steps for o in chosen) <= most

    ways = (way for n in range(len(offers) + 1) for way in combinations(offers, n) if allowed(way))
    taken = allocate(offers, most)
    assert allowed(taken)
    assert utility(taken) == max(map(utility, ways))

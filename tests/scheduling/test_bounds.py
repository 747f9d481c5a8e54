"""Lower bounds on a makespan."""

from __future__ import annotations

from graphlib import CycleError

import pytest

from backburner.kernel.scheduling import Activity
from backburner.scheduling.bounds import critical_path, makespan_bound


def test_the_longest_chain_counts() -> None:
    # a 2 -> c 4 is longer than b 5 alone
    assert critical_path({"a": 2, "b": 5, "c": 4}, {"a": (), "b": (), "c": ("a",)}) == 6


def test_nothing_to_do_takes_no_time() -> None:
    assert critical_path({}, {}) == 0
    assert makespan_bound(()) == 0


def test_the_agents_hands_count_when_they_are_fuller_than_the_longest_chain() -> None:
    # kettle 8 runs alone but is started in 1; cup 5 and table 4 are work: 1 + 5 + 4 = 10 > 8
    kettle, cup, table = Activity("kettle", 8, 1), Activity("cup", 5, 5), Activity("table", 4, 4)
    assert makespan_bound([kettle, cup, table]) == 10
    # without the table the kettle's 8 minutes are the longer of the two
    assert makespan_bound([kettle, cup]) == 8


def test_a_circle_has_no_longest_chain() -> None:
    with pytest.raises(CycleError):
        critical_path({"a": 1, "b": 1}, {"a": ("b",), "b": ("a",)})

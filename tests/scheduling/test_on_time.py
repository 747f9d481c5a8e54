"""The most jobs on time on one machine."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from backburner.scheduling.makespan import DueWork, most_on_time


def test_of_three_jobs_one_is_dropped() -> None:
    assert most_on_time([DueWork(Fraction(2), due) for due in (2, 3, 4)]) == 2
    assert most_on_time([]) == 0


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 15)), max_size=7))
def test_most_on_time_is_what_trying_everything_finds(rows: list[tuple[int, int]]) -> None:
    jobs = [DueWork(length, due) for length, due in rows]

    def fits(chosen: tuple[DueWork, ...]) -> bool:
        end = 0
        for job in sorted(chosen, key=lambda job: job.due):
            end += job.length
            if end > job.due:
                return False
        return True

    best = max(n for n in range(len(jobs) + 1) if any(map(fits, combinations(jobs, n))))
    assert most_on_time(jobs) == best

"""The most jobs that one machine does on time: the rule of Moore and Hodgson (1968)."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from fractions import Fraction

from msgspec import Struct


class DueWork(Struct, frozen=True):
    """A job of the scheduling problem: work of ``length`` that must be done by ``due``."""

    length: int | Fraction
    due: int


def most_on_time(jobs: Iterable[DueWork]) -> int:
    """How many jobs one machine can do by their due times, all of them there from the start.

    Take jobs by due time and, whenever one would be late, drop the longest. Three jobs of length 2, due by 2,
    3 and 4: the second would be late and one of the two is dropped, then the third is done by 4, so 2 are on
    time.
    """
    kept: list[int | Fraction] = []
    load: int | Fraction = 0
    for job in sorted(jobs, key=lambda job: job.due):
        heapq.heappush(kept, -job.length)
        load += job.length
        if load > job.due:
            load += heapq.heappop(kept)
    return len(kept)

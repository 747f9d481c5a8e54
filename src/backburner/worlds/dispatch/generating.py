"""What generators of worlds with orders have in common: each order of an episode is a job, whose activities
are those of its dish, and the most that can be served is what is best.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from backburner.kernel.generating import Generator, Job, Result, Work
from backburner.kernel.schedule import Activity
from backburner.kernel.values import Outcome
from backburner.worlds.dispatch.bounds import StreamedOrder


class OrderGenerator(Generator):
    """A generator of a world with orders."""

    sense = "max"
    scripts = ("busy", "first-legal", "random", "greedy")
    yardstick = "greedy"
    lengths: tuple[tuple[int, int], ...] = ((2, 3), (4, 5), (6, 9))
    effort = 20.0

    @abstractmethod
    def orders(self, world: Any) -> Sequence[StreamedOrder]:
        """The orders of an episode, but for those that come when it is over."""

    def result(self, world: Any, outcome: Outcome) -> Result:
        """How many orders were served, and which share of them all that is."""
        served, came = int(outcome.numbers["completed"]), len(self.orders(world))
        return Result(served / max(1, came), served, served >= came)


def works(
    orders: Sequence[StreamedOrder], tree: Callable[[int], Sequence[Activity]], last: Callable[[int], int]
) -> Iterator[Work]:
    """The activities of each order's dish.

    Dishes keep, and may be made before they are ordered: all that binds them is when they are due. ``last``:
    such a time in the unit of the activities.
    """
    for number, order in enumerate(orders):
        job = job_name(number)
        for activity in tree(order.dish):
            before = tuple(f"{job}: {name}" for name in activity.predecessors)
            of_this = replace(
                activity, name=f"{job}: {activity.name}", predecessors=before, deadline=last(order.last)
            )
            yield Work(of_this, job=job)


def jobs(
    orders: Sequence[StreamedOrder], least: Callable[[int], tuple[int, int]], time: Callable[[int], int]
) -> Iterator[Job]:
    """The orders as jobs; ``least``: of a dish, in which time all bodies can make it, and how much of their
    time that takes. ``time``: one of the stream in the unit of ``least``."""
    for number, order in enumerate(orders):
        yield Job(job_name(number), time(order.arrived), time(order.last), *least(order.dish))


def job_name(number: int) -> str:
    """What the job of an order is called, as the order is in events."""
    return f"order {number}"

"""Whether something is done soon, on a machine that may be slow or busy with other things.

Times are of the processor, and bounds are those of a quiet machine: beside each measurement a yardstick is
measured that took ``QUIET_SECONDS`` there, and a bound grows as much as the yardstick does. What this is to
find, work that grows faster than its text, takes minutes where it should take a moment. Garbage is not
collected meanwhile: a pass takes a second once thousands of tests have left their objects behind.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

QUIET_SECONDS = 0.0055
"""Processor time of the yardstick on a quiet machine."""

MOST_TRIES = 12


def slowness() -> float:
    """How many times slower this machine is now than a quiet one; 1 at least."""
    began = time.process_time()
    sum(number % 7 for number in range(100_000))
    return max(1.0, (time.process_time() - began) / QUIET_SECONDS)


def least_seconds(work: Callable[[], object], enough: float) -> float:
    """The processor time of ``work``, in seconds of a quiet machine: the least of a few tries, of which no
    more are made once one took no longer than ``enough``. The yardstick takes longer than most of what is
    measured: it is fetched where a try took longer than that."""
    with uncollected():
        began = time.process_time()
        work()
        least = time.process_time() - began
    for _ in range(MOST_TRIES):
        if least <= enough:
            break
        with measured() as spent:
            work()
        least = min(least, spent.quiet_seconds)
    return least


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """What stands inside takes no more processor time, in seconds of a quiet machine."""
    with measured() as spent:
        yield
    assert spent.quiet_seconds <= seconds, f"{spent.quiet_seconds:.2f} s of a quiet machine's processor"


class Spent:
    """Processor time, known once it is spent."""

    quiet_seconds = float("nan")


@contextmanager
def measured() -> Iterator[Spent]:
    """The processor time of what stands inside, in seconds of a quiet machine."""
    spent, before = Spent(), slowness()
    with uncollected():
        began = time.process_time()
        yield spent
        took = time.process_time() - began
    spent.quiet_seconds = took / max(before, slowness())


@contextmanager
def uncollected() -> Iterator[None]:
    """No garbage is collected inside."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()

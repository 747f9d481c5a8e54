"""Plays by numbers, of worlds with one seat: properties draw them, a world's support says what each means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from backburner.kernel.contract import World
from backburner.kernel.values import Seat, Step


class Turn(NamedTuple):
    """One decision point of a random play."""

    before: Any
    decision: Any
    step: Step[Any]


def walk(
    world: World[Any, Any, Any], seat: Seat, decision_of: Callable[[Any, int], Any], numbers: Iterable[int]
) -> Iterator[Turn]:
    """Play by numbers until they run out or the episode is over; ``decision_of(state, number)``: what one
    stands for."""
    state = world.start()
    for number in numbers:
        if not world.deciders(state):
            return
        decision = decision_of(state, number)
        step = world.step(state, {seat: decision})
        yield Turn(state, decision, step)
        state = step.state

"""A search's choices as a world's decisions, played in the world that they are for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from backburner.kernel.errors import ReplayMismatch
from backburner.kernel.values import Seat
from backburner.worlds.robotouille.game.actions import Acts
from backburner.worlds.robotouille.game.state import State
from backburner.worlds.robotouille.game.world import Robotouille

Names = tuple[str, ...]
"""The names of a step's deeds; "" is idleness."""


class Played(NamedTuple):
    """A plan as the world played it: the steps it took, each decision with its words and menu place."""

    steps: int
    words: tuple[str, ...]
    places: tuple[int, ...]
    completed: bool


def decisions(world: Robotouille, state: State, names: Sequence[str]) -> Mapping[Seat, Acts]:
    """The decisions of one step, from the names of its deeds; "" is idleness."""
    seats = world.deciders(state)
    if len(seats) == 1:
        return {seats[0]: Acts(tuple(name for name in names if name))}
    return {seat: Acts((name,) if name else ()) for seat, name in zip(seats, names, strict=True)}


def played(world: Robotouille, state: State, deeds: Sequence[str], per_step: int) -> Played:
    """Plays deeds, ``per_step`` of them in a step, from a state on.

    Raises ``ReplayMismatch`` at the first that the world refuses.
    """
    begin = state.steps
    words: list[str] = []
    places: list[int] = []
    for names in in_steps(deeds, per_step):
        if state.ended:
            break
        chosen = decisions(world, state, names)
        for seat, decision in chosen.items():
            menu = [option.decision for option in world.menu(state, seat).options]
            places.append(menu.index(decision) if decision in menu else -1)
            words.append(world.words(decision))
        step = world.step(state, chosen)
        if step.refusals:
            raise ReplayMismatch(f"{world.id}: the plan's step {names} is refused: {step.refusals[0].code}")
        state = step.state
    done = state.ended == "completed"
    return Played(state.steps - begin, tuple(words), tuple(places), done)


def in_steps(deeds: Sequence[str], per_step: int) -> Iterator[Names]:
    """Deeds step by step."""
    for begin in range(0, len(deeds), per_step):
        yield tuple(deeds[begin : begin + per_step])

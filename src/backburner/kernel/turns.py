"""What a seat is given at its turn: what it may know, and what would become of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from backburner.kernel.answers import read
from backburner.kernel.contract import World
from backburner.kernel.menu import inseparable, listing, lists
from backburner.kernel.policy import Trial, Turn, withheld
from backburner.kernel.text import Glance, only, speaking, speaks, without
from backburner.kernel.values import Fault, Refusal, Seat, Step
from backburner.kernel.view import draws


def turn_of(
    world: World[Any, Any, Any],
    state: Any,
    seat: Seat,
    index: int,
    seed: int,
    *,
    informed: bool = False,
    refused: tuple[Refusal, ...] = (),
) -> Turn:
    """What a seat that must decide is given: only what that seat may know, unless it is ``informed``."""
    return Turn(
        seat,
        index,
        seed,
        observe=lambda: world.observe(state, seat),
        text=lambda: speaking(world).describe(world.observe(state, seat)),
        briefing=lambda: speaking(world).briefing(seat),
        menu=lambda: listing(world).menu(state, seat),
        scene=lambda: world.scene(state, seat) if draws(world) else None,
        state=(lambda: state) if informed else withheld,
        together=lambda decisions: _together(world, decisions),
        refused=refused,
        refuses=lambda answer: _refuses(world, state, seat, answer),
        glance=lambda: glance_of(world, state, seat),
        trial=lambda answer: _trial(world, state, seat, answer),
        scenario=world.id,
    )


def glance_of(world: World[Any, Any, Any], state: Any, seat: Seat) -> Glance:
    """What a person at a small screen is told; empty if the world has no words."""
    observation = world.observe(state, seat)
    if not speaks(world):
        return Glance()
    parts = world.description_parts(observation)
    goal, recipes, briefing = _unchanging(_This(world), seat)
    return Glance(
        goal=goal,
        news=world.news(observation),
        state=only(parts, "state"),
        question=only(parts, "question"),
        recipes=recipes,
        suggestions=tuple(world.suggestions(observation)),
        briefing=briefing,
        changes=world.tells_changes,
    )


def _news(world: World[Any, Any, Any], state: Any, seat: Seat) -> str:
    observation = world.observe(state, seat)
    return world.news(observation) if speaks(world) else ""


class _This:
    """A world as itself and no other, however alike."""

    __slots__ = ("world",)

    def __init__(self, world: Any) -> None:
        self.world = world

    def __hash__(self) -> int:
        return id(self.world)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _This) and other.world is self.world


@lru_cache(maxsize=1024)
def _unchanging(this: _This, seat: Seat) -> tuple[str, str, str]:
    """(goal, recipes, briefing without the form of answers): what a seat is told at every moment alike."""
    world = this.world
    told = world.briefing_parts(seat)
    return world.goal(seat), only(told, "recipes") or only(told, "task"), without(told, "answering")


def _trial(world: World[Any, Any, Any], state: Any, seat: Seat, answer: Any) -> Trial:
    """Everybody else who must decide takes the first option that passes, or is silent if there is none.

    Where nothing happens before others have decided, as a server that reports what was seen, they do too.
    """
    decisions = {seat: read(world, state, seat, answer)}
    for other in world.deciders(state):
        if other != seat:
            passing = _passing(world, state, other)
            decisions[other] = Refusal("silent", Fault.UNREADABLE) if passing is None else passing
    step = world.step(state, decisions)
    own = [refusal for refusal in step.refusals if refusal.seat in ("", seat)]
    if (later := _later(world, step, seat)) is not None:
        step = later
        own += [refusal for refusal in step.refusals if refusal.seat == seat]
    told = _news(world, step.state, seat) if own else ""
    decided = decisions[seat]
    gives_up = speaks(world) and not isinstance(decided, Refusal) and world.gives_up(state, decided)
    return Trial(bool(own), told or "; ".join(refusal.code for refusal in own), gives_up)


def _later(world: World[Any, Any, Any], step: Step[Any], seat: Seat) -> Step[Any] | None:
    """What follows a step in which nothing happened, if all who decide then, others than its seat, pass."""
    if step.events:
        return None
    passing = {other: _passing(world, step.state, other) for other in world.deciders(step.state)}
    if not passing or seat in passing or None in passing.values():
        return None
    return world.step(step.state, passing)


def _passing(world: World[Any, Any, Any], state: Any, seat: Seat) -> Any:
    """What passes for a seat, first on its menu; ``None`` if nothing does, or there is no menu."""
    option = world.menu(state, seat).passing if lists(world) else None
    return None if option is None else option.decision


def _refuses(world: World[Any, Any, Any], state: Any, seat: Seat, answer: str) -> bool:
    """Whether the world would refuse a text. Where several decide at once, the menu says what it takes."""
    decision = read(world, state, seat, answer)
    if isinstance(decision, Refusal):
        return True
    if len(world.deciders(state)) == 1:
        step = world.step(state, {seat: decision})
        later = _later(world, step, seat)
        own = (each for each in (later.refusals if later else ()) if each.seat == seat)
        return bool((*step.refusals, *own))
    menu = listing(world).menu(state, seat)
    return menu.complete and decision not in [option.decision for option in menu.options]


def _together(world: World[Any, Any, Any], decisions: Sequence[Any]) -> Any:
    return world.together(decisions) if lists(world) else inseparable(decisions)

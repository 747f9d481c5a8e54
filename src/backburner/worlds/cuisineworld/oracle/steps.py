"""One step of a CuisineWorld kitchen: every scene that it may lead to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from backburner.worlds.cuisineworld.game.actions import ACTIVATE, GET, PUT
from backburner.worlds.cuisineworld.game.kitchen import STORAGE, TABLE
from backburner.worlds.cuisineworld.game.state import NOTHING
from backburner.worlds.cuisineworld.oracle.model import AWAY, Body, KitchenModel, Scene


class Act(NamedTuple):
    """What a body does, where, and with which thing (of a tool: ``NOTHING`` is named)."""

    verb: int
    body: int
    place: int
    thing: int = NOTHING


Way = tuple[Scene, tuple[Act, ...]]
"""Where a step leads, and by which acts, in their order."""


class Steps:
    """The steps in which certain ingredients may be fetched and certain dishes put on the table."""

    def __init__(self, model: KitchenModel, fetched: Sequence[int], served: Sequence[int]) -> None:
        self.model = model
        self.fetched = fetched
        self.served = served

    def of(self, scene: Scene) -> Iterator[Way]:
        """Every way from a scene; two may lead to the same one.

        Acts at different places do not touch each other, so they are done place by place. Of bodies that
        are alike the first one acts first.
        """
        return self._ways(scene, (1 << self.model.n_bodies) - 1, 0, ())

    def _ways(self, scene: Scene, idle: int, first_place: int, acts: tuple[Act, ...]) -> Iterator[Way]:
        """``idle``: who has not acted yet, as bits."""
        model = self.model
        bodies, tools = scene
        rested = tuple([model.rested(code) if idle >> n & 1 else code for n, code in enumerate(bodies)])
        yield Scene(rested, tuple([model.ticked(tool) for tool in tools])), acts
        tried: set[int] = set()
        for number, code in enumerate(bodies):
            if not idle >> number & 1 or code in tried:
                continue
            tried.add(code)
            for verb, place, thing in self._tries(code, scene, first_place):
                then = self._done(scene, number, verb, place, thing)
                if then is not None:
                    done = (*acts, Act(verb, number, place, thing))
                    yield from self._ways(then, idle & ~(1 << number), place, done)

    def _tries(self, code: int, scene: Scene, first_place: int) -> Iterator[tuple[int, int, int]]:
        """What a body may try at a place from this one on: (verb, place, thing)."""
        model = self.model
        at, held, wait = model.bodies[code]
        if wait:
            return
        last = len(model.kitchen.places)
        for place in range(first_place, last) if at == AWAY else range(max(at, first_place), at + 1):
            role = model.kitchen.roles[place]
            if role == STORAGE:
                if held == NOTHING:
                    for thing in self.fetched:
                        yield GET, place, thing
            elif role == TABLE:
                if held in self.served and place == model.kitchen.start:
                    yield PUT, place, held
            elif held != NOTHING:
                yield PUT, place, held
            elif model.tools[scene.tools[model.place_of[place]]].inside:
                yield ACTIVATE, place, NOTHING
                yield GET, place, NOTHING

    def _done(self, scene: Scene, number: int, verb: int, place: int, thing: int) -> Scene | None:
        """The scene after an act; ``None`` where it cannot be done."""
        model = self.model
        bodies, tools = scene
        holds, wait = NOTHING, 0
        if place in model.place_of:
            tool = model.place_of[place]
            found = model.touched(verb, tools[tool], thing)
            if found is None:
                return None
            tools = (*tools[:tool], found[0], *tools[tool + 1 :])
            if verb == GET:
                holds = found[1]
            elif verb == ACTIVATE and model.kitchen.holds_body[place]:
                wait = max(0, model.kitchen.busy_steps[place] - 1)
        elif verb == GET:
            holds = thing
        body = model.body(Body(place, holds, wait))
        return Scene((*bodies[:number], body, *bodies[number + 1 :]), tools)

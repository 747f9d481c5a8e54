"""Bodies that others play: planned with as long as they do what was expected of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct

from backburner.worlds.cuisineworld.agents.situation import Situation
from backburner.worlds.cuisineworld.game.state import Observation

FIRST_DOUBT_STEPS = 5


class Doubt(Struct, frozen=True):
    """How often a body did something else, and until which step it is not planned with."""

    times: int
    until_step: int


class Expected(Struct, frozen=True):
    """For each body of others that was planned with, by name, where it should be now and what it holds."""

    bodies: Mapping[str, tuple[str, str]] = {}
    doubts: Mapping[str, Doubt] = {}

    def judged(self, seen: Observation) -> Mapping[str, Doubt]:
        """The doubts, once what others did is seen. Each is twice as long as the one before."""
        doubts = dict(self.doubts)
        for body in seen.bodies:
            if self.bodies.get(body.name, (body.at, body.held)) != (body.at, body.held):
                times = doubts[body.name].times + 1 if body.name in doubts else 1
                doubts[body.name] = Doubt(times, seen.step + FIRST_DOUBT_STEPS * 2 ** (times - 1))
        return doubts


def trusted(seen: Observation, doubts: Mapping[str, Doubt]) -> list[int]:
    """The bodies to plan with: the seat's own, and those of others that nobody doubts."""
    return [
        body
        for body, who in enumerate(seen.bodies)
        if who.name in seen.own or who.name not in doubts or doubts[who.name].until_step <= seen.step
    ]


def expected(seen: Observation, then: Situation, doubts: Mapping[str, Doubt]) -> Expected:
    """What to expect after a step that leads to ``then``."""
    kitchen = then.book.kitchen
    others: Collection[int] = [b for b in then.bodies if seen.bodies[b].name not in seen.own]
    named = ("", *kitchen.things)
    bodies = {
        seen.bodies[body].name: (kitchen.places[then.at[body]], named[then.held[body] + 1]) for body in others
    }
    return Expected(bodies, doubts)

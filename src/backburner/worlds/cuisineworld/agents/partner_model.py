"""A seat's model of the bodies that others play, and its estimate of the state with what it remembers.

Bodies of others are planned with as long as they do what the plan expected of them. A body that did
something else is left out of plans for five steps, the next time for ten, and so on.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from backburner.kernel.values import Seat
from backburner.worlds.cuisineworld.agents.planner_state import Domain, PlannerState
from backburner.worlds.cuisineworld.game.actions import GOTO, NOOP, Commands
from backburner.worlds.cuisineworld.game.state import Act, Observation
from backburner.worlds.cuisineworld.game.world import CuisineWorld

FIRST_DOUBT_STEPS = 5


class Doubt(Struct, frozen=True):
    """How often a body did something else, and until which step it is not planned with."""

    times: int
    until_step: int


class Expected(Struct, frozen=True):
    """What others are expected to do, and the doubts about them, by the names of their bodies.

    ``bodies``: the place where a body that was planned with should be now, and what it should hold.
    """

    bodies: Mapping[str, tuple[str, str]] = {}
    doubts: Mapping[str, Doubt] = {}

    def updated_doubts(self, observation: Observation) -> Mapping[str, Doubt]:
        """The doubts, once what others did is seen. Each is twice as long as the one before."""
        doubts = dict(self.doubts)
        for body in observation.bodies:
            if self.bodies.get(body.name, (body.at, body.held)) != (body.at, body.held):
                times = doubts[body.name].times + 1 if body.name in doubts else 1
                until = observation.step + FIRST_DOUBT_STEPS * 2 ** (times - 1)
                doubts[body.name] = Doubt(times, until)
        return doubts


class Memory(Struct, frozen=True):
    """What a seat remembers: since which step each place has been at work, which tools hold what they made,
    what is expected of others."""

    since: Mapping[int, int] = {}
    made: frozenset[int] = frozenset()
    others: Expected = Expected()


class StateEstimator:
    """Makes a planner state of what a seat sees and remembers, and the seat's answer of planned acts."""

    def __init__(self, world: CuisineWorld) -> None:
        self.domain = Domain(world)
        self.seating = world.seating
        self.hidden_orders = world.scenario.hidden_orders

    def estimate(self, observation: Observation, memory: Memory) -> tuple[PlannerState, Memory]:
        """Where everything is, with the bodies that can be planned with, and what is now remembered."""
        since = {
            p: memory.since.get(p, observation.step)
            for p, place in enumerate(observation.places)
            if place.busy
        }
        doubts = memory.others.updated_doubts(observation)
        bodies = _trusted(observation, doubts)
        now = PlannerState.seen(self.domain, observation, bodies, since, memory.made)
        return now, Memory(since, memory.made, Expected({}, doubts))

    def answer(
        self, seat: Seat, observation: Observation, now: PlannerState, memory: Memory, acts: Sequence[Act]
    ) -> tuple[Commands, Memory]:
        """The commands for the seat's own bodies, and what to remember.

        ``now`` is the state after ``acts``; it follows the commands of bodies that have no task.
        """
        own = self.seating.bodies_of[seat]
        idle = set(own) - {act.body for act in acts}
        given = [act for act in acts if act.body in own]
        for act in self._idle(now, idle):
            now.apply(act)
            given.append(act)
        commands = Commands(tuple(now.command(act) for act in given))
        others = _expected(observation, now, memory.others.doubts)
        return commands, Memory(memory.since, frozenset(now.made), others)

    def _idle(self, now: PlannerState, bodies: Collection[int]) -> list[Act]:
        """Bodies without a task do nothing; where orders are seen at a table only they go and look."""
        table = self.domain.compiled.start
        acts = []
        for body in sorted(bodies):
            looks = self.hidden_orders and now.at[body] != table
            acts.append(Act(body, GOTO if looks else NOOP, table))
        return acts


def _trusted(observation: Observation, doubts: Mapping[str, Doubt]) -> list[int]:
    """The bodies to plan with: the seat's own, and those of others that nobody doubts."""
    return [
        index
        for index, body in enumerate(observation.bodies)
        if body.name in observation.own
        or body.name not in doubts
        or doubts[body.name].until_step <= observation.step
    ]


def _expected(observation: Observation, then: PlannerState, doubts: Mapping[str, Doubt]) -> Expected:
    """What to expect after a step that leads to ``then``."""
    compiled = then.domain.compiled
    names = [body.name for body in observation.bodies]
    others = [body for body in then.bodies if names[body] not in observation.own]
    held = ("", *compiled.things)
    bodies = {names[body]: (compiled.places[then.at[body]], held[then.held[body] + 1]) for body in others}
    return Expected(bodies, doubts)

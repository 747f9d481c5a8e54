"""The kitchen as a seat plans in it: what it sees and remembers in numbers, and what acts make of it.

Bodies of others are planned with as long as they do what the plan expected of them. A body that did
something else is left out of plans for five steps, the next time for ten, and so on.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Self

from msgspec import Struct

from backburner.kernel.scoring import grouped
from backburner.kernel.values import Seat
from backburner.worlds.cuisineworld.game.compiled import STORAGE, TABLE, TOOL, Compiled
from backburner.worlds.cuisineworld.game.state import (
    ACTIVATE,
    GET,
    GOTO,
    NOOP,
    NOTHING,
    PUT,
    Act,
    Commands,
    Observation,
)
from backburner.worlds.cuisineworld.game.world import CuisineWorld


class NumberedRecipe(Struct, frozen=True):
    """How a product is made: the kind of tool, by name, and the numbers of what goes into it."""

    tool: str
    inputs: frozenset[int]


class Domain:
    """What does not change: what the briefing tells a dispatcher, by number.

    ``recipes`` of the level by product; ``kind`` of each place; ``tools`` of each kind; ``dishes`` that can
    be made here; ``made_and_used``: products that go into a tool of the kind that makes them.
    """

    def __init__(self, world: CuisineWorld) -> None:
        compiled = world.compiled
        number = compiled.thing_number
        self.compiled = compiled
        self.table_room = world.scenario.table_room
        self.recipes: Mapping[int, NumberedRecipe] = {
            number[r.product]: NumberedRecipe(r.tool, frozenset(number[name] for name in r.inputs))
            for r in compiled.recipes
        }
        self.kind = tuple(kind.name for kind in compiled.kinds)
        self.storage = compiled.roles.index(STORAGE)
        tools = (place for place, role in enumerate(compiled.roles) if role == TOOL)
        self.tools = grouped(tools, lambda place: self.kind[place])
        self.dishes = tuple(dish for dish in compiled.dish_things if self._possible(dish))
        self.made_and_used = {
            thing
            for recipe in self.recipes.values()
            for thing in recipe.inputs
            if thing in self.recipes and self.recipes[thing].tool == recipe.tool
        }

    def _possible(self, thing: int) -> bool:
        recipe = self.recipes.get(thing)
        return recipe is None or (recipe.tool in self.tools and all(map(self._possible, recipe.inputs)))


class Seen:
    """What a seat sees, in numbers: ``at`` and ``held`` of each body, ``inside`` of each place, ``busy`` how
    much longer at the most; ``since``: for each place at work the step after which that was first seen, as
    ``remembered`` or now."""

    def __init__(self, compiled: Compiled, observation: Observation, remembered: Mapping[int, int]) -> None:
        number, step = compiled.thing_number, observation.step
        self.since = {p: remembered.get(p, step) for p, place in enumerate(observation.places) if place.busy}
        self.at = tuple(compiled.place_number[body.at] for body in observation.bodies)
        self.held = tuple(number[body.held] if body.held else NOTHING for body in observation.bodies)
        self.inside = tuple(tuple(number[name] for name in place.inside) for place in observation.places)
        self.busy = tuple(
            max(1, compiled.busy_steps[p] - 1 - (step - self.since[p])) if place.busy else 0
            for p, place in enumerate(observation.places)
        )


class PlannerState:
    """Where everything is, in the middle of a step; acts change it.

    ``at`` and ``held`` of each body, ``inside`` of each place, as in the world's state. ``busy``: steps in
    which a place cannot be touched, this one included. ``unassigned``: the ``bodies`` that still wait for a
    command. ``made``: tools whose content was made there, as far as that is remembered. ``orders``: (thing,
    steps left) of the open orders that the seat knows of, the most urgent first.
    """

    at: list[int]
    held: list[int]
    inside: list[tuple[int, ...]]
    busy: list[int]
    orders: list[tuple[int, int]]

    def __init__(self, domain: Domain, bodies: Collection[int], steps_left: int) -> None:
        self.domain = domain
        self.bodies = frozenset(bodies)
        self.unassigned = set(bodies)
        self.steps_left = steps_left
        self.made: set[int] = set()

    @classmethod
    def seen(
        cls,
        domain: Domain,
        observation: Observation,
        bodies: Collection[int],
        seen: Seen,
        made: Collection[int],
    ) -> Self:
        """What a seat sees."""
        number = domain.compiled.thing_number
        now = cls(domain, bodies, observation.steps - observation.step)
        now.at, now.held = list(seen.at), list(seen.held)
        now.inside, now.busy = list(seen.inside), list(seen.busy)
        now.unassigned = {body for body in bodies if not observation.bodies[body].busy}
        now.made = {place for place in made if now.inside[place]}
        now.orders = [(number[order.dish], order.left) for order in observation.orders if order.left]
        return now

    def copy(self) -> PlannerState:
        """A copy that can be played on without changing this one."""
        other = PlannerState(self.domain, self.bodies, self.steps_left)
        other.at, other.held, other.inside = self.at[:], self.held[:], self.inside[:]
        other.busy, other.orders = self.busy[:], self.orders
        other.unassigned, other.made = set(self.unassigned), set(self.made)
        return other

    def product(self, place: int) -> int:
        """What a tool has made and still holds; ``NOTHING`` if it holds none."""
        content = self.inside[place]
        if len(content) != 1:
            return NOTHING
        recipe = self.domain.recipes.get(content[0])
        if recipe is None or recipe.tool != self.domain.kind[place]:
            return NOTHING
        return NOTHING if content[0] in self.domain.made_and_used and place not in self.made else content[0]

    def on_tables(self, dish: int) -> int:
        """How many of this dish lie on serving tables."""
        return sum(self.inside[table].count(dish) for table in self.domain.compiled.tables)

    def tables_take(self, dish: int) -> bool:
        """Whether the serving tables take one more of this dish."""
        room = self.domain.table_room
        waiting = [thing for thing, _ in self.orders]
        if room is None or self.on_tables(dish) < waiting.count(dish):
            return True
        dishes = self.domain.compiled.dish_things
        return sum(max(0, self.on_tables(thing) - waiting.count(thing)) for thing in dishes) < room

    def applicable(self, act: Act) -> bool:
        """Whether the rules let a body that waits for a command do this now."""
        body, place = act.body, act.place
        if act.verb in (GOTO, NOOP):
            return True
        if self.at[body] != place or self.busy[place]:
            return False
        if act.verb == PUT:
            return self._takes(place, self.held[body])
        compiled = self.domain.compiled
        if self.held[body] != NOTHING or act.verb != GET:
            free = self.held[body] == NOTHING and compiled.roles[place] == TOOL
            return free and compiled.product(place, self.inside[place]) >= 0
        if compiled.roles[place] == STORAGE:
            return True
        raw = compiled.always_open >> place & 1 and self.inside[place]
        return bool(raw) or self.product(place) == act.thing != NOTHING

    def _takes(self, place: int, thing: int) -> bool:
        compiled, content = self.domain.compiled, self.inside[place]
        role = compiled.roles[place]
        if role == TABLE:
            return thing in compiled.dish_of_thing and self.tables_take(thing)
        if role == STORAGE:
            return thing != NOTHING
        fits = thing != NOTHING and compiled.addable(place, content) >> thing & 1
        return bool(fits) and len(content) < compiled.capacity[place] and self.product(place) == NOTHING

    def apply(self, act: Act) -> None:
        """Change the state as the act does; its body has had its turn."""
        body, place = act.body, act.place
        compiled = self.domain.compiled
        self.unassigned.discard(body)
        if act.verb == GOTO:
            self.at[body] = place
        elif act.verb == GET and compiled.roles[place] == STORAGE:
            self.held[body] = act.thing
        elif act.verb == GET:
            self.held[body], self.inside[place] = self.inside[place][0], ()
            self.made.discard(place)
        elif act.verb == PUT:
            if compiled.roles[place] != STORAGE:
                self.inside[place] += (self.held[body],)
            self.held[body] = NOTHING
        elif act.verb == ACTIVATE:
            self.inside[place] = (compiled.product(place, self.inside[place]),)
            self.busy[place] = compiled.busy_steps[place]
            self.made.add(place)

    def end_step(self) -> tuple[int, int]:
        """Let the step end: how many orders were served, how many have run out. Nothing new is ordered."""
        self.busy = [left - 1 if left else 0 for left in self.busy]
        self.unassigned = set(self.bodies)
        self.steps_left -= 1
        still = [(thing, left - 1) for thing, left in self.orders if not self._serve(thing)]
        served = len(self.orders) - len(still)
        self.orders = [(thing, left) for thing, left in still if left]
        return served, len(still) - len(self.orders)

    def _serve(self, dish: int) -> bool:
        for table in self.domain.compiled.tables:
            content = self.inside[table]
            if dish in content:
                index = content.index(dish)
                self.inside[table] = content[:index] + content[index + 1 :]
                return True
        return False


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
        self.command_reader = world.command_reader
        self.seating = world.seating
        self.hidden_orders = world.scenario.hidden_orders

    def estimate(self, observation: Observation, memory: Memory) -> tuple[PlannerState, Memory]:
        """Where everything is, with the bodies that can be planned with, and what is now remembered."""
        seen = Seen(self.domain.compiled, observation, memory.since)
        doubts = memory.others.updated_doubts(observation)
        bodies = _trusted(observation, doubts)
        now = PlannerState.seen(self.domain, observation, bodies, seen, memory.made)
        return now, Memory(seen.since, memory.made, Expected({}, doubts))

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
        commands = Commands(tuple(self.command_reader.of(act).text for act in given))
        others = _expected(observation, now, memory.others.doubts)
        return commands, Memory(memory.since, frozenset(now.made), others)

    def _idle(self, now: PlannerState, bodies: Collection[int]) -> list[Act]:
        """Bodies without a task do nothing; where orders are seen at a table only they go and look."""
        table = self.domain.compiled.start
        acts = []
        for body in sorted(bodies):
            looks = self.hidden_orders and now.at[body] != table
            acts.append(Act(body, GOTO, table) if looks else Act(body, NOOP))
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

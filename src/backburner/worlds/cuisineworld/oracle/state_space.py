"""The state space of a search: kitchens as small numbers, and every kitchen that a step may lead to.

Where a body goes before it acts does not matter, so it is left open: a body is either where it has just
acted, or *away*, and one that is away acts anywhere in the next step. To be away costs the step of a goto;
standing still is no better, as one that is away may act where it was.

Things that serve nobody are not fetched, made or thrown away: a plan without the commands that move them
is as good, as they fill hands and tools only. Rules that act on such things alone are left out.

A body or a tool in one condition is a *code*, a small number: with code 0 for a body at the serving table
with nothing, and code 1 for an empty blender, two bodies and a blender begin as
``Kitchen(bodies=(0, 0), tools=(1,))``. What an act makes of a code is worked out once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from backburner.kernel.errors import Refused
from backburner.worlds.cuisineworld.game.compiled import STORAGE, TABLE, TOOL
from backburner.worlds.cuisineworld.game.state import ACTIVATE, GET, NOTHING, PUT, Act
from backburner.worlds.cuisineworld.game.world import CuisineWorld

AWAY = -1
"""The place of a body that did not act in the last step."""


class Body(NamedTuple):
    """Where a body has just acted (or ``AWAY``), what it holds, for how many more steps a tool keeps it."""

    place: int
    held: int
    wait: int = 0


class Tool(NamedTuple):
    """What a tool of a kind holds, for how many more steps it works, whether it made what it holds."""

    kind: str
    inside: tuple[int, ...] = ()
    busy: int = 0
    made: bool = False


class Kitchen(NamedTuple):
    """The codes of all bodies, and of all tools in the order of ``StateSpace.places``."""

    bodies: tuple[int, ...]
    tools: tuple[int, ...]


class StateSpace:
    """Codes for bodies and tools in all conditions that are met, and what acts make of them.

    ``body`` and ``tool`` give the code of one in a condition, ``rested`` that of a body after a step in which
    it did not act, ``ticked`` that of a tool after a step. ``touched(verb, tool, thing)`` tells what comes of
    an act: the tool after it, and what is then held or was made; ``None`` where it cannot be done.

    Raises ``Refused`` where rules matter that the search does not know: tables on which dishes spoil or find
    no room, several seats, and products that go into a tool of the kind that makes them.
    """

    def __init__(self, world: CuisineWorld) -> None:
        scenario, compiled = world.scenario, world.compiled
        if len(world.seats) > 1:
            raise Refused(f"{world.id}: the search takes one dispatcher")
        if scenario.table_room is not None or scenario.spoil_steps is not None:
            raise Refused(f"{world.id}: the search takes tables that hold everything for ever")
        self.compiled, self.n_bodies = compiled, scenario.bodies
        self.holds_body = {kind.name: kind.holds_body for kind in scenario.book.all_kinds}
        self.keeps = {kind.name: kind.gives == "product" for kind in scenario.book.all_kinds}
        tools = (place for place, role in enumerate(compiled.roles) if role == TOOL)
        self.places = tuple(sorted(tools, key=lambda place: compiled.kinds[place].name))
        names = [compiled.kinds[place].name for place in self.places]
        self._kind_rank = tuple(names.index(name) for name in names)
        self.tool_index = {place: index for index, place in enumerate(self.places)}
        made_in = {compiled.thing_number[r.product]: r.tool for r in compiled.recipes}
        for recipe in compiled.recipes:
            if any(made_in.get(compiled.thing_number[name]) == recipe.tool for name in recipe.inputs):
                raise Refused(f"{world.id}: the search takes no product that goes back into its kind of tool")
        self.bodies: list[Body] = []
        self.tools: list[Tool] = []
        self.body, self.tool = cache(self._new_body), cache(self._new_tool)
        self.rested, self.ticked, self.touched = cache(self._rest), cache(self._tick), cache(self._touch)

    def start(self) -> Kitchen:
        """Everybody at the table, with nothing; the tools empty."""
        kinds = (self.compiled.kinds[place].name for place in self.places)
        at_table = self.body(Body(self.compiled.start, NOTHING))
        return Kitchen((at_table,) * self.n_bodies, tuple(self.tool(Tool(kind)) for kind in kinds))

    def _new_body(self, body: Body) -> int:
        self.bodies.append(body)
        return len(self.bodies) - 1

    def _new_tool(self, tool: Tool) -> int:
        self.tools.append(tool)
        return len(self.tools) - 1

    def _rest(self, code: int) -> int:
        """Away, unless a tool keeps the body."""
        place, held, wait = self.bodies[code]
        return self.body(Body(place, held, wait - 1) if wait else Body(AWAY, held))

    def _tick(self, code: int) -> int:
        tool = self.tools[code]
        return self.tool(tool._replace(busy=tool.busy - 1)) if tool.busy else code

    def _touch(self, verb: int, code: int, thing: int) -> tuple[int, int] | None:
        tool = self.tools[code]
        place = next(place for place in self.places if self.compiled.kinds[place].name == tool.kind)
        compiled, inside = self.compiled, tool.inside
        if tool.busy:
            return None
        if verb == PUT:
            fits = compiled.addable(place, inside) >> thing & 1 and not tool.made
            if not fits or len(inside) >= compiled.capacity[place]:
                return None
            return self.tool(Tool(tool.kind, self._sorted(place, (*inside, thing)))), NOTHING
        if verb == ACTIVATE:
            product = compiled.product(place, inside) if inside and not tool.made else NOTHING
            if product == NOTHING:
                return None
            return self.tool(Tool(tool.kind, (product,), compiled.busy_steps[place], True)), product
        if not inside or not (tool.made or compiled.always_open >> place & 1):
            return None
        return self.tool(Tool(tool.kind, inside[1:])), inside[0]

    def _sorted(self, place: int, inside: tuple[int, ...]) -> tuple[int, ...]:
        """The order matters only where things are taken out again as they were put."""
        return inside if self.compiled.always_open >> place & 1 else tuple(sorted(inside))

    def canonical(self, kitchen: Kitchen) -> Kitchen:
        """The representative of all kitchens that differ only in which of equal bodies or tools is which."""
        bodies, tools = kitchen
        there: dict[int, list[int]] = {}
        for code in bodies:
            place = self.bodies[code].place
            if place in self.tool_index:
                there.setdefault(place, []).append(code)
        # Equal tools are told apart by who stands there, wherever that is.
        guests = {place: sorted(self.bodies[code][1:] for code in codes) for place, codes in there.items()}
        rows = [
            (self._kind_rank[index], tool, guests.get(self.places[index], []), index)
            for index, tool in enumerate(tools)
        ]
        rows.sort()
        if there:
            moved = {self.places[row[3]]: self.places[index] for index, row in enumerate(rows)}
            bodies = tuple([self._moved(code, moved) for code in bodies])
        return Kitchen(tuple(sorted(bodies)), tuple([row[1] for row in rows]))

    def _moved(self, code: int, moved: Mapping[int, int]) -> int:
        body = self.bodies[code]
        return self.body(body._replace(place=moved[body.place])) if body.place in moved else code


Successor = tuple[Kitchen, tuple[Act, ...]]
"""Where a step leads, and by which acts, in their order."""


class Successors:
    """The steps in which the ingredients ``fetched`` may be fetched and the dishes ``served`` be served."""

    def __init__(self, space: StateSpace, fetched: Sequence[int], served: Sequence[int]) -> None:
        self.space = space
        self.fetched = fetched
        self.served = served

    def of(self, kitchen: Kitchen) -> Iterator[Successor]:
        """Every step from a kitchen; two may lead to the same one.

        Acts at different places do not touch each other, so they are done place by place. Of bodies that
        are alike the first one acts first.
        """
        return self._steps(kitchen, (1 << self.space.n_bodies) - 1, 0, ())

    def _steps(
        self, kitchen: Kitchen, idle: int, first_place: int, acts: tuple[Act, ...]
    ) -> Iterator[Successor]:
        """``idle``: the set of bodies that have not acted yet, as bits: 0b101 is bodies 0 and 2."""
        space = self.space
        bodies, tools = kitchen
        rested = tuple([space.rested(code) if idle >> body & 1 else code for body, code in enumerate(bodies)])
        yield Kitchen(rested, tuple([space.ticked(tool) for tool in tools])), acts
        tried: set[int] = set()
        for body, code in enumerate(bodies):
            if not idle >> body & 1 or code in tried:
                continue
            tried.add(code)
            for verb, place, thing in self._tries(code, kitchen, first_place):
                then = self._done(kitchen, body, verb, place, thing)
                if then is not None:
                    done = (*acts, Act(body, verb, place, thing))
                    yield from self._steps(then, idle & ~(1 << body), place, done)

    def _tries(self, code: int, kitchen: Kitchen, first_place: int) -> Iterator[tuple[int, int, int]]:
        """What a body may try at ``first_place`` or a later one: (verb, place, thing)."""
        space = self.space
        at, held, wait = space.bodies[code]
        if wait:
            return
        last = len(space.compiled.places)
        for place in range(first_place, last) if at == AWAY else range(max(at, first_place), at + 1):
            role = space.compiled.roles[place]
            if role == STORAGE:
                if held == NOTHING:
                    for thing in self.fetched:
                        yield GET, place, thing
            elif role == TABLE:
                if held in self.served and place == space.compiled.start:
                    yield PUT, place, held
            elif held != NOTHING:
                yield PUT, place, held
            elif space.tools[kitchen.tools[space.tool_index[place]]].inside:
                yield ACTIVATE, place, NOTHING
                yield GET, place, NOTHING

    def _done(self, kitchen: Kitchen, body: int, verb: int, place: int, thing: int) -> Kitchen | None:
        """The kitchen after an act; ``None`` where it cannot be done."""
        space = self.space
        bodies, tools = kitchen
        holds, wait = NOTHING, 0
        if place in space.tool_index:
            index = space.tool_index[place]
            touched = space.touched(verb, tools[index], thing)
            if touched is None:
                return None
            tools = (*tools[:index], touched[0], *tools[index + 1 :])
            if verb == GET:
                holds = touched[1]
            elif verb == ACTIVATE and space.compiled.holds_body[place]:
                wait = max(0, space.compiled.busy_steps[place] - 1)
        elif verb == GET:
            holds = thing
        code = space.body(Body(place, holds, wait))
        return Kitchen((*bodies[:body], code, *bodies[body + 1 :]), tools)

"""A CuisineWorld kitchen for searching: what bodies hold and tools contain, as small numbers.

Where a body goes before it acts does not matter, so it is left open: a body is either where it has just
acted, or *away*, and one that is away acts anywhere in the next step. To be away costs the step of a goto;
standing still is no better, as one that is away may act where it was.

Things that serve nobody are not fetched, made or thrown away: a plan without the commands that move them
is as good, as they fill hands and tools only. Rules that act on such things alone are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from backburner.kernel.errors import Refused
from backburner.worlds.cuisineworld.game import CuisineWorld
from backburner.worlds.cuisineworld.game.actions import ACTIVATE, PUT
from backburner.worlds.cuisineworld.game.kitchen import TOOL
from backburner.worlds.cuisineworld.game.state import NOTHING

AWAY = -1


class Body(NamedTuple):
    """Where a body has just acted (or ``AWAY``), what it holds, for how many steps a tool keeps it yet."""

    place: int
    held: int
    wait: int = 0


class Tool(NamedTuple):
    """What a tool of a kind holds, for how many steps it is at work yet, whether its product waits."""

    kind: str
    inside: tuple[int, ...] = ()
    busy: int = 0
    made: bool = False


class Scene(NamedTuple):
    """Bodies and the tools, each in the order of the world's, as numbers of ``KitchenModel``."""

    bodies: tuple[int, ...]
    tools: tuple[int, ...]


class KitchenModel:
    """Numbers for bodies and tools in all conditions that are met, and what acts make of them.

    Raises ``Refused`` where rules matter that the search does not know: tables on which dishes spoil or find
    no room, several seats, and products that go into a tool of the kind that makes them.
    """

    def __init__(self, world: CuisineWorld) -> None:
        scenario, kitchen = world.scenario, world.kitchen
        if len(world.seats) > 1:
            raise Refused(f"{world.id}: the search takes one dispatcher")
        if scenario.table_room is not None or scenario.spoil_steps is not None:
            raise Refused(f"{world.id}: the search takes tables that hold everything for ever")
        self.kitchen, self.n_bodies = kitchen, scenario.bodies
        self.holds_body = {kind.name: kind.holds_body for kind in scenario.book.all_kinds}
        self.keeps = {kind.name: kind.gives == "product" for kind in scenario.book.all_kinds}
        tools = (place for place, role in enumerate(kitchen.roles) if role == TOOL)
        self.places = tuple(sorted(tools, key=lambda place: kitchen.kinds[place].name))
        names = [kitchen.kinds[place].name for place in self.places]
        self._kind_rank = tuple(names.index(name) for name in names)
        self.place_of = {place: number for number, place in enumerate(self.places)}
        made_in = {kitchen.thing_number[r.product]: r.tool for r in kitchen.recipes}
        for recipe in kitchen.recipes:
            if any(made_in.get(kitchen.thing_number[part]) == recipe.tool for part in recipe.inputs):
                raise Refused(f"{world.id}: the search takes no product that goes back into its kind of tool")
        self.bodies: list[Body] = []
        self.tools: list[Tool] = []
        self._body_number: dict[Body, int] = {}
        self._tool_number: dict[Tool, int] = {}
        self._touched: dict[tuple[int, int, int], tuple[int, int] | None] = {}
        self._ticked: list[int] = []
        self._rested: list[int] = []

    def start(self) -> Scene:
        """Everybody at the table, with nothing; the tools empty."""
        kinds = (self.kitchen.kinds[place].name for place in self.places)
        at_table = self.body(Body(self.kitchen.start, NOTHING))
        return Scene((at_table,) * self.n_bodies, tuple(self.tool(Tool(kind)) for kind in kinds))

    def body(self, body: Body) -> int:
        """The number of a body in this condition."""
        number = self._body_number.get(body)
        if number is None:
            number = self._body_number[body] = len(self.bodies)
            self.bodies.append(body)
            self._rested.append(NOTHING)
        return number

    def tool(self, tool: Tool) -> int:
        """The number of a tool in this condition."""
        number = self._tool_number.get(tool)
        if number is None:
            number = self._tool_number[tool] = len(self.tools)
            self.tools.append(tool)
            self._ticked.append(NOTHING)
        return number

    def rested(self, number: int) -> int:
        """A body after a step in which it did not act: away, unless a tool keeps it."""
        if self._rested[number] == NOTHING:
            place, held, wait = self.bodies[number]
            self._rested[number] = self.body(Body(place, held, wait - 1) if wait else Body(AWAY, held))
        return self._rested[number]

    def ticked(self, number: int) -> int:
        """A tool after a step."""
        if self._ticked[number] == NOTHING:
            tool = self.tools[number]
            self._ticked[number] = self.tool(tool._replace(busy=tool.busy - 1)) if tool.busy else number
        return self._ticked[number]

    def touched(self, verb: int, tool: int, thing: int) -> tuple[int, int] | None:
        """(the tool after the act, what is then held or was made); ``None`` where it cannot be done."""
        key = (verb, tool, thing)
        if key not in self._touched:
            self._touched[key] = self._touch(verb, self.tools[tool], thing)
        return self._touched[key]

    def _touch(self, verb: int, tool: Tool, thing: int) -> tuple[int, int] | None:
        place = self._place_of_kind(tool.kind)
        kitchen, inside = self.kitchen, tool.inside
        if tool.busy:
            return None
        if verb == PUT:
            fits = kitchen.known(place, inside)[0] >> thing & 1 and not tool.made
            if not fits or len(inside) >= kitchen.capacity[place]:
                return None
            return self.tool(Tool(tool.kind, self._sorted(place, (*inside, thing)))), NOTHING
        if verb == ACTIVATE:
            product = kitchen.known(place, inside)[1] if inside and not tool.made else NOTHING
            if product == NOTHING:
                return None
            return self.tool(Tool(tool.kind, (product,), kitchen.busy_steps[place], True)), product
        if not inside or not (tool.made or kitchen.always_open >> place & 1):
            return None
        return self.tool(Tool(tool.kind, inside[1:])), inside[0]

    def _place_of_kind(self, kind: str) -> int:
        return next(place for place in self.places if self.kitchen.kinds[place].name == kind)

    def _sorted(self, place: int, inside: tuple[int, ...]) -> tuple[int, ...]:
        """The order matters only where things are taken out again as they were put."""
        return inside if self.kitchen.always_open >> place & 1 else tuple(sorted(inside))

    def canonical(self, scene: Scene) -> Scene:
        """One scene of all that differ only in which of equal bodies, and of equal tools, is which."""
        bodies, tools = scene
        there: dict[int, list[int]] = {}
        for code in bodies:
            place = self.bodies[code].place
            if place in self.place_of:
                there.setdefault(place, []).append(code)
        # Equal tools are told apart by who stands there, wherever that is.
        guests = {place: sorted(self.bodies[code][1:] for code in codes) for place, codes in there.items()}
        rows = [
            (self._kind_rank[number], tool, guests.get(self.places[number], []), number)
            for number, tool in enumerate(tools)
        ]
        rows.sort()
        if there:
            moved = {self.places[row[3]]: self.places[number] for number, row in enumerate(rows)}
            bodies = tuple([self._moved(code, moved) for code in bodies])
        return Scene(tuple(sorted(bodies)), tuple([row[1] for row in rows]))

    def _moved(self, code: int, moved: Mapping[int, int]) -> int:
        body = self.bodies[code]
        return self.body(body._replace(place=moved[body.place])) if body.place in moved else code

"""Drafts of kitchens for Collab-Overcooked and its variant, and what they are measured on.

A draft is two rooms with what is ordered in them. Its dishes are chains of operations, each at a utensil that
is drawn; whether it stands in the room where the thing was before, in the other, or between both, is drawn as
well. The rules leave all names free but these: ``dish``, the dispensers, counters, and what every cook can
do, such as ``pickup``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any

from backburner.kernel.errors import Refused
from backburner.kernel.generating import (
    Draft,
    Draw,
    Generator,
    Job,
    Naming,
    Parameter,
    Rejected,
    Result,
    Structure,
    Symbol,
    Work,
)
from backburner.kernel.oracle import Solution
from backburner.kernel.schedule import Activity, Resource
from backburner.kernel.values import Outcome
from backburner.worlds.collab_overcooked.game import layout as letters
from backburner.worlds.collab_overcooked.game.calls import DISH_DISPENSER, INGREDIENT_DISPENSER
from backburner.worlds.collab_overcooked.game.layout import COUNTER, Grid, Layout
from backburner.worlds.collab_overcooked.game.recipes import first_recipes
from backburner.worlds.collab_overcooked.game.rooms import (
    ROOMS,
    Size,
    Where,
    drawn_floor,
    furnished,
)
from backburner.worlds.collab_overcooked.game.scenario_files import TAKEN_VERBS
from backburner.worlds.collab_overcooked.game.scenarios import KNOWS
from backburner.worlds.collab_overcooked.game.state import SEATS, Kitchen

PARAMETERS = (
    Parameter(name="orders", help="orders that are open at once", kind="whole", low=1, high=2),
    Parameter(name="depth", help="operations in the chain of a dish", kind="whole", low=1, high=4),
    Parameter(name="joins", help="share of operations that put two things together", kind="real", high=0.5),
    Parameter(name="utensils", help="kinds of utensils, one of each", kind="whole", low=2, high=6),
    Parameter(
        name="steps", help="steps that an operation takes", kind="real", low=1, high=16, prior="log-uniform"
    ),
    Parameter(
        name="crossing", help="share of steps of a chain into the other room", kind="real", low=0.1, high=0.9
    ),
    Parameter(name="common", help="share of utensils that both cooks reach", kind="real", high=0.7),
    Parameter(name="spare", help="ingredients that no order takes", kind="whole", high=12),
    Parameter(name="knows", help="who has the recipes", kind="choice", values=tuple(KNOWS)),
)

DIALS = {
    "length": "things fetched, operations, dishes fetched and deliveries, of all orders",
    "decisions": "decisions of the proven plan that are no wait",
    "width": "how much goes on at once: cooks at their calls or moves, and utensils at work",
    "attention": "the share of the time in which the cooks do something",
    "chain": "the longest path of operations, without the ways between them",
    "contention": "how full the fullest kind of utensil is, of those that operations in any order use",
    "joins": "the share of operations that put several things together, and of deliveries on a dish",
    "depth": "activities on the longest path, from what is fetched to the delivery",
    "distractors": "the share of ingredients and utensils that no order takes",
    "hidden": "the share of the recipes' operations that a seat is not told (class recipes)",
    "rooms": "the share of activities that only one cook reaches",
    "handovers": "things that one cook puts down and the other takes in the proven plan, for each activity",
    "asymmetry": "the share of the recipes' operations that exactly one cook is told",
    "gap": "how much longer a script takes",
    "choice": "the share of decisions at which some other costs time",
}

SIZE = Size(wide=(1, 2), deep=(3, 4))
"""Of the rooms; those of the article are 1 by 3. In larger ones proofs take longer."""

LETTERS = "ABCEFGHJ"
"""Of utensils in a grid."""

LIMIT_FACTOR = 2
"""So many times the proven least steps may pass; of published orders 1.5, which greedy play may not meet."""

TRIES = 40
"""Floors that are drawn until everything finds a place."""

MOST_DEPTH = (4, 1)
"""Operations in the chains of one order, and of each of two: deeper ones of two are hardly ever proven."""

WITH_DISH = 0.5
"""The share of orders that are served on a dish."""

WITH_RECIPE = 0.5
"""The share of ingredients that no order takes which something could be made of all the same."""

RAW = 0.5
"""The share of things put to others that are put as they come; the others go through an operation first."""


class KitchenGenerator(Generator):
    """Drafts of kitchens for calls and for moves alike.

    A file's limit of steps is a multiple of what is proven, as the published ones are: ``serial`` and
    ``busy`` hand nothing over, and never come to an end.
    """

    help = "Make kitchens: two rooms, utensils and dishes, for two cooks of whom one may know the recipes."
    parameters = PARAMETERS
    dials = DIALS
    naming = Naming(
        pattern=r"[a-z]+(_[a-z]+)*",
        longest=17,  # the name of a food holds up to four of them, and at most 80 letters
        reserved=tuple(
            sorted(
                {
                    *TAKEN_VERBS,
                    *(letters.DISH, letters.START, COUNTER, INGREDIENT_DISPENSER, DISH_DISPENSER),
                    *("counter", "dispenser", "deliver", "request", "start", "interact", "fetch", "stay"),
                    *("north", "south", "east", "west", "analysis", "plan", "say", "end", "nothing"),
                    *("chef", "assistant"),
                }
            )
        ),
    )
    scripts = ("greedy", "busy")
    yardstick = "greedy"
    lengths = ((4, 5), (6, 6), (7, 9))  # longer ones are hardly ever proven
    effort = 1.0  # of 44 drafts that are proven in 5, 36 are in 1

    def __init__(self, told: str = "") -> None:
        self._told = told

    def draft(self, parameters: Mapping[str, Any], options: Mapping[str, Any], draw: Draw) -> Draft:
        """A scenario file with its layout written out."""
        if parameters["depth"] > MOST_DEPTH[parameters["orders"] - 1]:
            raise Rejected("two orders of several operations are hardly ever proven")
        return _Drafting(parameters, draw.random).draft(self._told)

    def structure(self, world: Any) -> Structure:
        """The task graph of each order; raises ``Refused`` where orders are drawn for ever."""
        scenario, grid = world.scenario, world.compiled.grid
        if scenario.order_weights:
            raise Refused(f"{world.id}: new orders come in for ever; nothing is measured of them")
        graph = _Graph(world.compiled.layout, grid)
        for number, order in enumerate(scenario.orders):
            graph.add(f"{number}:{order}", order)
        told = graph.facts if len(scenario.informed) < len(SEATS) else 0
        return Structure(
            activities=tuple(graph.works),
            resources=tuple(graph.resources()),
            bodies=SEATS,
            jobs=tuple(graph.jobs),
            objects=graph.objects(),
            told={"recipes": (graph.facts, told)},
            alone=(graph.facts, graph.facts if len(scenario.informed) == 1 else 0),
            ground=_ground(grid, graph.uses),
        )

    def result(self, world: Any, outcome: Outcome) -> Result:
        """The orders delivered, and the steps that have passed."""
        numbers, orders = outcome.numbers, len(world.scenario.orders)
        return Result(numbers["delivered"] / orders, int(numbers["steps"]), bool(numbers["completed"]))

    def with_answer(
        self, fields: Mapping[str, Any], options: Mapping[str, Any], solution: Solution
    ) -> Mapping[str, Any]:
        """The fields with a limit of steps."""
        least = solution.objective
        return fields if least is None else {**fields, "step_limit": LIMIT_FACTOR * least}

    def own(self, world: Any, solution: Solution | None, decisions: Sequence[Any]) -> Mapping[str, float]:
        """``handovers``, where there is a plan."""
        if solution is None:
            return {}
        kitchens = _kitchens(world, decisions)
        works = len(self.structure(world).activities)
        return {"handovers": _handovers(world.compiled.grid, kitchens) / works}


# --- drafts -------------------------------------------------------------------------------------------------


class _Drafting:
    """One draft: kinds of utensils are numbered, and stand in a room or between both."""

    def __init__(self, parameters: Mapping[str, Any], draw: Random) -> None:
        self._given, self._draw = parameters, draw
        kinds = parameters["utensils"]
        first = draw.randrange(2)
        self._rooms: list[Where] = [
            "wall" if draw.random() < parameters["common"] else ROOMS[(first + kind) % 2]
            for kind in range(kinds)
        ]
        self._raw = draw.choice(ROOMS)
        self._stages = [0] * kinds
        self._materials = 0
        self._products = 0
        self._recipes: list[dict[str, Any]] = []

    def draft(self, told: str) -> Draft:
        """Orders first, as the serving place follows from them; then the rooms."""
        chains = [self._dish() for _ in range(self._given["orders"])]
        served = self._next_room(chains[0][1])
        for _ in range(self._given["spare"]):
            material = self._material()
            if self._draw.random() < WITH_RECIPE:
                self._operation(self._draw.choice(self._kinds), (material,), first=True)
        utensils = list(zip(LETTERS, self._rooms, strict=False))
        places: list[tuple[str, Where]] = [
            (letters.INGREDIENTS, self._raw),
            (letters.SERVING, served),
            (letters.DISHES, "anywhere"),
        ]
        layout = {
            "utensils": {
                f"<d{kind}>": {"symbol": LETTERS[kind], "verb": f"<v{kind}>"} for kind in self._kinds
            },
            "ingredients": [f"<m{number}>" for number in range(self._materials)],
            "recipes": self._recipes,
            "needs_dish": {dish: self._draw.random() < WITH_DISH for dish, _ in chains},
            "capacity": 2,
        }
        fields = {
            "layout": self._furnished(layout, [*places, *utensils]),
            "orders": [dish for dish, _ in chains],
            "informed": list(KNOWS[self._given["knows"]]),
            **({"told": told} if told else {}),
        }
        return Draft(fields, self._symbols(), ("layout.ingredients", "layout.recipes"))

    @property
    def _kinds(self) -> range:
        return range(len(self._rooms))

    def _symbols(self) -> dict[str, Symbol]:
        """What names are to be given; a verb's stage goes by what its utensil is used for."""
        return {
            **{f"m{number}": Symbol("material") for number in range(self._materials)},
            **{f"p{number}": Symbol("product") for number in range(self._products)},
            **{f"d{kind}": Symbol("device") for kind in self._kinds},
            **{f"v{kind}": Symbol("machine verb", max(1, self._stages[kind])) for kind in self._kinds},
        }

    def _dish(self) -> tuple[str, Where]:
        """A chain of operations, and where it ends."""
        depth = self._given["depth"]
        thing, here, last = self._material(), self._raw, -1
        for number in range(depth):
            last = self._kind_in(self._next_room(here), last)
            inputs = [thing]
            if self._draw.random() < self._given["joins"]:
                inputs.append(self._other(last))
            here = here if self._rooms[last] == "wall" else self._rooms[last]
            thing = self._operation(last, inputs, first=not number, final=number == depth - 1)
        return thing, here

    def _other(self, kind: int) -> str:
        """Something that is put to what a chain has come to."""
        material = self._material()
        if self._draw.random() < RAW:
            return material
        return self._operation(self._kind_in(self._next_room(self._raw), kind), (material,), first=True)

    def _next_room(self, here: Where) -> Where:
        crosses = self._draw.random() < self._given["crossing"]
        return ROOMS[(ROOMS.index(here) + crosses) % 2]

    def _kind_in(self, room: Where, last: int) -> int:
        """A kind that is reached from a room, not the ``last`` one; of the other room where there is none."""
        others = [kind for kind in self._kinds if kind != last]
        there = [kind for kind in others if self._rooms[kind] in (room, "wall")]
        return self._draw.choice(there or others)

    def _material(self) -> str:
        self._materials += 1
        return f"<m{self._materials - 1}>"

    def _operation(self, kind: int, inputs: Sequence[str], first: bool = False, final: bool = False) -> str:
        """A recipe; returns what it makes: a thing with a name of its own, or called after what was done."""
        output = f"<v{kind}.past>_{inputs[0]}"
        if final or len(inputs) > 1:
            output = f"<p{self._products}>"
            self._products += 1
        stage = 3 if len(inputs) > 1 else 1 if first else 2
        self._stages[kind] = max(self._stages[kind], stage)
        usual = self._given["steps"]
        steps = self._draw.randint(max(1, round(usual / 2)), max(1, round(usual * 1.5)))
        self._recipes.append(
            {"utensil": f"<d{kind}>", "output": output, "inputs": list(inputs), "steps": steps}
        )
        return output

    def _furnished(self, layout: dict[str, Any], wanted: Sequence[tuple[str, Where]]) -> dict[str, Any]:
        """The layout with a grid; raises ``Rejected`` where no floor has place for everything."""
        for _ in range(TRIES):
            grid = furnished(self._draw, drawn_floor(self._draw, SIZE), wanted)
            if grid is not None:
                return {"grid": list(grid), **layout}
        raise Rejected("the rooms have no place for everything")


# --- what is measured ---------------------------------------------------------------------------------------


class _Graph:
    """The task graphs of orders, one after the other. ``uses``: the operations at each kind of utensil."""

    def __init__(self, layout: Layout, grid: Grid) -> None:
        self._layout, self._grid = layout, grid
        self._recipes = first_recipes(layout)
        self._cells: dict[str, list[int]] = {}
        for utensil in grid.utensils:
            self._cells.setdefault(utensil.kind, []).append(utensil.cell)
        self._fetched: set[str] = set()
        self.works: list[Work] = []
        self.jobs: list[Job] = []
        self.uses: Counter[str] = Counter()
        self._told: dict[str, int] = {}  # operations by order

    def add(self, job: str, order: str) -> None:
        """Everything that an order takes."""
        self.jobs.append(Job(job))
        before = len(self.works)
        made = [self._made(job, order)]
        self._told[order] = sum(bool(work.activity.resources) for work in self.works[before:])
        if self._layout.needs_dish.get(order, False):
            made.append(self._work(job, letters.DISH, self._grid.dishes))
        self._work(job, "deliver", self._grid.servings, made)

    def _made(self, job: str, item: str) -> str:
        """The activity that makes a thing, or fetches it, after what comes before it."""
        recipe = self._recipes.get(item)
        if recipe is None:
            self._fetched.add(item)
            return self._work(job, item, self._grid.ingredients)
        before = [self._made(job, each) for each in recipe.inputs]
        self.uses[recipe.utensil] += 1
        cells = self._cells.get(recipe.utensil, ())
        return self._work(job, item, cells, before, recipe.steps, (recipe.utensil,))

    def _work(
        self,
        job: str,
        what: str,
        cells: Iterable[int],
        before: Sequence[str] = (),
        steps: int = 1,
        resources: tuple[str, ...] = (),
    ) -> str:
        """An activity; by hand it takes a step, without the ways to it."""
        name = f"{job}/{len(self.works)}:{what}"
        cells = set(cells)
        by = tuple(seat for seat, reach in zip(SEATS, self._grid.reach, strict=True) if cells & reach)
        self.works.append(Work(Activity(name, steps, 1, tuple(before), resources), by, job))
        return name

    @property
    def facts(self) -> int:
        """The operations in the recipes of the orders, each order once."""
        return sum(self._told.values())

    def resources(self) -> Iterator[Resource]:
        """The kinds of utensils."""
        return (Resource(kind, len(cells)) for kind, cells in sorted(self._cells.items()))

    def objects(self) -> dict[str, bool]:
        """Ingredients and utensils, and whether an order takes them."""
        foods = {item: item in self._fetched for item in self._layout.ingredients}
        return foods | {utensil.name: utensil.kind in self.uses for utensil in self._grid.utensils}


NO_WAY = -1


def _ground(grid: Grid, uses: Mapping[str, int]) -> tuple[tuple[int, ...], ...]:
    """The moves from each place to each: starts, dispensers, serving places, shared counters, utensils.

    On the diagonal stands what a place is, as a number below ``NO_WAY``; of a utensil that says how many
    operations take it.
    """
    places = [(-2, frozenset((start,))) for start in grid.starts]
    tiles = {-3: grid.ingredients, -4: grid.dishes, -5: grid.servings, -6: grid.shared_counters}
    places += [(kind, grid.beside(cell)) for kind, cells in tiles.items() for cell in cells]
    places += [(-7 - uses.get(each.kind, 0), grid.beside(each.cell)) for each in grid.utensils]
    return tuple(
        tuple(kind if stands is others else _moves(grid, stands, others) for _, others in places)
        for kind, stands in places
    )


def _moves(grid: Grid, first: Iterable[int], second: Iterable[int]) -> int:
    """The fewest moves from one of these cells to one of those."""
    ways = [grid.ways(start, -1) for start in first]
    moves = [way[end][0] for way in ways for end in second if end in way]
    return min(moves, default=NO_WAY)


def _kitchens(world: Any, decisions: Sequence[Any]) -> Iterator[Kitchen]:
    """The kitchen at the beginning and after each step of a play."""
    state = world.start()
    yield state.kitchen
    for decision in decisions:
        yield from (passed.kitchen for _, passed in world.between(state, decision))
        state = world.step(state, decision).state
        yield state.kitchen


def _handovers(grid: Grid, kitchens: Iterable[Kitchen]) -> int:
    """How often a cook takes something from where the other has put something down last."""
    put: dict[int, int] = {}
    found = 0
    for before, after in pairwise(kitchens):
        for cook, (body, then) in enumerate(zip(before.bodies, after.bodies, strict=True)):
            cell = body.cell + grid.deltas[body.facing]
            if body.held and not then.held:
                put[cell] = cook
            elif then.held != body.held:
                found += put.pop(cell, cook) != cook
    return found


GENERATOR = KitchenGenerator(told="more")

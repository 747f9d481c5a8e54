"""CuisineWorld's states and decisions as numbers: what the exact world says of them.

**Codes** stand for what a body does where it is: ``wait``, ``goto PLACE`` for each place, ``get``, ``put``,
``activate``, and ``get INGREDIENT`` for each base ingredient that the level's dishes need. So the list is the
same wherever a body stands. The mask is the world's menu: ingredients are got at a storage, nothing else by
name.

**Features** say, of the body itself and then of each other one, where it is, what it holds and whether it is
busy; what is inside each tool and whether it is at work; how many of each dish are on each serving table; the
open orders that the seat knows of, the most urgent first; and how much of the episode is left. For how long a
tool is at work yet nobody is shown, and features do not tell.

**Score**: the orders that were served.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from backburner.arrays.encoding import Encoding, Reward
from backburner.arrays.jit import compiled
from backburner.kernel.errors import Refused
from backburner.kernel.values import Refusal, Seat, Step
from backburner.worlds.cuisineworld.arrays.potential import OpenWork
from backburner.worlds.cuisineworld.arrays.step import Rows, Tables, has_room, over
from backburner.worlds.cuisineworld.game.compiled import TABLE, TOOL
from backburner.worlds.cuisineworld.game.scenarios import body_name
from backburner.worlds.cuisineworld.game.state import ACTIVATE, GET, GOTO, NOOP, PUT, Commands, State
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from backburner.worlds.cuisineworld.metrics.measures import RewardMeter

WAIT = 0
AT_HAND = ("get", "put", "activate")
"""What is done where a body is; these codes follow those of the ways."""

MOST_SHOWN = 8
"""Open orders that features have room for; with the released numbers at most 6 may be open."""

MANY = 4
"""So many of a dish on a table, or more, are the same to features."""

ARTICLE = "article"
"""The released program's shaped reward, by this name."""


class CuisineWorldEncoding(Encoding[State, Commands]):
    """The numbers of one scenario; see the module's text.

    ``order``: the bodies in the order of the batch's axis, seat by seat. ``things``: what bodies of these
    codes may hold, base ingredients first. ``shown_orders``: how many orders have features. ``work``: what
    the potential is made of.
    """

    def __init__(self, world: CuisineWorld) -> None:
        if world.scenario.head_chef:
            raise Refused(f"{world.id}: a head chef's words have no numbers; leave head_chef=yes out")
        compiled = world.compiled
        self.world = world
        self.order = tuple(body for group in world.seating.groups for body in group)
        self.n_places = len(compiled.places)
        number = compiled.thing_number
        self.things = (*compiled.level_ingredients, *sorted(number[r.product] for r in compiled.recipes))
        self.shown_orders = min(world.scenario.most_open, MOST_SHOWN)
        self._bodies = {
            seat: tuple(body_name(body) for body in bodies)
            for seat, bodies in world.seating.bodies_of.items()
        }
        self.work = OpenWork(world)
        self._texts = [self._commands(body) for body in range(world.scenario.bodies)]
        self._codes = [self._codes_of(body) for body in range(world.scenario.bodies)]

    @property
    def bodies(self) -> Mapping[Seat, tuple[str, ...]]:
        """``agent0`` and so on, by who commands them."""
        return self._bodies

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """Wait, ways, what is done at hand, what is fetched from a storage."""
        compiled = self.world.compiled
        ways = (f"goto {place}" for place in compiled.places)
        fetched = (f"get {compiled.things[thing]}" for thing in compiled.level_ingredients)
        return ("wait", *ways, *AT_HAND, *fetched)

    # --- decisions ---------------------------------------------------------------------------------------

    def _commands(self, body: int) -> list[list[str]]:
        """The command of each code at each place."""
        read = self.world.command_reader.command
        ways = [read(GOTO, body, place).text for place in range(self.n_places)]
        fetched = self.world.compiled.level_ingredients
        return [
            [
                read(NOOP, body).text,
                *ways,
                *(read(verb, body, place).text for verb in (GET, PUT, ACTIVATE)),
                *(read(GET, body, place, thing).text for thing in fetched),
            ]
            for place in range(self.n_places)
        ]

    def _codes_of(self, body: int) -> dict[str, int]:
        """The code of each command of a body; a place that it names is the one where the body is."""
        return {text: code for texts in self._texts[body] for code, text in enumerate(texts)}

    def decision(self, state: State, seat: Seat, codes: Sequence[int]) -> Commands | Refusal:
        """A command for each body of the seat."""
        bodies = self.world.seating.bodies_of[seat]
        return Commands(
            tuple(self._texts[body][state.at[body]][code] for body, code in zip(bodies, codes, strict=True))
        )

    def mask(self, state: State, seat: Seat) -> Sequence[Sequence[bool]]:
        """What is on the menu, for each body."""
        rows = {body: [False] * len(self.actions) for body in self.world.seating.bodies_of[seat]}
        if seat in self.world.deciders(state):
            for option in self.world.menu(state, seat).options:
                (text,) = option.decision.commands
                body = self.world.command_reader.bodies[option.body]
                rows[body][self._codes[body][text]] = True
        else:
            for row in rows.values():
                row[WAIT] = True
        return list(rows.values())

    # --- features ----------------------------------------------------------------------------------------

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        """The body itself, the others from the next one on, places, orders, time."""
        return tuple(self._names())

    def _names(self) -> Iterator[str]:
        compiled = self.world.compiled
        things = [compiled.things[thing] for thing in self.things]
        for other in range(len(self.order)):
            who = f"body +{other}" if other else "body"
            yield from (f"{who} at {place}" for place in compiled.places)
            yield from (f"{who} holds {thing}" for thing in things)
            yield f"{who} busy"
        for place, name in enumerate(compiled.places):
            if compiled.roles[place] != TOOL:
                continue
            yield from (f"{name} has {compiled.things[thing]}" for thing in self.fitting[place])
            yield f"{name} at work"
        for place in compiled.tables:
            yield from (f"{compiled.places[place]} has {dish}" for dish in compiled.dishes)
        for index in range(self.shown_orders):
            yield from (f"order {index} for {dish}" for dish in compiled.dishes)
            yield f"order {index} steps left"
        yield "steps left"

    @cached_property
    def fitting(self) -> tuple[tuple[int, ...], ...]:
        """What may be inside each place, if it is a tool: inputs and products of its recipes."""
        compiled = self.world.compiled
        number = compiled.thing_number
        inside: dict[str, set[int]] = {kind.name: set() for kind in compiled.kinds}
        for recipe in compiled.recipes:
            if recipe.tool in inside:
                inside[recipe.tool] |= {number[name] for name in (recipe.product, *recipe.inputs)}
        return tuple(tuple(sorted(inside[kind.name])) for kind in compiled.kinds)

    def features(self, state: State, seat: Seat) -> Sequence[Sequence[float]]:
        """What each body of the seat sees; most of it is the same for all."""
        bodies = {body: self._of_body(state, body) for body in self.order}
        shared = [*self._of_places(state), *self._of_orders(state, seat), self._left(state)]
        rows = []
        for body in self.world.seating.bodies_of[seat]:
            index = self.order.index(body)
            around = (*self.order[index:], *self.order[:index])
            rows.append([*(value for other in around for value in bodies[other]), *shared])
        return rows

    def _of_body(self, state: State, body: int) -> list[float]:
        at, held = state.at[body], state.held[body]
        return [
            *(float(place == at) for place in range(self.n_places)),
            *(float(thing == held) for thing in self.things),
            float(state.hands_busy[body] > 0),
        ]

    def _of_places(self, state: State) -> Iterator[float]:
        compiled = self.world.compiled
        for place, content in enumerate(state.inside):
            if compiled.roles[place] == TOOL:
                yield from (float(thing in content) for thing in self.fitting[place])
                yield float(state.busy[place] > 0)
        for place, content in enumerate(state.inside):
            if compiled.roles[place] == TABLE:
                yield from (min(content.count(thing), MANY) / MANY for thing in compiled.dish_things)

    def _of_orders(self, state: State, seat: Seat) -> Iterator[float]:
        dishes, steps = len(self.world.compiled.dishes), self.world.scenario.steps
        known = self.world.sight.known_orders(state, seat)[: self.shown_orders]
        for order in known:
            yield from (float(dish == order.dish) for dish in range(dishes))
            yield min(1.0, order.left / steps)
        yield from [0.0] * ((self.shown_orders - len(known)) * (dishes + 1))

    def _left(self, state: State) -> float:
        steps = self.world.scenario.steps
        return max(0, steps - state.steps) / steps

    # --- score and rewards -------------------------------------------------------------------------------

    def score(self, state: State) -> float:
        """Orders served."""
        return float(len(state.served))

    def potential(self, state: State) -> float:
        """How many more orders there may still be served; see ``potential.OpenWork``."""
        return float(self.work.most(state))

    @property
    def own_rewards(self) -> Mapping[str, Callable[[], Reward[State]]]:
        """``article``: the released program's shaped reward."""
        return {ARTICLE: lambda: ArticleReward(self.world)}


class ArticleReward(Reward[State]):
    """The released program's reward; see ``metrics.measures``."""

    def __init__(self, world: CuisineWorld) -> None:
        self._world = world

    def begin(self, state: State) -> None:
        """Nothing has been paid for."""
        self._meter = RewardMeter(self._world.compiled, self._world.scenario.book, state)

    def add(self, before: State, step: Step[State]) -> float:
        """What the step is worth; nothing where no time passed."""
        return sum(self._meter.pay(old, each.state) for old, each in self._world.singly(before, step))


def encoding(world: CuisineWorld) -> CuisineWorldEncoding:
    """The encoding of a world; raises ``Refused`` where a head chef speaks."""
    return CuisineWorldEncoding(world)


@compiled
def mask(t: Tables, r: Rows, e: int, body: int, out: Any) -> None:
    """What the menu has for the body."""
    out[:] = 0
    out[0] = 1
    if over(t, r, e) or r.hands_busy[e, body]:
        return
    places, place = r.inside.shape[1], r.at[e, body]
    for other in range(places):
        out[1 + other] = other != place
    if r.busy[e, place]:
        return
    held, state, get = r.held[e, body], r.inside[e, place], 1 + places
    if held >= 0:
        offered = t.offers_put[state, held] > 0
        if offered and t.table_of[place] >= 0:
            offered = has_room(t, r, e, t.dish_of[held])
        out[get + 1] = offered
        return
    out[get] = t.offers[state, 0]
    out[get + 2] = t.offers[state, 1]
    for code in range(get + 3, get + 3 + t.n_ingredients):
        out[code] = t.offers[state, 2]


@compiled
def features(t: Tables, r: Rows, e: int, body: int, out: Any) -> None:
    """What the body sees, in the order of ``encoding.feature_names``."""
    out[:] = 0.0
    bodies, places, things = r.at.shape[1], r.inside.shape[1], t.dish_of.shape[0]
    block = places + things + 1
    for other in range(bodies):
        who, first = (body + other) % bodies, other * block
        out[first + r.at[e, who]] = 1.0
        if r.held[e, who] >= 0:
            out[first + places + r.held[e, who]] = 1.0
        if r.hands_busy[e, who]:
            out[first + block - 1] = 1.0
    _places_seen(t, r, e, out, bodies * block)


@compiled
def _places_seen(t: Tables, r: Rows, e: int, out: Any, begin: int) -> None:
    places, dishes = r.inside.shape[1], r.dishes.shape[2]
    for place in range(places):
        first = t.tool_features[place]
        if first < 0:
            continue
        state = r.inside[e, place]
        for index in range(t.slots.shape[1]):
            if t.slots[state, index] < 0:
                break
            out[begin + first + t.slots[state, index]] = 1.0
        if r.busy[e, place]:
            out[begin + _end_of_tool(t, place) - 1] = 1.0
    begin += int(t.tool_features[places])
    for table in range(r.dishes.shape[1]):
        for dish in range(dishes):
            out[begin + dish] = min(r.dishes[e, table, dish], MANY) / MANY
        begin += dishes
    for order in range(min(r.open[e], t.shown_orders)):
        out[begin + r.order_dish[e, order]] = 1.0
        out[begin + dishes] = min(1.0, r.order_left[e, order] / t.steps)
        begin += dishes + 1
    out[out.shape[0] - 1] = max(0, t.steps - r.steps[e]) / t.steps


@compiled
def _end_of_tool(t: Tables, place: int) -> int:
    """Where the features of the next tool begin."""
    after = place + 1
    while t.tool_features[after] < 0:
        after += 1
    return int(t.tool_features[after])

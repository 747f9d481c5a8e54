"""A scenario of CuisineWorld compiled into tables, by asking its rules.

What is rich in a kitchen happens inside one place: what goes in, what comes of it, what may be taken out.
Between places there is only who stands where and holds what. So for each kind of place every state that its
content can be in is reached by the rules themselves (``Transition``, and the menu for what it offers) and
gets a number, and tables say where a put, a get or an activation leads. ``step`` then knows no recipe.

Things are counted anew as well: those that bodies can hold, as ``encoding.things`` lists them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from backburner.arrays.batch import Batch, compiled_batch, never
from backburner.arrays.jit import choices, padded, zero_rows
from backburner.kernel.errors import Refused
from backburner.worlds.cuisineworld.arrays import encoding, potential, step
from backburner.worlds.cuisineworld.arrays.encoding import ARTICLE, CuisineWorldEncoding
from backburner.worlds.cuisineworld.arrays.step import Ints, Rows, Tables
from backburner.worlds.cuisineworld.game.compiled import ENDLESS, TABLE, TOOL
from backburner.worlds.cuisineworld.game.legality import FETCH, Choices
from backburner.worlds.cuisineworld.game.state import ACTIVATE, GET, NOTHING, PUT, Act, State
from backburner.worlds.cuisineworld.game.transition import Transition
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from backburner.worlds.cuisineworld.metrics.measures import wanted_by

MOST_STATES = 20_000
"""Local states of a kitchen; the released levels have 340 at the most."""

REFUSED = -1

Local = tuple[int, tuple[int, ...], bool]
"""A place (the first of its kind), the things inside, sorted, and whether its product may be taken."""


class LocalRow(Struct, frozen=True):
    """What one body can do to a place in one local state, where neither is busy.

    States are meant by their numbers; ``REFUSED`` where the rules refuse.

    - ``put``: for each thing in hands the state that a put leads to
    - ``get``: the state that a get leads to, without a name and then with that of each ingredient; ``got``:
      what comes into hands
    - ``activated``: the state after an activation, which keeps place and body busy for so long
    - ``offers``: whether the menu has, for empty hands: get, activate, get of each ingredient;
      ``offers_put``: for each thing in hands, put
    """

    put: list[int]
    get: list[int]
    got: list[int]
    activated: int
    place_busy: int
    body_busy: int
    offers: list[bool]
    offers_put: list[bool]


class LocalStates:
    """The local states of a kitchen: ``states`` by number, ``rows`` of what they lead to.

    ``first``: for each place the number of its state when it is empty. Raises ``Refused`` for more than
    ``MOST_STATES``. A serving table has one state; what lies on it is counted elsewhere.
    """

    def __init__(self, world: CuisineWorld, things: Sequence[int]) -> None:
        self.world = world
        self.things = things
        self.states: list[Local] = []
        self._numbers: dict[Local, int] = {}
        # Whether a table has room is no matter of what is inside one place.
        self._choices = Choices(world.compiled, world.scenario.bodies, table_room=None)
        names = [kind.name for kind in world.compiled.kinds]
        self._kind = [names.index(name) for name in names]
        self.first = [self.number(place, (), False) for place in range(len(names))]
        self.rows: list[LocalRow] = []
        while len(self.rows) < len(self.states):
            self.rows.append(self._row(self.states[len(self.rows)]))

    def number(self, place: int, content: Sequence[int], ready: bool) -> int:
        """The number of a state, a new one if it is met for the first time."""
        local = (self._kind[place], tuple(sorted(content)), ready)
        if local not in self._numbers:
            if len(self.states) == MOST_STATES:
                raise Refused(f"{self.world.id}: its tools can hold more than {MOST_STATES} combinations")
            self._numbers[local] = len(self.states)
            self.states.append(local)
        return self._numbers[local]

    def _row(self, local: Local) -> LocalRow:
        items = (NOTHING, *self.world.compiled.level_ingredients)
        gets = [self._tried(local, NOTHING, GET, item) for item in items]
        puts = [self._tried(local, thing, PUT) for thing in self.things]
        activated = self._tried(local, NOTHING, ACTIVATE)
        offered = self._offered(local, NOTHING)
        return LocalRow(
            put=[self._after(local, after) for after in puts],
            get=[self._after(local, after) for after in gets],
            got=[NOTHING if after is None else after.held[0] for after in gets],
            activated=self._after(local, activated),
            place_busy=0 if activated is None else activated.busy[local[0]],
            body_busy=0 if activated is None else activated.hands_busy[0],
            offers=[verb in offered for verb in ("get", "activate", FETCH)],
            offers_put=["put" in self._offered(local, thing) for thing in self.things],
        )

    def _state(self, local: Local, held: int) -> State:
        """A body that holds this at the place, and nothing anywhere else."""
        place, content, ready = local
        start = self.world.start()
        bodies, places = len(start.at), len(start.inside)
        return State(
            at=(place,) * bodies,
            held=(held, *(NOTHING,) * (bodies - 1)),
            hands_busy=start.hands_busy,
            inside=tuple(content if other == place else () for other in range(places)),
            busy=start.busy,
            ready=ready << place,
        )

    def _tried(self, local: Local, held: int, verb: int, item: int = NOTHING) -> Transition | None:
        """What comes of a command; ``None`` if it is refused."""
        transition = Transition(self.world.compiled, self.world.rules, None, self._state(local, held))
        command = self.world.command_reader.command(verb, 0, local[0], item)
        return transition if isinstance(transition.do(command), Act) else None

    def _after(self, local: Local, after: Transition | None) -> int:
        if after is None:
            return REFUSED
        place = local[0]
        if self.world.compiled.roles[place] == TABLE:
            return self.first[place]
        return self.number(place, after.inside[place], bool(after.ready >> place & 1))

    def _offered(self, local: Local, held: int) -> set[str]:
        """The verbs that the menu has for the body there."""
        menu = self._choices.menu(self._state(local, held), (0,))
        return {option.verb for option in menu.options}


ENDLESS_ROOM = 1 << 30


def batch(world: CuisineWorld) -> Batch:
    """The batch of a world; raises ``Refused`` with the option that it does not cover."""
    _check(world)
    compiler = Compiler(world)
    return compiled_batch(
        compiler,
        step,
        draws=compiler.draws,
        cut_off=never,
        mask=encoding.mask,
        features=encoding.features,
        score=potential.score,
        potential=potential.potential,
        own_rewards={ARTICLE: step.reward},
    )


def _check(world: CuisineWorld) -> None:
    scenario, compiled = world.scenario, world.compiled
    tight = any(compiled.capacity[table] < ENDLESS for table in compiled.tables)
    for uncovered, option in (
        (world.limits.turns is None, "play without an end (give limits with turns)"),
        (scenario.spoil_steps is not None, "dishes that spoil (spoil=N)"),
        (scenario.hidden_orders, "hidden orders (orders=hidden)"),
        (scenario.in_turn, "seats that decide in turn (decide=in_turn)"),
        (tight and world.rules.waste_hides_reasons, "serving tables of limited capacity under these rules"),
    ):
        if uncovered:
            raise Refused(f"{world.id}: a batch does not cover {option}; the exact world does")


class Compiler:
    """Makes the tables of one world, and says what the row of a state of it holds."""

    def __init__(self, world: CuisineWorld) -> None:
        self.world = world
        self.encoding = CuisineWorldEncoding(world)
        self.local = LocalStates(world, self.encoding.things)
        compiled, scenario = world.compiled, world.scenario
        self.n_bodies, self.n_places = len(self.encoding.order), len(compiled.places)
        self.n_dishes = len(compiled.dishes)
        self.number = {thing: number for number, thing in enumerate(self.encoding.things)} | {NOTHING: -1}
        self.most_open = min(scenario.most_open, max(scenario.lifetimes) // scenario.interval + 1)
        self.turns = world.limits.turns or 0
        _, inputs = wanted_by(compiled, scenario.book, scenario.dishes)
        self.input_sets = {key: index for index, key in enumerate(inputs)}

    def tables(self) -> Tables:
        """The tables; see ``step.Tables``."""
        world, compiled, scenario = self.world, self.world.compiled, self.world.scenario
        encoding, local, work = self.encoding, self.local, self.encoding.work
        things, by_name = encoding.things, sorted(compiled.dishes)
        wanted = [wanted_by(compiled, scenario.book, [dish]) for dish in compiled.dishes]
        return Tables(
            n_ingredients=len(compiled.level_ingredients),
            interval=scenario.interval,
            most_open=min(scenario.most_open, self.most_open),
            table_room=ENDLESS_ROOM if scenario.table_room is None else scenario.table_room,
            expiries_count_once=int(world.rules.expiries_count_once),
            turns=self.turns,
            steps=scenario.steps,
            start=compiled.start,
            base_ingredients=sum(thing < compiled.n_ingredients for thing in things),
            by_number=_ints(encoding.order.index(body) for body in range(self.n_bodies)),
            first_state=_ints(local.first[place] for place in range(self.n_places)),
            table_of=_ints(
                compiled.tables.index(place) if place in compiled.tables else -1
                for place in range(self.n_places)
            ),
            put_to=_ints(row.put for row in local.rows),
            get_to=_ints(row.get for row in local.rows),
            get_thing=_ints([self.number[thing] for thing in row.got] for row in local.rows),
            activate_to=_ints(row.activated for row in local.rows),
            place_busy=_ints(row.place_busy for row in local.rows),
            body_busy=_ints(row.body_busy for row in local.rows),
            offers_put=_ints(row.offers_put for row in local.rows),
            offers=_ints(row.offers for row in local.rows),
            dish_of=_ints(compiled.dish_of_thing.get(thing, -1) for thing in things),
            rank=_ints(by_name.index(dish) for dish in compiled.dishes),
            lifetime=_ints(scenario.lifetimes),
            shown_orders=encoding.shown_orders,
            least_cost=work.least,
            longest_lifetime=max(scenario.lifetimes),
            tool_features=_ints(self._tool_features()),
            slots=self._slots(),
            input_set=_ints(self._input_set(place, content) for place, content, _ in local.states),
            made=_ints(self._made(content) for _, content, _ in local.states),
            wanted_things=_ints([int(thing in parts) for thing in things] for parts, _ in wanted),
            wanted_inputs=_ints([int(key in inputs) for key in self.input_sets] for _, inputs in wanted),
            cost=_ints(work.cost[thing] for thing in things),
            in_hands=_ints(
                [work.in_hands[place][thing] for thing in (*things, NOTHING)]
                for place in range(self.n_places)
            ),
            inside_value=_ints(
                sum(work.made[thing] if ready else work.cost[thing] for thing in content)
                for _, content, ready in local.states
            ),
            dish_cost=_ints(work.cost[thing] for thing in compiled.dish_things),
        )

    def _input_set(self, place: int, content: tuple[int, ...]) -> int:
        return self.input_sets.get((self.world.compiled.kinds[place].name, content), -1)

    def _made(self, content: tuple[int, ...]) -> int:
        """The product that is alone inside."""
        alone = len(content) == 1 and content[0] >= self.world.compiled.n_ingredients
        return self.number[content[0]] if alone else -1

    def _tool_features(self) -> list[int]:
        """For each place where its features begin, from the first place's on; -1 for those that have none."""
        compiled, begins, first = self.world.compiled, [], 0
        for place in range(self.n_places):
            tool = compiled.roles[place] == TOOL
            begins.append(first if tool else -1)
            first += (len(self.encoding.fitting[place]) + 1) * tool
        return [*begins, first]

    def _slots(self) -> Ints:
        """For each local state which of its place's features are 1."""
        fitting = self.encoding.fitting
        return padded([fitting[place].index(t) for t in content] for place, content, _ in self.local.states)

    # --- rows --------------------------------------------------------------------------------------------

    def rows(self, count: int) -> Rows:
        """So many rows, of zeros."""
        shapes = {
            **dict.fromkeys(("at", "held", "hands_busy", "paid_bodies"), (self.n_bodies,)),
            **dict.fromkeys(("inside", "busy", "paid_places"), (self.n_places,)),
            **dict.fromkeys(("order_dish", "order_left"), (self.most_open,)),
            "dishes": (len(self.world.compiled.tables), self.n_dishes),
            "things_wanted": (len(self.encoding.things),),
            "inputs_wanted": (len(self.input_sets),),
            "kept": (self.most_open + self.turns // self.world.scenario.interval + 1,),
        }
        return zero_rows(Rows, count, shapes)

    def draws(self, seeds: Sequence[int]) -> Ints:
        """The dishes that are ordered, one after the other, as ``dispatch.orders.draw`` draws them."""
        scenario = self.world.scenario
        count = 1 + self.turns // scenario.interval
        if scenario.seed is None:
            return choices([int(seed) for seed in seeds], self.n_dishes, count, scenario.first_draw)
        clock = self.world.rulebook.clock
        drawn = [clock.drawn(scenario.seed, number).dish for number in range(count)]
        return np.array([drawn] * len(seeds), np.int32).reshape(len(seeds), count)

    def fields(self, state: State) -> Mapping[str, Any]:
        """What the row of a state holds; what the article's reward remembers is not in a state."""
        compiled, order = self.world.compiled, self.encoding.order
        padding = [0] * (self.most_open - len(state.orders))
        refused = {(refusal.seat, refusal.index) for refusal in state.feedback.refusals}
        return {
            "at": [state.at[body] for body in order],
            "held": [self.number[state.held[body]] for body in order],
            "hands_busy": [state.hands_busy[body] for body in order],
            "inside": [
                self.local.first[place]
                if compiled.roles[place] == TABLE
                else self.local.number(place, content, bool(state.ready >> place & 1))
                for place, content in enumerate(state.inside)
            ],
            "busy": state.busy,
            "dishes": [
                [state.inside[table].count(thing) for thing in compiled.dish_things]
                for table in compiled.tables
            ],
            "order_dish": [*(order.dish for order in state.orders), *padding],
            "order_left": [*(order.left for order in state.orders), *padding],
            "open": len(state.orders),
            "arrived": state.arrived,
            "served": len(state.served),
            "expired": state.expired,
            "failed": state.failed,
            "steps": state.steps,
            "refused": len(refused),
        }


def _ints(values: Any) -> Ints:
    return np.array([list(v) if not isinstance(v, int) else v for v in values], np.int32)

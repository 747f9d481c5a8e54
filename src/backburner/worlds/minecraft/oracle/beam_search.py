"""Plans that serve as many orders as can be found, and how many nobody can pass.

All orders and drops are known. The search plays the world itself: states are sorted into layers by the time
that has passed, 40 ticks or a step each; from each layer the best are kept, and from these every joint
decision is played that makes sense (``_Sense``). What a state is worth are the orders served and what of the
next ones is under way (``_Worth``). Searches with more and more states kept follow each other until the bound
of ``order_bound`` is met, which proves the plan, or the time is over.
"""

from __future__ import annotations

import itertools
import math
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from backburner.kernel.errors import Refused
from backburner.kernel.oracle import Oracle, Request, Solution, Status
from backburner.kernel.policy import PlanPolicy, Policy, once_per_world
from backburner.worlds.minecraft.game.actions import (
    GOTO,
    KILL,
    MINE,
    PUT_FUEL,
    PUT_IN_CHEST,
    PUT_ITEM,
    TAKE_OUT,
    Calls,
    spelt,
)
from backburner.worlds.minecraft.game.facts import CHEST, COOKED, FURNACE, MEAT_OF, OAK_LOG, RAW
from backburner.worlds.minecraft.game.ground import Cell, squared
from backburner.worlds.minecraft.game.state import State, count_of
from backburner.worlds.minecraft.game.transition import NEAR_CHEST, REACH_DOUBLED, SIGHT, WORK
from backburner.worlds.minecraft.game.world import Minecraft
from backburner.worlds.minecraft.oracle.order_bound import order_bound, order_stream

WIDTHS = (8, 30, 120, 480)
"""States of each layer that are kept, search after search."""

MOST_ALIKE = 3
"""States of a layer that differ only in where bodies stand."""

LAYER_TICKS = 40
"""No step is shorter."""

MOST_BODIES = 3
"""More have too many joint decisions."""

UNIT = "orders served"
SPACE = "calls of all bodies in every step"

MOST_LOGS = 3
"""Logs that are worth having, in the furnace or on the way there."""


class Node(NamedTuple):
    """A state, what it is worth, and how it was come to."""

    state: State
    worth: float
    parent: Node | None
    calls: tuple[str, ...]


def most_served(world: Minecraft, seed: int = 0, *, time_limit_seconds: float = 60.0) -> Solution:
    """The best play of a world with one dispatcher: ``objective`` orders served, ``bound`` at the most.

    ``optimal`` if they are the same, else ``feasible``, with the best plan that was found in the time. Raises
    ``Refused`` for an episode without an end, for several seats, and for more than three bodies.
    """
    began = time.monotonic()
    if len(world.seats) > 1:
        raise Refused(f"{world.id}: the search takes one dispatcher")
    if world.scenario.bodies > MOST_BODIES:
        raise Refused(f"{world.id}: the search takes {MOST_BODIES} bodies at the most")
    bound = order_bound(world, seed).most_served
    search = _Search(world, seed, began + time_limit_seconds)
    found = Node(world.start(seed), 0.0, None, ())
    for width in WIDTHS:
        node = search.run(width)
        if len(node.state.served) > len(found.state.served) or found.parent is None:
            found = node
        if len(found.state.served) >= bound or time.monotonic() > search.until:
            break
    plan = tuple(world.words(Calls(calls)) for calls in _path(found))
    objective = len(found.state.served)
    status: Status = "optimal" if objective >= bound else "feasible"
    seconds = time.monotonic() - began
    return Solution(world.id, status, objective, bound, "max", UNIT, SPACE, seconds=seconds, plan=plan)


class MinecraftOracle(Oracle):
    """The play of one dispatcher that serves most."""

    def solve(self, world: Minecraft, request: Request) -> Solution:
        """See ``most_served``."""
        return most_served(world, time_limit_seconds=request.time_limit_seconds)


ORACLE = MinecraftOracle()


def oracle_dispatcher(world: Minecraft) -> Policy:
    """Plays the best plan that is found in a minute; raises ``Refused`` where orders are drawn in play."""
    return PlanPolicy("oracle", _best_plan(world), informed=True)


@once_per_world
def _best_plan(world: Minecraft) -> tuple[str, ...]:
    if world.scenario.seed is None:
        raise Refused(f"{world.id}: orders come by the seed of play, so that there is no plan before")
    return ORACLE.solve(world, Request()).plan


def _path(node: Node) -> list[tuple[str, ...]]:
    """The calls of each step that lead to a node."""
    steps: list[tuple[str, ...]] = []
    while node.parent is not None:
        steps.append(node.calls)
        node = node.parent
    return steps[::-1]


class _Search:
    """Layer after layer, the best states."""

    def __init__(self, world: Minecraft, seed: int, until: float) -> None:
        self.world, self.seed, self.until = world, seed, until
        self.worth = _Worth(world, seed)
        self.sense = _Sense(world, self.worth)

    def run(self, width: int) -> Node:
        """The best end that is found with so many states of each layer."""
        by_step = self.world.rules.orders_by_step
        start = Node(self.world.start(self.seed), 0.0, None, ())
        layers: dict[int, dict[object, Node]] = {0: {0: start}}
        best = start
        while layers:
            number = min(layers)
            for node in self._kept(layers.pop(number).values(), width):
                if node.state.ended or time.monotonic() > self.until:
                    best = max(best, node, key=_rank)
                    continue
                for then in self._after(node):
                    layer = then.state.steps if by_step else then.state.ticks // LAYER_TICKS
                    there = layers.setdefault(layer, {})
                    key = self.worth.key(then.state)
                    if key not in there or there[key].worth < then.worth:
                        there[key] = then
        return best

    def _kept(self, layer: Iterable[Node], width: int) -> Iterator[Node]:
        """The best of a layer, few of which have the same things in the same places."""
        alike: Counter[object] = Counter()
        kept = 0
        for node in sorted(layer, key=lambda node: -node.worth):
            things = self.worth.things(node.state)
            if alike[things] < MOST_ALIKE:
                alike[things] += 1
                kept += 1
                yield node
                if kept == width:
                    return

    def _after(self, node: Node) -> Iterator[Node]:
        seat = self.world.seats[0]
        for calls in self.sense.joint(node.state):
            state = self.world.step(node.state, {seat: Calls(calls)}).state
            yield Node(state, self.worth.of(state), node, calls)


def _rank(node: Node) -> tuple[int, int]:
    """More orders served are better, then fewer that ran out."""
    return len(node.state.served), -node.state.expired


class _Worth:
    """What a state is worth: orders served, and what of the next ones is under way.

    A dish in the chest that waits for its order counts nearly as much as one that is served, one in
    somebody's hands a little less, and so on back to raw meat, as long as there is time to bring it on.
    """

    IN_CHEST, IN_HAND, COOKED_YET, COOKING, RAW_IN_HAND = 0.95, 0.85, 0.7, 0.55, 0.3
    """By stage."""

    LOG, FLAME = 0.06, 0.06
    """Each log that is worth having; a fire that burns, by how long."""

    WAY = 0.004
    """What a block costs that something in somebody's hands is still to be carried."""

    def __init__(self, world: Minecraft, seed: int) -> None:
        self.compiled = world.compiled
        self.dishes = world.compiled.dishes
        self.by_step = world.rules.orders_by_step
        self.stream = order_stream(world, seed)
        # Time to bring each stage to the chest: in ticks, or in steps.
        self.needs = (0, 1, 2, 3, 5) if self.by_step else (0, 40, 120, 250, 400)
        self.each = 1 if self.by_step else 200

    def key(self, state: State) -> tuple[Any, ...]:
        """States with the same key have the same future, but for feathers and the like."""
        kept = tuple(
            tuple((item, count) for item, count in items if item in COOKED or item in RAW or item == OAK_LOG)
            for items in state.carried
        )
        return state.at, kept, state.furnace, state.chest, state.gone, state.errands, len(state.served)

    def things(self, state: State) -> object:
        """What is where, but for the cells of bodies and the progress of the furnace."""
        carried = sorted(key for key in self.key(state)[1])
        furnace = state.furnace
        return tuple(carried), furnace.input, furnace.fuel, furnace.output, state.chest

    def wanted(self, state: State) -> dict[int, list[int]]:
        """When the orders still to be served run out, by dish: those that are open, and those to come."""
        last: dict[int, list[int]] = {dish: [] for dish in range(len(self.dishes))}
        for order in state.orders:
            last[order.dish].append(order.due)
        for coming in self.stream[state.arrived :]:
            last[coming.dish].append(coming.last)
        return last

    def stages(self, state: State, dish: int) -> list[int]:
        """How many of a dish are in each stage, from the chest back to raw meat in somebody's hands."""
        name, furnace = self.dishes[dish], state.furnace
        raw = RAW[name]
        return [
            count_of(state.chest, name) - state.served.count(dish),
            sum(count_of(items, name) for items in state.carried),
            furnace.output[1] if furnace.output[0] == name else 0,
            furnace.input[1] if furnace.input[0] == raw else 0,
            sum(count_of(items, raw) for items in state.carried),
        ]

    def of(self, state: State) -> float:
        """The worth of a state."""
        now = state.steps if self.by_step else state.ticks
        values = (self.IN_CHEST, self.IN_HAND, self.COOKED_YET, self.COOKING, self.RAW_IN_HAND)
        worth = float(len(state.served))
        for dish, dues in self.wanted(state).items():
            stages, place = self.stages(state, dish), 0
            for stage, count in enumerate(stages):
                for unit in range(count):
                    ready = now + self.needs[stage] + (unit * self.each if stage > 2 else 0)
                    while place < len(dues) and dues[place] < ready:
                        place += 1
                    if place == len(dues):
                        break
                    soon = 0.1 / (1 + max(0, dues[place] - now) / (10 * self.each))
                    bonus = state.furnace.progress / 2000 if stage == 3 and not unit else 0.0
                    worth += values[stage] * 0.9 + soon * values[stage] + bonus
                    place += 1
        logs = state.furnace.fuel[1] + sum(count_of(items, OAK_LOG) for items in state.carried)
        worth += self.LOG * min(MOST_LOGS, logs) + self.FLAME * state.furnace.burning / 300
        return worth - self.WAY * sum(self._to_go(state, body) for body in range(len(state.at)))

    def _to_go(self, state: State, body: int) -> float:
        """How far a body is from where what it carries is wanted, in blocks."""
        items, here = state.carried[body], state.at[body]
        far = 0.0
        if any(item in RAW for item, _ in items):
            far = math.sqrt(squared(here, self.compiled.chest))
        elif any(item in COOKED or item == OAK_LOG for item, _ in items):
            far = math.sqrt(squared(here, self.compiled.furnace))
        return min(far, SIGHT)


class _Sense:
    """Decisions that make sense in a state: what brings an order on that still wants it."""

    def __init__(self, world: Minecraft, worth: _Worth) -> None:
        self.world, self.worth = world, worth
        self.compiled = world.compiled
        self.cows = not world.rules.no_way_to_cows

    def joint(self, state: State) -> Iterator[tuple[str, ...]]:
        """The calls of all bodies together; nobody does what takes another's thing away."""
        by_body = [self._options(state, body) for body in range(len(state.at))]
        for calls in itertools.product(*by_body):
            verbs = [call.partition("(")[0] for call in calls if call]
            if verbs.count(TAKE_OUT) < 2:
                yield tuple(call for call in calls if call)

    def _options(self, state: State, body: int) -> Sequence[str]:
        name, items, furnace = self.compiled.names[body], state.carried[body], state.furnace
        at_furnace = self._within(state, body, self.compiled.furnace, REACH_DOUBLED / 2)
        found: list[str] = []
        goes: set[str] = set()
        for item, _ in items:
            if item in RAW:
                near = self._within(state, body, self.compiled.chest, NEAR_CHEST)
                if near:
                    found.append(spelt(PUT_IN_CHEST, name, item))
                else:
                    goes.add(CHEST)
            elif item in COOKED and furnace.input[0] in ("", item):
                if at_furnace:
                    found.append(spelt(PUT_ITEM, name, item))
                else:
                    goes.add(FURNACE)
            elif item == OAK_LOG and furnace.fuel[1] < MOST_LOGS:
                if at_furnace:
                    found.append(spelt(PUT_FUEL, name, item))
                else:
                    goes.add(FURNACE)
        if furnace.output[1] or furnace.progress:
            found.append(spelt(TAKE_OUT, name)) if furnace.output[1] else goes.add(FURNACE)
        logs = furnace.fuel[1] + sum(count_of(each, OAK_LOG) for each in state.carried)
        if logs < MOST_LOGS:
            self._fetch(state, body, OAK_LOG, MINE, found, goes)
        for dish, dues in self.worth.wanted(state).items():
            if sum(self.worth.stages(state, dish)) < len(dues):
                mob = MEAT_OF[self.compiled.raw[dish]]
                if mob != "cow" or self.cows:
                    self._fetch(state, body, mob, KILL, found, goes)
        if at_furnace:
            goes.discard(FURNACE)
        found += [spelt(GOTO, name, thing) for thing in sorted(goes)]
        return [*found, ""]

    def _fetch(self, state: State, body: int, kind: str, verb: str, found: list[str], goes: set[str]) -> None:
        """Hit or dig what is near; else, and if a nearer one may be better later, go there."""
        standing = [
            squared(state.at[body], self.compiled.sites[number].at)
            for number in self.compiled.of_kind.get(kind, ())
            if number not in state.gone
        ]
        if standing and min(standing) <= WORK * WORK:
            found.append(spelt(verb, self.compiled.names[body], kind))
        elif standing:
            goes.add(kind)

    def _within(self, state: State, body: int, thing: Cell, blocks: float) -> bool:
        return squared(state.at[body], thing) <= blocks * blocks

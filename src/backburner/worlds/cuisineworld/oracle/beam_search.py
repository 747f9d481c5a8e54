"""The most orders of a CuisineWorld episode that can be served, with proof.

For each target from the bound of ``order_bound`` downwards: is there a play that serves so many? The search
goes forward step by step. A layer holds the states after a step, one of all that differ only in which of
equal bodies or tools is which; of several paths to a state the one that served most is kept. States from
which the target is out of reach are left out (``node_value``).

A first search keeps 200 states of each layer, those with the most slack, a second one 2000: a beam search,
which finds plans fast. The last search keeps all. A layer that runs empty without a state having been left
out for the width proves that the target cannot be reached.

The plan is played in the world, which has the last word on what it serves. Time passes in every turn.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Sequence
from typing import Literal, NamedTuple

from backburner.kernel.errors import Refused, ReplayMismatch
from backburner.kernel.oracle import Allowance, Solution
from backburner.worlds.cuisineworld.game.state import GOTO, NOOP, PUT, Act, Commands
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from backburner.worlds.cuisineworld.oracle.node_value import AdmissibleBound, Closed, DishOrders, NodeValues
from backburner.worlds.cuisineworld.oracle.order_bound import order_bound, order_stream
from backburner.worlds.cuisineworld.oracle.state_space import Kitchen, StateSpace, Successors
from backburner.worlds.dispatch.bounds import DispatchOracle, served_by

BEAM_WIDTHS = (200, 2000)
"""States of each layer that are kept where a plan is looked for, before all of them are."""

MOST_NODES = 1_000_000
"""Nodes that are kept; a search that meets more gives up."""

STEPS_OF_EFFORT = 90_000
"""Steps from one state to another that a search looks at in about a second."""


class SearchState(NamedTuple):
    """A kitchen after some steps, and which orders are closed."""

    kitchen: Kitchen
    closed: Closed


class Node(NamedTuple):
    """The best path to a state: how many it served, the state before, the steps of bodies to spare."""

    served: int
    parent: SearchState | None
    slack: int


Layer = dict[SearchState, Node]


class Path(NamedTuple):
    """The kitchens of a play that serves ``target`` orders, from the start on."""

    target: int
    kitchens: Sequence[Kitchen]


Answer = Path | Literal["no", "unknown"]
"""A play that reaches the target; or that there is none; or that none was found."""


def most_served(
    world: CuisineWorld,
    seed: int = 0,
    *,
    time_limit_seconds: float = 60.0,
    effort: float | None = None,
    most_nodes: int = MOST_NODES,
) -> Solution:
    """The best play of a world with one dispatcher: ``objective`` orders served, ``bound`` at the most.

    ``optimal`` if they are the same, else ``feasible``, with the best plan that was found in the time. The
    plan's last steps are idle where nothing more can be served. Raises ``Refused`` for an episode without an
    end, for orders that depend on play (``order_stream``) and for kitchens that ``StateSpace`` does not
    know; ``ReplayMismatch`` if the world serves less than the search says, a bug in one of the two.
    """
    began, allowance = time.monotonic(), Allowance(time_limit_seconds, effort, STEPS_OF_EFFORT)
    search = _Search(world, seed, allowance, most_nodes)
    path, bound = _best(search, order_bound(world, seed).most_served)
    plan = _plan(world, search.space, path.kitchens)
    objective = _served(world, seed, plan)
    if objective < path.target:
        raise ReplayMismatch(f"{world.id}: the search serves {path.target} orders, the world {objective}")
    return served_by(world, tuple(map(world.words, plan)), objective, bound, actions="commands", began=began)


ORACLE = DispatchOracle(most_served, lambda world, pace: order_bound(world, pace=pace))
oracle_dispatcher = ORACLE.dispatcher


def _best(search: _Search, bound: int) -> tuple[Path, int]:
    """The best path that was found, and how many orders can be served at the most."""
    best, targets = Path(0, ()), range(bound, 0, -1)
    for width in (*BEAM_WIDTHS, None):
        for target in targets:
            answer = search.answer(target, width)
            if isinstance(answer, Path):
                best = answer
                break
            if answer == "no":
                bound = target - 1
            elif width is None:
                break
        targets = range(bound, best.target, -1)
    return best, bound


def _served(world: CuisineWorld, seed: int, plan: Sequence[Commands]) -> int:
    """How many orders the world serves if this is played."""
    state = world.start(seed)
    for number, decision in enumerate(plan, 1):
        step = world.step(state, {world.seats[0]: decision})
        if step.refusals:
            raise ReplayMismatch(f"{world.id}: step {number} of the plan: {step.refusals[0].code}")
        state = step.state
    return len(state.served)


class _Search:
    """Layer after layer, the states that so many steps lead to."""

    def __init__(self, world: CuisineWorld, seed: int, allowance: Allowance, most_nodes: int) -> None:
        if world.limits.turns is None:
            raise Refused(f"{world.id}: the search takes an end of play; give limits with turns")
        self.horizon = world.limits.turns
        self.allowance = allowance
        self.most_nodes = most_nodes
        self.space = StateSpace(world)
        self.orders = DishOrders(world, order_stream(world, seed), self.horizon)
        last_steps = [max(lasts, default=0) for lasts in self.orders.lasts]
        self.values = NodeValues(world, self.space, last_steps)

    def answer(self, target: int, width: int | None) -> Answer:
        """Whether so many can be served; ``width``: states kept of each layer, or all."""
        bound = AdmissibleBound(self.orders, self.values, target)
        start = self.space.canonical(self.space.start())
        closed = self.orders.expire((0,) * len(self.orders.lasts), 1)
        layers: list[Layer] = [{SearchState(start, closed): Node(0, None, 0)}]
        complete, kept = True, 0
        for step in range(1, self.horizon + 1):
            layer: Layer = {}
            for state, node in layers[-1].items():
                if self.allowance.is_over and step > 1:
                    return "unknown"
                goal = self._expand(bound, state, node, step, layer)
                if goal is not None:
                    return Path(target, _kitchens(layers, goal, layer))
            if not layer:
                return "no" if complete else "unknown"
            if width is not None and len(layer) > width:
                complete = False
                layer = dict(heapq.nlargest(width, layer.items(), key=lambda item: item[1].slack))
            kept += len(layer)
            if kept > self.most_nodes:
                return "unknown"
            layers.append(layer)
        return "no" if complete else "unknown"

    def _expand(
        self, bound: AdmissibleBound, state: SearchState, node: Node, step: int, layer: Layer
    ) -> SearchState | None:
        """Adds what a step leads to; returns a state in which the target is reached."""
        successors = bound.requirement(state.closed, node.served, step - 1).successors
        for kitchen, acts in successors.of(state.kitchen):
            self.allowance.count()
            dishes = [a.thing for a in acts if a.verb == PUT and a.place == self.space.compiled.start]
            closed = self.orders.serve(state.closed, dishes) if dishes else state.closed
            if closed is None:
                continue
            served, closed = node.served + len(dishes), self.orders.expire(closed, step + 1)
            slack = bound.slack(kitchen, bound.requirement(closed, served, step), step)
            if slack < 0:
                continue
            then = SearchState(self.space.canonical(kitchen), closed)
            if then not in layer or layer[then].served < served:
                layer[then] = Node(served, state, slack)
            if served >= bound.target:
                return then
        return None


def _kitchens(layers: Sequence[Layer], last: SearchState, layer: Layer) -> list[Kitchen]:
    """The kitchens that lead to a state of the layer after ``layers``, from the first one on."""
    kitchens = [last.kitchen]
    parent = layer[last].parent
    for before in reversed(layers):
        if parent is None:
            break
        kitchens.append(parent.kitchen)
        parent = before[parent].parent
    return kitchens[::-1]


def _plan(world: CuisineWorld, space: StateSpace, kitchens: Sequence[Kitchen]) -> tuple[Commands, ...]:
    """A decision for each step of the episode; nobody does anything where the kitchens are at an end.

    Raises ``ReplayMismatch`` if no step leads from one kitchen to the next.
    """
    rows = _acts(space, kitchens)
    rows += [()] * ((world.limits.turns or 0) - len(rows))
    steps = zip(rows, _gotos(space, rows), strict=True)
    return tuple(_commands(world, space, acts, targets) for acts, targets in steps)


def _acts(space: StateSpace, kitchens: Sequence[Kitchen]) -> list[tuple[Act, ...]]:
    """What each body does in each step: kitchens do not tell which of equal bodies and tools is which."""
    successors = Successors(space, space.compiled.level_ingredients, space.compiled.dish_things)
    here = space.start()
    rows: list[tuple[Act, ...]] = []
    for wanted in kitchens[1:]:
        fitting = (step for step in successors.of(here) if space.canonical(step[0]) == wanted)
        step = next(fitting, None)
        if step is None:
            raise ReplayMismatch(f"no step leads to the kitchen after step {len(rows)}")
        here, acts = step
        rows.append(acts)
    return rows


def _gotos(space: StateSpace, rows: Sequence[Sequence[Act]]) -> list[dict[int, int]]:
    """For each step the places where bodies go, by body: each in the step before it acts elsewhere."""
    targets: list[dict[int, int]] = [{} for _ in rows]
    at = dict.fromkeys(range(space.n_bodies), space.compiled.start)
    for index, acts in enumerate(rows):
        for act in acts:
            if at[act.body] != act.place:
                targets[index - 1][act.body] = at[act.body] = act.place
    return targets


def _commands(
    world: CuisineWorld, space: StateSpace, acts: Sequence[Act], targets: dict[int, int]
) -> Commands:
    command = world.command_reader.command
    texts = [world.command_reader.of(act).text for act in acts]
    acting = {act.body for act in acts}
    for body in range(space.n_bodies):
        if body in targets:
            texts.append(command(GOTO, body, targets[body]).text)
        elif body not in acting:
            texts.append(command(NOOP, body).text)
    return Commands(tuple(texts))

"""The most orders of a CuisineWorld episode that can be served, with proof.

Can so many be served? For each number from the bound of ``cuisineworld_bound`` downwards all scenes are
looked at, step after step, that a play may reach which serves as many; the first that can be reached is the
most. Of scenes that differ in nothing but which of equal bodies or tools is which one is looked at, and of
two ways to the same scene the one that served more. Scenes from which the target is out of reach are left
out, for want of work done (``cuisineworld_prospects``), and so is what serves nobody.

A plan is looked for among the most promising scenes first; what is proven is proven over all of them. The
plan is played in the world, which has the last word on what it serves. Time passes in every turn.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Sequence
from typing import Literal, NamedTuple

from backburner.kernel.errors import Refused, ReplayMismatch
from backburner.kernel.solution import Solution, Status
from backburner.worlds.cuisineworld.game import Commands, CuisineWorld
from backburner.worlds.cuisineworld.game.actions import PUT
from backburner.worlds.cuisineworld.oracle.bound import order_bound, order_stream
from backburner.worlds.cuisineworld.oracle.model import KitchenModel, Scene
from backburner.worlds.cuisineworld.oracle.outlook import Orders, Outlooks, Taken
from backburner.worlds.cuisineworld.oracle.plan import plan_of
from backburner.worlds.cuisineworld.oracle.prospects import Prospects

WIDTHS = (200, 2000)
"""Scenes of each step that are gone on with where a plan is looked for, before all of them are."""

MOST_SCENES = 1_000_000
"""Scenes that are kept; a search that meets more gives up."""

UNIT = "orders served"
SPACE = "commands of all bodies in every step"


class Situation(NamedTuple):
    """A scene after some steps, and which orders are over."""

    scene: Scene
    taken: Taken


class Trace(NamedTuple):
    """How many were served on the best way to a situation, where it came from, what it has to spare."""

    served: int
    parent: Situation | None
    slack: int


Layer = dict[Situation, Trace]


class Play(NamedTuple):
    """The scenes of a play that serves so many."""

    target: int
    scenes: Sequence[Scene]


Answer = Play | Literal["no", "unknown"]
"""A play that reaches the target; or that there is none; or that none was found."""


def most_served(
    world: CuisineWorld, seed: int = 0, *, time_limit_seconds: float = 60.0, most_scenes: int = MOST_SCENES
) -> Solution:
    """The best play of a world with one dispatcher: ``objective`` orders served, ``bound`` at the most.

    ``optimal`` if they are the same, else ``feasible``, with the best plan that was found in the time. The
    plan's last steps are idle where nothing more can be served. Raises ``Refused`` for an episode without an
    end, for orders that depend on play (``order_stream``) and for kitchens that ``KitchenModel`` does not
    know; ``ReplayMismatch`` if the world serves less than the search says, a bug in one of the two.
    """
    began = time.monotonic()
    search = _Search(world, seed, began + time_limit_seconds, most_scenes)
    found, bound = _best(search, order_bound(world, seed).most_served)
    plan = plan_of(world, search.model, found.scenes)
    objective = _served(world, seed, plan)
    if objective < found.target:
        raise ReplayMismatch(f"{world.id}: the search serves {found.target} orders, the world {objective}")
    status: Status = "optimal" if objective == bound else "feasible"
    words = tuple(world.words(decision) for decision in plan)
    seconds = time.monotonic() - began
    return Solution(world.id, status, objective, bound, "max", UNIT, SPACE, seconds=seconds, plan=words)


def _best(search: _Search, bound: int) -> tuple[Play, int]:
    """The best play that was found, and how many can be served at the most."""
    found, open_targets = Play(0, ()), range(bound, 0, -1)
    for width in (*WIDTHS, None):
        for target in open_targets:
            answer = search.answer(target, width)
            if isinstance(answer, Play):
                found = answer
                break
            if answer == "no":
                bound = target - 1
            elif width is None:
                break
        open_targets = range(bound, found.target, -1)
    return found, bound


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
    """Layer after layer, all scenes that so many steps lead to."""

    def __init__(self, world: CuisineWorld, seed: int, until: float, most_scenes: int) -> None:
        if world.limits.turns is None:
            raise Refused(f"{world.id}: the search takes an end of play; give limits with turns")
        self.horizon = world.limits.turns
        self.until = until
        self.most_scenes = most_scenes
        self.model = KitchenModel(world)
        self.orders = Orders(world, order_stream(world, seed), self.horizon)
        last_steps = [max(lasts, default=0) for lasts in self.orders.lasts]
        self.prospects = Prospects(world, self.model, last_steps)

    def answer(self, target: int, width: int | None) -> Answer:
        """Whether so many can be served; ``width``: scenes of each step that are gone on with, or all."""
        outlooks = Outlooks(self.orders, self.model, self.prospects, target)
        start = self.model.canonical(self.model.start())
        taken = self.orders.after((0,) * len(self.orders.lasts), 1)
        layers: list[Layer] = [{Situation(start, taken): Trace(0, None, 0)}]
        whole, kept = True, 0
        for step in range(1, self.horizon + 1):
            layer: Layer = {}
            for situation, trace in layers[-1].items():
                if time.monotonic() > self.until and step > 1:
                    return "unknown"
                reached = self._expand(outlooks, situation, trace, step, layer)
                if reached is not None:
                    return Play(target, _way(layers, reached, layer))
            if not layer:
                return "no" if whole else "unknown"
            if width is not None and len(layer) > width:
                whole = False
                layer = dict(heapq.nlargest(width, layer.items(), key=lambda item: item[1].slack))
            kept += len(layer)
            if kept > self.most_scenes:
                return "unknown"
            layers.append(layer)
        return "no" if whole else "unknown"

    def _expand(
        self, outlooks: Outlooks, situation: Situation, trace: Trace, step: int, layer: Layer
    ) -> Situation | None:
        """Adds what a step leads to; returns a situation in which the target is reached."""
        steps = outlooks.of(situation.taken, trace.served, step - 1).steps
        for scene, acts in steps.of(situation.scene):
            dishes = [a.thing for a in acts if a.verb == PUT and a.place == self.model.kitchen.start]
            taken = self.orders.served(situation.taken, dishes) if dishes else situation.taken
            if taken is None:
                continue
            served, taken = trace.served + len(dishes), self.orders.after(taken, step + 1)
            slack = outlooks.slack(scene, outlooks.of(taken, served, step), step)
            if slack < 0:
                continue
            then = Situation(self.model.canonical(scene), taken)
            if then not in layer or layer[then].served < served:
                layer[then] = Trace(served, situation, slack)
            if served >= outlooks.target:
                return then
        return None


def _way(layers: Sequence[Layer], last: Situation, layer: Layer) -> list[Scene]:
    """The scenes that lead to a situation of the layer after ``layers``, from the first one on."""
    found = [last.scene]
    parent = layer[last].parent
    for before in reversed(layers):
        if parent is None:
            break
        found.append(parent.scene)
        parent = before[parent].parent
    return found[::-1]

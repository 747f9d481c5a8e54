"""Whether the orders that run out first can all be served, but for some, where orders go by steps: a proof.

Every play of a simpler game is looked at, in which a step brings at least as much as in the world:

* A place is what can be done at a cell. ``goto`` leads to any cell beside a thing of its kind, and so does
  whatever else brings a body there. Where an error ends the step, the way of another body is cut short, and
  it may stand anywhere then; somebody has spent a call on that.
* What is put into the furnace is cooked when the step ends, if there is fuel. Fuel is never lost: each log
  cooks one and a half items, before others of a kind or after them. Of what is cooked anybody takes as much
  as it likes, from wherever it is.
* What was killed or dug stands there at once, and if two bodies kill at once, either is first.

More meat or fuel than orders need is worth nothing there. A state from which too many orders run out is left
out: by the steps that each thing takes at the least, and by those that all of the work takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations, product
from typing import NamedTuple

from backburner.kernel.oracle import Allowance
from backburner.worlds.minecraft.game.actions import (
    GOTO,
    KILL,
    MINE,
    PUT_FUEL,
    PUT_IN_CHEST,
    PUT_ITEM,
    TAKE_OUT,
)
from backburner.worlds.minecraft.game.physics import (
    CHEST,
    FURNACE,
    OAK_LOG,
    SMELTING_TICKS,
    Cell,
    beside,
    squared,
)
from backburner.worlds.minecraft.game.transition import NEAR_CHEST, WORK
from backburner.worlds.minecraft.game.world import Minecraft
from backburner.worlds.minecraft.oracle.proof_by_ticks import Costs, Stock, overworked
from backburner.worlds.minecraft.oracle.state_space import BURNS, NONE, Numbers, StateSpace

Place = frozenset[str]
"""The kinds of thing with which something can be done at a cell."""

NEVER = 1 << 30

CUT_SHORT = "cut short"
"""A body is on its way somewhere when another one's error ends the step."""


class Body(NamedTuple):
    """``held``: raw meats by the number of their dish, dishes, logs."""

    place: int
    held: Numbers


class Steps(NamedTuple):
    """A state after ``step`` steps. ``inside`` the furnace: of each dish what was put in and not taken out;
    ``fuel``: for how many ticks it can burn yet."""

    step: int
    bodies: tuple[Body, ...]
    inside: Numbers
    fuel: int
    closed: Numbers
    served: int
    kills: Numbers


class Act(NamedTuple):
    """What a body does, and where it stands then; ``taken``: how much of each dish it takes out."""

    verb: str
    dish: int
    place: int
    taken: Numbers = ()


def impossible_in_steps(world: Minecraft, seed: int, first: int, missed: int, allowance: Allowance) -> bool:
    """Whether it is proven that of so many orders, those that run out first, more than ``missed`` run out,
    whatever is played; false if nothing was proven before the allowance was over."""
    game = StepGame(world, seed, first)
    layer = {game.start()}
    while layer:
        following = set[Steps]()
        for node in layer:
            if allowance.is_over:
                return False
            for after in game.following(node):
                allowance.count()
                if after not in following and not game.more_than(missed, after):
                    if sum(after.closed) == first:
                        return False
                    following.add(after)
        layer = following
    return True


class StepGame:
    """The simpler game of one episode, with its first orders."""

    def __init__(self, world: Minecraft, seed: int, first: int | None = None) -> None:
        self.space = StateSpace(world, seed, first)
        compiled, spawns = world.compiled, world.scenario.spawns
        corners = [*(site.at for site in compiled.sites), *spawns]
        columns, rows = ([cell[axis] for cell in corners] for axis in (0, 1))
        cells = product(range(min(columns) - 1, max(columns) + 2), range(min(rows) - 1, max(rows) + 2))
        best = _largest(map(self._doable, cells))
        around = {
            kind: _largest(
                self._doable(cell)
                for site in compiled.sites
                if site.kind == kind
                for cell in beside(site.at)
                if cell not in compiled.taken
            )
            for kind in (*self.space.mobs, OAK_LOG, FURNACE, CHEST)
        }
        starts = [self._doable(spawn) for spawn in spawns]
        self.places = list(dict.fromkeys([*best, *starts, *(p for found in around.values() for p in found)]))
        number = {place: index for index, place in enumerate(self.places)}
        self.best = [number[place] for place in best]
        self.around = {kind: [number[place] for place in found] for kind, found in around.items()}
        self.starts = [number[place] for place in starts]
        self.beside = [
            number[place] for place in _largest(place for near in around.values() for place in near)
        ]
        self.errors = world.rules.errors_end_step
        self.costs = Costs(1, (1,) * self.space.n, 1)
        self._to_chest = [1 if CHEST in place else 2 for place in self.places]
        self._to_furnace = [1 if FURNACE in place else 2 for place in self.places]
        self.tail = min((self._to_chest[place] for place in self.around[FURNACE]), default=NEVER)

    def _doable(self, cell: Cell) -> Place:
        space = self.space
        compiled = space.compiled
        found = {kind for kind in (*space.mobs, OAK_LOG) if space.near(cell, kind, WORK)}
        if space.opens(cell, compiled.furnace):
            found.add(FURNACE)
        if squared(cell, compiled.chest) <= NEAR_CHEST**2:
            found.add(CHEST)
        return frozenset(found)

    def start(self) -> Steps:
        """Everybody where it begins."""
        none = (0,) * self.space.n
        bodies = sorted(Body(place, (0,) * (2 * self.space.n + 1)) for place in self.starts)
        return Steps(0, tuple(bodies), none, 0, none, 0, none)

    # --- play -------------------------------------------------------------------------------------------

    def following(self, node: Steps) -> Iterator[Steps]:
        """All that can follow a node, whoever of several bodies is first."""
        turns = range(len(node.bodies))
        for acts in product(*(self._acts(node, body) for body in node.bodies)):
            if any(act.verb == CUT_SHORT for act in acts) and not any(map(self._errs, acts)):
                continue
            killed = [act.dish for act in acts if act.verb == KILL]
            for order in permutations(turns) if len(set(killed)) < len(killed) else (turns,):
                after = self._after(node, acts, order)
                if after is not None:
                    yield after

    def _errs(self, act: Act) -> bool:
        """Whether this may be an error: to do nothing, or to find nothing in the furnace."""
        return not act.verb or (act.verb == GOTO and FURNACE in self.places[act.place])

    def _acts(self, node: Steps, body: Body) -> Iterator[Act]:
        space, place, held = self.space, self.places[body.place], body.held
        yield Act("", NONE, body.place)
        for there in self.best if self.errors else ():
            if not self.places[there] <= place:
                yield Act(CUT_SHORT, NONE, there)
        for there in self.beside:
            if there != body.place:
                yield Act(GOTO, NONE, there)
        for dish, mob in enumerate(space.mobs):
            if mob in place and node.closed[dish] < len(space.dues[dish]):
                yield from (Act(KILL, dish, there) for there in self.around[mob])
        if OAK_LOG in place:
            yield from (Act(MINE, NONE, there) for there in self.around[OAK_LOG])
        if FURNACE in place:
            if held[space.log]:
                yield Act(PUT_FUEL, NONE, body.place)
            yield from (Act(PUT_ITEM, dish, body.place) for dish in range(space.n) if held[dish])
        if any(node.inside):
            for taken in product(*(range(count + 1) for count in node.inside)):
                if any(taken):
                    yield from (Act(TAKE_OUT, NONE, there, taken) for there in self.around[FURNACE])
        if CHEST in place:
            for dish in range(space.n):
                if held[space.n + dish]:
                    for there in {body.place, *self.around[CHEST]}:
                        yield Act(PUT_IN_CHEST, dish, there)

    def _after(self, node: Steps, acts: Sequence[Act], order: Iterable[int]) -> Steps | None:
        """The node after these acts; ``None`` if more is taken out than there is, or than is cooked."""
        space = self.space
        step, served = node.step + 1, node.served
        closed, kills, inside = list(node.closed), list(node.kills), list(node.inside)
        put = [0] * space.n
        fuel = node.fuel + BURNS * sum(act.verb == PUT_FUEL for act in acts)
        helds = [list(body.held) for body in node.bodies]
        for body in order:
            verb, dish, _, taken = acts[body]
            held = helds[body]
            if verb == KILL:
                held[dish] += space.meat(dish, kills[dish])
                kills[dish] += 1
            elif verb == MINE:
                held[space.log] += 1
            elif verb == PUT_FUEL:
                held[space.log] -= 1
            elif verb == PUT_ITEM:
                held[dish] -= 1
                put[dish] += 1
            elif verb == TAKE_OUT:
                for kind, count in enumerate(taken):
                    inside[kind] -= count
                    held[space.n + kind] += count
                fuel -= SMELTING_TICKS * sum(taken)
            elif verb == PUT_IN_CHEST:
                held[space.n + dish] -= 1
                count = space.passed(dish, closed[dish], step)
                serves = count < len(space.dues[dish])
                served, closed[dish] = served + serves, count + serves
        if fuel < 0 or min(inside) < 0:
            return None
        left = [0] * space.n
        for dish, dues in enumerate(space.dues):
            closed[dish] = space.passed(dish, closed[dish], step)
            left[dish] = len(dues) - closed[dish]
            inside[dish] = min(inside[dish] + put[dish], left[dish])
            kills[dish] = kills[dish] if left[dish] else 0
        most = (*left, *left, sum(left))
        bodies = sorted(
            Body(act.place, tuple(map(min, held, most))) for act, held in zip(acts, helds, strict=True)
        )
        fuel = min(fuel, SMELTING_TICKS * sum(left))
        return Steps(step, tuple(bodies), tuple(inside), fuel, tuple(closed), served, tuple(kills))

    # --- what is too late -------------------------------------------------------------------------------

    def more_than(self, missed: int, node: Steps) -> bool:
        """Whether more orders run out, whatever is played."""
        lost = sum(node.closed) - node.served
        return self._late(node, lost) > missed or (lost >= missed and self._overworked(node))

    def _late(self, node: Steps, lost: int) -> int:
        """How many run out by what each thing takes at the least, if nothing else were done."""
        space, now = self.space, node.step
        lit = 0 if node.fuel >= SMELTING_TICKS else min(map(self._fuelled, node.bodies))
        for dish, dues in enumerate(space.dues):
            if node.closed[dish] == len(dues):
                continue
            items = [now + max(1, lit) + self.tail] * node.inside[dish]
            for body in node.bodies:
                ready = now + self._to_chest[body.place]
                items += [ready + number for number in range(body.held[space.n + dish])]
                put = self._to_furnace[body.place] + 1
                items += [now + max(put, lit) + self.tail] * body.held[dish]
            items.sort()
            put = 1 + min(self._fetched(body, space.mobs[dish]) for body in node.bodies)
            fresh = now + max(put, lit) + self.tail
            at = 0
            for due in dues[node.closed[dish] :]:
                if at < len(items) and items[at] <= due:
                    at += 1
                elif fresh > due:
                    lost += 1
        return lost

    def _fuelled(self, body: Body) -> int:
        """In how many steps a body can have put a log in."""
        held = body.held[self.space.log]
        return self._to_furnace[body.place] if held else self._fetched(body, OAK_LOG)

    def _fetched(self, body: Body, kind: str) -> int:
        """In how many steps a body can have put in what it has to come by."""
        near = 1 if kind in self.places[body.place] else 2
        return near + min((self._to_furnace[place] for place in self.around[kind]), default=NEVER)

    def _overworked(self, node: Steps) -> bool:
        """Whether bodies have too few steps for all that is to be done for the orders yet open."""
        space, none = self.space, [0] * self.space.n
        held = [sum(items) for items in zip(*(body.held for body in node.bodies), strict=True)]
        stock = Stock(held, list(node.inside), none, list(node.kills))

        def left(due: int) -> int:
            return len(node.bodies) * (due - node.step)

        return overworked(space, node.closed, stock, node.fuel, self.costs, left)


def _largest(places: Iterable[Place]) -> list[Place]:
    """Those that are no part of another one."""
    found = sorted(set(places), key=lambda place: (-len(place), sorted(place)))
    return [place for at, place in enumerate(found) if not any(place < other for other in found[:at])]

"""Plans that serve as many orders as can be found, and how many nobody can pass.

All orders and drops are known. A first plan comes of ``list_scheduler``, as greedy plays. Then
``beam_search`` looks for plays that serve as many orders as the bound of ``order_bound`` says, or one less,
and so on; first in narrow beams, then in wider ones. In between ``proof_by_ticks`` or ``proof_by_steps``
proves that the orders of the beginning cannot all be served, which mostly is where orders are lost. For
more bodies than beams take, thousands of plays follow instead, each of which leaves the best one so far at
some step and goes on by the same scheduler, with other settings, some orders to come in view, and now and
then something else from the menu. Every plan is played by the world. Where a plan meets the bound, it is
proven to serve most.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from backburner.kernel.errors import Refused, ReplayMismatch
from backburner.kernel.oracle import Allowance, Solution
from backburner.worlds.dispatch.bounds import DispatchOracle, served_by
from backburner.worlds.minecraft.game.actions import Calls
from backburner.worlds.minecraft.game.physics import RAW
from backburner.worlds.minecraft.game.state import State, count_of
from backburner.worlds.minecraft.game.world import Minecraft
from backburner.worlds.minecraft.oracle.beam_search import Beam, BeamSearch
from backburner.worlds.minecraft.oracle.list_scheduler import LOGS, StepPlan
from backburner.worlds.minecraft.oracle.order_bound import order_bound, order_stream
from backburner.worlds.minecraft.oracle.proof_by_steps import impossible_in_steps
from backburner.worlds.minecraft.oracle.proof_by_ticks import impossible, provable
from backburner.worlds.minecraft.oracle.state_space import StateSpace

BEAMS = ((10, False), (30, False), (30, True), (90, True), (270, True))
"""Nodes of a layer that go on, and whether the opening is looked at closely, in one search after the other;
see ``beam_search.Beam``."""

URGENT_TICKS = (800, 500, 1500)
"""After how long an order that is due is hardly urgent, in one search after the other."""

QUICK = 1
"""Searches before it is tried to prove a bound."""

PROVING = 0.6
"""The part of the time that is left then that may be spent on it."""

MOST_FIRST = 4
"""How many orders a proof is about, at the most."""

BEGINNING_WIDTH = 100

MOST_BODIES = 3
"""Bodies of which a beam tries every move."""

ROLLOUTS = 5000
"""Plays that are tried at the most, for more bodies."""

MOST_LOGS, MOST_FORESEEN = 3, 5
"""Logs that are kept ready and orders to come that are in view, at the most."""

NOISE = (0.0, 0.05, 0.2)
"""How often a body does something else, one of these in a play."""


NODES_OF_EFFORT = 60_000
"""Nodes that a beam or a proof looks at in about a second."""

NODES_OF_STEP = 8
"""In the time that a step of a play takes."""


class Node(NamedTuple):
    """A state, and how it was come to."""

    state: State
    parent: Node | None
    calls: tuple[str, ...]


class Roll(NamedTuple):
    """How a play is rolled out: dishes of each kind that are cooked ahead, orders to come that are in view,
    logs that are kept ready, and how often a body does something else."""

    ahead: int = 0
    foreseen: int = 0
    logs: int = LOGS
    noise: float = 0.0


def most_served(
    world: Minecraft,
    seed: int = 0,
    *,
    time_limit_seconds: float = 60.0,
    effort: float | None = None,
    beams: Sequence[tuple[int, bool]] = BEAMS,
    rollouts: int = ROLLOUTS,
) -> Solution:
    """The best play of a world with one dispatcher: ``objective`` orders served, ``bound`` at the most.

    ``optimal`` if they are the same, else ``feasible``, with the best plan that these beams, or so many
    plays, have found in the time. Raises ``Refused`` for an episode without an end, and for several seats;
    ``ReplayMismatch`` if the world serves less than a search says, a bug in one of the two.
    """
    began, allowance = time.monotonic(), Allowance(time_limit_seconds, effort, NODES_OF_EFFORT)
    if world.scenario.live:
        text = world.with_server(live=False).id
        raise Refused(f"{world.id}: what a server does cannot be searched; {text} is the game as text")
    if len(world.seats) > 1:
        raise Refused(f"{world.id}: the search takes one dispatcher")
    bound = order_bound(world, seed).most_served
    search = _Search(world, seed, allowance)
    found = search.first()
    if world.scenario.bodies <= MOST_BODIES:
        found, bound = search.by_beams(found, beams, bound)
    else:
        found = search.by_plays(found, rollouts, bound)
    plan = tuple(world.words(Calls(node.calls)) for node in [*_before(found)[1:], found])
    objective = len(found.state.served)
    return served_by(world, plan, objective, bound, actions="calls", began=began)


ORACLE = DispatchOracle(most_served)
oracle_dispatcher = ORACLE.dispatcher


class _Search:
    """Plays of one episode."""

    def __init__(self, world: Minecraft, seed: int, allowance: Allowance) -> None:
        self.world, self.seed, self.allowance = world, seed, allowance
        self.stream = order_stream(world, seed)
        self.start = Node(world.start(seed), None, ())
        self.draw = random.Random(f"{world.id}/{seed}")

    def first(self) -> Node:
        """The end of a play as greedy plays."""
        return self._played(self.start, Roll())

    def by_beams(self, best: Node, beams: Sequence[tuple[int, bool]], bound: int) -> tuple[Node, int]:
        """The end of the best play that beams find, and how many orders can be served at the most.

        The narrow beams at first halve what is open between the best play and the bound, so that little time
        gives a good plan; later ones look for the most from the bound down.
        """
        search = BeamSearch(StateSpace(self.world, self.seed))
        for number, (width, opening) in enumerate(beams):
            if number == QUICK:
                bound = self._proven(bound, len(best.state.served))
            kinds = [Beam(width, ticks, opening) for ticks in URGENT_TICKS]
            most = bound
            while most > (served := len(best.state.served)):
                target = most if number >= QUICK else (served + most + 1) // 2
                found = self._serving(search, target, kinds)
                if found is None:
                    most = target - 1
                else:
                    best = found
        return best, bound

    def _serving(self, search: BeamSearch, target: int, kinds: Sequence[Beam]) -> Node | None:
        """The end of a play that serves so many orders, if one of these beams finds one in time."""
        path = next(filter(None, (search.path(target, kind, self.allowance) for kind in kinds)), None)
        if path is None:
            return None
        end = self._replayed([search.space.words(moves) for moves in path.steps()])
        if len(end.state.served) < target:
            served = f"the search serves {target} orders, the world {len(end.state.served)}"
            raise ReplayMismatch(f"{self.world.id}: {served}")
        return end

    def _proven(self, bound: int, served: int) -> int:
        """The least bound that is proven from what can be served of the orders of the beginning."""
        if self.world.rules.orders_by_step:
            refuted = impossible_in_steps
        elif provable(self.world):
            refuted = impossible
        else:
            return bound
        total = StateSpace(self.world, self.seed).total
        part = self.allowance.part(PROVING)
        first = 1
        while bound > served:
            missed = total - bound
            first = max(first, missed + 1)
            while first <= MOST_FIRST and self._begins(first, missed, part):
                first += 1
            if first > MOST_FIRST or not refuted(self.world, self.seed, first, missed, part):
                break
            bound -= 1
        return bound

    def _begins(self, first: int, missed: int, allowance: Allowance) -> bool:
        """Whether a beam finds a play that serves the first orders but for some."""
        search = BeamSearch(StateSpace(self.world, self.seed, first))
        beam = Beam(BEGINNING_WIDTH, URGENT_TICKS[0], opening=True)
        return search.path(first - missed, beam, allowance) is not None

    def by_plays(self, best: Node, rollouts: int, bound: int) -> Node:
        """The best end of so many plays, or the first that serves as many orders as ``bound``."""
        draw = self.draw
        for _ in range(rollouts):
            if len(best.state.served) >= bound or self.allowance.is_over:
                break
            path = _before(best)
            roll = Roll(
                draw.randint(0, 1),
                draw.randint(0, MOST_FORESEEN),
                draw.randint(1, MOST_LOGS),
                draw.choice(NOISE),
            )
            # Of equal plans the new one is kept, so that the search wanders.
            best = max(self._played(path[draw.randrange(len(path))], roll), best, key=_rank)
        return best

    def _replayed(self, steps: Sequence[tuple[str, ...]]) -> Node:
        """The end of a play of these calls, and then of the scheduler's."""
        node, seat = self.start, self.world.seats[0]
        for calls in steps:
            node = Node(self.world.step(node.state, {seat: Calls(calls)}).state, node, calls)
        return self._played(node, Roll())

    def _played(self, node: Node, roll: Roll) -> Node:
        """The end of a play from a node on."""
        seat, fetching = self.world.seats[0], dict[str, str]()
        while not node.state.ended:
            planned, fetching = self._planned(node.state, roll, fetching)
            calls = tuple(call for _, call in sorted(planned.items()) if call)
            node = Node(self.world.step(node.state, {seat: Calls(calls)}).state, node, calls)
            self.allowance.count(NODES_OF_STEP)
        return node

    def _planned(
        self, state: State, roll: Roll, fetching: Mapping[str, str]
    ) -> tuple[dict[str, str], dict[str, str]]:
        """The call of each body in the next step, and what each is fetching then."""
        world, dishes = self.world, self.world.compiled.dishes
        wanted = [dishes[order.dish] for order in state.orders]
        coming = self.stream[state.arrived : state.arrived + roll.foreseen]
        wanted += [dishes[order.dish] for order in coming]
        seen = world.observe(state, world.seats[0])
        plan = StepPlan(seen, [*wanted, *dishes * roll.ahead], len(wanted), fetching, roll.logs)
        planned = plan.calls()
        for body, name in enumerate(world.compiled.names):
            if roll.noise and self.draw.random() < roll.noise:
                options = world.choices.menu(state, (body,)).options
                planned[name] = "".join(self.draw.choice(options).decision.calls)
        return planned, plan.after


def _before(node: Node) -> list[Node]:
    """The nodes that lead to one, from the first on; it itself is left out."""
    nodes: list[Node] = []
    while node.parent is not None:
        node = node.parent
        nodes.append(node)
    return nodes[::-1]


def _rank(node: Node) -> tuple[int, int, int]:
    """More orders served are better, then fewer that ran out, then more that is cooked."""
    state = node.state
    stores = (state.chest, *state.carried)
    return len(state.served), -state.expired, sum(count_of(items, dish) for items in stores for dish in RAW)

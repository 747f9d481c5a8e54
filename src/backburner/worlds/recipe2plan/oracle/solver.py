"""Recipe2Plan's oracle, which finds shortest plans, and the article's own heuristic (Algorithm 1).

The heuristic is a depth-first search over a ranking of the steps. The ranking takes up the steps that run
by themselves, longest first, then those that keep the cook busy, each behind what leads up to it. The
search starts the first step of the ranking that the world accepts now, and goes on from there; where that
leads nowhere it takes the next one. The first complete schedule is the plan, so nothing is claimed about
its length. It splits no step.

The algorithm is not released, and the article leaves open what follows. It is read so that the plans
without maximum lags come near the stored ones:

* What leads up to a step is found breadth first, and stands in the ranking with the nearest last.
* Of what can start now, that which runs by itself comes before what keeps the cook busy.
* Waiting until something ends is tried last: where nothing can start, and where all that can start
  leads nowhere. There is no other waiting, so a plan may exist where none is found.
* A node is a dead end if a maximum lag can no longer be kept, or a temperature no longer be had.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import floor
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.errors import ReplayMismatch
from backburner.kernel.oracle import Request, Solution, Solve
from backburner.kernel.schedule import perform
from backburner.scheduling.makespan import leading_up_to
from backburner.scheduling.oracle import ScheduleOracle
from backburner.worlds.recipe2plan.game import STANDARD, Cook, Limits, Piece, Recipe2Plan
from backburner.worlds.recipe2plan.game.catalogue import Optimum
from backburner.worlds.recipe2plan.game.compiled import Compiled, Job
from backburner.worlds.recipe2plan.game.state import Kitchen, State
from backburner.worlds.recipe2plan.game.transition import Rulebook

NODE_LIMIT = 100_000
"""About ten times what the hardest published pair needs, and a few seconds."""


class HeuristicPlan(Struct, frozen=True):
    """What the search has found after visiting so many ``nodes``.

    ``status``: ``found``; ``none`` if every branch leads nowhere; ``gave up`` if there were too many.
    ``seconds``: when the last step ends, by the world's count; ``starts``: the start of each step.
    Both are ``None`` without a plan.
    """

    status: Literal["found", "none", "gave up"]
    nodes: int
    seconds: int | None = None
    starts: dict[str, int] | None = None


def heuristic_plan(world: Recipe2Plan, *, node_limit: int = NODE_LIMIT) -> HeuristicPlan:
    """The heuristic's plan for a world, replayed in it.

    It is made for standard rules without limits, whatever the world's are. Raises ``ReplayMismatch``
    if the world does not let it end as the search says.
    """
    found = _Search(world.compiled).run(node_limit)
    if found.starts is None:
        return found
    verdict = perform(world, found.starts)
    if verdict.finished_at(world.time_unit) != found.seconds:
        raise ReplayMismatch(
            f"{world.id}: the heuristic's plan takes {found.seconds} seconds; played in the world it "
            f"ends as {verdict.outcome}"
        )
    return found


def ranking(jobs: Sequence[Job]) -> list[Job]:
    """All steps in the order in which the search tries them, what runs by itself before the rest."""
    by_itself = sorted((job for job in jobs if job.step.autonomous), key=lambda job: -job.step.seconds)
    by_hand = [job for job in jobs if not job.step.autonomous]
    ranked: dict[int, None] = {}
    for job in (*by_itself, *by_hand):
        ranked |= dict.fromkeys((*leading_up_to(job.index, lambda index: jobs[index].after), job.index))
    return sorted((jobs[index] for index in ranked), key=lambda job: not job.step.autonomous)


class _Node(NamedTuple):
    """A node of the search tree: a state, and what was started on the way to it."""

    state: State
    started: tuple[Piece, ...] = ()


class _Search:
    def __init__(self, compiled: Compiled) -> None:
        self.jobs = compiled.jobs
        self.ranking = ranking(compiled.jobs)
        self.book = Rulebook(compiled, STANDARD, Limits())

    def run(self, node_limit: int) -> HeuristicPlan:
        """Depth first; ``branches`` holds what is still to be tried, at each node on the way."""
        branches: list[Iterator[_Node]] = [iter((_Node(self.book.start()),))]
        nodes = 0
        while branches:
            node = next(branches[-1], None)
            if node is None:
                branches.pop()
                continue
            if nodes == node_limit:
                return HeuristicPlan("gave up", nodes)
            nodes += 1
            if node.state.ended:
                starts = {f"{piece.recipe} {piece.step}": piece.start for piece in node.started}
                return HeuristicPlan("found", nodes, node.state.kitchen.finish, starts)
            branches.append(self._branches(node))
        return HeuristicPlan("none", nodes)

    def _branches(self, node: _Node) -> Iterator[_Node]:
        """What may follow, in the order in which it is tried."""
        state, kitchen = node.state, node.state.kitchen
        if self.book.termination.missed(kitchen) or self._too_cold(kitchen):
            return
        for job in self.ranking:
            piece = Piece(job.number, job.recipe, job.step.seconds, kitchen.clock)
            if kitchen.left[job.index] and self.book.legality.obstacle(kitchen, job, piece) is None:
                yield _Node(self.book.step(state, Cook((piece,))).state, (*node.started, piece))
        later = min((one.ends for one in kitchen.running if one.ends > kitchen.clock), default=None)
        if later is not None:
            yield node._replace(state=replace(state, kitchen=replace(kitchen, clock=later)))

    def _too_cold(self, kitchen: Kitchen) -> bool:
        """Whether a step needs a temperature that is not set, and that no step left will set."""
        left = [job for job in self.jobs if kitchen.left[job.index]]
        coming = {(job.appliance, job.step.sets_fahrenheit) for job in left}
        return any(
            job.appliance is not None
            and job.step.needs_fahrenheit not in (None, kitchen.fahrenheit[job.appliance])
            and (job.appliance, job.step.needs_fahrenheit) not in coming
            for job in left
        )


class Recipe2PlanOracle(ScheduleOracle):
    """Plans preempt steps on the grid of the scenario."""

    optimum_type = Optimum

    def slowed(self, world: Recipe2Plan, latency: Fraction, request: Request) -> Solution:
        """Besides, as a note, what a whole plan in one decision takes."""
        found, whole = super().slowed(world, latency, request), self.at_once(world, latency, request)
        if whole is None:
            return found
        return replace(
            found, note="; ".join(filter(None, (found.note, f"a whole plan at once takes {whole}")))
        )

    def at_once(self, world: Recipe2Plan, latency: Fraction, request: Request) -> int | None:
        """All that is done is moved by the one thought."""
        best = self.solve(world, request)
        return None if best.objective is None else best.objective + floor(latency)

    def optima(self, world: Recipe2Plan, request: Request, solve: Solve) -> Sequence[Optimum]:
        """One entry."""
        found = solve(world, request)
        if found.objective is None or found.bound is None:
            return ()
        status: Literal["optimal", "feasible"] = "optimal" if found.status == "optimal" else "feasible"
        return (Optimum(world.id, found.objective, status, found.bound),)


ORACLE = Recipe2PlanOracle()

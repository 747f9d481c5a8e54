"""The oracle: the shortest plan, searched over our own rules and played by the world; steps to go."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from backburner.kernel.episode import Episode
from backburner.kernel.oracle import Kept, Oracle, Request, Solution
from backburner.kernel.replay import final_state
from backburner.kernel.scoring import Measures
from laundry.metrics import laundry_of
from laundry.rules import YOU, Rulebook
from laundry.search import Plan, shortest_plan
from laundry.state import NO_LIMITS, State
from laundry.world import Laundry

SPACE = "every decision, at moments in which something new is possible"


class LaundryOracle(Oracle):
    """Proves the fewest minutes by A*."""

    def solve(self, world: Laundry, request: Request) -> Solution:
        """The shortest plan of a day, from its morning."""
        return self.solve_from(world, world.start(), request.time_limit_seconds, request.effort)

    def solve_from(
        self, world: Laundry, state: State, seconds: float, effort: float | None = None
    ) -> Solution:
        """The shortest plan from any state; the objective is the minute in which it ends."""
        began = time.monotonic()
        book = Rulebook(world.scenario, world.rules, NO_LIMITS)
        plan = shortest_plan(book, state, seconds, effort)
        known: dict[str, Any] = {"scenario": world.id, "sense": "min", "unit": "minutes", "space": SPACE}
        known["seconds"] = time.monotonic() - began
        if plan.decisions is None:
            return Solution(status="unknown", objective=None, bound=plan.bound, **known)
        played = _play(world, state, plan)
        if not played.finished:  # the room closes before
            note = f"the plan takes until minute {plan.finish}, and the room closes before"
            return Solution(status="infeasible", objective=None, bound=None, note=note, **known)
        words = tuple(world.words(decision) for decision in plan.decisions)
        return Solution(status="optimal", objective=played.minute, bound=plan.bound, plan=words, **known)


def _play(world: Laundry, state: State, plan: Plan) -> State:
    """Where the world says that a plan leads."""
    for decision in plan.decisions or ():
        state = world.step(state, {YOU: decision}).state
    return state


def minutes_to_go(kept: Kept, time_limit_seconds: float) -> Callable[[Episode], Measures]:
    """Gives an unfinished day its measure ``to go``: the minutes that its end still lacked."""

    def measure(episode: Episode) -> Measures:
        world = laundry_of(episode)
        state = final_state(episode, world)
        if state.finished:
            return {}
        open_again = State(state.minute, state.baskets)
        free = Laundry(world.id, world.scenario, world.rules, NO_LIMITS)
        found = kept.get(free, open_again)
        if found is None:
            found = ORACLE.solve_from(free, open_again, time_limit_seconds)
            kept.add(free, found, open_again)
        return {} if found.objective is None else {"to go": found.objective - state.minute}

    return measure


ORACLE = LaundryOracle()

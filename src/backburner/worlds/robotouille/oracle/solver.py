"""Robotouille's oracle: shortest plans, looked for, gone on with, or taken from the data; steps to go."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from msgspec.structs import replace

from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused, ReplayMismatch, needs_extra
from backburner.kernel.oracle import Kept, Onward, Oracle, Planning, Request, Slow, Solution, Solve, Status
from backburner.kernel.policy import once_per_world
from backburner.kernel.reach import slow_plan, slowed_plan
from backburner.kernel.replay import final_state, world_of
from backburner.kernel.scoring import Measures
from backburner.kernel.values import Refusal, Seat
from backburner.worlds.robotouille.game import Acts, Robotouille
from backburner.worlds.robotouille.game.catalogue import Optimum, known_optimum
from backburner.worlds.robotouille.game.rule_set import NO_LIMITS
from backburner.worlds.robotouille.game.state import State
from backburner.worlds.robotouille.oracle.planning_task import decisions_of, plan_of, played, task_of
from backburner.worlds.robotouille.oracle.recipe_follower.follower import followed_plan

if TYPE_CHECKING:
    from backburner.planning.planner import Known, Planner

Plan = tuple[Mapping[Seat, Acts], ...]
"""What the seats decide at each decision point."""

STATES_OF_EFFORT = 20_000
"""States that a blind search looks at in about a second."""

MOST_STATES = 20_000_000
"""States that a search keeps at most; some 100 bytes each."""


def unlimited(world: Robotouille) -> Robotouille:
    """The same kitchen without limits, so that a plan of any length can be played."""
    return Robotouille(world.id, world.scenario, world.rules, NO_LIMITS)


def solve_kitchen(
    world: Robotouille,
    *,
    state: State | None = None,
    time_limit_seconds: float = 60.0,
    effort: float | None = None,
    before: Solution | None = None,
) -> Solution:
    """A shortest plan from a state, by default the beginning; going on from what was found ``before``.

    The recipe follower's plan comes first, and is improved on. What is found is played by the world. A
    plan that the world's own limit cuts off is no answer: the note tells its length. Raises
    ``MissingExtra``.
    """
    with needs_extra("solve", "an exact oracle"):
        from backburner.planning.astar import Limits
        from backburner.planning.planner import Known
    free = unlimited(world)
    known = Known(plan_of(free, _read(free, before.plan)), before.bound or 0) if before is not None else None
    planner = planner_for(free, state, known)
    planner.run(Limits(time_limit_seconds, MOST_STATES, effort))
    return solution_of(free, planner, state).within(world.limits.steps)


def planner_for(world: Robotouille, state: State | None = None, known: Known | None = None) -> Planner:
    """The search for a kitchen's shortest plan; the recipe follower's is its first.

    ``world`` should have no step limit: a plan beyond it could not be played.
    """
    from backburner.planning.planner import Planner

    stated = planning_of(world, state)
    return Planner(stated.task, known, stated.first_plan)


def planning_of(world: Robotouille, state: State | None = None) -> Planning:
    """What is left to be done in a kitchen without limits; the recipe follower has a first plan for it."""
    begin = state or world.start()

    def first_plan() -> tuple[str, ...] | None:
        plan = followed_plan(world, begin)
        return None if plan is None else plan_of(world, plan)

    task = task_of(world.compiled, world.scenario.play, begin.kitchen, begin.turn)
    return Planning(task, partial(decisions_of, world), first_plan)


def solution_of(world: Robotouille, planner: Planner, state: State | None = None) -> Solution:
    """What a planner knows now; its plan is played by the world.

    Raises ``ReplayMismatch`` if the world does not complete the goal with it.
    """
    best = None
    if planner.plan is not None:
        best = played(world, state or world.start(), planner.plan, planner.task.turns.per_step)
        if not best.completed:
            raise ReplayMismatch(f"{world.id}: a plan of {best.steps} steps does not reach the goal")
    status: Status = "feasible" if best else "unknown"
    if planner.is_proven:
        status = "optimal" if best else "infeasible"
    return Solution(
        scenario=world.id,
        status=status,
        objective=best.steps if best else None,
        bound=None if status == "infeasible" else planner.bound_steps,
        sense="min",
        unit="steps",
        space=f"every action, {world.scenario.play}",
        seconds=planner.seconds,
        plan=best.words if best else (),
    )


def soonest(world: Robotouille, state: State, most_states: int) -> Onward:
    """How soon the goal can be reached from a state, if a blind search of so many states proves it.

    ``world`` should have no step limit. Raises ``MissingExtra``.
    """
    with needs_extra("solve", "an exact oracle"):
        from backburner.planning.astar import Limits
        from backburner.planning.planner import Planner
    planner = Planner(task_of(world.compiled, world.scenario.play, state.kitchen, state.turn))
    planner.search_blindly(Limits(math.inf, most_states))
    if not planner.is_proven:
        return Onward("unknown", state.steps, None)
    if planner.plan is None:
        return Onward("infeasible", state.steps, None)
    return Onward("optimal", state.steps, state.steps + planner.bound_steps)


def least_actions(world: Robotouille, least_steps: int) -> int:
    """No plan has fewer actions, as the heuristic says; where idleness brings nothing about, a single robot
    needs one in each of its steps. Raises ``MissingExtra``."""
    return _least_operators(world) if len(world.robots) > 1 or _something_goes_on(world) else least_steps


def _something_goes_on(world: Robotouille) -> bool:
    """Whether there is an action that starts something which goes on by itself."""
    effects = world.compiled.domain.special_effects
    lasting = {
        number
        for number, effect in enumerate(effects)
        if any(node.type in ("delayed", "conditional") for node in effect.root.walk())
    }
    with needs_extra("solve", "an exact oracle"):
        from backburner.planning.grounding import ground
    task = task_of(world.compiled, world.scenario.play)
    actions = (task.actions[one.schema] for one in ground(task, task.table(()), 0))
    return bool(task.initial.active) or any(
        start.effect in lasting for action in actions for start in action.triggers
    )


@once_per_world
def _least_operators(world: Robotouille) -> int:
    with needs_extra("solve", "an exact oracle"):
        from backburner.planning.heuristic import HeuristicFactory
        from backburner.planning.variables import StateSpace
    return HeuristicFactory(StateSpace(task_of(world.compiled, world.scenario.play))).least_operators


def _turns(world: Robotouille) -> int:
    return len(world.seats) if world.scenario.play == "turns" else 1


def _read(world: Robotouille, words: Iterable[str]) -> Plan:
    """A plan's words as decisions, in the order of the seats that decide."""
    state, given = world.start(), iter(words)
    steps: list[Mapping[Seat, Acts]] = []
    while seats := world.deciders(state):
        decided: dict[Seat, Acts] = {}
        for seat in seats:
            text = next(given, None)
            if text is None:
                return tuple(steps)
            decision = world.parse(state, seat, text)
            if isinstance(decision, Refusal):
                raise ReplayMismatch(f"{world.id}: {text!r} is none of the plan's decisions")
            decided[seat] = decision
        steps.append(decided)
        state = world.step(state, decided).state
    return tuple(steps)


def states_along(world: Robotouille, plan: Plan) -> Iterator[State]:
    """The state before each step of a plan."""
    state = world.start()
    for decided in plan:
        yield state
        state = world.step(state, decided).state


def shipped_plan(world: Robotouille) -> Plan | None:
    """The plan of a kitchen that ships, or that stands in its file, shortest or the best that is known."""
    free, own = unlimited(world), world.scenario.known_plan
    if own is not None and own.rules == world.rules.name:
        return _read(free, own.plan)
    known = known_optimum(world.id, world.rules.name)
    if known is None:
        return None
    places = iter(known.plan)
    state = free.start()
    steps: list[Mapping[Seat, Acts]] = []
    while seats := free.deciders(state):
        decided = {seat: free.menu(state, seat).options[next(places)].decision for seat in seats}
        steps.append(decided)
        state = free.step(state, decided).state
    return tuple(steps)


def best_plan(world: Robotouille, *, time_limit_seconds: float = 60.0, effort: float | None = None) -> Plan:
    """The shipped plan, else one that is looked for; raises ``Refused`` if none is found in the time."""
    plan = shipped_plan(world)
    if plan is not None:
        return plan
    found = solve_kitchen(unlimited(world), time_limit_seconds=time_limit_seconds, effort=effort)
    if found.objective is None:
        given = f"in {time_limit_seconds:g} s" if effort is None else f"with effort {effort:g}"
        raise Refused(f"{world.id}: no plan ({found.status}) {given}")
    return _read(unlimited(world), found.plan)


def as_data(world: Robotouille, found: Solution) -> Optimum | None:
    """What is shipped of a solution; ``None`` without a plan, or of rules of one's own."""
    rules = world.rules.name
    if found.objective is None or found.bound is None or rules not in ("standard", "released"):
        return None
    free, places = unlimited(world), list[int]()
    plan = _read(free, found.plan)
    for state, decided in zip(states_along(free, plan), plan, strict=True):
        for seat, decision in decided.items():
            menu = [option.decision for option in free.menu(state, seat).options]
            if decision not in menu:
                return None
            places.append(menu.index(decision))
    status: Literal["optimal", "feasible"] = "optimal" if found.status == "optimal" else "feasible"
    preset: Literal["standard", "released"] = "released" if rules == "released" else "standard"
    return Optimum(world.id, preset, found.objective, found.bound, status, tuple(places))


def to_go_of_failures(kept: Kept, time_limit_seconds: float) -> Callable[[Episode], Measures]:
    """Gives each failure of Robotouille its measure ``to go``.

    That is the steps of the shortest plan from the final state over those from the beginning; where it is
    not proven in the time given, those of the best plan found. There is none where no plan is found, or
    where the kitchen's own shortest plan is not known.
    """

    def measure(episode: Episode) -> Measures:
        world = world_of(episode)
        state = final_state(episode, world)
        if not isinstance(world, Robotouille) or state.ended == "completed":
            return {}
        known = known_optimum(world.id, episode.header.rules_name, world.scenario.known_plan)
        if known is None:
            return {}
        free, here = unlimited(world), replace(state, ended="", steps=0)
        found = kept.get(free, here.kitchen, here.turn)
        if found is None:
            found = solve_kitchen(free, state=here, time_limit_seconds=time_limit_seconds)
            kept.add(free, found, here.kitchen, here.turn)
        return {} if found.objective is None else {"to go": found.objective / known.steps}

    return measure


def _how(request: Request) -> dict[str, Any]:
    return {"time_limit_seconds": request.time_limit_seconds, "effort": request.effort}


class RobotouilleOracle(Oracle):
    """A search for the shortest plan of a kitchen, which goes on from what is known."""

    optimum_type = Optimum

    def solve(self, world: Robotouille, request: Request) -> Solution:
        """See ``solve_kitchen``."""
        return solve_kitchen(world, **_how(request), before=request.known)

    def slowed(self, world: Robotouille, latency: Fraction, request: Request) -> Solution:
        """From the shortest plan, and the fewest actions of any."""
        free = unlimited(world)
        best = self.known(free) or solve_kitchen(free, **_how(request))
        return slowed_plan(
            free,
            replace(best, scenario=world.id),
            self.slow(free, latency, request) if best.objective else None,
            latency,
            limit=world.limits.steps,
            n_decisions=-(-least_actions(free, best.bound or 0) // len(free.robots)),
            turns=_turns(free),
        )

    def slow(self, world: Robotouille, latency: Fraction, request: Request) -> Slow:
        """The shortest plan, stretched; where robots have turns one after the other, by whole rounds."""
        free = unlimited(world)
        plan = best_plan(free, **_how(request))
        return slow_plan(free, plan, latency, _turns(free))

    def known(self, world: Robotouille) -> Solution | None:
        """The length of the shipped plan, or of the one in the kitchen's file."""
        known = known_optimum(world.id, world.rules.name, world.scenario.known_plan)
        if known is None:
            return None
        space = f"every action, {world.scenario.play}"
        return Solution(world.id, known.status, known.steps, known.bound, "min", "steps", space)

    def onward(self, world: Robotouille, state: State, effort: float) -> Onward:
        """A blind search of ``effort`` times ``STATES_OF_EFFORT`` states, enough for small kitchens."""
        return soonest(unlimited(world), state, round(effort * STATES_OF_EFFORT))

    def planning(self, world: Robotouille, state: State | None = None) -> Planning:
        """See ``planning_of``."""
        return planning_of(unlimited(world), state and replace(state, ended=""))

    def optima(self, world: Robotouille, request: Request, solve: Solve) -> Sequence[Optimum]:
        """One entry under one of the shipped rule sets; none under rules of one's own."""
        entry = as_data(world, solve(world, request))
        return () if entry is None else (entry,)


ORACLE = RobotouilleOracle()

"""TimeArena's oracle: shortest plans, the most necessary waits, and what ships of both.

A wait is *necessary* if no required action could have been started in its place (article, section
4.4). The most necessary waits are the maximum over all ways of playing to the end within the time limit
without a refused decision. Waits that are not necessary are allowed and do not count.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from backburner.kernel.errors import Refused, ReplayMismatch
from backburner.kernel.oracle import Request, Solution, Solve, Status
from backburner.kernel.schedule import Problem, perform, problem_of
from backburner.scheduling.model import Budget, schedule_model
from backburner.scheduling.oracle import ScheduleOracle
from backburner.scheduling.waiting import necessary_waiting, unattended
from backburner.worlds.timearena.game import TimeArena, Wait
from backburner.worlds.timearena.game.catalogue import Optimum
from backburner.worlds.timearena.oracle.greedy import greedy_plan


def most_necessary_waits(
    world: TimeArena,
    *,
    time_limit_seconds: float = 60.0,
    workers: int = 1,
    seed: int = 0,
    effort: float | None = None,
) -> Solution:
    """The most necessary waits, in minutes, with a plan that has them; the world counts them.

    Raises ``MissingExtra``, ``Refused`` under rules that accept actions outside the scheduling
    problem, and ``ReplayMismatch`` if world and model disagree, which is a bug in one of the two.
    """
    if world.rules.any_pair_counts:
        raise Refused(
            f"{world.id}: with any_pair_counts, more can be started than the scheduling problem holds"
        )
    problem = problem_of(world)
    horizon = _horizon(problem, world.limits.minutes)
    answer = _most_waits(problem, horizon, Budget(time_limit_seconds, workers, seed, effort))
    answer = replace(answer, scenario=world.id)
    return answer if answer.starts is None else _counted(world, answer, answer.starts)


def _horizon(problem: Problem, limit: int | None) -> int:
    """The time limit, or all durations together if that is less.

    In a minute in which nothing runs, an unfinished plan can go on: nothing is in use, and among the
    unfinished actions one lacks nothing. Waiting then is not necessary, and without that minute the
    plan has as many necessary waits. So no plan needs a minute in which nothing runs.
    """
    everything = sum(activity.duration for activity in problem.activities)
    return everything if limit is None else min(everything, limit)


def _most_waits(problem: Problem, horizon: int, budget: Budget) -> Solution:
    space = f"{problem.space}; plans that end by minute {horizon}, without a refused decision"
    answer = Solution("", "infeasible", None, None, "max", problem.unit, space)
    if problem.forbidden:
        return replace(answer, note=f"the rules never let happen: {', '.join(problem.forbidden)}")
    model = schedule_model(problem, horizon)
    waits = necessary_waiting(model, horizon)
    model.cp.maximize(waits)
    found = budget.search(model.cp)
    starts = found.values(model.start)
    if found.status == "infeasible":
        return replace(answer, note=f"no plan ends within {horizon} {problem.unit}")
    # Without the solver's help: no more waits than background minutes that leave the agent free.
    most = sum(activity.duration - activity.operator_time for activity in unattended(problem.activities))
    return replace(
        answer,
        status=found.status,
        objective=None if starts is None else found.solver.value(waits),
        bound=most if found.bound is None else found.bound,
        seconds=found.solver.wall_time,
        starts=starts,
    )


def _counted(world: TimeArena, answer: Solution, starts: dict[str, int]) -> Solution:
    """The answer with the world's count: waits while it had nothing to be started.

    A plan that is not proven best may have more necessary waits than the model had found in it.
    """
    verdict = perform(world, starts)
    waits = sum(
        isinstance(decision, Wait) and not world.rulebook.legality.something_to_start(state)
        for state, decision in zip(verdict.states, verdict.decisions, strict=True)
    )
    at_least, at_most = answer.objective or 0, answer.bound or 0
    if verdict.finished_at(answer.unit) is None or not at_least <= waits <= at_most:
        raise ReplayMismatch(
            f"{world.id}: by the model the plan has {at_least} to {at_most} necessary waits; played in "
            f"the world it has {waits} and ends as {verdict.outcome}"
        )
    status: Status = "optimal" if waits == at_most else answer.status
    return replace(answer, status=status, objective=waits, plan=verdict.words)


# --- the oracle -------------------------------------------------------------------------------------------


class TimeArenaOracle(ScheduleOracle):
    """With the minutes of the released script and the most necessary waits beside the optimum."""

    optimum_type = Optimum

    def optima(self, world: TimeArena, request: Request, solve: Solve) -> Sequence[Optimum]:
        """One entry; it says nothing of waits under rules that accept more than the problem holds."""
        shortest = solve(world, request)
        if shortest.objective is None or shortest.bound is None:
            return ()
        waits = None
        if not world.rules.any_pair_counts:
            waits = most_necessary_waits(
                world, time_limit_seconds=request.time_limit_seconds, effort=request.effort
            )
        entry = Optimum(
            id=world.id,
            minutes=shortest.objective,
            status="optimal" if shortest.status == "optimal" else "feasible",
            bound=shortest.bound,
            script_minutes=greedy_plan(world).minutes,
            most_necessary_waits=waits.objective if waits else None,
            most_necessary_waits_bound=waits.bound if waits else None,
        )
        return (entry,)


ORACLE = TimeArenaOracle()

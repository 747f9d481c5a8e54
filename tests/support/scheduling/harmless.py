"""Mutants that cannot change what becomes of a plan, by the reason why.

Where one ends in three dots, all are meant that begin so.
"""

from __future__ import annotations

from collections.abc import Sequence

HARMLESS = {
    "no plan takes so long": (
        "Legality.obstacle: kitchen.clock <= piece.start <= LATEST -> "
        "kitchen.clock <= piece.start <= LATEST + 1",
        "Legality.obstacle: kitchen.clock <= piece.start <= LATEST -> "
        "kitchen.clock <= piece.start <= LATEST + -1",
    ),
    "only rules that bind the first piece of a step alone ask whether it was begun": (
        "Legality._lag: if self.rules.lags_bind_first_piece and kitchen.ends[job.index] is not None -> "
        "if False",
        "Legality._lag: self.rules.lags_bind_first_piece and kitchen.ends[job.index] is not None -> "
        "self.rules.lags_bind_first_piece",
    ),
    "it is about actions that take no time, which the released rules alone accept": (
        "Legality._appliance: begun < stop and start < over and (not together) -> "
        "start < over and (not together)",
        "Legality._appliance: begun < stop -> begun < stop + 1",
        "Rulebook._perform: if not alone -> if True",
        "Rulebook._occupied: if start < stop -> if True",
        "Rulebook._occupied: start < stop -> start < stop + 1",
    ),
    "it was settled before: what is complete has an end, what is optimal a plan": (
        "Legality._lag: ended is not None and piece.start - ended > lag.seconds -> "
        "piece.start - ended > lag.seconds",
        "Legality._progress: left[need] or ended is None -> left[need]",
        "with_fewest_interruptions: if answer.objective is None or answer.starts is None -> if False",
        "with_fewest_interruptions: answer.objective is None or answer.starts is None -> ...",
        "with_fewest_interruptions: return answer -> return None",
    ),
    "a piece of all that is left was accepted in the condition before": (
        "Legality._progress: seconds > remains -> seconds > remains + -1",
    ),
    "it is told and decides nothing": (
        "Compiled.job_of: len(jobs) - 1 -> ...",
        "Rulebook._perform: kitchen.actions + 1 -> ...",
        "Rulebook._perform: kitchen.worked + seconds -> ...",
        "Rulebook._perform: events.append(...",
    ),
    "what still runs by itself is told; when it ends stands elsewhere": (
        "Rulebook._perform: if start > kitchen.clock -> ...",
        "Rulebook._perform: start > kitchen.clock -> ...",
        "Rulebook._perform: if alone and seconds -> ...",
        "Rulebook._perform: alone and seconds -> alone",
        "Rulebook._perform: if running -> ...",
    ),
    "what is over is forgotten only to save space": (
        "Rulebook._occupied: for interval in kitchen.busy[appliance] if interval[1] > start -> ...",
        "Rulebook._occupied: interval[1] > start -> interval[1] > start + -1",
    ),
    "what starts now and shares the appliance holds it for the same time": (
        "Rulebook._occupied: interval[1] > start -> interval[1] > start + 1",
    ),
    "it is asked only of jobs that have an appliance": (
        "Legality._appliance: if appliance is None -> if False",
    ),
    "it is about decisions that no schedule becomes": (
        "Legality.obstacle: attempt.bit & state.finished or attempt.act == state.paired_with_itself -> "
        "attempt.bit & state.finished",
        "Rulebook._begun: state.minute - state.lost_minutes -> state.minute",
    ),
    "a temperature is that of an appliance, as the reader of recipes sees to": (
        "_activity: (step.appliance,) if step.appliance else () -> (step.appliance,) if True...",
        "_activity: step.appliance and sets is not None -> sets is not None",
        "_activity: step.appliance and needs is not None -> needs is not None",
    ),
    "no kitchen here sets or needs a temperature in pieces; the problem says so where one does": (
        "_activity: step.splittable and (not _is_about_heat(job)) -> step.splittable",
    ),
    "it says in another way, or once more, what holds in any case": (
        "Rulebook._perform: stop > finish -> stop > finish + -1",
        "maximum_lags_are_kept: before and activity.max_lags -> before",
        "resource_capacities_are_kept: sum(demands) <= resource.capacity -> "
        "sum(demands) <= resource.capacity + -1",
        "resource_capacities_are_kept: if resource.capacity == 1 and max(demands) == 1 -> if False",
        "resource_capacities_are_kept: resource.capacity == 1 and max(demands) == 1 -> "
        "resource.capacity == 1",
        "with_preemption: activity.duration if activity.preemptive else 1 -> activity.duration if True...",
        "merged: activity.duration // problem.grid -> activity.duration",
        "schedule_model: part_before or {} -> part_before",
        "schedule_model: thoughts_come_before_starts(model) -> pass",
        "schedule_model: releases_are_kept(model) -> pass",
        "schedule_model: deadlines_are_kept(model) -> pass",
        "_solve: if not any((activity.preemptive for activity in problem.activities)) -> if False",
        "_minimise: if result.status == 'infeasible' -> if False",
        "with_fewest_interruptions: model.cp.add(sum(continued) < len(continued)) -> pass",
        "with_fewest_interruptions: sum(continued) < len(continued) -> sum(continued) < len(continued) + 1",
    ),
    "an activity of these worlds holds one thing that has levels, and does not set what it needs": (
        "shared_setups: state is None or state.resource != resource or user.duration != setup.duration -> "
        "state is None or user.duration != setup.duration",
        "_sets_nothing: activity.sets is None or activity.sets.resource != resource -> activity.sets is None",
        "_shared: user.sets != setup.sets and setup.sets is not None -> user.sets != setup.sets",
        "machine_is_in_state: for a in model.problem.activities if a.name != activity.name -> "
        "for a in model.problem.activities",
    ),
    "it only counts the time that was spent, or says what is known when time runs out": (
        "_solve: if split.status == 'optimal' -> if True",
        "_solve: whole.seconds + split.seconds -> ...",
        "_solve: if split.status == 'infeasible' -> if True",
        "_solve: return replace(whole, status='feasible'...",
        "_minimise: [starts[a.name] + a.duration for a in coarse.activities] if starts else [] -> "
        "[starts[a.name] + a.duration for a in coarse.activities] if True...",
        "_minimise: None if starts is None else max(ends, default=0) * problem.grid -> None if False...",
        "_minimise: least if result.bound is None else result.bound -> least if False...",
        "_minimise: None if starts is None else merged(problem, starts) -> None if False...",
        "with_fewest_interruptions: answer.seconds + result.solver.wall_time -> ...",
        "with_fewest_interruptions: if starts is None -> if False",
        "with_fewest_interruptions: return replace(answer, seconds=seconds) -> return None",
    ),
    "it is about problems of no plan, which the reader of recipes refuses": (
        "_solve: if (never := (problem.impossible or problem.forbidden)) -> if False",
        "_solve: problem.impossible or problem.forbidden -> ...",
        "_solve: return replace(answer, note=...",
        '_minimise: return replace(answer, note=f"these wait...',
    ),
    "two that set different levels of one thing never overlap": (
        "machine_is_in_state: end[change] <= start[setup] -> end[change] <= start[setup] + 1",
        "machine_is_in_state: start[change] >= end[activity.name] -> "
        "start[change] >= end[activity.name] + -1",
    ),
}
LISTED = tuple(text for texts in HARMLESS.values() for text in texts)


def harmless(mutant: str, listed: Sequence[str] = LISTED) -> bool:
    """Whether the mutant is among those listed."""
    return any(mutant.startswith(text[:-3]) if text.endswith("...") else mutant == text for text in listed)

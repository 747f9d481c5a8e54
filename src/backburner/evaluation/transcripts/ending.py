"""How good a play was, in a few lines for the person who has just played it."""

from __future__ import annotations

from pathlib import Path

from backburner.evaluation.transcripts.gathered import Gathered
from backburner.evaluation.transcripts.plans import Plan, Plans
from backburner.kernel.episode import Episode
from backburner.kernel.errors import amount, number, one_line, shorten

MOST_LOSSES = 3
"""Stretches of lost time that are told, the costliest."""

LEAST_TOLD = 0.05
"""Losses below this are told as 0 and therefore not told."""


def lesson(path: Path, episode: Episode, seconds: float) -> tuple[str, ...]:
    """What the play came to beside the best that is known, and when it fell behind; a line each.

    The best is the plan that ships with the scenario, or the one that its oracle finds in ``seconds``. Where
    there is neither, the line says why.
    """
    known = Gathered(path, episode, Plans(seconds=seconds))
    plan = known.plan
    if isinstance(plan, str):
        return (plan,) if plan else ()
    return tuple(filter(None, (_beside(known, plan), _losses(known))))


def _beside(known: Gathered, plan: Plan) -> str:
    """``16 minutes; 13 is the proven best``."""
    ending, planned = known.episode.ending, plan.episode.ending
    if ending is None or planned is None:
        return ""
    counted = plan.solution is not None and plan.solution.sense == "max"
    if counted and plan.solution is not None:
        mine, best = ending.numbers.get("completed", 0), planned.numbers.get("completed", 0)
        told, better = amount(mine, plan.solution.unit), mine > best
    else:
        mine, best = known.ends, known.plan_places[-1].ends if known.plan_places else 0
        done = ending.numbers.get("completed") == 1
        told = amount(mine, known.header.time_unit)
        told, better = (told, mine < best) if done else (f"not finished after {told}", False)
    if better:
        return f"{told}: better than the best plan known until now, {number(best)}"
    if told == amount(best, known.header.time_unit) or (counted and mine == best):
        return f"{told}: {_proof(plan, best)}"
    return f"{told}; {number(best)} is {_proof(plan, best)}"


def _proof(plan: Plan, best: int | float) -> str:
    """What is known of the plan's value: that nothing is better, or what no play can beat."""
    solution = plan.solution
    if solution is None or solution.objective != best:
        return "the best known"
    if solution.status == "optimal":
        return "the proven best"
    bound = "" if solution.bound is None else f"; no play beats {solution.bound}"
    return f"the best known{bound}"


def _losses(known: Gathered) -> str:
    """``lost 3 from minute 7 to 10 (waited)``, the costliest stretches in order of time."""
    beside, unit = known.alongside, known.header.time_unit.removesuffix("s")
    if beside is None:
        return ""
    worst = sorted(beside.losses, key=lambda loss: -loss.lost)[:MOST_LOSSES]
    told = [
        f"{number(round(loss.lost, 1))} from {unit} {number(loss.begin)} to {number(loss.end)} "
        f"({one_line(shorten(loss.why, 60))})"
        for loss in sorted(worst, key=lambda loss: loss.begin)
        if loss.lost >= LEAST_TOLD
    ]
    return f"lost {', '.join(told)}" if told else ""

"""Where an episode's time went and what cost time, as its page tells it, to be added up over a run."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from backburner.evaluation.transcripts.alongside import Kind, account, kind_of, unnumbered, work_in
from backburner.evaluation.transcripts.gathered import Gathered
from backburner.kernel.activities import activities
from backburner.kernel.episode import Episode


class Spent(Struct, frozen=True):
    """An episode's time, in the world's unit.

    ``mine``: all bodies' together by what they did; ``plan``: that of the plan beside it, empty without one.
    ``lost``: how far the episode fell behind the plan, by cause. ``never``: the plan's work that was never
    begun, without the numbers of things.
    """

    mine: Mapping[Kind, float]
    plan: Mapping[Kind, float]
    lost: Mapping[str, float]
    never: tuple[str, ...]


def spent(known: Gathered) -> Spent:
    """What the page of an episode tells of its time."""
    bodies = [lane.name for lane in known.chart.lanes if lane.body]
    beside, plan = known.alongside, known.plan
    acts = [(kind_of(act), act) for act in activities(known.events)]
    mine = account(acts, bodies, known.ends) if beside is None else beside.account(known.ends)
    if isinstance(plan, str):
        return Spent(_together(mine), {}, {}, ())
    ends = known.plan_places[-1].ends if known.plan_places else 0
    planned = [(kind_of(act), act) for act in activities(plan.episode.events())]
    lost: dict[str, float] = {}
    for loss in [] if beside is None else beside.losses:
        cause = loss.why.partition(":")[0]
        lost[cause] = lost.get(cause, 0.0) + loss.lost
    never = never_begun(known.episode, plan.episode)
    return Spent(_together(mine), _together(account(planned, bodies, ends)), lost, never)


def never_begun(mine: Episode, plan: Episode) -> tuple[str, ...]:
    """The work that a plan finishes and an episode never begins, by label without numbers of things; none of
    an episode that was completed all the same."""
    if mine.ending is not None and mine.ending.numbers.get("completed") == 1:
        return ()
    begun = {unnumbered(each.label) for each in mine.events() if each.what == "start" and each.kind == "work"}
    wanted = dict.fromkeys(unnumbered(piece.label) for piece in work_in(plan.events()))
    return tuple(label for label in wanted if label not in begun)


def _together(of_bodies: Mapping[str, Mapping[Kind, int | float]]) -> dict[Kind, float]:
    found: dict[Kind, float] = {}
    for kinds in of_bodies.values():
        for kind, time in kinds.items():
            found[kind] = found.get(kind, 0.0) + time
    return found

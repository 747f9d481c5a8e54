"""Repairs: which answers are asked for again, and what is taken of all that came.

Under ``standard`` an answer without a plan is asked for again, once, and what comes takes its place.
``Rules.repairs_by_field`` goes by what is missing:

* a plan or a correction: without analysis once, for nothing; without a plan once, and the plan is taken;
* in a talk: without analysis once, for nothing; with an empty say once, and what comes takes its place.
  Of plans only the opener's last is asked for again, when the talk is over; ``turns`` does that.

Repairs are not repaired themselves.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game.calls import refused
from backburner.worlds.collab_overcooked.game.plans import NO_PLAN
from backburner.worlds.collab_overcooked.game.state import Ask, Repair, Reply
from backburner.worlds.collab_overcooked.game.talk import NOTHING, has_plan, is_answer


class Heard(Struct, frozen=True):
    """What follows from something given as an answer.

    ``reply``: what is taken; none if something is asked for again (``repair``). ``wrong``: what was wrong
    with it. ``logged``: the answer as the released program logs it, if it does so now.
    """

    reply: Reply | None = None
    repair: Repair | None = None
    wrong: Refusal | None = None
    logged: Reply | None = None


def heard(ask: Ask, repair: Repair | None, given: Any, by_field: bool) -> Heard:
    """What follows from an answer to ``ask``, or to the ``repair`` of one."""
    if not by_field:
        return _whole(ask, repair, given)
    reply = given if is_answer(given) else Reply(say=NOTHING)
    if ask in ("plan", "correct"):
        told = _planning(reply) if repair is None else _planning_again(repair, reply)
    else:
        told = _talking(reply) if repair is None else _talking_again(repair, reply)
    return replace(told, wrong=given) if isinstance(given, Refusal) else told


def _whole(ask: Ask, repair: Repair | None, given: Any) -> Heard:
    """In a talk the log has the answer that was given first."""
    talks = ask in ("answer", "continue")
    taken = given if has_plan(given) else None
    logged = None if talks and repair is not None else taken or Reply(say=NOTHING)
    if taken is not None:
        return Heard(taken, logged=logged)
    wrong = given if isinstance(given, Refusal) else refused("no_plan")
    if repair is None:
        return Heard(repair=Repair(1), wrong=wrong, logged=logged if talks else None)
    return Heard(Reply(plan=NO_PLAN), wrong=wrong, logged=logged)


def _planning(reply: Reply) -> Heard:
    left = (not reply.analysis.strip()) + (not reply.plan)
    if not left:
        return Heard(reply, logged=reply)
    wrong = refused("no_analysis" if reply.plan else "no_plan")
    return Heard(repair=Repair(left, reply, bool(reply.plan), "plan"), wrong=wrong)


def _planning_again(repair: Repair, reply: Reply) -> Heard:
    """The first answer's say stays, and its plan if it has one; the log has the plan that came last."""
    wrong = None if reply.plan else refused("no_plan")
    first = repair.kept or Reply(say=NOTHING)
    if repair.left > 1:
        return Heard(repair=Repair(repair.left - 1, first, repair.settled, "plan"), wrong=wrong)
    plan = first.plan if repair.settled else reply.plan or NO_PLAN
    return Heard(
        replace(first, plan=plan, rest=reply.rest), wrong=wrong, logged=replace(first, plan=reply.plan)
    )


def _talking(reply: Reply) -> Heard:
    if not reply.analysis.strip():
        wanted = Repair(1, reply, settled=True, part="analysis")
        return Heard(repair=wanted, wrong=refused("no_analysis"), logged=reply)
    return replace(_with_say(reply), logged=reply)


def _talking_again(repair: Repair, reply: Reply) -> Heard:
    if repair.part == "analysis":
        return _with_say(repair.kept or reply)
    lacks_plan = repair.part == "plan" and not reply.plan
    return Heard(reply, wrong=refused("no_plan") if lacks_plan else None)


def _with_say(reply: Reply) -> Heard:
    if reply.say.strip():
        return Heard(reply)
    return Heard(repair=Repair(1, reply, part="say"), wrong=refused("no_say"))

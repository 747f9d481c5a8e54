"""Answers: what becomes of them, in plans, corrections and talk.

An answer has three fields, analysis, plan and say. Words to the partner open a talk: the partner answers, the
opener speaks again, and so on. When the talk is over, the opener does what it planned last. An answer that
lacks something is asked for again. What a cook then does is settled by ``turns``.

Under ``standard`` an answer without a plan is asked for again, once, and what comes takes its place.
``Rules.repairs_by_field`` goes by what is missing:

* a plan or a correction: without analysis once, for nothing; without a plan once, and the plan is taken;
* in a talk: without analysis once, for nothing; with an empty say once, and what comes takes its place.
  Of plans only the opener's last is asked for again, when the talk is over; ``turns`` does that.

Repairs are not repaired themselves.
"""

from __future__ import annotations

import re
from typing import Any, TypeGuard

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game.calls import refused
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.events import Journal, Listener
from backburner.worlds.collab_overcooked.game.plans import (
    NO_PLAN,
    ONE_WAIT,
    Plan,
    first_own,
    joining,
    planned,
    requested,
)
from backburner.worlds.collab_overcooked.game.rule_set import Rules
from backburner.worlds.collab_overcooked.game.state import Ask, Repair, Reply, State, Talk, Utterance
from backburner.worlds.collab_overcooked.game.turns import Turns

NOTHING = "[NOTHING]"
EMPTY = "[EMPTY]"
END = "[END]"
_END_WITHIN = re.compile("end", re.IGNORECASE)
MOST_ENTRIES = 200
"""The most entries of a plan; a longer plan counts as none."""


def reply_of(*planned: str, say: str = NOTHING) -> Reply:
    """An answer that plans these calls, and by default says nothing."""
    return Reply(NOTHING, planned, say)


def is_answer(given: Any) -> TypeGuard[Reply]:
    """Whether this is an answer at all, with a plan or without."""
    return (
        isinstance(given, Reply)
        and isinstance(given.analysis, str)
        and isinstance(given.say, str)
        and isinstance(given.rest, str)
        and isinstance(given.plan, tuple)
        and len(given.plan) <= MOST_ENTRIES
        and all(isinstance(entry, str) for entry in given.plan)
    )


def has_plan(given: Any) -> TypeGuard[Reply]:
    """Whether this is an answer with something planned."""
    return is_answer(given) and any(entry.strip() for entry in given.plan)


# --- silence and the end of a talk ----------------------------------------------------------------------


def says_something(say: str) -> bool:
    """Whether anything is said to the partner."""
    return bool(say.strip()) and NOTHING not in say and EMPTY not in say


def opens_talk(say: str, rules: Rules) -> bool:
    """Whether the say of a plan opens a talk."""
    return NOTHING not in say and EMPTY not in say if rules.silence_is_marked else says_something(say)


def _is_silence(say: str, rules: Rules) -> bool:
    """Whether the opener ends a talk by saying this, that is nothing."""
    return NOTHING in say if rules.silence_is_marked else not says_something(say)


def _ends(say: str) -> bool:
    return END in say.upper()


def over_after_answer(talk: Talk, rules: Rules, rounds: int | None) -> bool:
    """Whether a talk is over when the partner has answered.

    ``rounds``: how often its opener may speak in it; ``None``: as often as it likes.
    """
    spoken = [line.said for line in talk.lines if line.cook == talk.opener]
    if rounds is not None and len(spoken) >= rounds:
        return True
    return not rules.opener_ends_talk and (_ends(spoken[-1]) or _ends(talk.lines[-1].said))


def over_after_opener(talk: Talk, say: str, rules: Rules) -> bool:
    """Whether a talk is over when its opener says this: nothing, something again, or the words that end it.

    ``talk``: before these words.
    """
    if _is_silence(say, rules) or repeats(talk, talk.opener, say):
        return True
    if rules.end_within_words:
        return _END_WITHIN.search(say) is not None
    return rules.opener_ends_talk and _ends(say)


def repeats(talk: Talk, cook: int, say: str) -> bool:
    """Whether a cook has said the same in this talk, which is before these words.

    Equal words stand for the released program's comparison of meanings, which took a second model.
    """
    said = _remembered(say)
    return any(_remembered(line.said) == said for line in talk.lines if line.cook == cook)


def _remembered(say: str) -> str:
    """What the released program keeps of something said."""
    return "OK.<END>" if NOTHING in say else say


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


class Conversation(Turns):
    """A state while answers are taken. ``rounds``: how often the opener of a talk may speak in it."""

    def __init__(
        self, compiled: Compiled, rounds: int | None, state: State, journal: Journal, listener: Listener
    ) -> None:
        super().__init__(compiled, state, journal, listener)
        self._rounds = rounds

    def answer(self, given: Any) -> None:
        """What the cook that was asked gives: an answer, a refusal, or anything else."""
        cook, now = self.asked, self.kitchen.steps
        self._answering = cook
        repair, self.repair = self.repair, None
        told = heard(self.ask, repair, given, self._rules.repairs_by_field)
        if told.wrong is not None:
            self.refusals.append(told.wrong)
        if told.logged is not None:
            self._listener.logged(cook, self._opener, now, told.logged)
        if told.repair is not None:
            self._ask_again(told.repair)
        elif told.reply is not None:
            if repair is not None:
                self.cooks[cook] = replace(self.cooks[cook], refusal=None)
            if repair is not None and repair.part == "plan" and self.ask == "continue" and self.talk:
                self._end_repaired(self.talk, told.reply.plan)
            else:
                self._take(told.reply)
        self._answering = None

    @property
    def _opener(self) -> int:
        """The cook whose plan or talk is under way."""
        return self.asked if self.talk is None else self.talk.opener

    def _ask_again(self, repair: Repair) -> None:
        self.repair = repair
        wrong = self.refusals[-1] if self.refusals else None
        self.cooks[self.asked] = replace(self.cooks[self.asked], refusal=wrong)

    def _take(self, reply: Reply) -> None:
        """Take an answer for what it was asked for."""
        cook, partner = self.asked, self.cooks[1 - self.asked]
        self._listener.planned(cook, self.kitchen.steps, self.ask, reply, partner.requests)
        match self.ask:
            case "plan":
                self._take_plan(cook, reply)
            case "answer":
                self._take_answer(cook, reply)
            case "continue":
                self._take_continuation(cook, reply)
            case "correct":
                self._install(cook, reply.plan)
                self._begin(cook)

    def _take_plan(self, cook: int, reply: Reply) -> None:
        opens = opens_talk(reply.say, self._rules)
        if not (opens and self._rules.opening_plan_unseen):
            reads_on = not opens and self._rules.nothing_reads_on and NOTHING in ";".join(reply.plan)
            self._install(cook, tuple(reply.rest.split(";")) if reads_on else reply.plan)
        if not opens:
            self._settle(cook)
            return
        self._speak(cook, reply)
        self._await("answer", 1 - cook)

    def _take_answer(self, cook: int, reply: Reply) -> None:
        repeated = self._repeats(cook, reply)
        talk = self._speak(cook, reply)
        self._join(cook, reply.plan, repeated)
        if over_after_answer(talk, self._rules, self._rounds):
            self._end_talk(talk)
        else:
            self._await("continue", talk.opener)

    def _take_continuation(self, cook: int, reply: Reply) -> None:
        repeated = self._repeats(cook, reply)
        over = self.talk is None or over_after_opener(self.talk, reply.say, self._rules)
        talk = self._speak(cook, reply)
        if not self._rules.opening_plan_unseen:
            self._install(cook, reply.plan)
        elif over and self._rules.repairs_by_field and not reply.plan:
            self.refusals.append(refused("no_plan"))
            self._ask_again(Repair(1, reply, part="plan"))
            return
        elif not over:
            self._join(cook, reply.plan, repeated)
        if over:
            self._end_talk(talk, reply.plan)
        else:
            self._await("answer", 1 - cook)

    def _repeats(self, cook: int, reply: Reply) -> bool:
        return self.talk is not None and repeats(self.talk, cook, reply.say)

    def _speak(self, cook: int, reply: Reply) -> Talk:
        """Add a turn to the talk, or open one."""
        self._listener.said(cook, self.kitchen.steps, reply, self.talk is None)
        if says_something(reply.say):
            self._journal.said(cook, self.kitchen.steps, reply.say)
        talk = self.talk or Talk(cook, ())
        self.talk = Talk(talk.opener, (*talk.lines, Utterance(cook, reply.say)))
        return self.talk

    def _join(self, cook: int, plan: Plan, repeated: bool) -> None:
        """What becomes of the plan of an answer in a talk."""
        if repeated and self._rules.repeated_say_loses_plan:
            return
        before = self.cooks[cook]
        if self._rules.busy_cook_keeps_queue:
            self.cooks[cook] = joining(before, self._entries(plan))
        else:
            self.cooks[cook] = replace(before, queue=self._entries(plan))
        if self.cooks[cook] is before:
            self._answering = None
        else:
            self._request(cook, plan)

    def _end_talk(self, talk: Talk, plan: Plan = ()) -> None:
        """The opener does what it planned last; without any plan it waits for a step."""
        cook = talk.opener
        if plan and self._rules.opening_plan_unseen:
            self._install(cook, plan)
        elif not self.cooks[cook].call:
            self.cooks[cook] = replace(self.cooks[cook], call=ONE_WAIT, since=-1)
        self._settle(cook)

    def _end_repaired(self, talk: Talk, plan: Plan) -> None:
        """The opener's last answer had no plan, and this is what came when it was asked for again."""
        *earlier, last = talk.lines
        if not plan:
            self._join(last.cook, (), repeats(Talk(talk.opener, tuple(earlier)), last.cook, last.said))
        self._end_talk(talk, plan)

    def _install(self, cook: int, plan: Plan) -> None:
        self.cooks[cook] = planned(self.cooks[cook], self._entries(plan), self._rules.first_call_twice)
        self._first = first_own(plan) or 0
        self._request(cook, plan)

    def _entries(self, plan: Plan) -> Plan:
        """A plan's entries as they are queued."""
        return tuple(entry.lower() for entry in plan) if self._rules.exact_text else plan

    def _request(self, cook: int, plan: Plan) -> None:
        """Show the partner what a plan asks of it."""
        if not self._rules.requests_unseen:
            self.cooks[cook] = replace(self.cooks[cook], requests=requested(plan))

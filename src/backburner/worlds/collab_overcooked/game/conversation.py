"""Answers: what becomes of them, in plans, corrections and talk.

Words to the partner open a talk: the partner answers, the opener speaks again, and so on. When the talk is
over, the opener does what it planned last. An answer that lacks something is asked for again (``repairs``).
What a cook then does is settled by ``turns``.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from backburner.worlds.collab_overcooked.game.calls import refused
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.events import Journal, Listener
from backburner.worlds.collab_overcooked.game.plans import (
    ONE_WAIT,
    Plan,
    first_own,
    joining,
    planned,
    requested,
)
from backburner.worlds.collab_overcooked.game.repairs import heard
from backburner.worlds.collab_overcooked.game.state import Repair, Reply, State, Talk, Utterance
from backburner.worlds.collab_overcooked.game.talk import (
    NOTHING,
    opens_talk,
    over_after_answer,
    over_after_opener,
    repeats,
    says_something,
)
from backburner.worlds.collab_overcooked.game.turns import Turns


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

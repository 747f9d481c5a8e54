"""One decision point: an answer goes in, and play moves on until somebody must answer again.

Words to the partner open a talk: the partner answers, who opened it speaks again, and so on until it is
over; then who opened it does what it planned last. An answer that lacks something is asked for again.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game import plans, talking
from backburner.worlds.collab_overcooked.game.events import Journal
from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.game.refusals import refused
from backburner.worlds.collab_overcooked.game.state import Line, Repair, Reply, State, Talk
from backburner.worlds.collab_overcooked.game.turns import Turns


class Play(Turns):
    """A state while it changes. ``rounds``: how often who opened a talk may speak in it."""

    def __init__(self, ware: Kitchenware, rounds: int | None, state: State, journal: Journal) -> None:
        super().__init__(ware, state, journal)
        self._rounds = rounds

    def answer(self, given: Any) -> None:
        """What the cook that was asked gives: an answer, a refusal, or anything else."""
        cook, reply = self.asked, None
        self._answering = cook
        if isinstance(given, Refusal):
            self.refusals.append(given)
        elif talking.has_plan(given):
            reply = given
        else:
            self.refusals.append(refused("no_plan"))
        if self.repair is not None:
            self._repaired(self.repair, reply)
        elif reply is None:
            again = 2 if self._rules.analysis_required else 1
            self._ask_again(Repair(again), self.refusals[-1])
        elif self._rules.analysis_required and not reply.analysis.strip():
            self.refusals.append(refused("no_analysis"))
            self._ask_again(Repair(1, reply, settled=True), self.refusals[-1])
        else:
            self._proceed(reply)
        self._answering = None

    def _ask_again(self, repair: Repair, refusal: Refusal) -> None:
        self.repair = repair
        self.cooks[self.asked] = replace(self.cooks[self.asked], refusal=refusal)

    def _repaired(self, repair: Repair, reply: Reply | None) -> None:
        kept = repair.kept if repair.settled or reply is None else reply
        if repair.left > 1:
            self.repair = Repair(repair.left - 1, kept, repair.settled)
            return
        self.repair = None
        self.cooks[self.asked] = replace(self.cooks[self.asked], refusal=None)
        self._proceed(kept or Reply(plan=(plans.ONE_WAIT,)))

    def _proceed(self, reply: Reply) -> None:
        """Take an answer for what it was wanted for."""
        match self.ask:
            case "plan":
                self._planned(reply)
            case "answer":
                self._answered(reply)
            case "continue":
                self._continued(reply)
            case "correct":
                self._install(self.asked, reply.plan)
                self._settle(self.asked)

    def _planned(self, reply: Reply) -> None:
        cook = self.asked
        opens = talking.says_something(reply.say)
        if not (opens and self._rules.opening_plan_unseen):
            self._install(cook, reply.plan)
        if not opens:
            self._settle(cook)
            return
        self._said(reply)
        self._await("answer", 1 - cook)

    def _answered(self, reply: Reply) -> None:
        cook, talk = self.asked, self._said(reply)
        if self.cooks[cook].queue and self._rules.busy_partner_ignores_answer:
            self._answering = None
        else:
            self.cooks[cook] = replace(self.cooks[cook], queue=reply.plan)
            self._request(cook, reply.plan)
        if talking.over_after_answer(talk, self._rules, self._rounds):
            self._close_talk(talk)
        else:
            self._await("continue", talk.opener)

    def _continued(self, reply: Reply) -> None:
        cook = self.asked
        earlier = self.talk
        talk = self._said(reply)
        self._install(cook, reply.plan)
        if earlier is None or talking.over_after_opener(earlier, reply.say, self._rules):
            self._close_talk(talk)
        else:
            self._await("answer", 1 - cook)

    def _said(self, reply: Reply) -> Talk:
        talk = self.talk or Talk(self.asked, ())
        if talking.says_something(reply.say):
            self._journal.said(self.asked, self.kitchen.steps, reply.say)
        self.talk = Talk(talk.opener, (*talk.lines, Line(self.asked, reply.say)))
        return self.talk

    def _close_talk(self, talk: Talk) -> None:
        """Nobody has more to say: who opened the talk does what it planned last."""
        if not self.cooks[talk.opener].call:
            self._install(talk.opener, (plans.ONE_WAIT,))
        self._settle(talk.opener)

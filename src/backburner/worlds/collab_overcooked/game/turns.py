"""The turns of the cooks: what becomes of an answer, and what each cook does until one of them must answer.

In each step of the kitchen the chef's turn comes first, then the assistant's, both in the same kitchen. A
call that is done is over; another one goes on, or the next of the queue begins. A cook with nothing to do is
asked for a plan. A cook whose call cannot be done is asked to correct it, once in a turn.

Words to the partner open a talk: the partner answers, the opener speaks again, and so on. When the talk is
over, the opener does what it planned last. An answer that lacks something is asked for again; see
``reading``.

A cook that is silent stands for that step and keeps its plan, while its partner has its turn as ever; in its
next turn it is asked the same again. In a talk both cooks stand, whoever of them is silent. A cook that is
spoken to while it thinks first says what it was about to say, and is then asked for its answer.
"""

from __future__ import annotations

import random
from typing import Any

from msgspec import UnsetType
from msgspec.structs import replace

from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import (
    ONE_WAIT,
    Call,
    Plan,
    advanced,
    first_own,
    gives_way,
    joining,
    planned,
    refused,
    requested,
)
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.kitchen_step import Journal, Listener
from backburner.worlds.collab_overcooked.game.layout import IDLE
from backburner.worlds.collab_overcooked.game.reading import (
    NOTHING,
    heard,
    opens_talk,
    over_after_answer,
    over_after_opener,
    repeats,
    says_something,
)
from backburner.worlds.collab_overcooked.game.state import (
    Ask,
    Cook,
    Move,
    Pending,
    Repair,
    Reply,
    State,
    Talk,
    Utterance,
)


class Turns:
    """A state while answers are taken and the cooks take their turns.

    ``rounds``: how often the opener of a talk may speak in it. ``refusals``: what was wrong with the answer
    that was given. Calls of earlier plans that are refused meanwhile are events; the cook that must correct
    one is shown why. ``drew``: chance decided something.
    """

    def __init__(
        self, compiled: Compiled, rounds: int | None, state: State, journal: Journal, listener: Listener
    ) -> None:
        self._compiled = compiled
        self._rules = compiled.rules
        self._rounds = rounds
        self._journal = journal
        self._listener = listener
        self.kitchen = state.kitchen
        self.cooks = list(state.cooks)
        self.asked, self.ask = state.asked, state.ask
        self.moves = list(state.moves)
        self.talk, self.repair, self.corrected = state.talk, state.repair, state.corrected
        self.seed = state.seed
        self.keeps_wait = state.keeps_wait is True
        self.refusals: list[Refusal] = []
        self.drew = False
        self.pending: list[Pending | None] = [None, None]
        if not isinstance(state.pending, UnsetType):
            self.pending = list(state.pending)
        self._answering: int | None = None
        self._unaware = False
        self._first = 0
        self._silent: tuple[int, int] = (state.asked, 0)
        self._standing: list[Move] | None = None

    @property
    def decided(self) -> bool:
        """Whether both cooks have decided what to do in this step."""
        return len(self.moves) == 2

    def begin_step(self) -> None:
        """Begin the turns of a new step of the kitchen, or go on with a silence that holds both cooks."""
        if self._standing is not None:
            self._stand_together(self._standing)
            return
        self.moves = []
        self._turn(0)

    # --- silence --------------------------------------------------------------------------------------------

    def be_silent(self, steps: int, *, both: bool) -> None:
        """The cook that was asked says nothing for so many steps. ``both``: its partner stands as well, as it
        always does in a talk."""
        self._silent = self.asked, steps
        if both or self.ask in ("answer", "continue"):
            self._stand_together(self.moves)
        else:
            self._stand(self.asked)

    def _stand_together(self, moves: list[Move]) -> None:
        """Both cooks stand for a step of a silence; after its last they have decided what they had before."""
        cook, left = self._silent
        self._silent = cook, left - 1
        self._standing, self.moves = (moves, [IDLE, IDLE]) if left else (None, moves)

    def _stand(self, cook: int) -> None:
        """A cook lets its turn pass; it will be asked the same again."""
        self._silent = cook, self._silent[1] - 1
        self.pending[cook] = Pending(self.ask, self.repair, self.talk, self.corrected, self.keeps_wait)
        self.repair = None
        self._done_with(cook, IDLE)

    def _resumes(self, cook: int) -> bool:
        """Whether a cook is asked again what it did not answer; not if it has planned in a talk since."""
        pending = self.pending[cook]
        if pending is None or self.cooks[cook].queue:
            self._drop_pending(cook)
            return False
        self.pending[cook] = None
        self.repair, self.talk, self.corrected = pending.repair, pending.talk, pending.corrected
        self.keeps_wait = pending.keeps_wait
        self._await(pending.ask, cook)
        thinker, left = self._silent
        if cook == thinker and left:
            self._journal.thinks_on()
            self._stand(cook)
        return True

    def _drop_pending(self, cook: int) -> bool:
        """Forget what the cook was asked before, and a call that it had to correct; whether there was any."""
        if self.pending[cook] is None:
            return False
        self.pending[cook] = None
        self.cooks[cook] = replace(self.cooks[cook], call="")
        return True

    # --- answers --------------------------------------------------------------------------------------------

    def answer(self, given: Any) -> None:
        """What the cook that was asked gives: an answer, a refusal, or anything else."""
        cook, now = self.asked, self.kitchen.steps
        self._answering = cook
        repair, self.repair = self.repair, None
        self._unaware = self._drop_pending(cook)
        told = heard(self.ask, repair, given, self._rules.repairs_by_field)
        if told.wrong is not None:
            self.refusals.append(told.wrong)
        if told.logged is not None and not self._unaware:
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
        if self._unaware:
            self._take_unaware(self.asked, reply)
            return
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

    def _take_unaware(self, cook: int, reply: Reply) -> None:
        """What a cook had thought of before it was spoken to is no answer, which it is asked for now.

        Its words are heard; its plan gives way to that of the answer.
        """
        if says_something(reply.say):
            self._speak(cook, replace(reply, plan=()))
        self._await("answer", cook)

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

    # --- turns ----------------------------------------------------------------------------------------------

    def _turn(self, cook: int) -> None:
        """A cook's turn: calls that are done are closed, then its own goes on or the next one begins."""
        self.talk, self.corrected = None, False
        if cook == 0 or self._rules.new_calls_cleared:
            self._close_if_done(1 - cook)
        if self._resumes(cook):
            return
        had_call = bool(self.cooks[cook].call)
        gave_way = self._give_way(cook)
        if had_call and not gave_way:
            self._close_if_done(cook)
            if self.cooks[cook].call:
                self._go_on(cook)
                return
            self._advance(cook)
        elif not had_call:
            self._advance(cook)
        self.keeps_wait = had_call and self._rules.waits_give_way
        if self.cooks[cook].call:
            self._settle(cook)
        else:
            self._await("plan", cook)

    def _advance(self, cook: int) -> None:
        self.cooks[cook] = advanced(self.cooks[cook], self._rules.first_call_twice)

    def _give_way(self, cook: int) -> bool:
        """Put the next queued call in the place of a wait; whether that has been done."""
        if not (self._rules.waits_give_way and gives_way(self.cooks[cook])):
            return False
        self._close(cook)
        self._advance(cook)
        return True

    def _settle(self, cook: int) -> None:
        """Begin the call that a cook now has, after the wait that it may be has given way."""
        if not self.keeps_wait:
            self._give_way(cook)
        self._begin(cook)

    def _call(self, cook: Cook) -> Call:
        """The current call, which was read when it was accepted."""
        call = self._compiled.reader.read(cook.call)
        return call if isinstance(call, Call) else calls.wait()

    def _close_if_done(self, cook: int) -> None:
        current = self.cooks[cook]
        if not current.call or self.pending[cook] is not None:
            return
        call = self._call(current)
        waits = call.verb == calls.WAIT
        if current.left == 0 if waits else self._compiled.execution.done(self.kitchen, cook, call):
            self._close(cook)

    def _close(self, cook: int) -> None:
        current = self.cooks[cook]
        if current.since >= 0:
            self._journal.closed(cook, self.kitchen.steps, current.call, current.since)
        self.cooks[cook] = replace(current, call="", left=0, since=-1, bumped=False)

    def _begin(self, cook: int) -> None:
        """Begin the current call, or have it corrected, or wait if it was corrected already."""
        current = self.cooks[cook]
        call = self._compiled.reader.read(current.call)
        refusal = call if isinstance(call, Refusal) else self._obstacle(cook, call)
        if refusal is not None:
            self._refuse(cook, refusal, just_decided=self._answering == cook)
        elif isinstance(call, Call):
            self.cooks[cook] = replace(current, left=call.steps, since=self.kitchen.steps, refusal=None)
            self._journal.begun(cook, self.kitchen.steps, call)
            self._carry_out(cook, call)

    def _go_on(self, cook: int) -> None:
        """Go on with a call that was accepted before, if it can still be done."""
        current = self.cooks[cook]
        call = self._call(current)
        if not self._rules.calls_never_end:
            bumped = refused("way_blocked", call=call.text) if current.bumped else None
            obstacle = bumped or self._obstacle(cook, call)
            if obstacle is not None:
                self._close(cook)
                self.cooks[cook] = replace(self.cooks[cook], call=current.call)
                self._refuse(cook, obstacle, just_decided=False)
                return
        self._carry_out(cook, call)

    def _obstacle(self, cook: int, call: Call) -> Refusal | None:
        """Why a call cannot be carried out now."""
        refusal = self._compiled.legality.refusal(self.kitchen, cook, call)
        if refusal is not None or self._rules.calls_never_end or call.verb == calls.WAIT:
            return refusal
        if self._compiled.execution.move(self.kitchen, cook, call) is None:
            return refused("way_blocked", call=call.text)
        return None

    def _refuse(self, cook: int, refusal: Refusal, *, just_decided: bool) -> None:
        """Have the current call corrected; if it was corrected already, the cook waits for a step."""
        current, now = self.cooks[cook], self.kitchen.steps
        self._listener.refused(cook, now, current.call, refusal)
        if just_decided:
            self.refusals.append(refusal.at(refusal.seat, self._first))
        else:
            self._journal.refused(cook, now, current.call)
        if not self.corrected:
            self.corrected = True
            self.cooks[cook] = replace(current, queue=(), refusal=refusal)
            self._await("correct", cook)
            return
        waiting = calls.wait()
        self.cooks[cook] = replace(current, call=waiting.text, left=1, queue=(), since=now, refusal=refusal)
        self._journal.begun(cook, now, waiting, "refused")
        self._carry_out(cook, waiting)

    def _carry_out(self, cook: int, call: Call) -> None:
        """The cook's move in this step; then it is the partner's turn."""
        self._done_with(cook, self._move(cook, call))

    def _done_with(self, cook: int, move: Move) -> None:
        self.moves.append(move)
        self.ask = ""
        if cook == 0:
            self._turn(1)

    def _move(self, cook: int, call: Call) -> Move:
        current = self.cooks[cook]
        if call.verb == calls.WAIT or (self._rules.waits_give_way and calls.WAIT in current.call):
            self.cooks[cook] = replace(current, left=current.left - 1)
            return IDLE
        move = self._compiled.execution.move(self.kitchen, cook, call)
        if move is None:
            self.drew = True
            lot = random.Random(f"{self.seed}/{self.kitchen.steps}/{cook}").random()
            if lot >= 0.5:
                self._close(cook)
                self.cooks[cook] = replace(current, call=ONE_WAIT, left=1, since=-1)
            return IDLE
        return move

    def _await(self, ask: Ask, cook: int) -> None:
        self.ask, self.asked = ask, cook

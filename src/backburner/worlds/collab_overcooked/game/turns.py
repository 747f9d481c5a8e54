"""The cooks' turns in a step of the kitchen: calls go on, end, begin, are refused or skipped.

The chef's turn comes first, then the assistant's, both in the same kitchen. Who has no call to carry out
is asked for a plan; who planned a call that cannot be done is asked once more.
"""

from __future__ import annotations

import random

from msgspec.structs import replace

from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game import calls, plans
from backburner.worlds.collab_overcooked.game.calls import Call
from backburner.worlds.collab_overcooked.game.events import Journal
from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.game.moves import IDLE, Move
from backburner.worlds.collab_overcooked.game.refusals import refused
from backburner.worlds.collab_overcooked.game.state import Ask, Cook, State


class Turns:
    """A state while the cooks take their turns.

    ``refusals`` hold what was wrong with the answer that was given. Calls of earlier plans that are
    refused meanwhile are events; who must correct them is told why.
    """

    def __init__(self, ware: Kitchenware, state: State, journal: Journal) -> None:
        self._journal = journal
        self._ware = ware
        self._rules = ware.rules
        self.kitchen = state.kitchen
        self.cooks = list(state.cooks)
        self.asked, self.ask = state.asked, state.ask
        self.moves = list(state.moves)
        self.talk, self.repair, self.corrected = state.talk, state.repair, state.corrected
        self.seed = state.seed
        self.refusals: list[Refusal] = []
        self.drew = False
        self._answering: int | None = None
        self._first = 0

    @property
    def decided(self) -> bool:
        """Whether both cooks have decided what to do in this step."""
        return len(self.moves) == 2

    def begin_step(self) -> None:
        """Ask for, or go on with, the calls of a new step."""
        self.moves = []
        self._turn(0)

    def _turn(self, cook: int) -> None:
        """A cook's turn: finished calls are forgotten, then its own goes on or another is found."""
        self.talk, self.corrected = None, False
        if cook == 0 or self._rules.new_calls_cleared:
            self._tick_off(1 - cook)
        if self._skips_wait(cook):
            self._close(cook)
        else:
            self._tick_off(cook)
        if self.cooks[cook].call:
            self._go_on(cook)
            return
        self.cooks[cook] = plans.advanced(self.cooks[cook], self._rules.first_call_twice)
        if self.cooks[cook].call:
            self._settle(cook)
        else:
            self._await("plan", cook)

    def _skips_wait(self, cook: int) -> bool:
        """Whether a cook's current call is a wait that something queued takes the place of."""
        mine = self.cooks[cook]
        return self._rules.waits_are_skipped and bool(mine.queue) and calls.WAIT in mine.call.lower()

    def _call(self, cook: Cook) -> Call:
        """The current call; calls were read when they were accepted."""
        found = self._ware.reader.read(cook.call)
        return found if isinstance(found, Call) else calls.wait()

    def is_done(self, cook: int) -> bool:
        """Whether a cook's current call is over."""
        mine = self.cooks[cook]
        call = self._call(mine)
        if call.verb == calls.WAIT:
            return mine.left == 0
        return self._ware.carrier.done(self.kitchen, cook, call)

    def _tick_off(self, cook: int) -> None:
        if self.cooks[cook].call and self.is_done(cook):
            self._close(cook)

    def _close(self, cook: int) -> None:
        mine = self.cooks[cook]
        if mine.since >= 0:
            self._journal.closed(cook, self.kitchen.steps, mine)
        self.cooks[cook] = replace(mine, call="", left=0, since=-1, bumped=False)

    def _settle(self, cook: int) -> None:
        """Begin the current call, or have it corrected, or wait if it was corrected already."""
        while self._skips_wait(cook):
            self._close(cook)
            self.cooks[cook] = plans.advanced(self.cooks[cook], self._rules.first_call_twice)
        mine = self.cooks[cook]
        call = self._ware.reader.read(mine.call)
        refusal = call if isinstance(call, Refusal) else self._obstacle(cook, call)
        if refusal is not None:
            self._refuse(cook, refusal, self._answering == cook)
        elif isinstance(call, Call):
            self.cooks[cook] = replace(mine, left=call.steps, since=self.kitchen.steps, refusal=None)
            self._journal.begun(cook, self.kitchen.steps, call)
            self._carry_out(cook, call)

    def _obstacle(self, cook: int, call: Call) -> Refusal | None:
        """Why a call cannot be carried out now."""
        refusal = self._ware.validator.refusal(self.kitchen, cook, call)
        if refusal is not None or self._rules.calls_never_end or call.verb == calls.WAIT:
            return refusal
        if self._ware.carrier.move(self.kitchen, cook, call) is None:
            return refused("way_blocked", call=call.text)
        return None

    def _refuse(self, cook: int, refusal: Refusal, told: bool) -> None:
        """Have a call corrected, once. ``told``: to who decided it just now."""
        mine = self.cooks[cook]
        if told:
            self.refusals.append(replace(refusal, index=self._first))
        self._journal.refused(cook, self.kitchen.steps, mine.call, refusal, told)
        if not self.corrected:
            self.corrected = True
            self.cooks[cook] = replace(mine, queue=(), refusal=refusal)
            self._await("correct", cook)
            return
        waiting = calls.wait()
        since = self.kitchen.steps
        self.cooks[cook] = replace(mine, call=waiting.text, left=1, queue=(), since=since, refusal=refusal)
        self._journal.begun(cook, since, waiting, "refused")
        self._carry_out(cook, waiting)

    def _go_on(self, cook: int) -> None:
        """Go on with a call that was accepted before, if it can still be done."""
        mine = self.cooks[cook]
        call = self._call(mine)
        if not self._rules.calls_never_end:
            bumped = refused("way_blocked", call=call.text) if mine.bumped else None
            obstacle = bumped or self._obstacle(cook, call)
            if obstacle is not None:
                self._close(cook)
                self.cooks[cook] = replace(self.cooks[cook], call=mine.call)
                self._refuse(cook, obstacle, told=False)
                return
        self._carry_out(cook, call)

    def _carry_out(self, cook: int, call: Call) -> None:
        """The cook's move in this step; then it is the partner's turn."""
        self.moves.append(self._move(cook, call))
        self.ask = ""
        if cook == 0:
            self._turn(1)

    def _move(self, cook: int, call: Call) -> Move:
        mine = self.cooks[cook]
        if call.verb == calls.WAIT:
            self.cooks[cook] = replace(mine, left=mine.left - 1)
            return IDLE
        move = self._ware.carrier.move(self.kitchen, cook, call)
        if move is None:
            self.drew = True
            lot = random.Random(f"{self.seed}/{self.kitchen.steps}/{cook}").random()
            if lot >= 0.5:
                self._close(cook)
                self.cooks[cook] = replace(mine, call=plans.ONE_WAIT, left=1, since=-1)
            return IDLE
        return move

    def _install(self, cook: int, plan: tuple[str, ...]) -> None:
        self.cooks[cook] = plans.planned(self.cooks[cook], plan, self._rules.first_call_twice)
        self._first = plans.first_own(plan) or 0
        self._request(cook, plan)

    def _request(self, cook: int, plan: tuple[str, ...]) -> None:
        """Put what a plan asks of the partner before it."""
        if not self._rules.requests_unseen:
            self.cooks[cook] = replace(self.cooks[cook], requests=plans.requested(plan))

    def _await(self, ask: Ask, cook: int) -> None:
        self.ask, self.asked = ask, cook

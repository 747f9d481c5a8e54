"""Cooks for tests that follow a released reference of an order, and talk a little."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backburner.kernel.policy import Reply, Turn
from backburner.kernel.values import Seat
from backburner.worlds.collab_overcooked.metrics.references import references_of


class ReferencePair:
    """Both cooks do what a reference lists, as soon as it can be done; the chef says each time what it does.

    ``talking``: whether it does; words open a talk, and the assistant answers.
    """

    name = "reference"
    informed = True
    settings: Mapping[str, Any] = {}

    def __init__(self, order: str, talking: bool = True) -> None:
        reference = references_of(order)[0]
        self._plans = {"chef": reference.chef, "assistant": reference.assistant}
        self._talking = talking

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The next call that is possible, or a wait of a step; ``memory``: how many were begun."""
        done = memory or 0
        plan = self._plans[turn.seat]
        can = {option.label for option in turn.menu.options}
        call = plan[done] if done < len(plan) and plan[done] in can else "wait(1)"
        ask = turn.observation.ask
        if ask == "answer":
            return Reply(said(turn.seat, "wait(1)", "All right, I go on."), done)
        if ask == "continue":
            return Reply(said(turn.seat, call, "[NOTHING]"), done + (call != "wait(1)"))
        if self._talking and turn.seat == "chef" and ask == "plan" and call != "wait(1)":
            return Reply(said(turn.seat, call, f"I do this now: {call}"), done)
        return Reply(said(turn.seat, call, "[NOTHING]"), done + (call != "wait(1)"))


def said(seat: Seat, plan: str, words: str) -> str:
    """An answer in three fields, as both rule sets read them."""
    role = seat.capitalize()
    return f"{role} analysis: as planned\n{role} plan: {plan}\n{role} say: {words}"
